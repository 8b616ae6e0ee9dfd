//! Tests of overlays: what is painted, how it decays, what searches make of it.

use super::*;
use crate::area::PathStatus;
use crate::graph::{SearchNode, SearchRecord};
use crate::math::Rng;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::test_maps::{at, mesh};
use crate::query::{
    Crossing, DefaultFilter, PathRequest, QueryFilter, SearchScratch, find_optimal_path, find_path, reachable,
};
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
use glam::{Vec2, Vec3};

fn overlay() -> CostOverlay {
    CostOverlay::new(OverlaySettings::default()).unwrap()
}

fn disc(x: f32, z: f32, radius: f32) -> OverlayShape<'static> {
    OverlayShape::Disc { center: Vec3::new(x, 0.0, z), radius, reach: 0.5 }
}

fn field() -> NavMesh {
    mesh(&[((0, 0), &vec!["a".repeat(12); 12].join("\n"))])
}

#[test]
fn a_line_costs_what_its_cells_do() {
    let mut rng = Rng::new(3);
    let mut overlay = overlay();
    for _ in 0..30 {
        let [x, z] = [20.0 * rng.unit() - 10.0, 20.0 * rng.unit() - 10.0];
        let center = Vec3::new(x, 3.0 * rng.unit(), z);
        overlay.paint(&OverlayShape::Disc { center, radius: 1.0 + 2.0 * rng.unit(), reach: 0.7 }, rng.unit()).unwrap();
    }
    let place = |rng: &mut Rng| Vec3::new(40.0 * rng.unit() - 20.0, 4.0 * rng.unit() - 1.0, 40.0 * rng.unit() - 20.0);
    let mut dear = 0;
    for _ in 0..400 {
        let (from, to) = (place(&mut rng), place(&mut rng));
        let pieces = 40_000;
        let at = |i: i32| from.lerp(to, (i as f32 + 0.5) / pieces as f32);
        let sum: f64 = (0..pieces).map(|i| f64::from(overlay.cost_at(at(i)))).sum();
        let wanted = sum / f64::from(pieces) * f64::from(from.distance(to));
        let [there, back] = [overlay.cost_along(from, to), overlay.cost_along(to, from)].map(f64::from);
        assert!((there - wanted).abs() < 0.01 && (back - there).abs() < 1e-3, "{there} {back} {wanted}");
        assert!(there <= f64::from(overlay.most_cost() * from.distance(to)));
        dear += u32::from(wanted > 0.5);
    }
    assert!(dear > 50, "{dear}");
    // Along the axes, and on the borders of cells.
    for (from, to) in [([-9.0, 0.0, 2.0], [9.0, 0.0, 2.0]), ([3.0, 2.0, 9.0], [3.0, 2.0, -9.0])]
        .map(|(a, b)| (Vec3::from(a), Vec3::from(b)))
    {
        let nudged = Vec3::splat(1e-4);
        let beside = overlay.cost_along(from + nudged, to + nudged);
        assert!((overlay.cost_along(from, to) - beside).abs() < 0.01);
        assert!((overlay.cost_along(to, from) - beside).abs() < 0.01);
    }
    assert_eq!(overlay.cost_along(Vec3::ZERO, Vec3::ZERO), 0.0);
    assert_eq!(overlay.cost_along(Vec3::NAN, Vec3::ONE), 0.0);
}

#[test]
fn shapes_cover_the_cells_whose_middles_they_hold() {
    let mut overlay = overlay();
    let covered = |overlay: &CostOverlay| {
        overlay.cells().map(|(low, ..)| [low.x, low.y, low.z].map(|n| n as i32)).collect::<Vec<_>>()
    };
    let area = crate::math::Aabb { min: Vec3::new(0.0, 0.2, 0.0), max: Vec3::new(2.0, 0.8, 1.0) };
    assert_eq!(overlay.paint(&OverlayShape::Box(area), 1.0), Ok(2));
    assert_eq!(covered(&overlay), [[0, 0, 0], [1, 0, 0]]);
    assert_eq!([0.5, f32::NAN].map(|x| overlay.cost_at(Vec3::new(x, 0.5, 0.5))), [1.0, 0.0]);
    overlay.clear();
    // An L.
    let corners = [[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]].map(Vec2::from);
    overlay.paint(&OverlayShape::Polygon { corners: &corners, min_y: 4.0, max_y: 4.5 }, 1.0).unwrap();
    let mut all = covered(&overlay);
    all.sort_unstable();
    assert_eq!(all, [[0, 4, 0], [0, 4, 1], [0, 4, 2], [1, 4, 0], [2, 4, 0]]);
    overlay.clear();
    assert_eq!(overlay.paint(&disc(5.1, 5.1, 0.01), 2.0), Ok(2), "the cell that it is in, above the floor and below");
    assert_eq!(overlay.cost_at(Vec3::new(5.9, 0.0, 5.9)), 2.0);
}

