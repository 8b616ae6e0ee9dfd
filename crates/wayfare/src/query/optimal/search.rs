//! The loop of an optimal search, at once or in slices, and the choice between its path and that of the corridor
//! search.
//!
//! Nodes are expanded in order of the least possible length of a path through them. The first that enters the goal's
//! polygon ends the search: no other leads to a shorter path. The best node is often one that was just found; it is
//! then expanded without passing through the open list. Before the search, a walk along the straight line checks
//! whether the goal is visible from the start.
//!
//! ```text
//!   on the plane: any direction ──> its cost ≈ least cost × its length on the plane?  ──yes──> the shortest
//!                                                │ no: slopes, or areas that cost more
//!                                                └──> corridor search as well ──> the cheaper of both, and a bound
//! ```
//!
//! The length of the shortest path on the plane, times the least cost of a metre, is a lower bound on the cost of any
//! path; the bound in the result is its cost divided by that. So if no area costs more than `k` times the least and no
//! surface is steeper than `s`, the bound is at most `k · √(1 + s²)`.
//!
//! Cost: a few tens of nanoseconds for each corner of each expanded polygon. A goal that cannot be reached costs a
//! corridor search.
//!
//! Sources: Michael Cui, Daniel Harabor, Alban Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017.

use super::estimate::distance;
use super::expand::Expansion;
use super::path::{OptimalPath, OptimalSource, cost_of, shorten, trace_polys};
use super::search_tile::{Barrier, Place};
use super::sight_line::line_of_sight;
use crate::area::{LimitHit, PathStatus};
use crate::context::Budget;
use crate::graph::{Course, SearchObserver, run_best_first};
use crate::math::plane::xz;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::query::scratch::SearchMemory;
use crate::query::search::{Search, SearchTask};
use crate::query::search_goal::{Goal as _, PointGoal};
use crate::query::trace_path::cut_where_stale;
use crate::query::{NodePlacement, PathRequest, PolyPath, PolyPoint, QueryFilter, SearchScratch, string_pull_into};

/// Relative difference of costs that counts as none.
const SAME: f64 = 1e-5;
/// A bound that is good enough: the corridor search could save a centimetre in a hundred metres at most. Ground that
/// was baked is mostly so level.
const CLOSE: f32 = 1.0001;

/// Finds a shortest path: on level ground and at one cost a metre there is none shorter. Elsewhere the cheaper of this
/// and the corridor search's, which is asked if this one may cost more than 1.0001 times the least possible; with a
/// bound of how much cheaper any path could be. If the goal cannot be reached, or not
/// within the limits, the answer is that of [`find_path`](crate::query::find_path).
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
pub fn find_optimal_path<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &PathRequest,
    filter: &F,
    scratch: &mut SearchScratch<O>,
) -> Result<OptimalPath, StaleRef> {
    let mut out = OptimalPath::default();
    find_optimal_path_into(mesh, request, filter, scratch, &mut out)?;
    Ok(out)
}

/// [`find_optimal_path`] into a path that keeps its memory.
///
/// # Errors
/// [`StaleRef`] if the start's or the goal's polygon is not in the mesh; the path is then empty.
pub fn find_optimal_path_into<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    request: &PathRequest,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    out: &mut OptimalPath,
) -> Result<(), StaleRef> {
    out.clear();
    let mut both = Both::begin(mesh, request, filter)?;
    both.run(mesh, filter, scratch, out, &mut Budget::unlimited())?;
    Ok(())
}

/// An optimal search under way, in slices: a little of it every frame. It works on its own snapshot of the mesh, as
/// [`SlicedSearch`](crate::query::SlicedSearch) does.
#[derive(Clone, Debug)]
pub struct OptimalSearch<O = ()> {
    mesh: NavMesh,
    scratch: SearchScratch<O>,
    both: Both,
    out: OptimalPath,
}

impl OptimalSearch {
    /// Begins a search. The filter must answer alike in every step.
    ///
    /// # Errors
    /// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
    pub fn new<F: QueryFilter + ?Sized>(mesh: &NavMesh, request: &PathRequest, filter: &F) -> Result<Self, StaleRef> {
        Self::with_scratch(mesh, request, filter, SearchScratch::new())
    }

    /// How it will end, before anything is held against a mesh of today, and how many units of a budget that takes from
    /// here on.
    pub(crate) fn outcome<F: QueryFilter + ?Sized>(&self, filter: &F) -> (PolyPath, u64) {
        let mut rest = self.clone();
        let mut budget = Budget::unlimited();
        rest.step(filter, &mut budget);
        (rest.out.path, budget.taken())
    }
}

