//! A search for the cheapest path that is guided by bounds, at once or in slices.
//!
//! ```text
//!   bounds of this mesh ──> search over portals ──> reached ──> path
//!   of an older one, or not reached ──────────────> ordinary search ──> path, or the nearest place
//! ```
//!
//! Cost: the portals whose bound is below the cost of the path: most of them lie along it.
//!
//! Sources: Andrew Goldberg, Chris Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", 2005.

use super::cost_bounds::{BoundEstimate, CostBounds};
use super::portal_space::PortalSpace;
use crate::area::PathStatus;
use crate::context::Budget;
use crate::graph::{self, Course, Fringe, Node, Page, PageSize, SearchObserver};
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::query::scratch::SearchMemory;
use crate::query::search::{Search, SearchTask};
use crate::query::search_goal::PointGoal;
use crate::query::trace_path::{cut_where_stale, trace_polys};
use crate::query::{Crossing, NodePlacement, PathRequest, PolyPath, QueryFilter, SearchScratch};
use std::sync::Arc;

/// Finds the cheapest path over the middles of portals, guided by [`CostBounds`].
///
/// The answer is at most 1.0001 times as expensive as the cheapest path, which [`find_path`](crate::query::find_path)
/// only comes close to, and usually found several times faster on meshes of thousands of polygons. Where nodes are
/// placed is fixed: [`PathRequest::placement`] is only used where an ordinary search answers instead, which is the case
/// if there is no path, if a limit was hit, and if the bounds are [not for this mesh](CostBounds::is_for).
///
/// Costs that depend on the polygon before are taken into account as far as with `find_path`.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
pub fn find_bounded_path<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    (mesh, bounds): (&NavMesh, &CostBounds),
    request: &PathRequest,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<PolyPath, StaleRef> {
    let mut path = PolyPath::default();
    find_bounded_path_into((mesh, bounds), request, filter, scratch, &mut path)?;
    Ok(path)
}

/// Like [`find_bounded_path`], but fills an existing path.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh; the path is then empty.
pub fn find_bounded_path_into<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    (mesh, bounds): (&NavMesh, &CostBounds),
    request: &PathRequest,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    path: &mut PolyPath,
) -> Result<(), StaleRef> {
    path.clear();
    let mut work = BoundedWork::begin((mesh, bounds), request, filter, scratch)?;
    work.run((mesh, bounds), filter, scratch, &mut Budget::unlimited());
    work.finish(mesh, scratch, path);
    Ok(())
}

/// A search in progress. Its nodes are in the scratch.
#[derive(Clone, Debug)]
struct BoundedWork {
    request: PathRequest,
    stage: BoundedStage,
}

#[derive(Clone, Debug)]
enum BoundedStage {
    /// Start and goal are in one polygon.
    Direct {
        cost: f32,
    },
    Bounded(PortalSearch),
    Ordinary(Search<PointGoal, NodePlacement>),
}

/// A search over portals.
#[derive(Clone, Debug)]
struct PortalSearch {
    course: Course,
    page: Page,
    start_poly: u32,
    goal_poly: u32,
    estimate: BoundEstimate,
    is_reached: bool,
}

