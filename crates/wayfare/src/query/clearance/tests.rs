//! Gaps of known width, several radii, and edits that are followed.

use super::*;
use crate::area::{AreaId, PathStatus, PolyFlags};
use crate::math::{Rng, ops};
use crate::mesh::TileRef;
use crate::mesh::{ChangeSet, NavMesh, OffMeshConnection};
use crate::query::test_maps::{at, mesh, random_map};
use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path};
use crate::tile::test_sketch::sketch;
use crate::tile::{TileCoord, TileLayout};
use glam::Vec3;

fn cut(mesh: &NavMesh, radius: f32) -> ClearanceMesh {
    ClearanceMesh::new(mesh, radius, &DefaultFilter::default()).unwrap()
}

fn connects(mesh: &NavMesh, from: (f32, f32), to: (f32, f32)) -> bool {
    let place = |(x, z)| {
        find_nearest(mesh, Vec3::new(x, 0.0, z), Vec3::new(0.6, 9.0, 0.6), &DefaultFilter::default()).map(|n| n.place())
    };
    let (Some(from), Some(to)) = (place(from), place(to)) else { return false };
    let path = find_path(mesh, &PathRequest::new(from, to), &DefaultFilter::default(), &mut SearchScratch::new());
    path.unwrap().status == PathStatus::Complete
}

#[test]
fn a_gap_closes_at_half_its_width() {
    // Rooms three wide, joined by a corridor one wide and a diagonal gap between corners √2 apart.
    let corridor = mesh(&[((0, 0), "aaa..aaa\naaaaaaaa\naaa..aaa")]);
    for (radius, open) in [(0.1, true), (0.4, true), (0.499, true), (0.501, false), (0.6, false)] {
        assert_eq!(connects(cut(&corridor, radius).mesh(), (1.5, 1.5), (6.5, 1.5)), open, "{radius}");
    }
    let diagonal = mesh(&[((0, 0), "..aaa\n..aaa\naaaaa\naaa..\naaa..")]);
    for (radius, open) in [(0.7, true), (0.706, true), (0.708, false)] {
        assert_eq!(connects(cut(&diagonal, radius).mesh(), (1.0, 1.0), (4.0, 4.0)), open, "{radius}");
    }
}

#[test]
fn the_area_that_is_left_is_that_of_the_plan() {
    // A square of 4 with a hole of 2: the rim of width r, and the hole grown by r with rounded corners.
    let mesh = mesh(&[((0, 0), "aaaaaa\naaaaaa\naa..aa\naa..aa\naaaaaa\naaaaaa")]);
    for radius in [0.0_f32, 0.25, 0.5, 0.9] {
        let left = cut(&mesh, radius);
        let area: f32 = (left.mesh().tiles())
            .flat_map(|t| {
                (0..t.poly_count()).map(|p| crate::math::polygon::area(&t.data().points_of(p).collect::<Vec<_>>()))
            })
            .sum();
        let side = 6.0 - 2.0 * radius;
        let half = core::f32::consts::PI / 24.0;
        let arcs = 24.0 * (ops::sin(half) / ops::cos(half)) * radius * radius;
        let want = side * side - (4.0 + 8.0 * radius + arcs);
        assert!((area - want).abs() < 2e-3, "{radius}: {area}, {want}");
        assert_eq!(left.mesh().check(), []);
    }
}

#[test]
fn tiles_stay_joined_where_there_is_room() {
    let tiled = mesh(&[
        ((0, 0), "aaa\naaa\naaa"),
        ((1, 0), "aaa\naaa\naaa"),
        ((0, 1), "a..\na..\na.."),
        ((1, 1), ".aa\n.aa\naaa"),
    ]);
    for (radius, far) in [(0.2, true), (0.45, true), (0.55, false)] {
        let left = cut(&tiled, radius);
        assert_eq!(left.mesh().check(), []);
        assert!(connects(left.mesh(), (1.5, 1.5), (4.5, 1.5)), "{radius}");
        assert_eq!(connects(left.mesh(), (1.5, 1.5), (0.5, 4.5)), far, "{radius}");
    }
}

#[test]
fn pieces_know_their_polygons() {
    let mesh = mesh(&[((0, 0), "aab\naab\n..b")]);
    let left = cut(&mesh, 0.3);
    for tile in left.mesh().tiles() {
        for poly in 0..tile.poly_count() {
            let base = left.base_poly(tile.reference(poly)).unwrap();
            let center = tile.data().center_of(poly);
            assert_eq!(at(&mesh, (center.x, center.z)).unwrap().poly, base);
            assert_eq!(mesh.state(base).unwrap(), tile.state(poly));
        }
    }
}

#[test]
fn what_the_filter_keeps_out_is_a_wall() {
    let mut mesh = mesh(&[((0, 0), "aaaaa\naaaaa\naaaaa")]);
    assert!(connects(cut(&mesh, 0.4).mesh(), (0.5, 1.5), (4.5, 1.5)));
    for z in [0.5, 2.5] {
        mesh.set_flags(at(&mesh, (2.5, z)).unwrap().poly, PolyFlags::NONE).unwrap();
    }
    assert!(connects(cut(&mesh, 0.4).mesh(), (0.5, 1.5), (4.5, 1.5)));
    assert!(!connects(cut(&mesh, 0.6).mesh(), (0.5, 1.5), (4.5, 1.5)));
}

