//! Which edges of a tile can lie on a shortest path between two given polygons: the blocks of the graph of polygons.
//!
//! A shortest path enters a convex polygon at most once: had it left and come back, the straight way within would have
//! been shorter. In the graph of polygons it is therefore a simple path, and those keep to the blocks (biconnected
//! components) on the way from start to goal in the tree of blocks. Rooms with one door, dead ends and whole wings that
//! hang on one polygon are left out without looking at them.
//!
//! ```text
//!       .---.                 S and G are joined by the blocks a and c. Block b hangs on one polygon
//!       | b |                 and need not be entered.
//!   S a '-#-' c G
//! ```
//!
//! One depth-first search numbers the polygons and finds for each how high in the tree it leads (`low`). A polygon
//! whose `low` is not above its parent opens a block, with the parent as the block's top; any other belongs to its
//! parent's. An edge belongs to the block of its deeper end. What lies beyond the tile's border counts as one more
//! node, at the root: all that leads around over other tiles is then one block, and entered by whoever comes from
//! there.
//!
//! Cost: one pass over the edges to build; a question marks as many blocks as lie between its ends.
//!
//! Sources: John Hopcroft and Robert Tarjan, "Efficient Algorithms for Graph Manipulation", 1973.

use super::TileData;
use crate::math::index::NONE;

/// The blocks of a tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DeadEnds {
    /// Block of each edge that leads somewhere, by corner; with [`Self::OPEN`] set where it is joined with the outside.
    of_edge: Vec<u32>,
    /// The block in which each polygon is not the top; [`NONE`] for the first polygon of a part.
    up: Vec<u32>,
    blocks: Vec<Block>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Block {
    /// The polygon by which the block hangs in the tree; the number of polygons for the outside.
    top: u32,
    depth: u32,
}

impl DeadEnds {
    /// Set in the block of an edge if the block is joined with the outside: any path over other tiles may lead over it.
    pub(crate) const OPEN: u32 = 1 << 31;

    /// Finds them. `tile` must be valid.
    pub(crate) fn of(tile: &TileData) -> Self {
        let search = DepthFirst::run(tile);
        let outside = tile.polys.len() as u32;
        let mut found = Self { of_edge: vec![NONE; tile.corners.len()], ..Self::default() };
        found.up = vec![NONE; tile.polys.len()];
        for &poly in &search.order {
            let parent = search.parent[poly as usize];
            if parent == NONE {
                continue;
            }
            let above = if parent == outside { NONE } else { found.up[parent as usize] };
            found.up[poly as usize] = if search.low[poly as usize] >= search.pre[parent as usize] {
                let depth = if above == NONE { 0 } else { found.blocks[above as usize].depth + 1 };
                found.blocks.push(Block { top: parent, depth });
                found.blocks.len() as u32 - 1
            } else {
                above
            };
        }
        for poly in 0..outside {
            for corner in tile.corner_range(poly) {
                let neighbour = tile.neighbours[corner];
                let deeper = match neighbour.as_poly() {
                    Some(next) if search.pre[next as usize] > search.pre[poly as usize] => next,
                    _ => poly,
                };
                let block = found.up[deeper as usize];
                if !neighbour.is_wall() && block != NONE {
                    let open = found.blocks[block as usize].top == outside;
                    found.of_edge[corner] = block | if open { Self::OPEN } else { 0 };
                }
            }
        }
        found
    }

