//! Computes the cost from one position to all others: Dijkstra's algorithm, keeping its result.
//!
//! Computed once, it answers any number of queries: what does it cost to get to a position, and along which path? It
//! keeps the snapshot of the mesh on which it was computed.
//!
//! Cost: computing opens every polygon within the limits, once or a few times each; a query then costs a look-up, a
//! path its length.
//!
//! Sources: Edsger Dijkstra, "A note on two problems in connexion with graphs", 1959.

use super::scratch::SearchMemory;
use super::search::{Search, SearchTask};
use super::search_goal::Goal;
use super::trace_path::{cut_where_stale, trace_path_to};
use super::{Crossing, NodePlacement, PlaceNodes, PolyPath, PolyPoint, QueryFilter, SearchLimits, SearchScratch};
use crate::area::{LimitHit, PathStatus};
use crate::context::Budget;
use crate::graph::SearchObserver;
use crate::mesh::{Connection, NavMesh, PolyRef, StaleRef};
use glam::Vec3;

/// Parameters of a [`CostMap`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostMapRequest<P = NodePlacement> {
    /// The position from which costs are measured. Nothing is reached from a point that is not finite.
    pub start: PolyPoint,
    /// Limits of the search.
    pub limits: SearchLimits,
    /// Where the search places its nodes on the portals. Default: [`NodePlacement::Middle`].
    pub placement: P,
}

impl CostMapRequest {
    /// From `start`, without limits.
    #[must_use]
    pub fn new(start: PolyPoint) -> Self {
        Self { start, limits: SearchLimits::default(), placement: NodePlacement::default() }
    }
}

impl<P> CostMapRequest<P> {
    /// The same request with limits.
    #[must_use]
    pub fn within(self, limits: SearchLimits) -> Self {
        Self { limits, ..self }
    }

    /// The same request with another rule for placing nodes.
    #[must_use]
    pub fn placed_by<Q>(self, placement: Q) -> CostMapRequest<Q> {
        CostMapRequest { start: self.start, limits: self.limits, placement }
    }
}

/// The costs from one position to everything that can be reached from it.
#[derive(Clone, Debug)]
pub struct CostMap<P = NodePlacement, O = ()> {
    mesh: NavMesh,
    scratch: SearchScratch<O>,
    start: PolyPoint,
    max_cost: f32,
    search: Search<Everywhere, P>,
}

impl<P: PlaceNodes + Clone> CostMap<P> {
    /// Computes the costs from a position, within limits.
    ///
    /// # Errors
    /// [`StaleRef`] if the position's polygon is not in the mesh.
    pub fn new<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        request: &CostMapRequest<P>,
        filter: &F,
    ) -> Result<Self, StaleRef> {
        Self::with_scratch(mesh, request, filter, SearchScratch::new())
    }

    /// Begins computing against the direction of travel, from where paths end, with a filter that reverses crossings.
    /// Polygons not yet [stepped](Self::step) over count as not reached. What is written are reversed paths.
    pub(crate) fn begin_backwards<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        request: &CostMapRequest<P>,
        filter: &F,
    ) -> Result<Self, StaleRef> {
        Self::begin_in(mesh, task(request, Everywhere::backwards(mesh)), filter, SearchScratch::new())
    }

    /// The same in the memory of another. If the position is not in the mesh, the old costs are kept.
    pub(crate) fn restart_backwards<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        request: &CostMapRequest<P>,
        filter: &F,
    ) -> Result<(), StaleRef> {
        self.restart(mesh, task(request, Everywhere::backwards(mesh)), filter)
    }
}

