//! What holds for every path, whatever the level: it is linked, it stays on the mesh, and it is as long as it says; on
//! flat ground also compared with the shortest way that a visibility graph finds.

use glam::DVec2;
use wayfare::Vec3;
use wayfare::area::PathStatus;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{DefaultFilter, PathRequest, SearchScratch, find_path, string_pull};
use wayfare_scenes::{Rng, scene};
use wayfare_testkit::levels::{WAYS, bake, connect, seeded};
use wayfare_testkit::oracle::{MeshFlood, PlaneMap, on_plane};
use wayfare_testkit::{polys, property, random_place};

/// Sums of f32 lengths against sums of f64 lengths, and points that are rounded to f32.
const SLACK: f64 = 1e-3;

/// Asks for a path between random places and checks what holds for all; the places and its length on the plane if
/// complete.
fn check_path(what: &str, nav: &NavMesh, flood: &MeshFlood<'_>, all: &[PolyRef], rng: &mut Rng) -> Option<[DVec2; 3]> {
    let (start, goal) = (random_place(nav, all, rng), random_place(nav, all, rng));
    let mut scratch = SearchScratch::default();
    let path = find_path(nav, &PathRequest::new(start, goal), &DefaultFilter::default(), &mut scratch).unwrap();
    let connected = flood.component(start.poly) == flood.component(goal.poly);
    let what = format!("{what}: {start:?} to {goal:?}");
    assert_eq!(path.status == PathStatus::Complete, connected, "{what}");
    assert_eq!(path.polys.first(), Some(&start.poly), "{what}");
    for pair in path.polys.windows(2) {
        let linked = nav.poly(pair[0]).unwrap().portals().any(|portal| portal.to == pair[1]);
        assert!(linked, "{what}: {} and {} are not linked", pair[0], pair[1]);
    }
    let straight = string_pull(&path, &mut scratch);
    let points: Vec<Vec3> = straight.points.iter().map(|p| p.point).collect();
    let length: f64 = points.windows(2).map(|w| w[0].as_dvec3().distance(w[1].as_dvec3())).sum();
    assert!((length - f64::from(straight.length)).abs() <= SLACK * (1.0 + length), "{what}: {length}");
    let begins = points.first().is_some_and(|p| p.distance(path.start) < 1e-3);
    assert!(begins && points.last().is_some_and(|p| p.distance(path.end) < 1e-3), "{what}: {points:?}");
    if !connected {
        let near = |p: Vec3| p.distance(goal.point);
        assert!(near(path.end) <= near(start.point) + 1e-3, "{what}: ends farther from the goal than it began");
        return None;
    }
    let flat: f64 = points.windows(2).map(|w| on_plane(w[0]).distance(on_plane(w[1]))).sum();
    assert!(flat + SLACK >= on_plane(start.point).distance(on_plane(goal.point)), "{what}: shorter than straight");
    Some([on_plane(start.point), on_plane(goal.point), DVec2::new(flat, 0.0)])
}

#[test]
fn paths_are_linked_and_as_long_as_they_say() {
    property("paths_are_linked_and_as_long_as_they_say", 20, |rng| {
        let specs =
            ["dungeon?size=120", "offices", "spiral_ramp", "terrain?size=32", "soup", "two_floors", "city?blocks=1"];
        let spec = seeded(&specs, rng);
        let (way, partition, tile_size) = WAYS[rng.whole(0, 3) as usize];
        let nav = connect(bake(&scene(&spec).unwrap(), partition, tile_size).0);
        let (flood, all) = (MeshFlood::new(&nav), polys(&nav));
        for _ in 0..60 {
            check_path(&format!("{spec} {way}"), &nav, &flood, &all, rng);
        }
    });
}

#[test]
fn on_flat_ground_no_path_is_shorter_than_the_shortest_nor_much_longer() {
    property("on_flat_ground_no_path_is_shorter_than_the_shortest_nor_much_longer", 6, |rng| {
        let spec = format!("holes_and_pillars?size=20&holes=5&pillars=5&seed={}", rng.whole(0, 999));
        let (way, partition, tile_size) = WAYS[rng.whole(0, 3) as usize];
        let nav = connect(bake(&scene(&spec).unwrap(), partition, tile_size).0);
        let (flood, all, map) = (MeshFlood::new(&nav), polys(&nav), PlaneMap::of(&nav));
        let (mut ours, mut best) = (0.0, 0.0);
        for _ in 0..12 {
            let what = format!("{spec} {way}");
            let Some([start, goal, length]) = check_path(&what, &nav, &flood, &all, rng) else { continue };
            let shortest = map.shortest(start, goal).unwrap_or_else(|| panic!("{what}: no way from {start} to {goal}"));
            assert!(length.x + SLACK >= shortest, "{what}: {} from {start} to {goal}, shortest {shortest}", length.x);
            ours += length.x;
            best += shortest;
        }
        // A* over the middles of portals is no optimal search: single paths may take the wrong side of a hole.
        assert!(ours <= best * 1.15, "{spec} {way}: {ours} m in all, {best} m at best");
    });
}
