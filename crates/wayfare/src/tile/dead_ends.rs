//! Dead ends of a tile: lets a path search skip every edge behind which its goal cannot be.
//!
//! Derived once for a tile. A search then asks of an edge whether a path over it can lead to a polygon; the answer
//! comes from the blocks of the graph of polygons.
//!
//! A shortest path enters a convex polygon at most once: if it left and came back, the straight line inside would have
//! been shorter. So in the graph of polygons it is a simple path, and simple paths stay within the blocks (biconnected
//! components) between start and goal in the tree of blocks. Rooms with one door, dead ends and whole wings attached to
//! one polygon are skipped without looking at them.
//!
//! ```text
//!       .---.                 S and G are joined by the blocks a and c. Block b hangs on one polygon
//!       | b |                 and need not be entered.
//!   S a '-#-' c G
//! ```
//!
//! One depth-first search finds for each polygon how high in its tree it leads (`low`). A polygon whose `low` is not
//! above its parent starts a block, with the parent as the block's top; any other belongs to its parent's block.
//! Everything outside the tile's border counts as one more node, at the root: all detours over other tiles are then one
//! block.
//!
//! Polygons are numbered along the tree of blocks: each is followed by those of the blocks below it. So what an edge
//! can lead to is one range of numbers, with wrap-around: from a block's top into it, the block and what is below it;
//! from another polygon of the block, everything but that polygon and what is below it.
//!
//! ```text
//!     outside 0
//!     |                       from 1 to 2: 2               from 2 to 1: all but 2
//!     1 --- 2                 from 1 to 3: 3, 4, 5         from 3 to 4 or 1: all but 3
//!    / \                      from 1 outside: all but 1 … 5
//!   3---4 --- 5
//! ```
//!
//! Cost: a pass over the edges and three over the polygons to build; a query is a subtraction and a comparison.
//!
//! Sources: John Hopcroft and Robert Tarjan, "Efficient Algorithms for Graph Manipulation", 1973; the use of dead ends
//! in searches: Yngvi Björnsson and Kári Halldórsson, "Improved Heuristics for Optimal Pathfinding on Game Maps", 2006.

use super::TileData;
use crate::math::index::NONE;

/// What the edges of a tile can lead to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DeadEnds {
    /// By polygon; empty if there are no dead ends.
    places: Vec<InTree>,
}

/// Where a polygon is in the tree of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct InTree {
    /// Its own number, from 1, followed by those of everything below it.
    with_below: Numbers,
    /// The block in which it is not the top, with everything below.
    block: Numbers,
}

/// A range of numbers that continues from 0 after the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Numbers {
    first: u32,
    count: u32,
}

impl Numbers {
    const ALL: Self = Self { first: 0, count: u32::MAX };

    fn all_but(self) -> Self {
        Self { first: self.first + self.count, count: self.count.wrapping_neg() }
    }

    /// Whether a number is in the range.
    #[inline]
    pub(crate) fn contains(self, number: u32) -> bool {
        number.wrapping_sub(self.first) < self.count
    }

    /// Whether any of several numbers is, which are sorted.
    #[inline]
    pub(crate) fn contains_any(self, numbers: &[u32]) -> bool {
        // The first in the range, with wrap-around.
        let next = numbers.partition_point(|&number| number < self.first);
        numbers.get(next).or(numbers.first()).is_some_and(|&number| self.contains(number))
    }
}

impl DeadEnds {
    /// The number of everything outside the tile.
    pub(crate) const OUTSIDE: u32 = 0;