impl<P: PlaceNodes + Clone, O: SearchObserver<PolyRef>> CostMap<P, O> {
    /// Like [`new`](CostMap::new), with the memory of an earlier search, whose observer sees the nodes.
    ///
    /// # Errors
    /// [`StaleRef`] if the position's polygon is not in the mesh.
    pub fn with_scratch<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        request: &CostMapRequest<P>,
        filter: &F,
        scratch: SearchScratch<O>,
    ) -> Result<Self, StaleRef> {
        let mut map = Self::begin_in(mesh, task(request, Everywhere::ONWARDS), filter, scratch)?;
        map.step(filter, &mut Budget::unlimited());
        Ok(map)
    }

    /// Computes it again, from another position or on another mesh, in the same memory.
    ///
    /// # Errors
    /// [`StaleRef`] if the position's polygon is not in the mesh; the old costs are then kept.
    pub fn update<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        request: &CostMapRequest<P>,
        filter: &F,
    ) -> Result<(), StaleRef> {
        self.restart(mesh, task(request, Everywhere::ONWARDS), filter)?;
        self.step(filter, &mut Budget::unlimited());
        Ok(())
    }

    fn begin_in<F: QueryFilter + ?Sized>(
        mesh: &NavMesh,
        task: SearchTask<Everywhere, P>,
        filter: &F,
        mut scratch: SearchScratch<O>,
    ) -> Result<Self, StaleRef> {
        let (start, max_cost) = (task.start, task.limits.max_cost);
        let search = Search::begin(mesh, task, filter, &mut scratch)?;
        Ok(Self { mesh: mesh.clone(), scratch, start, max_cost, search })
    }

    /// Starts again in the same memory. If the position is not in the mesh, the old costs are kept.
    fn restart<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        task: SearchTask<Everywhere, P>,
        filter: &F,
    ) -> Result<(), StaleRef> {
        let (start, max_cost) = (task.start, task.limits.max_cost);
        self.search = Search::begin(mesh, task, filter, &mut self.scratch)?;
        (self.mesh, self.start, self.max_cost) = (mesh.clone(), start, max_cost);
        Ok(())
    }

    /// Continues until finished or until the budget, counted in nodes, is used up. Returns whether it is finished.
    pub(crate) fn step<F: QueryFilter + ?Sized>(&mut self, filter: &F, budget: &mut Budget) -> bool {
        let has_finished = self.search.run(&self.mesh, filter, &mut self.scratch, budget);
        if has_finished {
            self.scratch.memory.exits.sort();
        }
        has_finished
    }

    /// Whether nothing is left to compute.
    pub(crate) fn is_finished(&self) -> bool {
        self.search.is_finished()
    }

    /// The observer of its [scratch](Self::with_scratch).
    #[must_use]
    pub fn observer(&self) -> &O {
        self.scratch.observer()
    }

    /// The position from which costs are measured.
    #[must_use]
    pub fn start(&self) -> PolyPoint {
        self.start
    }

    /// The limit that cut it short, if any.
    #[must_use]
    pub fn limit(&self) -> Option<LimitHit> {
        self.search.limit()
    }

    /// The cost to the point where a polygon is entered; `None` if it was not reached.
    #[must_use]
    pub fn cost_to(&self, poly: PolyRef) -> Option<f32> {
        let (tile, index) = self.mesh.locate(poly).ok().filter(|_| self.start.point.is_finite())?;
        let SearchMemory { nodes, exits, .. } = &self.scratch.memory;
        nodes.cheapest_of(exits, tile, index).map(|node| nodes.get(node).cost)
    }

    /// Writes the path to a position into `path`, with its cost by `filter`, which must be the one used in the
    /// computation. [`PathStatus::None`] if the position was not reached within the limits. If the path crosses
    /// polygons that are no longer in `mesh`, it is cut before the first of them, which is returned.
    ///
    /// Within a tile each polygon is entered at its cheapest entry, which in a large polygon may be far from the
    /// position: a separate search may find a shorter path there.
    pub fn path_to<F: QueryFilter + ?Sized>(
        &self,
        mesh: &NavMesh,
        goal: PolyPoint,
        filter: &F,
        path: &mut PolyPath,
    ) -> Option<StaleRef> {
        self.write_path(goal, filter, path);
        cut_where_stale(mesh, path)
    }

    /// Writes the path to a position as it is in the mesh on which it was computed; empty if there is none.
    pub(crate) fn write_path<F: QueryFilter + ?Sized>(&self, goal: PolyPoint, filter: &F, path: &mut PolyPath) {
        path.clear();
        let Some((cost, node)) = self.cheapest_to(goal, filter) else { return };
        let nodes = &self.scratch.memory.nodes;
        trace_path_to(&self.mesh, nodes, node, path);
        path.cost = cost;
        (path.status, path.start, path.end) = (PathStatus::Complete, self.start.point, goal.point);
        path.nodes = nodes.len();
    }

    /// Whether the path to a position is found, and stays the same however the computation continues: what is still
    /// open costs more.
    pub(crate) fn is_settled<F: QueryFilter + ?Sized>(&self, goal: PolyPoint, filter: &F) -> bool {
        let least_open = self.scratch.memory.open.peek_total().unwrap_or(f32::INFINITY);
        self.is_finished() || self.cheapest_to(goal, filter).is_some_and(|(cost, _)| cost < least_open)
    }

    /// The cost of the path to a position, and its last node; `None` if it was not reached within the limits.
    fn cheapest_to<F: QueryFilter + ?Sized>(&self, goal: PolyPoint, filter: &F) -> Option<(f32, u32)> {
        if !(self.start.point.is_finite() && goal.point.is_finite()) {
            return None;
        }
        let (tile, index) = self.mesh.locate(goal.poly).ok()?;
        let SearchMemory { nodes, exits, .. } = &self.scratch.memory;
        let cost_by = |node: u32| {
            let entered = nodes.get(node);
            let before = nodes.of(entered.parent);
            let last = Crossing::over(&self.mesh, goal.poly, tile.state(index), [entered.pos, goal.point]);
            entered.cost + filter.cost(&last.between(before, None)).max(0.0)
        };
        // The more expensive of two entries of a polygon may be the one on the side of the position.
        let ways = nodes.all_of(exits, tile, index).map(|node| (cost_by(node), node));
        let (cost, node) = ways.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        let is_too_expensive = !cost.is_finite() || cost > self.max_cost;
        (!is_too_expensive).then_some((cost, node))
    }
}

