//! Ways over off-mesh connections: what they cost, that they are not worse than they must be, and how they end when the
//! ground beyond has gone.

use super::test_maps::{at, mesh};
use super::{
    DefaultFilter, PathRequest, PointKind, PolyPath, PolyPoint, SearchScratch, SlicedSearch, find_optimal_path,
    find_path, string_pull,
};
use crate::area::{AreaId, PathStatus, PolyFlags};
use crate::context::Budget;
use crate::math::Rng;
use crate::mesh::TileRef;
use crate::mesh::{NavMesh, OffMeshConnection, PolyRef, StaleReason};
use crate::tile::test_sketch::Drawing;
use glam::Vec3;

const LIFT: u8 = 5;

fn lift(from: (f32, f32), to: (f32, f32), two_way: bool) -> OffMeshConnection {
    let [start, end] = [from, to].map(|(x, z)| Vec3::new(x, 0.0, z));
    let area = AreaId::new(LIFT).unwrap();
    OffMeshConnection { start, end, radius: 0.3, two_way, area, flags: PolyFlags::WALK, user_id: 0 }
}

fn with_cost(cost: f32) -> DefaultFilter {
    let mut filter = DefaultFilter::default();
    filter.set_area_cost(AreaId::new(LIFT).unwrap(), cost).unwrap();
    filter
}

/// A hall for each square between these lines that `is_hall`, each one polygon.
fn halls(xs: &[f32], zs: &[f32], mut is_hall: impl FnMut(usize, usize) -> bool) -> NavMesh {
    let mut halls = Vec::new();
    for (x, z) in (1..zs.len()).flat_map(|z| (1..xs.len()).map(move |x| (x - 1, z - 1))) {
        if is_hall(x, z) {
            halls.push([[xs[x], zs[z]], [xs[x], zs[z + 1]], [xs[x + 1], zs[z + 1]], [xs[x + 1], zs[z]]]);
        }
    }
    NavMesh::from_tile(Drawing::of_polygons(&halls).alone()).unwrap()
}

/// What the pulled string costs, and how often it is carried.
fn pulled(path: &PolyPath, cost: f32) -> (f32, u32) {
    let points = string_pull(path, &mut SearchScratch::new()).points;
    points.windows(2).fold((0.0, 0), |(sum, lifts), pair| {
        let is_lift = pair[0].kind == PointKind::Enter;
        let factor = if is_lift { cost } else { 1.0 };
        (sum + factor * pair[0].point.distance(pair[1].point), lifts + u32::from(is_lift))
    })
}

#[test]
fn ground_that_is_also_reached_over_an_edge_is_not_charged_from_there() {
    let mut mesh = halls(&[-10.0, 10.0, 14.0], &[-10.0, 10.0], |_, _| true);
    mesh.add_connection(lift((12.0, 0.0), (-9.0, -9.0), true)).unwrap();
    let [near, far] = [(13.0, 1.0), (8.0, 0.5)].map(|place| at(&mesh, place).unwrap());
    for cost in [0.1, 0.5, 1.0, 5.0] {
        let filter = with_cost(cost);
        for (start, goal) in [(near, far), (far, near)] {
            let path = find_path(&mesh, &PathRequest::new(start, goal), &filter, &mut SearchScratch::new()).unwrap();
            let (sum, lifts) = pulled(&path, cost);
            assert!(lifts == 0 && sum <= path.cost + 1e-3, "at cost {cost}: {sum} m, {path:?}");
        }
    }
}

