//! Links and obstacles without nodes.

use super::{WayfareServer, id_of, rid};
use crate::convert::{to_godot, to_nav};
use crate::core::{Footprint, Id, LinkPart, State, VolumePart, with};
use crate::nodes;
use godot::prelude::*;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::input::Volume;
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;

#[godot_api(secondary)]
impl WayfareServer {
    /// Makes a link; all maps see it until it is given one. Set its ends.
    #[func]
    fn link_create(&self) -> Rid {
        Self::keep_running();
        rid(with(|state| {
            let id = state.next();
            let link = OffMeshConnection {
                start: Vec3::ZERO,
                end: Vec3::ZERO,
                radius: 1.0,
                two_way: true,
                area: AreaId::WALKABLE,
                flags: PolyFlags::WALK,
                user_id: 0,
            };
            let link = Some(link);
            let part = LinkPart { map: None, layers: 1, navigation_layers: 1, link, is_enabled: true, cost: 1.0 };
            state.set_link(id, Some(part));
            id
        }))
    }

    /// Lets only one map see a link; an empty one: all.
    #[func]
    fn link_set_map(&self, link: Rid, map: Rid) {
        if let Some(only) = Self::only_map("WayfareServer.link_set_map", map) {
            Self::on_link("link_set_map", link, |link| link.map = only);
        }
    }

    /// The only map that sees a link, if there is one.
    #[func]
    fn link_get_map(&self, link: Rid) -> Rid {
        rid(Self::on("link_get_map", "link", link, |state, id| Some(state.link(id)?.map.unwrap_or(0))))
    }

    /// Sets where a link begins.
    #[func]
    fn link_set_start_position(&self, link: Rid, position: Vector3) {
        Self::on_link("link_set_start_position", link, |link| Self::ends(link, |ends| ends.start = to_nav(position)));
    }

    /// Where a link begins.
    #[func]
    fn link_get_start_position(&self, link: Rid) -> Vector3 {
        Self::on("link_get_start_position", "link", link, |state, id| {
            let link = state.link(id)?;
            Some(to_godot(link.link?.start))
        })
    }

    /// Sets where a link ends.
    #[func]
    fn link_set_end_position(&self, link: Rid, position: Vector3) {
        Self::on_link("link_set_end_position", link, |link| Self::ends(link, |ends| ends.end = to_nav(position)));
    }

    /// Where a link ends.
    #[func]
    fn link_get_end_position(&self, link: Rid) -> Vector3 {
        Self::on("link_get_end_position", "link", link, |state, id| {
            let link = state.link(id)?;
            Some(to_godot(link.link?.end))
        })
    }

    /// Lets a link lead from its end to its start as well.
    #[func]
    fn link_set_bidirectional(&self, link: Rid, bidirectional: bool) {
        Self::on_link("link_set_bidirectional", link, |link| Self::ends(link, |ends| ends.two_way = bidirectional));
    }

    /// Whether a link leads from its end to its start as well.
    #[func]
    fn link_is_bidirectional(&self, link: Rid) -> bool {
        Self::on("link_is_bidirectional", "link", link, |state, id| {
            let link = state.link(id)?;
            Some(link.link?.two_way)
        })
    }

    /// Sets the layers of a link; the lower fifteen count.
    #[func]
    fn link_set_navigation_layers(&self, link: Rid, navigation_layers: u32) {
        Self::on_link("link_set_navigation_layers", link, |link| link.navigation_layers = navigation_layers);
    }

    /// The layers of a link.
    #[func]
    fn link_get_navigation_layers(&self, link: Rid) -> u32 {
        Self::on("link_get_navigation_layers", "link", link, |state, id| {
            let link = state.link(id)?;
            Some(link.navigation_layers)
        })
    }

    /// Lets a link be used, or not. Default true.
    #[func]
    fn link_set_enabled(&self, link: Rid, enabled: bool) {
        Self::on_link("link_set_enabled", link, |link| link.is_enabled = enabled);
    }

    /// Whether a link is used.
    #[func]
    fn link_get_enabled(&self, link: Rid) -> bool {
        Self::on("link_get_enabled", "link", link, |state, id| Some(state.link(id)?.is_enabled))
    }

    /// Sets the area type of a link, 1…63, whose cost [method map_set_area_cost] or [method link_set_travel_cost] says.
    /// Default 63, plain ground.
    #[func]
    fn link_set_area(&self, link: Rid, area: u8) {
        let to = AreaId::from_low_bits(area.clamp(1, 63));
        Self::on_link("link_set_area", link, |link| Self::ends(link, |ends| ends.area = to));
    }

    /// Sets what a metre of the area type of a link costs, 0 or more, unless that is 63. Default 1.
    #[func]
    fn link_set_travel_cost(&self, link: Rid, travel_cost: f32) {
        Self::on_link("link_set_travel_cost", link, |link| link.cost = travel_cost.max(0.0));
    }

    /// What a metre of the area type of a link costs.
    #[func]
    fn link_get_travel_cost(&self, link: Rid) -> f32 {
        Self::on("link_get_travel_cost", "link", link, |state, id| Some(state.link(id)?.cost))
    }

