//! Queries on maps.

use super::{WayfareServer, id_of, rid};
use crate::ask::{Asked, nearest};
use crate::convert::{points, to_godot, to_nav};
use crate::core::{Id, Map, filter_for, with};
use crate::nodes;
use godot::classes::navigation_path_query_parameters_3d::{PathMetadataFlags, PathPostProcessing};
use godot::classes::navigation_server_3d::ProcessInfo;
use godot::classes::{NavigationPathQueryParameters3D, NavigationPathQueryResult3D, NavigationServer3D};
use godot::obj::EngineBitfield;
use godot::prelude::*;
use wayfare::Vec3;
use wayfare::area::AreaId;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{DefaultFilter, NavQuery};

#[godot_api(secondary)]
impl WayfareServer {
    /// Makes a map without a region.
    #[func]
    pub(super) fn map_create(&self) -> Rid {
        Self::keep_running();
        rid(with(|state| {
            let id = state.next();
            state.maps.insert(id, Map::default());
            id
        }))
    }

    /// How many there are of something, over all maps; 0 for what is not counted here, such as edges that are merged.
    #[func]
    fn get_process_info(&self, process_info: ProcessInfo) -> i64 {
        with(|state| match process_info {
            ProcessInfo::ACTIVE_MAPS => state.maps.values().filter(|map| map.enabled).count() as i64,
            ProcessInfo::REGION_COUNT => state.regions.len() as i64,
            ProcessInfo::AGENT_COUNT => state.agents.len() as i64,
            ProcessInfo::LINK_COUNT => state.link_count() as i64,
            ProcessInfo::OBSTACLE_COUNT => state.obstacle_count() as i64,
            ProcessInfo::POLYGON_COUNT => {
                let tiles = state.maps.values().flat_map(|map| map.mesh.tiles());
                tiles.map(|tile| i64::from(tile.poly_count())).sum()
            }
            _ => 0,
        })
    }

    /// All maps.
    #[func]
    fn get_maps(&self) -> Array<Rid> {
        with(|state| state.maps.keys().map(|&id| rid(id)).collect())
    }

    /// Lets paths be found on a map, or not.
    #[func]
    pub(super) fn map_set_active(&self, map: Rid, active: bool) {
        Self::on("map_set_active", "map", map, |state, id| {
            let id = state.find_map(id)?;
            state.maps.get_mut(&id).map(|map| map.enabled = active)
        });
    }

    /// Whether paths are found on a map.
    #[func]
    pub(super) fn map_is_active(&self, map: Rid) -> bool {
        Self::on_map("map_is_active", map, |map| map.enabled)
    }

    /// A number that goes up when the mesh of a map changes; 0 before the first bake.
    #[func]
    pub(super) fn map_get_iteration_id(&self, map: Rid) -> i64 {
        Self::on_map("map_get_iteration_id", map, |map| i64::from(map.iteration))
    }

    /// Brings a map up to date at once, on this thread.
    #[func(gd_self)]
    pub(super) fn map_force_update(this: Gd<Self>, map: Rid) {
        let news = Self::on("map_force_update", "map", map, |state, id| {
            let id = state.find_map(id)?;
            let news = state.maps.get_mut(&id)?.force();
            Some(news.into_iter().map(|news| (id, news)).collect())
        });
        Self::pass_on(&this, news);
    }

    /// Side of the cells of a map, metres.
    #[func]
    pub(super) fn map_get_cell_size(&self, map: Rid) -> f32 {
        Self::on_map("map_get_cell_size", map, |map| {
            map.mesh.tiles().next().map_or(0.0, |tile| tile.data().baked_for().cell_size)
        })
    }

    /// Height of the cells of a map, metres.
    #[func]
    pub(super) fn map_get_cell_height(&self, map: Rid) -> f32 {
        Self::on_map("map_get_cell_height", map, |map| {
            map.mesh.tiles().next().map_or(0.0, |tile| tile.data().baked_for().cell_height)
        })
    }

    /// Up is +Y on all maps.
    #[func]
    pub(super) fn map_get_up(&self, map: Rid) -> Vector3 {
        Self::on_map("map_get_up", map, |_| ());
        Vector3::UP
    }