    /// Finds the dead ends of a valid tile.
    pub(crate) fn of(tile: &TileData) -> Self {
        let tree = BlockTree::of(tile);
        if tree.polys.iter().all(|with_below| with_below.count == 1) {
            return Self::default();
        }
        let block_of = |&opener: &u32| tree.blocks.get(opener as usize).copied().unwrap_or_default();
        let places = tree.polys.iter().zip(&tree.opener);
        Self { places: places.map(|(&with_below, opener)| InTree { with_below, block: block_of(opener) }).collect() }
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Its size on the heap, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.places)
    }

    /// The number of a polygon.
    pub(crate) fn number_of(&self, poly: u32) -> u32 {
        self.places.get(poly as usize).map_or(Self::OUTSIDE, |place| place.with_below.first)
    }

    /// Whether an edge from one polygon to another leads into a block below the first: a dead end.
    #[inline]
    pub(super) fn is_dead_end(&self, poly: u32, next: u32) -> bool {
        self.places.get(poly as usize).is_some_and(|place| place.with_below.contains(self.number_of(next)))
    }

    /// The numbers of all that a shortest path may come to over an edge that leads from one polygon to another; `None`
    /// stands for what is outside the tile.
    pub(super) fn ahead(&self, poly: u32, next: Option<u32>) -> Numbers {
        match next {
            Some(next) if self.is_dead_end(poly, next) => self.block_of(next),
            _ => self.elsewhere(poly),
        }
    }

    /// What is ahead where an edge of a polygon is [no dead end](Self::is_dead_end).
    #[inline]
    pub(crate) fn elsewhere(&self, poly: u32) -> Numbers {
        self.places.get(poly as usize).map_or(Numbers::ALL, |place| place.with_below.all_but())
    }

    /// What is ahead where an edge into a polygon [is a dead end](Self::is_dead_end).
    #[inline]
    pub(crate) fn block_of(&self, next: u32) -> Numbers {
        self.places.get(next as usize).map_or(Numbers::ALL, |place| place.block)
    }
}

/// The tree of blocks, each identified by the polygon that started it.
struct BlockTree {
    /// The block in which each polygon is not the top; [`NONE`] for the first polygon of a component.
    opener: Vec<u32>,
    parent: Vec<u32>,
    /// The numbers of each polygon and of everything below it.
    polys: Vec<Numbers>,
    /// The numbers of each block and of everything below it, by opener.
    blocks: Vec<Numbers>,
}

impl BlockTree {
    fn of(tile: &TileData) -> Self {
        let DepthFirst { pre, low, parent, order } = DepthFirst::run(tile);
        let count = tile.polys().len();
        let empty = vec![Numbers::default(); count];
        let mut tree = Self { opener: vec![NONE; count], parent, polys: empty.clone(), blocks: empty };
        for &poly in &order {
            let above = tree.parent[poly as usize];
            if above != NONE {
                let opens = low[poly as usize] >= pre[above as usize];
                tree.opener[poly as usize] = if opens { poly } else { tree.opener[above as usize] };
            }
        }
        // From the leaves, how many there are; from the root, where they begin.
        for &poly in order.iter().rev() {
            tree.polys[poly as usize].count += 1;
            let below = tree.polys[poly as usize].count;
            let opener = tree.opener[poly as usize];
            if opener != NONE {
                tree.blocks[opener as usize].count += below;
            }
            // A block's opener is visited last.
            if opener == poly
                && let Some(top) = tree.polys.get_mut(tree.parent[poly as usize] as usize)
            {
                top.count += tree.blocks[poly as usize].count;
            }
        }
        // The next free number below each polygon and the outside, and in each block.
        let mut below = vec![DeadEnds::OUTSIDE + 1; count + 1];
        let mut within = vec![0; count];
        for &poly in &order {
            let opener = tree.opener[poly as usize];
            let with_hanging = tree.polys[poly as usize].count;
            let first = if opener == NONE {
                take(&mut below[count], with_hanging)
            } else {
                if opener == poly {
                    let all = tree.blocks[poly as usize].count;
                    within[poly as usize] = take(&mut below[tree.parent[poly as usize] as usize], all);
                    tree.blocks[poly as usize].first = within[poly as usize];
                }
                take(&mut within[opener as usize], with_hanging)
            };
            tree.polys[poly as usize].first = first;
            below[poly as usize] = first + 1;
        }
        tree
    }
}

/// The first of the next `count` numbers.
fn take(next: &mut u32, count: u32) -> u32 {
    *next += count;
    *next - count
}