    /// Sets how far from the ends of a link the mesh may be, metres. Default 1.
    #[func]
    fn link_set_radius(&self, link: Rid, radius: f32) {
        Self::on_link("link_set_radius", link, |link| Self::ends(link, |ends| ends.radius = radius.max(0.0)));
    }

    /// Names the object that a link belongs to, as signals of agents tell it; 0 for none.
    #[func]
    fn link_set_owner_id(&self, link: Rid, owner_id: i64) {
        Self::on("link_set_owner_id", "link", link, |state, id| {
            state.link(id)?;
            state.set_owner(id, owner_id)
        });
    }

    /// The object that a link belongs to; 0 for none.
    #[func]
    fn link_get_owner_id(&self, link: Rid) -> i64 {
        let owner = |state: &State, id: Id| state.link(id).map(|_| state.owner(id).unwrap_or(0));
        let owner = Self::on("link_get_owner_id", "link", link, |state, id| owner(state, id));
        nodes::instance(id_of(link)).map_or(owner, InstanceId::to_i64)
    }

    /// Makes an obstacle without a shape; all maps see it until it is given one.
    #[func]
    fn obstacle_create(&self) -> Rid {
        Self::keep_running();
        rid(with(|state| {
            let id = state.next();
            let volume = Volume::Cylinder { base: Vec3::ZERO, radius: 0.0, height: 1.0 };
            let footprint = Footprint::Block;
            let (is_in_mesh, is_avoided) = (true, false);
            let volume = Some(volume);
            let part = VolumePart {
                map: None,
                layers: 1,
                volume,
                footprint,
                is_in_mesh,
                is_avoided,
                is_paused: false,
                seen: None,
            };
            state.set_volume(id, Some(part));
            id
        }))
    }

    /// Lets only one map see an obstacle; an empty one: all.
    #[func]
    fn obstacle_set_map(&self, obstacle: Rid, map: Rid) {
        if let Some(only) = Self::only_map("WayfareServer.obstacle_set_map", map) {
            Self::on_obstacle("obstacle_set_map", obstacle, |obstacle| obstacle.map = only);
        }
    }

    /// The only map that sees an obstacle, if there is one.
    #[func]
    fn obstacle_get_map(&self, obstacle: Rid) -> Rid {
        let only = Self::on("obstacle_get_map", "obstacle", obstacle, |state, id| Some(state.volume(id)?.map));
        rid(only.unwrap_or(0))
    }

    /// The middle of the base of an obstacle.
    #[func]
    fn obstacle_get_position(&self, obstacle: Rid) -> Vector3 {
        let bounds = Self::bounds_of("obstacle_get_position", obstacle);
        to_godot(((bounds.min + bounds.max) / 2.0).with_y(bounds.min.y))
    }

    /// Half the width of an obstacle, metres: the radius of a cylinder.
    #[func]
    fn obstacle_get_radius(&self, obstacle: Rid) -> f32 {
        let bounds = Self::bounds_of("obstacle_get_radius", obstacle);
        (bounds.max.x - bounds.min.x) / 2.0
    }

    /// The height of an obstacle, metres.
    #[func]
    fn obstacle_get_height(&self, obstacle: Rid) -> f32 {
        let bounds = Self::bounds_of("obstacle_get_height", obstacle);
        bounds.max.y - bounds.min.y
    }

    /// The corners of the base of an obstacle that has some.
    #[func]
    fn obstacle_get_vertices(&self, obstacle: Rid) -> PackedVector3Array {
        let call = "obstacle_get_vertices";
        let corners: Vec<Vec3> = Self::on(call, "obstacle", obstacle, |state, id| {
            Some(match &state.volume(id)?.volume {
                Some(Volume::Prism { outline, heights }) => {
                    outline.iter().map(|corner| Vec3::new(corner.x, heights[0], corner.y)).collect()
                }
                _ => Vec::new(),
            })
        });
        corners.into_iter().map(to_godot).collect()
    }

    /// Lets the mesh follow an obstacle, or not. Default true.
    #[func]
    fn obstacle_set_affect_navigation_mesh(&self, obstacle: Rid, affect: bool) {
        let call = "obstacle_set_affect_navigation_mesh";
        Self::on_obstacle(call, obstacle, |obstacle| obstacle.is_in_mesh = affect);
    }

    /// Whether the mesh follows an obstacle.
    #[func]
    fn obstacle_get_affect_navigation_mesh(&self, obstacle: Rid) -> bool {
        let call = "obstacle_get_affect_navigation_mesh";
        Self::on(call, "obstacle", obstacle, |state, id| Some(state.volume(id)?.is_in_mesh))
    }

    /// Lets agents walk around an obstacle by themselves, without a mesh that knows it. Default false.
    #[func]
    fn obstacle_set_avoidance_enabled(&self, obstacle: Rid, enabled: bool) {
        let call = "obstacle_set_avoidance_enabled";
        Self::on_obstacle(call, obstacle, |obstacle| obstacle.is_avoided = enabled);
    }