#[test]
fn what_is_painted_adds_up_and_decays_by_ticks() {
    let mut fear = CostOverlay::new(OverlaySettings { half_life: 10, ..OverlaySettings::default() }).unwrap();
    let here = Vec3::new(0.5, 0.0, 0.5);
    fear.paint(&disc(0.5, 0.5, 1.0), 8.0).unwrap();
    fear.advance(10);
    fear.paint(&disc(0.5, 0.5, 1.0), 8.0).unwrap();
    assert!((fear.cost_at(here) - 12.0).abs() < 1e-4);
    // By single ticks and at once, over the moments at which shares are multiplied in.
    let mut at_once = fear.clone();
    let before = fear.clone();
    for _ in 0..170 {
        fear.advance(1);
    }
    at_once.advance(170);
    assert_eq!(fear, at_once);
    assert!(fear.is_clear(), "{:?}", fear.cost_at(here));
    assert!((before.cost_at(here) - 12.0).abs() < 1e-4, "copies stay as they are");
    at_once.paint(&disc(0.5, 0.5, 1.0), 1.0).unwrap();
    at_once.advance(u32::MAX);
    assert!(at_once.is_clear() && at_once.most_cost() == 0.0);
    let mut stays = overlay();
    stays.paint(&disc(0.5, 0.5, 1.0), 1.0).unwrap();
    stays.advance(u32::MAX);
    assert_eq!(stays.cost_at(here), 1.0);
}

#[test]
fn memory_is_bounded_and_bad_paint_is_refused() {
    let settings = OverlaySettings { max_cells: 256, half_life: 4, ..OverlaySettings::default() };
    let mut small = CostOverlay::new(settings).unwrap();
    small.paint(&disc(4.0, 4.0, 3.0), 1.0).unwrap();
    assert_eq!(small.cell_count(), 128);
    let before = small.clone();
    let full = Err(OverlayError::Full(OverlayFull { needed: 384, most: 256 }));
    assert_eq!(small.paint(&disc(16.0, 4.0, 3.0), 1.0), full);
    assert_eq!(small, before);
    small.advance(60);
    assert!(small.paint(&disc(16.0, 4.0, 3.0), 1.0).is_ok(), "what has decayed makes room");

    let whole = OverlayShape::Disc { center: Vec3::ZERO, radius: 1e6, reach: 1.0 };
    assert!(matches!(small.paint(&whole, 1.0), Err(OverlayError::TooLarge { most: 256, .. })));
    for cost in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(small.paint(&disc(0.0, 0.0, 1.0), cost), Err(OverlayError::Cost { .. })));
        assert!(matches!(Overlaid::new(DefaultFilter::default()).with(&small, cost), Err(OverlayError::Cost { .. })));
    }
    for shape in [
        disc(f32::NAN, 0.0, 1.0),
        disc(0.0, 0.0, -1.0),
        disc(1e12, 0.0, 1.0),
        OverlayShape::Box(crate::math::Aabb { min: Vec3::ONE, max: Vec3::ZERO }),
        OverlayShape::Polygon { corners: &[Vec2::ZERO, Vec2::ONE], min_y: 0.0, max_y: 1.0 },
    ] {
        assert!(matches!(small.paint(&shape, 1.0), Err(OverlayError::Shape { .. })), "{shape:?}");
    }
    let odd = OverlaySettings { cell_size: 0.0, ..settings };
    assert_eq!(CostOverlay::new(odd).err(), Some(OverlayError::Setting { name: "cell_size", value: 0.0 }));
    let mut much = overlay();
    for _ in 0..100 {
        much.paint(&disc(0.0, 0.0, 1.0), 1e30).unwrap();
    }
    assert_eq!(much.cost_at(Vec3::ZERO), 1e6);
}

