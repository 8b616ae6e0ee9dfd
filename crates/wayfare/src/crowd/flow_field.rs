//! Flow fields: the paths of many agents to one goal, from one search.
//!
//! Dijkstra's algorithm from the goal outwards finds the cheapest path from every polygon at once; read backwards, it
//! gives each agent's path without a search of its own. The search runs against the direction in which agents walk, so
//! one-way connections are entered at their ends, and the filter sees every crossing reversed.
//!
//! ```text
//!    → → ↓ ↓          goal ●: each polygon knows where to go on;
//!    ↑ # ↓ ↓          agents still pull their strings through the polygons,
//!    ↑ # → ●          so they walk straight, not from middle to middle
//! ```
//!
//! A path is known as soon as everything that is still open costs more, long before the field is finished if its start
//! is near the goal. So the planner computes a field only as far as the paths that are asked for, and further with the
//! next one. A start so far away that the field would keep other requests waiting is searched for by itself.
//!
//! Cost: one search over the mesh for each goal, then the length of its path for each agent.
//!
//! Sources: Edsger Dijkstra, 1959; Elijah Emerson, "Crowd Pathfinding and Steering Using Flow Field Tiles", Game AI
//! Pro, 2013.

use crate::area::PathStatus;
use crate::context::Budget;
use crate::math::funnel::Portal;
use crate::mesh::{NavMesh, PolyRef, PolyState, StaleRef};
use crate::plan::{AStarPlanner, Planned, Planner, SharedFilter};
use crate::query::{
    CostMap, CostMapRequest, Crossing, PathRequest, PolyPath, PolyPoint, QueryFilter, SearchLimits, cut_where_stale,
};
use std::sync::Arc;

/// The paths from everywhere to one goal.
#[derive(Clone, Debug)]
pub struct FlowField {
    map: CostMap,
}

impl FlowField {
    /// Computes it for a goal, within limits.
    ///
    /// # Errors
    /// [`StaleRef`] if the goal's polygon is not in the mesh.
    pub fn new<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        goal: PolyPoint,
        limits: SearchLimits,
        filter: &F,
    ) -> Result<Self, StaleRef> {
        let mut field = Self::begin(None, mesh, &CostMapRequest::new(goal).within(limits), filter)?;
        field.step(filter, &mut Budget::unlimited());
        Ok(field)
    }

    /// Computes it again for another goal, filter or mesh, in the same memory.
    ///
    /// # Errors
    /// [`StaleRef`] if the goal's polygon is not in the mesh; the previous result is then kept.
    pub fn update<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        goal: PolyPoint,
        limits: SearchLimits,
        filter: &F,
    ) -> Result<(), StaleRef> {
        let request = CostMapRequest::new(goal).within(limits);
        self.map.restart_backwards(mesh, &request, &Backwards { filter })?;
        self.step(filter, &mut Budget::unlimited());
        Ok(())
    }

    /// Begins to compute it, in the memory of another. The request's start is the goal.
    pub(super) fn begin<F: QueryFilter + ?Sized>(
        spare: Option<Self>,
        mesh: &NavMesh,
        request: &CostMapRequest,
        filter: &F,
    ) -> Result<Self, StaleRef> {
        let filter = Backwards { filter };
        let Some(mut field) = spare else { return Ok(Self { map: CostMap::begin_backwards(mesh, request, &filter)? }) };
        field.map.restart_backwards(mesh, request, &filter)?;
        Ok(field)
    }

    /// Whether nothing is left to compute.
    pub(super) fn is_finished(&self) -> bool {
        self.map.is_finished()
    }

    /// Continues within a budget in nodes. Returns whether it is finished.
    pub(super) fn step<F: QueryFilter + ?Sized>(&mut self, filter: &F, budget: &mut Budget) -> bool {
        self.map.step(&Backwards { filter }, budget)
    }

    /// Whether the path from a position is what it will be when the field is finished.
    fn is_settled<F: QueryFilter + ?Sized>(&self, start: PolyPoint, filter: &F) -> bool {
        self.map.is_settled(start, &Backwards { filter })
    }

    /// The goal.
    #[must_use]
    pub fn goal(&self) -> PolyPoint {
        self.map.start()
    }

    /// The cost of the path from a polygon; `None` if there is none.
    #[must_use]
    pub fn cost_from(&self, poly: PolyRef) -> Option<f32> {
        self.map.cost_to(poly)
    }

    /// Writes the path from a position to the goal into `path`. [`PathStatus::None`] if there is none, if the goal is
    /// in another polygon that the filter does not pass, or if the path crosses polygons that are no longer in `mesh`.
    /// `filter` must be the one used in the computation.
    pub fn path_from<F: QueryFilter + ?Sized>(
        &self,
        mesh: &NavMesh,
        start: PolyPoint,
        filter: &F,
        path: &mut PolyPath,
    ) {
        self.map.write_path(start, &Backwards { filter }, path);
        path.polys.reverse();
        path.portals.reverse();
        for portal in &mut path.portals {
            *portal = Portal { left: portal.right, right: portal.left };
        }
        core::mem::swap(&mut path.start, &mut path.end);
        // A search from the goal leaves a closed polygon, which the agents would have to enter.
        let goal = self.goal().poly;
        let is_closed = start.poly != goal && mesh.state(goal).is_ok_and(|state| !filter.passes(goal, state));
        if is_closed || cut_where_stale(mesh, path).is_some() {
            path.clear();
        }
    }
}