    /// Lets agents walk through an obstacle for now, or no longer. Default false. The mesh still has it.
    #[func]
    fn obstacle_set_paused(&self, obstacle: Rid, paused: bool) {
        Self::on_obstacle("obstacle_set_paused", obstacle, |obstacle| obstacle.is_paused = paused);
    }

    /// Whether agents walk through an obstacle for now.
    #[func]
    fn obstacle_get_paused(&self, obstacle: Rid) -> bool {
        Self::on("obstacle_get_paused", "obstacle", obstacle, |state, id| Some(state.volume(id)?.is_paused))
    }

    /// Whether agents walk around an obstacle by themselves.
    #[func]
    fn obstacle_get_avoidance_enabled(&self, obstacle: Rid) -> bool {
        let call = "obstacle_get_avoidance_enabled";
        Self::on(call, "obstacle", obstacle, |state, id| Some(state.volume(id)?.is_avoided))
    }

    /// Moves an obstacle: the middle of its base.
    #[func]
    fn obstacle_set_position(&self, obstacle: Rid, position: Vector3) {
        let to = to_nav(position);
        Self::on_volume("obstacle_set_position", obstacle, |volume| match volume {
            Volume::Cylinder { base, .. } => *base = to,
            volume => {
                let bounds = volume.bounds();
                let base = ((bounds.min + bounds.max) / 2.0).with_y(bounds.min.y);
                volume.move_by(to - base);
            }
        });
    }

    /// Makes an obstacle a cylinder of this radius, metres.
    #[func]
    fn obstacle_set_radius(&self, obstacle: Rid, radius: f32) {
        let to = radius;
        Self::on_volume("obstacle_set_radius", obstacle, |volume| {
            let bounds = volume.bounds();
            let base = ((bounds.min + bounds.max) / 2.0).with_y(bounds.min.y);
            *volume = Volume::Cylinder { base, radius: to, height: bounds.max.y - bounds.min.y };
        });
    }

    /// Sets the height of an obstacle, metres.
    #[func]
    fn obstacle_set_height(&self, obstacle: Rid, height: f32) {
        let to = height;
        Self::on_volume("obstacle_set_height", obstacle, |volume| match volume {
            Volume::Cylinder { height, .. } => *height = to,
            Volume::Prism { heights: [low, high], .. } => *high = *low + to,
            _ => {}
        });
    }

    /// Makes an obstacle a prism over these corners, in the world; their lowest is its base.
    #[func]
    fn obstacle_set_vertices(&self, obstacle: Rid, vertices: PackedVector3Array) {
        let corners: Vec<Vec3> = vertices.as_slice().iter().copied().map(to_nav).collect();
        if corners.len() < 3 || corners.iter().any(|corner| !corner.is_finite()) {
            godot_error!("WayfareServer.obstacle_set_vertices: three corners or more are needed, all of them numbers");
            return;
        }
        Self::on_volume("obstacle_set_vertices", obstacle, |volume| {
            let bounds = volume.bounds();
            let low = corners.iter().map(|corner| corner.y).fold(f32::INFINITY, f32::min);
            let outline = corners.iter().map(|corner| wayfare::Vec2::new(corner.x, corner.z)).collect();
            *volume = Volume::Prism { outline, heights: [low, low + bounds.max.y - bounds.min.y] };
        });
    }
}

impl WayfareServer {
    /// The only map that is to see a part; `Some(None)`: all. `None`, and an error, if there is no such map.
    pub(crate) fn only_map(call: &str, map: Rid) -> Option<Option<Id>> {
        if !map.is_valid() {
            return Some(None);
        }
        let found = with(|state| state.find_map(id_of(map)));
        if found.is_none() {
            godot_error!("{call}: {}", Self::no_map(map));
        }
        found.map(Some)
    }

    fn ends(link: &mut LinkPart, change: impl FnOnce(&mut OffMeshConnection)) {
        if let Some(link) = &mut link.link {
            change(link);
        }
    }

    /// The box around an obstacle; an empty one, and an error, if there is none.
    fn bounds_of(call: &str, obstacle: Rid) -> Aabb {
        let bounds = Self::on(call, "obstacle", obstacle, |state, id| {
            Some(state.volume(id)?.volume.as_ref().map(Volume::bounds))
        });
        bounds.unwrap_or(Aabb { min: Vec3::ZERO, max: Vec3::ZERO })
    }

    fn on_link(call: &str, link: Rid, change: impl FnOnce(&mut LinkPart)) {
        Self::on(call, "link", link, |state, id| {
            let mut part = state.link(id)?.clone();
            change(&mut part);
            state.set_link(id, Some(part));
            Some(())
        });
    }

    fn on_obstacle(call: &str, obstacle: Rid, change: impl FnOnce(&mut VolumePart)) {
        Self::on(call, "obstacle", obstacle, |state, id| {
            let mut part = state.volume(id).filter(|part| part.footprint == Footprint::Block)?.clone();
            change(&mut part);
            state.set_volume(id, Some(part));
            Some(())
        });
    }

    fn on_volume(call: &str, obstacle: Rid, change: impl FnOnce(&mut Volume)) {
        Self::on_obstacle(call, obstacle, |part| {
            if let Some(volume) = &mut part.volume {
                change(volume);
            }
        });
    }
}
