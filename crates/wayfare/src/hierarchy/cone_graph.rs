//! Pairs of neighbours among many positions, by which every one can be reached from every other.
//!
//! In each of eight equal cones around a position, the nearest other one is its neighbour:
//!
//! ```text
//!     .   |   q        p and q are neighbours; r lies in the same cone as q, but farther away
//!       \ | /   r
//!    ---- p ----
//!       / | \
//! ```
//!
//! Who wants to go in some direction always has a neighbour that is nearer there, so all are connected, and paths from
//! neighbour to neighbour are little longer than straight ones.
//!
//! Cost: the square of the positions, a few nanoseconds for each two; memory is linear.
//!
//! Sources: Andrew Yao, "On constructing minimum spanning trees in k-dimensional spaces and related problems", 1982.

use crate::math::plane;
use glam::{Vec2, Vec3};

const CONES: usize = 8;

/// The neighbours among positions, which count in the plane: pairs of indices, the lower one first, sorted.
pub(super) fn cone_neighbours(places: &[Vec3]) -> Vec<(u32, u32)> {
    let mut order: Vec<(Vec2, u32)> = places.iter().map(|place| plane::xz(*place)).zip(0..).collect();
    order.sort_unstable_by(|(p, i), (q, j)| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(i.cmp(j)));
    let mut pairs = Vec::new();
    // Those in the same place are neighbours one after the other; the first of them stands for all.
    let mut apart: Vec<(Vec2, u32)> = Vec::new();
    let mut last = None;
    for &(place, index) in &order {
        match last {
            Some((there, before)) if there == place => pairs.push((index, before)),
            _ => apart.push((place, index)),
        }
        last = Some((place, index));
    }
    for &(here, i) in &apart {
        let mut nearest = [None; CONES];
        for &(there, j) in apart.iter().filter(|(_, j)| *j != i) {
            let found = &mut nearest[cone_of(there - here)];
            let candidate = (here.distance_squared(there), j);
            if found.is_none_or(|best| candidate < best) {
                *found = Some(candidate);
            }
        }
        pairs.extend(nearest.iter().flatten().map(|&(_, j)| (i, j)));
    }
    pairs.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The cone that a direction lies in.
fn cone_of(to: Vec2) -> usize {
    let is_steep = to.y.abs() > to.x.abs();
    usize::from(to.x < 0.0) | usize::from(to.y < 0.0) << 1 | usize::from(is_steep) << 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    #[test]
    fn all_are_connected_by_few_and_by_nearly_straight_ways() {
        let mut rng = Rng::new(8);
        for count in [1, 2, 30, 120] {
            // Some are in the same place.
            let places: Vec<Vec3> =
                (0..count).map(|_| Vec3::new(rng.below(12) as f32, rng.unit(), rng.below(12) as f32)).collect();
            let pairs = cone_neighbours(&places);
            assert!(pairs.len() <= CONES * count as usize, "{}", pairs.len());
            assert!(pairs.windows(2).all(|two| two[0] < two[1]) && pairs.iter().all(|(i, j)| i < j));
            let count = count as usize;
            let flat = |i: usize| places[i].with_y(0.0);
            let mut best = vec![vec![f32::INFINITY; count]; count];
            (0..count).for_each(|i| best[i][i] = 0.0);
            for &(i, j) in &pairs {
                let (i, j) = (i as usize, j as usize);
                best[i][j] = flat(i).distance(flat(j));
                best[j][i] = best[i][j];
            }
            for k in 0..count {
                for i in 0..count {
                    for j in 0..count {
                        best[i][j] = best[i][j].min(best[i][k] + best[k][j]);
                    }
                }
            }
            for i in 0..count {
                for j in 0..count {
                    assert!(best[i][j] <= 1.5 * flat(i).distance(flat(j)), "{} {}", places[i], places[j]);
                }
            }
        }
    }
}