/// A filter for a search from the goal to the start.
struct Backwards<'a, F: ?Sized> {
    filter: &'a F,
}

impl<F: QueryFilter + ?Sized> QueryFilter for Backwards<'_, F> {
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        self.filter.passes(poly, state)
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        self.filter.cost(&crossing.reversed())
    }

    fn least_cost(&self) -> f32 {
        self.filter.least_cost()
    }
}

/// A planner that reads paths from flow fields. When a second path to the same goal is requested, within the same
/// [limits](SearchLimits), a field is begun for it and computed, within the budget of the searches, until
/// the path is found; it is kept for later requests, and continued. Everything that fields cannot answer is searched
/// with A*, and so is a path for which a field would have to open more than 32,768 further nodes: requests behind it
/// wait while a field is computed.
#[derive(Clone)]
pub struct FlowPlanner {
    /// The last goals that were requested, the latest last.
    pub(super) fields: Vec<Known>,
    /// How many nodes were opened for the current request.
    pub(super) waited: u64,
    /// For how many nodes a request waits.
    patience: u64,
    spare: Option<FlowField>,
    search: AStarPlanner,
}

impl Default for FlowPlanner {
    fn default() -> Self {
        Self { fields: Vec::new(), waited: 0, patience: 1 << 15, spare: None, search: AStarPlanner }
    }
}

/// A requested goal, and its field once there is one.
#[derive(Clone)]
pub(super) struct Known {
    /// The goal, as the start of the search, and the limits.
    pub(super) request: CostMapRequest,
    /// `None` if it has been replaced, which a planner that was read knows: nothing is requested with it again.
    pub(super) filter: Option<SharedFilter>,
    pub(super) field: Option<FlowField>,
    /// How many nodes were opened for it so far.
    pub(super) spent: u64,
}

impl FlowPlanner {
    /// How many goals are remembered.
    pub(super) const REMEMBERED: usize = 16;
    /// After so many nodes it is looked whether the path is found, however the budget divides them.
    const STRIDE: u64 = 64;

    /// A planner without any goals.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How many fields it holds.
    #[must_use]
    pub fn field_count(&self) -> usize {
        self.fields.iter().filter(|known| known.field.is_some()).count()
    }

    /// Makes the goal of a request the latest. Returns whether it has a field, which is begun if this is the second
    /// request for it.
    fn has_field(&mut self, mesh: &NavMesh, request: &PathRequest, filter: &SharedFilter) -> bool {
        let &PathRequest { goal, limits, placement, .. } = request;
        // NaN is no limit either, but would equal no other.
        let max_cost = if limits.max_cost.is_nan() { f32::INFINITY } else { limits.max_cost };
        let request = CostMapRequest { start: goal, limits: SearchLimits { max_cost, ..limits }, placement };
        let is_by = |known: &Known| known.filter.as_ref().is_some_and(|other| Arc::ptr_eq(other, filter));
        let Some(at) = self.fields.iter().position(|known| known.request == request && is_by(known)) else {
            if self.fields.len() == Self::REMEMBERED {
                self.spare = self.fields.remove(0).field.or(self.spare.take());
            }
            self.fields.push(Known { request, filter: Some(filter.clone()), field: None, spent: 0 });
            return false;
        };
        self.fields[at..].rotate_left(1);
        let Some(known) = self.fields.last_mut() else { return false };
        if known.field.is_none() {
            known.field = FlowField::begin(self.spare.take(), mesh, &request, filter.as_ref()).ok();
        }
        known.field.is_some()
    }

