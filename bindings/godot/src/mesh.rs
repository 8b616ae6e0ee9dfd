//! The mesh resource: settings of a bake, and its result.

use crate::convert::to_nav;
use crate::core::{Level, Settings, link_flags};
use godot::classes::file_access::ModeFlags;
use godot::classes::{FileAccess, IResource, Resource};
use godot::global::Error;
use godot::prelude::*;
use wayfare::area::AreaId;
use wayfare::input::{AgentSettings, BakeSettings, Filters, LinkRule, LinkSettings, Partition};
use wayfare::math::Aabb as NavBox;

/// How walkable cells are cut into polygons.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum SamplePartition {
    /// The best polygons, the slowest.
    #[default]
    Watershed,
    /// The fastest, with long thin polygons.
    Monotone,
    /// In between.
    Layers,
}

/// What of the nodes is parsed.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum ParsedGeometry {
    /// Meshes that are seen.
    MeshInstances,
    /// Colliders of static bodies.
    StaticColliders,
    /// Both.
    #[default]
    Both,
}

/// Which nodes are parsed.
#[derive(GodotConvert, Var, Export, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[godot(via = i64)]
pub enum SourceMode {
    /// The children of the region, and theirs.
    #[default]
    RootNodeChildren,
    /// The nodes of a group and their children.
    GroupsWithChildren,
    /// The nodes of a group alone.
    GroupsExplicit,
}

