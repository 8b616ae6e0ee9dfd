//! EMPTY to BUILT: the patch around a standing point, found and cut into nodes.
//!
//! A patch is all standing points of one tile and one area that can be reached from each other, by steps that go both
//! ways and do not leave the tile or the area. That makes it a matter of the blocks alone, not of where a search
//! happened to come in: whoever asks, and in whatever order, the same nodes arise.
//!
//! Cost: a handful of block look-ups a standing point.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

use super::columns::{Columns, windows};
use super::ground::{Ground, SIDES};
use super::node::{ALL_STALE, Node, Patch};
use super::rectangles::{Places, Rectangle};
use super::store::Store;
use super::{BlockSource, Cell};
use crate::area::AreaId;
use crate::math::index::NONE;

/// What lies beside a place.
#[derive(Clone, Copy, Debug, Default)]
struct Beside {
    /// How much higher the nearest place is, towards −x, +x, −z, +z, to which steps go both ways.
    rises: [i32; 4],
    /// Whether several places lie on one side.
    several: bool,
}

/// Memory of building, kept from patch to patch.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    cells: Vec<Cell>,
    columns: Columns,
    besides: Vec<Beside>,
    sorted: Vec<(Cell, Beside)>,
    places: Places,
    rectangles: Vec<Rectangle>,
    /// The patch that `columns` are of.
    last: Option<u32>,
}

/// No place lies beside.
const NOWHERE: i32 = i32::MAX;

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
        self.forget();
        let tile = store.make_tile(store.tile_key(seed.x, seed.z));
        self.flood(store, tile, ground, seed);
        self.sort(store.tile_origin(tile), store.mini());
        self.pair();
        self.open_squares(ground);
        let area = ground.area(seed);
        self.places.cut(&mut self.rectangles);
        self.last = Some(self.put_down(store, tile, area));
        store.at_in(tile, seed)
    }

    /// The columns of a patch, if it is the last that was built: who connects it need not read them again.
    pub(super) fn columns_of(&self, patch: u32) -> Option<&Columns> {
        (self.last == Some(patch)).then_some(&self.columns)
    }

    /// Blocks may have changed: what was read of them is no longer known.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// Finds all places of the patch, and what lies beside each.
    fn flood<S: BlockSource + ?Sized>(&mut self, store: &Store, tile: u32, ground: &Ground<'_, S>, seed: Cell) {
        let Self { columns, cells, besides, .. } = self;
        columns.begin(store.tile_origin(tile), store.mini(), seed.y);
        cells.clear();
        besides.clear();
        let area = ground.area(seed);
        // Whether a place is of the patch.
        let take = |columns: &mut Columns, cells: &mut Vec<Cell>, column: usize, c: Cell| {
            let level = columns.level(c.y);
            let Some(word) = columns.word_mut(level >> 6, column) else { return false };
            let bit = 1 << (level & 63);
            if word.reached & bit != 0 {
                return true;
            }
            // It has a node of another patch only if blocks changed and nobody said so.
            let is_new = ground.area(c) == area && store.at_in(tile, c) == NONE;
            if is_new {
                word.reached |= bit;
                cells.push(c);
            }
            is_new
        };
        let (reach, both_ways) = (ground.reach(), ground.reach_both_ways());
        // Ladders lead one up and down, whatever the agent climbs.
        let around = reach.max(1);
        let first = columns.at([seed.x, seed.z]);
        columns.read(ground, first, columns.level(seed.y), around);
        take(columns, cells, first, seed);
        while let Some(&a) = cells.get(besides.len()) {
            let (column, level) = (columns.at([a.x, a.z]), columns.level(a.y));
            columns.read(ground, column, level, around);
            let mut found = Beside { rises: [NOWHERE; 4], several: false };
            for (side, [dx, dz]) in SIDES.into_iter().enumerate() {
                let (beside, b) = (columns.beside(column, side), Cell::new(a.x + dx, a.y, a.z + dz));
                columns.read(ground, beside, level, around);
                let (mut count, mut nearest) = (0, NOWHERE);
                for window in windows(reach) {
                    for rise in columns.rises(beside, level, window) {
                        if columns.is_open(ground.height(), [column, beside], level, rise) {
                            count += 1;
                            let is_of_it =
                                rise.abs() <= both_ways && take(columns, cells, beside, Cell { y: a.y + rise, ..b });
                            if is_of_it && rise.abs() < nearest.saturating_abs() {
                                nearest = rise;
                            }
                        }
                    }
                }
                found.rises[side] = nearest;
                found.several |= count > 1;
            }
            for rise in columns.rungs(column, level).into_iter().flatten() {
                take(columns, cells, column, Cell { y: a.y + rise, ..a });
            }
            besides.push(found);
        }
    }

    /// Brings the places into the order of the world: column by column, upwards.
    fn sort(&mut self, [x, z]: [i32; 2], mini: i32) {
        let Self { columns, cells, besides, sorted, .. } = self;
        let mut count = 0;
        for z in z..z + mini {
            for x in x..x + mini {
                let column = columns.at([x, z]);
                for storey in columns.storeys() {
                    if let Some(word) = columns.word_mut(storey, column) {
                        word.first = count;
                        count += word.reached.count_ones();
                    }
                }
            }
        }
        sorted.clear();
        sorted.resize(cells.len(), Default::default());
        for (&c, &beside) in cells.iter().zip(&*besides) {
            sorted[columns.number(columns.at([c.x, c.z]), columns.level(c.y)) as usize] = (c, beside);
        }
        cells.clear();
        cells.extend(sorted.iter().map(|&(c, _)| c));
    }

    /// Notes the neighbours of each place: where several lie beside one, both must have chosen each other.
    fn pair(&mut self) {
        let Self { columns, sorted, places, .. } = self;
        places.alone.clear();
        places.alone.extend(sorted.iter().map(|(_, beside)| beside.several));
        for (side, neighbours) in [(1, &mut places.right), (3, &mut places.down)] {
            neighbours.clear();
            neighbours.extend(sorted.iter().map(|&(c, Beside { rises, .. })| {
                let rise = rises[side];
                if rise == NOWHERE {
                    return NONE;
                }
                let beside = columns.beside(columns.at([c.x, c.z]), side);
                let other = columns.number(beside, columns.level(c.y) + rise);
                if sorted[other as usize].1.rises[side ^ 1] == -rise { other } else { NONE }
            }));
        }
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
    fn put_down(&mut self, store: &mut Store, tile: u32, area: AreaId) -> u32 {
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
        let built = &mut store.patches[patch as usize];
        (built.nodes, built.heights) = (nodes, heights);
        patch
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