/// The depth-first search: polygons, and after them one node for the outside.
struct DepthFirst {
    /// When each node was visited, from 1; 0 if it was not.
    pre: Vec<u32>,
    /// The earliest node that can be reached from below without passing the node itself.
    low: Vec<u32>,
    parent: Vec<u32>,
    /// Polygons in the order in which they were visited.
    order: Vec<u32>,
}

impl DepthFirst {
    fn run(tile: &TileData) -> Self {
        let outside = tile.polys().len() as u32;
        let nodes = tile.polys().len() + 1;
        let mut search =
            Self { pre: vec![0; nodes], low: vec![0; nodes], parent: vec![NONE; nodes], order: Vec::new() };
        let mut clock = 1;
        search.pre[outside as usize] = 1;
        let at_border = |poly: u32| tile.neighbours_of(poly).iter().any(|n| n.as_border().is_some());
        for poly in (0..outside).filter(|&poly| at_border(poly)) {
            search.visit(tile, poly, outside, &mut clock);
        }
        for poly in 0..outside {
            search.visit(tile, poly, NONE, &mut clock);
        }
        search
    }

    /// Visits everything that can be reached from `first` and was not visited yet.
    fn visit(&mut self, tile: &TileData, first: u32, parent: u32, clock: &mut u32) {
        if self.pre[first as usize] != 0 {
            return;
        }
        let mut stack = vec![(first, 0)];
        self.meet(first, parent, clock);
        while let Some((poly, edge)) = stack.last_mut() {
            let poly = *poly;
            let Some(neighbour) = tile.neighbours_of(poly).get(*edge) else {
                stack.pop();
                let parent = self.parent[poly as usize];
                if parent != NONE {
                    self.low[parent as usize] = self.low[parent as usize].min(self.low[poly as usize]);
                }
                continue;
            };
            *edge += 1;
            let Some(next) = neighbour.as_poly() else {
                if neighbour.as_border().is_some() {
                    self.low[poly as usize] = 1;
                }
                continue;
            };
            if self.pre[next as usize] == 0 {
                self.meet(next, poly, clock);
                stack.push((next, 0));
            } else if next != self.parent[poly as usize] {
                self.low[poly as usize] = self.low[poly as usize].min(self.pre[next as usize]);
            }
        }
    }

