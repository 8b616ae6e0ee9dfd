//! The search that all path queries share: A*.
//!
//! Each node is an entry into a polygon, placed at the middle of the portal by which it was first entered, or by a
//! [rule](super::PlaceNodes). The open node with the least sum of cost so far and estimate of the rest is expanded:
//! every portal of its polygon is a candidate, with the filter's cost of the straight line between the two nodes. The
//! estimate is the straight distance times the least cost per metre, reduced by a thousandth so that rounding cannot
//! make it too high.
//!
//! ```text
//!   SearchTask ──begin──> Search ──run(budget)──> … ──finish──> PolyPath
//!                            └── the kernel of `graph`, over the polygons as a `PolySpace`
//! ```
//!
//! If the goal is a single point, edges that lead only into dead ends without it are skipped
//! ([`UsefulEdges`](super::useful_edges::UsefulEdges)). If the filter turns out to block the path, so that the best
//! answer is the nearest reachable position, all reached polygons are expanded once more, including dead ends.
//!
//! The search looks for a [`Goal`]: a point, a box, the nearest of many points. If it is not reached, the answer leads
//! to the reached polygon that comes nearest to it. Off-mesh connections are nodes like polygons, entered at their
//! ends. Ties are broken by the order of discovery, so the answer depends on the mesh, the request and the filter
//! alone.
//!
//! Cost: for every node expanded a few loads per portal, and a push for each improvement; no allocation once the
//! scratch is warm. Without a limit, an unreachable goal costs the whole connected part of the mesh.
//!
//! Sources: Peter Hart, Nils Nilsson, Bertram Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths", 1968; where nodes are placed follows Mikko Mononen, "Navmesh Node Locations", Digesting Duck, August 2010.

use super::mesh_nodes::Nodes;
use super::outline_place::place_near;
use super::poly_space::{PolySpace, Pursuit};
use super::scratch::SearchMemory;
use super::search_goal::{Goal, PointGoal};
use super::trace_path::trace_polys;
use super::{PathRequest, PlaceNodes, PolyPath, PolyPoint, QueryFilter, SearchLimits, SearchScratch};
use crate::area::{LimitHit, PathStatus};
use crate::context::Budget;
use crate::graph::{self, Course, Fringe, Node, SearchObserver};
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use glam::Vec3;

/// The task of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchTask<G, P> {
    pub(super) start: PolyPoint,
    pub(super) goal: G,
    pub(super) limits: SearchLimits,
    pub(super) placement: P,
}

impl<P> SearchTask<PointGoal, P> {
    /// The task of a path request.
    pub(super) fn to_point<F: QueryFilter + ?Sized, O>(
        mesh: &NavMesh,
        request: PathRequest<P>,
        filter: &F,
        scratch: &mut SearchScratch<O>,
    ) -> Result<Self, StaleRef> {
        let goal = PointGoal::of(mesh, &request, filter, &mut scratch.memory)?;
        let PathRequest { start, limits, placement, .. } = request;
        Ok(Self { start, goal, limits, placement })
    }
}

/// A search in progress. Its nodes are in the scratch.
#[derive(Clone, Debug)]
pub(super) struct Search<G, P> {
    course: Course,
    pursuit: Pursuit<G, P>,
    start: Vec3,
}