impl BoundedWork {
    fn begin<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        (mesh, bounds): (&NavMesh, &CostBounds),
        request: &PathRequest,
        filter: &F,
        scratch: &mut SearchScratch<O>,
    ) -> Result<Self, StaleRef> {
        let request = *request;
        let task = SearchTask::to_point(mesh, request, filter, scratch)?;
        mesh.locate(request.start.poly)?;
        let polys = [request.start, request.goal].map(|end| bounds.graph.poly(end.poly));
        let is_finite = request.start.point.is_finite() && request.goal.point.is_finite();
        let ends = match polys {
            [Some(start), Some(goal)] if bounds.is_for(mesh) && is_finite && !task.goal.is_replaced() => (start, goal),
            _ => {
                return Ok(Self {
                    request,
                    stage: BoundedStage::Ordinary(Search::begin(mesh, task, filter, scratch)?),
                });
            }
        };
        let (start_poly, goal_poly) = ends;
        if start_poly == goal_poly {
            let (poly, state) = bounds.graph.polys[start_poly as usize];
            let step = Crossing::over(mesh, poly, state, [request.start.point, request.goal.point]);
            let cost = filter.cost(&step).max(0.0);
            // There is no portal between them: where the line is too expensive, the ordinary search says so. A limit
            // that is not a number is none.
            let stage = if !cost.is_finite() || cost > request.limits.max_cost {
                BoundedStage::Ordinary(Search::begin(mesh, task, filter, scratch)?)
            } else {
                BoundedStage::Direct { cost }
            };
            return Ok(Self { request, stage });
        }
        let estimate = bounds.estimate(mesh, (goal_poly, request.goal.point), filter);
        let SearchScratch { memory: SearchMemory { nodes, open, .. }, observer } = scratch;
        nodes.begin(0);
        let portals = bounds.graph.edges.len() as u32;
        let page = nodes.entries.page_apart(PageSize { keys: portals + 1, kinds: 2 });
        let mut course = Course::within(request.limits);
        let first = Node::at(page.entry(portals, 0), request.start.poly, request.start.point);
        // By which the node nearest to the goal is found if the search is looked at before its end.
        let straight = request.start.point.distance(request.goal.point) * filter.least_cost().max(0.0);
        Fringe { nodes, open: &mut open.list, observer, course: &mut course }.begin(first, straight);
        let search = PortalSearch { course, page, start_poly, goal_poly, estimate, is_reached: false };
        Ok(Self { request, stage: BoundedStage::Bounded(search) })
    }

    /// Continues until finished or until the budget, in nodes, is used up. Returns whether it is finished.
    fn run<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        &mut self,
        (mesh, bounds): (&NavMesh, &CostBounds),
        filter: &F,
        scratch: &mut SearchScratch<O>,
        budget: &mut Budget,
    ) -> bool {
        if let BoundedStage::Bounded(search) = &mut self.stage {
            let PortalSearch { course, page, start_poly, goal_poly, estimate, is_reached } = search;
            let SearchScratch { memory: SearchMemory { nodes, open, .. }, observer } = scratch;
            let mut space = PortalSpace {
                mesh,
                bounds,
                filter,
                page: *page,
                start_poly: *start_poly,
                goal_poly: *goal_poly,
                goal: self.request.goal,
                estimate,
                is_reached,
                is_by_state: filter.is_by_state(),
            };
            if !graph::run(&mut space, &mut Fringe { nodes, open: &mut open.list, observer, course }, budget) {
                return false;
            }
            if *is_reached {
                return true;
            }
            // The ordinary search knows the nearest place, and which limit was hit.
            let Ok(task) = SearchTask::to_point(mesh, self.request, filter, scratch) else { return true };
            let Ok(search) = Search::begin(mesh, task, filter, scratch) else { return true };
            self.stage = BoundedStage::Ordinary(search);
        }
        match &mut self.stage {
            BoundedStage::Ordinary(search) => search.run(mesh, filter, scratch, budget),
            BoundedStage::Direct { .. } | BoundedStage::Bounded(_) => true,
        }
    }

    /// Writes the path to the goal, or to the nearest position so far.
    fn finish<O>(&self, mesh: &NavMesh, scratch: &SearchScratch<O>, path: &mut PolyPath) {
        let nodes = &scratch.memory.nodes;
        (path.start, path.end) = (self.request.start.point, self.request.goal.point);
        match &self.stage {
            BoundedStage::Direct { cost } => {
                (path.status, path.cost, path.nodes) = (PathStatus::Complete, *cost, 1);
                path.polys.push(self.request.start.poly);
            }
            BoundedStage::Bounded(search) => {
                path.nodes = nodes.len();
                path.cost = nodes.get(search.course.best).cost;
                trace_polys(mesh, nodes, search.course.best, path);
                path.status = PathStatus::Complete;
                if !search.is_reached {
                    path.status = PathStatus::Partial;
                    path.end = nodes.get(search.course.best).pos;
                }
            }
            BoundedStage::Ordinary(search) => search.finish(mesh, scratch, path),
        }
    }
}

/// A search guided by bounds in slices, as [`SlicedSearch`](crate::query::SlicedSearch) is one without.
#[derive(Clone, Debug)]
pub struct BoundedSearch {
    mesh: NavMesh,
    bounds: Arc<CostBounds>,
    scratch: SearchScratch,
    work: BoundedWork,
}

impl BoundedSearch {
    /// Begins a search. The filter must give the same answers in every step.
    ///
    /// # Errors
    /// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
    pub fn new<F: QueryFilter + ?Sized>(
        (mesh, bounds): (&NavMesh, &Arc<CostBounds>),
        request: &PathRequest,
        filter: &F,
        mut scratch: SearchScratch,
    ) -> Result<Self, StaleRef> {
        let work = BoundedWork::begin((mesh, bounds), request, filter, &mut scratch)?;
        Ok(Self { mesh: mesh.clone(), bounds: Arc::clone(bounds), scratch, work })
    }

    /// Continues until finished or until the budget, counted in nodes, is used up. Returns whether it is finished.
    pub fn step<F: QueryFilter + ?Sized>(&mut self, filter: &F, budget: &mut Budget) -> bool {
        self.work.run((&self.mesh, &self.bounds), filter, &mut self.scratch, budget)
    }

    /// How many nodes were opened so far.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.scratch.memory.nodes.len()
    }

    /// Writes the path to the goal or, if that is not reached (yet), towards it. If the path crosses polygons that are
    /// no longer in `mesh`, it is cut before the first of them, which is returned.
    pub fn path_into(&self, mesh: &NavMesh, path: &mut PolyPath) -> Option<StaleRef> {
        path.clear();
        self.work.finish(&self.mesh, &self.scratch, path);
        cut_where_stale(mesh, path)
    }

    /// The final result, before it is checked against the current mesh, and the budget units needed from here on.
    pub(crate) fn outcome<F: QueryFilter + ?Sized>(&self, filter: &F) -> (PolyPath, u64) {
        let mut rest = self.clone();
        let mut path = PolyPath::default();
        let mut budget = Budget::unlimited();
        rest.step(filter, &mut budget);
        rest.work.finish(&rest.mesh, &rest.scratch, &mut path);
        (path, budget.taken())
    }

    /// Returns the search's memory, for the next one.
    #[must_use]
    pub fn into_scratch(self) -> SearchScratch {
        self.scratch
    }
}
