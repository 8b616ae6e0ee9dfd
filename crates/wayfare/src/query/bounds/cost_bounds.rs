//! Reference points, and what it costs from each of them to every portal.
//!
//! Points are chosen far apart, each as far as possible from those before: a bound is close where a path leads straight
//! away from a point or towards it, and points at the ends of the mesh have most of it between them. Small parts that
//! are not connected with the rest get no points: there the straight distance has to do.
//!
//! Why no bound is too high: let c(a, b) be the cheapest cost between two portals where everything may be crossed both
//! ways. Then c(R, G) ≤ c(R, v) + c(v, G) and c(R, v) ≤ c(R, G) + c(G, v), so |c(R, G) − c(R, v)| ≤ c(v, G), which is
//! at most what a search finds. The same with a neighbour of v in place of G says that the bound falls by no more than
//! the step costs: it is consistent, and a search that closes nodes finds the cheapest path.
//!
//! A filter with other costs than those of the table multiplies all bounds by the least ratio of the two: what is `r`
//! times as expensive everywhere, or more, is `r` times as expensive in sum, or more.
//!
//! Cost: a search over the whole mesh for each point; 64 bytes a portal, and the [graph](PortalGraph).
//!
//! Sources: Andrew Goldberg, Chris Harrelson, "Computing the Shortest Path: A* Search Meets Graph Theory", 2005 (ALT,
//! and choosing the farthest points).

use super::portal_costs::PortalCosts;
use super::portal_graph::PortalGraph;
use crate::area::{AreaId, PolyFlags};
use crate::math::disjoint_sets::{number_sets, unite};
use crate::mesh::{MeshVersion, NavMesh, PolyRef, PolyState};
use crate::query::{Crossing, QueryFilter};
use glam::Vec3;
use std::collections::BTreeMap;

/// How many reference points there are: the costs to all of them fill a cache line.
const POINTS: usize = 16;
/// Parts with less than this share of all portals get no points.
const LEAST_SHARE: usize = 16;
/// Bounds are lowered by this share of the highest cost, so that rounding makes none too high.
const ROUNDING: f32 = 2.4e-7;
/// Bounds count for so much more in the order in which nodes are expanded. On open ground many paths cost the same, and
/// without it a search would expand all of them at once instead of one to its end. A path is at most so many times as
/// expensive as the cheapest.
const WEIGHT: f32 = 1.0001;

/// Costs from the reference points, in the order of the points.
pub(super) type PointCosts = [f32; POINTS];

/// Lower bounds of costs from anywhere to anywhere on a mesh, for [`find_bounded_path`](super::find_bounded_path).
///
/// They hold for the version of the mesh that they were made for. After any change of the mesh, searches use the
/// straight distance until new bounds are made, which can be done on another thread with a snapshot of the mesh.
#[derive(Clone, Debug)]
pub struct CostBounds {
    version: MeshVersion,
    pub(super) graph: PortalGraph,
    /// By portal.
    costs: Vec<PointCosts>,
    points: Vec<Vec3>,
    /// What a metre costs by area type and flags, infinite where closed; none if the filter looks at more than those.
    metre_by_state: Option<BTreeMap<(u8, u16), f32>>,
    /// The most that a metre costs.
    most: f32,
    slack: f32,
}

impl CostBounds {
    /// Computes bounds for a mesh and a filter.
    ///
    /// They also serve other filters, but the closer their costs are to this one's, the better. Use the most common
    /// one, such as [`DefaultFilter::of`](crate::query::DefaultFilter::of) the mesh.
    ///
    /// Cost: some hundred milliseconds for 30,000 polygons, and some 200 bytes a polygon.
    #[must_use]
    pub fn new<F: QueryFilter + ?Sized>(mesh: &NavMesh, filter: &F) -> Self {
        let graph = PortalGraph::of(mesh);
        let is_by_state = filter.is_by_state();
        let mut metre_by_state = BTreeMap::new();
        let metre = |&(poly, state): &(PolyRef, PolyState)| {
            if !is_by_state {
                return filter.least_cost().max(0.0);
            }
            *metre_by_state.entry(key(state)).or_insert_with(|| metre_cost(mesh, (poly, state), filter))
        };
        let metre: Vec<f32> = graph.polys.iter().map(metre).collect();
        let mut table = PointTable::choose(&graph, &metre);
        let highest = table.costs.iter().flatten().copied().filter(|cost| cost.is_finite()).fold(0.0, f32::max);
        table.costs.shrink_to_fit();
        let most = metre.iter().copied().fold(0.0, f32::max);
        Self {
            version: mesh.version().clone(),
            points: table.points.iter().map(|&point| graph.edges[point as usize].at).collect(),
            graph,
            costs: table.costs,
            metre_by_state: is_by_state.then_some(metre_by_state),
            most,
            slack: highest * ROUNDING,
        }
    }

    /// Whether they hold for this version of a mesh.
    #[must_use]
    pub fn is_for(&self, mesh: &NavMesh) -> bool {
        self.version == *mesh.version()
    }

