//! What a level is baked for and how finely, in world units.

use super::Level;
use crate::math::Aabb;

/// The size and abilities of the agent that walks. World units: metres and radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentSettings {
    /// Height of the agent; ceilings lower than this block it. Rounded *up* to whole cell heights. Default 2.0.
    pub height: f32,
    /// Radius of the agent; the mesh stays this far from walls and drops. Rounded *up* to whole cells by
    /// [`Erosion::Chamfer`], taken as it is by [`Erosion::Euclidean`]. 0 is legal. Default 0.6.
    pub radius: f32,
    /// The highest step that can be climbed, at most the height. Rounded *down* to whole cell heights. Default 0.9.
    pub max_climb: f32,
    /// The steepest slope that can be walked, in radians from the horizontal, 0…π/2. Default 45°.
    pub max_slope: f32,
    /// The deepest drop that it goes down by itself, even where it cannot climb back: the ledge filter leaves the
    /// ground beside such drops. Ground above and below is not linked by it, since polygons are linked both ways:
    /// one-way off-mesh connections join them. Up to the climb it changes nothing. Rounded *down* to whole cell
    /// heights. Default 0.
    pub max_drop: f32,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self { height: 2.0, radius: 0.6, max_climb: 0.9, max_slope: core::f32::consts::FRAC_PI_4, max_drop: 0.0 }
    }
}

/// How walkable ground is cut into regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Partition {
    /// By watersheds of the distance field: the nicest polygons, the slowest.
    #[default]
    Watershed,
    /// By sweeping rows: the fastest, with long thin polygons.
    Monotone,
    /// By stacking sweeps into layers: good for small tiles.
    Layers,
}

/// How the distance to walls and drops is measured that is kept free for the agent's radius.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Erosion {
    /// In steps from cell to cell, 2 straight and 3 diagonally, and the radius rounded up to whole cells: Recast's
    /// measure. Fast; walls that run askew are approached up to an eighth of the radius nearer than they should.
    #[default]
    Chamfer,
    /// The true distance, and the true radius: no ground is kept that lies nearer than the radius to a cell that cannot
    /// be walked on. Costs about as much again as compacting.
    Euclidean,
}

/// Which of the three filters run. Their order is fixed: low hanging obstacles, ledges, low ceilings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filters {
    /// Lets agents step onto obstacles no higher than the climb (curbs, stairs).
    pub low_hanging_obstacles: bool,
    /// Takes away spans beside drops deeper than the climb, or than [`AgentSettings::max_drop`] if that is deeper.
    pub ledges: bool,
    /// Takes away spans under ceilings lower than the agent.
    pub low_height: bool,
}

impl Default for Filters {
    fn default() -> Self {
        Self { low_hanging_obstacles: true, ledges: true, low_height: true }
    }
}

/// Everything that decides a bake besides the triangles. World units; [`BakeSettings::to_voxel`] is the one place where
/// they become voxel units. The defaults are those of the Recast demo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeSettings {
    /// The agent that walks.
    pub agent: AgentSettings,
    /// Side of a cell on the xz-plane. Halving it makes the bake about four times as long and the mesh follow walls
    /// twice as closely. Above 0. Default 0.3.
    pub cell_size: f32,
    /// Height of a cell. Steps, slopes and ceilings are seen no finer than this. Above 0. Default 0.2.
    pub cell_height: f32,
    /// The filters.
    pub filters: Filters,
    /// How the agent's radius is taken away.
    pub erosion: Erosion,
    /// How regions are made.
    pub partition: Partition,
    /// Side, in cells, of the smallest island that is kept: its square is the cell count. 0 keeps all. Default 8.
    pub region_min_size: u32,
    /// Side, in cells, of a square that regions below are merged into neighbours where possible. Default 20.
    pub region_merge_size: u32,
    /// Longest edge along walls, in metres; longer ones are split. 0: never split. Default 12.
    pub edge_max_len: f32,
    /// How far a simplified wall may leave the voxels' edge, in cells. Default 1.3.
    pub edge_max_error: f32,
    /// Most corners of a polygon, 3 or more. Default 6.
    pub verts_per_poly: u32,
    /// Distance between height samples of the detail mesh, in cells; below 0.9 no samples are taken inside polygons.
    /// Default 6.
    pub detail_sample_dist: f32,
    /// How far the detail mesh may leave the sampled heights, in cell heights. Default 1.
    pub detail_sample_max_error: f32,
    /// Side of a tile in cells; 0 bakes one tile. Default 0.
    pub tile_size: u32,
    /// The box that is baked, metres: cells, tiles and heights are counted from its low corner. Ground beside and below
    /// it is left out, ground above it is kept as far as 16 bits of cell heights reach. A world that is to be built on
    /// needs one that it never leaves: otherwise its tiles move with its lowest corner. `None`: the box around all
    /// ground. Default `None`.
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
    /// Settings for an agent, with a cell size of half its radius (a third of the default radius where the radius is 0)
    /// and a cell height of half of that, or of half the climb where that is less, as Recast's documentation advises.
    /// For the default agent these are cells of 0.3 m, 0.15 m high; [`BakeSettings::default`], and so the program, has
    /// the 0.2 m of the Recast demo.
    #[must_use]
    pub fn for_agent(agent: AgentSettings) -> Self {
        let cell_size = if agent.radius > 0.0 { agent.radius / 2.0 } else { 0.2 };
        let most = if agent.max_climb > 0.0 { (cell_size / 2.0).min(agent.max_climb / 2.0) } else { cell_size / 2.0 };
        let cell_height = Self::without_lost_climb(most, agent.max_climb);
        Self { agent, cell_size, cell_height, ..Self::default() }
    }

    /// The cell height, or a hair less where the climb is a whole number of cell heights but for rounding: 0.9 is a
    /// little less than 6 times 0.15 in numbers of 32 bits, and would be rounded down to 5.
    fn without_lost_climb(cell_height: f32, climb: f32) -> f32 {
        let steps = (climb / cell_height).round();
        let is_lost = steps > (climb / cell_height).floor() && (climb / cell_height - steps).abs() < 1e-3;
        if !is_lost {
            return cell_height;
        }
        let fitting = climb / steps;
        if (climb / fitting).floor() < steps { fitting.next_down() } else { fitting }
    }

    /// The box that is baked of a level: [`bounds`](Self::bounds), or else that of its ground.
    #[must_use]
    pub fn bounds_of<'a>(&self, level: impl Into<Level<'a>>) -> Aabb {
        self.bounds.unwrap_or_else(|| level.into().bounds())
    }
}
