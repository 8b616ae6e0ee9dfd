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
//! How tiles are shared out among threads, and several agents baked at once, stands in `tile_work`.
//!
//! Sources: tiles with borders are Recast's (Mikko Mononen, 2009).

use crate::bake::{BakeError, BakeReport, TileRect, TileStore, WarningKind, bake_agents_planned};
use crate::context::{Cancelled, Context};
use crate::input::{BakeSettings, HeightMap, Level, VoxelSettings};
use crate::math::Aabb;
use crate::tile::{PlaceRange, TileCoord, TileData, TileLayout};
use crate::voxel::Grid;
use core::ops::RangeInclusive;
use glam::Vec3;

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
/// With feature `rayon`, tiles are baked on the threads of the pool that the call runs in; the result is the same bits
/// for any number of threads. `context.progress` is called after each tile, and `context.cancel` looked at before each.
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
    let plan = TilePlan::new(level, settings)?;
    let mut report = plan.report(&level, settings);
    let mut tiles = Vec::new();
    bake_planned(level, &plan, context, &mut report, &mut |tile| tiles.push(tile))?;
    Ok((BakedTiles { layout: plan.layout(), tiles }, report))
}

/// Bakes a level for several agents at once, from one rasterisation where their slope and climb are the same. Each
/// comes out as [`bake_tiles`] alone would give it, with its own report. Cell and tile sizes must be the same; all
/// other settings may differ.
///
/// # Errors
/// [`BakeError::AgentsDiffer`], or as [`bake_tiles`].
pub fn bake_agents<'a>(
    level: impl Into<Level<'a>>,
    settings: &[BakeSettings],
    context: &Context<'_>,
) -> Result<Vec<(BakedTiles, BakeReport)>, BakeError> {
    let level = level.into();
    let plans = settings.iter().map(|settings| TilePlan::new(level, settings)).collect::<Result<Vec<_>, _>>()?;
    let mut reports: Vec<_> = plans.iter().zip(settings).map(|(plan, s)| plan.report(&level, s)).collect();
    let mut baked: Vec<_> = plans.iter().map(|plan| BakedTiles { layout: plan.layout(), tiles: Vec::new() }).collect();
    let mut stores: Vec<&mut dyn TileStore> = baked.iter_mut().map(|baked| baked as _).collect();
    bake_agents_planned(level, &plans, context, &mut reports, &mut stores)?;
    Ok(baked.into_iter().zip(reports).collect())
}

