//! The options of a bake: from the command line, from a configuration file, from the level, or by default.
//!
//! Every option is optional here, so that layers can be combined: what the command line omits may be in the
//! configuration file, then in the level itself (a `.gset`), and otherwise the defaults of the Recast demo apply.

use super::{Bounds, LinkOptions, MemorySize, config_file};
use crate::failure::{Failure, Result};
use crate::memory;
use crate::threads;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use wayfare::input::{AgentSettings, BakeSettings, Erosion, Filters, LinkSettings, Partition, SettingsError};
use wayfare::math::{self, Frame, Handedness};

/// How walkable surfaces are cut into regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PartitionName {
    /// The best polygons, and the slowest
    Watershed,
    /// The fastest, with long thin polygons
    Monotone,
    /// Good for small tiles
    Layers,
}

impl From<PartitionName> for Partition {
    fn from(name: PartitionName) -> Self {
        match name {
            PartitionName::Watershed => Self::Watershed,
            PartitionName::Monotone => Self::Monotone,
            PartitionName::Layers => Self::Layers,
        }
    }
}

impl From<Partition> for PartitionName {
    fn from(partition: Partition) -> Self {
        match partition {
            Partition::Watershed => Self::Watershed,
            Partition::Monotone => Self::Monotone,
            Partition::Layers => Self::Layers,
        }
    }
}

/// How the agent's radius is removed from the walkable surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ErosionName {
    /// Recast's measure, the radius rounded up to whole cells
    Chamfer,
    /// The exact distance and radius
    Euclidean,
}

impl From<ErosionName> for Erosion {
    fn from(name: ErosionName) -> Self {
        match name {
            ErosionName::Chamfer => Self::Chamfer,
            ErosionName::Euclidean => Self::Euclidean,
        }
    }
}

impl From<Erosion> for ErosionName {
    fn from(erosion: Erosion) -> Self {
        match erosion {
            Erosion::Chamfer => Self::Chamfer,
            Erosion::Euclidean => Self::Euclidean,
        }
    }
}

/// Which axis of the input points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UpAxis {
    /// As in glTF, most OBJ files and most games
    Y,
    /// As in CAD, robotics and Blender
    Z,
}

