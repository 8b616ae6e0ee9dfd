//! A whole level: cut into tiles (or left as one), baked in parallel, gathered in order.
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
//! Tiles are independent, so they are baked by as many threads as there are and gathered by their number: the result is
//! the same for any thread count. Each thread keeps one [`TileBaker`] and with it one bounded memory.
//!
//! Sources: tiles with borders are Recast's (Mikko Mononen, "Navigation Mesh Generation: Tiled", Digesting Duck, 2009).

use super::{BakeError, BakeReport, TileBaker, TileRect, WarningKind};
use crate::context::Context;
use crate::input::{BakeSettings, Level, VoxelSettings};
use crate::tile::{TileCoord, TileData, TileLayout};
use crate::voxel::{Grid, TriangleBins};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The tiles of a baked level, and how they are laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedTiles {
    /// How the level is cut.
    pub layout: TileLayout,
    /// The tiles that hold at least one polygon, row by row.
    pub tiles: Vec<TileData>,
}

/// Bakes a level: one tile, or as many as [`BakeSettings::tile_size`] asks for.
///
/// With feature `rayon`, tiles are baked on the threads of the pool that the call runs in; the result is the same bits for
/// any number of threads. `context.progress` is called after each tile, and `context.cancel` looked at before each.
///
/// # Errors
/// Settings out of range, a level that does not fit its grid, or a tile with too many polygons: [`BakeError`]. Dirty
/// geometry is no error: see [`BakeReport::warnings`].
pub fn bake_tiles<'a>(
    level: impl Into<Level<'a>>,
    settings: &BakeSettings,
    context: &Context<'_>,
) -> Result<(BakedTiles, BakeReport), BakeError> {
    let level = level.into();
    let mut report = BakeReport::new(level.bounds());
    for _ in settings.warnings() {
        report.warn(WarningKind::UnwiseSetting, 1, None);
    }
    let plan = TilePlan::new(level, settings)?;
    (report.stats.width, report.stats.depth) = (plan.level.width, plan.level.depth);
    let mut tiles = Vec::new();
    bake_planned(level, &plan, context, &mut report, &mut |tile| tiles.push(tile))?;
    Ok((BakedTiles { layout: plan.layout(), tiles }, report))
}

/// How a level is cut into tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TilePlan {
    /// The settings, in voxel units.
    pub settings: VoxelSettings,
    /// The grid of the whole level.
    pub level: Grid,
    /// Columns of tiles.
    pub columns: u32,
    /// Rows of tiles.
    pub rows: u32,
}

impl TilePlan {
    /// Lays tiles over the level.
    ///
    /// # Errors
    /// Settings out of range, or a level that does not fit its grid.
    pub fn new<'a>(level: impl Into<Level<'a>>, settings: &BakeSettings) -> Result<Self, BakeError> {
        let settings = settings.to_voxel()?;
        let level = Grid::of_level(level.into().bounds(), &settings)?;
        let (columns, rows) = match settings.tile_size_vx {
            0 => (1, 1),
            side => (level.width.div_ceil(side), level.depth.div_ceil(side)),
        };
        let plan = Self { settings, level, columns, rows };
        plan.tile(0).baked_grid().check_size()?;
        Ok(plan)
    }

    /// How many tiles there are.
    #[must_use]
    pub fn tile_count(&self) -> u64 {
        u64::from(self.columns) * u64::from(self.rows)
    }

    /// Tile number `index`, counted row by row.
    #[must_use]
    pub fn tile(&self, index: u64) -> TileRect {
        let (x, z) = ((index % u64::from(self.columns)) as u32, (index / u64::from(self.columns)) as u32);
        let (side, border) = match self.settings.tile_size_vx {
            0 => (self.level.width.max(self.level.depth), 0),
            side => (side, self.settings.border_vx),
        };
        let grid = Grid {
            x: (x * side) as i32,
            z: (z * side) as i32,
            width: side.min(self.level.width - x * side),
            depth: side.min(self.level.depth - z * side),
            ..self.level
        };
        TileRect { coord: TileCoord { x: x as i32, z: z as i32, layer: 0 }, grid, border }
    }

    /// The layout that a mesh of these tiles has.
    #[must_use]
    pub fn layout(&self) -> TileLayout {
        let side = |cells: u32| match self.settings.tile_size_vx {
            0 => cells as f32 * self.level.cell_size,
            side => side as f32 * self.level.cell_size,
        };
        TileLayout { origin: self.level.origin, tile_width: side(self.level.width), tile_depth: side(self.level.depth) }
    }
}

