//! The hull of points that all lie on one plane in space.
//!
//! Dropping an axis turns it into a hull on a plane, and loses nothing if the plane is not upright along that axis:
//! then no two of its points fall together. Whether it is, is decided exactly, as is all on the plane.
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
