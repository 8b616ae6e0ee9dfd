//! Distributes the tiles of a level among threads, for one agent or several.
//!
//! ```text
//!   batch of tiles:   known?   known?   known?  ...        asked one after the other
//!                       |        |        |
//!                     bake     bake     (known)            in parallel, any order; each thread with bakers of its own
//!                       |        |        |
//!                     take     take     take    ...        handed over row by row
//! ```
//!
//! Neighbouring tiles are rasterised as one block (`tile_blocks`), which a thread processes as a whole. Tiles depend
//! neither on each other nor on their block, so the result is the same for any number of threads. Each thread keeps one
//! baker for each agent, and so uses bounded memory.
//!
//! When its budget is used up, a bake stops, and later continues there: with blocks that are not begun, or within a
//! step of a tile.
//!
//! Cost: the tiles. Sources: own work.

use super::agents::{AgentBakers, BakedForAll, BlockInput, BlockTasks, Wanted};
use super::block_baker::count_known;
use super::progress::{BlockCount, BlockProgress, LevelProgress, work_of_level, work_of_tile};
use super::tile_blocks::{TileBlocks, TileRange};
use crate::bake::{BakeError, BakeReport, TilePlan, WarningKind};
use crate::context::{Budget, Cancelled, Context, Progress, SharedCount, parallel};
use crate::input::{Level, MarkedVolume};
use crate::math::Aabb;
use crate::tile::{TileCoord, TileData};
use crate::voxel::TriangleBins;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// Receives the tiles of one agent as they are finished, and may already have some of them.
pub trait TileSink {
    /// Returns a tile that need not be baked because it is already known: `Some(None)` if it has no walkable surface.
    /// By default none is known.
    fn known(&mut self, coord: TileCoord) -> Option<Option<TileData>> {
        let _ = coord;
        None
    }

    /// Receives a tile; `None` if it has no walkable surface. Called for every tile, row by row, including those that
    /// were known.
    ///
    /// # Errors
    /// [`Cancelled`] ends the bake: no more tiles are needed.
    fn take(&mut self, coord: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled>;
}

/// The maximum number of finished tiles kept until they can be returned in order.
pub const TILES_AT_ONCE: u64 = 1024;

/// Bakes a level for several agents at once: each tile is rasterised once for all agents with the same slope and climb,
/// and then baked for each. `plans`, `reports` and `sinks` have one entry per agent; the bytes are the same as when
/// baking each agent alone.
///
/// # Errors
/// [`BakeError::AgentsDiffer`] if the plans do not divide the level into the same tiles of the same cells, or if there
/// are not as many reports and sinks as plans; otherwise like [`bake_tiles`](crate::bake::bake_tiles). Tiles already
/// passed on stay valid.
pub fn bake_agents_planned<'a>(
    level: impl Into<Level<'a>>,
    plans: &[TilePlan],
    context: &Context<'_>,
    reports: &mut [BakeReport],
    sinks: &mut [&mut dyn TileSink],
) -> Result<(), BakeError> {
    let mut bake = LevelBake::new(level.into(), plans)?;
    while !bake.step(Budget::unlimited(), context, reports, sinks)?.is_finished() {}
    Ok(())
}

/// A level being baked, for agents whose plans divide it into the same tiles.
pub(super) struct LevelBake<'a> {
    shared: Shared<'a>,
    blocks: TileBlocks,
    /// Tiles that are not begun.
    batches: VecDeque<TileRange>,
    /// The blocks of the current batch that are not finished; those that have begun come first.
    pending: VecDeque<TileBlock>,
    /// Its finished tiles.
    baked: Baked,
    state: BakeState,
}

#[derive(Clone, Copy)]
enum BakeState {
    New,
    UnderWay,
    Finished,
    Failed(BakeError),
}