/// Bakes every tile of a plan and hands those with polygons to `sink`, row by row, as they are done: a level whose mesh does
/// not fit in memory can be written as it is made.
///
/// Up to [`TILES_AT_ONCE`] finished tiles are held at a time, and one [`TileBaker`] a thread.
///
/// # Errors
/// As [`bake_tiles`]; tiles already handed over stay valid.
pub fn bake_planned<'a>(
    level: impl Into<Level<'a>>,
    plan: &TilePlan,
    context: &Context<'_>,
    report: &mut BakeReport,
    sink: &mut dyn FnMut(TileData),
) -> Result<(), BakeError> {
    let level = level.into();
    let bins = (plan.tile_count() > 1)
        .then(|| TriangleBins::new(level.mesh, &plan.level, plan.settings.tile_size_vx, plan.settings.border_vx));
    let work = Work { level, plan, bins: bins.as_ref(), context, bakers: Mutex::default(), done: AtomicU64::new(0) };
    let count = plan.tile_count();
    let mut first = 0;
    while first < count {
        let end = count.min(first + TILES_AT_ONCE);
        for result in work.bake_range(first..end) {
            let (tile, part) = result?;
            report.merge(&part);
            tile.into_iter().for_each(&mut *sink);
        }
        first = end;
    }
    if report.stats.polys == 0 {
        report.warn(WarningKind::NothingWalkable, 1, None);
    }
    Ok(())
}

/// Finished tiles that are held until they can be handed over in order.
pub const TILES_AT_ONCE: u64 = 1024;

/// What all threads share.
struct Work<'a> {
    level: Level<'a>,
    plan: &'a TilePlan,
    bins: Option<&'a TriangleBins>,
    context: &'a Context<'a>,
    /// Bakers that no thread uses right now: as many are made as threads bake at the same time.
    bakers: Mutex<Vec<TileBaker>>,
    done: AtomicU64,
}

type Baked = Result<(Option<TileData>, BakeReport), BakeError>;

impl Work<'_> {
    #[cfg(feature = "rayon")]
    fn bake_range(&self, range: core::ops::Range<u64>) -> Vec<Baked> {
        use rayon::prelude::*;
        range.into_par_iter().map(|index| self.bake_one(index)).collect()
    }

    #[cfg(not(feature = "rayon"))]
    fn bake_range(&self, range: core::ops::Range<u64>) -> Vec<Baked> {
        range.map(|index| self.bake_one(index)).collect()
    }

    fn bake_one(&self, index: u64) -> Baked {
        self.context.check_cancelled()?;
        let tile = self.plan.tile(index);
        let triangles = self.bins.map(|bins| bins.tile(tile.coord.x as u32, tile.coord.z as u32));
        let mut baker = self.borrow_baker();
        let mut report = BakeReport::new(self.level.bounds());
        let result = baker.bake(self.level, triangles, &tile, self.context, &mut report);
        self.give_back(baker);
        self.context.progress(self.done.fetch_add(1, Ordering::Relaxed) + 1, self.plan.tile_count());
        Ok((result?, report))
    }

    fn borrow_baker(&self) -> TileBaker {
        // A poisoned lock means that a thread panicked while it held the list, which stays a list of whole bakers.
        let idle = self.bakers.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| TileBaker::new(self.plan.level, self.plan.settings))
    }

    fn give_back(&self, baker: TileBaker) {
        self.bakers.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(baker);
    }
}