impl<O: SearchObserver<PolyRef>> OptimalSearch<O> {
    /// [`new`](Self::new) with memory of an earlier search; [`into_scratch`](Self::into_scratch) gives it back.
    ///
    /// # Errors
    /// [`StaleRef`] if the start's or the goal's polygon is not in the mesh.
    pub fn with_scratch<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &F,
        scratch: SearchScratch<O>,
    ) -> Result<Self, StaleRef> {
        let both = Both::begin(mesh, request, filter)?;
        Ok(Self { mesh: mesh.clone(), scratch, both, out: OptimalPath::default() })
    }

    /// Searches on until finished or until the budget, counted in nodes, is spent. Whether it has finished.
    pub fn step<F: QueryFilter + ?Sized>(&mut self, filter: &F, budget: &mut Budget) -> bool {
        // Both places were found in this very snapshot.
        self.both.run(&self.mesh, filter, &mut self.scratch, &mut self.out, budget).unwrap_or(true)
    }

    /// Who looks at its nodes: the observer of its [scratch](Self::with_scratch).
    #[must_use]
    pub fn observer(&self) -> &O {
        self.scratch.observer()
    }

    /// Whether there is nothing left to do.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        matches!(self.both.phase, OptimalPhase::Done)
    }

    /// How many nodes were opened so far.
    #[must_use]
    pub fn nodes(&self) -> u32 {
        self.scratch.memory.optimal.nodes.len()
    }

    /// Writes down the path; empty while the search goes on. If it leads over polygons that are no longer in `mesh`, it
    /// is cut before the first of them, which is returned, and its string is pulled anew.
    pub fn path_into(&mut self, mesh: &NavMesh, out: &mut OptimalPath) -> Option<StaleRef> {
        out.clone_from(&self.out);
        let gone = cut_where_stale(mesh, &mut out.path);
        if gone.is_some() {
            out.bound = f32::INFINITY;
            string_pull_into(&out.path, &mut self.scratch, &mut out.straight);
        }
        gone
    }

    /// The polygons of the path, as in [`path_into`](Self::path_into).
    pub(crate) fn corridor_into(&self, mesh: &NavMesh, path: &mut PolyPath) -> Option<StaleRef> {
        path.clone_from(&self.out.path);
        cut_where_stale(mesh, path)
    }

    /// The search's memory, for the next one.
    #[must_use]
    pub fn into_scratch(self) -> SearchScratch<O> {
        self.scratch
    }
}

/// Both searches, one after the other.
#[derive(Clone, Debug)]
struct Both {
    request: PathRequest,
    start: Place,
    goal: Place,
    prune: bool,
    least: f64,
    course: Course,
    phase: OptimalPhase,
    /// The least that any path costs, once it is known; zero before.
    lower: f64,
}

#[derive(Clone, Debug)]
enum OptimalPhase {
    StraightLine,
    AnyAngle,
    Corridor(Search<PointGoal, NodePlacement>),
    Done,
}

impl Both {
    fn begin<F: QueryFilter + ?Sized>(mesh: &NavMesh, request: &PathRequest, filter: &F) -> Result<Self, StaleRef> {
        let place = |p: PolyPoint| {
            mesh.locate(p.poly).map(|(tile, poly)| Place { slot: tile.slot().get(), poly, at: xz(p.point) })
        };
        let mut request = *request;
        if request.limits.max_cost.is_nan() {
            request.limits.max_cost = f32::INFINITY; // No number is no limit, as in every search.
        }
        Ok(Self {
            request,
            start: place(request.start)?,
            goal: place(request.goal)?,
            // A connection may lead out of any dead end.
            prune: mesh.connection_count() == 0,
            least: f64::from(filter.least_cost().max(0.0)),
            course: Course::within(request.limits),
            phase: OptimalPhase::StraightLine,
            lower: 0.0,
        })
    }

