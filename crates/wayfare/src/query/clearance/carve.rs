//! Subtracts the blocked outlines from one polygon and returns convex pieces.
//!
//! Two libraries that work on integers, and so never fail on touching, collinear or coincident outlines, do this:
//! `i_overlay` subtracts the outlines, `i_triangle` divides the rest into convex pieces. Pieces share corners where
//! they share edges, except corners in the middle of an edge, which [`sew`](super::sew) adds.
//!
//! Cost: about n log n in the corners of the outlines.

use super::plan_grid::{Outline, PlanPoint, area2};
use i_triangle::i_overlay::core::fill_rule::FillRule;
use i_triangle::i_overlay::core::overlay::{Overlay, ShapeType};
use i_triangle::i_overlay::core::overlay_rule::OverlayRule;
use i_triangle::int::triangulatable::IntTriangulatable;

/// Cuts polygons, one after the other, reusing memory.
pub(super) struct Carver {
    overlay: Overlay<i32>,
}

impl Carver {
    pub(super) fn new() -> Self {
        Self { overlay: Overlay::new(64) }
    }

    /// Appends the convex pieces of `poly` that no `blocked` outline covers.
    pub(super) fn carve(&mut self, poly: &[PlanPoint], blocked: &[Outline], pieces: &mut Vec<Outline>) {
        self.overlay.clear();
        let mut whole = true;
        for outline in blocked.iter().filter(|outline| boxes_touch(poly, outline)) {
            self.overlay.add_contour(outline, ShapeType::Clip);
            whole = false;
        }
        if whole {
            pieces.push(poly.to_vec());
            return;
        }
        self.overlay.add_contour(poly, ShapeType::Subject);
        for shape in &self.overlay.overlay(OverlayRule::Difference, FillRule::NonZero) {
            let convex = shape.triangulate().into_delaunay().to_convex_polygons();
            pieces.extend(
                convex.into_iter().filter(|piece| piece.len() >= 3 && area2(piece) != 0).map(wound_like_the_mesh),
            );
        }
    }
}

fn wound_like_the_mesh(mut piece: Outline) -> Outline {
    if area2(&piece) > 0 {
        piece.reverse();
    }
    piece
}

fn boxes_touch(a: &[PlanPoint], b: &[PlanPoint]) -> bool {
    let range = |points: &[PlanPoint], of: fn(&PlanPoint) -> i32| {
        points.iter().map(of).fold((i32::MAX, i32::MIN), |(low, high), v| (low.min(v), high.max(v)))
    };
    let meet = |of: fn(&PlanPoint) -> i32| {
        let (a_low, a_high) = range(a, of);
        let (b_low, b_high) = range(b, of);
        a_low <= b_high && b_low <= a_high
    };
    meet(|p| p.x) && meet(|p| p.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(low: i32, high: i32) -> Outline {
        [(low, low), (high, low), (high, high), (low, high)].map(|(x, z)| PlanPoint::new(x, z)).to_vec()
    }

    #[test]
    fn what_is_left_has_the_area_that_is_left() {
        let area_left = |blocked: &[Outline]| {
            let mut pieces = Vec::new();
            Carver::new().carve(&square(0, 100), blocked, &mut pieces);
            pieces.iter().map(|piece| area2(piece).abs() / 2).sum::<i64>()
        };
        assert_eq!(area_left(&[]), 10_000);
        assert_eq!(area_left(&[square(200, 300)]), 10_000);
        assert_eq!(area_left(&[square(40, 60)]), 9_600, "a hole");
        assert_eq!(area_left(&[square(40, 60), square(50, 70)]), 9_300);
        assert_eq!(area_left(&[square(-5, 105)]), 0);
        assert_eq!(area_left(&[square(-10, 100)]), 0, "edges on top of each other");
    }
}
