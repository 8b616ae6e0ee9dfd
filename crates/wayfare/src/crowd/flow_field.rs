//! Flow fields: the paths of many agents to one goal, from one search.
//!
//! Dijkstra's algorithm from the goal outwards finds the cheapest path from every polygon at once; read backwards, it
//! gives each agent's path without a search of its own. The mesh can be crossed both ways at the same cost; one-way
//! connections are left out, since the search runs against the direction in which agents walk.
//!
//! ```text
//!    → → ↓ ↓          goal ●: each polygon knows where to go on;
//!    ↑ # ↓ ↓          agents still pull their strings through the polygons,
//!    ↑ # → ●          so they walk straight, not from middle to middle
//! ```
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
use crate::query::{CostMap, CostMapRequest, Crossing, PathRequest, PolyPath, PolyPoint, QueryFilter, SearchLimits};
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
        Ok(Self { map: CostMap::new(mesh, &CostMapRequest::new(goal).within(limits), &Backwards { mesh, filter })? })
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
        self.map.update(mesh, &CostMapRequest::new(goal).within(limits), &Backwards { mesh, filter })
    }

    /// Begins to compute it, in the memory of another.
    pub(super) fn begin<F: QueryFilter + ?Sized>(
        spare: Option<Self>,
        mesh: &NavMesh,
        goal: PolyPoint,
        filter: &F,
    ) -> Result<Self, StaleRef> {
        let request = CostMapRequest::new(goal);
        let filter = Backwards { mesh, filter };
        let Some(mut field) = spare else { return Ok(Self { map: CostMap::begin(mesh, &request, &filter)? }) };
        field.map.restart(mesh, &request, &filter)?;
        Ok(field)
    }

    /// Whether nothing is left to compute.
    pub(super) fn is_finished(&self) -> bool {
        self.map.is_finished()
    }

    /// Continues within a budget in nodes. Returns whether it is finished.
    pub(super) fn step<F: QueryFilter + ?Sized>(&mut self, mesh: &NavMesh, filter: &F, budget: &mut Budget) -> bool {
        self.map.step(&Backwards { mesh, filter }, budget)
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
        let stale = self.map.path_to(mesh, start, &Backwards { mesh, filter }, path);
        // A search from the goal leaves a closed polygon, which the agents would have to enter.
        let goal = self.goal().poly;
        let is_closed = start.poly != goal && mesh.state(goal).is_ok_and(|state| !filter.passes(goal, state));
        if stale.is_some() || is_closed {
            path.clear();
            return;
        }
        path.polys.reverse();
        path.portals.reverse();
        for portal in &mut path.portals {
            *portal = Portal { left: portal.right, right: portal.left };
        }
        core::mem::swap(&mut path.start, &mut path.end);
    }
}

/// A filter for a search from the goal to the start.
struct Backwards<'a, F: ?Sized> {
    mesh: &'a NavMesh,
    filter: &'a F,
}

impl<F: QueryFilter + ?Sized> QueryFilter for Backwards<'_, F> {
    fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        let both_ways = || self.mesh.connection(poly).is_ok_and(|c| c.definition().two_way);
        self.filter.passes(poly, state) && (!poly.is_off_mesh() || both_ways())
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        self.filter.cost(&crossing.reversed())
    }

    fn least_cost(&self) -> f32 {
        self.filter.least_cost()
    }
}

/// A planner that reads paths from flow fields. When a second path to the same goal is requested, a field is computed
/// for it, within the budget of the searches, and kept for later requests; everything that fields cannot answer is
/// searched with A*.
#[derive(Clone, Default)]
pub struct FlowPlanner {
    /// The last goals that were requested, the latest last.
    pub(super) fields: Vec<Known>,
    spare: Option<FlowField>,
    search: AStarPlanner,
}

/// A requested goal, and its field once there is one.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) goal: PolyPoint,
    pub(super) filter: SharedFilter,
    pub(super) field: Option<FlowField>,
    /// How many budget nodes were used for it so far.
    pub(super) spent: u64,
}

