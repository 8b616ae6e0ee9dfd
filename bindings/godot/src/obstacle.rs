//! Something in the way that may move.

use crate::core::{Footprint, Id, VolumePart, with};
use crate::debug_draw::{Outline, edges};
use crate::nodes::{self, Kind};
use crate::same::is_same;
use crate::server::{WayfareServer, rid};
use crate::shape::{Form, Shape, has_moved, is_finite};
use godot::classes::{INode3D, Node3D};
use godot::prelude::*;

/// Something in the way: a crate, a car, a closed door. It follows its node, and the mesh follows it: only the tiles
/// under it are rebuilt, in the background; until then the mesh answers as before. Or, for what moves all the time or
/// is gone soon, agents alone walk around it: with [member avoidance_enabled].
///
/// Known from [NavigationObstacle3D], whose `affect_navigation_mesh` and `carve_navigation_mesh` are obeyed by bakes as
/// well.
#[derive(GodotClass)]
#[class(tool, init, base = Node3D)]
pub struct WayfareObstacle {
    /// Whether the mesh follows it, so that paths lead around it. Default true.
    #[export]
    #[init(val = true)]
    pub affect_navigation_mesh: bool,
    /// Whether agents walk around it when they come near, without a mesh that knows it. Paths lead through it; an agent
    /// that finds no way around says so by [signal WayfareAgent.obstructed]. It counts for agents no farther above or
    /// below its lowest point than they are high; a polygon counts as the box around it. Default false.
    #[export]
    pub avoidance_enabled: bool,
    /// Its shape. Default a cylinder.
    #[export]
    #[init(val = Shape::Cylinder)]
    pub shape: Shape,
    /// Radius of the cylinder, metres. Default 0.5.
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.5)]
    pub radius: f32,
    /// Height of the cylinder or the polygon, metres. Default 2.
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 2.0)]
    pub height: f32,
    /// Size of the box, metres. Default 2 each.
    #[export]
    #[init(val = Vector3::new(2.0, 2.0, 2.0))]
    pub size: Vector3,
    /// Corners of the polygon, around the node's origin; the shape is their convex hull.
    #[export]
    pub vertices: PackedVector3Array,
    /// How far it may move before the mesh follows, metres. Default 0.1.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.1)]
    pub tolerance: f32,
    /// The layers that it is in, for the `parts_mask` of regions. Default 1.
    #[export(flags_3d_navigation)]
    #[init(val = 1)]
    pub layers: u32,
    /// The only map that sees it, if there is one.
    map: Option<Id>,
    /// Its number; 0 while it is not in a scene.
    id: Id,
    /// What the server was told last.
    told: Option<Told>,
    outline: Outline,
    base: Base<Node3D>,
}

struct Told {
    /// Where the mesh has it.
    at: Transform3D,
    /// Where agents see it.
    seen: Transform3D,
    form: Form,
    rest: (bool, bool, u32, Option<Id>),
}

#[godot_api]
impl INode3D for WayfareObstacle {
    fn enter_tree(&mut self) {
        self.id = with(|state| state.next());
        nodes::add(Kind::Obstacle, self.id, self.base().instance_id());
        WayfareServer::keep_running();
    }

    fn exit_tree(&mut self) {
        nodes::remove(Kind::Obstacle, self.id);
        with(|state| state.remove(self.id));
        (self.id, self.told) = (0, None);
        self.outline.clear();
    }
}

#[godot_api]
impl WayfareObstacle {
    /// Its number for [WayfareServer]; empty while it is not in a scene.
    #[func]
    pub fn get_rid(&self) -> Rid {
        rid(self.id)
    }

    /// Lets only one map see it; an empty number: all.
    #[func]
    pub fn set_navigation_map(&mut self, navigation_map: Rid) {
        if let Some(only) = WayfareServer::only_map("WayfareObstacle.set_navigation_map", navigation_map) {
            self.map = only;
        }
    }

    /// The only map that sees it; empty if all do.
    #[func]
    pub fn get_navigation_map(&self) -> Rid {
        rid(self.map.unwrap_or(0))
    }
}

impl WayfareObstacle {
    /// Tells the server what has changed about it.
    pub(crate) fn describe(&mut self) {
        let at = self.base().get_global_transform();
        let rest = (self.affect_navigation_mesh, self.avoidance_enabled, self.layers, self.map);
        let form = Form {
            shape: self.shape,
            radius: self.radius,
            height: self.height,
            size: self.size,
            vertices: self.vertices.clone(),
        };
        let told = self.told.as_ref();
        let is_new = told.is_none_or(|told| told.rest != rest || !is_same(&told.form, &form));
        // Agents see where it is; the mesh follows when it is farther away.
        let seen = at;
        let is_seen = self.avoidance_enabled && told.is_some_and(|told| has_moved(&told.seen, &seen, 0.0));
        let has_moved = told.is_none_or(|told| has_moved(&told.at, &at, self.tolerance));
        if !is_new && !has_moved && !is_seen {
            return;
        }
        let at = if is_new || has_moved { at } else { told.map_or(at, |told| told.at) };
        let is_on = (self.affect_navigation_mesh || self.avoidance_enabled) && is_finite(&seen) && is_finite(&at);
        let volume = if is_on { form.volume(&at) } else { None };
        if is_on && volume.is_none() && is_new {
            godot_warn!("{}: its shape has no size, so it does nothing", self.base().get_path());
        }
        let footprint = Footprint::Block;
        let (is_in_mesh, is_avoided) = (self.affect_navigation_mesh, self.avoidance_enabled);
        let seen_volume = if is_on && is_avoided { form.volume(&seen) } else { None };
        let part = VolumePart {
            map: self.map,
            layers: self.layers,
            volume,
            footprint,
            is_in_mesh,
            is_avoided,
            is_paused: false,
            seen: seen_volume,
        };
        let lines = part.volume.as_ref().map(edges).unwrap_or_default();
        let world = self.base().get_world_3d();
        self.outline.show(&lines, Color::from_rgb(0.9, 0.3, 0.2), world);
        with(|state| state.set_volume(self.id, Some(part)));
        self.told = Some(Told { at, seen, form, rest });
    }
}
