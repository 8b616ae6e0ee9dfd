//! Plans the paths of a queue, or of a crowd, by hierarchical search.
//!
//! The corridors of a path are found one by one within the budget, so a long path does not hold up a step. If no path
//! is found, the queue runs an ordinary search, which leads to the nearest position that can be reached.
//!
//! If the mesh changes meanwhile, the corridors so far are kept if all of them can still be walked, and the rest is
//! planned anew. Where that happens too often, an ordinary search finds the path, which goes on over any change.
//!
//! Cost: that of the corridors; after a change of the mesh, also that of updating the graph.
//!
//! Sources: none needed.

use super::find_hierarchical::Corridors;
use super::hierarchical_path::{HierarchicalPath, NextCorridor, Refinement};
use super::{AbstractGraph, HierarchyScratch, InMemory};
use crate::area::PathStatus;
use crate::context::Budget;
use crate::mesh::NavMesh;
use crate::plan::{Planned, Planner, SearchKind, SharedFilter};
use crate::query::{PathRequest, PolyPath};

/// How many filters of different costs get levels of their own; any more search portal by portal.
const MOST_LEVELS: usize = 4;

/// How often a path may begin anew because the mesh has changed under it.
const MOST_RESTARTS: u32 = 2;

/// Finds paths over the abstract graph of the mesh, which it builds and keeps up to date.
#[derive(Clone, Debug, Default)]
pub struct HierarchicalPlanner {
    graph: Option<AbstractGraph>,
    refinement: Refinement,
    scratch: HierarchyScratch,
    /// The request in progress.
    work: Option<(HierarchicalPath, Corridors)>,
    /// How often it was begun anew.
    restarts: u32,
    /// Whether the mesh has changed since it was worked on.
    has_changed: bool,
    piece: PolyPath,
}

impl HierarchicalPlanner {
    /// A planner that builds its graph when the first path is requested.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A planner that refines paths in another way than the [default](Refinement::default).
    #[must_use]
    pub fn with_refinement(refinement: Refinement) -> Self {
        Self { refinement, ..Self::default() }
    }

    /// The graph, once there is one.
    #[must_use]
    pub fn graph(&self) -> Option<&AbstractGraph> {
        self.graph.as_ref()
    }
}

impl Planner for HierarchicalPlanner {
    fn plan(
        &mut self,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        budget: &mut Budget,
        path: &mut PolyPath,
    ) -> Planned {
        let graph = self.graph.get_or_insert_with(|| AbstractGraph::new(mesh));
        self.has_changed |= graph.update(mesh) > 0;
        if graph.levels().len() < MOST_LEVELS {
            graph.add_levels(mesh, SharedFilter::clone(filter));
        }
        if core::mem::take(&mut self.has_changed) {
            let goes_on = |(search, corridors): &mut (HierarchicalPath, Corridors)| {
                corridors.can_be_walked(mesh, filter.as_ref()) && search.plan_anew()
            };
            let kept = self.work.take_if(|work| !goes_on(work)).is_none();
            self.restarts += u32::from(!kept);
        }
        let ordinary = Planned::Search { kind: SearchKind::AStar, limits: request.limits };
        if self.restarts > MOST_RESTARTS {
            self.forget();
            return ordinary;
        }
        let begin = || (HierarchicalPath::new(request, self.refinement), Corridors::new(request));
        let (search, corridors) = self.work.get_or_insert_with(begin);
        let is_open = |poly| mesh.state(poly).is_ok_and(|state| filter.passes(poly, state));
        let mut is_found = false;
        while is_open(request.start.poly) && is_open(request.goal.poly) {
            let before = search.nodes().saturating_add(search.abstract_nodes());
            let mut world = InMemory::new(mesh, graph);
            let next = search.next_corridor(&mut world, filter.as_ref(), &mut self.scratch, &mut self.piece);
            let spent = search.nodes().saturating_add(search.abstract_nodes()) - before;
            let has_more = budget.charge(u64::from(spent).max(1));
            match next {
                Ok(NextCorridor::More) => corridors.add(&self.piece),
                Ok(NextCorridor::Last) => {
                    corridors.add(&self.piece);
                    is_found = true;
                    break;
                }
                Ok(NextCorridor::None | NextCorridor::Done) | Err(_) => break,
            }
            if !has_more {
                return Planned::Working;
            }
        }
        self.restarts = 0;
        match self.work.take().filter(|_| is_found) {
            Some((search, corridors)) => {
                *path = corridors.into_path();
                (path.status, path.cost, path.nodes) = (PathStatus::Complete, search.cost(), search.nodes());
                Planned::Done
            }
            None => ordinary,
        }
    }

