//! Visits the polygons of a tile around a point by the distance of their boxes, roughly nearest first.
//!
//! A search for the nearest polygon can stop at a distance that it learns on the way. So the descent of the [bounding
//! tree](super::bounding_tree) takes the nearest of a node's eight boxes first, and after each polygon asks for the new
//! distance limit. The other boxes wait with their distances, a row of eight for each level; the nearest of them is
//! found only when it is needed, and if it is too far away, the whole row is dropped.
//!
//! ```text
//!   node      [ 9 . 2 . . 40 0 7 ]       squared distances of eight boxes, . beyond the bound
//!   order     0, then what still is within the bound of 2, 7, 9, 40
//! ```
//!
//! Rows are never rearranged: boxes that do not wait have an infinite distance, and the lowest bits of a distance hold
//! its lane, so the smallest of eight also says which it is.
//!
//! Cost: about 130 instructions a node for all its eight boxes; O(log n + polygons visited) nodes.
//!
//! Sources: Nick Roussopoulos, Stephen Kelley, Frédéric Vincent, "Nearest Neighbor Queries", 1995.

use super::bounding_tree::{BoundingTree, MAX_LEVELS, Node, WIDTH};
use super::eight::least_of_eight;
use crate::math::Aabb;
use glam::Vec3;
use wide::{CmpEq, CmpGe, CmpLe, f32x8};

/// The query: polygons around a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    /// The point.
    pub(crate) point: Vec3,
    /// Only polygons whose box touches this one.
    pub(crate) within: Aabb,
    /// How much of the vertical distance is ignored.
    pub(crate) free_height: f32,
}

/// Rounding of the exact distances must not make the distance to a box exceed them.
const BELOW: f32 = 0.999;

/// A lower bound of the squared distance to anything within a box, where part of the vertical distance is ignored.
#[inline]
pub(crate) fn distance_to_box(p: Vec3, bounds: &Aabb, free_height: f32) -> f32 {
    let outside = bounds.outside(p);
    let y = (outside.y - free_height).max(0.0);
    (outside.x * outside.x + y * y + outside.z * outside.z) * BELOW
}

impl BoundingTree {
    /// Calls `visit` with polygons and their indices in the tree, nearest boxes first as far as the tree shows, until
    /// none is within the limit: a squared distance to the box that `visit` returns, initially `bound`.
    #[inline]
    pub(crate) fn visit_nearest(&self, around: &Around, bound: f32, visit: impl FnMut(u32, u32) -> f32) {
        self.visit_nearest_of(around, bound, |_| u8::MAX, visit);
    }

    /// Like [`visit_nearest`](Self::visit_nearest), for polygons of wanted islands: `wanted` returns as bits which of
    /// the eight children of a node contain them, using the [islands under them](super::IslandsUnder).
    pub(crate) fn visit_nearest_of(
        &self,
        around: &Around,
        bound: f32,
        wanted: impl Fn(u32) -> u8,
        mut visit: impl FnMut(u32, u32) -> f32,
    ) {
        let Some(top) = self.levels().len().checked_sub(1) else { return };
        let mut bound = as_bound(bound);
        let reach = Reach::of(around);
        let look_into = |level: usize, index: u32, bound: f32| {
            let node = self.levels()[level] + index;
            reach.distances_to(&self.nodes()[node as usize], bound, wanted(node)).to_array()
        };
        // For each level the waiting row, and the index of its first box on the level.
        let mut waiting = [[f32::INFINITY; WIDTH]; MAX_LEVELS];
        let mut first = [0; MAX_LEVELS];
        let mut level = top;
        waiting[top] = look_into(top, 0, bound);
        loop {
            let nearest = least_of_eight(&waiting[level]);
            if nearest > bound {
                // Nothing on this level is near enough.
                level += 1;
                if level > top {
                    return;
                }
                continue;
            }
            waiting[level] = without(&waiting[level], nearest);
            let child = first[level] + (nearest.to_bits() & LANE);
            if level == 0 {
                bound = as_bound(visit(self.leaf(child), child));
                continue;
            }
            level -= 1;
            first[level] = child * WIDTH as u32;
            waiting[level] = look_into(level, child, bound);
        }
    }
}