impl<'a> LevelBake<'a> {
    pub(super) fn new(level: Level<'a>, plans: &[TilePlan]) -> Result<Self, BakeError> {
        check_alike(plans)?;
        let total = plans.iter().map(work_of_level).fold(0, u64::saturating_add);
        let progress = LevelProgress { done: SharedCount::default(), total };
        let Some(first) = plans.first() else {
            let shared = Shared::new(level, plans, None, progress);
            let blocks = TileBlocks::NONE;
            let batches = VecDeque::new();
            let pending = VecDeque::new();
            return Ok(Self { shared, blocks, batches, pending, baked: Vec::new(), state: BakeState::Finished });
        };
        let border = plans.iter().map(|plan| plan.settings.border_vx).max().unwrap_or(0);
        let blocks = TileBlocks::new(first, parallel::threads(), TILES_AT_ONCE);
        let side = blocks.block.map(|tiles| tiles * first.settings.tile_size_vx);
        let bins =
            (first.tile_count() > 1).then(|| TriangleBins::of_rectangles(level.mesh, &first.level, side, border));
        let shared = Shared::new(level, plans, bins, progress);
        let batches = blocks.batches().collect();
        let pending = VecDeque::new();
        Ok(Self { shared, blocks, batches, pending, baked: Vec::new(), state: BakeState::New })
    }

    pub(super) fn progress(&self) -> Progress {
        let LevelProgress { done, total } = &self.shared.progress;
        let done = match self.state {
            BakeState::Finished => *total,
            _ => done.get().min(total.saturating_sub(1)),
        };
        Progress { done, total: *total }
    }

    /// Continues within the budget. With an unlimited one, to the end of the batch.
    pub(super) fn step(
        &mut self,
        budget: Budget,
        context: &Context<'_>,
        reports: &mut [BakeReport],
        sinks: &mut [&mut dyn TileSink],
    ) -> Result<Progress, BakeError> {
        if let BakeState::Failed(error) = self.state {
            return Err(error);
        }
        if [reports.len(), sinks.len()].into_iter().any(|count| count != self.shared.plans.len()) {
            return Err(BakeError::AgentsDiffer { name: "the number of plans, reports and sinks" });
        }
        let result = self.try_step(budget, context, reports, sinks);
        if let Err(error) = result {
            self.state = BakeState::Failed(error);
        }
        result.map(|()| self.progress())
    }

