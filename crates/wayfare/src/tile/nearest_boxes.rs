//! The polygons of a tile around a point, by the distance of their boxes: nearest first, more or less.
//!
//! A search for the nearest polygon can stop at a distance that it learns on the way. So the walk down the
//! [bounding tree](super::bounding_tree) takes the nearest of a node's eight boxes first and asks after each polygon
//! how far it is still worth to look. The others wait with their distances, level by level; the nearest of them is
//! looked for only when its turn comes, and if it is too far away, all are dropped.
//!
//! ```text
//!   node      [ 9 . 2 . . 40 0 7 ]       squared distances of eight boxes, . beyond the bound
//!   order     0, then what still is within the bound of 2, 7, 9, 40
//! ```
//!
//! Cost: some 150 instructions a node for all its eight boxes; O(log n + polygons visited) nodes.
//!
//! Sources: Nick Roussopoulos, Stephen Kelley, Frédéric Vincent, "Nearest Neighbor Queries", 1995.

use super::bounding_tree::{BoundingTree, MAX_LEVELS, Node, TOP, WIDTH};
use crate::math::Aabb;
use glam::Vec3;
use wide::{CmpGe, CmpLe, f32x8};

/// What is looked for: polygons around a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// The point.
    pub(crate) point: Vec3,
    /// Only polygons whose box touches this one.
    pub(crate) within: Aabb,
    /// How much of the vertical distance does not count.
    pub(crate) free_height: f32,
}

/// Rounding of the exact distances must not make a distance to a box exceed them.
const BELOW: f32 = 0.999;

/// A lower bound of the squared distance to anything within a box, where so much of the vertical distance is free.
#[inline]
pub(crate) fn distance_to_box(p: Vec3, bounds: &Aabb, free_height: f32) -> f32 {
    let outside = (bounds.min - p).max(p - bounds.max).max(Vec3::ZERO);
    let y = (outside.y - free_height).max(0.0);
    (outside.x * outside.x + y * y + outside.z * outside.z) * BELOW
}

impl BoundingTree {
    /// Calls `visit` with polygons and their places in the tree, nearest boxes first as far as the tree tells, until
    /// none is within the bound: a squared distance that `visit` returns, that to the box of what is still worth
    /// looking at, and which `bound` begins with.
    #[inline]
    pub(crate) fn visit_nearest(&self, around: &Around, bound: f32, visit: impl FnMut(u32, u32) -> f32) {
        self.visit_nearest_of(around, bound, |_| u8::MAX, visit);
    }

    /// [`visit_nearest`](Self::visit_nearest) of polygons of wanted islands. Of eight islands at a time,
    /// [`MIXED`](super::bounding_tree::MIXED) for several, `wanted` tells by bits which are.
    pub(crate) fn visit_nearest_of(
        &self,
        around: &Around,
        bound: f32,
        wanted: impl Fn(&[u32; WIDTH]) -> u8,
        mut visit: impl FnMut(u32, u32) -> f32,
    ) {
        let Some((&first_root, top)) = self.levels().last().zip(self.levels().len().checked_sub(1)) else { return };
        // What is not looked at is infinitely far away.
        let mut bound = bound.min(f32::MAX);
        let reach = Reach::of(around);
        // At most eight wait on each level on the way down.
        let mut waiting = [0; WIDTH * (MAX_LEVELS + TOP)];
        let (mut count, mut level) = (0, top);
        // Where the boxes that wait on each level begin.
        let mut begins = [0; MAX_LEVELS];
        let look_into = |level: usize, index: u32, bound: f32, waiting: &mut [Waiting]| {
            let node = self.levels()[level] + index;
            let (distances, near) = reach.distances_to(&self.nodes()[node as usize], bound);
            add(&distances, near & wanted(self.islands_of(node)), index * WIDTH as u32, waiting)
        };
        for root in 0..self.nodes().len() as u32 - first_root {
            count += look_into(top, root, bound, &mut waiting[count..]);
        }
        loop {
            let begin = begins[level];
            let nearest = nearest_last(&mut waiting[begin..count]).filter(|&nearest| distance_of(nearest) <= bound);
            let Some(child) = nearest.map(|nearest| nearest as u32) else {
                // Nothing on this level is near enough.
                (count, level) = (begin, level + 1);
                if level > top {
                    return;
                }
                continue;
            };
            count -= 1;
            if level == 0 {
                bound = visit(self.leaf(child), child).min(f32::MAX);
                continue;
            }
            level -= 1;
            begins[level] = count;
            count += look_into(level, child, bound, &mut waiting[count..]);
        }
    }
}

/// A box that waits to be looked into: the bits of its distance, which is not negative, above its number on its level.
/// So the order of the numbers is that of the distances.
type Waiting = u64;