/// A navigation mesh and the settings that it is baked with. Its properties have the names of those of
/// [NavigationMesh].
///
/// The mesh lies in the world where it was baked: moving the region does not move it. It is saved with the scene, or as
/// a resource of its own; `save_way` and `load_way` exchange it with the program `wayfare`.
#[derive(GodotClass)]
#[class(tool, init, base = Resource)]
pub struct WayfareMesh {
    /// How walkable cells are cut into polygons.
    #[export_group(name = "Sampling")]
    #[export]
    #[init(val = SamplePartition::Watershed)]
    pub sample_partition_type: SamplePartition,
    /// What of the nodes is parsed: meshes, static colliders, or both.
    #[export_group(name = "Geometry", prefix = "geometry_")]
    #[export]
    #[init(val = ParsedGeometry::Both)]
    pub geometry_parsed_geometry_type: ParsedGeometry,
    /// The physics layers of static colliders that are parsed.
    #[export(flags_3d_physics)]
    #[init(val = u32::MAX)]
    pub geometry_collision_mask: u32,
    /// Which nodes are parsed: children of the region, or a group.
    #[export]
    #[init(val = SourceMode::RootNodeChildren)]
    pub geometry_source_geometry_mode: SourceMode,
    /// The group, where the mode is one of groups.
    #[export]
    #[init(val = "navigation_mesh_source_group".into())]
    pub geometry_source_group_name: StringName,
    /// Side of a cell, metres: smaller follows walls more closely and takes longer. Default 0.25.
    #[export_group(name = "Cells")]
    #[export(range = (0.01, 10.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.25)]
    pub cell_size: f32,
    /// Height of a cell, metres. Default 0.25.
    #[export(range = (0.01, 10.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.25)]
    pub cell_height: f32,
    /// Side of a tile in cells. Smaller tiles make changes cheaper, larger ones paths. Default 64.
    #[export(range = (16.0, 512.0, 1.0, or_greater))]
    #[init(val = 64)]
    pub tile_size: u32,
    /// Radius of the agent, metres: the mesh keeps this distance from walls. Default 0.5.
    #[export_group(name = "Agents", prefix = "agent_")]
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.5)]
    pub agent_radius: f32,
    /// Height of the agent, metres. Default 1.5.
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 1.5)]
    pub agent_height: f32,
    /// The highest step that it climbs, metres. Default 0.25.
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.25)]
    pub agent_max_climb: f32,
    /// The steepest slope that it walks, degrees. Default 45.
    #[export(range = (0.0, 90.0, 0.1, degrees))]
    #[init(val = 45.0)]
    pub agent_max_slope: f32,
    /// Regions of a side less than this, in cells, are removed. Default 2.
    #[export_group(name = "Regions", prefix = "region_")]
    #[export(range = (0.0, 150.0, 1.0, or_greater))]
    #[init(val = 2)]
    pub region_min_size: u32,
    /// Regions of a side less than this, in cells, are joined with others. Default 20.
    #[export(range = (0.0, 150.0, 1.0, or_greater))]
    #[init(val = 20)]
    pub region_merge_size: u32,
    /// The longest edge along a border, metres; 0 for no limit. Default 0.
    #[export_group(name = "Edges", prefix = "edge_")]
    #[export(range = (0.0, 50.0, 0.01, or_greater, suffix = "m"))]
    pub edge_max_length: f32,
    /// How far edges may deviate from the cells, in cells. Default 1.3.
    #[export(range = (0.1, 3.0, 0.01, or_greater))]
    #[init(val = 1.3)]
    pub edge_max_error: f32,
    /// The most corners of a polygon: 3…. Default 6.
    #[export_group(name = "Polygons")]
    #[export(range = (3.0, 12.0, 1.0, or_greater))]
    #[init(val = 6)]
    pub vertices_per_polygon: u32,
    /// Distance of samples for the height of the surface, in cells. Default 6.
    #[export_group(name = "Details", prefix = "detail_")]
    #[export(range = (0.0, 16.0, 0.01, or_greater))]
    #[init(val = 6.0)]
    pub detail_sample_distance: f32,
    /// How far the surface may be from its samples, in cell heights. Default 1.
    #[export(range = (0.0, 16.0, 0.01, or_greater))]
    #[init(val = 1.0)]
    pub detail_sample_max_error: f32,
    /// Lets agents walk over low obstacles such as kerbs. Default true.
    #[export_group(name = "Filters", prefix = "filter_")]
    #[export]
    #[init(val = true)]
    pub filter_low_hanging_obstacles: bool,
    /// Removes the rim of ledges. Default true.
    #[export]
    #[init(val = true)]
    pub filter_ledge_spans: bool,
    /// Removes surfaces with too little room above. Default true.
    #[export]
    #[init(val = true)]
    pub filter_walkable_low_height_spans: bool,
    /// The box that is baked, in the world; without size, the box around all geometry.
    #[export]
    pub filter_baking_aabb: Aabb,
    /// Where that box is.
    #[export]
    pub filter_baking_aabb_offset: Vector3,
    /// Finds where the agent can drop over an edge, and makes links there.
    #[export_group(name = "Automatic links", prefix = "link_")]
    #[export]
    pub link_drop: bool,
    /// Finds where it can jump over a gap to a lower surface.
    #[export]
    pub link_jump_down: bool,
    /// Finds where it can jump over a gap to a surface of about the same height.
    #[export]
    pub link_jump_across: bool,
    /// Finds where it can climb straight up.
    #[export]
    pub link_climb: bool,
    /// Greatest difference in height between the ends of such links, metres. Default 0: in proportion to the agent.
    #[export(range = (0.0, 100.0, 0.01, suffix = "m"))]
    pub link_max_height: f32,
    /// Widest gap that is jumped over, metres. Default 0: one and a half times the agent's height.
    #[export(range = (0.0, 100.0, 0.01, suffix = "m"))]
    pub link_max_distance: f32,
    /// Distance between such links along an edge, metres. Default 0: the agent's height.
    #[export(range = (0.0, 100.0, 0.01, suffix = "m"))]
    pub link_spacing: f32,
    /// Their area type, 1…63, whose cost [method WayfareServer.map_set_area_cost] and [member WayfareAgent.area_costs]
    /// set. Default 5.
    #[export(range = (1.0, 63.0, 1.0))]
    #[init(val = 5)]
    pub link_area: u8,
    /// The layers that they are in; agents that share one use them. The lower fifteen count. Default 1.
    #[export(flags_3d_navigation)]
    #[init(val = 1)]
    pub link_navigation_layers: u32,
    /// What was baked, as the bytes of a `.way` file; empty before the first bake.
    #[var(set = set_data, usage_flags = [STORAGE])]
    pub data: PackedByteArray,
    /// Goes up when what was baked changes.
    pub(crate) revision: u32,
    base: Base<Resource>,
}

