//! The outline of one polygon, as walks read it: corner after corner with what lies beyond.
//!
//! ```text
//!    b-------c
//!    |   p   |  q        p is over the polygon: on or to the right of every edge.
//!    a-------d           q is to the left of c→d; how far tells that no point of the polygon is nearer.
//! ```
//!
//! Cost: linear in the corners.

use super::OutlineEdge;
use crate::math::predicates::orient_xz;
use glam::Vec3;

/// The edges around a polygon, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline<'a>(pub(crate) &'a [OutlineEdge]);

impl<'a> Outline<'a> {
    /// Whether `p` is right above or below the polygon, its outline included. Exact.
    #[inline]
    pub(crate) fn is_over(self, p: Vec3) -> bool {
        let Some(last) = self.0.last() else { return false };
        let mut from = last.start;
        self.0.iter().all(|edge| {
            let from = core::mem::replace(&mut from, edge.start);
            orient_xz(from, edge.start, p) <= 0.0
        })
    }

    /// Whether some edge has `p` so far outside that the whole polygon is farther away on the plane than the root of
    /// `distance_squared`. May say no where that is so; for most polygons the first edge or two tell.
    #[inline]
    pub(crate) fn is_farther(self, p: Vec3, distance_squared: f32) -> bool {
        let Some(last) = self.0.last() else { return true };
        let mut from = last.start;
        // A little beyond, so that rounding never rejects a nearer one.
        let reach = distance_squared * 1.0001;
        self.0.iter().any(|edge| {
            let (from, to) = (core::mem::replace(&mut from, edge.start), edge.start);
            let (dx, dz) = (to.x - from.x, to.z - from.z);
            let outside = dx * (p.z - from.z) - dz * (p.x - from.x);
            outside > 0.0 && outside * outside > reach * (dx * dx + dz * dz)
        })
    }

    /// Every edge with its end.
    #[inline]
    pub(crate) fn edges(self) -> impl Iterator<Item = (OutlineEdge, Vec3)> + Clone + 'a {
        let ends = self.0.iter().skip(1).chain(self.0.first()).map(|edge| edge.start);
        self.0.iter().copied().zip(ends)
    }
}
