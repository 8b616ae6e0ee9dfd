//! What an optimal search does that the corridor search does not; agreement with a visibility graph is tested where the
//! oracle is.

use super::{OptimalSource, find_optimal_path};
use crate::area::{AreaId, LimitHit, PathStatus, PolyFlags};
use crate::mesh::{NavMesh, OffMeshConnection};
use crate::query::test_maps::{at, mesh};
use crate::query::{DefaultFilter, OptimalPath, PathRequest, PointKind, PolyPoint, SearchScratch, find_path};
use crate::tile::test_sketch::Drawing;
use crate::tile::{TileCoord, TileLayout};
use glam::{Vec2, Vec3};

fn path(mesh: &NavMesh, from: (f32, f32), to: (f32, f32), filter: &DefaultFilter) -> OptimalPath {
    let request = PathRequest::new(at(mesh, from).unwrap(), at(mesh, to).unwrap());
    find_optimal_path(mesh, &request, filter, &mut SearchScratch::new()).unwrap()
}

fn bends(path: &OptimalPath) -> Vec<(f32, f32)> {
    path.straight.points.iter().map(|p| (p.point.x, p.point.z)).collect()
}

#[test]
fn the_shorter_side_of_a_wall_is_taken() {
    let mesh = mesh(&[((0, 0), "aaaaa\na...a\naaaaa")]);
    let left = path(&mesh, (1.2, 0.5), (1.2, 2.5), &DefaultFilter::default());
    assert_eq!(bends(&left), [(1.2, 0.5), (1.0, 1.0), (1.0, 2.0), (1.2, 2.5)]);
    let right = path(&mesh, (3.8, 0.5), (3.8, 2.5), &DefaultFilter::default());
    assert_eq!(bends(&right), [(3.8, 0.5), (4.0, 1.0), (4.0, 2.0), (3.8, 2.5)]);
    assert_eq!((right.path.status, right.bound, right.source), (PathStatus::Complete, 1.0, OptimalSource::AnyAngle));
}

#[test]
fn around_the_corner_where_four_tiles_meet_and_over_their_borders() {
    let mesh = mesh(&[((0, 0), "aa\naa"), ((1, 0), "aa\n.."), ((1, 1), "aa\naa"), ((0, 1), "aa\n..")]);
    let found = path(&mesh, (0.5, 0.5), (0.5, 3.5), &DefaultFilter::default());
    assert_eq!(bends(&found), [(0.5, 0.5), (2.0, 2.0), (2.0, 3.0), (0.5, 3.5)].map(|p| p)[..].to_vec());
}

#[test]
fn corners_of_tiles_in_the_open_are_no_corners() {
    let row = |z: i32| (0..5).map(move |x| ((x, z), if (x, z) == (2, 2) { "...\n...\n..." } else { "aaa\naaa\naaa" }));
    let tiled = mesh(&(0..5).flat_map(row).collect::<Vec<_>>());
    let all: Vec<String> =
        (0..15).map(|z| if (6..9).contains(&z) { "aaaaaa...aaaaaa" } else { "aaaaaaaaaaaaaaa" }.into()).collect();
    let whole = mesh(&[((0, 0), all.join("\n").as_str())]);
    for (from, to) in [((0.5, 7.4), (14.5, 7.7)), ((5.5, 7.5), (9.2, 7.6)), ((7.5, 1.2), (7.3, 14.5))] {
        let [a, b] = [&tiled, &whole].map(|mesh| path(mesh, from, to, &DefaultFilter::default()));
        assert_eq!((bends(&a), a.path.status), (bends(&b), PathStatus::Complete));
        assert!(a.path.nodes <= b.path.nodes + b.path.nodes / 4, "{} instead of {}", a.path.nodes, b.path.nodes);
    }
}

/// Two rooms of one tile, joined by a polygon of the next over one and the same edge.
#[test]
fn from_a_place_on_the_border_back_over_the_same_edge() {
    let tile = |x: i32, polys: &[[[f32; 2]; 4]]| {
        let low = Vec2::new(3.0 * x as f32, 0.0);
        Drawing::of_polygons(polys).tile(TileCoord { x, z: 0, layer: 0 }, [low, low + 3.0])
    };
    let rooms = tile(0, &[0.0, 2.0].map(|z| [[0.0, z], [3.0, z], [3.0, z + 1.0], [0.0, z + 1.0]]));
    let yard = tile(1, &[[[3.0, 0.0], [6.0, 0.0], [6.0, 3.0], [3.0, 3.0]]]);
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 3.0, tile_depth: 3.0 };
    let mesh = NavMesh::from_tiles(layout, vec![rooms, yard]).unwrap();
    let at = |poly, x, z| PolyPoint { poly: mesh.tiles().next().unwrap().reference(poly), point: Vec3::new(x, 0.0, z) };
    for z in [0.0, 0.5, 1.0] {
        let (start, goal) = (at(0, 3.0, z), at(1, 2.5, 2.5));
        for (start, goal) in [(start, goal), (goal, start)] {
            let request = PathRequest::new(start, goal);
            let found =
                find_optimal_path(&mesh, &request, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap();
            assert_eq!(
                (found.path.status, found.source, found.bound),
                (PathStatus::Complete, OptimalSource::AnyAngle, 1.0)
            );
            assert!((found.straight.length - (2.0 - z + 0.5 * 2.0_f32.sqrt())).abs() < 1e-5, "{z}: {found:?}");
        }
    }
}

