//! Reconnects a corridor where tiles were rebuilt under it.
//!
//! When a tile is rebuilt around an obstacle that moves, its polygons have other references, though an agent can walk
//! there as before. What is left of the corridor before and after it is kept, and a small search joins the two:
//!
//! ```text
//!   ● [ A ][ B ][ ? ][ D ][ E ] ● end      C was replaced
//!   ● [ A ][ B ]  →   [ D ][ E ] ● end      from where B was left to where D was entered
//!   ● [ A ][ B ][ X ][ D ][ E ] ● end
//! ```
//!
//! The search may open few nodes, and its path may not be much longer than the straight line: where a passage has
//! closed, the better path may lead elsewhere, so that is left to a search from the agent to its goal.
//!
//! Cost: a look-up for each polygon; a search of a few nodes for each gap.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010, which cuts the corridor there.

use super::{CorridorScratch, Found, PathCorridor};
use crate::area::PathStatus;
use crate::math::funnel::Portal;
use crate::math::{plane, segment};
use crate::mesh::{NavMesh, PolyRef, StaleReason};
use crate::query::{
    BrokenBy, PathRequest, PolyPoint, QueryFilter, SearchLimits, breach, find_path_into, portal_between, raycast_into,
};
use glam::Vec3;

/// How many nodes the search across a gap may open: a rebuilt tile has a handful of polygons along a path.
const NODES: u32 = 32;
/// How many times the straight line across a gap the path may be.
const DETOUR: f32 = 1.5;

impl PathCorridor {
    /// Reconnects the corridor where it is broken because tiles were replaced. `start` and `end` are its ends on the
    /// mesh as it is now, since their polygons may be others as well. Returns whether all of it can be walked again; if
    /// not, it is unchanged.
    ///
    /// The new parts are short, and the best from one old part to the next. Whether a better path leads elsewhere
    /// takes a search from end to end.
    pub(crate) fn bridge<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        [start, end]: [PolyPoint; 2],
        filter: &F,
        scratch: &mut CorridorScratch,
    ) -> bool {
        let Some(last) = self.polys.len().checked_sub(1) else { return false };
        let mut bridges = Bridges { mesh, filter, corridor: self, scratch };
        bridges.scratch.visited.clear();
        bridges.scratch.portals.clear();
        bridges.scratch.visited.push(start.poly);
        // Where the last polygon that was kept is left, and its step if it is the same as before.
        let mut from = BridgeEnd::at(start);
        let mut kept = (start.poly == bridges.corridor.polys[0]).then_some(0);
        for step in 1..last {
            match breach(mesh, &bridges.corridor.polys, step, filter) {
                None => {}
                Some(BrokenBy::Gone(StaleReason::Replaced) | BrokenBy::Apart) => continue,
                Some(_) => return false,
            }
            let poly = bridges.corridor.polys[step];
            let [entry, exit] = [step - 1, step].map(|pair| {
                let portal = &bridges.corridor.portals[pair];
                BridgeEnd { poly, middle: portal.middle(), on_line: nearest_to_line(portal, [start.point, end.point]) }
            });
            if !bridges.lead(kept, from, (step, entry)) {
                return false;
            }
            (kept, from) = (Some(step), exit);
        }
        let is_same_end = end.poly == bridges.corridor.polys[last];
        if is_same_end && last > 0 && breach(mesh, &bridges.corridor.polys, last, filter).is_some() {
            return false;
        }
        if !bridges.lead(kept, from, (last, BridgeEnd::at(end))) {
            return false;
        }
        core::mem::swap(&mut self.polys, &mut scratch.visited);
        core::mem::swap(&mut self.portals, &mut scratch.portals);
        (self.start, self.end, self.found) = (start.point, end.point, Found::default());
        true
    }
}

/// Where a polygon that was kept is entered or left.
#[derive(Clone, Copy)]
struct BridgeEnd {
    poly: PolyRef,
    /// In the middle of the portal, where searches place their nodes.
    middle: Vec3,
    /// Nearest to the straight line from start to end, where most paths cross the portal.
    on_line: Vec3,
}

impl BridgeEnd {
    fn at(PolyPoint { poly, point }: PolyPoint) -> Self {
        Self { poly, middle: point, on_line: point }
    }
}

