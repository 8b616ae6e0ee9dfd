//! Writes and reads checkpoints: the compact heightfield of a tile in a fraction of its memory, from which the bake can
//! continue when obstacles are added.
//!
//! A game keeps one for each tile, instead of the triangles. It holds the number of spans of each cell, and for each
//! span its height, its area type and the height of its ceiling. Links are recomputed. The numbers are encoded as
//! differences from predictions based on neighbouring cells (`checkpoint_streams`), and then compressed.
//!
//! ```text
//!   21 bytes a span in memory  →  a byte a cell: counts 1 bit, heights 2, areas 1, ceilings 2  →  a fraction of that
//! ```
//!
//! Spans are stored as they are *before* erosion, with nothing marked on them. After erosion the checkpoint would be a
//! fifth to a half larger, since each area has one more boundary (a quarter on `nav_test`, under LZ4), and
//! would save a twelfth of the remaining work; but obstacles would have to be enlarged separately. So they are marked
//! and eroded by the same steps as in a bake, with the same result. Spans from either stage can be written.
//!
//! Ceilings are stored only as exactly as later stages can notice (`checkpoint_ceilings`).
//!
//! Cost: linear in cells and spans, a few nanoseconds each, plus the compressor.
//!
//! Sources: Mikko Mononen, "Handling Temporary Obstacles" and "Compressing 2.5D Heightfield Data", 2010.

use super::checkpoint_ceilings::rooms_into;
use super::checkpoint_streams::{
    AS_FORETOLD, BitWriter, HIGHER, LOWER, SKY, SpansAround, WRITTEN_OUT, folded, foretold_area, foretold_ceiling,
    foretold_label, foretold_y,
};
use super::checkpoint_unpack::take_field;
use super::compact::link_cells;
use super::{CompactHeightfield, Compressor, Deflate, Grid};
use crate::input::VoxelSettings;
use crate::math::bytes::{put_number, take_number};
use xxhash_rust::xxh3::Xxh3;

/// A checkpoint that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It is of another tile, level or cell size, of an agent with another height or climb, or of another version.
    #[error("the checkpoint is of another tile, or was made with other settings: bake the tile again")]
    OtherTile,
    /// The bytes are truncated or altered.
    #[error("the checkpoint is damaged: bake the tile again")]
    Damaged,
}

/// Writes and reads checkpoints of tiles that are baked with the same settings, reusing memory.
pub struct Checkpoints<C = Deflate> {
    compressor: C,
    /// Height and climb of the agent, which determine the links between spans.
    height_vx: u32,
    climb_vx: u32,
    bytes: Vec<u8>,
    /// Numbers that are stored in full.
    escapes: Vec<u8>,
    ceilings: Vec<i32>,
    /// The lowest and the highest allowed height of each ceiling.
    rooms: Vec<[i32; 2]>,
    /// Codes of heights, ceilings and area types.
    codes: [Vec<u8>; 3],
}

/// Increased when the format of checkpoints changes.
const VERSION: u8 = 2;
/// Bytes before the compressed data: a hash of everything that writer and reader must agree on.
const HASH: usize = 8;
impl Checkpoints {
    /// For tiles that are baked with these settings, compressed by [`Deflate`].
    #[must_use]
    pub fn new(settings: &VoxelSettings) -> Self {
        Self::with_compressor(settings, Deflate::default())
    }
}

impl<C: Compressor> Checkpoints<C> {
    /// With a custom compressor.
    #[must_use]
    pub fn with_compressor(settings: &VoxelSettings, compressor: C) -> Self {
        let height_vx = settings.agent_height_vx;
        let climb_vx = settings.agent_climb_vx;
        let bytes = Vec::new();
        let escapes = Vec::new();
        let ceilings = Vec::new();
        let rooms = Vec::new();
        let codes = Default::default();
        Self { compressor, height_vx, climb_vx, bytes, escapes, ceilings, rooms, codes }
    }

