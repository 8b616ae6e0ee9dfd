//! EMPTY to BUILT: the patch around a standing point, found and cut into nodes.
//!
//! A patch is all standing points of one tile and one area that can be reached from each other, by steps that go both
//! ways and do not leave the tile or the area. That makes it a matter of the blocks alone, not of where a search
//! happened to come in: whoever asks, and in whatever order, the same nodes arise.
//!
//! Cost: a handful of block look-ups a standing point.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

use super::columns::Columns;
use super::ground::{Ground, SIDES};
use super::rectangles::{Places, Rectangle};
use super::store::{ALL_STALE, Node, Patch, Store};
use super::{BlockSource, Cell};
use crate::area::AreaId;
use crate::math::index::NONE;

/// Memory of building, kept from patch to patch.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    cells: Vec<Cell>,
    columns: Columns,
    /// For each column of the tile the last place found in it, and for each place the one found before in its column.
    heads: Vec<u32>,
    below: Vec<u32>,
    /// For each place the one beside it towards −x, +x, −z, +z to which steps go both ways.
    beside: Vec<[u32; 4]>,
    /// Whether several places lie beside a place on one side.
    branches: Vec<bool>,
    order: Vec<u32>,
    rank: Vec<u32>,
    places: Places,
    rectangles: Vec<Rectangle>,
}

/// The node of a place, built if it is not; [`NONE`] if one cannot stand there.
pub(super) fn node_at<S: BlockSource + ?Sized>(
    store: &mut Store,
    builder: &mut Builder,
    ground: &Ground<'_, S>,
    c: Cell,
) -> u32 {
    let known = store.at(c);
    if known != NONE || !ground.stands(c) { known } else { builder.build(store, ground, c) }
}

impl Builder {
    /// Builds the patch that holds `seed`, a standing point without a node.
    fn build<S: BlockSource + ?Sized>(&mut self, store: &mut Store, ground: &Ground<'_, S>, seed: Cell) -> u32 {
        let tile = store.make_tile(store.tile_key(seed.x, seed.z));
        self.flood(store, tile, ground, seed);
        self.sort();
        self.open_squares(ground);
        let area = ground.area(seed);
        self.places.cut(&mut self.rectangles);
        self.put_down(store, tile, area);
        store.at_in(tile, seed)
    }

    /// Finds all places of the patch and which of them are beside each other.
    fn flood<S: BlockSource + ?Sized>(&mut self, store: &Store, tile: u32, ground: &Ground<'_, S>, seed: Cell) {
        let Self { cells, columns, heads, below, beside, branches, .. } = self;
        let mini = store.mini();
        let [x0, z0] = store.tile_origin(store.tile_key(seed.x, seed.z));
        let is_inside = |x: i32, z: i32| x0 <= x && x < x0 + mini && z0 <= z && z < z0 + mini;
        columns.begin([x0, z0], mini, seed.y);
        cells.clear();
        below.clear();
        beside.clear();
        branches.clear();
        heads.clear();
        heads.resize((mini * mini) as usize, NONE);
        let area = ground.area(seed);
        // The number of a place, if it is of this area; it is added if it is new.
        let mut place_of = |cells: &mut Vec<Cell>, c: Cell| {
            let head = &mut heads[((c.z - z0) * mini + c.x - x0) as usize];
            let mut at = *head;
            while at != NONE && cells[at as usize].y != c.y {
                at = below[at as usize];
            }
            // It has a node of another patch only if blocks changed and nobody said so.
            if at == NONE && ground.area(c) == area && store.at_in(tile, c) == NONE {
                at = cells.len() as u32;
                cells.push(c);
                below.push(*head);
                *head = at;
            }
            at
        };
        place_of(cells, seed);
        let mut at = 0;
        let (reach, levels) = (ground.reach(), ground.levels());
        while let Some(&a) = cells.get(at) {
            let own = columns.column(ground, [a.x, a.z], a.y - reach, levels);
            let (mut near, mut several) = ([NONE; 4], false);
            for (side, near) in near.iter_mut().enumerate() {
                let [dx, dz] = SIDES[side];
                let (x, z) = (a.x + dx, a.z + dz);
                if !is_inside(x, z) {
                    continue;
                }
                let column = columns.column(ground, [x, z], a.y - reach, levels);
                let (mut least, mut count) = (i32::MAX, 0);
                ground.steps_into(
                    &column,
                    a,
                    |y| own.is_free(y),
                    |step| {
                        count += 1;
                        if step.forth && step.back {
                            let place = place_of(cells, step.to);
                            let rise = (step.to.y - a.y).abs();
                            if rise < least && place != NONE {
                                (least, *near) = (rise, place);
                            }
                        }
                    },
                );
                several |= count > 1;
            }
            beside.push(near);
            branches.push(several);
            for rung in [ground.rung_above(a), ground.rung_below(a)].into_iter().flatten() {
                place_of(cells, rung);
            }
            at += 1;
        }
    }