#[test]
fn a_closed_polygon_is_bent_around_where_its_corners_are_no_corners_of_the_mesh() {
    let mut mesh = mesh(&[((0, 0), "aaa\naaa\naaa")]);
    let closed = at(&mesh, (1.5, 1.5)).unwrap().poly;
    mesh.set_flags(closed, PolyFlags(4)).unwrap();
    let filter = DefaultFilter::new(PolyFlags::ALL, PolyFlags(4));
    let found = path(&mesh, (0.5, 1.4), (2.5, 1.4), &filter);
    assert_eq!(bends(&found), [(0.5, 1.4), (1.0, 1.0), (2.0, 1.0), (2.5, 1.4)]);
    let mut dear = DefaultFilter::default();
    dear.set_area_cost(AreaId::new(1).unwrap(), f32::INFINITY).unwrap();
    assert_eq!(path(&mesh, (0.5, 1.4), (2.5, 1.4), &dear).path.status, PathStatus::Partial);
}

#[test]
fn a_connection_is_taken_where_it_is_shorter_and_its_cost_counts() {
    let mut mesh = mesh(&[((0, 0), "aaaaaa\na....a\naaaaaa")]);
    let jump = OffMeshConnection {
        start: Vec3::new(3.0, 0.0, 0.9),
        end: Vec3::new(3.0, 0.0, 2.1),
        radius: 0.2,
        two_way: false,
        area: AreaId::new(7).unwrap(),
        flags: PolyFlags::WALK,
        user_id: 0,
    };
    let reference = mesh.add_connection(jump).unwrap();
    let mut filter = DefaultFilter::default();
    let there = path(&mesh, (2.5, 0.5), (2.5, 2.5), &filter);
    assert!(there.path.polys.contains(&reference) && there.bound == 1.0, "{there:?}");
    let kinds: Vec<PointKind> = there.straight.points.iter().map(|p| p.kind).collect();
    assert_eq!(kinds, [PointKind::Start, PointKind::Enter, PointKind::Leave, PointKind::End]);
    // One way only; and not at any price.
    assert!(!path(&mesh, (2.5, 2.5), (2.5, 0.5), &filter).path.polys.contains(&reference));
    filter.set_area_cost(AreaId::new(7).unwrap(), 20.0).unwrap();
    assert!(!path(&mesh, (2.5, 0.5), (2.5, 2.5), &filter).path.polys.contains(&reference));
}

#[test]
fn dear_ground_is_gone_around_and_the_bound_says_what_is_known() {
    let mesh = mesh(&[((0, 0), "aaaaa\nabbba\naaaaa")]);
    let mut filter = DefaultFilter::default();
    filter.set_area_cost(AreaId::new(2).unwrap(), 30.0).unwrap();
    let found = path(&mesh, (0.5, 1.5), (4.5, 1.5), &filter);
    assert_eq!(found.source, OptimalSource::Corridor);
    assert!(found.path.cost < 6.0 && found.bound > 1.0 && found.bound < 1.5, "{found:?}");
    assert!(!found.path.polys.iter().any(|&p| mesh.state(p).unwrap().area.get() == 2));
}

#[test]
fn no_answer_costs_more_than_the_limit_where_ground_is_dear() {
    let mut filter = DefaultFilter::default();
    filter.set_area_cost(AreaId::new(2).unwrap(), 10.0).unwrap();
    let goal = (10.5, 0.5);
    for map in ["bbbbbbbbbbb", "abbbbbbbbba", "bbbbbbbbbbb\nb.........b\nbbbbbbbbbbb"] {
        let mesh = mesh(&[((0, 0), map)]);
        let mut request = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, goal).unwrap());
        let free = find_optimal_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
        assert!(free.path.status == PathStatus::Complete && free.path.cost > 90.0 && free.path.limit.is_none());
        request.limits.max_cost = f32::NAN;
        assert_eq!(find_optimal_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap(), free, "{map}");
        for max_cost in [0.0, 4.0, 50.0, free.path.cost - 0.1, free.path.cost + 0.1] {
            request.limits.max_cost = max_cost;
            let found = find_optimal_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
            assert!(found.path.cost <= max_cost, "{map} {max_cost}: {found:?}");
            let is_complete = max_cost > free.path.cost;
            assert_eq!(found.path.status == PathStatus::Complete, is_complete, "{map} {max_cost}: {found:?}");
            assert_eq!(found.path.limit, (!is_complete).then_some(LimitHit::Distance), "{map} {max_cost}");
        }
    }
}

#[test]
fn the_limit_holds_within_the_polygon_of_the_start() {
    let mesh = mesh(&[((0, 0), "b")]);
    let mut filter = DefaultFilter::default();
    filter.set_area_cost(AreaId::new(2).unwrap(), 10.0).unwrap();
    let mut request = PathRequest::new(at(&mesh, (0.1, 0.5)).unwrap(), at(&mesh, (0.9, 0.5)).unwrap());
    for (max_cost, status) in [(5.0, PathStatus::Partial), (9.0, PathStatus::Complete)] {
        request.limits.max_cost = max_cost;
        let found = find_optimal_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
        assert!(found.path.status == status && found.path.cost <= max_cost, "{found:?}");
        let corridor = find_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
        assert!(corridor.status == status && corridor.cost <= max_cost, "{corridor:?}");
    }
}