    /// Appends the checkpoint of a field to `out`. The links must be those that [`compact`](super::compact) finds.
    /// Ceiling heights are only kept as exactly as necessary: links and tiles come out the same.
    pub fn write(&mut self, field: &CompactHeightfield, out: &mut Vec<u8>) {
        self.bytes.clear();
        self.escapes.clear();
        self.put_counts(field);
        let count_escapes = self.escapes.len();
        self.put_spans(field);
        let codes = self.bytes.len();
        self.bytes.extend_from_slice(&self.escapes);
        out.extend_from_slice(&self.hash(&field.grid, field.border).to_le_bytes());
        for number in [self.bytes.len(), codes, count_escapes] {
            put_number(number as u32, out);
        }
        self.compressor.compress(&self.bytes, out);
    }

    /// Reads the checkpoint of a tile's cells, including its border, into `out`, reusing its memory.
    ///
    /// Time and memory are bounded by the number of cells and the spans in the bytes.
    ///
    /// # Errors
    /// [`CheckpointError`]; the content of `out` is then undefined.
    pub fn read(
        &mut self,
        bytes: &[u8],
        grid: &Grid,
        border: u32,
        out: &mut CompactHeightfield,
    ) -> Result<(), CheckpointError> {
        let damaged = CheckpointError::Damaged;
        let (hash, mut rest) = bytes.split_first_chunk::<HASH>().ok_or(damaged)?;
        if u64::from_le_bytes(*hash) != self.hash(grid, border) {
            return Err(CheckpointError::OtherTile);
        }
        let mut take = || take_number(&mut rest).map(|number| number as usize).ok_or(damaged);
        let len = take()?;
        let codes = take()?;
        let count_escapes = take()?;
        let cells = grid.cell_count();
        if len > self.compressor.most_bytes(rest.len()) || codes > len || codes < cells.div_ceil(8) {
            return Err(damaged);
        }
        let mut unpacked = core::mem::take(&mut self.bytes);
        unpacked.clear();
        unpacked.resize(len, 0);
        let is_whole = self.compressor.decompress(rest, &mut unpacked).is_ok();
        (out.grid, out.border) = (*grid, border);
        let parts = [codes, count_escapes];
        let done = if is_whole { take_field(&unpacked, parts, &mut self.ceilings, out) } else { None };
        self.bytes = unpacked;
        done.ok_or(damaged)?;
        out.begin_links();
        link_cells(self.height_vx, self.climb_vx, out);
        Ok(())
    }

    /// What writer and reader must agree on.
    fn hash(&self, grid: &Grid, border: u32) -> u64 {
        let Grid { origin, cell_size, cell_height, x, z, width, depth } = *grid;
        let mut hash = Xxh3::new();
        hash.update(&[VERSION]);
        for float in origin.to_array().into_iter().chain([cell_size, cell_height]) {
            hash.update(&float.to_bits().to_le_bytes());
        }
        for number in [x.cast_unsigned(), z.cast_unsigned(), width, depth, border, self.height_vx, self.climb_vx] {
            hash.update(&number.to_le_bytes());
        }
        hash.digest()
    }

    fn put_counts(&mut self, field: &CompactHeightfield) {
        let mut bits = BitWriter::default();
        let width = field.grid.width as usize;
        let count = |cell: usize| field.columns[cell + 1] - field.columns[cell];
        for cell in 0..field.grid.cell_count() {
            let is_foretold = foretold_count(cell, width, count) == count(cell);
            bits.put(u32::from(!is_foretold), 1, &mut self.bytes);
            if !is_foretold {
                put_number(count(cell), &mut self.escapes);
            }
        }
        bits.end(&mut self.bytes);
    }

