//! The tiles of a level, shared out among threads, for one agent or several.
//!
//! ```text
//!   batch of tiles:   known?   known?   known?  ...        asked one after the other
//!                       |        |        |
//!                     bake     bake     (known)            in parallel, any order; each thread with bakers of its own
//!                       |        |        |
//!                     take     take     take    ...        handed over row by row
//! ```
//!
//! Neighbouring tiles are rasterised as one block (`tile_blocks`), which a thread takes as a whole. Tiles do not depend
//! on one another nor on their block, so the result is the same for any number of threads. Each thread keeps one baker
//! for each agent, and with them one bounded memory.
//!
//! Cost: the tiles. Sources: own work.

use super::agents::{AgentBakers, BakedForAll, Wanted};
use super::tile_blocks::{TileBlocks, TileRange};
use crate::bake::{BakeError, BakeReport, TilePlan, WarningKind};
use crate::context::{Cancelled, Context, parallel};
use crate::input::Level;
use crate::math::polygon;
use crate::tile::{TileCoord, TileData};
use crate::voxel::TriangleBins;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Takes the tiles of one agent as they are done, and may know some of them already.
pub trait TileStore {
    /// A tile that need not be baked, since it is known what it would be: `Some(None)` if it has no ground. The default
    /// knows none.
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        let _ = coord;
        None
    }

    /// Takes a tile; `None` for one without ground. Called for every tile, row by row, also for those that were known.
    ///
    /// # Errors
    /// [`Cancelled`] ends the bake: no more tiles are wanted.
    fn take(&mut self, coord: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled>;
}

/// Finished tiles that are held until they can be handed over in order.
pub const TILES_AT_ONCE: u64 = 1024;

/// Bakes a level for several agents at once: each tile is rasterised once for all agents whose slope and climb are the
/// same, and baked on for each. `plans`, `reports` and `stores` have one entry an agent; the bytes are those of baking
/// each agent alone.
///
/// # Errors
/// [`BakeError::AgentsDiffer`] if the plans do not cut the level into the same tiles of the same cells, or if there are
/// not as many reports and stores as plans; else as [`bake_tiles`](crate::bake::bake_tiles). What was handed over stays
/// valid.
pub fn bake_agents_planned<'a>(
    level: impl Into<Level<'a>>,
    plans: &[TilePlan],
    context: &Context<'_>,
    reports: &mut [BakeReport],
    stores: &mut [&mut dyn TileStore],
) -> Result<(), BakeError> {
    let level = level.into();
    let Some(first) = plans.first() else { return Ok(()) };
    check_alike(plans, [reports.len(), stores.len()])?;
    let border = plans.iter().map(|plan| plan.settings.border_vx).max().unwrap_or(0);
    let count = first.tile_count();
    let blocks = TileBlocks::new(first, parallel::threads(), TILES_AT_ONCE);
    let side = blocks.block.map(|tiles| tiles * first.settings.tile_size_vx);
    let bins = (count > 1).then(|| TriangleBins::of_rectangles(level.mesh, &first.level, side, border));
    let work = Work { level, plans, bins: bins.as_ref(), context, bakers: Mutex::default(), done: AtomicU64::new(0) };
    context.log(format_args!(
        "baking {} x {} cells in {} x {} tiles, agents: {}",
        first.level.width,
        first.level.depth,
        first.columns,
        first.rows,
        plans.len()
    ));
    for batch in blocks.batches() {
        let mut known = known_tiles(&batch, first, stores);
        let jobs = blocks.blocks(&batch).map(|tiles| Job::new(&tiles, &blocks, first, &mut known)).collect();
        let baked = parallel::map(jobs, || (), |(), job| work.bake(job));
        let mut baked: Vec<_> = baked.into_iter().flatten().collect();
        baked.sort_unstable_by_key(|(index, _)| *index);
        for (index, baked) in baked {
            let coord = first.tile(index).coord;
            for (((tile, part), store), report) in baked?.into_iter().zip(&mut *stores).zip(&mut *reports) {
                log_warnings(context, coord, &part);
                report.merge(&part);
                store.take(coord, tile)?;
            }
        }
    }
    for report in reports.iter_mut() {
        let stats = &report.stats;
        context.log(format_args!(
            "{} polygons in {} tiles, of which {} have no ground and {} were known",
            stats.polys, stats.tiles, stats.empty_tiles, stats.reused_tiles
        ));
        if stats.polys == 0 {
            report.warn(WarningKind::NothingWalkable, 1, None);
        }
    }
    Ok(())
}

/// Passes the warnings of one tile on, each with its place.
fn log_warnings(context: &Context<'_>, coord: TileCoord, part: &BakeReport) {
    for warning in &part.warnings {
        let (name, TileCoord { x, z, .. }) = (warning.kind.name(), coord);
        match warning.at {
            Some(at) => context.log(format_args!("tile {x}, {z}: {} x {name}, the first at {at}", warning.count)),
            None => context.log(format_args!("tile {x}, {z}: {} x {name}", warning.count)),
        }
    }
}

