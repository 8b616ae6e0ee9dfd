//! The polygons of a tile around a point, by the distance of their boxes: nearest first, more or less.
//!
//! Who looks for the nearest polygon can stop looking at a distance that he learns on the way. So the walk down the
//! [bounding tree](super::bounding_tree) takes the nearest of a node's eight boxes first and asks after each polygon how
//! far it is still worth to look; the others wait with their distances and are mostly dropped unseen.
//!
//! ```text
//!   node      [ 9 . 2 . . 40 0 7 ]       squared distances of eight boxes, . beyond the bound
//!   order     0, then what still is within the bound of 2, 7, 9, 40
//! ```
//!
//! Cost: some eighty instructions a node for all its eight boxes; O(log n + polygons visited) nodes.
//!
//! Sources: Nick Roussopoulos, Stephen Kelley, Frédéric Vincent, "Nearest Neighbor Queries", 1995.

use super::bounding_tree::{BoundingTree, MAX_LEVELS, MIXED, Node, TOP, WIDTH};
use crate::math::Aabb;
use glam::Vec3;

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
#[cfg(test)]
pub(crate) fn distance_to_box(p: Vec3, bounds: &Aabb, free_height: f32) -> f32 {
    let outside = (bounds.min - p).max(p - bounds.max).max(Vec3::ZERO);
    let y = (outside.y - free_height).max(0.0);
    (outside.x * outside.x + y * y + outside.z * outside.z) * BELOW
}

impl BoundingTree {
    /// Calls `visit` with polygons, nearest boxes first as far as the tree tells, until none is within the bound: a
    /// squared distance that `visit` returns, that to the box of what is still worth looking at, and which `bound` begins with.
    #[inline]
    pub(crate) fn visit_nearest(&self, around: &Around, bound: f32, visit: impl FnMut(u32) -> f32) {
        self.visit_nearest_of(around, bound, |_| true, visit);
    }

    /// [`visit_nearest`](Self::visit_nearest) of polygons of wanted islands; some of others may be visited, too.
    pub(crate) fn visit_nearest_of(
        &self,
        around: &Around,
        bound: f32,
        is_wanted: impl Fn(u32) -> bool,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        let Some((&top, level)) = self.levels().last().zip((self.levels().len() as u32).checked_sub(1)) else { return };
        // What is not looked at is infinitely far away.
        let mut bound = bound.min(f32::MAX);
        let reach = Reach::of(around);
        // At most eight wait for each node on the way down; those nearest come last.
        let mut waiting = [Waiting::default(); WIDTH * (MAX_LEVELS + TOP)];
        let mut count = 0;
        for index in 0..self.nodes().len() as u32 - top {
            count = reach.push(&self.nodes()[(top + index) as usize], (index, level), bound, (&mut waiting, count));
        }
        nearest_last(&mut waiting[..count]);
        while let Some(next) = count.checked_sub(1) {
            count = next;
            let Waiting { distance, child, level } = waiting[next];
            if distance > bound {
                continue;
            }
            if level == 0 {
                bound = visit(self.leaf(child)).min(f32::MAX);
                continue;
            }
            let node = self.levels()[level as usize - 1] + child;
            let island = self.island(node);
            if island != MIXED && !is_wanted(island) {
                continue;
            }
            let node = &self.nodes()[node as usize];
            count = reach.push(node, (child, level - 1), bound, (&mut waiting, count));
            nearest_last(&mut waiting[next..count]);
        }
    }
}

/// A box that waits to be looked into: child number `child` of its level's nodes.
#[derive(Clone, Copy, Default)]
struct Waiting {
    distance: f32,
    child: u32,
    level: u32,
}

/// Puts the nearest at the end.
#[inline]
fn nearest_last(waiting: &mut [Waiting]) {
    let Some((last, rest)) = waiting.split_last_mut() else { return };
    for other in rest {
        if other.distance < last.distance {
            core::mem::swap(other, last);
        }
    }
}

/// The point, what of the vertical distance is free, and how far the box looked in reaches from the point, axis by axis.
struct Reach {
    point: [f32; 3],
    free: [f32; 3],
    below: [f32; 3],
    above: [f32; 3],
}

impl Reach {
    fn of(around: &Around) -> Self {
        Self {
            point: around.point.to_array(),
            free: [0.0, around.free_height, 0.0],
            below: (around.point - around.within.min).to_array(),
            above: (around.within.max - around.point).to_array(),
        }
    }

    /// Adds a node's boxes that touch the one looked in and are within the bound. How many wait then.
    #[inline]
    fn push(
        &self,
        node: &Node,
        (index, level): (u32, u32),
        bound: f32,
        (waiting, mut count): (&mut [Waiting; WIDTH * (MAX_LEVELS + TOP)], usize),
    ) -> usize {
        for (lane, distance) in (0u32..).zip(self.distances_to(node)) {
            // Written in any case, and kept if it counts: no branch to guess.
            waiting[count] = Waiting { distance, child: index * WIDTH as u32 + lane, level };
            count += usize::from(distance <= bound);
        }
        count
    }

    /// Lower bounds of the squared distances to anything within a node's boxes; infinite for boxes that do not touch the one
    /// looked in, and for empty lanes.
    #[inline]
    fn distances_to(&self, node: &Node) -> [f32; WIDTH] {
        let mut sum = [0.0f32; WIDTH];
        for axis in 0..3 {
            let (p, free) = (self.point[axis], self.free[axis]);
            let (below, above) = (self.below[axis], self.above[axis]);
            for (lane, sum) in sum.iter_mut().enumerate() {
                let (before, after) = (node.low[axis][lane] - p, p - node.high[axis][lane]);
                let outside = if before > after { before } else { after } - free;
                let outside = if outside > 0.0 { outside } else { 0.0 };
                let beside = if (before > above) | (after > below) { f32::INFINITY } else { 0.0 };
                *sum += outside * outside + beside;
            }
        }
        sum.map(|sum| sum * BELOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use crate::tile::{TileCoord, sketch::sketch};

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
            tree.visit_nearest(&around, bound, |poly| {
                found.push(poly);
                bound
            });
            found.sort_unstable();
            let expected = (0..tile.polys.len() as u32)
                .filter(|&p| distance(p) <= bound && boxes[p as usize].overlaps(&around.within));
            assert_eq!(found, expected.clone().collect::<Vec<_>>(), "round {round}");
            let mut least = f32::INFINITY;
            tree.visit_nearest(&around, least, |poly| {
                least = least.min(distance(poly));
                least
            });
            let nearest =
                (0..tile.polys.len() as u32).filter(|&p| boxes[p as usize].overlaps(&around.within)).map(distance);
            assert_eq!(least, nearest.fold(f32::INFINITY, f32::min), "round {round}");
        }
    }
}