#[inline]
fn distance_of(waiting: Waiting) -> f32 {
    f32::from_bits((waiting >> 32) as u32)
}

/// Puts the nearest at the end.
#[inline]
fn nearest_last(waiting: &mut [Waiting]) -> Option<Waiting> {
    let (last, rest) = waiting.split_last_mut()?;
    let mut least = *last;
    for other in rest {
        // Both are written in any case: no branch to guess.
        (least, *other) = (least.min(*other), least.max(*other));
    }
    *last = least;
    Some(least)
}

/// Adds those of eight boxes, numbered from `first`, whose bits are set. How many were added.
#[inline]
fn add(distances: &[f32; WIDTH], chosen: u8, first: u32, waiting: &mut [Waiting]) -> usize {
    let Some(free) = waiting.first_chunk_mut::<WIDTH>() else { return 0 };
    let mut added = 0;
    for (lane, distance) in (0u32..).zip(distances) {
        // Written in any case, and kept if it counts: no branch to guess.
        free[added % WIDTH] = u64::from(distance.to_bits()) << 32 | u64::from(first + lane);
        added += usize::from(chosen >> lane & 1);
    }
    added
}

/// The point, what of the vertical distance is free, and the box looked in.
struct Reach {
    point: [f32x8; 3],
    free_height: f32x8,
    from: [f32x8; 3],
    to: [f32x8; 3],
}

impl Reach {
    fn of(around: &Around) -> Self {
        let splat = |v: Vec3| [f32x8::splat(v.x), f32x8::splat(v.y), f32x8::splat(v.z)];
        Self {
            point: splat(around.point),
            free_height: f32x8::splat(around.free_height),
            from: splat(around.within.min),
            to: splat(around.within.max),
        }
    }

    /// Lower bounds of the squared distances to anything within a node's boxes, and which boxes are not above the bound
    /// and touch the one looked in, as bits. Empty lanes are infinitely far away.
    #[inline]
    fn distances_to(&self, node: &Node, bound: f32) -> ([f32; WIDTH], u8) {
        let mut sum = f32x8::ZERO;
        let mut touches = !f32x8::ZERO;
        for axis in 0..3 {
            let (low, high) = (f32x8::new(node.low[axis]), f32x8::new(node.high[axis]));
            let mut outside = (low - self.point[axis]).fast_max(self.point[axis] - high);
            if axis == 1 {
                outside -= self.free_height;
            }
            let outside = outside.fast_max(f32x8::ZERO);
            sum += outside * outside;
            touches &= low.cmp_le(self.to[axis]) & high.cmp_ge(self.from[axis]);
        }
        let sum = sum * f32x8::splat(BELOW);
        (sum.to_array(), (touches & sum.cmp_le(f32x8::splat(bound))).move_mask() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use crate::tile::{TileCoord, test_sketch::sketch};

    #[test]
    fn nothing_within_the_bound_is_missed_and_the_bound_is_kept() {
        let mut rng = Rng::new(12);
        for round in 0..60 {
            let map: Vec<String> = (0..1 + rng.below(20))
                .map(|_| {
                    (0..30)
                        .map(|_| if rng.below(3) > 0 { char::from(b'0' + rng.below(9) as u8) } else { '.' })
                        .collect()
                })
                .collect();
            let tile = sketch(TileCoord::default(), &map.join("\n"));
            let tree = BoundingTree::of(&tile);
            let mut place = || Vec3::new(rng.unit() * 50.0 - 10.0, rng.unit() * 12.0 - 2.0, rng.unit() * 40.0 - 10.0);
            let point = place();
            let half = place().abs();
            let around = Around { point, within: Aabb::from_center(point, half), free_height: round as f32 / 20.0 };
            let mut boxes = vec![Aabb::EMPTY; tile.polys.len()];
            tree.polys_in_box(&tree.bounds(), |poly, b| boxes[poly as usize] = *b);
            let distance = |poly: u32| distance_to_box(point, &boxes[poly as usize], around.free_height);
            let bound = half.length_squared() * 0.3;
            let mut found = Vec::new();
            tree.visit_nearest(&around, bound, |poly, _| {
                found.push(poly);
                bound
            });
            found.sort_unstable();
            let expected = (0..tile.polys.len() as u32)
                .filter(|&p| distance(p) <= bound && boxes[p as usize].overlaps(&around.within));
            assert_eq!(found, expected.clone().collect::<Vec<_>>(), "round {round}");
            let mut least = f32::INFINITY;
            tree.visit_nearest(&around, least, |poly, _| {
                least = least.min(distance(poly));
                least
            });
            let nearest =
                (0..tile.polys.len() as u32).filter(|&p| boxes[p as usize].overlaps(&around.within)).map(distance);
            assert_eq!(least, nearest.fold(f32::INFINITY, f32::min), "round {round}");
        }
    }
}
