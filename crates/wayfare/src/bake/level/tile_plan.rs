//! Divides a level into tiles.
//!
//! Cost: negligible; triangles outside the plan are counted in one pass, if there are any. Sources: none needed.

use crate::bake::{BakeError, BakeReport, TileRect, WarningKind};
use crate::input::{BakeSettings, HeightMap, InputReport, Level, MarkedVolume, VoxelSettings};
use crate::math::Aabb;
use crate::tile::{PlaceRange, TileCoord, TileLayout};
use crate::voxel::Grid;
use core::ops::{Range, RangeInclusive};
use glam::Vec3;
use std::collections::BTreeSet;

/// How a level is divided into tiles.
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
    /// Divides the level, or [the bounds](BakeSettings::bounds) of the settings, into tiles.
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
        plan.tile(0).check_size()?;
        Ok(plan)
    }

    /// The initial report of a bake by this plan: sizes, questionable settings, invalid triangles, geometry outside the
    /// plan, and volumes that are nowhere near a surface.
    #[must_use]
    pub fn report(&self, level: &Level<'_>, settings: &BakeSettings) -> BakeReport {
        let mut report = self.report_within(level.bounds(), level.volumes, settings);
        let &InputReport { not_finite, degenerate, first_not_finite_at, first_degenerate_at, .. } = level.mesh.report();
        report.warn(WarningKind::TriangleNotFinite, not_finite, first_not_finite_at);
        report.warn(WarningKind::TriangleDegenerate, degenerate, first_degenerate_at);
        let (outside, first) = self.outside(level);
        report.stats.tris_outside = outside;
        // Left out on purpose if bounds were given.
        if settings.bounds.is_none() {
            report.warn(WarningKind::GroundOutside, outside.min(u64::from(u32::MAX)) as u32, first);
        }
        report
    }

    /// The same for a level of which only the bounds and the volumes are known.
    pub(crate) fn report_within(&self, level: Aabb, volumes: &[MarkedVolume], settings: &BakeSettings) -> BakeReport {
        let mut report = BakeReport::new(level);
        report.warn(WarningKind::UnwiseSetting, settings.warnings().len() as u32, None);
        // Spans extend up to two cell heights beyond the triangles.
        let rim = Vec3::new(settings.cell_size, 2.0 * settings.cell_height, settings.cell_size);
        let ground = Aabb { min: level.min - rim, max: level.max + rim };
        for bounds in volumes.iter().map(|marked| marked.volume.bounds()).filter(|b| !b.overlaps(&ground)) {
            report.warn(WarningKind::VolumeOutside, 1, (!bounds.is_empty()).then(|| bounds.center()));
        }
        (report.stats.width, report.stats.depth) = (self.level.width, self.level.depth);
        report
    }

    /// How many triangles have a corner beside or below the plan, and the first such corner. Those of a height map
    /// count as one.
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

    /// Tile number `index`, counted row by row. A number outside the plan gives a tile without cells.
    #[must_use]
    pub fn tile(&self, index: u64) -> TileRect {
        let index = index.min(self.tile_count());
        let columns = u64::from(self.columns).max(1);
        let x = (index % columns) as u32;
        let z = (index / columns) as u32;
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

    /// The number of the tile at a column and row; `None` if the plan has none there.
    #[must_use]
    pub fn index_at(&self, x: i32, z: i32) -> Option<u64> {
        let x = u32::try_from(x).ok().filter(|x| *x < self.columns)?;
        let z = u32::try_from(z).ok().filter(|z| *z < self.rows)?;
        Some(u64::from(z) * u64::from(self.columns) + u64::from(x))
    }

    /// The tiles that may change after the level has changed inside `changed`, in order: those that it touches,
    /// including their border. None for empty bounds; anything outside the level touches nothing.
    pub fn tiles_touched(&self, changed: &Aabb) -> impl Iterator<Item = u64> + use<> {
        self.touched_range(changed).iter()
    }

    /// The same tiles, as columns and rows.
    pub(crate) fn touched_range(&self, changed: &Aabb) -> TilesTouched {
        let border = Vec3::splat(self.settings.border_vx as f32 * self.level.cell_size);
        let places = self.layout().places_under(changed.min - border, changed.max + border);
        let places = places.filter(|_| !changed.is_empty()).unwrap_or(PlaceRange::NONE);
        let within = |range: RangeInclusive<i32>, count: u32| {
            let clamped = |at: i64| at.clamp(0, i64::from(count)) as u64;
            clamped((*range.start()).into())..clamped(i64::from(*range.end()) + 1)
        };
        let columns = within(places.columns(), self.columns);
        let rows = within(places.rows(), self.rows);
        TilesTouched { columns, rows, width: u64::from(self.columns) }
    }

    /// The layout of a mesh with these tiles.
    #[must_use]
    pub fn layout(&self) -> TileLayout {
        let side = |cells: u32| match self.settings.tile_size_vx {
            0 => cells as f32 * self.level.cell_size,
            side => side as f32 * self.level.cell_size,
        };
        TileLayout { origin: self.level.origin, tile_width: side(self.level.width), tile_depth: side(self.level.depth) }
    }

    /// Whether tiles of this plan can be put into a mesh with a layout: check before you bake some of its tiles again.
    /// Tiles of another layout would take the place of tiles that are elsewhere.
    ///
    /// # Errors
    /// [`BakeError::OtherLayout`].
    pub fn check_layout(&self, layout: TileLayout) -> Result<(), BakeError> {
        if self.layout() == layout { Ok(()) } else { Err(BakeError::OtherLayout) }
    }
}

/// A rectangle of tiles of a plan.
#[derive(Clone, Debug)]
pub(crate) struct TilesTouched {
    columns: Range<u64>,
    rows: Range<u64>,
    /// Columns of the plan.
    width: u64,
}

impl TilesTouched {
    /// The numbers of its tiles, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> + use<> {
        let Self { columns, rows, width } = self.clone();
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    /// How many tiles they are.
    pub(crate) fn count(&self) -> u64 {
        let side = |range: &Range<u64>| range.end.saturating_sub(range.start);
        side(&self.columns).saturating_mul(side(&self.rows))
    }

    pub(crate) fn contains(&self, tile: u64) -> bool {
        self.width > 0 && self.rows.contains(&(tile / self.width)) && self.columns.contains(&(tile % self.width))
    }

    /// Those of these tiles that are among others, in the time that the smaller number takes.
    pub(crate) fn among(&self, others: &BTreeSet<u64>) -> Vec<u64> {
        if self.count() <= others.len() as u64 {
            self.iter().filter(|tile| others.contains(tile)).collect()
        } else {
            others.iter().copied().filter(|&tile| self.contains(tile)).collect()
        }
    }
}
