//! Bakes a whole level: divided into tiles (or as a single one), in parallel, returned in order.
//!
//! ```text
//!   level grid, tiles of 4 cells:       each tile is baked with a border, so that erosion and
//!   +----+----+--+                      neighbours near its edge come out as next door:
//!   |    |    |  |  last column and       . . . . . .
//!   +----+----+--+  row may be narrower   . +----+ .
//!   |    |    |  |                        . |    | .   border = agent radius + 3 cells
//!   +----+----+--+                        . +----+ .
//! ```
//!
//! For how tiles are distributed among threads, and several agents baked at once, see `tile_work`.
//!
//! Sources: tiles with borders are Recast's (Mikko Mononen, 2009).

use crate::bake::{BakeError, BakeJob, BakeReport, BakedTiles, TilePlan, TileSink, bake_agents_planned};
use crate::context::{Budget, Cancelled, Context};
use crate::input::{BakeSettings, Level};
use crate::tile::{TileCoord, TileData};

/// Bakes a level: as one tile, or as many as [`BakeSettings::tile_size`] requires.
///
/// With feature `rayon`, tiles are baked on the threads of the pool from which it is called; the result is the same,
/// bit for bit, for any number of threads. `context.progress` is called and `context.cancel` checked every few
/// milliseconds, within tiles too, unless they are [very large](BakeJob::step). To do something else in between, or to
/// spread a bake over frames, use a [`BakeJob`].
///
/// # Errors
/// Settings out of range, a level that does not fit its grid, or a tile with too many polygons: [`BakeError`]. Invalid
/// geometry is not an error: see [`BakeReport::warnings`].
pub fn bake_tiles<'a>(
    level: impl Into<Level<'a>>,
    settings: &BakeSettings,
    context: &Context<'_>,
) -> Result<(BakedTiles, BakeReport), BakeError> {
    let mut baked = bake_agents(level, core::slice::from_ref(settings), context)?;
    // One for each agent.
    Ok(baked.swap_remove(0))
}

/// Bakes a level for several agents at once, from one rasterisation if their slope and climb are the same. Each result,
/// including its report, is the same as from [`bake_tiles`]. Cell and tile sizes must be the same; all other settings
/// may differ.
///
/// # Errors
/// [`BakeError::AgentsDiffer`], or as for [`bake_tiles`].
pub fn bake_agents<'a>(
    level: impl Into<Level<'a>>,
    settings: &[BakeSettings],
    context: &Context<'_>,
) -> Result<Vec<(BakedTiles, BakeReport)>, BakeError> {
    let mut job = BakeJob::of_agents(level, settings)?;
    while !job.step(Budget::unlimited(), context)?.is_finished() {}
    Ok(job.into_tiles())
}

/// Bakes every tile of a plan and passes those with polygons to `sink`, row by row, as they are finished: a level whose
/// mesh does not fit in memory can be written while it is baked.
///
/// At most [`TILES_AT_ONCE`](crate::bake::TILES_AT_ONCE) finished tiles are kept at a time, and one
/// [`TileBaker`](crate::bake::TileBaker) per thread. A caller that already has some of the tiles, or that may fail,
/// implements [`TileSink`]: see [`bake_agents_planned`].
///
/// # Errors
/// Like [`bake_tiles`]; tiles already passed on stay valid.
pub fn bake_planned<'a>(
    level: impl Into<Level<'a>>,
    plan: &TilePlan,
    context: &Context<'_>,
    report: &mut BakeReport,
    sink: &mut dyn FnMut(TileData),
) -> Result<(), BakeError> {
    let plans = core::slice::from_ref(plan);
    bake_agents_planned(level, plans, context, core::slice::from_mut(report), &mut [&mut Sink(sink)])
}

/// Knows no tiles, never fails, and ignores tiles without polygons.
struct Sink<'a>(&'a mut dyn FnMut(TileData));

impl TileSink for Sink<'_> {
    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        tile.into_iter().for_each(&mut *self.0);
        Ok(())
    }
}