    /// Computes the latest field until the path from a position is found, or the request has waited long enough.
    /// Returns whether that was within the budget.
    fn compute(&mut self, start: PolyPoint, filter: &SharedFilter, budget: &mut Budget) -> bool {
        let Some(Known { field: Some(field), spent, .. }) = self.fields.last_mut() else { return true };
        let filter = filter.as_ref();
        while !field.is_finished() {
            let since_look = self.waited % Self::STRIDE;
            if since_look == 0 && (self.waited >= self.patience || field.is_settled(start, filter)) {
                break;
            }
            let allowed = (Self::STRIDE - since_look).min(budget.left());
            if allowed == 0 {
                return false;
            }
            let mut stride = Budget::new(allowed);
            field.step(filter, &mut stride);
            budget.charge(stride.taken());
            *spent += stride.taken();
            self.waited += stride.taken();
        }
        self.waited = 0;
        true
    }
}

impl Planner for FlowPlanner {
    fn plan(
        &mut self,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        budget: &mut Budget,
        path: &mut PolyPath,
    ) -> Planned {
        if self.has_field(mesh, request, filter) {
            if !self.compute(request.start, filter, budget) {
                return Planned::Working;
            }
            let field = self.fields.last().and_then(|known| known.field.as_ref());
            if let Some(field) = field.filter(|field| field.is_settled(request.start, filter.as_ref())) {
                field.path_from(mesh, request.start, filter.as_ref(), path);
                // Reading a path costs about as much as opening that many nodes.
                let _ = path.polys.iter().all(|_| budget.spend());
                if path.status == PathStatus::Complete {
                    return Planned::Done;
                }
            }
        }
        self.search.plan(mesh, request, filter, budget, path)
    }

    fn forget(&mut self) {
        self.waited = 0;
    }

