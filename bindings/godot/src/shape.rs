//! Shapes of obstacles and areas.

use crate::convert::to_nav;
use godot::prelude::*;
use wayfare::Vec3;
use wayfare::input::Volume;

/// Corners of the prism that a tilted cylinder becomes.
const SIDES: u32 = 16;

/// What an obstacle or an area looks like.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum Shape {
    /// A cylinder, its base at the node's origin.
    #[default]
    Cylinder,
    /// A box around the node's origin.
    Box,
    /// A prism over the convex hull of corners, its base at the node's origin.
    Polygon,
}

/// The numbers of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    pub shape: Shape,
    pub radius: f32,
    pub height: f32,
    pub size: Vector3,
    pub vertices: PackedVector3Array,
}

impl Form {
    /// The shape in the world; `None` if it has no size.
    pub fn volume(&self, at: &Transform3D) -> Option<Volume> {
        let scale = at.basis.get_scale().abs();
        let is_upright = at.basis.col_b().normalized_or_zero().dot(Vector3::UP) > 0.9999;
        let is_even = (scale.x - scale.z).abs() <= 1e-3 * scale.x.abs();
        if self.shape == Shape::Cylinder && is_upright && is_even {
            let (radius, height) = (self.radius * scale.x, self.height * scale.y);
            return (radius > 0.0 && height > 0.0).then(|| Volume::Cylinder {
                base: to_nav(at.origin),
                radius,
                height,
            });
        }
        let [x, z] = [at.basis.col_a(), at.basis.col_c()];
        let is_square = x.dot(z).abs() <= 1e-3 * x.length() * z.length();
        if self.shape == Shape::Box && is_upright && is_square {
            let half_extents = to_nav(self.size / 2.0 * scale);
            let angle = wayfare::math::ops::atan2(x.z, x.x);
            return half_extents.cmpgt(Vec3::ZERO).all().then(|| Volume::TurnedBox {
                center: to_nav(at.origin),
                half_extents,
                angle,
            });
        }
        let corners = self.corners();
        let has_size = corners.len() >= 6 && corners.iter().all(|corner| corner.is_finite());
        has_size.then(|| Volume::Hull(corners.into_iter().map(|corner| to_nav(*at * corner)).collect()))
    }

    /// Points whose convex hull is the shape, around the node's origin.
    fn corners(&self) -> Vec<Vector3> {
        let over = |rim: Vec<Vector3>| -> Vec<Vector3> {
            let lift = Vector3::UP * self.height;
            rim.iter().copied().chain(rim.iter().map(|&corner| corner + lift)).collect()
        };
        match self.shape {
            Shape::Cylinder if self.radius > 0.0 && self.height > 0.0 => over(self.ring()),
            Shape::Polygon if self.vertices.len() >= 3 && self.height > 0.0 => over(self.vertices.to_vec()),
            Shape::Box if self.size.x > 0.0 && self.size.y > 0.0 && self.size.z > 0.0 => {
                let half = self.size / 2.0;
                let side = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
                (0..8).map(|i| half * Vector3::new(side(i, 0), side(i, 1), side(i, 2))).collect()
            }
            _ => Vec::new(),
        }
    }

    fn ring(&self) -> Vec<Vector3> {
        let angle = |i: u32| core::f32::consts::TAU * i as f32 / SIDES as f32;
        let corner = |a: f32| Vector3::new(wayfare::math::ops::cos(a), 0.0, wayfare::math::ops::sin(a)) * self.radius;
        (0..SIDES).map(|i| corner(angle(i))).collect()
    }
}

/// Whether a shape has moved by so much, or turned or grown visibly.
pub fn has_moved(before: &Transform3D, now: &Transform3D, tolerance: f32) -> bool {
    let columns = |t: &Transform3D| [t.basis.col_a(), t.basis.col_b(), t.basis.col_c()];
    let has_turned = columns(before).iter().zip(columns(now)).any(|(a, b)| a.distance_to(b) > 0.01);
    has_turned || before.origin.distance_to(now.origin) >= tolerance.max(1e-4)
}

/// Whether all numbers of a place can be used.
pub fn is_finite(at: &Transform3D) -> bool {
    let finite = |v: Vec3| v.is_finite();
    at.is_finite() && finite(to_nav(at.origin))
}
