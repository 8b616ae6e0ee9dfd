//! The only conversion from world units to voxel units, and the ranges of all settings.
//!
//! Sources: the rounding rules are those of the Recast demo (heights up, climb down, radius up). Quotients are computed
//! in f32 as they are there: in f64, 0.6 / 0.1 gives another voxel radius.

use super::{BakeSettings, Erosion, Filters, Partition};
use crate::math::{Aabb, ops};

/// Contours simplified with larger errors, in cells, probably cross their neighbours.
const MAX_WISE_EDGE_ERROR: f32 = 4.0;

/// Validated settings in voxel units. Made only by [`BakeSettings::to_voxel`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct VoxelSettings {
    /// Side of a cell in metres.
    pub cell_size: f32,
    /// Height of a cell in metres.
    pub cell_height: f32,
    /// Cosine of the steepest walkable slope: a triangle is walkable if its unit normal's y is above this.
    pub min_walkable_normal_y: f32,
    /// Agent height in cell heights, rounded up; at least 1.
    pub agent_height_vx: u32,
    /// Highest step in cell heights, rounded down.
    pub agent_climb_vx: u32,
    /// Deepest drop in cell heights, rounded down; at least the climb.
    pub agent_drop_vx: u32,
    /// Agent radius in cells, rounded up: the distance that [`Erosion::Chamfer`] removes. [`Erosion::Euclidean`]
    /// removes the radius of `agent`, in metres.
    pub agent_radius_vx: u32,
    /// How walkable surfaces are eroded by the radius.
    pub erosion: Erosion,
    /// The filters that run.
    pub filters: Filters,
    /// How walkable cells are cut into regions.
    pub partition: Partition,
    /// Cells in the smallest region that is kept (the square of the side length set).
    pub min_region_cells: u32,
    /// Regions with fewer cells are merged into a neighbour where possible (the square of the side length set).
    pub merge_region_cells: u32,
    /// Longest edge along walls in cells; 0: no limit.
    pub edge_max_len_vx: u32,
    /// How far a simplified wall may deviate from the edge of the voxels, in cells.
    pub edge_max_error: f32,
    /// Most corners of a polygon.
    pub verts_per_poly: u32,
    /// Distance between height samples in metres; 0: none inside polygons.
    pub detail_sample_dist: f32,
    /// Greatest error of the detail mesh in metres.
    pub detail_sample_max_error: f32,
    /// Side of a tile in cells; 0: one tile.
    pub tile_size_vx: u32,
    /// Cells around a tile that are rasterised with it, so that erosion and regions near its border match those of the
    /// neighbour: radius + 3.
    pub border_vx: u32,
    /// The agent's sizes in metres, as given. The finished mesh stores them, with the radius [as
    /// eroded](Self::eroded_radius).
    pub agent: super::AgentSettings,
}

impl VoxelSettings {
    /// The distance kept from walls, metres: the agent's radius, rounded up to whole cells if the erosion does so.
    /// Along walls at an angle to the cells [`Erosion::Chamfer`] keeps up to an eighth less; along walls parallel to
    /// them [`Erosion::Euclidean`] keeps up to a cell more.
    #[must_use]
    pub fn eroded_radius(&self) -> f32 {
        match self.erosion {
            Erosion::Chamfer => self.agent.radius.max(self.agent_radius_vx as f32 * self.cell_size),
            Erosion::Euclidean => self.agent.radius,
        }
    }
}

/// A setting that is out of range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{name} is {}, but must be {range}{}", shown(*value), here(*limit))]
pub struct SettingsError {
    /// Path of the field: `cell_size`, `agent.radius`, `bounds.max.x`; for links `links.spacing`.
    pub name: &'static str,
    /// The value given.
    pub value: f64,
    /// The allowed range, in words.
    pub range: &'static str,
    /// The greatest allowed value, metres, if it depends on another setting.
    pub limit: Option<f64>,
}

/// Counts as they are, lengths as the `f32` given.
fn shown(value: f64) -> String {
    let count = value as u32;
    if f64::from(count) == value { count.to_string() } else { (value as f32).to_string() }
}

