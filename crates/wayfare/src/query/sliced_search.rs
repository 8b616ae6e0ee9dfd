//! A path search that is spread over several frames: [`SlicedSearch`] expands some nodes in each.
//!
//! The search works on its own snapshot of the mesh, which costs almost nothing, so the mesh may change in the
//! meantime: the search continues on the mesh as it was, and at the end its path is checked against the current mesh.
//! If a tile on the path is gone, the path ends before it and the answer names the missing polygon.
//!
//! ```text
//!   new ──> step(budget) ──> step(budget) ──> … finished ──> path
//!                   └──────> path so far, at any time
//! ```
//!
//! Cost: a step expands at most as many nodes as its budget has units; in total the same as
//! [`find_path`](super::find_path), with the same answer.
//!
//! Sources: Mikko Mononen, "Detour Sliced Path Find", Digesting Duck, August 2010.

use super::scratch::SearchMemory;
use super::search::{Search, SearchTask};
use super::search_goal::PointGoal;
use super::trace_path::{cut_where_stale, trace_path_to};
use super::{NodePlacement, PathRequest, PlaceNodes, PolyPath, QueryFilter, SearchScratch};
use crate::area::PathStatus;
use crate::context::Budget;
use crate::graph::SearchObserver;
use crate::mesh::{NavMesh, PolyRef, StaleRef};

/// A path search in progress.
#[derive(Clone, Debug)]
pub struct SlicedSearch<P = NodePlacement, O = ()> {
    mesh: NavMesh,
    scratch: SearchScratch<O>,
    search: Search<PointGoal, P>,
}

impl<P: PlaceNodes + Clone> SlicedSearch<P> {
    /// Begins a search. The filter must give the same answers in every step.
    ///
    /// # Errors
    /// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
    pub fn new<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        request: &PathRequest<P>,
        filter: &F,
    ) -> Result<Self, StaleRef> {
        Self::with_scratch(mesh, request, filter, SearchScratch::new())
    }

    /// The final result, before it is checked against the current mesh, and the budget units needed from here on.
    pub(crate) fn outcome<F: QueryFilter + ?Sized>(&self, filter: &F) -> (PolyPath, u64) {
        let mut rest = self.clone();
        let mut path = PolyPath::default();
        let mut budget = Budget::unlimited();
        rest.step(filter, &mut budget);
        rest.search.finish(&rest.mesh, &rest.scratch, &mut path);
        (path, budget.taken())
    }
}

