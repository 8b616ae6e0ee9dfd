//! Settings of a bake, in world units: the agent, and the resolution of the mesh.

use super::Level;
use crate::math::Aabb;

/// The size and abilities of the agent that walks. World units: metres and radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentSettings {
    /// Height of the agent; it does not fit under lower ceilings. Rounded *up* to whole cell heights. Default 2.0.
    pub height: f32,
    /// Radius of the agent; the mesh keeps this distance from walls and drops. Rounded *up* to whole cells by
    /// [`Erosion::Chamfer`], used exactly by [`Erosion::Euclidean`]. May be 0. Default 0.6.
    pub radius: f32,
    /// The highest step that the agent climbs, at most its height. Rounded *down* to whole cell heights. Default 0.9.
    pub max_climb: f32,
    /// The steepest slope that the agent walks, in radians from the horizontal, 0…π/2. Default 45°.
    pub max_slope: f32,
    /// The deepest drop that the agent goes down by itself, even where it cannot climb back: the ledge filter keeps the
    /// surface beside such drops. This does not link the surfaces above and below, since links between polygons go both
    /// ways: one-way off-mesh connections join them. Values up to the climb change nothing. Rounded *down* to whole
    /// cell heights. Default 0.
    pub max_drop: f32,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self { height: 2.0, radius: 0.6, max_climb: 0.9, max_slope: core::f32::consts::FRAC_PI_4, max_drop: 0.0 }
    }
}

/// How walkable cells are cut into regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Partition {
    /// By watersheds of the distance field: the best polygons, the slowest.
    #[default]
    Watershed,
    /// By sweeping rows: the fastest, with long thin polygons.
    Monotone,
    /// By stacking sweeps into layers: good for small tiles.
    Layers,
}

/// How the distance to walls and drops is measured when walkable surfaces are eroded by the agent's radius.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Erosion {
    /// In steps from cell to cell, 2 straight and 3 diagonally, with the radius rounded up to whole cells: Recast's
    /// method. Fast; along slanted walls the kept distance is up to an eighth of the radius too small.
    #[default]
    Chamfer,
    /// The true distance and the exact radius: no surface is kept that lies nearer than the radius to a cell that is
    /// not walkable. Takes about as long again as building the compact heightfield.
    Euclidean,
}

/// Which of the three filters of walkable spans run. Their order is fixed: low hanging obstacles, ledges, low ceilings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filters {
    /// Lets agents step onto obstacles no higher than the climb (curbs, stairs).
    pub low_hanging_obstacles: bool,
    /// Removes spans beside drops deeper than the climb, or than [`AgentSettings::max_drop`] if that is deeper.
    pub ledges: bool,
    /// Removes spans under ceilings lower than the agent.
    pub low_height: bool,
}

impl Default for Filters {
    fn default() -> Self {
        Self { low_hanging_obstacles: true, ledges: true, low_height: true }
    }
}

/// All settings of a bake. World units; [`BakeSettings::to_voxel`] is the only place where they become voxel units. The
/// defaults are those of the Recast demo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeSettings {
    /// The agent that walks.
    pub agent: AgentSettings,
    /// Side of a cell in the xz-plane. Halving it makes the bake about four times as long, and the mesh follows walls
    /// twice as closely. Above 0. Default 0.3.
    pub cell_size: f32,
    /// Height of a cell: the resolution of steps, slopes and ceilings. Above 0. Default 0.2.
    pub cell_height: f32,
    /// The filters of walkable spans.
    pub filters: Filters,
    /// How walkable surfaces are eroded by the agent's radius.
    pub erosion: Erosion,
    /// How walkable cells are cut into regions.
    pub partition: Partition,
    /// Side, in cells, of the smallest island that is kept; its square is the number of cells. 0 keeps all. Default 8.
    pub region_min_size: u32,
    /// Side, in cells, of a square: regions with fewer cells are merged into neighbours where possible. Default 20.
    pub region_merge_size: u32,
    /// Longest edge along walls, in metres; longer ones are split. 0: never split. Default 12.
    pub edge_max_len: f32,
    /// How far a simplified wall may deviate from the edge of the voxels, in cells. Default 1.3.
    pub edge_max_error: f32,
    /// Most corners of a polygon, 3 or more. Default 6.
    pub verts_per_poly: u32,
    /// Distance between height samples of the detail mesh, in cells; below 0.9 no samples are taken inside polygons.
    /// Default 6.
    pub detail_sample_dist: f32,
    /// How far the detail mesh may deviate from the sampled heights, in cell heights. Default 1.
    pub detail_sample_max_error: f32,
    /// Side of a tile in cells; 0 bakes one tile. Default 0.
    pub tile_size: u32,
    /// The box that is baked, metres: cells, tiles and heights are counted from its low corner. Surfaces beside and
    /// below it are left out; those above it are kept as far as 16 bits of cell heights reach. A world whose geometry
    /// changes needs bounds that contain it at all times, else its tiles move with its lowest corner. `None`: the box
    /// around all geometry. Default `None`.
    pub bounds: Option<Aabb>,
}

impl Default for BakeSettings {
    fn default() -> Self {
        Self {
            agent: AgentSettings::default(),
            cell_size: 0.3,
            cell_height: 0.2,
            filters: Filters::default(),
            erosion: Erosion::default(),
            partition: Partition::default(),
            region_min_size: 8,
            region_merge_size: 20,
            edge_max_len: 12.0,
            edge_max_error: 1.3,
            verts_per_poly: 6,
            detail_sample_dist: 6.0,
            detail_sample_max_error: 1.0,
            tile_size: 0,
            bounds: None,
        }
    }
}

impl BakeSettings {
    /// Settings for an agent, with a cell size of half its radius (a third of the default radius if the radius is 0)
    /// and a cell height of half of that, or of half the climb if that is less, as Recast's documentation advises. For
    /// the default agent the cells are 0.3 m wide and 0.15 m high; [`BakeSettings::default`], and so the program, uses
    /// the 0.2 m of the Recast demo.
    #[must_use]
    pub fn for_agent(agent: AgentSettings) -> Self {
        let cell_size = if agent.radius > 0.0 { agent.radius / 2.0 } else { 0.2 };
        let most = if agent.max_climb > 0.0 { (cell_size / 2.0).min(agent.max_climb / 2.0) } else { cell_size / 2.0 };
        let cell_height = Self::without_lost_climb(most, agent.max_climb);
        Self { agent, cell_size, cell_height, ..Self::default() }
    }

    /// The cell height, or slightly less if the climb would be a whole number of cell heights but for rounding: in f32,
    /// 0.9 is a little less than 6 times 0.15 and would be rounded down to 5.
    fn without_lost_climb(cell_height: f32, climb: f32) -> f32 {
        let steps = (climb / cell_height).round();
        let is_lost = steps > (climb / cell_height).floor() && (climb / cell_height - steps).abs() < 1e-3;
        if !is_lost {
            return cell_height;
        }
        let fitting = climb / steps;
        if (climb / fitting).floor() < steps { fitting.next_down() } else { fitting }
    }

    /// The box that is baked of a level: [`bounds`](Self::bounds), or else the bounds of the level; of a level without
    /// surfaces, a point.
    #[must_use]
    pub fn bounds_of<'a>(&self, level: impl Into<Level<'a>>) -> Aabb {
        self.bounds.unwrap_or_else(|| level.into().bounds().or_origin())
    }
}