fn here(limit: Option<f64>) -> String {
    limit.map_or_else(String::new, |limit| format!(": here {} m", limit as f32))
}

/// A valid setting that will probably give poor results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettingsWarning {
    /// Path of the field: `cell_size`, `agent.radius`.
    pub name: &'static str,
    /// The value given.
    pub value: f32,
    /// What to expect and what to change.
    pub advice: &'static str,
}

impl core::fmt::Display for SettingsWarning {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} is {}: {}", self.name, self.value, self.advice)
    }
}

impl BakeSettings {
    /// Checks all settings and converts them to voxel units.
    ///
    /// # Errors
    /// The first setting out of range: [`SettingsError`].
    pub fn to_voxel(&self) -> Result<VoxelSettings, SettingsError> {
        self.check_ranges()?;
        let agent = self.agent;
        let cs = self.cell_size;
        let ch = self.cell_height;
        let defaults = Self::default();
        let cells = ("cell_size", cs, defaults.cell_size);
        let heights = ("cell_height", ch, defaults.cell_height);
        let radius = Length {
            length: ("agent.radius", agent.radius, defaults.agent.radius),
            cell: cells,
            most: MAX_RADIUS_VX,
            ranges: ["at most 65535 cells", "so large that the agent's radius is at most 65535 cells"],
        };
        let height = Length {
            length: ("agent.height", agent.height, defaults.agent.height),
            cell: heights,
            most: MAX_HEIGHT_VX,
            ranges: ["at most 65535 cell heights", "so large that the agent's height is at most 65535 cell heights"],
        };
        let drop = Length {
            length: ("agent.max_drop", agent.max_drop, defaults.agent.height),
            ranges: ["at most 65535 cell heights", "so large that the agent's drop is at most 65535 cell heights"],
            ..height
        };
        let edge = Length {
            length: ("edge_max_len", self.edge_max_len, defaults.edge_max_len),
            cell: cells,
            most: u32::MAX,
            ranges: ["at most 2^32 cells", "so large that the longest edge is at most 2^32 cells"],
        };
        let agent_radius_vx = radius.in_cells(f32::ceil)?;
        let height = height.in_cells(f32::ceil)?;
        let drop = drop.in_cells(f32::floor)?;
        // The climb is at most the height.
        let climb = (agent.max_climb / ch).floor() as u32;
        let edge_max_len_vx = edge.in_cells(f32::floor)?;
        Ok(VoxelSettings {
            cell_size: cs,
            cell_height: ch,
            // At 90° the cosine is a little below 0, the normal of a wall 0.
            min_walkable_normal_y: ops::cos(agent.max_slope).max(0.0),
            agent_height_vx: height.max(1),
            agent_climb_vx: climb,
            agent_drop_vx: drop.max(climb),
            agent_radius_vx,
            erosion: self.erosion,
            filters: self.filters,
            partition: self.partition,
            min_region_cells: self.region_min_size.saturating_mul(self.region_min_size),
            merge_region_cells: self.region_merge_size.saturating_mul(self.region_merge_size),
            edge_max_len_vx,
            edge_max_error: self.edge_max_error,
            verts_per_poly: self.verts_per_poly,
            detail_sample_dist: if self.detail_sample_dist < 0.9 { 0.0 } else { self.detail_sample_dist * cs },
            detail_sample_max_error: self.detail_sample_max_error * ch,
            tile_size_vx: self.tile_size,
            border_vx: agent_radius_vx + 3,
            agent,
        })
    }