    /// The path between two positions, as points to walk over: from the nearest position on the mesh to that nearest to
    /// the destination, or as near to it as a path leads. With `optimize` along corners, else over the middles of
    /// edges.
    #[func]
    pub(super) fn map_get_path(
        &self,
        map: Rid,
        origin: Vector3,
        destination: Vector3,
        optimize: bool,
        #[opt(default = 1)] navigation_layers: u32,
    ) -> PackedVector3Array {
        Self::on_map("map_get_path", map, |map| {
            let Some(mut asked) = Asked::of(map, navigation_layers) else { return PackedVector3Array::new() };
            let (from, to) = (to_nav(origin), to_nav(destination));
            if !optimize {
                return points(asked.path_over_middles(from, to));
            }
            let found = asked.path(from, to);
            points(found.iter().flat_map(|found| found.straight.points.iter().map(|point| point.point)))
        })
    }

    /// Why there is no path between two positions, in a sentence; that there is one, where there is.
    #[func]
    pub(super) fn map_explain_path(
        &self,
        map: Rid,
        origin: Vector3,
        destination: Vector3,
        #[opt(default = 1)] navigation_layers: u32,
    ) -> GString {
        Self::on_map("map_explain_path", map, |map| {
            let Some(mut asked) = Asked::of(map, navigation_layers) else {
                return "the region is disabled, or in none of these layers".into();
            };
            GString::from(&asked.query.explain(to_nav(origin), to_nav(destination)).to_string())
        })
    }

    /// Where a straight walk ends: `position`, whether it `hit` a wall, the wall's `normal`.
    #[func]
    pub(super) fn map_raycast(
        &self,
        map: Rid,
        origin: Vector3,
        destination: Vector3,
        #[opt(default = 1)] navigation_layers: u32,
    ) -> VarDictionary {
        let ray = Self::on_map("map_raycast", map, |map| {
            let mut asked = Asked::of(map, navigation_layers)?;
            let start = nearest(asked.query.mesh(), to_nav(origin), asked.query.filter())?;
            let ray = asked.query.ray(start, to_nav(destination)).ok()?;
            Some((to_godot(ray.point), ray.hit, to_godot(ray.normal)))
        });
        ray.map(|(position, hit, normal)| vdict! { "position" => position, "hit" => hit, "normal" => normal })
            .unwrap_or_default()
    }

    /// Moves a position along the mesh towards another: it slides along walls, and never leaves the mesh.
    #[func]
    pub(super) fn map_move_along_surface(
        &self,
        map: Rid,
        origin: Vector3,
        destination: Vector3,
        #[opt(default = 1)] navigation_layers: u32,
    ) -> Vector3 {
        let moved = Self::on_map("map_move_along_surface", map, |map| {
            let mut asked = Asked::of(map, navigation_layers)?;
            let start = nearest(asked.query.mesh(), to_nav(origin), asked.query.filter())?;
            asked.query.move_along(start, to_nav(destination)).ok()?.map(|moved| to_godot(moved.point))
        });
        moved.unwrap_or(origin)
    }

    /// Distance to the nearest wall, metres, at most `max_distance`.
    #[func]
    pub(super) fn map_get_distance_to_wall(&self, map: Rid, position: Vector3, max_distance: f32) -> f32 {
        let wall = Self::on_map("map_get_distance_to_wall", map, |map| {
            let start = nearest(&map.mesh, to_nav(position), &DefaultFilter::default())?;
            NavQuery::of(&map.mesh).nearest_wall(start, max_distance).ok().flatten().map(|wall| wall.distance)
        });
        wall.unwrap_or(max_distance)
    }

    /// The position on the mesh that is nearest to a point; the origin where there is none.
    #[func]
    pub(super) fn map_get_closest_point(&self, map: Rid, to_point: Vector3) -> Vector3 {
        Self::on_map("map_get_closest_point", map, |map| closest(&map.mesh, to_point).map(|found| found.0))
            .unwrap_or_default()
    }

    /// The normal of the surface that is nearest to a point.
    #[func]
    pub(super) fn map_get_closest_point_normal(&self, map: Rid, to_point: Vector3) -> Vector3 {
        Self::on_map("map_get_closest_point_normal", map, |map| {
            let (at, poly) = closest(&map.mesh, to_point)?;
            Some(normal(&map.mesh, poly, to_nav(at)))
        })
        .unwrap_or_default()
    }

    /// The region that the nearest position is of.
    #[func]
    pub(super) fn map_get_closest_point_owner(&self, map: Rid, to_point: Vector3) -> Rid {
        let is_there = Self::on_map("map_get_closest_point_owner", map, |map| closest(&map.mesh, to_point).is_some());
        if is_there { self.map_get_regions(map).get(0).unwrap_or(Rid::Invalid) } else { Rid::Invalid }
    }

