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

/// Where a point lies from a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Right above or below it, its outline included. Exact.
    Over,
    /// Beside it.
    Beside,
    /// Beside it, and farther away than was asked for.
    Farther,
}

/// The edges around a polygon, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline<'a>(pub(crate) &'a [OutlineEdge]);

impl<'a> Outline<'a> {
    /// Whether `p` is right above or below the polygon, its outline included. Exact; a point with a NaN is over
    /// nothing.
    #[inline]
    pub(crate) fn is_over(self, p: Vec3) -> bool {
        let Some(last) = self.0.last() else { return false };
        let (mut from, mut inside) = (last.start, true);
        for edge in self.0 {
            // All edges are looked at: by which the point is outside cannot be guessed.
            inside &= orient_xz(from, edge.start, p) <= 0.0;
            from = edge.start;
        }
        inside
    }

    /// Where `p` lies from the polygon, for callers that are not interested in polygons that are farther away on the plane than the root of
    /// `distance_squared`. What is [`Beside`](Place::Beside) may still be farther; for most that are, the first edge or two tell.
    #[inline]
    pub(crate) fn place_of(self, p: Vec3, distance_squared: f32) -> Place {
        let Some(last) = self.0.last() else { return Place::Farther };
        let (mut from, mut place) = (last.start, Place::Over);
        // A little beyond, so that rounding never rejects a nearer one.
        let reach = f64::from(distance_squared) * 1.0001;
        for edge in self.0 {
            let (start, end) = (core::mem::replace(&mut from, edge.start), edge.start);
            let outside = orient_xz(start, end, p);
            let is_inside = outside <= 0.0;
            if !is_inside {
                let (dx, dz) = (f64::from(end.x) - f64::from(start.x), f64::from(end.z) - f64::from(start.z));
                if outside * outside > reach * (dx * dx + dz * dz) {
                    return Place::Farther;
                }
                place = Place::Beside;
            }
        }
        place
    }

    /// Every edge with its end.
    #[inline]
    pub(crate) fn edges(self) -> impl Iterator<Item = (OutlineEdge, Vec3)> + Clone + 'a {
        let ends = self.0.iter().skip(1).chain(self.0.first()).map(|edge| edge.start);
        self.0.iter().copied().zip(ends)
    }
}
