//! Improves the beginning of a corridor whose ends have been moved.
//!
//! *Visibility*: if a straight line leads to the corner after the next, the polygons it crosses replace the beginning
//! of the corridor, unless one of them is more expensive than one it replaces: straight through the swamp is no better
//! than the bridge beside it. Removes the needless corners of tiled meshes; cheap enough for every tick.
//!
//! *Topology*: a small search towards the end. The reached polygon farthest along the corridor is where the new
//! beginning joins the old rest. Removes detours that only a search can find; run it a few times a second.
//!
//! ```text
//!   row        A B C D E F      search: A X E …      →  A X E F
//! ```
//!
//! Cost: a ray of bounded length; a search of bounded size.
//!
//! Sources: Mikko Mononen, "Path Corridor Optimizations" and "Path Corridor Topology Optimization in Action", Digesting
//! Duck, November 2010.

use super::{CorridorScratch, PathCorridor, fuse_shortcut};
use crate::context::Budget;
use crate::math::plane;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::query::{self, Crossing, PathRequest, QueryFilter, SlicedSearch};
use glam::Vec3;

impl PathCorridor {
    /// Checks whether a straight line leads to `next`, usually the corner after the next, of which at most the first
    /// `range` metres are examined, and if so replaces the beginning of the corridor by the polygons of that line.
    /// Returns whether it did.
    ///
    /// # Errors
    /// [`StaleRef`] if the start's polygon is not in the mesh (any more).
    pub fn optimise_visibility<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        next: Vec3,
        range: f32,
        filter: &F,
        scratch: &mut CorridorScratch,
    ) -> Result<bool, StaleRef> {
        let Some(start) = self.start() else { return Ok(false) };
        let distance = plane::distance(self.start, next);
        if self.polys.len() < 3 || distance < 0.01 {
            return Ok(false);
        }
        let CorridorScratch { search, ray, .. } = scratch;
        // A ray that ends early lands on a polygon of the corridor only by chance, but then it is still a shortcut.
        let to = self.start + (next - self.start) * (range / distance).min(1.0);
        let costs_differ = filter.least_cost() < filter.most_cost();
        if costs_differ {
            query::raycast_with_cost_into(mesh, start, to, filter, search, ray)?;
        } else {
            query::raycast_into(mesh, start, to, filter, search, ray)?;
        }
        // A crossing may be blocked even if both of its polygons pass.
        if !ray.cost.is_finite() || ray.hit || ray.polys.len() < 2 || self.polys.starts_with(&ray.polys) {
            return Ok(false);
        }
        if costs_differ && !self.is_no_dearer(mesh, &ray.polys, to, filter) {
            return Ok(false);
        }
        let Some(fused) = fuse_shortcut(&mut self.polys, &ray.polys) else { return Ok(false) };
        self.renew_first_portals(mesh, fused, scratch);
        Ok(true)
    }

    /// Whether no polygon of a straight line to a position costs more per metre than any of those that it replaces.
    fn is_no_dearer<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, walk: &[PolyRef], to: Vec3, filter: &F) -> bool {
        // The cost of the whole line if all of it were over this polygon.
        let cost = |poly: &PolyRef| {
            let (tile, index) = mesh.locate(*poly).ok()?;
            Some(filter.cost(&Crossing::over(mesh, *poly, tile.state(index), [self.start, to])))
        };
        let replaced = self.polys.iter().rposition(|poly| walk.contains(poly)).map_or(0, |last| last + 1);
        let cheapest = self.polys[..replaced].iter().filter_map(cost).fold(f32::INFINITY, f32::min);
        walk.iter().filter_map(cost).all(|cost| cost <= cheapest)
    }

    /// Searches towards the end with at most `nodes` nodes (32 is a good number) and replaces the beginning of the
    /// corridor by the search's path to the farthest polygon of the corridor that it reached. Returns whether that
    /// changed the corridor.
    ///
    /// # Errors
    /// [`StaleRef`] if the polygon at an end is not in the mesh (any more).
    pub fn optimise_topology<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        nodes: u32,
        filter: &F,
        scratch: &mut CorridorScratch,
    ) -> Result<bool, StaleRef> {
        let (Some(start), Some(end)) = (self.start(), self.end()) else { return Ok(false) };
        if self.polys.len() < 3 || end.poly.is_off_mesh() {
            return Ok(false);
        }
        let memory = core::mem::take(&mut scratch.search);
        let mut search = SlicedSearch::with_scratch(mesh, &PathRequest::new(start, end), filter, memory)?;
        search.step(filter, &mut Budget::new(u64::from(nodes)));
        let joined = if filter.least_cost() < filter.most_cost() {
            search.cheapest_path_to_corridor(mesh, &self.polys, &mut scratch.path)
        } else {
            search.path_to_corridor(mesh, &self.polys, &mut scratch.path)
        };
        scratch.search = search.into_scratch();
        let path = &scratch.path;
        if joined.is_none() || path.polys.len() < 2 || self.polys.starts_with(&path.polys) {
            return Ok(false);
        }
        let Some(fused) = fuse_shortcut(&mut self.polys, &path.polys) else { return Ok(false) };
        // The search knows the portals, even where two polygons share several.
        let CorridorScratch { path, .. } = scratch;
        path.portals.truncate(fused.new);
        self.found.settled = 0;
        self.portals.splice(..fused.old.min(self.portals.len()), path.portals.drain(..));
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::AreaId;
    use crate::corridor::test_ground::{find, place, world};
    use crate::query::{DefaultFilter, SearchScratch, find_path};

    #[test]
    fn a_bulge_is_seen_through() {
        let mesh = world("aaaaa\naaaaa\naaaaa");
        let filter = DefaultFilter::default();
        let mut scratch = CorridorScratch::new();
        let mut corridor = find(&mesh, (0.5, 2.5), (4.5, 2.5));
        // The end walks around, so that the row makes a detour.
        for (x, z) in [(4.5, 1.5), (4.5, 0.5), (2.5, 0.5), (1.5, 0.5), (0.5, 0.5)] {
            corridor.move_end(&mesh, Vec3::new(x, 0.0, z), &filter, &mut scratch).unwrap();
        }
        let before = corridor.polys().len();
        let next = corridor.corners(2, &mut scratch)[1].point;
        let range = 20.0;
        // A ray that is too short sees nothing.
        assert!(!corridor.optimise_visibility(&mesh, next, 0.3, &filter, &mut scratch).unwrap());
        assert_eq!(corridor.polys().len(), before);
        assert!(corridor.optimise_visibility(&mesh, next, range, &filter, &mut scratch).unwrap());
        corridor.optimise_topology(&mesh, 32, &filter, &mut scratch).unwrap();
        assert!(before > 8 && corridor.polys().len() == 3, "{before} {:?}", corridor.polys());
        assert_eq!(corridor, find(&mesh, (0.5, 2.5), (0.5, 0.5)));
        assert!(!corridor.optimise_topology(&mesh, 32, &filter, &mut scratch).unwrap(), "there is nothing left to do");
    }

    #[test]
    fn dear_ground_is_no_shortcut() {
        // The middle of each row is water; the path round it is dry.
        let mut mesh = world("aaaaaaa\naaaaaaa\naaaaaaa");
        let water = AreaId::new(5).unwrap();
        let mut scratch = CorridorScratch::new();
        for (x, z) in (0..3).flat_map(|x| [(x, 0), (x, 1)]) {
            mesh.set_area(place(&mesh, (2.5 + x as f32, z as f32 + 0.5)).poly, water).unwrap();
        }
        let ask = PathRequest::new(place(&mesh, (0.5, 0.5)), place(&mesh, (6.5, 0.5)));
        for (cost, is_crossed) in [(50.0, false), (f32::INFINITY, false), (1.0, true)] {
            let mut filter = DefaultFilter::default();
            filter.set_area_cost(water, 50.0).unwrap();
            let dry = find_path(&mesh, &ask, &filter, &mut SearchScratch::new()).unwrap();
            filter.set_area_cost(water, cost).unwrap();
            let mut corridor = PathCorridor::new(ask.start);
            corridor.follow(&dry).unwrap();
            let goal = ask.goal.point;
            let is_seen = corridor.optimise_visibility(&mesh, goal, 20.0, &filter, &mut scratch).unwrap();
            assert_eq!(is_seen, is_crossed, "{cost}");
            for nodes in 1..40 {
                let mut corridor = PathCorridor::new(ask.start);
                corridor.follow(&dry).unwrap();
                corridor.optimise_topology(&mesh, nodes, &filter, &mut scratch).unwrap();
                let is_wet = corridor.polys().iter().any(|&poly| mesh.poly(poly).unwrap().area() == water);
                assert!(is_crossed || !is_wet, "{cost} a metre, {nodes} nodes");
            }
        }
    }

    #[test]
    fn walls_are_not_seen_through() {
        let mesh = world("aaaaa\na...a\naaaaa");
        let filter = DefaultFilter::default();
        let mut scratch = CorridorScratch::new();
        let mut corridor = find(&mesh, (0.5, 2.5), (4.5, 0.5));
        let before = corridor.clone();
        let across = Vec3::new(2.5, 0.0, 0.5);
        assert!(!corridor.optimise_visibility(&mesh, across, 20.0, &filter, &mut scratch).unwrap());
        assert_eq!(corridor, before);
        // With few nodes the search does not get round the hole, and the row stays whole.
        corridor.optimise_topology(&mesh, 2, &filter, &mut scratch).unwrap();
        assert_eq!(corridor.end(), before.end());
        assert_eq!(corridor.polys().len(), corridor.portals().len() + 1);
    }
}
