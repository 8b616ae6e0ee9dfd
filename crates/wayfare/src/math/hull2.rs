//! The convex hull of points in the plane by gift wrapping.
//!
//! ```text
//!        .---*---.        Start at the lowest leftmost point. From each hull point take as next the one that has no
//!       /   .     \       other point to its left; stop when back at the start.
//!      *  .    .   *
//!       \    .    /
//!        *-------*
//! ```
//!
//! The short version of this fails on rounding: for large coordinates "left of" contradicts itself, so the walk misses
//! its start and never ends. Here "left of" is exact, of collinear points the farthest is taken, and equal points count
//! as one. So every step advances along the hull, and there are at most as many steps as points.
//!
//! Own code: the hulls of `parry2d` and `geo` that were tried are wrong for collinear points or extreme sizes, or
//! return no indices (`docs/hulls.md` says which versions).
//!
//! Cost: points × hull corners.
//!
//! Sources: Mikko Mononen, "Simple Stupid Convex Hull", Digesting Duck, February 2010; R. A. Jarvis, "On the
//! identification of the convex hull of a finite set of points in the plane", 1973.

use crate::math::predicates::orient2d;
use core::cmp::Ordering;
use glam::Vec2;

/// Indices of the corners of the convex hull of `points`, in the winding of the library's polygons (clockwise where x
/// points right and y up), starting at the smallest x, then the smallest y. Points between two corners and repeated
/// points are left out; points that are NaN or infinite are ignored. One or two indices if all points coincide or lie
/// on one line.
///
/// ```
/// use wayfare::{Vec2, math::convex_hull};
/// let points = [[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.0, 2.0], [0.0, 1.0]].map(Vec2::from);
/// assert_eq!(convex_hull(&points), [0, 4, 3, 1]);
/// ```
#[must_use]
pub fn convex_hull(points: &[Vec2]) -> Vec<u32> {
    let mut hull = Vec::new();
    convex_hull_into(points, &mut hull);
    hull
}

/// [`convex_hull`] into a list whose memory is reused.
pub fn convex_hull_into(points: &[Vec2], hull: &mut Vec<u32>) {
    hull.clear();
    let usable = || points.iter().enumerate().filter(|(_, p)| p.is_finite());
    let Some((start, _)) = usable().min_by(|(_, a), (_, b)| lower_left(**a, **b)) else { return };
    let mut at = start;
    loop {
        hull.push(at as u32);
        // The point with nothing to its left; of two in the same direction, the farther.
        let mut next: Option<usize> = None;
        for (i, &p) in usable() {
            if p == points[at] {
                continue;
            }
            let better = next.is_none_or(|n| {
                let side = orient2d(points[at], points[n], p);
                side > 0.0 || (side == 0.0 && farther(points[at], p, points[n]))
            });
            if better {
                next = Some(i);
            }
        }
        match next {
            Some(n) if points[n] != points[start] && hull.len() < points.len() => at = n,
            _ => break,
        }
    }
}

fn lower_left(a: Vec2, b: Vec2) -> Ordering {
    // Adding zero makes -0.0 and 0.0 equal under the total order.
    (a.x + 0.0).total_cmp(&(b.x + 0.0)).then((a.y + 0.0).total_cmp(&(b.y + 0.0)))
}

/// Whether `p` is farther from `a` than `q`, for points on one line in the same direction from `a`: then `q` lies
/// between them. Distances would round where `a` is far away.
fn farther(a: Vec2, p: Vec2, q: Vec2) -> bool {
    let is_between = |a: f32, q: f32, p: f32| a.min(p) <= q && q <= a.max(p);
    p != q && is_between(a.x, q.x, p.x) && is_between(a.y, q.y, p.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    /// Checks the definition of a hull: it turns the same direction at each corner, and no point lies outside any side.
    fn check(points: &[Vec2], hull: &[u32]) {
        let corners: Vec<Vec2> = hull.iter().map(|&i| points[i as usize]).collect();
        if let [a, rest @ ..] = &corners[..]
            && rest.len() < 2
        {
            let b = rest.first().unwrap_or(a);
            let between = |p: Vec2| (p - *a).dot(*b - p) >= 0.0;
            assert!(points.iter().all(|&p| orient2d(*a, *b, p) == 0.0 && between(p)), "not on a line: {points:?}");
        }
        assert!(!corners.is_empty());
        check_turns(points, hull);
    }

    fn check_turns(points: &[Vec2], hull: &[u32]) {
        let corners: Vec<Vec2> = hull.iter().map(|&i| points[i as usize]).collect();
        for i in 0..corners.len() {
            let (a, b, c) = (corners[i], corners[(i + 1) % corners.len()], corners[(i + 2) % corners.len()]);
            if corners.len() > 2 {
                assert!(orient2d(a, b, c) < 0.0, "the hull turns wrongly at {b}");
                assert!(points.iter().all(|&p| orient2d(a, b, p) <= 0.0), "a point lies outside {a}–{b}");
            }
        }
    }

    #[test]
    fn random_clouds_small_large_and_on_grids() {
        let mut rng = Rng::new(1);
        for round in 0..600 {
            let count = 1 + rng.below(40);
            let (offset, scale) = [(0.0, 1.0), (1e6, 1.0), (3e7, 64.0), (-5e5, 0.25)][round % 4];
            let grid = 1 + rng.below(12);
            let points: Vec<Vec2> = (0..count)
                .map(|_| Vec2::new(rng.below(grid) as f32, rng.below(grid) as f32) * scale + Vec2::splat(offset))
                .collect();
            check(&points, &convex_hull(&points));
        }
    }

    #[test]
    fn tiny_and_huge_coordinates_together() {
        assert_eq!(convex_hull(&[-1e30, 1.0, 2.0].map(|x| Vec2::new(x, 0.0))), [0, 2]);
        let mut rng = Rng::new(3);
        for round in 0..3000 {
            let scales = [&[1.0, 1e30][..], &[f32::MAX, 1.0, 1e-45], &[1e-45], &[f32::MAX], &[1e-20, 1e20]][round % 5];
            let mut coordinate = || {
                let small = rng.below(5) as f32 - 2.0;
                (small * scales[rng.below(scales.len() as u32) as usize]).clamp(f32::MIN, f32::MAX)
            };
            let points: Vec<Vec2> = (0..3 + round % 12).map(|_| Vec2::new(coordinate(), coordinate())).collect();
            let same = |hull: &[u32]| hull.iter().map(|&i| points[i as usize]).collect::<Vec<_>>();
            let hull = convex_hull(&points);
            check_turns(&points, &hull);
            assert_eq!(same(&hull), same(&crate::math::hull_chain(&points)), "{points:?}");
        }
    }

    #[test]
    fn flat_and_empty_input() {
        assert!(convex_hull(&[]).is_empty());
        assert_eq!(convex_hull(&[Vec2::ONE; 4]), [0]);
        let line = [2.0, 0.0, 1.0, 3.0, 3.0].map(|x| Vec2::new(x, x));
        assert_eq!(convex_hull(&line), [1, 3]);
        assert_eq!(convex_hull(&[Vec2::NAN, Vec2::ZERO]), [1]);
    }

    #[test]
    fn large_coordinates_end() {
        // One unit in the last place apart: rounded predicates loop here.
        let step = 2.0;
        let base = 20_000_000.0;
        let points: Vec<Vec2> =
            (0..9).map(|i| Vec2::new(base + (i % 3) as f32 * step, base + (i / 3) as f32 * step)).collect();
        assert_eq!(convex_hull(&points), [0, 6, 8, 2]);
    }
}
