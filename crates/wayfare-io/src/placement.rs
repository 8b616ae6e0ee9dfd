//! Where a level is placed in a world.

use crate::ReadError;
use wayfare::Vec3;
use wayfare::math::ops;

/// Scaled, rotated about the y axis, then moved; in 64 bits, so that the corners of neighbours coincide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    at: [f64; 3],
    scale: f64,
    sin: f64,
    cos: f64,
}

impl Placement {
    /// `turn` is in degrees about the y axis, from x towards z; `scale` is above 0.
    ///
    /// # Errors
    /// [`ReadError`] if a number is none or beyond what 32 bits can hold, or the scale not above 0.
    pub fn new(at: [f64; 3], turn: f64, scale: f64) -> Result<Self, ReadError> {
        if at.iter().chain([&turn]).any(|number| !number.is_finite()) {
            return Err("at and turn must be numbers".into());
        }
        if let Some(far) = at.iter().find(|number| !(**number as f32).is_finite()) {
            return Err(format!("at has {far:e}, but coordinates are at most 3.4e38").into());
        }
        if !(scale.is_finite() && scale > 0.0) {
            return Err(format!("scale is {scale}, but must be above 0").into());
        }
        if !((scale as f32).is_finite() && scale as f32 > 0.0) {
            return Err(format!("scale is {scale:e}, but must be between 1e-45 and 3.4e38").into());
        }
        // Quarter turns keep corners on their grid.
        let (sin, cos) = match turn.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            turn => {
                let angle = turn.to_radians() as f32;
                (f64::from(ops::sin(angle)), f64::from(ops::cos(angle)))
            }
        };
        Ok(Self { at, scale, sin, cos })
    }

    /// Whether nothing is turned or scaled.
    #[must_use]
    pub fn is_moved_only(&self) -> bool {
        self.scale == 1.0 && self.cos == 1.0
    }

    /// By how much the origin is moved.
    #[must_use]
    pub fn offset(&self) -> Vec3 {
        let [x, y, z] = self.at;
        Vec3::new(x as f32, y as f32, z as f32)
    }

    /// Where a point comes to lie.
    #[must_use]
    pub fn point(&self, p: Vec3) -> Vec3 {
        let [x, y, z] = p.to_array().map(|c| f64::from(c) * self.scale);
        let turned = [x * self.cos - z * self.sin, y, x * self.sin + z * self.cos];
        let [x, y, z] = [turned[0] + self.at[0], turned[1] + self.at[1], turned[2] + self.at[2]];
        Vec3::new(x as f32, y as f32, z as f32)
    }

    /// The same for a length.
    #[must_use]
    pub fn length(&self, length: f32) -> f32 {
        (f64::from(length) * self.scale) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_scaled_turned_and_moved() {
        let place = |turn, scale| Placement::new([10.0, 1.0, 0.0], turn, scale).unwrap_or_else(|_| unreachable!());
        let p = Vec3::new(1.0, 2.0, 0.0);
        assert_eq!(place(0.0, 2.0).point(p), Vec3::new(12.0, 5.0, 0.0));
        assert_eq!(place(90.0, 1.0).point(p), Vec3::new(10.0, 3.0, 1.0));
        assert_eq!(place(-90.0, 1.0).point(p), Vec3::new(10.0, 3.0, -1.0));
        assert!((place(45.0, 1.0).point(p).z - 0.5f32.sqrt()).abs() < 1e-6);
        assert!(Placement::new([0.0; 3], f64::NAN, 1.0).is_err() && Placement::new([0.0; 3], 0.0, 0.0).is_err());
        for (at, scale, told) in
            [([0.0, 1e39, 0.0], 1.0, "at has 1e39"), ([0.0; 3], 1e300, "1e300"), ([0.0; 3], 1e-60, "1e-60")]
        {
            let error = Placement::new(at, 0.0, scale).err().map(|e| e.to_string());
            assert!(error.as_ref().is_some_and(|error| error.contains(told)), "{error:?}");
        }
    }
}
