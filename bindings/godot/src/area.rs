//! Surfaces of another type.

use crate::core::{Footprint, Id, VolumePart, with};
use crate::debug_draw::{Outline, edges};
use crate::nodes::{self, Kind};
use crate::same::is_same;
use crate::server::WayfareServer;
use crate::shape::{Form, Shape, has_moved, is_finite};
use godot::classes::{INode3D, Node3D};
use godot::prelude::*;
use wayfare::area::AreaId;

/// Gives the surface inside an area type: mud, water, a road. What a metre of a type costs is set here, or for a map by
/// [method WayfareServer.map_set_area_cost], or for one agent by [member WayfareAgent.area_costs].
#[derive(GodotClass)]
#[class(tool, init, base = Node3D)]
pub struct WayfareArea {
    /// The area type: 1…62, and 0 for surfaces that cannot be walked on. Plain ground is 63. Default 1.
    #[export(range = (0.0, 63.0, 1.0))]
    #[init(val = 1)]
    pub area: u8,
    /// What a metre of this area type costs, 0 or more; infinite closes it. If areas of one type disagree, the most
    /// counts. Default 1.
    #[export(range = (0.0, 100.0, 0.01, or_greater))]
    #[init(val = 1.0)]
    pub travel_cost: f32,
    /// Whether it changes the area type. Default true.
    #[export]
    #[init(val = true)]
    pub enabled: bool,
    /// Its shape. Default a box.
    #[export]
    #[init(val = Shape::Box)]
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
    /// Its number; 0 while it is not in a scene.
    id: Id,
    /// What the server was told last.
    told: Option<Told>,
    outline: Outline,
    base: Base<Node3D>,
}

struct Told {
    at: Transform3D,
    form: Form,
    rest: (bool, u32, u8, f32),
}

#[godot_api]
impl INode3D for WayfareArea {
    fn enter_tree(&mut self) {
        self.id = with(|state| state.next());
        nodes::add(Kind::Area, self.id, self.base().instance_id());
        WayfareServer::keep_running();
    }

    fn exit_tree(&mut self) {
        nodes::remove(Kind::Area, self.id);
        with(|state| state.remove(self.id));
        (self.id, self.told) = (0, None);
        self.outline.clear();
    }
}

#[godot_api]
impl WayfareArea {
    /// Its number for [WayfareServer]; empty while it is not in a scene.
    #[func]
    pub fn get_rid(&self) -> Rid {
        crate::server::rid(self.id)
    }
}

impl WayfareArea {
    /// Tells the server what has changed about it.
    pub(crate) fn describe(&mut self) {
        let at = self.base().get_global_transform();
        let rest = (self.enabled, self.layers, self.area, self.travel_cost);
        let form = Form {
            shape: self.shape,
            radius: self.radius,
            height: self.height,
            size: self.size,
            vertices: self.vertices.clone(),
        };
        let told = self.told.as_ref();
        let is_new = told.is_none_or(|told| !is_same(&told.rest, &rest) || !is_same(&told.form, &form));
        if !is_new && !told.is_some_and(|told| has_moved(&told.at, &at, self.tolerance)) {
            return;
        }
        let is_on = self.enabled && is_finite(&at);
        let volume = if is_on { form.volume(&at) } else { None };
        if is_on && volume.is_none() && is_new {
            godot_warn!("{}: its shape has no size, so it does nothing", self.base().get_path());
        }
        let footprint = Footprint::Paint(AreaId::from_low_bits(self.area.min(63)), self.travel_cost.max(0.0));
        let (is_in_mesh, is_avoided) = (true, false);
        let layers = self.layers;
        let part =
            VolumePart { map: None, layers, volume, footprint, is_in_mesh, is_avoided, is_paused: false, seen: None };
        let lines = part.volume.as_ref().map(edges).unwrap_or_default();
        let world = self.base().get_world_3d();
        self.outline.show(&lines, Color::from_rgb(0.9, 0.7, 0.2), world);
        with(|state| state.set_volume(self.id, Some(part)));
        self.told = Some(Told { at, form, rest });
    }
}