    /// The block of the edge that begins at a corner.
    #[inline]
    pub(crate) fn of_edge(&self, corner: u32) -> u32 {
        self.of_edge[corner as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Calls `mark` with each block between two polygons of the tile. Whether they are joined at all within it.
    pub(crate) fn between(&self, mut a: u32, mut b: u32, mut mark: impl FnMut(u32)) -> bool {
        let depth = |block: u32| if block == NONE { -1 } else { i64::from(self.blocks[block as usize].depth) };
        while a != b {
            let of = |poly: u32| self.up.get(poly as usize).copied().unwrap_or(NONE);
            let (up_a, up_b) = (of(a), of(b));
            if up_a == NONE && up_b == NONE {
                return false;
            }
            if up_a == up_b {
                mark(up_a);
                return true;
            }
            let (depth_a, depth_b) = (depth(up_a), depth(up_b));
            if depth_a >= depth_b {
                mark(up_a);
                a = self.blocks[up_a as usize].top;
            }
            if depth_b >= depth_a {
                mark(up_b);
                b = self.blocks[up_b as usize].top;
            }
        }
        true
    }

    /// Calls `mark` with each block between a polygon and the outside, or the first polygon of its part.
    pub(crate) fn outwards(&self, mut poly: u32, mut mark: impl FnMut(u32)) {
        while let Some(&block) = self.up.get(poly as usize).filter(|block| **block != NONE) {
            mark(block);
            poly = self.blocks[block as usize].top;
        }
    }
}

/// The depth-first search: polygons, and after them one node for the outside.
struct DepthFirst {
    /// When each node was met, from 1; 0 for none yet.
    pre: Vec<u32>,
    /// The earliest node that can be reached from below without passing the node itself.
    low: Vec<u32>,
    parent: Vec<u32>,
    /// Polygons as they were met.
    order: Vec<u32>,
}

impl DepthFirst {
    fn run(tile: &TileData) -> Self {
        let outside = tile.polys.len() as u32;
        let nodes = tile.polys.len() + 1;
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

    /// Everything that can be reached from `first` and was not met yet.
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
    use crate::tile::{TileCoord, test_sketch::sketch};

    fn marked(tile: &TileData, ends: &DeadEnds, a: u32, b: u32) -> Option<Vec<bool>> {
        let mut marks = vec![false; ends.len()];
        let joined = ends.between(a, b, |block| marks[block as usize] = true);
        // The polygons at least one of whose edges lies in a marked block.
        let used = |poly: u32| {
            tile.corner_range(poly).any(|corner| {
                let block = ends.of_edge(corner as u32);
                block != NONE && marks[(block & !DeadEnds::OPEN) as usize]
            })
        };
        joined.then(|| (0..tile.polys.len() as u32).map(used).collect())
    }

    fn island(map: &str) -> TileData {
        let mut tile = sketch(TileCoord::default(), map);
        for neighbour in tile.neighbours.iter_mut().filter(|n| n.as_border().is_some()) {
            *neighbour = crate::tile::EdgeNeighbour::WALL;
        }
        tile
    }

    #[test]
    fn rooms_beside_the_way_are_left_out_and_loops_kept() {
        // Polygons by rows from the lowest:  7 8 9 / 4 5 6 / 0 1 2 3
        let tile = island("aaa\na.a.\naaaa".replace("aaa\na", "aaa.\na").as_str());
        let ends = DeadEnds::of(&tile);
        let all = marked(&tile, &ends, 0, 6).unwrap();
        assert_eq!(all.iter().filter(|used| !**used).count(), 1, "{all:?}: only the polygon that sticks out");
        assert!(!all[3]);
        let within = marked(&tile, &ends, 3, 2).unwrap();
        assert_eq!(within.iter().filter(|used| **used).count(), 2, "{within:?}: the ring need not be entered");
    }

    #[test]
    fn islands_are_not_joined_but_by_the_outside() {
        let tile = island("a.a");
        assert_eq!(marked(&tile, &DeadEnds::of(&tile), 0, 1), None);
        let open = sketch(TileCoord::default(), "a.a");
        let ends = DeadEnds::of(&open);
        assert!(marked(&open, &ends, 0, 1).is_some());
        assert!((0..4).any(|corner| ends.of_edge(corner) & DeadEnds::OPEN != 0 && ends.of_edge(corner) != NONE));
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
            let (ends, count) = (DeadEnds::of(&tile), tile.polys.len() as u32);
            let (a, b) = (rng.below(count), rng.below(count));
            let mut on_simple = vec![false; count as usize];
            walk(&tile, b, &mut vec![a], &mut on_simple);
            match marked(&tile, &ends, a, b) {
                None => assert!(!on_simple[b as usize], "round {round}\n{map}"),
                Some(_) if a == b => {}
                Some(used) => {
                    // A polygon touches a marked block if it is on some simple path; and it is on one if all its marked
                    // edges say so.
                    for poly in 0..count as usize {
                        assert!(used[poly] || !on_simple[poly], "round {round} {a} to {b}: {poly}\n{map}");
                        assert!(on_simple[poly] || !used[poly], "round {round} {a} to {b}: {poly} needless\n{map}");
                    }
                }
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