    fn meet(&mut self, poly: u32, parent: u32, clock: &mut u32) {
        *clock += 1;
        (self.pre[poly as usize], self.low[poly as usize]) = (*clock, *clock);
        self.parent[poly as usize] = parent;
        self.order.push(poly);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{EdgeNeighbour, Side, TileCoord, test_sketch::sketch};

    /// The polygons that are reached from `a` over edges that lead to `b`; `None` if that is not one of them.
    fn reached(tile: &TileData, ends: &DeadEnds, a: u32, b: u32) -> Option<Vec<bool>> {
        let mut reached = vec![false; tile.polys().len()];
        let mut next = vec![a];
        while let Some(poly) = next.pop() {
            if core::mem::replace(&mut reached[poly as usize], true) || poly == b {
                continue;
            }
            for corner in tile.corner_range(poly) {
                let beyond = tile.neighbours()[corner].as_poly();
                next.extend(beyond.filter(|_| ends.ahead(poly, beyond).contains(ends.number_of(b))));
            }
        }
        reached[b as usize].then_some(reached)
    }

    fn island(map: &str) -> TileData {
        closed_but_for(&sketch(TileCoord::default(), map), None)
    }

    /// With walls on all sides but one.
    fn closed_but_for(tile: &TileData, open: Option<Side>) -> TileData {
        tile.edited(|tile| {
            for neighbour in tile.neighbours.iter_mut().filter(|n| n.as_border().is_some() && n.as_border() != open) {
                *neighbour = EdgeNeighbour::WALL;
            }
        })
    }

    #[test]
    fn rooms_beside_the_way_are_left_out_and_loops_kept() {
        // Polygons by rows from the lowest:  7 8 9 / 4 5 6 / 0 1 2 3
        let tile = island("aaa\na.a.\naaaa".replace("aaa\na", "aaa.\na").as_str());
        let ends = DeadEnds::of(&tile);
        let all = reached(&tile, &ends, 0, 6).unwrap();
        assert_eq!(all.iter().filter(|used| !**used).count(), 1, "{all:?}: only the polygon that sticks out");
        assert!(!all[3]);
        let within = reached(&tile, &ends, 3, 2).unwrap();
        assert_eq!(within.iter().filter(|used| **used).count(), 2, "{within:?}: the ring need not be entered");
    }

    #[test]
    fn the_outside_joins_what_no_dead_end_hangs_between() {
        let closed = island("a.a");
        let ends = DeadEnds::of(&closed);
        assert_eq!(reached(&closed, &ends, 0, 1), None);
        // 0 1 2 . 3: a strip that is open at its left end, and a square that is open.
        let tile = closed_but_for(&sketch(TileCoord::default(), "aaa.a"), Some(Side::XMin));
        let ends = DeadEnds::of(&tile);
        let over = |poly: u32, to: Option<u32>, number: u32| {
            let mut edges = tile
                .corner_range(poly)
                .filter(|&corner| !tile.neighbours()[corner].is_wall() && tile.neighbours()[corner].as_poly() == to);
            edges.any(|_| ends.ahead(poly, to).contains(number))
        };
        assert!(over(0, None, DeadEnds::OUTSIDE) && over(1, Some(0), DeadEnds::OUTSIDE));
        assert!(!over(0, Some(1), DeadEnds::OUTSIDE) && !over(1, Some(2), DeadEnds::OUTSIDE));
        assert!(over(0, Some(1), ends.number_of(2)) && !over(0, None, ends.number_of(2)));
        assert!(!over(2, Some(1), ends.number_of(2)) && over(2, Some(1), ends.number_of(0)));
        assert!(over(0, None, ends.number_of(3)) && over(1, Some(0), ends.number_of(3)));
        assert!(!over(0, Some(1), ends.number_of(3)));
    }

    /// Against trying every polygon: it matters if there are disjoint ways from it to both ends.
    #[test]
    fn as_simple_paths_say_on_random_maps() {
        let mut rng = crate::math::Rng::new(8);
        for round in 0..300 {
            let row = |rng: &mut crate::math::Rng| {
                (0..5).map(|_| if rng.below(5) < 2 { '.' } else { 'a' }).collect::<String>()
            };
            let map = (0..4).map(|_| row(&mut rng)).collect::<Vec<_>>().join("\n");
            if !map.contains('a') {
                continue;
            }
            let tile = island(&map);
            let ends = DeadEnds::of(&tile);
            let count = tile.polys().len() as u32;
            let mut numbers: Vec<u32> = ends.places.iter().map(|place| place.with_below.first).collect();
            numbers.sort_unstable();
            assert!(numbers.is_empty() || numbers == (1..=count).collect::<Vec<_>>(), "round {round}\n{map}");
            let a = rng.below(count);
            let b = rng.below(count);
            let mut on_simple = vec![false; count as usize];
            walk(&tile, b, &mut vec![a], &mut on_simple);
            match reached(&tile, &ends, a, b) {
                None => assert!(!on_simple[b as usize], "round {round}\n{map}"),
                Some(used) => assert_eq!(used, on_simple, "round {round} {a} to {b}\n{map}"),
            }
        }
    }

    fn walk(tile: &TileData, goal: u32, path: &mut Vec<u32>, on_simple: &mut [bool]) {
        let here = path[path.len() - 1];
        if here == goal {
            path.iter().for_each(|&poly| on_simple[poly as usize] = true);
            return;
        }
        for next in tile.neighbours_of(here).iter().filter_map(|n| n.as_poly()) {
            if !path.contains(&next) {
                path.push(next);
                walk(tile, goal, path, on_simple);
                path.pop();
            }
        }
    }
}
