//! Estimates how much memory the work on a tile takes, from its cells and spans.
//!
//! This is an estimate and not a measurement: the same on every machine, so that a bake that is refused is refused
//! everywhere. On level ground in one tile (4,000,000 cells of one span each) 66 bytes a cell were measured at the
//! peak, of which the columns of the solid and the open field are a few bytes a cell, and the rest is spans with their
//! neighbours, distances and regions.
//!
//! ```text
//!   bytes ≈ 16 × cells + 54 × spans,    and while spans are made, 200 × triangles that cross the same rows
//! ```

use crate::context::{Budget, Context};
use crate::voxel::{Grid, Heightfield, RasterInput, RasterLimit, RasterLimitError, RasterScratch, rasterize_bands};

/// A tile that needs more memory than [`Context::memory_limit`] allows, or has more spans than can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a tile of {width} x {depth} cells needs {needed} bytes of memory or more, but {limit} are allowed: use smaller tiles, or larger cells"
)]
pub struct TooMuchMemory {
    /// Columns of the tile, or of a block of tiles, including the border.
    pub width: u32,
    /// Rows.
    pub depth: u32,
    /// Estimated minimum number of bytes needed.
    pub needed: u64,
    /// Number of bytes allowed.
    pub limit: u64,
}

/// Bytes for a cell of a tile, whatever is in it.
pub const BYTES_A_CELL: u64 = 16;
/// Bytes for a solid span.
pub const BYTES_A_SPAN: u64 = 54;
/// Bytes for a triangle during the sweep: twice its size, since lists grow by doubling.
pub const BYTES_A_TRIANGLE: u64 = 200;

/// Continues rasterising a tile within the budget, unless the work on it would take more memory than the context
/// allows. Returns whether all rows are finished.
pub(super) fn rasterize_in_memory(
    input: &RasterInput<'_>,
    context: &Context<'_>,
    budget: &mut Budget,
    scratch: &mut RasterScratch,
    out: &mut Heightfield,
) -> Result<bool, TooMuchMemory> {
    let cells = BYTES_A_CELL * input.grid.cell_count() as u64;
    let allowed = context.memory_limit;
    let too_much = |more: u64| {
        let Grid { width, depth, .. } = input.grid;
        let needed = cells.saturating_add(more);
        TooMuchMemory { width, depth, needed, limit: allowed.unwrap_or(needed - 1) }
    };
    let limit = match allowed.map(|bytes| bytes.checked_sub(cells)) {
        None => RasterLimit::NONE,
        Some(Some(left)) => RasterLimit { spans: left / BYTES_A_SPAN, triangles: left / BYTES_A_TRIANGLE },
        Some(None) => return Err(too_much(0)),
    };
    rasterize_bands(input, limit, budget, scratch, out).map_err(|e| match e {
        RasterLimitError::Spans { most } => too_much(most.saturating_add(1).saturating_mul(BYTES_A_SPAN)),
        RasterLimitError::Triangles { count, .. } => too_much(count.saturating_mul(BYTES_A_TRIANGLE)),
    })
}

#[cfg(test)]
mod tests {
    use crate::bake::{BakeError, TilePlan, bake_tiles, explain_level, find_links};
    use crate::context::Context;
    use crate::input::{BakeSettings, HeightMap, HeightScale, Level, LinkSettings, TriMesh};
    use glam::Vec3;

    fn limited(bytes: u64) -> Context<'static> {
        Context { memory_limit: Some(bytes), ..Context::default() }
    }

    #[test]
    fn triangles_of_terrain_count() {
        let scale = HeightScale { origin: Vec3::ZERO, spacing: 0.05, step: 0.01 };
        let fine = HeightMap::new(400, 400, vec![0; 400 * 400], scale).unwrap();
        let bake = |context: &Context<'_>| bake_tiles(&fine, &BakeSettings::default(), context).map(drop);
        assert_eq!(bake(&Context::default()), Ok(()));
        assert!(matches!(bake(&limited(1 << 20)), Err(BakeError::TooMuchMemory(_))));
    }

    #[test]
    fn links_and_reasons_keep_to_the_limit() {
        let corners = [Vec3::ZERO, Vec3::new(0.0, 0.0, 19.2), Vec3::new(19.2, 0.0, 19.2)];
        let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let settings = BakeSettings::default();
        let plan = TilePlan::new(&level, &settings).unwrap();
        let (baked, _) = bake_tiles(&level, &settings, &Context::default()).unwrap();
        let tiles: Vec<_> = baked.tiles.iter().collect();
        assert_eq!(tiles.len(), 1);
        let links = LinkSettings::for_agent(&settings.agent);
        let find = |context: &Context<'_>| find_links(Level::from(&level), &plan, &tiles, &links, context).map(drop);
        let explain = |context: &Context<'_>| explain_level(&level, &plan, context).map(drop);
        assert_eq!([find(&Context::default()), explain(&Context::default())], [Ok(()), Ok(())]);
        for refused in [find(&limited(1)), explain(&limited(1))] {
            assert!(matches!(refused, Err(BakeError::TooMuchMemory(_))), "{refused:?}");
        }
    }
}
