//! Converts coordinates from and to those of other engines.
//!
//! Everything in this library is right-handed, with y up, in metres. Most engines differ in one of the three:
//!
//! ```text
//!     here, Godot, glTF     Unity             Unreal            Blender, ROS, CAD
//!        y                  y   z             z   x             z   y
//!        |                  | /               | /               | /
//!        '--- x             '--- x            '--- y            '--- x
//!       /
//!      z   right, metres    left, metres      left, centimetres right, metres
//! ```
//!
//! A frame exchanges axes and multiplies by a factor, so converting there and back gives the same numbers if the factor
//! is a power of two, and otherwise may change the last digit.
//!
//! Cost: a few multiplications for each point.
//!
//! Sources: none needed.

use super::Aabb;
use glam::Vec3;

/// Which axis points up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UpAxis {
    /// As in glTF, Unity and Godot.
    #[default]
    Y,
    /// As in Unreal, Blender, CAD and robotics.
    Z,
}

/// Whether x, y and z follow thumb, forefinger and middle finger of the right hand or of the left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Handedness {
    /// As in glTF, Godot, Blender, CAD and robotics.
    #[default]
    Right,
    /// As in Unity and Unreal.
    Left,
}

/// The coordinates that a caller works in: up-axis, handedness, and the length of a unit.
///
/// ```
/// use wayfare::Vec3;
/// use wayfare::math::Frame;
///
/// // A metre in front of the origin of Unreal, two metres up.
/// let point = Frame::UNREAL.point_in(Vec3::new(100.0, 0.0, 200.0));
/// assert_eq!(point, Vec3::new(1.0, 2.0, 0.0));
/// assert_eq!(Frame::UNREAL.point_out(point), Vec3::new(100.0, 0.0, 200.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    up: UpAxis,
    handedness: Handedness,
    unit: f64,
}

/// An invalid length unit.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a unit of {unit} metres: use a finite number above zero, such as 0.01 for centimetres")]
pub struct FrameError {
    /// The value that was given.
    pub unit: f64,
}

impl Default for Frame {
    fn default() -> Self {
        Self::METRES_Y_UP
    }
}

impl Frame {
    /// The library's own: right-handed, y up, metres. Also that of glTF and Godot.
    pub const METRES_Y_UP: Self = Self { up: UpAxis::Y, handedness: Handedness::Right, unit: 1.0 };
    /// Right-handed, z up, metres: Blender, CAD, ROS.
    pub const METRES_Z_UP: Self = Self { up: UpAxis::Z, ..Self::METRES_Y_UP };
    /// Left-handed, y up, metres.
    pub const UNITY: Self = Self { handedness: Handedness::Left, ..Self::METRES_Y_UP };
    /// Left-handed, z up, centimetres.
    pub const UNREAL: Self = Self { up: UpAxis::Z, handedness: Handedness::Left, unit: 0.01 };

    /// A frame with a unit of `unit` metres: 0.01 for centimetres.
    ///
    /// # Errors
    /// [`FrameError`] unless the unit is a finite number above zero.
    pub fn new(up: UpAxis, handedness: Handedness, unit: f64) -> Result<Self, FrameError> {
        if !(unit.is_finite() && unit > 0.0) {
            return Err(FrameError { unit });
        }
        Ok(Self { up, handedness, unit })
    }

    /// Which axis points up.
    #[must_use]
    pub fn up(self) -> UpAxis {
        self.up
    }

    /// Its handedness.
    #[must_use]
    pub fn handedness(self) -> Handedness {
        self.handedness
    }

    /// How many metres its unit is long.
    #[must_use]
    pub fn unit(self) -> f64 {
        self.unit
    }

    /// A point or a distance along each axis, as velocities are, from the caller's coordinates into the library's.
    #[must_use]
    pub fn point_in(self, point: impl Into<Vec3>) -> Vec3 {
        self.direction_in(point.into()).map_f64(|c| c * self.unit)
    }

    /// The same from the library's coordinates to the caller's.
    #[must_use]
    pub fn point_out(self, point: Vec3) -> Vec3 {
        self.direction_out(point).map_f64(|c| c / self.unit)
    }

    /// A direction, such as a normal, into the library's coordinates: its length stays the same.
    #[must_use]
    pub fn direction_in(self, direction: impl Into<Vec3>) -> Vec3 {
        let Vec3 { x, y, z } = direction.into();
        match (self.up, self.handedness) {
            (UpAxis::Y, Handedness::Right) => Vec3::new(x, y, z),
            (UpAxis::Y, Handedness::Left) => Vec3::new(x, y, -z),
            (UpAxis::Z, Handedness::Right) => Vec3::new(x, z, -y),
            (UpAxis::Z, Handedness::Left) => Vec3::new(x, z, y),
        }
    }

    /// The same into the caller's coordinates.
    #[must_use]
    pub fn direction_out(self, Vec3 { x, y, z }: Vec3) -> Vec3 {
        match (self.up, self.handedness) {
            (UpAxis::Y, Handedness::Right) => Vec3::new(x, y, z),
            (UpAxis::Y, Handedness::Left) => Vec3::new(x, y, -z),
            (UpAxis::Z, Handedness::Right) => Vec3::new(x, -z, y),
            (UpAxis::Z, Handedness::Left) => Vec3::new(x, z, y),
        }
    }