#[godot_api]
impl IResource for WayfareMesh {}

#[godot_api]
impl WayfareMesh {
    /// Replaces what was baked, and tells regions that use it.
    #[func]
    pub fn set_data(&mut self, data: PackedByteArray) {
        self.data = data;
        self.revision += 1;
        self.base_mut().emit_changed();
    }

    /// The same as setting [member geometry_parsed_geometry_type].
    #[func]
    pub fn set_parsed_geometry_type(&mut self, parsed_geometry_type: ParsedGeometry) {
        self.geometry_parsed_geometry_type = parsed_geometry_type;
    }

    /// The same as [member geometry_parsed_geometry_type].
    #[func]
    pub fn get_parsed_geometry_type(&self) -> ParsedGeometry {
        self.geometry_parsed_geometry_type
    }

    /// The same as setting [member geometry_source_geometry_mode].
    #[func]
    pub fn set_source_geometry_mode(&mut self, source_geometry_mode: SourceMode) {
        self.geometry_source_geometry_mode = source_geometry_mode;
    }

    /// The same as [member geometry_source_geometry_mode].
    #[func]
    pub fn get_source_geometry_mode(&self) -> SourceMode {
        self.geometry_source_geometry_mode
    }

    /// The same as setting [member geometry_source_group_name].
    #[func]
    pub fn set_source_group_name(&mut self, source_group_name: StringName) {
        self.geometry_source_group_name = source_group_name;
    }

    /// The same as [member geometry_source_group_name].
    #[func]
    pub fn get_source_group_name(&self) -> StringName {
        self.geometry_source_group_name.clone()
    }

    /// The same as setting [member geometry_collision_mask].
    #[func]
    pub fn set_collision_mask(&mut self, collision_mask: u32) {
        self.geometry_collision_mask = collision_mask;
    }

    /// The same as [member geometry_collision_mask].
    #[func]
    pub fn get_collision_mask(&self) -> u32 {
        self.geometry_collision_mask
    }

    /// Has colliders in a physics layer parsed, 1…32, or not.
    #[func]
    pub fn set_collision_mask_value(&mut self, layer_number: i64, value: bool) {
        crate::layers::set(&mut self.geometry_collision_mask, layer_number, value);
    }

    /// Whether colliders in a physics layer are parsed, 1…32.
    #[func]
    pub fn get_collision_mask_value(&self, layer_number: i64) -> bool {
        crate::layers::get(self.geometry_collision_mask, layer_number)
    }

    /// Whether there is a baked mesh.
    #[func]
    pub fn is_baked(&self) -> bool {
        !self.data.is_empty()
    }

    /// Removes what was baked.
    #[func]
    pub fn clear(&mut self) {
        self.set_data(PackedByteArray::new());
    }

    /// Writes what was baked as a `.way` file, for the program `wayfare`. Returns an error of [enum
    /// @GlobalScope.Error].
    #[func]
    pub fn save_way(&self, path: GString) -> Error {
        if self.data.is_empty() {
            godot_error!(
                "WayfareMesh.save_way: nothing has been baked yet; call bake_navigation_mesh of a region first"
            );
            return Error::ERR_UNCONFIGURED;
        }
        let Some(mut file) = FileAccess::open(&path, ModeFlags::WRITE) else {
            godot_error!("WayfareMesh.save_way: {path} cannot be opened for writing");
            return FileAccess::get_open_error();
        };
        if file.store_buffer(&self.data) { Error::OK } else { Error::ERR_FILE_CANT_WRITE }
    }

