//! Bounds against floods, and guided searches against unguided ones, on random maps of several tiles.

use super::portal_graph::PortalGraph;
use super::{BoundedSearch, CostBounds, find_bounded_path};
use crate::area::{AreaId, PathStatus, PolyFlags};
use crate::context::Budget;
use crate::math::Rng;
use crate::mesh::{NavMesh, OffMeshConnection};
use crate::query::test_maps::{at, random_map};
use crate::query::{
    Crossing, DefaultFilter, NavQuery, PathRequest, QueryFilter, SearchScratch, find_path, string_pull,
};
use glam::Vec3;
use std::sync::Arc;

/// A filter that is not judged by state, so the table of another serves it by its least cost alone; same answers.
struct Opaque<'a>(&'a DefaultFilter);

impl QueryFilter for Opaque<'_> {
    fn passes(&self, poly: crate::mesh::PolyRef, state: crate::mesh::PolyState) -> bool {
        self.0.passes(poly, state)
    }

    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        self.0.cost(crossing)
    }

    fn least_cost(&self) -> f32 {
        self.0.least_cost()
    }
}

fn filters() -> [DefaultFilter; 4] {
    let with = |costs: &[(u8, f32)]| {
        let mut filter = DefaultFilter::default();
        costs.iter().for_each(|&(area, cost)| filter.set_area_cost(AreaId::new(area).unwrap(), cost).unwrap());
        filter
    };
    let doors = DefaultFilter::new(PolyFlags::WALK, PolyFlags::NONE);
    [with(&[]), with(&[(2, 3.0), (7, 0.5)]), with(&[(2, f32::INFINITY), (7, 2.0)]), doors]
}

fn with_connections(rng: &mut Rng, mesh: &mut NavMesh, size: f32) {
    for _ in 0..6 {
        let mut place = || Vec3::new(rng.unit() * size, 0.0, rng.unit() * size);
        let (start, end) = (place(), place());
        let two_way = rng.below(2) == 0;
        let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
        let added = OffMeshConnection { start, end, radius: 0.4, two_way, area, flags, user_id: 0 };
        mesh.add_connection(added).unwrap();
    }
}

