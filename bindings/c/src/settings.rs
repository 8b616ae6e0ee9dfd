//! Settings of a bake and of automatic links.

use crate::border::{Sized32, put_sized, sized};
use crate::choices::{Choice, choice};
use crate::geometry::{WayfareBox, bounds};
use crate::status::{Failure, Outcome, WayfareStatus, border};
use core::mem::offset_of;
use wayfare_nav::area::{AreaId, PolyFlags};
use wayfare_nav::input::{AgentSettings, BakeSettings, Erosion, Filters, LinkRule, LinkSettings, Partition};

pub(crate) fn area_id(area: u32) -> Outcome<AreaId> {
    let area =
        u8::try_from(area).map_err(|_| Failure::argument(format_args!("area type {area}: there are 0 to 63")))?;
    AreaId::new(area).map_err(Failure::argument)
}

pub(crate) fn poly_flags(flags: u32, name: &str) -> Outcome<PolyFlags> {
    let flags = u16::try_from(flags);
    flags.map(PolyFlags).map_err(|_| Failure::argument(format_args!("`{name}` has more than 16 flags")))
}

/// How walkable cells are cut into regions, for `WayfareBakeSettings.partition`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfarePartition {
    /// The best polygons, the slowest.
    Watershed = 0,
    /// The fastest, with long thin polygons.
    Monotone = 1,
    /// Good for small tiles.
    Layers = 2,
}

choice!(WayfarePartition: Watershed, Monotone, Layers);

/// How the distance to walls is measured, for `WayfareBakeSettings.erosion`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub enum WayfareErosion {
    /// From cell to cell: Recast's method.
    Chamfer = 0,
    /// The true distance.
    Euclidean = 1,
}

choice!(WayfareErosion: Chamfer, Euclidean);

/// All settings of a bake: metres and radians. Fill it by `wayfare_bake_settings_default` or
/// `wayfare_bake_settings_for_agent`, then change what is to differ.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareBakeSettings {
    /// The size of this structure: set by the functions that fill it.
    pub size: u32,
    /// A `WayfarePartition`. Default watershed.
    pub partition: u32,
    /// A `WayfareErosion`. Default chamfer.
    pub erosion: u32,
    /// Height of the agent. Default 2.
    pub agent_height: f32,
    /// Radius of the agent. Default 0.6.
    pub agent_radius: f32,
    /// The highest step that the agent climbs. Default 0.9.
    pub agent_max_climb: f32,
    /// The steepest slope that the agent walks, radians. Default 45 degrees.
    pub agent_max_slope: f32,
    /// The deepest drop that the agent goes down by itself. Default 0.
    pub agent_max_drop: f32,
    /// Side of a cell. Default 0.3.
    pub cell_size: f32,
    /// Height of a cell. Default 0.2.
    pub cell_height: f32,
    /// 1 lets agents step onto low obstacles. Default 1.
    pub filter_low_hanging: u32,
    /// 1 keeps agents from the edges of drops. Default 1.
    pub filter_ledges: u32,
    /// 1 removes what lies under ceilings too low. Default 1.
    pub filter_low_height: u32,
    /// Side, in cells, of the smallest island that is kept. Default 8.
    pub region_min_size: u32,
    /// Side, in cells, of regions that are merged into neighbours. Default 20.
    pub region_merge_size: u32,
    /// Longest edge along walls; 0 never splits. Default 12.
    pub edge_max_len: f32,
    /// How far a wall may deviate from the voxels, in cells. Default 1.3.
    pub edge_max_error: f32,
    /// Most corners of a polygon. Default 6.
    pub verts_per_poly: u32,
    /// Distance between height samples, in cells; below 0.9 there are none. Default 6.
    pub detail_sample_dist: f32,
    /// How far the surface may deviate from the samples, in cell heights. Default 1.
    pub detail_sample_max_error: f32,
    /// Side of a tile in cells; 0 bakes one tile. Default 0.
    pub tile_size: u32,
    /// 1 bakes exactly `bounds`; 0 the box around all geometry. Default 0.
    pub has_bounds: u32,
    /// The box that is baked.
    pub bounds: WayfareBox,
}