fn task<P: Clone>(request: &CostMapRequest<P>, goal: Everywhere) -> SearchTask<Everywhere, P> {
    let CostMapRequest { start, limits, ref placement } = *request;
    SearchTask { start, goal, limits, placement: placement.clone() }
}

/// No goal: the search opens everything, cheapest first.
#[derive(Clone, Debug)]
struct Everywhere {
    is_backwards: bool,
    /// Against the direction of travel: the connections that can be used one way only, by the polygon at their end.
    arrivals: Vec<(PolyRef, PolyRef)>,
}

impl Everywhere {
    const ONWARDS: Self = Self { is_backwards: false, arrivals: Vec::new() };

    /// Against the direction of travel.
    fn backwards(mesh: &NavMesh) -> Self {
        let one_way = mesh.connections().filter(|connection| !connection.definition().two_way);
        let arrival = |connection: &Connection| Some((connection.passage(0)?[1].poly, connection.reference()));
        let mut arrivals: Vec<_> = one_way.filter_map(arrival).collect();
        arrivals.sort_unstable();
        Self { is_backwards: true, arrivals }
    }
}

impl Goal for Everywhere {
    fn aim(&self, p: Vec3) -> Vec3 {
        p
    }

    fn place_in(&self, _: &NavMesh, _: u32, _: u32, _: Vec3) -> Option<Vec3> {
        None
    }

    #[inline]
    fn is_backwards(&self) -> bool {
        self.is_backwards
    }

    #[inline]
    fn nth_arrival(&self, poly: PolyRef, nth: usize) -> Option<PolyRef> {
        let first = self.arrivals.partition_point(|(end, _)| *end < poly);
        self.arrivals.get(first + nth).filter(|(end, _)| *end == poly).map(|(_, connection)| *connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::test_maps::{at, mesh};
    use crate::query::{DefaultFilter, PathRequest, find_path};

    #[test]
    fn nothing_leads_to_or_from_what_is_no_place() {
        let mesh = mesh(&[((0, 0), "aaa")]);
        let filter = DefaultFilter::default();
        let start = at(&mesh, (0.5, 0.5)).unwrap();
        let nowhere = PolyPoint { point: Vec3::NAN, ..start };
        let mut path = PolyPath::default();
        let map = CostMap::new(&mesh, &CostMapRequest::new(start), &filter).unwrap();
        assert_eq!(map.path_to(&mesh, nowhere, &filter, &mut path), None);
        assert_eq!((path.status, path.polys.len()), (PathStatus::None, 0));
        let map = CostMap::new(&mesh, &CostMapRequest::new(nowhere), &filter).unwrap();
        assert_eq!(map.cost_to(start.poly), None);
        map.path_to(&mesh, start, &filter, &mut path);
        assert_eq!((path.status, path.polys.len()), (PathStatus::None, 0));
    }

    #[test]
    fn costs_and_paths_are_those_of_single_searches() {
        let mesh = mesh(&[((0, 0), "aaaa\na..a\naaaa"), ((1, 0), "aaaa\n....\naaaa")]);
        let (filter, start) = (DefaultFilter::default(), at(&mesh, (0.5, 0.5)).unwrap());
        let mut map = CostMap::new(&mesh, &CostMapRequest::new(start), &filter).unwrap();
        let mut path = PolyPath::default();
        for x in 0..8 {
            for z in [0.5, 2.5] {
                let goal = at(&mesh, (x as f32 + 0.5, z)).unwrap();
                assert_eq!(map.path_to(&mesh, goal, &filter, &mut path), None);
                let single =
                    find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut SearchScratch::new()).unwrap();
                assert_eq!((path.status, path.polys.len()), (PathStatus::Complete, single.polys.len()));
                assert!(map.cost_to(goal.poly).unwrap() <= single.cost + 1e-4);
                for path in [&path, &single] {
                    let middles = path.portals.iter().map(|portal| portal.middle());
                    let way: Vec<Vec3> = [path.start].into_iter().chain(middles).chain([path.end]).collect();
                    let length: f32 = way.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
                    assert!((path.cost - length).abs() < 1e-4, "{} {length}", path.cost);
                }
            }
        }
        let near = SearchLimits { max_cost: 2.0, ..SearchLimits::default() };
        map.update(&mesh, &CostMapRequest::new(start).within(near), &filter).unwrap();
        assert_eq!((map.limit(), map.cost_to(start.poly)), (Some(LimitHit::Distance), Some(0.0)));
        let far = at(&mesh, (7.5, 0.5)).unwrap();
        assert_eq!(map.cost_to(far.poly), None);
        map.path_to(&mesh, far, &filter, &mut path);
        assert_eq!(path.status, PathStatus::None);
        // The third polygon is entered within the limit, but not all of it lies within.
        for (x, status) in [(2.4, PathStatus::Complete), (2.6, PathStatus::None)] {
            map.path_to(&mesh, at(&mesh, (x, 0.5)).unwrap(), &filter, &mut path);
            assert_eq!(path.status, status, "{x}");
        }
    }
}