    fn forget(&mut self) {
        (self.work, self.restarts) = (None, 0);
    }

    fn mesh_changed(&mut self, mesh: &NavMesh) {
        if let Some(graph) = &mut self.graph {
            graph.update(mesh);
        }
        self.has_changed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PolyFlags;
    use crate::bake::bake_tiles;
    use crate::context::Context;
    use crate::input::{BakeSettings, TriMesh};
    use crate::math::Rng;
    use crate::plan::{PathQueue, RequestState};
    use crate::query::test_maps::{at, random_map};
    use crate::query::{DefaultFilter, SearchScratch, find_nearest, find_path};
    use glam::Vec3;
    use std::sync::Arc;

    #[test]
    fn a_queue_gets_paths_where_an_ordinary_search_finds_them() {
        let mut rng = Rng::new(2);
        let filter: SharedFilter = Arc::new(DefaultFilter::default());
        let mut complete = 0;
        for round in 0..80 {
            let mesh = random_map(&mut rng, 4, 6);
            let mut place = || at(&mesh, (rng.unit() * 24.0, rng.unit() * 24.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let request = PathRequest::new(start, goal);
            let mut queue = PathQueue::new();
            let id = queue.request(request, Arc::clone(&filter));
            let refinements = [Refinement::default(), Refinement::NearestExit, Refinement::Whole];
            let mut planner = HierarchicalPlanner::with_refinement(refinements[round % 3]);
            let mut budget = Budget::new(8);
            let mut steps = 0;
            while queue.state(id).is_ok_and(|state| state != crate::plan::RequestState::Done) {
                queue.step(&mesh, &mut planner, &mut budget);
                budget = Budget::new(8);
                steps += 1;
                assert!(steps < 1000);
            }
            let flat = find_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
            let answer = queue.take(id).unwrap().unwrap();
            assert_eq!(answer.path.status, flat.status);
            complete += u32::from(flat.status == PathStatus::Complete);
        }
        assert!(complete > 2, "{complete}");
    }

    #[test]
    fn a_path_is_found_though_something_changes_in_every_step() {
        let filter: SharedFilter = Arc::new(DefaultFilter::default());
        let floor = |size: f32| {
            let corners = [[0.0, 0.0], [0.0, size], [size, size], [size, 0.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
            TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap()
        };
        let settings = BakeSettings { tile_size: 16, ..BakeSettings::default() };
        let context = Context::default();
        let (baked, _) = bake_tiles(&floor(96.0), &settings, &context).unwrap();
        let mut mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
        let place = |mesh: &NavMesh, x: f32| find_nearest(mesh, Vec3::new(x, 0.0, x), Vec3::ONE, &*filter).unwrap();
        // A door that is far from the path, and one on it.
        for (x, most) in [(None, 200), (Some(48.0), 200)] {
            let request = PathRequest::new(place(&mesh, 2.0).place(), place(&mesh, 94.0).place());
            let door =
                find_nearest(&mesh, x.map_or(Vec3::new(94.0, 0.0, 2.0), Vec3::splat).with_y(0.0), Vec3::ONE, &*filter);
            let door = door.unwrap().place().poly;
            let mut queue = PathQueue::new();
            let id = queue.request(request, Arc::clone(&filter));
            let mut planner = HierarchicalPlanner::new();
            let mut steps = 0;
            while queue.state(id) != Ok(RequestState::Done) {
                let flags = if steps % 2 == 0 { PolyFlags::NONE } else { PolyFlags::WALK };
                mesh.set_flags(door, flags).unwrap();
                queue.step(&mesh, &mut planner, &mut Budget::new(8));
                steps += 1;
                assert!(steps < most, "{x:?}");
            }
            assert!(steps > 2, "the path takes several steps: {steps}");
            mesh.set_flags(door, PolyFlags::WALK).unwrap();
            let path = queue.take(id).unwrap().unwrap().path;
            assert_eq!((path.status, path.check(&mesh, &*filter)), (PathStatus::Complete, None));
        }
    }
}