    /// Valid settings that will probably give poor results. Empty for settings that [`to_voxel`](Self::to_voxel)
    /// refuses.
    #[must_use]
    pub fn warnings(&self) -> Vec<SettingsWarning> {
        let Ok(vx) = self.to_voxel() else { return Vec::new() };
        let mut found = Vec::new();
        let mut warn = |unwise: bool, name, value: f32, advice| {
            if unwise {
                found.push(SettingsWarning { name, value, advice });
            }
        };
        let agent = self.agent;
        warn(
            agent.radius > 0.0 && self.cell_size > agent.radius,
            "cell_size",
            self.cell_size,
            "cells larger than the agent's radius widen walls by up to a cell and close doors: use half the radius or less",
        );
        warn(
            agent.max_climb > 0.0 && vx.agent_climb_vx == 0,
            "cell_height",
            self.cell_height,
            "the climb is rounded down to zero cell heights, so no step can be taken: use half the climb or less",
        );
        let steps = agent.max_climb / self.cell_height;
        warn(
            steps.ceil() > steps.floor() && steps.ceil() - steps < 1e-3,
            "cell_height",
            self.cell_height,
            "the climb is a whole number of cell heights but for rounding, and loses one: use a thousandth less",
        );
        warn(
            vx.min_walkable_normal_y >= 1.0,
            "agent.max_slope",
            agent.max_slope,
            "ground must be less steep than this, and none is, not even where it is level: use 1 degree or more",
        );
        warn(
            vx.agent_height_vx < 3,
            "cell_height",
            self.cell_height,
            "the agent is less than three cell heights tall, so ceilings are seen very coarsely: use a smaller cell height",
        );
        warn(
            self.edge_max_error > MAX_WISE_EDGE_ERROR,
            "edge_max_error",
            self.edge_max_error,
            "contours that leave the surface this far may cross each other, and the mesh then overlaps itself: use 4 cells \
             or less",
        );
        warn(
            self.tile_size > 0 && self.tile_size < 2 * vx.border_vx,
            "tile_size",
            self.tile_size as f32,
            "most of the work goes into the border around each tile: use larger tiles",
        );
        found
    }

    fn check_ranges(&self) -> Result<(), SettingsError> {
        let agent = self.agent;
        let check_any = |ok: bool, name, value: f64, range| {
            if ok { Ok(()) } else { Err(SettingsError { name, value, range, limit: None }) }
        };
        let check = |ok, name, value: f32, range| check_any(ok, name, f64::from(value), range);
        let count = |ok, name, value: u32, range| check_any(ok, name, f64::from(value), range);
        let size = |v: f32| v.is_finite() && v > 0.0;
        let length = |v: f32| v.is_finite() && v >= 0.0;
        check(size(agent.height), "agent.height", agent.height, "a finite number above 0")?;
        check(length(agent.radius), "agent.radius", agent.radius, "a finite number, 0 or above")?;
        let climb = agent.max_climb;
        check(length(climb) && climb <= agent.height, "agent.max_climb", climb, "between 0 and the agent's height")?;
        check(length(agent.max_drop), "agent.max_drop", agent.max_drop, "a finite number, 0 or above")?;
        let slope_ok = (0.0..=core::f32::consts::FRAC_PI_2).contains(&agent.max_slope);
        check(slope_ok, "agent.max_slope", agent.max_slope, "between 0 and pi / 2 radians, which are 90 degrees")?;
        // Checked after the agent, whose sizes they may have been derived from.
        check(size(self.cell_size), "cell_size", self.cell_size, "a finite number above 0")?;
        check(size(self.cell_height), "cell_height", self.cell_height, "a finite number above 0")?;
        check(length(self.edge_max_len), "edge_max_len", self.edge_max_len, "a finite number, 0 or above")?;
        check(length(self.edge_max_error), "edge_max_error", self.edge_max_error, "a finite number, 0 or above")?;
        let verts = self.verts_per_poly;
        count((3..=MAX_VERTS_PER_POLY).contains(&verts), "verts_per_poly", verts, "between 3 and 64")?;
        check(
            length(self.detail_sample_dist),
            "detail_sample_dist",
            self.detail_sample_dist,
            "a finite number, 0 or above",
        )?;
        check(
            length(self.detail_sample_max_error),
            "detail_sample_max_error",
            self.detail_sample_max_error,
            "a finite number, 0 or above",
        )?;
        let tile = self.tile_size;
        let is_tile = tile == 0 || (8..=MAX_TILE_SIZE).contains(&tile);
        count(is_tile, "tile_size", tile, "0 or between 8 and 16384 cells")?;
        let Some(Aabb { min, max }) = self.bounds else { return Ok(()) };
        let names =
            [["bounds.min.x", "bounds.max.x"], ["bounds.min.y", "bounds.max.y"], ["bounds.min.z", "bounds.max.z"]];
        for (axis, [low_name, high_name]) in names.into_iter().enumerate() {
            let low = min[axis];
            let high = max[axis];
            check(low.is_finite(), low_name, low, "a finite number")?;
            let is_above = high.is_finite() && high >= low;
            check(is_above, high_name, high, "a finite number, not below that of the low corner")?;
        }
        Ok(())
    }
}