    fn put_spans(&mut self, field: &CompactHeightfield) {
        self.ceilings.clear();
        let ceiling = |(&y, &clearance)| ceiling_of(y, clearance);
        self.ceilings.extend(field.y.iter().zip(&field.clearance).map(ceiling));
        rooms_into(field, &self.ceilings, [self.height_vx, self.climb_vx], SKY, &mut self.rooms);
        let mut codes = [BitWriter::default(), BitWriter::default(), BitWriter::default()];
        let mut streams = core::mem::take(&mut self.codes);
        streams.iter_mut().for_each(Vec::clear);
        for_each_span(&field.columns, field.grid.width as usize, |span, _, around| {
            let y = i32::from(field.y[span]);
            let foretold = foretold_y(span, around, &field.y);
            codes[0].put(self.height_code(y, foretold), 2, &mut streams[0]);
            let foretold = foretold_ceiling(y, around, &self.ceilings);
            self.ceilings[span] = within(self.rooms[span], foretold, y);
            let code = self.ceiling_code(self.ceilings[span], (foretold, y));
            codes[1].put(code, 2, &mut streams[1]);
            let is_foretold = foretold_area(around, &field.area) == field.area[span];
            codes[2].put(u32::from(!is_foretold), 1, &mut streams[2]);
            if !is_foretold {
                self.escapes.push(field.area[span].get());
            }
        });
        for (code, stream) in codes.iter_mut().zip(&mut streams) {
            code.end(stream);
            self.bytes.extend_from_slice(stream);
        }
        self.codes = streams;
    }

    fn height_code(&mut self, y: i32, foretold: i32) -> u32 {
        u32::from(match y - foretold {
            0 => AS_FORETOLD,
            1 => HIGHER,
            -1 => LOWER,
            difference => {
                put_number(folded(difference), &mut self.escapes);
                WRITTEN_OUT
            }
        })
    }

    fn ceiling_code(&mut self, ceiling: i32, (foretold, y): (i32, i32)) -> u32 {
        if ceiling == foretold {
            u32::from(AS_FORETOLD)
        } else if ceiling == SKY || foretold == SKY || ceiling.abs_diff(foretold) > 1 {
            put_number(if ceiling == SKY { 0 } else { (ceiling - y).cast_unsigned() + 1 }, &mut self.escapes);
            u32::from(WRITTEN_OUT)
        } else {
            u32::from(if ceiling > foretold { HIGHER } else { LOWER })
        }
    }
}

/// The allowed ceiling nearest to the predicted one that can be counted above its floor.
fn within([low, high]: [i32; 2], foretold: i32, y: i32) -> i32 {
    let most = y + i32::from(u16::MAX) - 1;
    if high == SKY && !(low..=most).contains(&foretold) { SKY } else { foretold.clamp(low, high.min(most).max(low)) }
}

/// The height above the lowest point of the level at which a span's free space ends.
fn ceiling_of(y: u16, clearance: u16) -> i32 {
    if clearance == u16::MAX { SKY } else { i32::from(y) + i32::from(clearance) }
}

/// The predicted number of a cell's spans.
#[inline]
fn foretold_count(cell: usize, width: usize, count: impl Fn(usize) -> u32) -> u32 {
    let has_left = !cell.is_multiple_of(width);
    let left = has_left.then(|| count(cell - 1));
    let below = (cell >= width).then(|| count(cell - width));
    let between = (has_left && cell >= width).then(|| count(cell - width - 1));
    foretold_label([left, below, between]).unwrap_or(1)
}

/// Calls `f` with each span, its index in its column, and the spans around it.
#[inline]
fn for_each_span(columns: &[u32], width: usize, mut f: impl FnMut(usize, usize, SpansAround)) {
    let column = |cell: usize| columns[cell] as usize..columns[cell + 1] as usize;
    for cell in 0..columns.len() - 1 {
        let has_left = !cell.is_multiple_of(width);
        let left = if has_left { column(cell - 1) } else { 0..0 };
        let below = if cell >= width { column(cell - width) } else { 0..0 };
        let between = if has_left && cell >= width { column(cell - width - 1) } else { 0..0 };
        for (place, span) in column(cell).enumerate() {
            let at = |beside: &core::ops::Range<usize>| (place < beside.len()).then_some(beside.start + place);
            f(span, place, [at(&left), at(&below), at(&between)]);
        }
    }
}

impl<C> core::fmt::Debug for Checkpoints<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Checkpoints")
            .field("height_vx", &self.height_vx)
            .field("climb_vx", &self.climb_vx)
            .finish_non_exhaustive()
    }
}
