//! Bakes a world into a store.
//!
//! ```text
//!   round:   block   block   block   ...      on all threads: query the source, hash, bake what is new
//!              |       |       |
//!            write   write   write   ...      row by row, then commit: committed tiles are never baked again
//! ```
//!
//! Memory: a block with its triangles for each thread, the tiles of a round, and the store's index; also the records of
//! places without ground, a few hundred bytes each, until the first tile with ground: a world in which nothing can be
//! walked on leaves the store as it was.
//!
//! Cost: the triangles of every tile are queried and hashed, even if nothing has changed; then that of the tiles that
//! are new. Sources: own work; a bake that continues from a database of tiles follows OpenMW's navmeshtool (2021).

use super::blocks::WorldBlocks;
use super::tile_block::{BlockContext, WorldTile, bake_block, digest_of_flags};
use super::{TileWindow, WorldBakeError, WorldSource};
use crate::area::{AreaRules, AreaTable};
use crate::bake::{BakeReport, TilePlan, WarningKind};
use crate::context::{Budget, Context, Progress, SharedCount, parallel};
use crate::format::{StoreError, StoreHead, StoreRecord, WayEnd, WorldStore};
use crate::hierarchy::write_default_levels;
use crate::input::{BakeSettings, TriMesh};
use crate::mesh::OffMeshConnection;
use crate::tile::BakedFor;

/// How many blocks a round has for each thread: with fewer, threads would idle at the end of a round.
const BLOCKS_A_THREAD: usize = 8;

/// The settings of a world's bake.
#[derive(Clone, Debug)]
pub struct WorldSettings {
    /// The settings of the bake. Their bounds, if given, replace those of the source. Default: tiles of
    /// [`TILE_SIZE`](Self::TILE_SIZE) cells, everything else as for a level.
    pub bake: BakeSettings,
    /// Names and costs of area types, for the store's head.
    pub areas: AreaTable,
    /// Flags by area type. Polygons of other area types keep the flags that the bake gives them.
    pub flags: AreaRules,
    /// Off-mesh connections in addition to those of the source.
    pub connections: Vec<OffMeshConnection>,
    /// Which tiles are baked, if not all: for example the share of one machine of several.
    pub tiles: Option<TileWindow>,
}

impl WorldSettings {
    /// The side of a tile, in cells, unless set otherwise: 64. A world in one tile could be neither continued after an
    /// interruption nor kept in memory in part.
    pub const TILE_SIZE: u32 = 64;
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            bake: BakeSettings { tile_size: Self::TILE_SIZE, ..BakeSettings::default() },
            areas: AreaTable::default(),
            flags: AreaRules::default(),
            connections: Vec::new(),
            tiles: None,
        }
    }
}

/// The bake of a world, in steps. The bytes of the tiles do not depend on budgets, threads, ranges or interruptions.
pub struct WorldBake<'a> {
    shared: BlockContext<'a>,
    blocks: WorldBlocks,
    window: TileWindow,
    /// Whether all tiles are baked.
    is_whole: bool,
    /// Whether a range was asked for, which may be all.
    is_range: bool,
    /// Records that wait for the first tile with ground.
    held: Vec<StoreRecord>,
    done: u64,
    has_begun: bool,
    is_finished: bool,
    report: BakeReport,
}

impl<'a> WorldBake<'a> {
    /// Prepares the bake of a world.
    ///
    /// # Errors
    /// [`WorldBakeError`]: settings out of range, a world that does not fit its grid, or a range without tiles.
    pub fn new(source: &'a dyn WorldSource, settings: &'a WorldSettings) -> Result<Self, WorldBakeError> {
        let bounds = settings.bake.bounds.unwrap_or_else(|| source.bounds());
        let bake = BakeSettings { bounds: Some(bounds), ..settings.bake };
        let plan = TilePlan::new(&TriMesh::EMPTY, &bake)?;
        let all = TileWindow::of_plan(&plan);
        let window = settings.tiles.as_ref().map_or_else(|| all.clone(), |tiles| tiles.within(&plan));
        if window.is_empty() {
            return Err(WorldBakeError::NoTiles { columns: plan.columns, rows: plan.rows });
        }
        let connections = [source.connections(), &settings.connections].concat();
        let end = WayEnd { connections: &connections, areas: &settings.areas, ..WayEnd::default() };
        let head = StoreHead::new(plan.layout(), end)?.with_baked_for(baked_for(&plan)).map_err(StoreError::Head)?;
        let mut report = plan.report_within(source.bounds(), source.volumes(), &bake);
        report.bounds = bounds;
        let shared = BlockContext {
            source,
            plan,
            head,
            flags: &settings.flags,
            flags_digest: digest_of_flags(&settings.flags),
            empty_report: BakeReport::new(bounds),
            idle: std::sync::Mutex::default(),
        };
        let blocks = WorldBlocks::new(&plan, window.clone());
        let is_whole = window == all;
        Ok(Self {
            shared,
            blocks,
            window,
            is_whole,
            is_range: settings.tiles.is_some(),
            held: Vec::new(),
            done: 0,
            has_begun: false,
            is_finished: false,
            report,
        })
    }

    /// How the world is divided into tiles.
    #[must_use]
    pub fn plan(&self) -> &TilePlan {
        &self.shared.plan
    }

    /// The head of the store.
    #[must_use]
    pub fn head(&self) -> &StoreHead {
        &self.shared.head
    }