    /// The position on the mesh that is nearest to a segment. With `use_collision`, where the segment first meets the
    /// mesh, if it does: a ray from a camera to a click.
    #[func]
    pub(super) fn map_get_closest_point_to_segment(
        &self,
        map: Rid,
        start: Vector3,
        end: Vector3,
        #[opt(default = false)] use_collision: bool,
    ) -> Vector3 {
        Self::on_map("map_get_closest_point_to_segment", map, |map| {
            crate::segment::closest(&map.mesh, [to_nav(start), to_nav(end)], use_collision).map(to_godot)
        })
        .unwrap_or_default()
    }

    /// A random position on a map; each surface is as likely as it is large. `_uniformly` is always so.
    #[func]
    pub(super) fn map_get_random_point(&self, map: Rid, navigation_layers: u32, _uniformly: bool) -> Vector3 {
        let mut rng = self.rng.borrow_mut();
        let found = Self::on_map("map_get_random_point", map, |map| {
            Asked::of(map, navigation_layers)?.query.random(&mut rng).map(|found| to_godot(found.point))
        });
        found.unwrap_or_default()
    }

    /// What a metre of an area type, 1…63, costs on a map: 0 or more; infinite closes it. Counts over what areas say.
    #[func]
    pub(super) fn map_set_area_cost(&self, map: Rid, area: i64, cost: f32) {
        if !(1..=63).contains(&area) || cost.is_nan() || cost < 0.0 {
            godot_error!(
                "WayfareServer.map_set_area_cost: area {area}, cost {cost}: areas are 1 to 63, costs 0 or more"
            );
            return;
        }
        Self::on("map_set_area_cost", "map", map, |state, id| {
            let id = state.find_map(id)?;
            state.set_cost(id, area as u8, cost);
            Some(())
        });
    }

    /// What a metre of an area type costs on a map.
    #[func]
    pub(super) fn map_get_area_cost(&self, map: Rid, area: i64) -> f32 {
        Self::on("map_get_area_cost", "map", map, |state, id| {
            let id = state.find_map(id)?;
            Some(state.cost(id, AreaId::from_low_bits(area.clamp(0, 63) as u8)))
        })
    }

    /// The area type of the surface nearest to a point; 0 where there is none.
    #[func]
    pub(super) fn map_get_area(&self, map: Rid, to_point: Vector3) -> i64 {
        Self::on_map("map_get_area", map, |map| {
            let (_, poly) = closest(&map.mesh, to_point)?;
            map.mesh.state(poly).ok().map(|state| i64::from(state.area.get()))
        })
        .unwrap_or_default()
    }

    /// The region of a map, if it has one.
    #[func]
    pub(super) fn map_get_regions(&self, map: Rid) -> Array<Rid> {
        Self::rids("map_get_regions", map, |state, id| {
            state.regions.iter().filter(|(_, map)| **map == id).map(|(&region, _)| region).collect()
        })
    }

    /// The links that a map sees.
    #[func]
    pub(super) fn map_get_links(&self, map: Rid) -> Array<Rid> {
        Self::rids("map_get_links", map, |state, id| state.links_of(id).collect())
    }

    /// The obstacles that a map sees.
    #[func]
    pub(super) fn map_get_obstacles(&self, map: Rid) -> Array<Rid> {
        Self::rids("map_get_obstacles", map, |state, id| state.obstacles_of(id).collect())
    }

    /// The agents on a map.
    #[func]
    pub(super) fn map_get_agents(&self, map: Rid) -> Array<Rid> {
        Self::rids("map_get_agents", map, |state, id| {
            let here = state.agents.iter().filter(|(_, agent)| state.map_of(agent) == Some(id));
            here.map(|(&agent, _)| agent).collect()
        })
    }

