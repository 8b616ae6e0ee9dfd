//! How tiles of a region are baked, beyond the agent and the cells, and which links are found automatically.

use bevy_reflect::prelude::*;
use wayfare::area::AreaId;
use wayfare::input::{AgentSettings, BakeSettings, Erosion, Filters, LinkRule, LinkSettings, Partition};

/// Settings of a bake that few need to change. The defaults are those of the library.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Default)]
pub struct NavBake {
    /// Height of a cell, metres: the resolution of steps, slopes and ceilings. Default: half the side of a cell, or
    /// half the climb if that is less.
    pub cell_height: Option<f32>,
    /// The deepest drop that the agent goes down by itself, metres: the surface beside such drops is kept. Default 0:
    /// none below its climb.
    pub max_drop: f32,
    /// How walkable cells are cut into regions.
    pub partition: NavPartition,
    /// Whether the agent's radius is kept from walls exactly, which takes longer, and not rounded up to whole cells.
    /// Default false.
    pub exact_erosion: bool,
    /// Whether agents step onto obstacles no higher than the climb, such as curbs and stairs. Default true.
    pub low_hanging_obstacles: bool,
    /// Whether surfaces beside drops deeper than the climb are removed. Default true.
    pub ledges: bool,
    /// Whether surfaces under ceilings lower than the agent are removed. Default true.
    pub low_height: bool,
    /// Side, in cells, of the smallest island that is kept; 0 keeps all. Default 8.
    pub region_min_size: u32,
    /// Side, in cells, of a square: regions with fewer cells are merged into neighbours where possible. Default 20.
    pub region_merge_size: u32,
    /// Longest edge along walls, metres; longer ones are split. 0: never. Default 12.
    pub edge_max_len: f32,
    /// How far a simplified wall may deviate from the edge of the cells, in cells. Default 1.3.
    pub edge_max_error: f32,
    /// Most corners of a polygon, 3 or more. Default 6.
    pub verts_per_poly: u32,
    /// Distance between height samples of the detail mesh, in cells; 0 takes none inside polygons, which bakes faster,
    /// and heights are then those of the polygons' corners. Default 6.
    pub detail_sample_dist: f32,
    /// How far the detail mesh may deviate from the sampled heights, in cell heights. Default 1.
    pub detail_sample_max_error: f32,
}

/// How walkable cells are cut into regions, from which polygons are made.
#[derive(Reflect, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[reflect(Clone, Default)]
pub enum NavPartition {
    /// By watersheds of the distance to walls: the best polygons, the slowest.
    #[default]
    Watershed,
    /// By sweeping rows: the fastest, with long thin polygons.
    Monotone,
    /// By stacking sweeps into layers: good for small tiles.
    Layers,
}

impl Default for NavBake {
    fn default() -> Self {
        let of = BakeSettings::default();
        Self {
            cell_height: None,
            max_drop: 0.0,
            partition: NavPartition::Watershed,
            exact_erosion: false,
            low_hanging_obstacles: true,
            ledges: true,
            low_height: true,
            region_min_size: of.region_min_size,
            region_merge_size: of.region_merge_size,
            edge_max_len: of.edge_max_len,
            edge_max_error: of.edge_max_error,
            verts_per_poly: of.verts_per_poly,
            detail_sample_dist: of.detail_sample_dist,
            detail_sample_max_error: of.detail_sample_max_error,
        }
    }
}

