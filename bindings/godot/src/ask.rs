//! Queries on a mesh, with the reach that scripts expect: the nearest position, however far.

use crate::core::{Map, filter_for};
use wayfare::Vec3;
use wayfare::mesh::NavMesh;
use wayfare::query::{DEFAULT_REACH, DefaultFilter, NavQuery, Nearest, NodePlacement, PulledPath, find_nearest};

/// The position on the mesh that is nearest to a point.
pub fn nearest(mesh: &NavMesh, point: Vec3, filter: &DefaultFilter) -> Option<Nearest> {
    if !point.is_finite() {
        return None;
    }
    let bounds = mesh.bounds();
    // Most positions are near.
    let all = (point - bounds.min).abs().max((point - bounds.max).abs()) + Vec3::ONE;
    let found = [DEFAULT_REACH, DEFAULT_REACH * 8.0, all]
        .into_iter()
        .find_map(|reach| Some((find_nearest(mesh, point, reach, filter)?, reach)));
    let (found, reach) = found?;
    // Beyond the side of a box that is less far away than its corners there may be something nearer. A floor under the
    // point counts as nearer by the climb.
    let climb = mesh.tiles().next().map_or(0.0, |tile| tile.data().baked_for().climb);
    let distance = found.point.distance(point) + climb;
    if distance <= reach.min_element() || reach == all {
        return Some(found);
    }
    find_nearest(mesh, point, Vec3::splat(distance), filter).or(Some(found))
}

/// What a script may say to a map.
pub struct Asked<'a> {
    pub query: NavQuery<&'a NavMesh>,
}

impl<'a> Asked<'a> {
    /// On a map, with the links of these layers. `None` if no region there is in one of the layers, or it is disabled.
    pub fn of(map: &'a Map, navigation_layers: u32) -> Option<Self> {
        let is_open = map.enabled && map.navigation_layers & navigation_layers != 0;
        let query = || NavQuery::new(&map.mesh, filter_for(&map.mesh, navigation_layers));
        is_open.then(|| Self { query: query() })
    }

    /// Between the positions nearest to two points, as far as a path leads.
    pub fn path(&mut self, from: Vec3, to: Vec3) -> Option<PulledPath<'_>> {
        let ends = [from, to].map(|point| nearest(self.query.mesh(), point, self.query.filter()));
        let [Some(from), Some(to)] = ends else { return None };
        self.query.straight_path(from, to).ok()
    }

    /// The same over the middles of edges.
    pub fn path_over_middles(mut self, from: Vec3, to: Vec3) -> Vec<Vec3> {
        self.query = self.query.with_placement(NodePlacement::Middle);
        let Some(found) = self.path(from, to) else { return Vec::new() };
        let (start, end) = (found.path.start, found.path.end);
        let middles = found.path.portals.iter().map(|portal| portal.middle());
        if found.path.polys.is_empty() { Vec::new() } else { [start].into_iter().chain(middles).chain([end]).collect() }
    }
}
