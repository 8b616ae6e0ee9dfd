//! Builds regions as layers: stacks the runs of a row sweep into as few non-overlapping sheets as possible.
//!
//! Starting from one run, all connected runs are added to its layer, breadth first, except those that lie over or under
//! what the layer already has:
//!
//! ```text
//!   side view    2 2 2 2 2 2 \        1: the road, with both its ends;
//!           1 1 1 1 1 1 1 1 1 2 1     2: the bridge over it, from where it would lie over the road
//! ```
//!
//! Layers may enclose holes. There are few of them, so this partition suits small tiles; on large open levels the
//! triangulation of its large outlines gives worse polygons than watersheds do.
//!
//! What lies over or under a layer is found cell by cell: a layer marks the cells of its runs, and a run with a marked
//! cell is excluded. The number of pairs of overlapping runs would be the square of a tower's floors.
//!
//! Cost: linear in the number of spans, times the layers that reach a run; plus sorting the pairs of neighbouring runs
//! and the spans that lie over or under others.
//!
//! Sources: Mikko Mononen, Recast (`rcBuildLayerRegions`).

use super::boundary::Boundary;
use super::regions::{BORDER_REGION, is_inner};
use crate::area::AreaId;
use crate::math::steps;
use crate::voxel::CompactHeightfield;

/// The data of a run of the sweep, or of a stack of them.
#[derive(Clone, Copy, Debug)]
struct LayerPiece {
    spans: u32,
    area: AreaId,
    touches_border: bool,
    /// The layer that contains it; 0: none yet.
    layer: u32,
    /// The last layer that was found to lie over or under it.
    barred_from: u32,
    /// Last neighbours seen on the four sides: most spans have the same ones as the previous span.
    seen: [u32; 4],
    is_visited: bool,
}

/// Memory that layering keeps from call to call.
#[derive(Clone, Debug, Default)]
pub(super) struct LayerScratch {
    pieces: Vec<LayerPiece>,
    /// Pairs of adjacent pieces, sorted; and of a piece and a cell in which others lie over or under it.
    beside: Vec<[u32; 2]>,
    stacked: Vec<[u32; 2]>,
    /// Where the pairs of each piece start.
    beside_start: Vec<u32>,
    stacked_start: Vec<u32>,
    /// The last layer that took a piece in each cell of `stacked`; 0: none yet.
    taken_by: Vec<u32>,
    queue: Vec<u32>,
}

/// Removed: no layer has this number.
const GONE: u32 = BORDER_REGION;

impl LayerScratch {
    /// Stacks the runs of a row sweep, 1…`count` in `id`, into layers, whose numbers replace them. Returns the number
    /// of layers.
    pub(super) fn stack(&mut self, field: &CompactHeightfield, min_cells: u32, count: u32, id: &mut [u32]) -> u32 {
        self.list_pieces(field, count, id);
        self.take_away_islands(min_cells);
        let layers = self.stack_layers();
        for region in id.iter_mut().filter(|r| is_inner(**r)) {
            *region = self.pieces[*region as usize].layer;
        }
        layers
    }

    /// Measures the pieces, and lists which are adjacent and where they overlap.
    fn list_pieces(&mut self, field: &CompactHeightfield, count: u32, id: &[u32]) {
        let blank = LayerPiece {
            spans: 0,
            area: AreaId::NULL,
            touches_border: false,
            layer: 0,
            barred_from: 0,
            seen: [0; 4],
            is_visited: false,
        };
        self.pieces.clear();
        self.pieces.resize(count as usize + 1, blank);
        self.beside.clear();
        self.stacked.clear();
        let boundary = Boundary { links: &field.neighbours, region: id };
        for (cell, column) in (0u32..).zip(field.columns.windows(2)) {
            let column = column[0] as usize..column[1] as usize;
            let is_stacked = id[column.clone()].iter().filter(|id| is_inner(**id)).nth(1).is_some();
            for span in column.filter(|&span| is_inner(id[span])) {
                steps::count(1);
                self.see_neighbours(&boundary, span, field.area[span]);
                if is_stacked {
                    self.stacked.push([id[span], cell]);
                }
            }
        }
        index_pairs(&mut self.beside, &mut self.beside_start, self.pieces.len());
        index_pairs(&mut self.stacked, &mut self.stacked_start, self.pieces.len());
        self.taken_by.clear();
        self.taken_by.resize(field.columns.len() - 1, 0);
    }