/// All agents walk on the same grid, cut into the same tiles.
fn check_alike(plans: &[TilePlan], counts: [usize; 2]) -> Result<(), BakeError> {
    let differs = |name| Err(BakeError::AgentsDiffer { name });
    if counts.iter().any(|&count| count != plans.len()) {
        return differs("the number of plans, reports and stores");
    }
    for plan in plans {
        let (a, b) = (&plans[0], plan);
        if a.settings.cell_size != b.settings.cell_size || a.settings.cell_height != b.settings.cell_height {
            return differs(if a.settings.cell_size == b.settings.cell_size { "cell_height" } else { "cell_size" });
        }
        if a.settings.tile_size_vx != b.settings.tile_size_vx {
            return differs("tile_size");
        }
        if a.level != b.level {
            return differs("the level");
        }
    }
    Ok(())
}

/// What is known of a tile, for each agent: `Some(None)` if that is that it has no ground.
type Known = Vec<Option<Option<TileData>>>;

/// Asks for every tile of a batch, in the order of their numbers.
fn known_tiles(batch: &TileRange, plan: &TilePlan, stores: &mut [&mut dyn TileStore]) -> BTreeMap<u64, Known> {
    let mut ask = |index: u64| {
        let coord = plan.tile(index).coord;
        (index, stores.iter_mut().map(|store| store.known(coord)).collect())
    };
    batch.numbers(plan).map(&mut ask).collect()
}

/// The tiles of a block.
struct Job {
    /// Where their triangles are.
    column: u32,
    row: u32,
    tiles: Vec<(u64, Known)>,
}

impl Job {
    fn new(tiles: &TileRange, blocks: &TileBlocks, plan: &TilePlan, known: &mut BTreeMap<u64, Known>) -> Self {
        let [wide, deep] = blocks.block;
        let (column, row) = (tiles.columns.start / wide, tiles.rows.start / deep);
        let tiles = tiles.numbers(plan).map(|index| (index, known.remove(&index).unwrap_or_default())).collect();
        Self { column, row, tiles }
    }
}

/// What all threads share.
struct Work<'a> {
    level: Level<'a>,
    plans: &'a [TilePlan],
    bins: Option<&'a TriangleBins>,
    context: &'a Context<'a>,
    /// Bakers that no thread uses right now: as many are made as threads bake at the same time.
    bakers: Mutex<Vec<AgentBakers>>,
    done: AtomicU64,
}

/// Tiles by number.
type Baked = Vec<(u64, Result<BakedForAll, BakeError>)>;

impl Work<'_> {
    /// Bakes a block. An error stands in the place of its first tile.
    fn bake(&self, job: Job) -> Baked {
        let first = job.tiles.first().map_or(0, |(index, _)| *index);
        match self.try_bake(job) {
            Ok(baked) => baked,
            Err(e) => vec![(first, Err(e))],
        }
    }

    fn try_bake(&self, job: Job) -> Result<Baked, BakeError> {
        self.context.check_cancelled()?;
        let triangles = self.bins.map(|bins| bins.tile(job.column, job.row));
        let done = || self.context.progress(self.done.fetch_add(1, Ordering::Relaxed) + 1, self.plans[0].tile_count());
        let wanted = job
            .tiles
            .iter()
            .filter(|(_, known)| known.iter().any(Option::is_none))
            .map(|(index, known)| Wanted { index: *index, agents: known.iter().map(Option::is_none).collect() });
        let wanted: Vec<_> = wanted.collect();
        let mut bakers = self.borrow_bakers();
        let result = bakers.bake((&self.level, triangles), &wanted, self.context, &done);
        self.give_back(bakers);
        let mut fresh = result?.into_iter();
        let tiles = job.tiles.into_iter().map(|(index, known)| {
            let is_fresh = known.iter().any(Option::is_none);
            if !is_fresh {
                done();
            }
            let nothing = || known.iter().map(|_| (None, BakeReport::new(self.level.bounds()))).collect();
            let mut baked: BakedForAll = if is_fresh { fresh.next() } else { None }.unwrap_or_else(nothing);
            for (known, (tile, part)) in known.into_iter().zip(&mut baked) {
                if let Some(known) = known {
                    count_known(known.as_ref(), part);
                    *tile = known;
                }
            }
            (index, Ok(baked))
        });
        Ok(tiles.collect())
    }

    fn borrow_bakers(&self) -> AgentBakers {
        // A poisoned lock means that a thread panicked while it held the list, which stays a list of whole bakers.
        let idle = self.bakers.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| AgentBakers::new(self.plans))
    }

    fn give_back(&self, bakers: AgentBakers) {
        self.bakers.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(bakers);
    }
}

/// Counts of a tile that was not baked: those that the tile itself tells.
fn count_known(tile: Option<&TileData>, part: &mut BakeReport) {
    let stats = &mut part.stats;
    stats.tiles += 1;
    stats.reused_tiles += 1;
    let Some(tile) = tile else {
        stats.empty_tiles += 1;
        return;
    };
    stats.polys += tile.polys.len() as u64;
    stats.poly_verts += tile.verts.len() as u64;
    stats.detail_verts += (tile.detail_verts.len() + tile.corners.len()) as u64;
    stats.detail_tris += tile.detail_tris.len() as u64;
    for poly in 0..tile.polys.len() as u32 {
        let corners: Vec<_> = tile.points_of(poly).collect();
        stats.poly_area += f64::from(polygon::area(&corners).abs());
    }
}