impl WayfareBakeSettings {
    fn of(settings: &BakeSettings) -> Self {
        let BakeSettings { agent, filters, .. } = *settings;
        Self {
            size: size_of::<Self>() as u32,
            partition: settings.partition as u32,
            erosion: settings.erosion as u32,
            agent_height: agent.height,
            agent_radius: agent.radius,
            agent_max_climb: agent.max_climb,
            agent_max_slope: agent.max_slope,
            agent_max_drop: agent.max_drop,
            cell_size: settings.cell_size,
            cell_height: settings.cell_height,
            filter_low_hanging: filters.low_hanging_obstacles.into(),
            filter_ledges: filters.ledges.into(),
            filter_low_height: filters.low_height.into(),
            region_min_size: settings.region_min_size,
            region_merge_size: settings.region_merge_size,
            edge_max_len: settings.edge_max_len,
            edge_max_error: settings.edge_max_error,
            verts_per_poly: settings.verts_per_poly,
            detail_sample_dist: settings.detail_sample_dist,
            detail_sample_max_error: settings.detail_sample_max_error,
            tile_size: settings.tile_size,
            has_bounds: settings.bounds.is_some().into(),
            bounds: settings.bounds.map_or(WayfareBox::default(), Into::into),
        }
    }

    pub(crate) fn get(&self) -> Outcome<BakeSettings> {
        let partition = match WayfarePartition::of(self.partition, "partition")? {
            WayfarePartition::Watershed => Partition::Watershed,
            WayfarePartition::Monotone => Partition::Monotone,
            WayfarePartition::Layers => Partition::Layers,
        };
        let erosion = match WayfareErosion::of(self.erosion, "erosion")? {
            WayfareErosion::Chamfer => Erosion::Chamfer,
            WayfareErosion::Euclidean => Erosion::Euclidean,
        };
        Ok(BakeSettings {
            agent: AgentSettings {
                height: self.agent_height,
                radius: self.agent_radius,
                max_climb: self.agent_max_climb,
                max_slope: self.agent_max_slope,
                max_drop: self.agent_max_drop,
            },
            cell_size: self.cell_size,
            cell_height: self.cell_height,
            filters: Filters {
                low_hanging_obstacles: self.filter_low_hanging != 0,
                ledges: self.filter_ledges != 0,
                low_height: self.filter_low_height != 0,
            },
            erosion,
            partition,
            region_min_size: self.region_min_size,
            region_merge_size: self.region_merge_size,
            edge_max_len: self.edge_max_len,
            edge_max_error: self.edge_max_error,
            verts_per_poly: self.verts_per_poly,
            detail_sample_dist: self.detail_sample_dist,
            detail_sample_max_error: self.detail_sample_max_error,
            tile_size: self.tile_size,
            bounds: if self.has_bounds == 0 { None } else { Some(bounds(self.bounds, "bounds")?) },
        })
    }
}

impl Sized32 for WayfareBakeSettings {
    const LEAST: usize = offset_of!(Self, bounds) + size_of::<WayfareBox>();
    fn set_size(&mut self, size: u32) {
        self.size = size;
    }
    fn usual() -> Self {
        Self::of(&BakeSettings::default())
    }
}

/// The settings at `pointer`, or the defaults where it is null.
pub(crate) fn bake_settings(pointer: *const WayfareBakeSettings) -> Outcome<BakeSettings> {
    if pointer.is_null() { Ok(BakeSettings::default()) } else { sized!(pointer)?.get() }
}

/// Fills settings with the defaults: those of the Recast demo.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake_settings_default(
    settings: *mut WayfareBakeSettings,
    size: usize,
) -> WayfareStatus {
    border(|| put_sized!(settings, size, WayfareBakeSettings::usual()))
}

/// Fills settings for an agent of a height and radius that climbs so high: cells half its radius wide.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake_settings_for_agent(
    height: f32,
    radius: f32,
    max_climb: f32,
    settings: *mut WayfareBakeSettings,
    size: usize,
) -> WayfareStatus {
    border(|| {
        let agent = AgentSettings { height, radius, max_climb, ..AgentSettings::default() };
        let made = BakeSettings::for_agent(agent);
        made.to_voxel().map_err(Failure::argument)?;
        put_sized!(settings, size, WayfareBakeSettings::of(&made))
    })
}

