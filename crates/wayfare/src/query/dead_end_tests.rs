//! Searches that leave dead ends out answer as those that do not.

use super::test_maps::{at, mesh, random_map};
use super::{DefaultFilter, NearestGoalRequest, PathRequest, PolyPath, PolyPoint, SearchScratch};
use super::{find_path, find_path_to_nearest};
use crate::area::{AreaId, PathStatus, PolyFlags};
use crate::math::Rng;
use crate::mesh::{NavMesh, OffMeshConnection, PolyRef};
use glam::Vec3;

fn path(mesh: &NavMesh, start: PolyPoint, goal: PolyPoint) -> PolyPath {
    find_path(mesh, &PathRequest::new(start, goal), &DefaultFilter::default(), &mut SearchScratch::new()).unwrap()
}

fn between(mesh: &NavMesh, from: (f32, f32), to: (f32, f32)) -> PolyPath {
    path(mesh, at(mesh, from).unwrap(), at(mesh, to).unwrap())
}

/// The way to the nearest of many goals, of which there is but one: dead ends are not left out.
fn cost_with_dead_ends(mesh: &NavMesh, start: PolyPoint, goal: PolyPoint) -> Option<f32> {
    let filter = DefaultFilter::default();
    let goals = [goal];
    let request = NearestGoalRequest::new(start, &goals);
    let (path, found) = find_path_to_nearest(mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
    found.map(|_| path.cost)
}

fn jump(from: (f32, f32), to: (f32, f32)) -> OffMeshConnection {
    let at = |(x, z)| Vec3::new(x, 0.0, z);
    let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
    OffMeshConnection { start: at(from), end: at(to), radius: 0.3, two_way: false, area, flags, user_id: 0 }
}

#[test]
fn only_what_lies_on_the_way_is_reached() {
    let left = ".......\n.a.a.a.\n.aaaaaa\n.....a.\n.......";
    let mesh = mesh(&[((0, 0), left), ((1, 0), ".......\n.a.....\naaa....\n.......\n.......")]);
    for (from, to) in [((1.5, 2.5), (9.5, 2.5)), ((8.5, 3.5), (5.5, 1.5)), ((3.5, 3.5), (1.5, 3.5))] {
        let path = between(&mesh, from, to);
        assert_eq!((path.status, path.nodes as usize), (PathStatus::Complete, path.polys.len()), "{from:?} {to:?}");
    }
}

#[test]
fn dead_ends_beside_a_connection_are_left_out() {
    let mut mesh = mesh(&[((0, 0), ".......\n.a.a.a.\n.aaaaaa\n.....a.\n.......")]);
    let connection = mesh.add_connection(jump((1.5, 3.2), (3.5, 3.2))).unwrap();
    let path = between(&mesh, (2.5, 2.5), (6.5, 2.5));
    assert_eq!(path.status, PathStatus::Complete);
    assert_eq!(path.nodes as usize, path.polys.len() + 1, "one on the way to the connection");
    mesh.remove_connection(connection).unwrap();
    let path = between(&mesh, (2.5, 2.5), (6.5, 2.5));
    assert_eq!(path.nodes as usize, path.polys.len());
}

#[test]
fn a_way_that_is_closed_ends_in_the_dead_end_that_is_nearest() {
    let mut mesh = mesh(&[((0, 0), ".......\n...a.a.\n...a.a.\naaaaaa.\n.......")]);
    let door = at(&mesh, (4.5, 1.5)).unwrap().poly;
    mesh.set_flags(door, PolyFlags::NONE).unwrap();
    let path = between(&mesh, (0.5, 1.5), (5.5, 3.5));
    assert_eq!((path.status, path.end), (PathStatus::Partial, Vec3::new(4.0, 0.0, 3.5)));
}

#[test]
fn connections_lead_out_of_dead_ends_and_into_them() {
    let tile = "a...a\na...a\naaaaa";
    let mut mesh = mesh(&[((0, 0), tile), ((1, 0), tile), ((2, 0), tile)]);
    let (left, right) = ((0.5, 0.5), (14.5, 2.5));
    assert_eq!(between(&mesh, left, right).status, PathStatus::Complete);
    // A door below the goal, and a way from one dead end over the tile between into the other.
    mesh.set_flags(at(&mesh, (14.5, 1.5)).unwrap().poly, PolyFlags::NONE).unwrap();
    assert_eq!(between(&mesh, left, right).status, PathStatus::Partial);
    mesh.add_connection(jump((0.5, 2.2), (14.5, 2.2))).unwrap();
    for start in [left, (5.5, 2.5), (13.5, 0.5)] {
        let way = between(&mesh, start, right);
        assert_eq!(way.status, PathStatus::Complete, "{start:?}");
        assert!(way.polys.iter().any(|poly| poly.slot().get() == PolyRef::OFF_MESH_SLOT), "{way:?}");
    }
}

/// Random levels in tiles, with areas of several costs, closed doors, and at times a connection.
#[test]
fn as_searches_that_look_everywhere() {
    let mut rng = Rng::new(5);
    let (mut complete, mut partial, mut fewer) = (0, 0, [0; 2]);
    for round in 0..1200 {
        let tiles = 1 + round % 3;
        let mut mesh = random_map(&mut rng, tiles, 6);
        let size = tiles as f32 * 6.0;
        let polys: Vec<PolyRef> = mesh.tiles().flat_map(|t| (0..t.poly_count()).map(|i| t.reference(i))).collect();
        for &poly in &polys {
            if rng.below(12) == 0 {
                mesh.set_flags(poly, PolyFlags::NONE).unwrap();
            }
        }
        let connections = [0, 1, 0, 5][round as usize % 4];
        for _ in 0..connections {
            let mut end = || (rng.unit() * size, rng.unit() * size);
            let _ = mesh.add_connection(jump(end(), end()));
        }
        let mut place = || at(&mesh, (rng.unit() * size, rng.unit() * size));
        let (Some(start), Some(goal)) = (place(), place()) else { continue };
        let found = path(&mesh, start, goal);
        let with_dead_ends = cost_with_dead_ends(&mesh, start, goal);
        assert_eq!(found.status == PathStatus::Complete, with_dead_ends.is_some(), "round {round}");
        if let Some(cost) = with_dead_ends {
            assert!((found.cost - cost).abs() <= 1e-4 * cost.max(1.0), "round {round}: {} {cost}", found.cost);
            complete += 1;
            fewer[usize::from(connections > 0)] += u32::from((found.nodes as usize) < polys.len());
            continue;
        }
        partial += 1;
        let ground = reached(&mesh, start.poly);
        let nearest = ground.iter().map(|&poly| {
            let tile = mesh.tile_in(poly.slot()).unwrap();
            tile.data().closest_point(poly.poly().get(), goal.point).point.distance(goal.point)
        });
        let least = nearest.fold(f32::INFINITY, f32::min);
        assert!((found.end.distance(goal.point) - least).abs() < 1e-4, "round {round}: {found:?} {least}");
    }
    assert!(complete > 100 && partial > 50 && fewer.iter().all(|count| *count > 50), "{complete} {partial} {fewer:?}");
}

/// What a flood over open ground and connections reaches.
fn reached(mesh: &NavMesh, start: PolyRef) -> Vec<PolyRef> {
    let (mut reached, mut next) = (Vec::new(), vec![start]);
    while let Some(poly) = next.pop() {
        if reached.contains(&poly) {
            continue;
        }
        reached.push(poly);
        let tile = mesh.tile_in(poly.slot()).unwrap();
        let over_edges = tile.portals(poly.poly().get()).map(|portal| portal.to);
        let links = tile.links().connections_of(poly.poly().get()).iter();
        let over_connections = links.filter_map(|link| Some(mesh.connection(link.to).ok()?.passage(link.end)?[1].poly));
        let is_open = |poly: &PolyRef| mesh.state(*poly).is_ok_and(|state| state.flags != PolyFlags::NONE);
        next.extend(over_edges.chain(over_connections).filter(is_open));
    }
    reached
}
