//! The hull of points that all lie on one plane in space.
//!
//! Dropping the axis that the plane's normal leans to most turns it into a hull on a plane, and loses nothing: seen
//! along that axis no two points of the plane fall together. The planar decision is exact, so this is.
//!
//! Cost: that of the planar hull.

use crate::math::hull2_chain::hull_chain;
use glam::{Vec2, Vec3};

/// Corners of the hull of coplanar points; `triangle` are three of them that span the plane.
pub(super) fn flat_hull(points: &[Vec3], triangle: [u32; 3]) -> Vec<u32> {
    let [a, b, c] = triangle.map(|i| points[i as usize].as_dvec3());
    let normal = (b - a).cross(c - a).abs();
    let drop = if normal.x >= normal.y && normal.x >= normal.z {
        |p: Vec3| Vec2::new(p.y, p.z)
    } else if normal.y >= normal.z {
        |p: Vec3| Vec2::new(p.x, p.z)
    } else {
        |p: Vec3| Vec2::new(p.x, p.y)
    };
    let flat: Vec<Vec2> = points.iter().map(|&p| if p.is_finite() { drop(p) } else { Vec2::NAN }).collect();
    hull_chain(&flat)
}