    /// A length, as radii and speeds are, into metres.
    #[must_use]
    pub fn length_in(self, length: f32) -> f32 {
        (f64::from(length) * self.unit) as f32
    }

    /// The same into the caller's units.
    #[must_use]
    pub fn length_out(self, length: f32) -> f32 {
        (f64::from(length) / self.unit) as f32
    }

    /// A box into the library's coordinates.
    #[must_use]
    pub fn bounds_in(self, bounds: &Aabb) -> Aabb {
        if bounds.is_empty() { Aabb::EMPTY } else { Aabb::around([bounds.min, bounds.max].map(|p| self.point_in(p))) }
    }

    /// A box into the caller's coordinates.
    #[must_use]
    pub fn bounds_out(self, bounds: &Aabb) -> Aabb {
        if bounds.is_empty() { Aabb::EMPTY } else { Aabb::around([bounds.min, bounds.max].map(|p| self.point_out(p))) }
    }

    /// A list of points into the library's coordinates, in place.
    pub fn points_in(self, points: &mut [Vec3]) {
        points.iter_mut().for_each(|point| *point = self.point_in(*point));
    }

    /// A list of points, as the corners of a path, into the caller's coordinates, in place.
    pub fn points_out(self, points: &mut [Vec3]) {
        points.iter_mut().for_each(|point| *point = self.point_out(*point));
    }

    /// Whether the conversion is a mirror, so that triangles would face the other side.
    #[must_use]
    pub fn is_mirrored(self) -> bool {
        self.handedness == Handedness::Left
    }

    /// Reverses triangles if the conversion is a mirror, so that the side to which `(b − a) × (c − a)` points stays the
    /// same. Works in both directions.
    pub fn wind(self, tris: &mut [[u32; 3]]) {
        if self.is_mirrored() {
            tris.iter_mut().for_each(|[_, b, c]| core::mem::swap(b, c));
        }
    }
}

/// Number by number, in double precision: the factors of units are not powers of two.
trait MapF64 {
    fn map_f64(self, f: impl Fn(f64) -> f64) -> Self;
}

impl MapF64 for Vec3 {
    fn map_f64(self, f: impl Fn(f64) -> f64) -> Self {
        Self::from(self.to_array().map(|c| f(f64::from(c)) as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: [Frame; 4] = [Frame::METRES_Y_UP, Frame::METRES_Z_UP, Frame::UNITY, Frame::UNREAL];

    #[test]
    fn there_and_back_is_the_same() {
        let point = Vec3::new(1.5, -200.25, 3e4);
        for frame in FRAMES {
            assert!((frame.point_out(frame.point_in(point)) - point).abs().max_element() <= 2e-3);
            assert_eq!(frame.direction_out(frame.direction_in(point)), point);
            assert!((frame.length_out(frame.length_in(7.5)) - 7.5).abs() < 1e-5);
            let bounds = Aabb { min: Vec3::ZERO, max: Vec3::new(1.0, 2.0, 4.0) };
            assert_eq!(frame.bounds_out(&frame.bounds_in(&bounds)), bounds);
            assert!(frame.bounds_in(&Aabb::EMPTY).is_empty());
        }
    }

    #[test]
    fn up_is_up_and_hands_are_kept() {
        for frame in FRAMES {
            let up = if frame.up() == UpAxis::Y { Vec3::Y } else { Vec3::Z };
            assert_eq!(frame.direction_in(up), Vec3::Y);
            let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| frame.direction_in(axis));
            let volume = x.cross(y).dot(z);
            assert_eq!(volume, if frame.is_mirrored() { -1.0 } else { 1.0 });
        }
        assert_eq!(Frame::UNITY.point_in([1.0, 2.0, 3.0]), Vec3::new(1.0, 2.0, -3.0));
        assert_eq!(Frame::METRES_Z_UP.point_in([1.0, 2.0, 3.0]), Vec3::new(1.0, 3.0, -2.0));
        assert_eq!(Frame::UNREAL.length_in(180.0), 1.8);
    }

    #[test]
    fn a_floor_stays_a_floor() {
        for frame in FRAMES {
            // A triangle whose upper side is that of the cross product, in the caller's coordinates.
            let side = if frame.up() == UpAxis::Y { Vec3::Z } else { Vec3::Y };
            let mut corners = [Vec3::ZERO, side, Vec3::X];
            let up = frame.direction_out(Vec3::Y);
            let mut tri = [[0, 1, 2]];
            if corners[1].cross(corners[2]).dot(up) < 0.0 {
                tri = [[0, 2, 1]];
            }
            frame.points_in(&mut corners);
            frame.wind(&mut tri);
            let [a, b, c] = tri[0].map(|corner| corners[corner as usize]);
            assert!((b - a).cross(c - a).y > 0.0, "{frame:?}");
        }
    }

    #[test]
    fn units_are_numbers_above_zero() {
        for unit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Frame::new(UpAxis::Y, Handedness::Left, unit).is_err());
        }
        assert_eq!(Frame::new(UpAxis::Z, Handedness::Left, 0.01), Ok(Frame::UNREAL));
    }
}
