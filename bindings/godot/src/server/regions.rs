//! Regions without nodes.

use super::{WayfareServer, id_of, rid};
use crate::convert::to_nav;
use crate::core::{Id, Level, Map, with};
use crate::mesh::WayfareMesh;
use crate::nodes;
use crate::source::to_godot_box;
use godot::prelude::*;

#[godot_api(secondary)]
impl WayfareServer {
    /// Makes a region, with a map of its own.
    #[func]
    fn region_create(&self) -> Rid {
        Self::keep_running();
        rid(with(|state| state.add_region()))
    }

    /// Moves a region to a map that has none. A map holds one region, for one size of agent: levels in parts are one
    /// region whose geometry is in a group.
    #[func]
    fn region_set_map(&self, region: Rid, map: Rid) {
        if let Err(problem) = with(|state| state.move_region(id_of(region), id_of(map))) {
            godot_error!("WayfareServer.region_set_map: {problem}");
        }
    }

    /// The map of a region.
    #[func]
    fn region_get_map(&self, region: Rid) -> Rid {
        rid(Self::on("region_get_map", "region", region, |state, id| state.regions.get(&id).copied()))
    }

    /// Names the object that a region belongs to; 0 for none.
    #[func]
    fn region_set_owner_id(&self, region: Rid, owner_id: i64) {
        Self::on("region_set_owner_id", "region", region, |state, id| {
            state.regions.get(&id)?;
            state.set_owner(id, owner_id)
        });
    }

    /// The object that a region belongs to; 0 for none.
    #[func]
    fn region_get_owner_id(&self, region: Rid) -> i64 {
        let owner = Self::on("region_get_owner_id", "region", region, |state, id| {
            state.regions.get(&id)?;
            Some(state.owner(id).unwrap_or(0))
        });
        nodes::instance(id_of(region)).map_or(owner, InstanceId::to_i64)
    }

    /// Lets paths be found on a region, or not.
    #[func]
    fn region_set_enabled(&self, region: Rid, enabled: bool) {
        Self::on_region("region_set_enabled", region, |map| map.enabled = enabled);
    }

    /// Whether paths are found on a region.
    #[func]
    fn region_get_enabled(&self, region: Rid) -> bool {
        Self::on_region("region_get_enabled", region, |map| map.enabled)
    }

    /// Sets the layers that a region is in.
    #[func]
    fn region_set_navigation_layers(&self, region: Rid, navigation_layers: u32) {
        Self::on_region("region_set_navigation_layers", region, |map| map.navigation_layers = navigation_layers);
    }

    /// The layers that a region is in.
    #[func]
    fn region_get_navigation_layers(&self, region: Rid) -> u32 {
        Self::on_region("region_get_navigation_layers", region, |map| map.navigation_layers)
    }

    /// Shows what was baked into a resource.
    #[func]
    fn region_set_navigation_mesh(&self, region: Rid, navigation_mesh: Gd<WayfareMesh>) {
        let data = navigation_mesh.bind().data.clone();
        let level = match Level::from_way(data.as_slice()) {
            Ok(level) => level,
            Err(problem) => {
                godot_error!("WayfareServer.region_set_navigation_mesh: {problem}");
                return;
            }
        };
        Self::on("region_set_navigation_mesh", "region", region, |state, id| {
            let map = *state.regions.get(&id)?;
            state.show(map, level);
            Some(())
        });
    }

    /// The box around the mesh of a region.
    #[func]
    fn region_get_bounds(&self, region: Rid) -> Aabb {
        Self::on_region("region_get_bounds", region, |map| to_godot_box(map.mesh.bounds()))
    }

    /// A number that goes up when the mesh of a region changes.
    #[func]
    fn region_get_iteration_id(&self, region: Rid) -> i64 {
        Self::on_region("region_get_iteration_id", region, |map| i64::from(map.iteration))
    }

    /// The position on a region that is nearest to a point.
    #[func]
    fn region_get_closest_point(&self, region: Rid, to_point: Vector3) -> Vector3 {
        let map = Self::map_of("region_get_closest_point", region);
        map.map(|map| self.map_get_closest_point(map, to_point)).unwrap_or_default()
    }

    /// The normal of a region's surface that is nearest to a point.
    #[func]
    fn region_get_closest_point_normal(&self, region: Rid, to_point: Vector3) -> Vector3 {
        let map = Self::map_of("region_get_closest_point_normal", region);
        map.map(|map| self.map_get_closest_point_normal(map, to_point)).unwrap_or_default()
    }

    /// The position on a region that is nearest to a segment.
    #[func]
    fn region_get_closest_point_to_segment(
        &self,
        region: Rid,
        start: Vector3,
        end: Vector3,
        #[opt(default = false)] use_collision: bool,
    ) -> Vector3 {
        let map = Self::map_of("region_get_closest_point_to_segment", region);
        map.map(|map| self.map_get_closest_point_to_segment(map, start, end, use_collision)).unwrap_or_default()
    }

    /// A random position on a region.
    #[func]
    fn region_get_random_point(&self, region: Rid, navigation_layers: u32, uniformly: bool) -> Vector3 {
        let map = Self::map_of("region_get_random_point", region);
        map.map(|map| self.map_get_random_point(map, navigation_layers, uniformly)).unwrap_or_default()
    }

    /// Whether a point is on the surface of a region, or above it by less than an agent's height.
    #[func]
    fn region_owns_point(&self, region: Rid, point: Vector3) -> bool {
        Self::on_region("region_owns_point", region, |map| {
            let found = super::maps::closest(&map.mesh, point);
            let height = map.mesh.tiles().next().map_or(0.0, |tile| tile.data().baked_for().height);
            found.is_some_and(|(at, _)| {
                let miss = to_nav(point) - to_nav(at);
                miss.with_y(0.0).length() < 1e-3 && (-0.5..height.max(0.5)).contains(&miss.y)
            })
        })
    }
}

impl WayfareServer {
    /// The map of a region; an error if there is no such region.
    fn map_of(call: &str, region: Rid) -> Option<Rid> {
        Self::on(call, "region", region, |state, id| state.regions.get(&id).map(|&map| Some(rid(map))))
    }

    fn on_region<R: Default>(call: &str, region: Rid, act: impl FnOnce(&mut Map) -> R) -> R {
        Self::on(call, "region", region, |state, id: Id| {
            let map = *state.regions.get(&id)?;
            state.maps.get_mut(&map).map(act)
        })
    }
}