#[test]
fn connections_are_kept_and_find_the_ground_that_is_left() {
    let mut mesh = mesh(&[((0, 0), "aaa.aaa\naaa.aaa\naaa.aaa")]);
    let (start, end) = (Vec3::new(2.9, 0.0, 1.5), Vec3::new(4.1, 0.0, 1.5));
    let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
    let jump = OffMeshConnection { start, end, radius: 0.2, two_way: true, area, flags, user_id: 7 };
    let reference = mesh.add_connection(jump).unwrap();
    let left = cut(&mesh, 0.8);
    assert!(connects(left.mesh(), (1.5, 1.5), (5.5, 1.5)));
    assert_eq!(left.mesh().connection(reference).unwrap().definition().user_id, 7);
}

#[test]
fn edits_are_followed_and_give_what_a_fresh_cut_gives() {
    let mut rng = Rng::new(5);
    for round in 0..20 {
        let mut mesh = random_map(&mut rng, 7, 4);
        let radius = 0.1 + 0.5 * rng.unit();
        let mut followed = cut(&mesh, radius);
        let tile = TileRef::new(1, rng.below(mesh.slot_count())).unwrap();
        let coord = mesh.remove_tile(tile).unwrap().coord();
        let row = |rng: &mut Rng| (0..4).map(|_| if rng.below(4) < 1 { '.' } else { 'a' }).collect::<String>();
        let map = (0..4).map(|_| row(&mut rng)).collect::<Vec<_>>().join("\n");
        if round % 4 > 0 && map.contains('a') {
            mesh.add_tile(sketch(coord, &map)).unwrap();
        }
        let cut_again = followed.follow(&mesh, &DefaultFilter::default()).unwrap();
        assert!(cut_again < mesh.tile_count(), "round {round}: everything was cut again");
        assert_eq!(followed.follow(&mesh, &DefaultFilter::default()), Ok(0));
        let fresh = cut(&mesh, radius);
        for tile in fresh.mesh().tiles() {
            assert_eq!(followed.mesh().tile_in(tile.slot()).map(|t| t.data()), Some(tile.data()), "round {round}");
        }
        assert_eq!(followed.mesh().check(), []);
    }
}

#[test]
fn connections_that_stay_as_they_are_are_not_touched() {
    let map = "aaa.aaa\naaa.aaa\naaa.aaa";
    let mut mesh = mesh(&[((0, 0), map), ((3, 0), map)]);
    let (area, flags) = (AreaId::WALKABLE, PolyFlags::WALK);
    let jump = |x: f32, z: f32| {
        let [start, end] = [x + 2.5, x + 4.5].map(|x| Vec3::new(x, 0.0, z));
        OffMeshConnection { start, end, radius: 0.2, two_way: true, area, flags, user_id: 7 }
    };
    // A tile whose connections change is cut again, and attaches all of its own.
    let [first, second] = [0.0, 21.0].map(|x| mesh.add_connection(jump(x, 0.5)).unwrap());
    let mut followed = cut(&mesh, 0.4);
    let mut follow = |base: &NavMesh| {
        let before = followed.mesh().version().clone();
        followed.follow(base, &DefaultFilter::default()).unwrap();
        assert_eq!(followed.mesh().check(), []);
        let fresh = cut(base, 0.4);
        assert!(followed.mesh().connections().eq(fresh.mesh().connections()));
        let changes = ChangeSet::since(followed.mesh(), &before);
        (changes.connections.clone(), changes.has_changes())
    };
    assert_eq!(follow(&mesh), (vec![], false));
    mesh.set_flags(second, PolyFlags(2)).unwrap();
    assert_eq!(follow(&mesh).0, [second]);
    let third = mesh.add_connection(jump(0.0, 1.5)).unwrap();
    mesh.remove_connection(first).unwrap();
    assert_eq!(follow(&mesh).0, [first, third]);
    // In the same place again, under another salt.
    let fourth = mesh.add_connection(jump(0.0, 0.5)).unwrap();
    assert_eq!((first.poly(), follow(&mesh).0), (fourth.poly(), vec![third, fourth]));
}

#[test]
fn a_radius_that_is_none_is_refused() {
    let mesh = mesh(&[((0, 0), "a")]);
    let error = ClearanceMesh::new(&mesh, f32::NAN, &DefaultFilter::default()).unwrap_err();
    assert!(error.to_string().contains("must be finite"));
    assert!(ClearanceMesh::new(&mesh, -1.0, &DefaultFilter::default()).is_err());
}

/// The mesh that was cut from had so many tiles once that a far slot was in order; they are gone, and what was saved is
/// read.
#[test]
fn far_slots_can_be_saved_and_read() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 2.0, tile_depth: 2.0 };
    let tile = |x| sketch(TileCoord { x, z: 0, layer: 0 }, "aa\naa");
    let mut base = NavMesh::from_tiles(layout, (0..8_200).map(tile).collect()).unwrap();
    base.add_tile_at(TileRef::new(3, 65_600).unwrap(), tile(8_200)).unwrap();
    (2..8_200).for_each(|slot| drop(base.remove_tile(TileRef::new(1, slot).unwrap())));
    let mut cut = cut(&base, 0.1);
    let again = |cut: &ClearanceMesh| NavMesh::from_bytes(&cut.mesh().to_bytes());
    assert_eq!(again(&cut).unwrap().to_bytes(), cut.mesh().to_bytes());
    assert_eq!(cut.mesh().slot_limit(), base.slot_limit());
    base.remove_tile(TileRef::new(1, 1).unwrap()).unwrap();
    base.add_tile_at(TileRef::new(5, 7).unwrap(), tile(1)).unwrap();
    cut.follow(&base, &DefaultFilter::default()).unwrap();
    assert_eq!(again(&cut).unwrap().to_bytes(), cut.mesh().to_bytes());
    assert_eq!(cut.mesh().slot_limit(), base.slot_limit());
}