    fn try_step(
        &mut self,
        mut budget: Budget,
        context: &Context<'_>,
        reports: &mut [BakeReport],
        sinks: &mut [&mut dyn TileSink],
    ) -> Result<(), BakeError> {
        context.check_cancelled()?;
        if matches!(self.state, BakeState::New) {
            self.state = BakeState::UnderWay;
            for (empty, report) in self.shared.empty_reports.iter_mut().zip(&*reports) {
                empty.most_places = report.most_places;
            }
            self.shared.log_begin(context);
        }
        while budget.left() > 0 && matches!(self.state, BakeState::UnderWay) {
            if self.pending.is_empty() {
                match self.batches.pop_front() {
                    Some(batch) => self.begin_batch(&batch, sinks),
                    None => {
                        self.state = BakeState::Finished;
                        end_reports(context, reports);
                        return Ok(());
                    }
                }
            }
            let is_endless = budget.is_unlimited();
            self.run_blocks(&mut budget, context);
            if self.pending.is_empty() {
                self.hand_over(context, reports, sinks)?;
                // The caller may want to do something else between two batches.
                if is_endless && !self.batches.is_empty() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn begin_batch(&mut self, batch: &TileRange, sinks: &mut [&mut dyn TileSink]) {
        let plans = &self.shared.plans;
        let blocks = self.blocks;
        let mut known = known_tiles(batch, &plans[0], sinks);
        self.pending.extend(blocks.blocks(batch).map(|tiles| TileBlock::new(&tiles, &blocks, plans, &mut known)));
    }

    /// Gives each of the next blocks its share of the budget, and returns what they did not use. A share may end within
    /// a block, which then keeps its bakers, so no more are under way than there are threads.
    fn run_blocks(&mut self, budget: &mut Budget, context: &Context<'_>) {
        let most = if budget.is_unlimited() { usize::MAX } else { parallel::threads() };
        let mut round = Vec::new();
        while budget.left() > 0
            && round.len() < most
            && let Some(block) = self.pending.pop_front()
        {
            let share = budget.split_off(block.count.left());
            round.push((block, share));
        }
        let shared = &self.shared;
        let ended = parallel::map(round, || (), |(), (block, share)| shared.go_on(block, share, context));
        for (block, share) in ended.into_iter().rev() {
            budget.put_back(share);
            match block {
                Ok(tiles) => self.baked.extend(tiles),
                Err(block) => self.pending.push_front(*block),
            }
        }
    }

    /// Passes on the tiles of the batch in the order of their numbers.
    fn hand_over(
        &mut self,
        context: &Context<'_>,
        reports: &mut [BakeReport],
        sinks: &mut [&mut dyn TileSink],
    ) -> Result<(), BakeError> {
        self.baked.sort_unstable_by_key(|(index, _)| *index);
        for (index, baked) in self.baked.drain(..) {
            let coord = self.shared.plans[0].tile(index).coord;
            for (((tile, part), sink), report) in baked?.into_iter().zip(&mut *sinks).zip(&mut *reports) {
                log_warnings(context, coord, &part);
                report.merge(&part);
                sink.take(coord, tile)?;
            }
        }
        Ok(())
    }
}

/// The summary logged when all tiles are finished.
fn end_reports(context: &Context<'_>, reports: &mut [BakeReport]) {
    for report in reports {
        let stats = &report.stats;
        context.log(format_args!(
            "{} polygons in {} tiles, of which {} have no surface and {} were reused",
            stats.polys, stats.tiles, stats.empty_tiles, stats.reused_tiles
        ));
        if stats.polys == 0 {
            report.warn(WarningKind::NothingWalkable, 1, None);
        }
    }
}

/// Logs the warnings of one tile, each with its position.
fn log_warnings(context: &Context<'_>, coord: TileCoord, part: &BakeReport) {
    for warning in &part.warnings {
        let name = warning.kind.name();
        let TileCoord { x, z, .. } = coord;
        match warning.first_place() {
            Some(at) => context.log(format_args!("tile {x}, {z}: {} x {name}, the first at {at}", warning.count)),
            None => context.log(format_args!("tile {x}, {z}: {} x {name}", warning.count)),
        }
    }
}

/// Checks that all agents use the same grid, divided into the same tiles.
fn check_alike(plans: &[TilePlan]) -> Result<(), BakeError> {
    let differs = |name| Err(BakeError::AgentsDiffer { name });
    for plan in plans {
        let a = &plans[0];
        let b = plan;
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

/// For each agent, a tile that is already known: `Some(None)` if it has no walkable surface.
type Known = Vec<Option<Option<TileData>>>;

/// Asks for every tile of a batch, in the order of their numbers.
fn known_tiles(batch: &TileRange, plan: &TilePlan, sinks: &mut [&mut dyn TileSink]) -> BTreeMap<u64, Known> {
    let mut ask = |index: u64| {
        let coord = plan.tile(index).coord;
        (index, sinks.iter_mut().map(|sink| sink.known(coord)).collect())
    };
    batch.numbers(plan).map(&mut ask).collect()
}

/// The tiles of a block.
struct TileBlock {
    /// Their triangles.
    column: u32,
    row: u32,
    tiles: Vec<(u64, Known)>,
    count: BlockCount,
    /// The bakers that have begun it, and their remaining tasks.
    under_way: Option<(AgentBakers, BlockTasks)>,
    /// The level's volumes that reach it, once it has begun.
    volumes: Vec<MarkedVolume>,
}

impl TileBlock {
    fn new(tiles: &TileRange, blocks: &TileBlocks, plans: &[TilePlan], known: &mut BTreeMap<u64, Known>) -> Self {
        let [wide, deep] = blocks.block;
        let column = tiles.columns.start / wide;
        let row = tiles.rows.start / deep;
        let numbers = tiles.numbers(&plans[0]);
        let tiles: Vec<_> = numbers.map(|index| (index, known.remove(&index).unwrap_or_default())).collect();
        let work = |index: u64| plans.iter().map(|plan| work_of_tile(plan, index)).sum::<u64>();
        let count = BlockCount::new(tiles.iter().map(|(index, _)| work(*index)).sum());
        Self { column, row, tiles, count, under_way: None, volumes: Vec::new() }
    }
}

/// Shared by all threads.
struct Shared<'a> {
    level: Level<'a>,
    plans: Vec<TilePlan>,
    bins: Option<TriangleBins>,
    /// The bounds of the level's volumes.
    volume_bounds: Vec<Aabb>,
    /// Bakers not in use: as many are created as run at the same time.
    idle: Mutex<Vec<AgentBakers>>,
    progress: LevelProgress,
    /// An empty report of a tile for each agent.
    empty_reports: Vec<BakeReport>,
}

/// Tiles by number.
type Baked = Vec<(u64, Result<BakedForAll, BakeError>)>;

impl<'a> Shared<'a> {
    fn new(level: Level<'a>, plans: &[TilePlan], bins: Option<TriangleBins>, progress: LevelProgress) -> Self {
        let empty_reports = vec![BakeReport::new(level.bounds()); plans.len()];
        let volume_bounds = level.volumes.iter().map(|marked| marked.volume.bounds()).collect();
        Self { level, plans: plans.to_vec(), bins, volume_bounds, idle: Mutex::default(), progress, empty_reports }
    }

    fn log_begin(&self, context: &Context<'_>) {
        let Some(first) = self.plans.first() else { return };
        context.log(format_args!(
            "baking {} x {} cells in {} x {} tiles, agents: {}",
            first.level.width,
            first.level.depth,
            first.columns,
            first.rows,
            self.plans.len()
        ));
    }

    /// Continues a block within its share of the budget. Returns its tiles, or the block if it is not finished; and the
    /// rest of the share. An error takes the place of the first tile that cannot be baked, and ends the list; if
    /// cancelled, that of the first.
    fn go_on(
        &self,
        mut block: TileBlock,
        mut share: Budget,
        context: &Context<'_>,
    ) -> (Result<Baked, Box<TileBlock>>, Budget) {
        let ended = match self.bake(&mut block, &mut share, context) {
            Ok(false) => Err(Box::new(block)),
            Ok(true) => {
                let tasks = block.under_way.take().map(|(bakers, tasks)| {
                    self.give_back(bakers);
                    tasks
                });
                Ok(self.tiles_of(block.tiles, tasks))
            }
            Err(e) => Ok(vec![(block.tiles.first().map_or(0, |(index, _)| *index), Err(e))]),
        };
        (ended, share)
    }

    fn bake(&self, block: &mut TileBlock, share: &mut Budget, context: &Context<'_>) -> Result<bool, BakeError> {
        context.check_cancelled()?;
        let mut progress = BlockProgress { context, level: &self.progress, block: &mut block.count };
        let triangles = self.bins.as_ref().map(|bins| bins.tile(block.column, block.row));
        if block.under_way.is_none() {
            block.volumes = self.volumes_around(&block.tiles);
        }
        let level = Level { volumes: &block.volumes, ..self.level };
        let source = BlockInput { level, triangles };
        if block.under_way.is_none() {
            let wanted =
                block.tiles.iter().filter(|(_, known)| known.iter().any(Option::is_none)).map(|(index, known)| {
                    Wanted { index: *index, agents: known.iter().map(Option::is_none).collect() }
                });
            let wanted: Vec<_> = wanted.collect();
            if !wanted.is_empty() {
                let bakers = self.borrow_bakers();
                let tasks = bakers.tasks(source, &wanted, &self.empty_reports);
                if tasks.is_finished() {
                    share.charge(wanted.len() as u64);
                }
                block.under_way = Some((bakers, tasks));
            }
        }
        if let Some((bakers, tasks)) = &mut block.under_way
            && !bakers.go_on(tasks, source, (context, &mut progress), share)?
        {
            return Ok(false);
        }
        progress.end();
        Ok(true)
    }

    /// The volumes that reach some tiles, in order: of a hundred thousand trees few stand on a tile.
    fn volumes_around(&self, tiles: &[(u64, Known)]) -> Vec<MarkedVolume> {
        let tiles = tiles.iter().flat_map(|(index, _)| self.plans.iter().map(move |plan| plan.tile(*index)));
        let around = tiles.map(|tile| tile.bounds_with_border()).fold(Aabb::EMPTY, Aabb::union);
        let volumes = self.level.volumes.iter().zip(&self.volume_bounds);
        volumes.filter(|(_, bounds)| bounds.overlaps(&around)).map(|(marked, _)| marked.clone()).collect()
    }

    /// All tiles of a block: those that were baked, in order, and those that were known, up to one that failed.
    fn tiles_of(&self, tiles: Vec<(u64, Known)>, tasks: Option<BlockTasks>) -> Baked {
        let (baked, failed) = tasks.map_or((Vec::new(), None), |tasks| (tasks.baked, tasks.failed));
        let mut fresh = baked.into_iter().enumerate();
        let mut all = Baked::with_capacity(tiles.len());
        for (index, known) in tiles {
            let is_fresh = known.iter().any(Option::is_none);
            let nothing = || self.empty_reports.iter().map(|report| (None, report.clone())).collect();
            let next = if is_fresh { fresh.next() } else { None };
            if let (Some((place, _)), Some((wrong, error))) = (&next, failed)
                && *place == wrong
            {
                all.push((index, Err(error)));
                break;
            }
            let mut baked: BakedForAll = next.map_or_else(nothing, |(_, baked)| baked);
            for (known, (tile, part)) in known.into_iter().zip(&mut baked) {
                if let Some(known) = known {
                    count_known(known.as_ref(), part);
                    *tile = known;
                }
            }
            all.push((index, Ok(baked)));
        }
        all
    }

    fn borrow_bakers(&self) -> AgentBakers {
        // A poisoned lock means that a thread panicked while it held the list, which is still a list of complete
        // bakers.
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| AgentBakers::new(&self.plans))
    }

    fn give_back(&self, bakers: AgentBakers) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(bakers);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::BakedTiles;
    use crate::input::{BakeSettings, TriMesh};
    use glam::Vec3;

    #[test]
    fn a_large_budget_does_not_begin_everything_at_once() {
        // Many storeys: each block takes more than its share.
        let storey =
            |k: u32| [[0.0, 0.0], [0.0, 30.0], [30.0, 30.0], [30.0, 0.0]].map(|[x, z]| Vec3::new(x, 3.0 * k as f32, z));
        let tris = (0..12).flat_map(|k| [[0, 1, 2], [0, 2, 3]].map(|tri: [u32; 3]| tri.map(|v| 4 * k + v))).collect();
        let mesh = TriMesh::new((0..12).flat_map(storey).collect(), tris).unwrap();
        let settings = BakeSettings { tile_size: 64, ..BakeSettings::default() };
        let plan = TilePlan::new(&mesh, &settings).unwrap();
        let mut bake = LevelBake::new(Level::from(&mesh), &[plan]).unwrap();
        let mut kept = BakedTiles { layout: plan.layout(), tiles: Vec::new() };
        let mut reports = [BakeReport::new(mesh.bounds())];
        let budget = Budget::new(1 << 40);
        while !bake.step(budget, &Context::default(), &mut reports, &mut [&mut kept]).unwrap().is_finished() {}
        let bakers = bake.shared.idle.lock().unwrap().len();
        assert_eq!(kept.tiles.len() as u64, plan.tile_count());
        assert!(bakers <= parallel::threads(), "{bakers} bakers, of {} threads", parallel::threads());
    }
}