/// The bits of a distance that hold its lane. They change it by less than [`BELOW`] does.
const LANE: u32 = WIDTH as u32 - 1;

/// The limit for distances that include lanes. Infinite ones are beyond it; none is so small that the processor may
/// flush it to zero, and its lane with it.
#[inline]
fn as_bound(bound: f32) -> f32 {
    // NaN, which is no limit, is the greatest as well.
    let finite = if bound < f32::MAX { bound } else { f32::MAX };
    f32::from_bits(finite.max(f32::MIN_POSITIVE).to_bits() | LANE)
}

/// The row without one of its boxes.
#[inline]
fn without(row: &[f32; WIDTH], one: f32) -> [f32; WIDTH] {
    let row = f32x8::new(*row);
    row.fast_max(row.cmp_eq(f32x8::splat(one)) & f32x8::splat(f32::INFINITY)).to_array()
}

/// The point, the ignored part of the vertical distance, and the search box.
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

    /// Lower bounds of the squared distances to a node's boxes that are within the limit, touch the search box and are
    /// among the chosen; infinite for the others. Their lowest bits hold the lanes.
    #[inline(always)]
    fn distances_to(&self, node: &Node, bound: f32, chosen: u8) -> f32x8 {
        let mut sum = f32x8::ZERO;
        let mut touches = !f32x8::ZERO;
        for axis in 0..3 {
            let low = f32x8::new(node.low[axis]);
            let high = f32x8::new(node.high[axis]);
            let mut outside = (low - self.point[axis]).fast_max(self.point[axis] - high);
            if axis == 1 {
                outside -= self.free_height;
            }
            let outside = outside.fast_max(f32x8::ZERO);
            sum += outside * outside;
            touches &= low.cmp_le(self.to[axis]) & high.cmp_ge(self.from[axis]);
        }
        let sum = sum * f32x8::splat(BELOW);
        let is_near = touches & sum.cmp_le(f32x8::splat(bound));
        let bits = |of: &dyn Fn(usize) -> u32| f32x8::new(core::array::from_fn(|lane| f32::from_bits(of(lane))));
        let is_chosen = bits(&|lane| if chosen >> lane & 1 != 0 { u32::MAX } else { 0 });
        let short = f32x8::splat(f32::from_bits(!LANE));
        let named = sum.fast_max(f32x8::splat(f32::MIN_POSITIVE)) & short | bits(&|lane| lane as u32);
        (is_near & is_chosen).blend(named, f32x8::splat(f32::INFINITY))
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
            let mut boxes = vec![Aabb::EMPTY; tile.polys().len()];
            tree.polys_in_box(&tree.bounds(), |poly, b| boxes[poly as usize] = *b);
            let distance = |poly: u32| distance_to_box(point, &boxes[poly as usize], around.free_height);
            let bound = half.length_squared() * 0.3;
            let mut found = Vec::new();
            tree.visit_nearest(&around, bound, |poly, _| {
                found.push(poly);
                bound
            });
            found.sort_unstable();
            let expected = (0..tile.polys().len() as u32)
                .filter(|&p| distance(p) <= bound && boxes[p as usize].overlaps(&around.within));
            assert_eq!(found, expected.clone().collect::<Vec<_>>(), "round {round}");
            let mut least = f32::INFINITY;
            tree.visit_nearest(&around, least, |poly, _| {
                least = least.min(distance(poly));
                least
            });
            let nearest =
                (0..tile.polys().len() as u32).filter(|&p| boxes[p as usize].overlaps(&around.within)).map(distance);
            assert_eq!(least, nearest.fold(f32::INFINITY, f32::min), "round {round}");
        }
    }
}