impl NavBake {
    pub(crate) fn write_to(&self, settings: &mut BakeSettings) {
        *settings = BakeSettings {
            cell_height: self.cell_height.unwrap_or(settings.cell_height),
            filters: Filters {
                low_hanging_obstacles: self.low_hanging_obstacles,
                ledges: self.ledges,
                low_height: self.low_height,
            },
            erosion: if self.exact_erosion { Erosion::Euclidean } else { Erosion::Chamfer },
            partition: match self.partition {
                NavPartition::Watershed => Partition::Watershed,
                NavPartition::Monotone => Partition::Monotone,
                NavPartition::Layers => Partition::Layers,
            },
            region_min_size: self.region_min_size,
            region_merge_size: self.region_merge_size,
            edge_max_len: self.edge_max_len,
            edge_max_error: self.edge_max_error,
            verts_per_poly: self.verts_per_poly,
            detail_sample_dist: self.detail_sample_dist,
            detail_sample_max_error: self.detail_sample_max_error,
            ..*settings
        };
    }
}

/// Which links a region finds by itself, along the borders of its mesh. `None` finds none of a kind. Default: all four,
/// in proportion to the agent.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Default)]
pub struct NavAutoLinks {
    /// Over an edge and straight down.
    pub drop: Option<NavLinkRule>,
    /// Over a gap to a lower surface.
    pub jump_down: Option<NavLinkRule>,
    /// Over a gap to a surface of about the same height.
    pub jump_across: Option<NavLinkRule>,
    /// From the foot of an edge straight up.
    pub climb: Option<NavLinkRule>,
}

impl Default for NavAutoLinks {
    fn default() -> Self {
        let rule = Some(NavLinkRule::default());
        Self { drop: rule, jump_down: rule, jump_across: rule, climb: rule }
    }
}

/// The limits of one kind of automatic link. What is `None` is in proportion to the agent.
#[derive(Reflect, Clone, Copy, Debug, PartialEq)]
#[reflect(Clone, Default)]
pub struct NavLinkRule {
    /// Greatest difference in height between both ends, metres, above 0. Default: for drops and jumps down twice the
    /// agent's height, or its [`max_drop`](NavBake::max_drop); for climbs its height; across, its climb or a quarter of
    /// its height.
    pub max_height: Option<f32>,
    /// Widest gap between the surfaces on both sides, metres. Default: for jumps one and a half times the agent's
    /// height, else its radius.
    pub max_distance: Option<f32>,
    /// How far a jump rises above its higher end, metres. Default: a quarter of the agent's height.
    pub rise: Option<f32>,
    /// Distance between links along an edge, metres, above 0. Default: the agent's height.
    pub spacing: Option<f32>,
    /// How wide the passage must be, metres. Default: the agent's diameter.
    pub width: Option<f32>,
    /// Whether it can be used in the other direction as well. Default: jumps across can.
    pub two_way: Option<bool>,
    /// Area type, which sets what it costs: 1…63. Default 5.
    pub area: u8,
}

impl Default for NavLinkRule {
    fn default() -> Self {
        Self {
            max_height: None,
            max_distance: None,
            rise: None,
            spacing: None,
            width: None,
            two_way: None,
            area: LinkSettings::AREA.get(),
        }
    }
}

impl NavAutoLinks {
    pub(crate) fn settings(&self, agent: &AgentSettings) -> LinkSettings {
        let of = LinkSettings::for_agent(agent);
        let rule = |own: Option<NavLinkRule>, of: Option<LinkRule>| own.zip(of).map(|(own, of)| own.over(of));
        LinkSettings {
            drop: rule(self.drop, of.drop),
            jump_down: rule(self.jump_down, of.jump_down),
            jump_across: rule(self.jump_across, of.jump_across),
            climb: rule(self.climb, of.climb),
        }
    }
}

impl NavLinkRule {
    fn over(&self, of: LinkRule) -> LinkRule {
        LinkRule {
            max_height: self.max_height.unwrap_or(of.max_height),
            max_distance: self.max_distance.unwrap_or(of.max_distance),
            rise: self.rise.unwrap_or(of.rise),
            spacing: self.spacing.unwrap_or(of.spacing),
            width: self.width.unwrap_or(of.width),
            two_way: self.two_way.unwrap_or(of.two_way),
            area: AreaId::from_low_bits(self.area),
            flags: of.flags,
        }
    }
}