    /// Brings the places into the order of the world and notes the neighbours of each.
    fn sort(&mut self) {
        let Self { cells, heads, below, beside, branches, order, rank, places, .. } = self;
        let count = cells.len();
        order.clear();
        // Columns are in the order of the world; within one, by height.
        for &head in &*heads {
            let (first, mut at) = (order.len(), head);
            while at != NONE {
                order.push(at);
                at = below[at as usize];
            }
            order[first..].sort_unstable_by_key(|&i| cells[i as usize].y);
        }
        rank.clear();
        rank.resize(count, 0);
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = new as u32;
        }
        let mutual = |i: u32, side: usize| {
            let other = beside[i as usize][side];
            // Where several places lie beside one, both must have chosen each other.
            if other != NONE && beside[other as usize][side ^ 1] == i { rank[other as usize] } else { NONE }
        };
        places.right.clear();
        places.down.clear();
        places.alone.clear();
        places.alone.extend(order.iter().map(|&i| branches[i as usize]));
        places.right.extend(order.iter().map(|&i| mutual(i, 1)));
        places.down.extend(order.iter().map(|&i| mutual(i, 3)));
        let sorted: Vec<Cell> = order.iter().map(|&i| cells[i as usize]).collect();
        *cells = sorted;
    }

    fn open_squares<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>) {
        let Self { cells, places, .. } = self;
        places.square.clear();
        for i in 0..cells.len() {
            let (right, down) = (places.right[i], places.down[i]);
            let open = right != NONE && down != NONE && {
                let (a, b) = (places.down[right as usize], places.right[down as usize]);
                let at = |i: u32| cells[i as usize];
                a == b && a != NONE && ground.square_opens([cells[i], at(right)], [at(down), at(a)]) == (true, true)
            };
            places.square.push(open);
        }
    }

    /// Makes a node of every rectangle.
    fn put_down(&mut self, store: &mut Store, tile: u32, area: AreaId) {
        let cells = self.cells.clone();
        let bounds = bounds_of(&cells);
        let patch = store.new_patch(Patch { tile, cells, bounds, ..Patch::default() });
        let mut heights = Vec::new();
        let mut nodes = Vec::with_capacity(self.rectangles.len());
        for &rectangle in &self.rectangles {
            let first = self.cells[rectangle.first as usize];
            let start = heights.len();
            self.places.walk(rectangle, |i| heights.push(self.cells[i as usize].y));
            let flat = heights[start..].iter().all(|&y| y == first.y);
            if flat {
                heights.truncate(start);
            }
            let slot = store.new_node(Node {
                x: first.x,
                z: first.z,
                width: rectangle.width,
                depth: rectangle.depth,
                area,
                flat,
                low: first.y,
                patch,
                heights: start as u32,
                links: [0, 0],
                stale: ALL_STALE,
                salt: 0,
            });
            self.places.walk(rectangle, |i| store.put(tile, self.cells[i as usize], slot));
            nodes.push(slot);
        }
        let patch = &mut store.patches[patch as usize];
        (patch.nodes, patch.heights) = (nodes, heights);
    }
}

/// The least and greatest coordinates of places, of which there is one.
fn bounds_of(cells: &[Cell]) -> [Cell; 2] {
    let first = cells[0];
    cells.iter().fold([first; 2], |[low, high], c| {
        [
            Cell::new(low.x.min(c.x), low.y.min(c.y), low.z.min(c.z)),
            Cell::new(high.x.max(c.x), high.y.max(c.y), high.z.max(c.z)),
        ]
    })
}
