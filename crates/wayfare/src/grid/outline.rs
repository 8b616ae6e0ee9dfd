//! The outline of a grown obstacle as a convex polygon, for avoidance methods, which know walls.
//!
//! ```text
//!      ,---------.        The arcs around the corners are replaced by two chords each, a disc by twelve, so the polygon
//!    /  *-------*  \      lies inside the exact outline: what walks around the exact one never crosses it.
//!    \  *-------*  /
//!      `---------'
//! ```
//!
//! Cost: constant.
//!
//! Sources: own.

use super::shape::{Grown, Shape};
use crate::math::ops;
use core::f32::consts::TAU;
use glam::Vec2;

/// Corners of a disc, and most corners of any outline.
const MOST: usize = 12;

/// A convex polygon on the xz-plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GrownOutline {
    corners: [Vec2; MOST],
    count: usize,
}

/// The outline of a shape grown by `margin` metres; `None` if a number in it is not finite.
pub(crate) fn outline(shape: &Shape, margin: f32) -> Option<GrownOutline> {
    let grown = Grown::new(shape, margin)?;
    let mut outline = GrownOutline { corners: [Vec2::ZERO; MOST], count: 0 };
    if let [center] = *grown.corners() {
        for k in 0..MOST {
            let angle = TAU * k as f32 / MOST as f32;
            outline.push(center + Vec2::new(ops::cos(angle), ops::sin(angle)) * grown.radius());
        }
        return Some(outline);
    }
    let edges = grown.edges();
    for (k, &[a, b]) in edges.iter().enumerate() {
        let corner = grown.corners()[(k + 1) % edges.len()];
        let next = edges[(k + 1) % edges.len()][0];
        let along = (b - a).normalize_or_zero() * grown.radius();
        let out = b - corner;
        outline.push(a);
        outline.push(b);
        // The end of a segment is half a disc, the corner of a box a quarter.
        let around: &[Vec2] =
            if edges.len() == 2 { &[out + along, along, along - out] } else { &[out + next - corner] };
        for direction in around {
            outline.push(corner + direction.normalize_or_zero() * grown.radius());
        }
    }
    Some(outline)
}

impl GrownOutline {
    fn push(&mut self, corner: Vec2) {
        self.corners[self.count] = corner;
        self.count += 1;
    }

    /// Its edges, with the inside to the left, seen with x to the right and z up.
    pub(crate) fn edges(&self) -> impl Iterator<Item = [Vec2; 2]> + '_ {
        let corners = &self.corners[..self.count];
        (0..corners.len()).map(|k| [corners[k], corners[(k + 1) % corners.len()]])
    }

    /// Whether a point lies inside.
    pub(crate) fn contains(&self, point: Vec2) -> bool {
        self.edges().all(|[a, b]| (b - a).perp_dot(point - a) > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Random points: inside the polygon means inside the exact outline, and well inside that means inside the polygon.
    #[test]
    fn just_inside_the_exact_outline() {
        let mut rng = crate::math::Rng::new(8);
        for _ in 0..200 {
            let mut point = || Vec3::new(rng.unit() * 6.0 - 3.0, 0.0, rng.unit() * 6.0 - 3.0);
            let (a, b) = (point(), point());
            let margin = 0.5;
            let shapes = [
                (Shape::Segment { a, b }, 0.0),
                (Shape::Disc { center: a, radius: b.x.abs() }, b.x.abs()),
                (Shape::Box { center: a, half: [b.x.abs(), b.z.abs()], yaw: b.x }, 0.0),
            ];
            for (shape, radius) in shapes {
                let outline = outline(&shape, margin).unwrap();
                for _ in 0..100 {
                    let at = point() * 1.5;
                    let away = crate::grid::blockers::distance_to_core(&shape, at) - radius - margin;
                    let inside = outline.contains(Vec2::new(at.x, at.z));
                    assert!(!inside || away < 1e-3, "{shape:?} {at} {away}");
                    assert!(inside || away > -0.08 * (radius + margin) - 1e-3, "{shape:?} {at} {away}");
                }
            }
        }
        assert_eq!(outline(&Shape::Disc { center: Vec3::NAN, radius: 1.0 }, 0.5), None);
    }
}