    fn mesh_changed(&mut self, _: &NavMesh) {
        self.spare = self.fields.drain(..).find_map(|known| known.field).or(self.spare.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, LimitHit, PolyFlags};
    use crate::corridor::test_ground::{place, random_world, world};
    use crate::math::Rng;
    use crate::mesh::OffMeshConnection;
    use crate::plan::PathQueue;
    use crate::query::{DefaultFilter, PointSampler, SearchScratch, find_path};
    use glam::Vec3;

    /// A random world with connections between its parts.
    fn connected_world(rng: &mut Rng, connections: usize) -> (NavMesh, PointSampler) {
        let filter = DefaultFilter::default();
        let mut mesh = random_world(rng, 2, 8);
        for _ in 0..connections {
            let sampler = PointSampler::on_mesh(&mesh, &filter);
            let [start, end] = [0, 1].map(|_| sampler.sample(&mesh, rng).unwrap().unwrap().point);
            let (two_way, area, flags) = (rng.below(3) == 0, AreaId::WALKABLE, PolyFlags::WALK);
            let jump = OffMeshConnection { start, end, radius: 0.3, two_way, area, flags, user_id: 0 };
            mesh.add_connection(jump).unwrap();
        }
        let sampler = PointSampler::on_mesh(&mesh, &filter);
        (mesh, sampler)
    }

    #[test]
    fn every_way_is_as_cheap_as_one_that_was_searched() {
        let (mut rng, filter) = (Rng::new(12), DefaultFilter::default());
        let (mut compared, mut jumps, mut path) = (0, 0, PolyPath::default());
        for round in 0..40 {
            let (mesh, sampler) = connected_world(&mut rng, if round < 20 { 0 } else { 30 });
            let goal = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
            let field = FlowField::new(&mesh, goal, SearchLimits::default(), &filter).unwrap();
            for _ in 0..40 {
                let start = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
                let ask = PathRequest::new(start, goal);
                let single = find_path(&mesh, &ask, &filter, &mut SearchScratch::new()).unwrap();
                field.path_from(&mesh, start, &filter, &mut path);
                assert_eq!(path.status == PathStatus::Complete, single.status == PathStatus::Complete);
                if path.status != PathStatus::Complete {
                    continue;
                }
                assert_eq!((path.polys[0], path.start, path.end), (start.poly, start.point, goal.point));
                let whole = PolyPath::along(&mesh, &path.polys, path.start, path.end).unwrap();
                assert_eq!(whole.portals, path.portals, "each polygon leads to the next");
                let length = |p: &PolyPath| crate::query::string_pull(p, &mut SearchScratch::new()).length;
                // Both place nodes at middles of portals, from opposite ends: now one, now the other is a little
                // longer.
                assert!(length(&path) <= length(&single) * 1.2 + 0.5, "{} {}", length(&path), length(&single));
                let is_one_way = |poly: &PolyRef| mesh.connection(*poly).is_ok_and(|c| !c.definition().two_way);
                jumps += usize::from(path.polys.iter().any(is_one_way));
                compared += 1;
            }
        }
        assert!(compared > 400 && jumps > 20, "{compared}, {jumps} over one-way connections");
    }

    #[test]
    fn a_path_that_is_settled_stays_as_it_is() {
        let (mut rng, filter) = (Rng::new(7), DefaultFilter::default());
        let mut early = 0;
        for _ in 0..20 {
            let (mesh, sampler) = connected_world(&mut rng, 4);
            let goal = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
            let starts: Vec<PolyPoint> = (0..30).map(|_| sampler.sample(&mesh, &mut rng).unwrap().unwrap()).collect();
            let whole = FlowField::new(&mesh, goal, SearchLimits::default(), &filter).unwrap();
            let mut part = FlowField::begin(None, &mesh, &CostMapRequest::new(goal), &filter).unwrap();
            while !part.step(&filter, &mut Budget::new(7)) {
                for &start in starts.iter().filter(|start| part.is_settled(**start, &filter)) {
                    let [now, later] = [&part, &whole].map(|field| {
                        let mut path = PolyPath::default();
                        field.path_from(&mesh, start, &filter, &mut path);
                        PolyPath { nodes: 0, ..path }
                    });
                    assert_eq!(now, later);
                    early += 1;
                }
            }
        }
        assert!(early > 500, "{early}");
    }

    /// The answers of a planner to requests for one goal, in this order, and how many nodes each took.
    fn answers(
        (mesh, planner): (&NavMesh, &mut FlowPlanner),
        requests: &[PathRequest],
        filter: &SharedFilter,
        slice: u64,
    ) -> Vec<(PolyPath, u64)> {
        let mut queue = PathQueue::new();
        let answer = |request: &PathRequest| {
            let id = queue.request(*request, filter.clone());
            let mut nodes = 0;
            loop {
                let mut budget = Budget::new(slice);
                queue.step(mesh, planner, &mut budget);
                nodes += slice - budget.left();
                if let Some(answer) = queue.take(id).unwrap() {
                    return (answer.path, nodes);
                }
            }
        };
        requests.iter().map(answer).collect()
    }

    #[test]
    fn nobody_waits_for_a_field_longer_than_need_be() {
        let mesh = world(&["a".repeat(40).as_str(); 40].join("\n"));
        let filter: SharedFilter = Arc::new(DefaultFilter::default());
        let goal = place(&mesh, (1.5, 1.5));
        let from = |x, z| PathRequest::new(place(&mesh, (x, z)), goal);
        let requests = [from(4.5, 4.5), from(4.5, 1.5), from(39.5, 39.5), from(5.5, 1.5)];
        let mut planner = FlowPlanner { patience: 640, ..FlowPlanner::new() };
        let paths = answers((&mesh, &mut planner), &requests, &filter, 10_000);
        assert!(paths.iter().all(|(path, _)| path.status == PathStatus::Complete));
        let Known { field, spent, .. } = &planner.fields[0];
        // The first is searched. The second and the last are found soon, the third is given up.
        assert!(paths[1].1 <= 128 + 4 && paths[3].1 <= 5, "{} and {} nodes", paths[1].1, paths[3].1);
        assert!(!field.as_ref().unwrap().is_finished() && (640..=768).contains(spent), "{spent} nodes");
        // Slices change nothing.
        for slice in [1, 5, 64, 65] {
            let mut again = FlowPlanner { patience: 640, ..FlowPlanner::new() };
            let sliced = answers((&mesh, &mut again), &requests, &filter, slice);
            assert!(sliced.iter().zip(&paths).all(|(sliced, whole)| sliced.0 == whole.0), "{slice}");
            assert_eq!(again.fields[0].spent, *spent);
        }
    }

    #[test]
    fn limits_hold_for_fields_too() {
        let mesh = world(&"a".repeat(40));
        let filter: SharedFilter = Arc::new(DefaultFilter::default());
        let goal = place(&mesh, (0.5, 0.5));
        let within = |x, max_cost, max_nodes| {
            let limits = SearchLimits { max_cost, max_nodes };
            PathRequest { limits, ..PathRequest::new(place(&mesh, (x, 0.5)), goal) }
        };
        let mut planner = FlowPlanner::new();
        let mut ask = |request| {
            let mut paths = answers((&mesh, &mut planner), &[request; 3], &filter, 1000);
            let (path, _) = paths.pop().unwrap();
            (path.status, path.limit)
        };
        let far = (PathStatus::Partial, Some(LimitHit::Distance));
        let complete = (PathStatus::Complete, None);
        assert_eq!((ask(within(30.5, 10.0, u32::MAX)), ask(within(8.5, 10.0, u32::MAX))), (far, complete));
        assert_eq!(ask(within(30.5, f32::INFINITY, 9)), (PathStatus::Partial, Some(LimitHit::Nodes)));
        // Asked for again, it is known again.
        assert_eq!((ask(within(30.5, f32::NAN, u32::MAX)), planner.field_count()), (complete, 1));
    }

    #[test]
    fn one_request_in_slices_asks_once_and_fields_keep_to_the_budget() {
        let mesh = world(&["aaaaaaaaaaaa"; 12].join("\n"));
        let (goal, filter): (_, SharedFilter) = (place(&mesh, (11.5, 11.5)), Arc::new(DefaultFilter::default()));
        let (mut queue, mut planner) = (PathQueue::new(), FlowPlanner::new());
        let mut ask = |from| {
            let id = queue.request(PathRequest::new(place(&mesh, from), goal), filter.clone());
            let mut nodes = 0;
            loop {
                let mut budget = Budget::new(5);
                queue.step(&mesh, &mut planner, &mut budget);
                nodes += 5 - budget.left();
                if let Some(answer) = queue.take(id).unwrap() {
                    assert_eq!(answer.path.status, PathStatus::Complete);
                    return (planner.field_count(), nodes);
                }
                assert_eq!(budget.left(), 0);
            }
        };
        let (fields, nodes) = ask((0.5, 0.5));
        assert!(fields == 0 && nodes > 10, "{fields} fields, {nodes} nodes for a search of its own");
        let (fields, nodes) = ask((0.5, 0.5));
        assert!(fields == 1 && nodes >= 144, "{fields} fields, {nodes} nodes for the whole field");
        let (fields, nodes) = ask((2.5, 0.5));
        assert!(fields == 1 && nodes <= 24, "{fields} fields, {nodes} nodes to read a path");
    }

    #[test]
    fn jumps_that_lead_one_way_are_taken_that_way() {
        let mut mesh = world("aa..aa");
        let ends = [1.5, 4.5].map(|x| Vec3::new(x, 0.0, 0.5));
        let jump = |two_way| OffMeshConnection {
            start: ends[0],
            end: ends[1],
            radius: 0.3,
            two_way,
            area: AreaId::WALKABLE,
            flags: PolyFlags::WALK,
            user_id: 0,
        };
        let (left, right, filter) = (place(&mesh, (0.5, 0.5)), place(&mesh, (5.5, 0.5)), DefaultFilter::default());
        let one_way = mesh.add_connection(jump(false)).unwrap();
        let mut path = PolyPath::default();
        let mut status = |mesh: &NavMesh, from: PolyPoint, to: PolyPoint| {
            let field = FlowField::new(mesh, to, SearchLimits::default(), &filter).unwrap();
            field.path_from(mesh, from, &filter, &mut path);
            (path.status, path.polys.len())
        };
        assert_eq!(status(&mesh, left, right), (PathStatus::Complete, 5));
        assert_eq!(status(&mesh, right, left).0, PathStatus::None);
        mesh.remove_connection(one_way).unwrap();
        mesh.add_connection(jump(true)).unwrap();
        assert_eq!(status(&mesh, left, right), (PathStatus::Complete, 5));
        assert_eq!(status(&mesh, right, left), (PathStatus::Complete, 5));
    }
}