    fn see_neighbours(&mut self, boundary: &Boundary<'_>, span: usize, area: AreaId) {
        let own = boundary.region[span];
        let piece = &mut self.pieces[own as usize];
        piece.spans += 1;
        piece.area = area;
        for (dir, &next) in boundary.links[span].iter().enumerate() {
            let other = boundary.region.get(next as usize).copied().unwrap_or(0);
            if other == own || other == 0 || other == piece.seen[dir] {
                continue;
            }
            piece.seen[dir] = other;
            if is_inner(other) {
                self.beside.push([own, other]);
            } else {
                piece.touches_border = true;
            }
        }
    }

    fn neighbours(&self, piece: u32) -> core::ops::Range<usize> {
        self.beside_start[piece as usize] as usize..self.beside_start[piece as usize + 1] as usize
    }

    /// The pairs of a piece with the cells in which others lie over or under it.
    fn stacked(&self, piece: u32) -> core::ops::Range<usize> {
        self.stacked_start[piece as usize] as usize..self.stacked_start[piece as usize + 1] as usize
    }

    /// Removes each connected surface with fewer than `min_spans` that touches no border.
    fn take_away_islands(&mut self, min_spans: u32) {
        for start in 1..self.pieces.len() as u32 {
            if self.pieces[start as usize].is_visited {
                continue;
            }
            let mut spans = 0_u64;
            let mut touches_border = false;
            self.queue.clear();
            self.queue.push(start);
            self.pieces[start as usize].is_visited = true;
            let mut done = 0;
            while let Some(&id) = self.queue.get(done) {
                done += 1;
                let piece = self.pieces[id as usize];
                spans += u64::from(piece.spans);
                touches_border |= piece.touches_border;
                for pair in self.neighbours(id) {
                    steps::count(1);
                    let other = self.beside[pair][1];
                    if !core::mem::replace(&mut self.pieces[other as usize].is_visited, true) {
                        self.queue.push(other);
                    }
                }
            }
            if spans < u64::from(min_spans) && !touches_border {
                for &id in &self.queue {
                    self.pieces[id as usize].layer = GONE;
                }
            }
        }
    }

    /// Stacks the pieces into layers and returns their number.
    fn stack_layers(&mut self) -> u32 {
        let mut layers = 0;
        for start in 1..self.pieces.len() as u32 {
            if self.pieces[start as usize].layer != 0 {
                continue;
            }
            layers += 1;
            self.queue.clear();
            self.take(start, layers);
            let mut done = 0;
            while let Some(&id) = self.queue.get(done) {
                done += 1;
                for pair in self.neighbours(id) {
                    steps::count(1);
                    let other = self.beside[pair][1];
                    let piece = self.pieces[other as usize];
                    let area = self.pieces[id as usize].area;
                    if piece.layer != 0 || piece.barred_from == layers || piece.area != area {
                        continue;
                    }
                    if self.lies_over(other, layers) {
                        self.pieces[other as usize].barred_from = layers;
                    } else {
                        self.take(other, layers);
                    }
                }
            }
        }
        for piece in &mut self.pieces {
            if piece.layer == GONE {
                piece.layer = 0;
            }
        }
        layers
    }

    /// Adds a piece to a layer.
    fn take(&mut self, id: u32, layer: u32) {
        self.pieces[id as usize].layer = layer;
        self.queue.push(id);
        for &[_, cell] in &self.stacked[self.stacked(id)] {
            steps::count(1);
            self.taken_by[cell as usize] = layer;
        }
    }

    /// Whether a piece lies over or under what a layer already has.
    fn lies_over(&self, id: u32, layer: u32) -> bool {
        self.stacked[self.stacked(id)]
            .iter()
            .inspect(|_| steps::count(1))
            .any(|&[_, cell]| self.taken_by[cell as usize] == layer)
    }
}

/// Sorts pairs, drops duplicates, and finds where the pairs of each first number start.
fn index_pairs(pairs: &mut Vec<[u32; 2]>, starts: &mut Vec<u32>, count: usize) {
    pairs.sort_unstable();
    pairs.dedup();
    starts.clear();
    starts.resize(count + 1, 0);
    for &[first, _] in pairs.iter() {
        starts[first as usize + 1] += 1;
    }
    for k in 1..starts.len() {
        starts[k] += starts[k - 1];
    }
}