    /// Reads a `.way` file that `wayfare bake --layers` or [method save_way] wrote. Returns an error of
    /// [enum @GlobalScope.Error]; what was baked before then stays.
    #[func]
    pub fn load_way(&mut self, path: GString) -> Error {
        let Some(mut file) = FileAccess::open(&path, ModeFlags::READ) else {
            godot_error!("WayfareMesh.load_way: {path} cannot be opened");
            return FileAccess::get_open_error();
        };
        let length = file.get_length() as i64;
        let bytes = file.get_buffer(length);
        if let Err(problem) = Level::from_way(bytes.as_slice()) {
            godot_error!("WayfareMesh.load_way: {path}: {problem}");
            return Error::ERR_FILE_CORRUPT;
        }
        self.set_data(bytes);
        Error::OK
    }
}

impl WayfareMesh {
    /// The settings of its bake.
    pub fn settings(&self) -> Settings {
        let bake = self.bake_settings();
        Settings { bake, links: self.link_settings(&bake.agent) }
    }

    fn link_settings(&self, agent: &AgentSettings) -> LinkSettings {
        let of = LinkSettings::for_agent(agent);
        let over = |own: f32, of: f32| if own == 0.0 { of } else { own };
        let rule = |is_wanted: bool, rule: Option<LinkRule>, is_jump: bool| {
            rule.filter(|_| is_wanted).map(|rule| LinkRule {
                max_height: over(self.link_max_height, rule.max_height),
                max_distance: if is_jump { over(self.link_max_distance, rule.max_distance) } else { rule.max_distance },
                spacing: over(self.link_spacing, rule.spacing),
                area: AreaId::from_low_bits(self.link_area.clamp(1, 63)),
                flags: link_flags(self.link_navigation_layers),
                ..rule
            })
        };
        LinkSettings {
            drop: rule(self.link_drop, of.drop, false),
            jump_down: rule(self.link_jump_down, of.jump_down, true),
            jump_across: rule(self.link_jump_across, of.jump_across, true),
            climb: rule(self.link_climb, of.climb, false),
        }
    }

    fn bake_settings(&self) -> BakeSettings {
        let agent = AgentSettings {
            radius: self.agent_radius,
            height: self.agent_height,
            max_climb: self.agent_max_climb,
            max_slope: self.agent_max_slope.clamp(0.0, 90.0).to_radians(),
            ..AgentSettings::default()
        };
        BakeSettings {
            cell_size: self.cell_size,
            cell_height: self.cell_height,
            filters: Filters {
                low_hanging_obstacles: self.filter_low_hanging_obstacles,
                ledges: self.filter_ledge_spans,
                low_height: self.filter_walkable_low_height_spans,
            },
            partition: match self.sample_partition_type {
                SamplePartition::Watershed => Partition::Watershed,
                SamplePartition::Monotone => Partition::Monotone,
                SamplePartition::Layers => Partition::Layers,
            },
            region_min_size: self.region_min_size,
            region_merge_size: self.region_merge_size,
            edge_max_len: self.edge_max_length,
            edge_max_error: self.edge_max_error,
            verts_per_poly: self.vertices_per_polygon,
            detail_sample_dist: self.detail_sample_distance,
            detail_sample_max_error: self.detail_sample_max_error,
            tile_size: self.tile_size.max(1),
            bounds: self.bounds(),
            ..BakeSettings::for_agent(agent)
        }
    }

    fn bounds(&self) -> Option<NavBox> {
        let min = to_nav(self.filter_baking_aabb.position + self.filter_baking_aabb_offset);
        let size = to_nav(self.filter_baking_aabb.size);
        (size.min_element() > 0.0).then(|| NavBox { min, max: min + size })
    }
}