#[test]
fn stored_and_read_it_is_the_same_and_damage_is_noticed() {
    let mut fear = CostOverlay::new(OverlaySettings { half_life: 9, ..OverlaySettings::default() }).unwrap();
    fear.paint(&disc(-7.0, 3.0, 4.0), 2.0).unwrap();
    fear.advance(5);
    fear.paint(&disc(20.0, 3.0, 2.0), 1.0).unwrap();
    let bytes = fear.to_bytes();
    let mut read = CostOverlay::from_bytes(&bytes).unwrap();
    assert_eq!(read, fear);
    fear.advance(300);
    read.advance(300);
    assert_eq!(read, fear);
    for cut in 0..bytes.len() {
        assert!(CostOverlay::from_bytes(&bytes[..cut]).is_err());
    }
    for at in (0..bytes.len()).step_by(7) {
        let mut worse = bytes.clone();
        worse[at] ^= 0x40;
        assert!(CostOverlay::from_bytes(&worse).is_err(), "{at}");
    }
}

#[test]
fn a_path_goes_round_danger_and_back_when_it_has_gone() {
    let mesh = field();
    let mut scratch = SearchScratch::new();
    let ask = PathRequest::new(at(&mesh, (0.5, 6.5)).unwrap(), at(&mesh, (11.5, 6.5)).unwrap());
    let mut danger = CostOverlay::new(OverlaySettings { half_life: 5, ..OverlaySettings::default() }).unwrap();
    danger.paint(&disc(6.0, 6.0, 2.5), 20.0).unwrap();
    let mut path = |filter: &dyn QueryFilter| find_path(&mesh, &ask, filter, &mut scratch).unwrap();
    let direct = path(&DefaultFilter::default());
    let by = |danger: &CostOverlay, weight| Overlaid::new(DefaultFilter::default()).with(danger, weight).unwrap();
    let around = path(&by(&danger, 1.0));
    assert_eq!((direct.polys.len(), around.status), (12, PathStatus::Complete));
    assert!(around.polys.len() > 14 && around.cost < 20.0, "{} polygons, {}", around.polys.len(), around.cost);
    assert_eq!(path(&by(&danger, 0.0)).polys, direct.polys, "who does not care");
    danger.advance(100);
    assert_eq!(path(&by(&danger, 1.0)).polys, direct.polys);
}

/// The same polygons on another storey, and on a tile that has come in place of another.
#[test]
fn it_belongs_to_places_not_to_polygons() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 6.0, tile_depth: 3.0 };
    let floor = |layer: u32, y: f32| {
        let mut tile = sketch(TileCoord { x: 0, z: 0, layer }, "aaaaaa\naaaaaa\naaaaaa").to_builder();
        tile.verts.iter_mut().for_each(|vert| vert.y += y);
        (tile.bounds.min.y, tile.bounds.max.y) = (y, y);
        tile.build().unwrap()
    };
    let mut mesh = NavMesh::from_tiles(layout, vec![floor(0, 0.0), floor(1, 3.0)]).unwrap();
    let mut fire = overlay();
    fire.paint(&disc(3.0, 1.5, 0.8), 50.0).unwrap();
    let filter = Overlaid::new(DefaultFilter::default()).with(&fire, 1.0).unwrap();
    let mut scratch = SearchScratch::new();
    let mut cost = |mesh: &NavMesh, y: f32| {
        let place = |x| crate::query::find_nearest(mesh, Vec3::new(x, y, 1.5), Vec3::ONE, &filter).unwrap().place();
        find_path(mesh, &PathRequest::new(place(0.5), place(5.5)), &filter, &mut scratch).unwrap().cost
    };
    let [below, above] = [cost(&mesh, 0.0), cost(&mesh, 3.0)];
    assert!(below > 5.3 && above == 5.0, "{below} {above}");
    let old = mesh.tiles().next().unwrap().tile_ref();
    mesh.replace_tile(old, floor(0, 0.0)).unwrap();
    assert_eq!(cost(&mesh, 0.0), below);
}

/// The filter, with no estimate of the rest: what makes Dijkstra's algorithm of the search.
struct NoEstimate<F>(F);

impl<F: QueryFilter> QueryFilter for NoEstimate<F> {
    fn passes(&self, poly: PolyRef, state: crate::mesh::PolyState) -> bool {
        self.0.passes(poly, state)
    }
    fn cost(&self, crossing: &Crossing<'_>) -> f32 {
        self.0.cost(crossing)
    }
    fn least_cost(&self) -> f32 {
        0.0
    }
}