/// Warnings about settings that are legal but unwise, a line for each; empty if there are none. An error if they cannot
/// be baked with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bake_settings_advice(
    settings: *const WayfareBakeSettings,
    out: *mut core::ffi::c_char,
    capacity: usize,
    length: *mut usize,
) -> WayfareStatus {
    border(|| {
        let settings = bake_settings(settings)?;
        settings.to_voxel().map_err(Failure::argument)?;
        let lines = settings.warnings().into_iter().map(|w| format!("{} is {}: {}\n", w.name, w.value, w.advice));
        crate::border::fill_text!(out, capacity, length, lines.collect::<String>())
    })
}

/// How links of one kind are found.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct WayfareLinkRule {
    /// 1 to look for links of this kind.
    pub enabled: u32,
    /// 1 if links may be used both ways.
    pub two_way: u32,
    /// The greatest height between their ends.
    pub max_height: f32,
    /// The greatest distance between their ends, seen from above.
    pub max_distance: f32,
    /// How high the agent rises on its way.
    pub rise: f32,
    /// The distance between links along an edge.
    pub spacing: f32,
    /// The width that must be free.
    pub width: f32,
    /// Their area type.
    pub area: u32,
    /// Their flags.
    pub flags: u32,
}

/// Which links are found automatically. Fill it by `wayfare_link_settings_for_agent`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareLinkSettings {
    /// The size of this structure: set by the function that fills it.
    pub size: u32,
    /// Down over an edge.
    pub drop: WayfareLinkRule,
    /// Down with a leap.
    pub jump_down: WayfareLinkRule,
    /// Over a gap.
    pub jump_across: WayfareLinkRule,
    /// Up a wall.
    pub climb: WayfareLinkRule,
}

impl WayfareLinkRule {
    fn of(rule: Option<LinkRule>) -> Self {
        let Some(rule) = rule else { return Self::default() };
        Self {
            enabled: 1,
            two_way: rule.two_way.into(),
            max_height: rule.max_height,
            max_distance: rule.max_distance,
            rise: rule.rise,
            spacing: rule.spacing,
            width: rule.width,
            area: rule.area.get().into(),
            flags: rule.flags.0.into(),
        }
    }

    fn get(&self) -> Outcome<Option<LinkRule>> {
        if self.enabled == 0 {
            return Ok(None);
        }
        Ok(Some(LinkRule {
            max_height: self.max_height,
            max_distance: self.max_distance,
            rise: self.rise,
            spacing: self.spacing,
            width: self.width,
            two_way: self.two_way != 0,
            area: area_id(self.area)?,
            flags: poly_flags(self.flags, "flags")?,
        }))
    }
}

impl WayfareLinkSettings {
    fn of(settings: LinkSettings) -> Self {
        Self {
            size: size_of::<Self>() as u32,
            drop: WayfareLinkRule::of(settings.drop),
            jump_down: WayfareLinkRule::of(settings.jump_down),
            jump_across: WayfareLinkRule::of(settings.jump_across),
            climb: WayfareLinkRule::of(settings.climb),
        }
    }

    pub(crate) fn get(&self) -> Outcome<LinkSettings> {
        Ok(LinkSettings {
            drop: self.drop.get()?,
            jump_down: self.jump_down.get()?,
            jump_across: self.jump_across.get()?,
            climb: self.climb.get()?,
        })
    }
}

impl Sized32 for WayfareLinkSettings {
    const LEAST: usize = offset_of!(Self, climb) + size_of::<WayfareLinkRule>();
    fn set_size(&mut self, size: u32) {
        self.size = size;
    }
    fn usual() -> Self {
        Self::of(LinkSettings::default())
    }
}

/// Fills rules for what an agent of the bake's settings can do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_link_settings_for_agent(
    settings: *const WayfareBakeSettings,
    links: *mut WayfareLinkSettings,
    size: usize,
) -> WayfareStatus {
    border(|| {
        put_sized!(links, size, WayfareLinkSettings::of(LinkSettings::for_agent(&bake_settings(settings)?.agent)))
    })
}
