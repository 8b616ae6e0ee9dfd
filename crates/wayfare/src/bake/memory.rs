//! How much memory the work on a tile takes, reckoned from its cells and spans.
//!
//! A reckoning and not a measurement: the same on every machine, so that a bake which is refused is refused everywhere.
//! On level ground in one tile (4,000,000 cells of one span each) 66 bytes a cell were measured at the worst moment, of
//! which the columns of the solid and the open field are a few bytes a cell, and all else is spans with their
//! neighbours, distances and regions.
//!
//! ```text
//!   bytes ≈ 16 × cells + 54 × spans
//! ```

use super::BakeError;
use crate::context::Context;
use crate::voxel::{Grid, Heightfield, MAX_SPANS, RasterInput, RasterScratch, rasterize_within};

/// Bytes that a cell of a tile takes, whatever is in it.
pub const BYTES_A_CELL: u64 = 16;
/// Bytes that a solid span takes.
pub const BYTES_A_SPAN: u64 = 54;

/// Rasterises a tile, unless the work on it would take more memory than the context allows.
pub(super) fn rasterize_in_memory(
    input: &RasterInput<'_>,
    context: &Context<'_>,
    scratch: &mut RasterScratch,
    out: &mut Heightfield,
) -> Result<(), BakeError> {
    let most = most_spans(&input.grid, context.memory_limit)?;
    rasterize_within(input, most, scratch, out)
        .map_err(|e| too_much(&input.grid, e.most.saturating_add(1), context.memory_limit))
}

/// The spans that a tile may have.
fn most_spans(grid: &Grid, limit: Option<u64>) -> Result<u64, BakeError> {
    let Some(bytes) = limit else { return Ok(MAX_SPANS) };
    let spans = bytes.checked_sub(BYTES_A_CELL * grid.cell_count() as u64).map(|left| left / BYTES_A_SPAN);
    spans.ok_or_else(|| too_much(grid, 0, limit))
}

fn too_much(grid: &Grid, spans: u64, limit: Option<u64>) -> BakeError {
    let needed = BYTES_A_CELL * grid.cell_count() as u64 + BYTES_A_SPAN * spans;
    BakeError::TooMuchMemory { width: grid.width, depth: grid.depth, needed, limit: limit.unwrap_or(needed - 1) }
}