fn nearest_to_line(portal: &Portal, [start, end]: [Vec3; 2]) -> Vec3 {
    let [left, right] = [portal.left, portal.right].map(|p| plane::cross(start, end, p));
    let t = left / (left - right);
    // Along the line, or a point: anywhere.
    let t = if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.5 };
    segment::at(portal.left, portal.right, t)
}

/// The corridor that is being put together in the scratch.
struct Bridges<'a, F: ?Sized> {
    mesh: &'a NavMesh,
    filter: &'a F,
    corridor: &'a PathCorridor,
    scratch: &'a mut CorridorScratch,
}

impl<F: QueryFilter + ?Sized> Bridges<'_, F> {
    /// Continues from a place, on the polygon of step `kept`, to another: through their portal if both are still
    /// there, otherwise by a search. False if that finds nothing that is short.
    fn lead(&mut self, kept: Option<usize>, from: BridgeEnd, (step, to): (usize, BridgeEnd)) -> bool {
        let CorridorScratch { visited: polys, portals, .. } = &mut *self.scratch;
        let old = self.corridor;
        if kept == Some(step) && to.poly == from.poly {
            return true;
        }
        if kept.is_some_and(|kept| kept + 1 == step) && to.poly == old.polys[step] {
            polys.push(to.poly);
            portals.push(old.portals[step - 1]);
            return true;
        }
        self.walk_straight(from, to) || self.search(from, to)
    }

    /// Continues along the cheapest path, if that is short.
    fn search(&mut self, from: BridgeEnd, to: BridgeEnd) -> bool {
        let CorridorScratch { search, visited: polys, portals, path, .. } = &mut *self.scratch;
        let [from, to] = [from, to].map(|end| PolyPoint { poly: end.poly, point: end.middle });
        let max_cost = self.filter.least_cost() * from.point.distance(to.point) * DETOUR;
        let limits = SearchLimits { max_nodes: NODES, max_cost };
        let request = PathRequest { limits, ..PathRequest::new(from, to) };
        let is_found = find_path_into(self.mesh, &request, self.filter, search, path).is_ok();
        if !is_found || path.status != PathStatus::Complete {
            return false;
        }
        // A corridor that turns back on itself is not the best one.
        let between = path.polys.get(1..path.polys.len() - 1).unwrap_or_default();
        if between.iter().any(|poly| self.corridor.polys.contains(poly)) {
            return false;
        }
        polys.extend_from_slice(&path.polys[1..]);
        portals.append(&mut path.portals);
        true
    }

    /// Continues along the straight line if nothing is in between, which is cheaper to find out than a search. False
    /// if there is, or if the line may cost more than the least.
    fn walk_straight(&mut self, from: BridgeEnd, to: BridgeEnd) -> bool {
        let CorridorScratch { search, visited: polys, portals, ray, .. } = &mut *self.scratch;
        let costs_differ = self.filter.least_cost() < self.filter.most_cost();
        let start = PolyPoint { poly: from.poly, point: from.on_line };
        if costs_differ || raycast_into(self.mesh, start, to.on_line, self.filter, search, ray).is_err() {
            return false;
        }
        if ray.hit {
            return false;
        }
        // It ends on the edge between the last two.
        if ray.polys.last() != Some(&to.poly) {
            ray.polys.push(to.poly);
        }
        let first = portals.len();
        for pair in ray.polys.windows(2) {
            let Ok(Some(portal)) = portal_between(self.mesh, pair[0], pair[1]) else {
                portals.truncate(first);
                return false;
            };
            portals.push(portal);
        }
        polys.extend_from_slice(&ray.polys[1..]);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::corridor::test_ground::{find, place};
    use crate::mesh::TileRef;
    use crate::query::DefaultFilter;
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};

    /// Three tiles of three by three squares in a row.
    fn three_tiles() -> NavMesh {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 3.0, tile_depth: 3.0 };
        let tiles = (0..3).map(|x| sketch(TileCoord { x, z: 0, layer: 0 }, "aaa\naaa\naaa")).collect();
        NavMesh::from_tiles(layout, tiles).unwrap()
    }

    fn rebuild(mesh: &mut NavMesh, x: i32, picture: &str) {
        let tile = TileRef::new(1, x as u32).unwrap();
        mesh.replace_tile(tile, sketch(TileCoord { x, z: 0, layer: 0 }, picture)).unwrap();
    }

    /// Reconnects a corridor along the row, with its ends where they were.
    fn bridge(mesh: &NavMesh, corridor: &mut PathCorridor, filter: &DefaultFilter) -> bool {
        let ends = [corridor.start().unwrap(), corridor.end().unwrap()];
        let ends = ends.map(|end| place(mesh, (end.point.x, end.point.z)));
        corridor.bridge(mesh, ends, filter, &mut CorridorScratch::new())
    }

    #[test]
    fn a_tile_that_was_rebuilt_as_it_was() {
        let filter = DefaultFilter::default();
        // At the start, in between, at the end, and everywhere.
        for tiles in [&[0][..], &[1], &[2], &[0, 2], &[0, 1, 2]] {
            let mut mesh = three_tiles();
            let mut corridor = find(&mesh, (0.5, 1.5), (8.5, 1.5));
            tiles.iter().for_each(|&x| rebuild(&mut mesh, x, "aaa\naaa\naaa"));
            assert!(!corridor.is_valid(&mesh, u32::MAX, &filter));
            assert!(bridge(&mesh, &mut corridor, &filter), "{tiles:?}");
            assert_eq!(corridor, find(&mesh, (0.5, 1.5), (8.5, 1.5)), "{tiles:?}");
        }
    }

    #[test]
    fn around_what_is_in_the_way_now() {
        let filter = DefaultFilter::default();
        let mut mesh = three_tiles();
        let mut corridor = find(&mesh, (0.5, 1.5), (8.5, 1.5));
        rebuild(&mut mesh, 1, "aaa\na.a\naaa");
        assert!(bridge(&mesh, &mut corridor, &filter));
        assert!(corridor.is_valid(&mesh, u32::MAX, &filter));
        let ends = [corridor.start().unwrap().point, corridor.end().unwrap().point];
        assert_eq!((ends, corridor.polys().len()), ([Vec3::new(0.5, 0.0, 1.5), Vec3::new(8.5, 0.0, 1.5)], 11));
        assert_eq!(corridor.portals().len(), 10);
    }

    #[test]
    fn nothing_is_changed_where_a_search_from_end_to_end_is_better() {
        let filter = DefaultFilter::default();
        let mut wet = DefaultFilter::default();
        let water = AreaId::new(1).unwrap();
        wet.set_area_cost(water, 9.0).unwrap();
        let closed = |mesh: &mut NavMesh| rebuild(mesh, 1, "a.a\na.a\na.a");
        let removed = |mesh: &mut NavMesh| _ = mesh.remove_tile(TileRef::new(1, 1).unwrap()).unwrap();
        let door = |mesh: &mut NavMesh| {
            rebuild(mesh, 1, "aaa\naaa\naaa");
            let door = place(mesh, (6.5, 1.5)).poly;
            mesh.set_flags(door, PolyFlags::NONE).unwrap();
        };
        let goal = |mesh: &mut NavMesh| {
            rebuild(mesh, 1, "aaa\naaa\naaa");
            let goal = place(mesh, (8.5, 1.5)).poly;
            mesh.set_flags(goal, PolyFlags::NONE).unwrap();
        };
        let flooded = |mesh: &mut NavMesh| {
            rebuild(mesh, 1, "aaa\naaa\naaa");
            for z in [0.5, 1.5, 2.5] {
                mesh.set_area(place(mesh, (4.5, z)).poly, water).unwrap();
            }
        };
        type Change<'a> = &'a dyn Fn(&mut NavMesh);
        let changes: [(&str, Change<'_>, &DefaultFilter); 5] = [
            ("closed", &closed, &filter),
            ("removed", &removed, &filter),
            ("door", &door, &filter),
            ("goal", &goal, &filter),
            ("wet", &flooded, &wet),
        ];
        for (name, change, filter) in changes {
            let mut mesh = three_tiles();
            let mut corridor = find(&mesh, (0.5, 1.5), (8.5, 1.5));
            let before = corridor.clone();
            change(&mut mesh);
            let ends = [corridor.start().unwrap(), corridor.end().unwrap()];
            assert!(!corridor.bridge(&mesh, ends, filter, &mut CorridorScratch::new()), "{name}");
            assert_eq!(corridor, before, "{name}");
        }
        assert!(!PathCorridor::default().bridge(
            &three_tiles(),
            [place(&three_tiles(), (0.5, 0.5)); 2],
            &filter,
            &mut CorridorScratch::new()
        ));
    }
}
