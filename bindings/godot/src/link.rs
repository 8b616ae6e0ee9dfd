//! Jumps, ladders and teleports.

use crate::convert::to_nav;
use crate::core::{Id, LinkPart, with};
use crate::debug_draw::{Outline, link_edges};
use crate::nodes::{self, Kind};
use crate::same::is_same;
use crate::server::{WayfareServer, rid};
use godot::classes::{INode3D, Node3D};
use godot::prelude::*;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::OffMeshConnection;

/// A jump, ladder or teleport between two positions. Known from [NavigationLink3D].
#[derive(GodotClass)]
#[class(tool, init, base = Node3D)]
pub struct WayfareLink {
    /// Whether it can be used. Default true.
    #[export]
    #[init(val = true)]
    pub enabled: bool,
    /// Whether it leads from its end to its start as well. Default true.
    #[export]
    #[init(val = true)]
    pub bidirectional: bool,
    /// The layers that it is in; agents that share one use it. The lower fifteen count. Default 1.
    #[export(flags_3d_navigation)]
    #[init(val = 1)]
    pub navigation_layers: u32,
    /// Where it begins, around the node's origin.
    #[export]
    pub start_position: Vector3,
    /// Where it ends, around the node's origin.
    #[export]
    pub end_position: Vector3,
    /// How far from its ends the mesh may be, metres. Default 1.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 1.0)]
    pub radius: f32,
    /// Its area type: 1…63. Default 63, plain ground.
    #[export(range = (1.0, 63.0, 1.0))]
    #[init(val = 63)]
    pub area: u8,
    /// What a metre of its area type costs, unless that is 63; see [member WayfareArea.travel_cost]. Default 1.
    #[export(range = (0.0, 100.0, 0.01, or_greater))]
    #[init(val = 1.0)]
    pub travel_cost: f32,
    /// The layers that it is in, for the `parts_mask` of regions. Default 1.
    #[export(flags_3d_navigation)]
    #[init(val = 1)]
    pub layers: u32,
    /// The only map that sees it, if there is one.
    map: Option<Id>,
    /// Its number; 0 while it is not in a scene.
    id: Id,
    /// What the server was told last.
    told: Option<(OffMeshConnection, bool, [u32; 2], f32, Option<Id>)>,
    outline: Outline,
    base: Base<Node3D>,
}

#[godot_api]
impl INode3D for WayfareLink {
    fn enter_tree(&mut self) {
        self.id = with(|state| state.next());
        nodes::add(Kind::Link, self.id, self.base().instance_id());
        WayfareServer::keep_running();
    }

    fn exit_tree(&mut self) {
        nodes::remove(Kind::Link, self.id);
        with(|state| state.remove(self.id));
        (self.id, self.told) = (0, None);
        self.outline.clear();
    }
}

#[godot_api]
impl WayfareLink {
    /// Its number for [WayfareServer]; empty while it is not in a scene.
    #[func]
    pub fn get_rid(&self) -> Rid {
        rid(self.id)
    }

    /// Lets only one map see it; an empty number: all.
    #[func]
    pub fn set_navigation_map(&mut self, navigation_map: Rid) {
        if let Some(only) = WayfareServer::only_map("WayfareLink.set_navigation_map", navigation_map) {
            self.map = only;
        }
    }

    /// The only map that sees it; empty if all do.
    #[func]
    pub fn get_navigation_map(&self) -> Rid {
        rid(self.map.unwrap_or(0))
    }

    /// Puts it into a layer, 1…32, or takes it out; the lower fifteen count.
    #[func]
    pub fn set_navigation_layer_value(&mut self, layer_number: i64, value: bool) {
        crate::layers::set(&mut self.navigation_layers, layer_number, value);
    }

    /// Whether it is in a layer, 1…32.
    #[func]
    pub fn get_navigation_layer_value(&self, layer_number: i64) -> bool {
        crate::layers::get(self.navigation_layers, layer_number)
    }

    /// Where it begins, in the world.
    #[func]
    pub fn get_global_start_position(&self) -> Vector3 {
        self.base().get_global_transform() * self.start_position
    }

    /// Where it ends, in the world.
    #[func]
    pub fn get_global_end_position(&self) -> Vector3 {
        self.base().get_global_transform() * self.end_position
    }

    /// Sets where it begins, in the world.
    #[func]
    pub fn set_global_start_position(&mut self, position: Vector3) {
        self.start_position = self.base().get_global_transform().affine_inverse() * position;
    }

    /// Sets where it ends, in the world.
    #[func]
    pub fn set_global_end_position(&mut self, position: Vector3) {
        self.end_position = self.base().get_global_transform().affine_inverse() * position;
    }
}

impl WayfareLink {
    /// Tells the server what has changed about it.
    pub(crate) fn describe(&mut self) {
        let link = OffMeshConnection {
            start: to_nav(self.get_global_start_position()),
            end: to_nav(self.get_global_end_position()),
            radius: self.radius,
            two_way: self.bidirectional,
            area: AreaId::from_low_bits(self.area.clamp(1, 63)),
            flags: PolyFlags::WALK,
            user_id: 0,
        };
        if link.area == AreaId::WALKABLE
            && self.travel_cost != 1.0
            && self.told.is_none_or(|told| !is_same(&told.3, &self.travel_cost))
        {
            let path = self.base().get_path();
            godot_warn!("{path}: its travel_cost does nothing for area 63, plain ground: give it an area of its own");
        }
        let told = (link, self.enabled, [self.layers, self.navigation_layers], self.travel_cost, self.map);
        if self.told.as_ref().is_some_and(|before| is_same(before, &told)) {
            return;
        }
        let is_drawn = self.enabled && link.start.is_finite() && link.end.is_finite();
        let lines = if is_drawn { link_edges(link.start, link.end, link.radius) } else { Vec::new() };
        let world = self.base().get_world_3d();
        self.outline.show(&lines, Color::from_rgb(0.6, 0.4, 0.9), world);
        let part = LinkPart {
            map: self.map,
            layers: self.layers,
            navigation_layers: self.navigation_layers,
            link: self.enabled.then_some(link),
            is_enabled: true,
            cost: self.travel_cost.max(0.0),
        };
        with(|state| state.set_link(self.id, Some(part)));
        self.told = Some(told);
    }
}