impl FlowPlanner {
    /// How many goals are remembered.
    pub(super) const REMEMBERED: usize = 16;

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

    /// The field for a goal, begun if this is the second request for it.
    fn field(&mut self, mesh: &NavMesh, goal: PolyPoint, filter: &SharedFilter) -> Option<(&mut FlowField, &mut u64)> {
        let same = |known: &Known| known.goal == goal && Arc::ptr_eq(&known.filter, filter);
        let Some(at) = self.fields.iter().position(same) else {
            if self.fields.len() == Self::REMEMBERED {
                self.spare = self.fields.remove(0).field.or(self.spare.take());
            }
            self.fields.push(Known { goal, filter: filter.clone(), field: None, spent: 0 });
            return None;
        };
        self.fields[at..].rotate_left(1);
        let known = self.fields.last_mut()?;
        if known.field.is_none() {
            known.field = FlowField::begin(self.spare.take(), mesh, goal, filter.as_ref()).ok();
        }
        Some((known.field.as_mut()?, &mut known.spent))
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
        if let Some((field, spent)) = self.field(mesh, request.goal, filter) {
            let before = budget.left();
            let has_finished = field.step(mesh, filter.as_ref(), budget);
            *spent += before - budget.left();
            if !has_finished {
                return Planned::Working;
            }
            field.path_from(mesh, request.start, filter.as_ref(), path);
            // Reading a path costs about as much as opening that many nodes.
            let _ = path.polys.iter().all(|_| budget.spend());
            if path.status == PathStatus::Complete {
                return Planned::Done;
            }
        }
        self.search.plan(mesh, request, filter, budget, path)
    }

    fn mesh_changed(&mut self, _: &NavMesh) {
        self.spare = self.fields.drain(..).find_map(|known| known.field).or(self.spare.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{AreaId, PolyFlags};
    use crate::corridor::test_ground::{place, random_world, world};
    use crate::math::Rng;
    use crate::mesh::OffMeshConnection;
    use crate::plan::PathQueue;
    use crate::query::{DefaultFilter, PointSampler, SearchScratch, find_path};
    use glam::Vec3;

    #[test]
    fn every_way_is_as_cheap_as_one_that_was_searched() {
        let (mut rng, filter) = (Rng::new(12), DefaultFilter::default());
        let (mut compared, mut path) = (0, PolyPath::default());
        for _ in 0..20 {
            let mesh = random_world(&mut rng, 2, 8);
            let sampler = PointSampler::on_mesh(&mesh, &filter);
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
                compared += 1;
            }
        }
        assert!(compared > 200);
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
        let (fields, nodes) = ask((0.5, 2.5));
        assert!(fields == 1 && nodes >= 144, "{fields} fields, {nodes} nodes for the whole field");
        let (fields, nodes) = ask((2.5, 0.5));
        assert!(fields == 1 && nodes <= 24, "{fields} fields, {nodes} nodes to read a path");
    }

    #[test]
    fn jumps_that_lead_one_way_are_not_taken_backwards() {
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
        assert_eq!(status(&mesh, left, right).0, PathStatus::None);
        // The planner then searches, and finds it.
        let (mut queue, mut planner) = (PathQueue::new(), FlowPlanner::new());
        let shared: SharedFilter = Arc::new(filter.clone());
        for _ in 0..3 {
            let id = queue.request(PathRequest::new(left, right), shared.clone());
            queue.step(&mesh, &mut planner, &mut Budget::unlimited());
            assert_eq!(queue.take(id).unwrap().unwrap().path.status, PathStatus::Complete);
        }
        assert_eq!(planner.field_count(), 1);
        mesh.remove_connection(one_way).unwrap();
        mesh.add_connection(jump(true)).unwrap();
        assert_eq!(status(&mesh, left, right), (PathStatus::Complete, 5));
        assert_eq!(status(&mesh, right, left), (PathStatus::Complete, 5));
    }
}