/// Heights are 16 bits above the lowest point of the level.
const MAX_HEIGHT_VX: u32 = u16::MAX as u32;
/// The border around a tile, radius + 3, must itself be a grid of reasonable size.
const MAX_RADIUS_VX: u32 = u16::MAX as u32;
/// Polygons with more corners than this do not make searches faster.
const MAX_VERTS_PER_POLY: u32 = 64;
/// Wider tiles than this are better baked as a single tile.
const MAX_TILE_SIZE: u32 = 16384;

/// A setting: its name, its value and its default.
type Setting = (&'static str, f32, f32);

/// A length that is counted in cells.
#[derive(Clone, Copy)]
struct Length {
    length: Setting,
    /// Side or height of a cell.
    cell: Setting,
    /// Most cells.
    most: u32,
    /// The allowed range of the length, and that of the cell, in words.
    ranges: [&'static str; 2],
}

impl Length {
    /// The length in whole cells. If they are too many, the error names whichever setting is farther from its default.
    fn in_cells(self, round: fn(f32) -> f32) -> Result<u32, SettingsError> {
        let Self { length: (name, length, usual), cell: (cell_name, cell, usual_cell), most, ranges } = self;
        let count = round(length / cell);
        if f64::from(count) <= f64::from(most) {
            return Ok(count as u32);
        }
        if length / usual >= usual_cell / cell {
            let limit = Some(f64::from(cell) * f64::from(most));
            Err(SettingsError { name, value: f64::from(length), range: ranges[0], limit })
        } else {
            Err(SettingsError { name: cell_name, value: f64::from(cell), range: ranges[1], limit: None })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::AgentSettings;

    #[test]
    fn the_demos_defaults_become_its_voxels() {
        let vx = BakeSettings::default().to_voxel().unwrap();
        assert_eq!((vx.agent_height_vx, vx.agent_radius_vx, vx.agent_climb_vx), (10, 2, 4));
        assert_eq!((vx.min_region_cells, vx.merge_region_cells, vx.edge_max_len_vx), (64, 400, 40));
        assert_eq!((vx.detail_sample_dist, vx.detail_sample_max_error, vx.border_vx), (0.3 * 6.0, 0.2, 5));
    }

    #[test]
    fn quotients_are_f32() {
        // In f64, f64::from(0.6f32) / f64::from(0.1f32) is just above 6 and would round up to 7… or not, by platform
        // luck.
        let settings = BakeSettings { cell_size: 0.1, ..BakeSettings::default() };
        assert_eq!(settings.to_voxel().unwrap().agent_radius_vx, (0.6f32 / 0.1f32).ceil() as u32);
    }

    #[test]
    fn nonsense_names_the_field_and_the_range() {
        let agent = AgentSettings { radius: -1.0, ..AgentSettings::default() };
        let error = BakeSettings { agent, ..BakeSettings::default() }.to_voxel().unwrap_err();
        assert_eq!(error.to_string(), "agent.radius is -1, but must be a finite number, 0 or above");
        let agent = AgentSettings { max_slope: 45.0, ..AgentSettings::default() };
        let error = BakeSettings { agent, ..BakeSettings::default() }.to_voxel().unwrap_err().to_string();
        assert_eq!(error, "agent.max_slope is 45, but must be between 0 and pi / 2 radians, which are 90 degrees");
        let error = BakeSettings { tile_size: u32::MAX, ..BakeSettings::default() }.to_voxel().unwrap_err().to_string();
        assert_eq!(error, "tile_size is 4294967295, but must be 0 or between 8 and 16384 cells");
        for cell_size in [0.0, f32::NAN, f32::INFINITY, -0.3] {
            assert_eq!(BakeSettings { cell_size, ..BakeSettings::default() }.to_voxel().unwrap_err().name, "cell_size");
        }
    }

    #[test]
    fn a_cell_too_small_for_the_agent_is_named() {
        let error = |settings: BakeSettings| settings.to_voxel().unwrap_err().to_string();
        let tiny = BakeSettings { cell_size: 1e-6, ..BakeSettings::default() };
        let expected = "so large that the agent's radius is at most 65535 cells";
        assert_eq!(error(tiny), format!("cell_size is 0.000001, but must be {expected}"));
        let low = BakeSettings { cell_height: 1e-6, ..BakeSettings::default() };
        assert!(error(low).contains("agent's height is at most 65535 cell heights"));
    }

    #[test]
    fn an_agent_too_large_for_the_cells_is_named_with_its_limit() {
        let own = AgentSettings::default();
        for (agent, says) in [
            (
                AgentSettings { radius: 1e9, ..own },
                "agent.radius is 1000000000, but must be at most 65535 cells: here 19660.5 m",
            ),
            (
                AgentSettings { height: 1e9, ..own },
                "agent.height is 1000000000, but must be at most 65535 cell heights: here 13107 m",
            ),
            (
                AgentSettings { max_drop: 1e9, ..own },
                "agent.max_drop is 1000000000, but must be at most 65535 cell heights: here 13107 m",
            ),
        ] {
            assert_eq!(BakeSettings { agent, ..BakeSettings::default() }.to_voxel().unwrap_err().to_string(), says);
        }
        let long = BakeSettings { edge_max_len: 4e9, ..BakeSettings::default() }.to_voxel().unwrap_err();
        assert_eq!(long.name, "edge_max_len");
    }

    #[test]
    fn no_slope_makes_walls_walkable() {
        let agent = AgentSettings { max_slope: core::f32::consts::FRAC_PI_2, ..AgentSettings::default() };
        let settings = BakeSettings { agent, ..BakeSettings::default() }.to_voxel().unwrap();
        assert_eq!(settings.min_walkable_normal_y, 0.0);
    }

    #[test]
    fn unwise_settings_are_warned_of() {
        assert!(BakeSettings::default().warnings().is_empty());
        let loose = |edge_max_error| BakeSettings { edge_max_error, ..BakeSettings::default() }.warnings();
        assert!(loose(4.0).is_empty() && loose(4.1)[0].name == "edge_max_error");
        let coarse = BakeSettings { cell_size: 1.0, ..BakeSettings::default() };
        assert_eq!(coarse.warnings()[0].name, "cell_size");
        let level = AgentSettings { max_slope: 0.0, ..AgentSettings::default() };
        let level = BakeSettings { agent: level, ..BakeSettings::default() };
        assert_eq!(level.warnings()[0].name, "agent.max_slope");
        let lost = BakeSettings { cell_height: 0.15, ..BakeSettings::default() };
        assert_eq!((lost.warnings()[0].name, lost.to_voxel().unwrap().agent_climb_vx), ("cell_height", 5));
    }

    #[test]
    fn no_climb_is_lost_to_rounding_where_cells_are_made_for_the_agent() {
        assert_eq!(BakeSettings::for_agent(AgentSettings::default()).to_voxel().unwrap().agent_climb_vx, 6);
        for climb in (1..400).map(|centimetres| centimetres as f32 / 100.0) {
            for radius in [0.0, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.9, 1.2] {
                let agent = AgentSettings { radius, max_climb: climb, height: 4.0, ..AgentSettings::default() };
                let settings = BakeSettings::for_agent(agent);
                let steps = climb / settings.cell_height;
                let kept = settings.to_voxel().unwrap().agent_climb_vx;
                assert!(kept >= 2 && kept as f32 > steps - 0.9995, "{agent:?}: {kept} of {steps}");
                assert!(settings.warnings().iter().all(|warning| warning.name != "cell_height"), "{agent:?}");
            }
        }
    }
}
