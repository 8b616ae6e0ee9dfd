//! The convex hull of points in the plane in O(n log n): two chains over sorted points.
//!
//! ```text
//!      .--*--.          Sort by x. Walk from left to right and keep a chain that only turns right: the upper side.
//!     *       *         Walk back and do the same: the lower side.
//!      '--*--'
//! ```
//!
//! The result is that of [`convex_hull`](crate::math::convex_hull). This is faster if many points are on the hull;
//! wrapping is faster if few are.
//!
//! Cost: O(n log n).
//!
//! Sources: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.

use crate::math::predicates::orient2d;
use glam::Vec2;

/// As [`convex_hull`](crate::math::convex_hull), in O(n log n).
#[must_use]
pub fn hull_chain(points: &[Vec2]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..points.len() as u32).filter(|&i| points[i as usize].is_finite()).collect();
    let at = |i: u32| points[i as usize] + 0.0;
    order.sort_by(|&i, &j| {
        let a = at(i);
        let b = at(j);
        a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(i.cmp(&j))
    });
    order.dedup_by(|j, i| at(*i) == at(*j));
    if order.len() < 3 {
        return order;
    }
    let mut hull: Vec<u32> = Vec::with_capacity(order.len() + 1);
    let extend = |hull: &mut Vec<u32>, floor: usize, i: u32| {
        while hull.len() > floor + 1 && orient2d(at(hull[hull.len() - 2]), at(hull[hull.len() - 1]), at(i)) >= 0.0 {
            hull.pop();
        }
        hull.push(i);
    };
    order.iter().for_each(|&i| extend(&mut hull, 0, i));
    let turn = hull.len() - 1;
    order.iter().rev().skip(1).for_each(|&i| extend(&mut hull, turn, i));
    hull.pop();
    hull
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rng, convex_hull};

    #[test]
    fn chains_and_wrapping_agree() {
        let mut rng = Rng::new(9);
        for round in 0..300 {
            let count = 1 + rng.below(60);
            // Coarse coordinates give many collinear and equal points; an offset makes rounding matter.
            let steps = [3, 10, 1000][round % 3];
            let offset = [0.0, 1e6, -3e7][round % 3];
            let mut coordinate = || rng.below(steps) as f32 * 0.37 + offset;
            let points: Vec<Vec2> = (0..count).map(|_| Vec2::new(coordinate(), coordinate())).collect();
            let same = |hull: &[u32]| hull.iter().map(|&i| points[i as usize]).collect::<Vec<_>>();
            assert_eq!(same(&hull_chain(&points)), same(&convex_hull(&points)), "round {round}");
        }
    }

    #[test]
    fn few_points_are_their_own_hull() {
        assert!(hull_chain(&[]).is_empty());
        assert_eq!(hull_chain(&[Vec2::ONE, Vec2::ONE, Vec2::NAN]), [0]);
        assert_eq!(hull_chain(&[Vec2::ZERO, Vec2::ONE, Vec2::splat(2.0), Vec2::splat(0.5)]), [0, 2]);
    }
}
