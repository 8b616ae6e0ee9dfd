//! EMPTY to BUILT: finds the patch around a standing point and cuts it into nodes.
//!
//! A patch is all standing points of one tile and one area that can be reached from each other by steps that go both
//! ways and stay in the tile and the area. So it depends on the blocks alone, not on where a search entered it: the
//! same nodes result from all queries in any order.
//!
//! Cost: a few block look-ups per standing point.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014.

use super::column_store::ColumnStore;
use super::columns::Columns;
use super::ground::Ground;
use super::inner_links::InnerLinks;
use super::node::{ALL_STALE, Node, Patch};
use super::rectangles::{Places, Rectangle};
use super::store::{ColumnRange, Store};
use super::{BlockSource, Cell};
use crate::area::AreaId;
use crate::math::index::NONE;

/// Memory of building, reused from patch to patch.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    /// The cells of the patch.
    cells: Vec<Cell>,
    columns: ColumnStore,
    places: Places,
    rectangles: Vec<Rectangle>,
    /// The node of each cell.
    node_of: Vec<u32>,
    /// The last patch built, unless blocks have changed since.
    last: Option<u32>,
    /// The patch includes everything in its tile within a step of its cells, at most one cell per column, and all steps
    /// go both ways.
    is_plain: bool,
}

/// The node of a cell, built if it does not exist; [`NONE`] if the cell is not a standing point.
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
        self.last = None;
        let tile = store.make_tile(store.tile_key(seed.x, seed.z));
        self.flood(store, tile, ground, seed);
        self.pair(ground);
        self.open_squares(ground);
        let area = ground.area(seed);
        self.places.cut(&mut self.rectangles);
        let columns = self.columns.last();
        self.is_plain = !columns.is_crowded()
            && !columns.has_ladders()
            && columns.has_taken_all()
            && ground.reach() == ground.reach_both_ways();
        self.last = Some(self.put_down(store, tile, area));
        store.at_in(tile, seed)
    }

    /// The columns of a patch, if it is the last one built, so that connecting it need not read them again.
    pub(super) fn columns_of(&self, patch: u32) -> Option<&Columns> {
        (self.last == Some(patch)).then(|| self.columns.last())
    }

    /// The links within a patch, if it is the last one built and is plain.
    pub(super) fn inner_links(&self, patch: u32) -> Option<InnerLinks<'_>> {
        let Self { places, rectangles, node_of, .. } = self;
        (self.is_plain && self.last == Some(patch)).then_some(InnerLinks { places, rectangles, node_of })
    }

    /// Discards what was read of some columns, whose blocks may have changed.
    pub(super) fn forget(&mut self, store: &Store, changed: &ColumnRange) {
        self.last = None;
        self.columns.forget(changed, store.mini());
    }

    /// Keeps what is read of the tile of a patch from now on, since its blocks change.
    pub(super) fn keep(&mut self, store: &Store, patch: u32) {
        self.columns.keep(store.tile_origin(store.patches[patch as usize].tile), store.mini());
    }

    /// Finds all cells of the patch and lists them in world order: column by column, upwards.
    fn flood<S: BlockSource + ?Sized>(&mut self, store: &Store, tile: u32, ground: &Ground<'_, S>, seed: Cell) {
        let Self { columns, cells, .. } = self;
        let columns = columns.begin(store.tile_origin(tile), store.mini(), seed.y);
        let area = ground.area(seed);
        // A cell has a node of another patch only if blocks changed without a call of `invalidate`.
        columns.flood(ground, seed, |c, is_plain| {
            let its_area = if is_plain { AreaId::WALKABLE } else { ground.area(c) };
            its_area == area && store.at_in(tile, c) == NONE
        });
        columns.list(cells);
    }

    /// Finds the neighbours of each cell: if several are adjacent, two cells are neighbours only if each chose the
    /// other.
    fn pair<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>) {
        let Self { columns, cells, places, .. } = self;
        let Places { alone, right, down, .. } = places;
        let columns = columns.last();
        let crowded = columns.is_crowded();
        alone.clear();
        right.clear();
        down.clear();
        for c in cells {
            let column = columns.at([c.x, c.z]);
            let level = columns.level(c.y);
            let to = |side: usize| [column, columns.beside(column, side)];
            alone.push(crowded && (0..4).any(|side| columns.forks(ground, to(side), level)));
            right.push(columns.partner(ground, to(1), level).unwrap_or(NONE));
            down.push(columns.partner(ground, to(3), level).unwrap_or(NONE));
        }
    }

    fn open_squares<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>) {
        let Self { columns, cells, places, .. } = self;
        let columns = columns.last();
        places.square.clear();
        for i in 0..cells.len() {
            let right = places.right[i];
            let down = places.down[i];
            let open = right != NONE && down != NONE && {
                let a = places.down[right as usize];
                let b = places.right[down as usize];
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
        self.node_of.clear();
        self.node_of.resize(self.cells.len(), NONE);
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
            self.places.walk(rectangle, |i| {
                self.node_of[i as usize] = slot;
                store.put(tile, self.cells[i as usize], slot);
            });
            nodes.push(slot);
        }
        let built = &mut store.patches[patch as usize];
        (built.nodes, built.heights) = (nodes, heights);
        patch
    }
}

/// The least and greatest coordinates of cells; there is at least one.
fn bounds_of(cells: &[Cell]) -> [Cell; 2] {
    let first = cells[0];
    cells.iter().fold([first; 2], |[low, high], c| {
        [
            Cell::new(low.x.min(c.x), low.y.min(c.y), low.z.min(c.z)),
            Cell::new(high.x.max(c.x), high.y.max(c.y), high.z.max(c.z)),
        ]
    })
}