    /// The reference points, for drawings.
    #[must_use]
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.graph.bytes() + size_of_val(&*self.costs) + size_of_val(&*self.points)
    }

    /// By what the table's costs are multiplied to be lower bounds for a filter.
    fn ratio<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, filter: &F) -> f32 {
        let Some(metre_by_state) = self.metre_by_state.as_ref().filter(|_| filter.is_by_state()) else {
            let ratio = filter.least_cost().max(0.0) / self.most;
            return if ratio.is_finite() { ratio } else { 0.0 };
        };
        let mut ratio = f32::INFINITY;
        for (&(area, flags), &of_table) in metre_by_state {
            let state = PolyState { area: AreaId::from_low_bits(area), flags: PolyFlags(flags) };
            let Some(any) = PolyRef::new(1, 0, 0) else { return 0.0 };
            let cost = metre_cost(mesh, (any, state), filter);
            if of_table > 0.0 && cost < f32::INFINITY {
                ratio = ratio.min(cost / of_table);
            }
        }
        if ratio.is_finite() { ratio } else { 0.0 }
    }

    /// The estimate for searches to a goal in a polygon.
    pub(super) fn estimate<F: QueryFilter + ?Sized>(
        &self,
        mesh: &NavMesh,
        (poly, goal): (u32, Vec3),
        filter: &F,
    ) -> BoundEstimate {
        let scale = self.ratio(mesh, filter);
        let straight = filter.least_cost().max(0.0) * 0.999;
        let mut estimate = BoundEstimate { goal, costs: [f32::INFINITY; POINTS], scale, slack: self.slack, straight };
        let (_, state) = self.graph.polys[poly as usize];
        let metre = match &self.metre_by_state {
            Some(by_state) => by_state.get(&key(state)).copied().unwrap_or(f32::INFINITY),
            None => self.most,
        };
        for &way in self.graph.around(poly) {
            let portal = (way >> 1) as usize;
            let last = self.graph.edges[portal].at.distance(goal) * metre;
            for (best, cost) in estimate.costs.iter_mut().zip(&self.costs[portal]) {
                // (The table's own cost of nothing may be infinite.)
                *best = if cost + last < *best { cost + last } else { *best };
            }
        }
        estimate
    }

    /// What it costs from each point to a portal.
    #[inline]
    pub(super) fn costs(&self, portal: u32) -> &PointCosts {
        &self.costs[portal as usize]
    }
}

/// What the rest of a path to a goal costs at least.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundEstimate {
    goal: Vec3,
    /// From each point to the goal.
    costs: PointCosts,
    scale: f32,
    slack: f32,
    straight: f32,
}

impl BoundEstimate {
    /// The estimate for a portal; infinite if there is no path.
    #[inline(always)]
    pub(super) fn rest(&self, at: Vec3, costs: &PointCosts) -> f32 {
        self.bound(at, costs) * WEIGHT
    }

    /// The lower bound for a portal.
    #[inline(always)]
    pub(super) fn bound(&self, at: Vec3, costs: &PointCosts) -> f32 {
        let straight = at.distance(self.goal) * self.straight;
        if self.scale == 0.0 {
            return straight;
        }
        // Where neither is reached from a point, the difference is no number, and greater than none.
        let differences = core::array::from_fn::<f32, POINTS, _>(|point| (costs[point] - self.costs[point]).abs());
        let most = differences.into_iter().fold(0.0, |most, one| if one > most { one } else { most });
        ((most - self.slack) * self.scale).max(straight)
    }
}

/// The points of a table and their costs.
struct PointTable {
    points: Vec<u32>,
    costs: Vec<PointCosts>,
}

impl PointTable {
    fn choose(graph: &PortalGraph, metre: &[f32]) -> Self {
        let portals = graph.edges.len();
        let mut table = Self { points: Vec::new(), costs: vec![[f32::INFINITY; POINTS]; portals] };
        let is_large = large_parts(graph, metre);
        // From the nearest point chosen so far.
        let mut nearest = vec![f64::INFINITY; portals];
        let mut flood = PortalCosts::default();
        while table.points.len() < POINTS {
            let wanted = (0..).zip(&nearest).filter(|(portal, _)| is_large[*portal as usize]);
            let Some((mut point, &distance)) = wanted.max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0))) else {
                break;
            };
            if distance == 0.0 {
                break;
            }
            if distance == f64::INFINITY {
                // The first point of a part: as far out as possible.
                flood.from(graph, metre, point);
                point = flood.farthest().unwrap_or(point);
            }
            flood.from(graph, metre, point);
            let number = table.points.len();
            table.points.push(point);
            for ((row, nearest), &cost) in table.costs.iter_mut().zip(&mut nearest).zip(&flood.costs) {
                row[number] = cost as f32;
                *nearest = nearest.min(cost);
            }
        }
        table
    }
}

/// Whether each portal belongs to a part that is large enough to get points.
fn large_parts(graph: &PortalGraph, metre: &[f32]) -> Vec<bool> {
    let mut part: Vec<u32> = (0..graph.edges.len() as u32).collect();
    for (poly, _) in (0..).zip(metre).filter(|(_, metre)| metre.is_finite()) {
        let around = graph.around(poly);
        around.windows(2).for_each(|pair| unite(&mut part, pair[0] >> 1, pair[1] >> 1));
    }
    let mut sizes = vec![0; number_sets(&mut part) as usize];
    part.iter().for_each(|&part| sizes[part as usize] += 1);
    let least = (graph.edges.len() / LEAST_SHARE).min(sizes.iter().copied().max().unwrap_or(0));
    part.iter().map(|&part| sizes[part as usize] >= least).collect()
}

fn key(state: PolyState) -> (u8, u16) {
    (state.area.get(), state.flags.0)
}

/// What a metre costs on a polygon or connection; infinite if it is closed.
fn metre_cost<F: QueryFilter + ?Sized>(mesh: &NavMesh, (poly, state): (PolyRef, PolyState), filter: &F) -> f32 {
    if filter.passes(poly, state) { filter.cost(&Crossing::metre(mesh, poly, state)).max(0.0) } else { f32::INFINITY }
}