impl TileStore for BakedTiles {
    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        self.tiles.extend(tile);
        Ok(())
    }
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
    /// Lays tiles over the level, or over [the bounds](BakeSettings::bounds) that the settings give.
    ///
    /// # Errors
    /// Settings out of range, or a level that does not fit its grid.
    pub fn new<'a>(level: impl Into<Level<'a>>, settings: &BakeSettings) -> Result<Self, BakeError> {
        let bounds = settings.bounds_of(level);
        let settings = settings.to_voxel()?;
        let level = Grid::of_level(bounds, &settings)?;
        let (columns, rows) = match settings.tile_size_vx {
            0 => (1, 1),
            side => (level.width.div_ceil(side), level.depth.div_ceil(side)),
        };
        let plan = Self { settings, level, columns, rows };
        plan.tile(0).baked_grid().check_size()?;
        Ok(plan)
    }

    /// The report with which a bake by this plan begins: sizes, what is unwise about the settings, what lies outside of
    /// the plan, and volumes that are nowhere near the ground.
    #[must_use]
    pub fn report(&self, level: &Level<'_>, settings: &BakeSettings) -> BakeReport {
        let mut report = BakeReport::new(level.bounds());
        report.warn(WarningKind::UnwiseSetting, settings.warnings().len() as u32, None);
        // Spans reach up to two cell heights beyond the triangles.
        let rim = Vec3::new(settings.cell_size, 2.0 * settings.cell_height, settings.cell_size);
        let ground = Aabb { min: report.bounds.min - rim, max: report.bounds.max + rim };
        for bounds in level.volumes.iter().map(|marked| marked.volume.bounds()).filter(|b| !b.overlaps(&ground)) {
            report.warn(WarningKind::VolumeOutside, 1, (!bounds.is_empty()).then(|| bounds.center()));
        }
        let (outside, first) = self.outside(level);
        report.stats.tris_outside = outside;
        // Left out on purpose where the bounds say so.
        if settings.bounds.is_none() {
            report.warn(WarningKind::GroundOutside, outside.min(u64::from(u32::MAX)) as u32, first);
        }
        (report.stats.width, report.stats.depth) = (self.level.width, self.level.depth);
        report
    }

    /// How many triangles have a corner beside or below the plan, and the first such corner. Those of a height map are
    /// counted as one.
    fn outside(&self, level: &Level<'_>) -> (u64, Option<Vec3>) {
        let Grid { origin, cell_size, cell_height, width, depth, .. } = self.level;
        // Sides are rounded to whole cells.
        let rim = Vec3::new(cell_size, cell_height, cell_size);
        let high = origin + Vec3::new(width as f32 * cell_size, 0.0, depth as f32 * cell_size) + rim;
        let planned = Aabb { min: origin - rim, max: high.with_y(f32::INFINITY) };
        let leaves = |bounds: Aabb| [bounds.min, bounds.max].into_iter().find(|corner| !planned.contains(*corner));
        if level.bounds().is_empty() || leaves(level.bounds()).is_none() {
            return (0, None);
        }
        let corners = (0..level.mesh.tris().len()).map(|tri| Aabb::around(level.mesh.corners(tri)));
        let all = level.terrain.map(HeightMap::bounds).into_iter().chain(corners);
        let mut outside = all.filter_map(leaves);
        let first = outside.next();
        (u64::from(first.is_some()) + outside.count() as u64, first)
    }

    /// How many tiles there are.
    #[must_use]
    pub fn tile_count(&self) -> u64 {
        u64::from(self.columns) * u64::from(self.rows)
    }

    /// Tile number `index`, counted row by row. One that the plan does not have has no cells.
    #[must_use]
    pub fn tile(&self, index: u64) -> TileRect {
        let index = index.min(self.tile_count());
        let (x, z) = ((index % u64::from(self.columns)) as u32, (index / u64::from(self.columns)) as u32);
        let (side, border) = match self.settings.tile_size_vx {
            0 => (self.level.width.max(self.level.depth), 0),
            side => (side, self.settings.border_vx),
        };
        let grid = Grid {
            x: x.saturating_mul(side) as i32,
            z: z.saturating_mul(side) as i32,
            width: side.min(self.level.width.saturating_sub(x.saturating_mul(side))),
            depth: side.min(self.level.depth.saturating_sub(z.saturating_mul(side))),
            ..self.level
        };
        TileRect { coord: TileCoord { x: x as i32, z: z as i32, layer: 0 }, grid, border }
    }

    /// The tiles that can come out otherwise after the level has changed inside `changed`, in order: those that it
    /// touches with the border in which they look around. None for empty bounds; what lies beyond the level touches
    /// nothing.
    pub fn tiles_touched(&self, changed: &Aabb) -> impl Iterator<Item = u64> + use<> {
        let border = Vec3::splat(self.settings.border_vx as f32 * self.level.cell_size);
        let places = self.layout().places_under(changed.min - border, changed.max + border);
        let places = places.filter(|_| !changed.is_empty()).unwrap_or(PlaceRange::NONE);
        let within = |range: RangeInclusive<i32>, count: u32| {
            let clamped = |at: i64| at.clamp(0, i64::from(count)) as u64;
            clamped((*range.start()).into())..clamped(i64::from(*range.end()) + 1)
        };
        let (columns, rows) = (within(places.columns(), self.columns), within(places.rows(), self.rows));
        let width = u64::from(self.columns);
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
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

/// Bakes every tile of a plan and hands those with polygons to `sink`, row by row, as they are done: a level whose mesh
/// does not fit in memory can be written as it is made.
///
/// Up to [`TILES_AT_ONCE`](crate::bake::TILES_AT_ONCE) finished tiles are held at a time, and one
/// [`TileBaker`](crate::bake::TileBaker) a thread. A caller that knows some of the tiles already, or may fail, is a
/// [`TileStore`]: see [`bake_agents_planned`].
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
    let plans = core::slice::from_ref(plan);
    bake_agents_planned(level, plans, context, core::slice::from_mut(report), &mut [&mut Sink(sink)])
}

/// Knows nothing, never fails, and is not told of tiles without polygons.
struct Sink<'a>(&'a mut dyn FnMut(TileData));

impl TileStore for Sink<'_> {
    fn take(&mut self, _: TileCoord, tile: Option<TileData>) -> Result<(), Cancelled> {
        tile.into_iter().for_each(&mut *self.0);
        Ok(())
    }
}