/// All options of a bake. `None`: not set here.
#[derive(Args, Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct BakeOptions {
    /// Side of a cell, metres [default: 0.3, whatever the agent]
    #[arg(long, value_name = "M", help_heading = "Cells")]
    pub(crate) cell_size: Option<f32>,
    /// Height of a cell, metres [default: 0.2, whatever the agent]
    #[arg(long, value_name = "M", help_heading = "Cells")]
    pub(crate) cell_height: Option<f32>,
    /// Side of a tile, cells; 0 bakes one tile [default: 0; 64 for a store]
    #[arg(long, value_name = "CELLS", help_heading = "Cells")]
    pub(crate) tile_size: Option<u32>,

    /// Height of the agent, metres, rounded up to whole cells [default: 2]
    #[arg(long, value_name = "M", help_heading = "Agent")]
    pub(crate) agent_height: Option<f32>,
    /// Radius of the agent, metres; rounded up to whole cells unless --erosion is euclidean [default: 0.6]
    #[arg(long, value_name = "M", help_heading = "Agent")]
    pub(crate) agent_radius: Option<f32>,
    /// Highest step, metres, rounded down to whole cells [default: 0.9]
    #[arg(long, value_name = "M", help_heading = "Agent")]
    pub(crate) agent_max_climb: Option<f32>,
    /// Steepest slope, degrees [default: 45]
    #[arg(long, value_name = "DEG", help_heading = "Agent")]
    pub(crate) agent_max_slope: Option<f32>,
    /// Deepest drop from which the agent jumps down although it cannot climb back, metres: surfaces beside such drops
    /// are kept. Values up to --agent-max-climb change nothing [default: 0]
    #[arg(long, value_name = "M", help_heading = "Agent")]
    pub(crate) agent_max_drop: Option<f32>,
    /// Bake for this agent, NAME:radius=M,height=M,max-climb=M,max-slope=DEG,max-drop=M; can be given several times;
    /// each agent gets its own mesh (level.way becomes level.NAME.way)
    #[arg(long = "agent", value_name = "NAME:SIZES", help_heading = "Agent")]
    #[serde(rename = "agent")]
    pub(crate) agents: Vec<String>,
    /// How the distance to walls is measured when removing the agent's radius [default: chamfer]
    #[arg(long, value_name = "HOW", help_heading = "Agent")]
    pub(crate) erosion: Option<ErosionName>,

    /// How walkable surfaces are cut into regions [default: watershed]
    #[arg(long, value_name = "HOW", help_heading = "Regions and polygons")]
    pub(crate) partition: Option<PartitionName>,
    /// Smallest region that is kept, as the side of a square, cells [default: 8]
    #[arg(long, value_name = "CELLS", help_heading = "Regions and polygons")]
    pub(crate) region_min_size: Option<u32>,
    /// Regions smaller than a square of this side are merged into neighbours, cells [default: 20]
    #[arg(long, value_name = "CELLS", help_heading = "Regions and polygons")]
    pub(crate) region_merge_size: Option<u32>,
    /// Maximum length of edges along walls, metres; 0: no limit [default: 12]
    #[arg(long, value_name = "M", help_heading = "Regions and polygons")]
    pub(crate) edge_max_len: Option<f32>,
    /// Maximum error of simplified walls, cells [default: 1.3]
    #[arg(long, value_name = "CELLS", help_heading = "Regions and polygons")]
    pub(crate) edge_max_error: Option<f32>,
    /// Maximum number of corners of a polygon [default: 6]
    #[arg(long, value_name = "N", help_heading = "Regions and polygons")]
    pub(crate) verts_per_poly: Option<u32>,
    /// Distance between height samples, cells; below 0.9: none [default: 6]
    #[arg(long, value_name = "CELLS", help_heading = "Regions and polygons")]
    pub(crate) detail_sample_dist: Option<f32>,
    /// Maximum error of the detail mesh, cell heights [default: 1]
    #[arg(long, value_name = "CELLS", help_heading = "Regions and polygons")]
    pub(crate) detail_sample_max_error: Option<f32>,

    /// Do not mark low obstacles as walkable
    #[arg(long, help_heading = "Filters")]
    pub(crate) no_filter_low_hanging: bool,
    /// Keep surfaces beside drops
    #[arg(long, help_heading = "Filters")]
    pub(crate) no_filter_ledges: bool,
    /// Keep surfaces under low ceilings
    #[arg(long, help_heading = "Filters")]
    pub(crate) no_filter_low_height: bool,

    /// Box to bake, after --up and --scale; everything beside and below it is left out [default: the whole level]
    #[arg(long, value_name = "X,Y,Z,X,Y,Z", allow_hyphen_values = true, help_heading = "Input")]
    pub(crate) bounds: Option<Bounds>,
    /// Which axis of all files points up [default: z for STL and PLY, y for all others]
    #[arg(long, value_name = "AXIS", help_heading = "Input")]
    pub(crate) up: Option<UpAxis>,
    /// Multiplies the input's coordinates [default: 1]
    #[arg(long, value_name = "FACTOR", help_heading = "Input")]
    pub(crate) scale: Option<f32>,
    /// Distance between a height map's pixels, metres [default: 1]
    #[arg(long, value_name = "M", help_heading = "Input")]
    pub(crate) pixel_size: Option<f32>,
    /// Height of one of a height map's 65535 steps, metres [default: 0.01]
    #[arg(long, value_name = "M", help_heading = "Input")]
    pub(crate) pixel_height: Option<f32>,
    /// TOML file that maps materials and objects to area types, with their names, flags and costs
    #[arg(long, value_name = "FILE.toml", help_heading = "Input")]
    pub(crate) areas: Option<PathBuf>,
    /// Off-mesh connections: lines {"start": P, "end": P, "radius": M, "two_way": B, "area": N, "flags": N}
    #[arg(long, value_name = "FILE.jsonl", help_heading = "Input")]
    pub(crate) connections: Option<PathBuf>,
    /// Find jumps, drops and climbs: TOML file with tables [drop], [jump-down], [jump-across], [climb], or "agent" for
    /// all; the whole mesh must then fit in memory
    #[arg(long, value_name = "FILE.toml", help_heading = "Input")]
    pub(crate) links: Option<PathBuf>,
    /// What `links` says: the tables `[links.…]` of a configuration file, until a file is read.
    #[arg(skip)]
    #[serde(skip)]
    pub(crate) link_tables: Option<LinkOptions>,
    /// Write a file beside the mesh that says why each position is walkable or not, for `wayfare explain --at`
    #[arg(long, help_heading = "Work")]
    pub(crate) keep_explain: bool,
    /// Also store a compressed checkpoint of each tile, from which `wayfare obstacles` can rebuild it; the whole mesh
    /// must then fit in memory
    #[arg(long, help_heading = "Work")]
    pub(crate) layers: bool,
    /// Treat every warning as an error
    #[arg(long, help_heading = "Input")]
    pub(crate) strict: bool,

    /// Bake only tiles whose input or settings have changed since the output file was baked, and keep the others (with
    /// --strict: bake all)
    #[arg(long, help_heading = "Work")]
    pub(crate) only_changed: bool,
    /// Threads; 0: as many as the machine has [default: 0]
    #[arg(long, value_name = "N", value_parser = threads::parse, help_heading = "Work")]
    pub(crate) threads: Option<u32>,
    /// Memory limit, such as 4GiB: a bake that needs more is refused. It also limits files that unpack to far more than
    /// their own size [default: seven eighths of the free memory; for such files, a multiple of their size]
    #[arg(long, value_name = "SIZE", help_heading = "Work")]
    pub(crate) memory_limit: Option<MemorySize>,
    /// Bake this many times, in memory, and report median times [default: 1]
    #[arg(long, value_name = "N", help_heading = "Work")]
    pub(crate) repeat: Option<u32>,
    /// TOML file with options of a bake, without their dashes: cell-size = 0.2; links to find as tables [links.drop]
    /// and so on, or as a file. The command line overrides it
    #[arg(long, value_name = "FILE.toml", help_heading = "Work")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,
}