    /// The straight way, or else the beginning of a search.
    fn look_straight<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch<O>,
        out: &mut OptimalPath,
    ) -> Result<OptimalPhase, StaleRef> {
        // Nothing is opened yet: what an earlier search left must not be counted.
        scratch.memory.optimal.nodes.clear();
        let start = self.request.start.point;
        let goal = self.request.goal.point;
        let is_finite = start.is_finite() && goal.is_finite();
        let length = distance(self.start.at, self.goal.at);
        if is_finite
            && length * self.least <= f64::from(self.request.limits.max_cost)
            && line_of_sight(mesh, &self.request, &Barrier::of(mesh, filter), (&mut out.path, &mut out.straight))
        {
            return if self.is_settled(mesh, filter, length, out) {
                Ok(OptimalPhase::Done)
            } else {
                self.corridor(mesh, filter, scratch)
            };
        }
        // The search over polygons knows at once if the goal lies in another component.
        if !is_finite || PointGoal::of(mesh, &self.request, filter, &mut scratch.memory)?.is_substitute() {
            return self.corridor(mesh, filter, scratch);
        }
        let mut expansion = self.expansion(mesh, filter, scratch);
        expansion.begin();
        Ok(OptimalPhase::AnyAngle)
    }

    fn expansion<'s, 'm, F: QueryFilter + ?Sized, O>(
        &'s mut self,
        mesh: &'m NavMesh,
        filter: &'s F,
        scratch: &'s mut SearchScratch<O>,
    ) -> Expansion<'s, 'm, F, O> {
        let SearchScratch { memory: SearchMemory { optimal, open, .. }, observer } = scratch;
        Expansion {
            mesh,
            barrier: Barrier::of(mesh, filter),
            start: self.start,
            goal: self.goal,
            least: self.least,
            prune: self.prune,
            memory: optimal,
            open,
            observer,
            course: &mut self.course,
            found: None,
            last: None,
        }
    }

    /// Searches on. Whether both have finished; then the answer stands in `out`.
    fn run<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch<O>,
        out: &mut OptimalPath,
        budget: &mut Budget,
    ) -> Result<bool, StaleRef> {
        if matches!(self.phase, OptimalPhase::StraightLine) {
            self.phase = self.look_straight(mesh, filter, scratch, out)?;
        }
        if matches!(self.phase, OptimalPhase::AnyAngle) {
            let mut expansion = self.expansion(mesh, filter, scratch);
            if !run_best_first(&mut expansion, budget) {
                return Ok(false);
            }
            let found = expansion.found;
            self.phase = match found {
                Some(last) if self.take_any_angle(mesh, filter, scratch, last, out) => OptimalPhase::Done,
                _ => self.corridor(mesh, filter, scratch)?,
            };
        }
        if let OptimalPhase::Corridor(search) = &mut self.phase {
            if !search.run(mesh, filter, scratch, budget) {
                return Ok(false);
            }
            self.take_corridor(mesh, filter, scratch, out);
            self.phase = OptimalPhase::Done;
        }
        Ok(true)
    }

    /// The search over polygons, at its beginning.
    fn corridor<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        &self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch<O>,
    ) -> Result<OptimalPhase, StaleRef> {
        let task = SearchTask::to_point(mesh, self.request, filter, scratch)?;
        Ok(OptimalPhase::Corridor(Search::begin(mesh, task, filter, scratch)?))
    }

    /// Writes down the path in any direction. Whether no other can be cheaper by what matters.
    fn take_any_angle<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch<O>,
        (last, length): (u32, f64),
        out: &mut OptimalPath,
    ) -> bool {
        let path = &mut out.path;
        (path.start, path.end) = (self.request.start.point, self.request.goal.point);
        path.nodes = scratch.memory.optimal.nodes.len();
        trace_polys(mesh, &scratch.memory.optimal, last, path);
        string_pull_into(path, scratch, &mut out.straight);
        // With too few nodes the shortest way may be among those that were left out.
        let length = if self.course.limit == Some(LimitHit::Nodes) { 0.0 } else { length };
        self.is_settled(mesh, filter, length, out)
    }

    /// Writes down what a path costs, of which none is shorter than `length` on the plane, and whether none can be
    /// cheaper by what matters and it is within the limits: those were held against the least that it could cost so
    /// far.
    fn is_settled<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        length: f64,
        out: &mut OptimalPath,
    ) -> bool {
        let cost = cost_of(mesh, &out.path, &out.straight, filter);
        self.lower = self.least * length;
        out.path.cost = cost as f32;
        out.bound = bound(cost, self.lower);
        out.bound <= CLOSE && out.path.cost <= self.request.limits.max_cost && out.path.cost.is_finite()
    }

    /// Takes the corridor search's path if it is cheaper, or the only one within the limits. Pulled straight over dear
    /// ground it may cost more than along the portals' middles, by which it was found: then it ends earlier.
    fn take_corridor<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch<O>,
        out: &mut OptimalPath,
    ) {
        let OptimalPhase::Corridor(search) = &self.phase else { return };
        let mut other = core::mem::take(&mut scratch.memory.other);
        other.path.clear();
        search.finish(mesh, scratch, &mut other.path);
        string_pull_into(&other.path, scratch, &mut other.straight);
        let max_cost = self.request.limits.max_cost;
        let is_bounded = out.path.status == PathStatus::Complete;
        // A cost beyond all numbers is no way, as everywhere.
        let has_any_angle = is_bounded && out.path.cost <= max_cost && out.path.cost.is_finite();
        let mut cost = cost_of(mesh, &other.path, &other.straight, filter);
        while cost as f32 > max_cost && shorten(&mut other.path) {
            string_pull_into(&other.path, scratch, &mut other.straight);
            cost = cost_of(mesh, &other.path, &other.straight, filter);
        }
        let is_complete = other.path.status == PathStatus::Complete;
        let is_better = is_complete && cost < f64::from(out.path.cost);
        if is_better || !has_any_angle {
            other.source = OptimalSource::Corridor;
            other.path.limit = other.path.limit.or(self.course.limit);
            other.path.nodes = other.path.nodes.max(scratch.memory.optimal.nodes.len());
            other.path.cost = cost as f32;
            other.bound = if is_bounded && is_complete { bound(cost, self.lower) } else { f32::INFINITY };
            core::mem::swap(out, &mut other);
        }
        scratch.memory.other = other;
    }
}

/// The bound that a cost and a lower bound of all costs give.
fn bound(cost: f64, lower: f64) -> f32 {
    if cost <= lower * (1.0 + SAME) { 1.0 } else { (cost / lower) as f32 }
}