impl<G: Goal, P: PlaceNodes> Search<G, P> {
    pub(super) fn begin<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        mesh: &NavMesh,
        task: SearchTask<G, P>,
        filter: &F,
        scratch: &mut SearchScratch<O>,
    ) -> Result<Self, StaleRef> {
        let SearchTask { start, goal, limits, placement } = task;
        let (tile, poly) = mesh.locate(start.poly)?;
        let estimate_scale = filter.least_cost().max(0.0) * 0.999;
        let estimate = start.point.distance(goal.aim(start.point)) * estimate_scale;
        let SearchScratch { memory: SearchMemory { nodes, exits, open, .. }, observer } = scratch;
        nodes.begin(mesh.slot_count());
        exits.clear();
        let first = Node::at(nodes.page(tile).entry_of(poly, None), start.poly, start.point);
        let mut course = Course::within(limits);
        Fringe { nodes, open: &mut open.list, observer, course: &mut course }.begin(first, estimate);
        // There is no path from a point that is not finite.
        course.is_finished = !start.point.is_finite();
        let skips_dead_ends = goal.only_poly().is_some();
        let pursuit =
            Pursuit { goal, placement, reached: None, rest: 0.0, estimate_scale, skips_dead_ends, has_skipped: false };
        Ok(Self { course, pursuit, start: start.point })
    }

    /// Expands nodes until the goal is reached, no node is open or the budget (in nodes) is used up. Returns whether it
    /// is finished.
    pub(super) fn run<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch<O>,
        budget: &mut Budget,
    ) -> bool {
        // Most searches place nodes in the middle, so that case is compiled separately.
        if self.pursuit.placement.is_middle() {
            self.run_placed::<F, O, true>(mesh, filter, scratch, budget)
        } else {
            self.run_placed::<F, O, false>(mesh, filter, scratch, budget)
        }
    }

    fn run_placed<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>, const MIDDLE: bool>(
        &mut self,
        mesh: &NavMesh,
        filter: &F,
        scratch: &mut SearchScratch<O>,
        budget: &mut Budget,
    ) -> bool {
        let SearchScratch { memory: SearchMemory { nodes, exits, open, .. }, observer } = scratch;
        let mut space = PolySpace::<_, _, _, MIDDLE> { mesh, filter, pursuit: &mut self.pursuit, exits };
        graph::run(&mut space, &mut Fringe { nodes, open: &mut open.list, observer, course: &mut self.course }, budget)
    }

    /// Whether there is nothing left to do.
    pub(super) fn is_finished(&self) -> bool {
        self.course.is_finished
    }

    /// The goal, which may hold memory.
    pub(super) fn into_goal(self) -> G {
        self.pursuit.goal
    }

    /// Where it began.
    pub(super) fn start(&self) -> Vec3 {
        self.start
    }

    /// Whether the goal was reached.
    pub(super) fn is_reached(&self) -> bool {
        self.pursuit.reached.is_some() && !self.pursuit.goal.is_substitute()
    }

    /// The limit that was hit, if any.
    pub(super) fn limit(&self) -> Option<LimitHit> {
        self.course.limit
    }

    /// Writes the path to the goal, or to the nearest position so far; nothing if the start is not finite.
    pub(super) fn finish<O>(&self, mesh: &NavMesh, scratch: &SearchScratch<O>, path: &mut PolyPath) {
        if !self.start.is_finite() {
            return;
        }
        let nodes = &scratch.memory.nodes;
        (path.start, path.nodes) = (self.start, nodes.len());
        let last = if let Some(end) = self.pursuit.reached {
            path.status = if self.pursuit.goal.is_substitute() { PathStatus::Partial } else { PathStatus::Complete };
            path.end = end;
            self.course.best
        } else {
            let (nearest, end) = self.nearest_to_goal(mesh, nodes);
            (path.status, path.limit, path.end) = (PathStatus::Partial, self.course.limit, end);
            nearest
        };
        path.cost = nodes.get(last).cost + self.pursuit.rest;
        trace_polys(mesh, nodes, last, path);
    }

    /// Of all reached polygons, the one that comes nearest to the goal: its node and the position. The node with the
    /// best estimate is a good first guess: nearly all others are farther away even horizontally.
    fn nearest_to_goal(&self, mesh: &NavMesh, nodes: &Nodes) -> (u32, Vec3) {
        let mut best = self.course.best;
        let mut end = self.start;
        let mut distance = f32::INFINITY;
        let mut consider = |index: u32| {
            let node = nodes.get(index);
            let Some(tile) = node.tile(mesh) else { return };
            if let Some((nearer, place)) = place_near(tile, node.poly(), self.pursuit.goal.wanted(node.pos), distance)
                && nearer < distance
            {
                (best, end, distance) = (index, place, nearer);
            }
        };
        consider(self.course.best);
        (0..nodes.len()).for_each(consider);
        (best, end)
    }
}
