//! Decides which triangles are walkable: those whose upward side is not too steep.
//!
//! Cost: one square root per triangle.
//!
//! Sources: Mikko Mononen, Recast (`rcMarkWalkableTriangles`), 2009, which also compares with the cosine of the slope.

use crate::area::AreaId;
use glam::{DVec3, Vec3};

/// `area` if the triangle's unit normal points up more steeply than `min_normal_y`, else [`AreaId::NULL`].
///
/// The normal is `(b - a) × (c - a)`, so only one side of a triangle is walkable.
#[must_use]
#[inline]
pub fn slope_area(corners: [Vec3; 3], area: AreaId, min_normal_y: f32) -> AreaId {
    if unit_normal_y(corners) > min_normal_y { area } else { AreaId::NULL }
}

/// The y of a triangle's unit normal.
#[inline]
fn unit_normal_y([a, b, c]: [Vec3; 3]) -> f32 {
    let normal = (b - a).cross(c - a);
    let length_squared = normal.x * normal.x + normal.y * normal.y + normal.z * normal.z;
    if length_squared.is_normal() {
        return normal.y * (1.0 / length_squared.sqrt());
    }
    // Too small or too large for the squares to fit f32.
    let [a, b, c]: [DVec3; 3] = [a, b, c].map(Vec3::as_dvec3);
    let normal = (b - a).cross(c - a);
    (normal.y / normal.length()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tri(scale: f32, rise: f32) -> [Vec3; 3] {
        [Vec3::ZERO, Vec3::new(0.0, 0.0, scale), Vec3::new(scale, rise * scale, 0.0)]
    }

    #[test]
    fn steepness_decides_and_size_does_not() {
        let area = AreaId::from_low_bits(7);
        for scale in [1e-18, 1e-9, 1.0, 1e9, 1e18] {
            assert_eq!(slope_area(tri(scale, 0.9), area, 0.7), area, "scale {scale}");
            assert_eq!(slope_area(tri(scale, 1.1), area, 0.7), AreaId::NULL, "scale {scale}");
        }
    }

    #[test]
    fn the_underside_cannot_be_walked_on() {
        let [a, b, c] = tri(1.0, 0.0);
        assert_eq!(slope_area([a, c, b], AreaId::WALKABLE, 0.7), AreaId::NULL);
    }
}