    /// Fills `result` with the path that `parameters` describe. Map, positions, layers, post-processing and metadata
    /// flags count; lists of regions and limits of length do not.
    #[func]
    fn query_path(&self, parameters: Gd<NavigationPathQueryParameters3D>, mut result: Gd<NavigationPathQueryResult3D>) {
        let (from, to) = (to_nav(parameters.get_start_position()), to_nav(parameters.get_target_position()));
        let is_straight = parameters.get_path_postprocessing() == PathPostProcessing::CORRIDORFUNNEL;
        let layers = parameters.get_navigation_layers();
        let map = parameters.get_map();
        let found = Self::on_map("query_path", map, |map| {
            let Some(mut asked) = Asked::of(map, layers) else { return Vec::new() };
            if !is_straight {
                return asked.path_over_middles(from, to).into_iter().map(|point| (point, 0)).collect();
            }
            let path = asked.path(from, to);
            let found = path.iter().flat_map(|path| path.straight.points.iter());
            found.map(|point| (point.point, link_of(&map.mesh, point.poly))).collect::<Vec<(Vec3, Id)>>()
        });
        let region = with(|state| {
            let map = state.find_map(id_of(map))?;
            state.regions.iter().find(|(_, other)| **other == map).map(|(&region, _)| region)
        });
        let region = region.map_or(Rid::Invalid, rid);
        let flags = parameters.get_metadata_flags();
        result.set_path(&points(found.iter().map(|point| point.0)));
        // A link that was found by itself is nobody's.
        let owner = |link: Id| match link {
            0 => region,
            link if with(|state| state.link(link).is_some()) => rid(link),
            _ => Rid::Invalid,
        };
        if flags.is_set(PathMetadataFlags::TYPES) {
            result.set_path_types(&found.iter().map(|point| i32::from(point.1 != 0)).collect());
        }
        if flags.is_set(PathMetadataFlags::RIDS) {
            result.set_path_rids(&found.iter().map(|point| owner(point.1)).collect());
        }
        if flags.is_set(PathMetadataFlags::OWNERS) {
            let node = |rid: Rid| nodes::instance(id_of(rid)).map_or(0, |id| id.to_i64());
            result.set_path_owner_ids(&found.iter().map(|point| node(owner(point.1))).collect());
        }
    }

    /// Leaves points of a path out that are nearer than `epsilon` metres to the line without them.
    #[func]
    fn simplify_path(&self, path: PackedVector3Array, epsilon: f32) -> PackedVector3Array {
        NavigationServer3D::singleton().simplify_path(&path, epsilon)
    }
}

impl WayfareServer {
    fn rids(call: &str, map: Rid, list: impl FnOnce(&crate::core::State, Id) -> Vec<Id>) -> Array<Rid> {
        let ids = Self::on(call, "map", map, |state, id| Some(list(state, state.find_map(id)?)));
        ids.into_iter().map(rid).collect()
    }
}

/// The position nearest to a point, and its polygon.
pub fn closest(mesh: &NavMesh, point: Vector3) -> Option<(Vector3, PolyRef)> {
    let found = nearest(mesh, to_nav(point), &filter_for(mesh, u32::MAX))?;
    Some((to_godot(found.point), found.poly))
}

/// The normal of the surface at a position on a polygon.
pub fn normal(mesh: &NavMesh, poly: PolyRef, at: Vec3) -> Vector3 {
    let Ok((tile, index)) = mesh.locate(poly) else { return Vector3::UP };
    let distance = |triangle: [Vec3; 3]| distance_to_triangle(at, triangle);
    let triangles = tile.data().triangles_of(index).map(|triangle| triangle.0);
    let near = triangles.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    let up = near.map(|[a, b, c]| (b - a).cross(c - a).normalize_or(Vec3::Y)).unwrap_or(Vec3::Y);
    to_godot(if up.y < 0.0 { -up } else { up })
}

/// How far a position is from a triangle, seen from above, metres: the triangles of a polygon do not lie over each
/// other.
fn distance_to_triangle(at: Vec3, [a, b, c]: [Vec3; 3]) -> f32 {
    let flat = |p: Vec3| p.with_y(0.0);
    let beside = |p: Vec3, q: Vec3| {
        let (along, from) = (flat(q - p), flat(at - p));
        let share = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
        (from - along * share).length()
    };
    let turn = |p: Vec3, q: Vec3| (q.x - p.x) * (at.z - p.z) - (q.z - p.z) * (at.x - p.x);
    let turns = [turn(a, b), turn(b, c), turn(c, a)];
    let is_over = turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0);
    if is_over { 0.0 } else { beside(a, b).min(beside(b, c)).min(beside(c, a)) }
}

/// The link of a polygon reference; 0 for a surface.
fn link_of(mesh: &NavMesh, poly: PolyRef) -> Id {
    mesh.connection(poly).map_or(0, |link| Id::from(link.definition().user_id))
}