impl<P: PlaceNodes + Clone, O: SearchObserver<PolyRef>> SlicedSearch<P, O> {
    /// Like [`new`](Self::new), with the memory of an earlier search; [`into_scratch`](Self::into_scratch) returns it.
    ///
    /// # Errors
    /// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
    pub fn with_scratch<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        request: &PathRequest<P>,
        filter: &F,
        mut scratch: SearchScratch<O>,
    ) -> Result<Self, StaleRef> {
        let task = SearchTask::to_point(mesh, request.clone(), filter, &mut scratch)?;
        let search = Search::begin(mesh, task, filter, &mut scratch)?;
        Ok(Self { mesh: mesh.clone(), scratch, search })
    }

    /// Continues until finished or until the budget, counted in nodes, is used up. Returns whether it is finished.
    pub fn step<F: QueryFilter + ?Sized>(&mut self, filter: &F, budget: &mut Budget) -> bool {
        self.search.run(&self.mesh, filter, &mut self.scratch, budget)
    }

    /// The observer of its [scratch](Self::with_scratch).
    #[must_use]
    pub fn observer(&self) -> &O {
        self.scratch.observer()
    }

    /// Whether there is nothing left to do.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.search.is_finished()
    }

    /// How many nodes were opened so far.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.scratch.memory.nodes.len()
    }

    /// Writes the path to the goal or, if that is not reached (yet), to the position nearest to it so far. If the path
    /// crosses polygons that are no longer in `mesh`, it is cut before the first of them, which is returned.
    pub fn path_into(&self, mesh: &NavMesh, path: &mut PolyPath) -> Option<StaleRef> {
        path.clear();
        self.search.finish(&self.mesh, &self.scratch, path);
        cut_where_stale(mesh, path)
    }

    /// Like [`path_into`](Self::path_into), as a new path.
    #[must_use]
    pub fn path(&self, mesh: &NavMesh) -> (PolyPath, Option<StaleRef>) {
        let mut path = PolyPath::default();
        let gone = self.path_into(mesh, &mut path);
        (path, gone)
    }

    /// Writes the path to the farthest polygon of `corridor` that was reached, for an agent that walks along an older
    /// path while this search continues: the agent can switch to the new path there. Returns that polygon, or `None` if
    /// none was reached.
    pub fn path_to_corridor(&self, mesh: &NavMesh, corridor: &[PolyRef], path: &mut PolyPath) -> Option<PolyRef> {
        self.path_to_farthest(mesh, corridor, path, |_| true)
    }

    /// The same to the farthest of those polygons that the search has expanded: no path there is cheaper. A polygon
    /// that was only discovered may have been reached over expensive areas.
    pub(crate) fn cheapest_path_to_corridor(
        &self,
        mesh: &NavMesh,
        corridor: &[PolyRef],
        path: &mut PolyPath,
    ) -> Option<PolyRef> {
        self.path_to_farthest(mesh, corridor, path, |node| self.scratch.memory.nodes.is_closed(node))
    }

    fn path_to_farthest(
        &self,
        mesh: &NavMesh,
        corridor: &[PolyRef],
        path: &mut PolyPath,
        is_wanted: impl Fn(u32) -> bool,
    ) -> Option<PolyRef> {
        path.clear();
        if !self.search.start().is_finite() {
            return None;
        }
        let SearchMemory { nodes, exits, .. } = &self.scratch.memory;
        let (node, poly) = corridor.iter().rev().find_map(|&poly| {
            let (tile, index) = self.mesh.locate(poly).ok()?;
            let node = nodes.cheapest_of(exits, tile, index).filter(|node| is_wanted(*node))?;
            Some((node, poly))
        })?;
        trace_path_to(&self.mesh, nodes, node, path);
        (path.status, path.start) = (PathStatus::Partial, self.search.start());
        path.nodes = self.nodes();
        cut_where_stale(mesh, path);
        Some(poly)
    }

    /// Returns the search's memory, for the next one.
    #[must_use]
    pub fn into_scratch(self) -> SearchScratch<O> {
        self.scratch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use crate::math::index::TileSlot;
    use crate::mesh::TileRef;
    use crate::query::test_maps::{at, mesh, random_map};
    use crate::query::{DefaultFilter, PolyPoint, find_path};
    use glam::Vec3;

    #[test]
    fn from_nowhere_there_is_no_way() {
        let (mesh, filter) = (mesh(&[((0, 0), "aa")]), DefaultFilter::default());
        let goal = at(&mesh, (1.5, 0.5)).unwrap();
        for point in [Vec3::NAN, goal.point.with_y(f32::INFINITY)] {
            let mut search =
                SlicedSearch::new(&mesh, &PathRequest::new(PolyPoint { point, ..goal }, goal), &filter).unwrap();
            assert!(search.step(&filter, &mut Budget::new(1)));
            assert_eq!(search.path(&mesh), (PolyPath::default(), None));
            assert_eq!(search.path_to_corridor(&mesh, &[goal.poly], &mut PolyPath::default()), None);
        }
    }

    #[test]
    fn slices_of_any_size_give_the_answer_of_one_piece() {
        let (mut rng, filter) = (Rng::new(5), DefaultFilter::default());
        let mut asked = 0;
        for _ in 0..80 {
            let mesh = random_map(&mut rng, 3, 5);
            let mut place = || at(&mesh, (rng.unit() * 15.0, rng.unit() * 15.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let request = PathRequest::new(start, goal);
            let mut search = SlicedSearch::new(&mesh, &request, &filter).unwrap();
            while !search.step(&filter, &mut Budget::new(1 + u64::from(rng.below(4)))) {
                let (so_far, gone) = search.path(&mesh);
                assert_eq!((gone, so_far.polys[0], so_far.status), (None, start.poly, PathStatus::Partial));
            }
            let whole = find_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
            assert_eq!(search.path(&mesh).0, whole);
            asked += 1;
        }
        assert!(asked > 20);
    }

    #[test]
    fn a_tile_that_goes_in_flight_is_named() {
        let mut mesh = mesh(&[((0, 0), "aa"), ((1, 0), "aa"), ((2, 0), "aa")]);
        let filter = DefaultFilter::default();
        let request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (5.5, 0.5)).unwrap());
        let mut search = SlicedSearch::new(&mesh, &request, &filter).unwrap();
        search.step(&filter, &mut Budget::new(2));
        mesh.remove_tile(TileRef::new(1, 1).unwrap()).unwrap();
        assert!(search.step(&filter, &mut Budget::unlimited()));
        let (path, gone) = search.path(&mesh);
        assert_eq!(gone.map(|g| g.reference.slot().get()), Some(1));
        assert_eq!((path.status, path.polys.len(), path.end.x), (PathStatus::Partial, 2, 2.0));
        // Nothing is left of a path whose start is gone, even if another tile takes the same place and slot.
        let data = mesh.remove_tile(TileRef::new(1, 0).unwrap()).unwrap();
        assert_eq!(mesh.add_tile(data).unwrap().slot(), TileSlot::new(0));
        let (path, gone) = search.path(&mesh);
        assert_eq!(gone.map(|g| g.reference), Some(request.start.poly));
        assert_eq!((path.status, path.polys.len(), path.end), (PathStatus::None, 0, request.start.point));
    }

    #[test]
    fn an_older_corridor_can_be_left_where_the_search_has_come() {
        let mesh = mesh(&[((0, 0), "aaaaaaaa")]);
        let filter = DefaultFilter::default();
        let request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (7.5, 0.5)).unwrap());
        let corridor = find_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap().polys;
        let mut search = SlicedSearch::new(&mesh, &request, &filter).unwrap();
        search.step(&filter, &mut Budget::new(3));
        let mut path = PolyPath::default();
        assert_eq!(search.path_to_corridor(&mesh, &corridor, &mut path), Some(corridor[3]));
        assert_eq!(path.polys, corridor[..4]);
    }
}
