//! The hull of points in space that all lie on one plane.
//!
//! Dropping an axis turns it into a planar hull. Nothing is lost unless the plane is parallel to that axis, since then
//! no two of its points fall together. This is decided exactly, as is everything in the planar hull.
//!
//! Cost: that of the planar hull.

use crate::math::hull2_chain::hull_chain;
use crate::math::predicates::orient2d;
use glam::{Vec2, Vec3};

/// Corners of the hull of coplanar points; `triangle` are three of them that span the plane.
pub(super) fn flat_hull(points: &[Vec3], triangle: [u32; 3]) -> Vec<u32> {
    let [a, b, c] = triangle.map(|i| points[i as usize]);
    let ways: [fn(Vec3) -> Vec2; 3] = [|p| Vec2::new(p.x, p.z), |p| Vec2::new(p.y, p.z), |p| Vec2::new(p.x, p.y)];
    let keeps_area = |drop: &fn(Vec3) -> Vec2| orient2d(drop(a), drop(b), drop(c)) != 0.0;
    let drop = ways.into_iter().find(keeps_area).unwrap_or(ways[0]);
    let flat: Vec<Vec2> = points.iter().map(|&p| if p.is_finite() { drop(p) } else { Vec2::NAN }).collect();
    hull_chain(&flat)
}