/// Danger and fear here and there.
fn random_costs(rng: &mut Rng) -> Overlaid<DefaultFilter> {
    let mut danger = overlay();
    for _ in 0..6 {
        let place = disc(12.0 * rng.unit(), 12.0 * rng.unit(), 1.0 + 2.0 * rng.unit());
        danger.paint(&place, 9.0 * rng.unit()).unwrap();
    }
    let mut fear = overlay();
    fear.paint(&disc(12.0 * rng.unit(), 12.0 * rng.unit(), 3.0), 2.0).unwrap();
    Overlaid::new(DefaultFilter::default()).with(&danger, 0.7).unwrap().with(&fear, 1.3).unwrap()
}

/// What differs by rounding alone.
fn rounding(cost: f32) -> f32 {
    1e-4 * (1.0 + cost)
}

/// Every estimate of a search is below what the rest of the way costs that the search itself found, whichever way
/// that is: on the path, from each of its nodes to the goal; anywhere else, from each node to the next.
#[test]
fn estimates_stay_below_what_paths_cost() {
    let mesh = field();
    let mut rng = Rng::new(27);
    let mut scratch = SearchScratch::new();
    let mut observed = SearchScratch::new().observed_by(SearchRecord::new());
    for _ in 0..200 {
        let filter = random_costs(&mut rng);
        let mut place = || at(&mesh, (12.0 * rng.unit(), 12.0 * rng.unit())).unwrap();
        let ask = PathRequest::new(place(), place());
        observed.observer_mut().clear();
        let found = find_path(&mesh, &ask, &filter, &mut observed).unwrap();
        let metres = ask.start.point.distance(ask.goal.point);
        assert!(found.cost + rounding(found.cost) >= metres * filter.least_cost());
        for search in observed.observer().searches() {
            let estimate = |node: &SearchNode<PolyRef>| node.total - node.cost;
            for node in search.nodes() {
                let Some(before) = node.parent.map(|parent| &search.nodes()[parent as usize]) else { continue };
                let step = node.cost - before.cost;
                let slack = rounding(node.cost);
                assert!(step + slack >= filter.least_cost() * before.at.distance(node.at));
                assert!(estimate(before) <= step + estimate(node) + slack, "{before:?} {node:?}");
            }
            let last = search.nodes().iter().rfind(|node| node.of == ask.goal.poly);
            for node in last.into_iter().flat_map(|last| search.trail(last.number)) {
                let rest = found.cost - node.cost;
                assert!(estimate(node) <= rest + rounding(found.cost), "{node:?}, and {rest} to go");
            }
        }
        let optimal = find_optimal_path(&mesh, &ask, &filter, &mut scratch).unwrap();
        assert!(optimal.bound >= 1.0 && optimal.path.cost <= found.cost * optimal.bound + rounding(found.cost));
        assert!(reachable(&mesh, &ask, &filter, &mut scratch).unwrap().answer == Some(true));
    }
}

/// So with an estimate a search finds what it finds without: exactly where both look at the same nodes. In a tile a
/// polygon has one node, on whichever of its sides it is first entered, and what is first is for the estimate to say:
/// there the two look at other nodes, and costs differ either way. A polygon that is a tile by itself has a node on
/// each side.
#[test]
fn over_the_same_nodes_an_estimate_changes_no_cost() {
    let squares: Vec<_> = (0..144).map(|i| ((i % 12, i / 12), "a")).collect();
    let mesh = mesh(&squares);
    let mut rng = Rng::new(28);
    let mut scratch = SearchScratch::new();
    let mut spared = 0;
    for _ in 0..200 {
        let filter = random_costs(&mut rng);
        let mut place = || at(&mesh, (12.0 * rng.unit(), 12.0 * rng.unit())).unwrap();
        let ask = PathRequest::new(place(), place());
        let found = find_path(&mesh, &ask, &filter, &mut scratch).unwrap();
        let exact = find_path(&mesh, &ask, &NoEstimate(&filter), &mut scratch).unwrap();
        assert!((found.cost - exact.cost).abs() <= rounding(exact.cost), "{} {}", found.cost, exact.cost);
        assert!(found.nodes <= exact.nodes, "{} {}", found.nodes, exact.nodes);
        spared += exact.nodes - found.nodes;
    }
    assert!(spared > 1000, "{spared}");
}