/// `mine.or(theirs)` for a list of fields, `|` for flags.
macro_rules! lay_over {
    ($mine:expr, $theirs:expr; $($field:ident),*; $($flag:ident),*) => {
        BakeOptions { $($field: $mine.$field.or($theirs.$field),)* $($flag: $mine.$flag | $theirs.$flag,)*
            agents: if $mine.agents.is_empty() { $theirs.agents } else { $mine.agents }, config: $mine.config }
    };
}

impl BakeOptions {
    /// These options combined with those of the configuration file, and the links that either requests.
    pub(crate) fn with_files(self) -> Result<Self> {
        let mut options = match &self.config {
            None => self,
            Some(path) => {
                let from_file = config_file::read(path)?;
                self.over(from_file)
            }
        };
        if let Some(path) = &options.links {
            options.link_tables = Some(LinkOptions::read(path)?);
        }
        Ok(options)
    }

    /// Combines these options with others: these win.
    pub(crate) fn over(self, below: Self) -> Self {
        lay_over!(self, below;
            cell_size, cell_height, tile_size, agent_height, agent_radius, agent_max_climb, agent_max_slope, agent_max_drop,
            erosion, partition,
            region_min_size, region_merge_size, edge_max_len, edge_max_error, verts_per_poly, detail_sample_dist,
            detail_sample_max_error, bounds, up, scale, pixel_size, pixel_height, areas, connections, links, link_tables, threads, memory_limit,
            repeat;
            no_filter_low_hanging, no_filter_ledges, no_filter_low_height, keep_explain, layers, strict, only_changed)
    }

    /// The checked settings for the library; options not set have their defaults.
    pub(crate) fn settings(&self) -> Result<BakeSettings> {
        let d = BakeSettings::default();
        let settings = BakeSettings {
            agent: AgentSettings {
                height: self.agent_height.unwrap_or(d.agent.height),
                radius: self.agent_radius.unwrap_or(d.agent.radius),
                max_climb: self.agent_max_climb.unwrap_or(d.agent.max_climb),
                max_slope: radians(self.agent_max_slope.unwrap_or(45.0)),
                max_drop: self.agent_max_drop.unwrap_or(d.agent.max_drop),
            },
            cell_size: self.cell_size.unwrap_or(d.cell_size),
            cell_height: self.cell_height.unwrap_or(d.cell_height),
            filters: Filters {
                low_hanging_obstacles: !self.no_filter_low_hanging,
                ledges: !self.no_filter_ledges,
                low_height: !self.no_filter_low_height,
            },
            erosion: self.erosion.map_or(d.erosion, Erosion::from),
            partition: self.partition.map_or(d.partition, Partition::from),
            region_min_size: self.region_min_size.unwrap_or(d.region_min_size),
            region_merge_size: self.region_merge_size.unwrap_or(d.region_merge_size),
            edge_max_len: self.edge_max_len.unwrap_or(d.edge_max_len),
            edge_max_error: self.edge_max_error.unwrap_or(d.edge_max_error),
            verts_per_poly: self.verts_per_poly.unwrap_or(d.verts_per_poly),
            detail_sample_dist: self.detail_sample_dist.unwrap_or(d.detail_sample_dist),
            detail_sample_max_error: self.detail_sample_max_error.unwrap_or(d.detail_sample_max_error),
            tile_size: self.tile_size.unwrap_or(d.tile_size),
            bounds: self.bounds.map(|Bounds(bounds)| bounds),
        };
        settings.to_voxel().map_err(refused)?;
        Ok(settings)
    }