/// Random halls and passages with a few lifts at several prices: a pulled string never costs more than its path says,
/// and not much more than the best.
#[test]
fn properties_of_paths_over_connections() {
    let (mut rng, mut scratch) = (Rng::new(31), SearchScratch::new());
    let (mut asked, mut carried, mut worst) = (0, 0, 1.0f32);
    for round in 0..400 {
        let mut lines = || {
            let mut at = 0.0;
            [(); 7].map(|()| {
                at += 1.0 + (rng.unit() * rng.unit() * 40.0).floor();
                at
            })
        };
        let (xs, zs) = (lines(), lines());
        let mut mesh = halls(&xs, &zs, |_, _| rng.below(5) > 1);
        let drawn = (0..40).filter_map(|_| at(&mesh, (rng.unit() * xs[6], rng.unit() * zs[6])));
        let places: Vec<PolyPoint> = drawn.take(10).collect();
        let [start, goal, ends @ ..] = &places[..] else { continue };
        for (number, pair) in ends.chunks_exact(2).enumerate() {
            let [from, to] = [pair[0].point, pair[1].point].map(|p| (p.x, p.z));
            mesh.add_connection(lift(from, to, number % 2 == 0)).unwrap();
        }
        for cost in [0.1, 1.0, 5.0] {
            let (request, filter) = (PathRequest::new(*start, *goal), with_cost(cost));
            let path = find_path(&mesh, &request, &filter, &mut scratch).unwrap();
            if path.status != PathStatus::Complete {
                continue;
            }
            let (sum, lifts) = pulled(&path, cost);
            assert!(sum <= path.cost + 1e-3, "round {round}, cost {cost}: {sum} {path:?}");
            let best = find_optimal_path(&mesh, &request, &filter, &mut scratch).unwrap();
            let least = pulled(&best.path, cost).0;
            worst = worst.max(sum / least.max(1.0));
            (asked, carried) = (asked + 1, carried + lifts);
        }
    }
    assert!(asked > 200 && carried > 60, "{asked} {carried}");
    assert!(worst < 2.0, "{worst}");
}

/// A row of three tiles, and a lift from the first to the last.
fn over_three_tiles() -> (NavMesh, PolyRef) {
    let mut mesh = mesh(&[((0, 0), "aa."), ((1, 0), ".a."), ((2, 0), ".aa")]);
    let lift = mesh.add_connection(lift((1.5, 0.5), (7.5, 0.5), false)).unwrap();
    (mesh, lift)
}

#[test]
fn a_path_never_ends_on_a_connection_whose_far_ground_has_gone() {
    let (mut mesh, lift) = over_three_tiles();
    let request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (8.5, 0.5)).unwrap());
    let filter = DefaultFilter::default();
    let mut search = SlicedSearch::new(&mesh, &request, &filter).unwrap();
    while !search.step(&filter, &mut Budget::unlimited()) {}
    let whole = search.path(&mesh);
    assert!(whole.0.polys.contains(&lift) && whole.1.is_none(), "{whole:?}");
    let before = mesh.clone();
    mesh.remove_tile(TileRef::new(1, 2).unwrap()).unwrap();
    let (cut, gone) = search.path(&mesh);
    assert_eq!(gone.map(|stale| (stale.reference, stale.reason)), Some((lift, StaleReason::Relinked)));
    assert_eq!((cut.status, cut.polys.len(), cut.portals.len()), (PathStatus::Partial, 2, 1));
    assert_eq!(cut.end, Vec3::new(1.5, 0.0, 0.5), "where the connection begins");
    // The connection is there, but leads elsewhere.
    let mut mesh = before;
    let definition = mesh.remove_connection(lift).unwrap();
    let (index, salt) = (lift.poly().get(), lift.salt());
    let elsewhere = OffMeshConnection { end: Vec3::new(4.5, 0.0, 0.5), ..definition };
    mesh.add_connection_at(index, salt, elsewhere).unwrap();
    let (cut, gone) = search.path(&mesh);
    assert_eq!(gone.map(|stale| (stale.reference, stale.reason)), Some((lift, StaleReason::Relinked)));
    assert_eq!((cut.status, cut.polys.len()), (PathStatus::Partial, 2));
}

#[test]
fn a_list_of_polygons_with_a_connection_can_be_followed_again() {
    let (mesh, lift) = over_three_tiles();
    let request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (8.5, 0.5)).unwrap());
    let path = find_path(&mesh, &request, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap();
    assert!(path.polys.contains(&lift));
    let again = PolyPath::along(&mesh, &path.polys, path.start, path.end).unwrap();
    assert_eq!((&again.polys, &again.portals), (&path.polys, &path.portals));
    let mut back = path.polys;
    back.reverse();
    assert!(PolyPath::along(&mesh, &back, path.end, path.start).is_err(), "it leads one way");
}