/// What the cheapest path over the middles of portals costs, by trying every portal until nothing becomes cheaper.
fn cheapest<F: QueryFilter>(mesh: &NavMesh, request: &PathRequest, filter: &F) -> Option<f64> {
    let graph = PortalGraph::of(mesh);
    let [start, goal] = [request.start, request.goal].map(|end| graph.poly(end.poly).unwrap());
    let cost = |poly: u32, from: Vec3, to: Vec3| {
        let (reference, state) = graph.polys[poly as usize];
        f64::from(filter.cost(&Crossing::over(mesh, reference, state, [from, to])))
    };
    if start == goal {
        return Some(cost(start, request.start.point, request.goal.point)).filter(|cost| cost.is_finite());
    }
    let mut best = vec![[f64::INFINITY; 2]; graph.edges.len()];
    let passes = |edge: &super::portal_graph::SharedEdge, side: usize| {
        let (reference, state) = graph.polys[edge.sides[side] as usize];
        edge.vias[side] != crate::math::index::NONE && filter.passes(reference, state)
    };
    loop {
        let mut has_changed = false;
        for (number, edge) in graph.edges.iter().enumerate() {
            for side in [0, 1].into_iter().filter(|&side| passes(edge, side)) {
                let poly = edge.sides[1 - side];
                let mut least = if poly == start { cost(poly, request.start.point, edge.at) } else { f64::INFINITY };
                for (other, there) in graph.edges.iter().enumerate().filter(|(other, _)| *other != number) {
                    for entered in [0, 1].into_iter().filter(|&entered| there.sides[entered] == poly) {
                        if best[other][entered].is_finite() {
                            least = least.min(best[other][entered] + cost(poly, there.at, edge.at));
                        }
                    }
                }
                if least < best[number][side] {
                    (best[number][side], has_changed) = (least, true);
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    let mut least = f64::INFINITY;
    for (edge, costs) in graph.edges.iter().zip(&best) {
        for side in [0, 1].into_iter().filter(|&side| edge.sides[side] == goal) {
            least = least.min(costs[side] + cost(goal, edge.at, request.goal.point));
        }
    }
    least.is_finite().then_some(least)
}

#[test]
fn guided_searches_find_the_cheapest_paths() {
    let (mut rng, mut scratch) = (Rng::new(41), SearchScratch::new());
    let (mut complete, mut none, mut over_connections) = (0, 0, 0);
    for round in 0..60 {
        let mut mesh = random_map(&mut rng, 3, 4);
        with_connections(&mut rng, &mut mesh, 12.0);
        let filters = filters();
        let tables = filters.each_ref().map(|filter| CostBounds::new(&mesh, filter));
        for _ in 0..6 {
            let mut place = || at(&mesh, (rng.unit() * 12.0, rng.unit() * 12.0));
            let (Some(start), Some(goal)) = (place(), place()) else { continue };
            let request = PathRequest::new(start, goal);
            let filter = &filters[round % 4];
            let least = cheapest(&mesh, &request, filter);
            let flat = find_path(&mesh, &request, filter, &mut scratch).unwrap();
            for table in &tables {
                let path = find_bounded_path((&mesh, table), &request, filter, &mut scratch).unwrap();
                let by_opaque = find_bounded_path((&mesh, table), &request, &Opaque(filter), &mut scratch).unwrap();
                assert_eq!(path.status, flat.status, "round {round}");
                assert_eq!(path.status == PathStatus::Complete, least.is_some());
                assert_eq!(by_opaque.status, flat.status);
                let Some(least) = least else {
                    none += 1;
                    assert_eq!((&path.polys, path.end), (&flat.polys, flat.end));
                    continue;
                };
                complete += 1;
                for found in [&path, &by_opaque] {
                    let cost = f64::from(found.cost);
                    assert!((cost - least).abs() <= 2e-4 * least + 1e-4, "round {round}: {cost} {least}");
                    assert_eq!((found.start, found.end), (start.point, goal.point));
                    assert!(string_pull(found, &mut scratch).length.is_finite());
                    let along = crate::query::PolyPath::along(&mesh, &found.polys, start.point, goal.point);
                    assert_eq!(along.unwrap().portals.len(), found.portals.len());
                }
                over_connections += u32::from(path.polys.iter().any(|poly| poly.is_off_mesh()));
            }
        }
    }
    assert!(complete > 300 && none > 100 && over_connections > 50, "{complete} {none} {over_connections}");
}

/// Along every step, and for every goal: no bound is higher than the cost of the step and the bound behind it, and at
/// the goal it is zero. So none is higher than the cost of the rest.
#[test]
fn bounds_are_consistent() {
    let mut rng = Rng::new(42);
    let mut steps = 0;
    for round in 0..60 {
        let mut mesh = random_map(&mut rng, 3, 4);
        with_connections(&mut rng, &mut mesh, 12.0);
        let filters = filters();
        let table = CostBounds::new(&mesh, &filters[rng.below(4) as usize]);
        let filter = &filters[round % 4];
        let graph = &table.graph;
        let Some(goal) = at(&mesh, (rng.unit() * 12.0, rng.unit() * 12.0)) else { continue };
        let goal_poly = graph.poly(goal.poly).unwrap();
        let estimate = table.estimate(&mesh, (goal_poly, goal.point), filter);
        let rest = |portal: u32| estimate.bound(graph.edges[portal as usize].at, table.costs(portal));
        for (poly, &(reference, state)) in (0..).zip(&graph.polys) {
            if !filter.passes(reference, state) {
                continue;
            }
            for &a in graph.around(poly) {
                let from = graph.edges[(a >> 1) as usize].at;
                let cost = |to: Vec3| filter.cost(&Crossing::over(&mesh, reference, state, [from, to]));
                for &b in graph.around(poly) {
                    let step = cost(graph.edges[(b >> 1) as usize].at);
                    let [here, there] = [a, b].map(|way| rest(way >> 1));
                    assert!(here <= step + there + 1e-4 || step == f32::INFINITY, "{here} {step} {there}");
                    steps += 1;
                }
                if poly == goal_poly {
                    assert!(rest(a >> 1) <= cost(goal.point) + 1e-4);
                }
            }
        }
    }
    assert!(steps > 10_000, "{steps}");
}

#[test]
fn slices_give_the_answer_of_one_piece_and_other_versions_that_of_an_ordinary_search() {
    let (mut rng, mut scratch) = (Rng::new(43), SearchScratch::new());
    let filter = DefaultFilter::default();
    for _ in 0..60 {
        let mut mesh = random_map(&mut rng, 3, 5);
        let bounds = Arc::new(CostBounds::new(&mesh, &filter));
        let mut place = || at(&mesh, (rng.unit() * 15.0, rng.unit() * 15.0));
        let (Some(start), Some(goal)) = (place(), place()) else { continue };
        let request = PathRequest::new(start, goal);
        let whole = find_bounded_path((&mesh, &bounds), &request, &filter, &mut scratch).unwrap();
        let mut search = BoundedSearch::new((&mesh, &bounds), &request, &filter, SearchScratch::new()).unwrap();
        let mut budget = Budget::new(1);
        let mut path = crate::query::PolyPath::default();
        while !search.step(&filter, &mut budget) {
            assert_eq!(search.path_into(&mesh, &mut path), None);
            budget = Budget::new(1 + u64::from(rng.below(4)));
        }
        assert_eq!((search.path_into(&mesh, &mut path), &path), (None, &whole));
        assert!(bounds.is_for(&mesh) && bounds.bytes() > 0);
        mesh.set_flags(start.poly, PolyFlags(4)).unwrap();
        assert!(!bounds.is_for(&mesh));
        let flat = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
        assert_eq!(find_bounded_path((&mesh, &bounds), &request, &filter, &mut scratch).unwrap(), flat);
    }
}

#[test]
fn a_session_answers_as_the_function_does() {
    let mut rng = Rng::new(11);
    let (mesh, filter) = (random_map(&mut rng, 3, 5), DefaultFilter::default());
    let bounds = CostBounds::new(&mesh, &filter);
    let mut query = NavQuery::new(&mesh, filter.clone());
    let mut found = 0;
    for _ in 0..50 {
        let mut place = || query.random(&mut rng).unwrap();
        let (start, goal) = (place(), place());
        let request = PathRequest::new(start, goal);
        let path = find_bounded_path((&mesh, &bounds), &request, &filter, &mut SearchScratch::new()).unwrap();
        let answer = query.bounded_path(&bounds, start, goal).unwrap();
        assert_eq!(*answer.path, path);
        assert_eq!(*answer.straight, string_pull(&path, &mut SearchScratch::new()));
        found += usize::from(answer.status() == PathStatus::Complete);
    }
    assert!(found > 0);
    let nowhere = query.bounded_path(&bounds, Vec3::splat(900.0), Vec3::ZERO).unwrap();
    assert!(nowhere.straight.points.is_empty() && nowhere.status() == PathStatus::None);
}

#[test]
fn within_one_polygon_limits_hold_too() {
    let mesh = crate::query::test_maps::mesh(&[((0, 0), "aaa")]);
    let filter = DefaultFilter::default();
    let bounds = CostBounds::new(&mesh, &filter);
    let poly = at(&mesh, (0.5, 0.5)).unwrap().poly;
    let place = |x: f32| crate::query::PolyPoint { poly, point: glam::Vec3::new(x, 0.0, 0.5) };
    for (most, status) in [(0.3, PathStatus::Partial), (0.9, PathStatus::Complete), (f32::NAN, PathStatus::Complete)] {
        let mut request = PathRequest::new(place(0.1), place(0.9));
        request.limits.max_cost = most;
        let mut scratch = SearchScratch::new();
        let guided = find_bounded_path((&mesh, &bounds), &request, &filter, &mut scratch).unwrap();
        let flat = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
        assert_eq!((guided.status, guided.limit), (flat.status, flat.limit), "at most {most}");
        assert_eq!(guided.status, status, "at most {most}");
    }
}