    /// The links to find.
    pub(crate) fn link_settings(&self, agent: &AgentSettings) -> LinkSettings {
        self.link_tables.as_ref().map_or_else(LinkSettings::default, |tables| tables.settings(agent))
    }

    /// The units of the input, from the factor of `--scale`.
    pub(crate) fn units(&self) -> Result<Frame> {
        let scale = self.scale.unwrap_or(1.0);
        Frame::new(math::UpAxis::Y, Handedness::Right, f64::from(scale))
            .map_err(|_| Failure::new(format_args!("--scale is {scale}, but must be a finite number above 0")))
    }

    /// A checked length for height maps.
    pub(crate) fn checked_pixel(&self, name: &str, value: Option<f32>, default: f64) -> Result<f64> {
        match value {
            None => Ok(default),
            Some(value) if value.is_finite() && value > 0.0 => Ok(f64::from(value)),
            Some(value) => Err(Failure::new(format_args!("--{name} is {value}, but must be a finite number above 0"))),
        }
    }

    /// The checked number of repetitions.
    pub(crate) fn checked_repeat(&self) -> Result<u32> {
        match self.repeat {
            Some(0) => Err(Failure::new("--repeat is 0, but must be 1 or more")),
            other => Ok(other.unwrap_or(1)),
        }
    }

    /// The memory limit in bytes; `None` if the free memory is unknown.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        self.memory_limit.map(|MemorySize(bytes)| bytes).or_else(memory::default_limit)
    }

    /// The number of threads, at least one.
    pub(crate) fn thread_count(&self) -> Result<usize> {
        threads::count(self.threads.unwrap_or(0))
    }
}

/// The option for a field of the library's settings: `--agent-radius` for `agent.radius`.
pub(crate) fn option_of(field: &str) -> String {
    if let Some(number) = field.strip_prefix("bounds.") {
        return format!("{number} of --bounds");
    }
    format!("--{}", field.replace(['.', '_'], "-"))
}

/// An error about a setting, under the name of its option.
fn refused(mut e: SettingsError) -> Failure {
    if e.name == "agent.max_slope" {
        // Converted to radians and back, a number of degrees differs in its last digits.
        let degrees = (e.value.to_degrees() * 1e3).round() / 1e3;
        (e.value, e.range) = (degrees, "between 0 and 90 degrees");
    }
    Failure::new(e.to_string().replacen(e.name, &option_of(e.name), 1))
}

/// Degrees to radians like the Recast demo, in f32, so that the cosine has the same bits.
fn radians(degrees: f32) -> f32 {
    degrees / 180.0 * core::f32::consts::PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_the_librarys() {
        assert_eq!(BakeOptions::default().settings().unwrap(), BakeSettings::default());
    }

    #[test]
    fn what_is_laid_over_wins() {
        let above = BakeOptions { cell_size: Some(0.1), strict: true, ..BakeOptions::default() };
        let below = BakeOptions { cell_size: Some(0.5), cell_height: Some(0.3), ..BakeOptions::default() };
        let both = above.over(below);
        assert_eq!((both.cell_size, both.cell_height, both.strict), (Some(0.1), Some(0.3), true));
    }

    #[test]
    fn nonsense_names_the_option_the_value_and_the_range() {
        let options = BakeOptions { agent_radius: Some(-1.0), ..BakeOptions::default() };
        let Err(Failure::Message(m)) = options.settings() else { panic!("accepted") };
        assert_eq!(m, "--agent-radius is -1, but must be a finite number, 0 or above");
        let options = BakeOptions { agent_max_slope: Some(120.0), ..BakeOptions::default() };
        let Err(Failure::Message(m)) = options.settings() else { panic!("accepted") };
        assert_eq!(m, "--agent-max-slope is 120, but must be between 0 and 90 degrees");
        let bounds = "1,2,3,0,5,6".parse().ok();
        let Err(Failure::Message(m)) = (BakeOptions { bounds, ..BakeOptions::default() }).settings() else {
            panic!("accepted")
        };
        assert_eq!(m, "max.x of --bounds is 0, but must be a finite number, not below that of the low corner");
        assert!(BakeOptions { scale: Some(0.0), ..BakeOptions::default() }.units().is_err());
    }
}
