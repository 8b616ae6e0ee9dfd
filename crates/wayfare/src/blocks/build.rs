//! EMPTY to BUILT: the patch around a standing point, found and cut into nodes.
//!
//! A patch is all standing points of one tile and one area that can be reached from each other, by steps that go both
//! ways and do not leave the tile or the area. That makes it a matter of the blocks alone, not of where a search
//! happened to come in: whoever asks, and in whatever order, the same nodes arise.
//!
//! Cost: a handful of block look-ups a standing point.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

use super::columns::{Columns, rises, windows};
use super::ground::{Ground, SIDES};
use super::node::{ALL_STALE, Node, Patch};
use super::rectangles::{Places, Rectangle};
use super::store::Store;
use super::{BlockSource, Cell};
use crate::area::AreaId;
use crate::math::index::NONE;

/// Memory of building, kept from patch to patch.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    /// The places of the patch; while they are looked for, those whose neighbours were not looked at.
    cells: Vec<Cell>,
    columns: Columns,
    places: Places,
    rectangles: Vec<Rectangle>,
    /// The patch that `columns` are of.
    last: Option<u32>,
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
        self.forget();
        let tile = store.make_tile(store.tile_key(seed.x, seed.z));
        self.flood(store, tile, ground, seed);
        self.list(store.tile_origin(tile), store.mini());
        self.pair(ground);
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

    /// Finds all places of the patch.
    fn flood<S: BlockSource + ?Sized>(&mut self, store: &Store, tile: u32, ground: &Ground<'_, S>, seed: Cell) {
        let Self { columns, cells: open, .. } = self;
        columns.begin(store.tile_origin(tile), store.mini(), seed.y);
        let area = ground.area(seed);
        // It has a node of another patch only if blocks changed and nobody said so.
        let is_of_it = |c: Cell| ground.area(c) == area && store.at_in(tile, c) == NONE;
        columns.take(columns.at([seed.x, seed.z]), columns.level(seed.y), true);
        open.clear();
        open.push(seed);
        while let Some(a) = open.pop() {
            let (column, level) = (columns.at([a.x, a.z]), columns.level(a.y));
            columns.read(ground, column, [a.x, a.z], level);
            for (side, [dx, dz]) in SIDES.into_iter().enumerate() {
                columns.read(ground, columns.beside(column, side), [a.x + dx, a.z + dz], level);
            }
            for [least, last] in windows(ground.reach_both_ways()) {
                let look = columns.look(level + least, last - least + 1);
                for (side, [dx, dz]) in SIDES.into_iter().enumerate() {
                    let beside = columns.beside(column, side);
                    for rise in rises(columns.untaken(look, beside), least) {
                        let c = Cell::new(a.x + dx, a.y + rise, a.z + dz);
                        if columns.is_open(ground.height(), [column, beside], level, rise)
                            && columns.take(beside, level + rise, is_of_it(c))
                        {
                            open.push(c);
                        }
                    }
                }
            }
            for rise in columns.rungs(column, level).into_iter().flatten() {
                let c = Cell { y: a.y + rise, ..a };
                if !columns.is_taken(column, level + rise) && columns.take(column, level + rise, is_of_it(c)) {
                    open.push(c);
                }
            }
        }
    }

    /// Lists the places in the order of the world: column by column, upwards.
    fn list(&mut self, [x, z]: [i32; 2], mini: i32) {
        let Self { columns, cells, .. } = self;
        cells.clear();
        for z in z..z + mini {
            for x in x..x + mini {
                columns.number_from(cells.len() as u32, [x, z], |y| cells.push(Cell::new(x, y, z)));
            }
        }
    }

    /// Notes the neighbours of each place: where several lie beside one, both must have chosen each other.
    fn pair<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>) {
        let Self { columns, cells, places, .. } = self;
        let Places { alone, right, down, .. } = places;
        let spot = |c: &Cell| (columns.at([c.x, c.z]), columns.level(c.y));
        let crowded = columns.is_crowded();
        alone.clear();
        alone.extend(cells.iter().map(|c| {
            let (column, level) = spot(c);
            crowded && (0..4).any(|side| columns.forks(ground, [column, columns.beside(column, side)], level))
        }));
        for (side, neighbours) in [(1, right), (3, down)] {
            neighbours.clear();
            neighbours.extend(cells.iter().map(|c| {
                let (column, level) = spot(c);
                let beside = columns.beside(column, side);
                let Some(rise) = columns.nearest(ground, [column, beside], level) else { return NONE };
                let is_mutual = || columns.nearest(ground, [beside, column], level + rise) == Some(-rise);
                if rise == 0 || !crowded || is_mutual() { columns.number(beside, level + rise) } else { NONE }
            }));
        }
    }

    fn open_squares<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>) {
        let Self { columns, cells, places, .. } = self;
        places.square.clear();
        for i in 0..cells.len() {
            let (right, down) = (places.right[i], places.down[i]);
            let open = right != NONE && down != NONE && {
                let (a, b) = (places.down[right as usize], places.right[down as usize]);
                let at = |i: u32| cells[i as usize];
                a == b && a != NONE && columns.square_opens(ground, [cells[i], at(right), at(down), at(a)])
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