    /// Fails if tiles of a range may not be added to a store, since its tiles are of another world: they would be lost,
    /// or not fit together with the new ones. A bake of the whole world replaces them. [`step`](Self::step) checks it,
    /// too.
    ///
    /// # Errors
    /// [`StoreError::OtherWorld`].
    pub fn check_store(&self, store: &dyn WorldStore) -> Result<(), StoreError> {
        if !self.is_range || store.index().is_empty() {
            return Ok(());
        }
        store.head().difference(&self.shared.head).map_or(Ok(()), |what| Err(StoreError::OtherWorld(what)))
    }

    /// The progress, in tiles.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let total = self.window.len();
        let done = if self.is_finished { total } else { self.done.min(total.saturating_sub(1)) };
        Progress { done, total }
    }

    /// Counts, times and warnings so far. Tiles that were in the store are counted, but not the warnings of their
    /// bakes.
    #[must_use]
    pub fn report(&self) -> &BakeReport {
        &self.report
    }

    /// Continues by at least one block of tiles and at most one round, which is enough blocks to keep all threads busy
    /// for some time. A unit of the budget is a tile. Each round is committed. If no range of tiles was asked for,
    /// nothing is written before the first tile with ground: if there is none, the store stays as it was, and the
    /// report [says so](WarningKind::NothingWalkable).
    ///
    /// # Errors
    /// [`WorldBakeError`]. The bake can be continued after it was cancelled or the store failed: no committed tile is
    /// lost, and none is counted twice.
    pub fn step(
        &mut self,
        budget: Budget,
        store: &mut dyn WorldStore,
        context: &Context<'_>,
    ) -> Result<Progress, WorldBakeError> {
        context.check_cancelled()?;
        if budget.left() == 0 || self.is_finished {
            return Ok(self.progress());
        }
        if self.is_range {
            self.begin(store)?;
        }
        // The blocks are removed only once they are written, so that a failed step can be repeated.
        let mut blocks = self.blocks.clone();
        let round = next_round(&mut blocks, budget);
        if round.is_empty() {
            self.finish(store)?;
            return Ok(self.progress());
        }
        let count: u64 = round.iter().map(TileWindow::len).sum();
        let worked = SharedCount::new(self.done);
        let total = self.window.len();
        let fits = store.head().layout() == self.shared.head.layout();
        let known = fits.then_some(&*store);
        let one = |block: TileWindow| {
            let tiles = bake_block(&self.shared, &block, known, context);
            worked.add(block.len(), |done| context.progress(done.min(total.saturating_sub(1)), total));
            tiles
        };
        let baked = parallel::map(round, || (), |(), block| one(block));
        let tiles = baked.into_iter().collect::<Result<Vec<_>, _>>()?;
        let has_ground = tiles.iter().flatten().any(|tile| tile.report.stats.polys > 0);
        if self.has_begun || has_ground {
            self.begin(store)?;
            let new = tiles.iter().flatten().filter_map(|tile| tile.record.as_ref());
            self.held.iter().chain(new).try_for_each(|record| store.write(record))?;
            store.commit()?;
            self.held.clear();
        }
        for WorldTile { report, record } in tiles.into_iter().flatten() {
            self.report.merge(&report);
            self.held.extend(record.filter(|_| !self.has_begun));
        }
        self.blocks = blocks;
        self.done += count;
        if self.done >= total {
            self.finish(store)?;
        }
        Ok(self.progress())
    }

    /// Prepares the store for tiles of this world.
    fn begin(&mut self, store: &mut dyn WorldStore) -> Result<(), StoreError> {
        if self.has_begun {
            return Ok(());
        }
        self.check_store(&*store)?;
        if store.head().difference(&self.shared.head).is_some() {
            store.set_world(&self.shared.head)?;
            store.commit()?;
        }
        self.has_begun = true;
        Ok(())
    }

    /// Removes tiles that the world no longer has, and writes the levels of the abstract graph.
    fn finish(&mut self, store: &mut dyn WorldStore) -> Result<(), WorldBakeError> {
        if !self.has_begun {
            self.report.warn(WarningKind::NothingWalkable, 1, None);
        } else if self.is_whole {
            let plan = &self.shared.plan;
            store.remove_where(&|coord| plan.index_at(coord.x, coord.z).is_none() || coord.layer > 0)?;
            store.commit()?;
            write_default_levels(store)?;
        }
        self.is_finished = true;
        Ok(())
    }
}

/// What all tiles of a plan are baked for, as each of them says.
fn baked_for(plan: &TilePlan) -> BakedFor {
    let settings = &plan.settings;
    BakedFor {
        radius: settings.eroded_radius(),
        height: settings.agent.height,
        climb: settings.agent.max_climb,
        cell_size: settings.cell_size,
        cell_height: settings.cell_height,
    }
}

fn next_round(blocks: &mut WorldBlocks, mut budget: Budget) -> Vec<TileWindow> {
    let mut round = Vec::new();
    while budget.left() > 0 && round.len() < parallel::threads() * BLOCKS_A_THREAD {
        let Some(block) = blocks.next() else { break };
        budget.charge(block.len());
        round.push(block);
    }
    round
}

impl core::fmt::Debug for WorldBake<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("WorldBake").field("progress", &self.progress()).finish_non_exhaustive()
    }
}
