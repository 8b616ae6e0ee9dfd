//! A mesh that is read on several threads while another changes it.

use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::{NavMesh, Outdated, PolyRef, SharedMesh, StaleReason};
use wayfare::query::{DefaultFilter, PathRequest, PolyPoint, SearchScratch, find_path};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare::{Vec2, Vec3};

const TILES: i32 = 8;

/// A square of four metres in a row of such.
fn tile(x: i32) -> TileData {
    let low = x as f32 * 4.0;
    let verts = [[low, 0.0], [low, 4.0], [low + 4.0, 4.0], [low + 4.0, 0.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
    let poly = SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE };
    build_tile(&TileSource {
        coord: TileCoord { x, z: 0, layer: 0 },
        agent_height: 2.0,
        agent_radius: 0.5,
        agent_climb: 0.4,
        verts: &verts,
        corners: &[0, 1, 2, 3],
        polys: &[poly],
        frame: Some([Vec2::new(low, 0.0), Vec2::new(low + 4.0, 4.0)]),
        ..TileSource::default()
    })
    .unwrap()
}

fn row() -> NavMesh {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 4.0 };
    NavMesh::from_tiles(layout, (0..TILES).map(tile).collect()).unwrap()
}

fn at(mesh: &NavMesh, x: i32) -> PolyRef {
    mesh.tile_at(TileCoord { x, z: 0, layer: 0 }).unwrap().reference(0)
}

/// The writer replaces a tile and gives all polygons one area type; readers see both or neither.
#[test]
fn readers_see_whole_versions_while_a_writer_publishes() {
    let shared = SharedMesh::new(row());
    std::thread::scope(|scope| {
        for _ in 0..3 {
            let mut reader = shared.reader();
            scope.spawn(move || {
                let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
                let mut seen = 0;
                for _ in 0..300 {
                    let before = reader.held().clone();
                    let mesh = reader.latest();
                    seen += u32::from(!mesh.is_same_as(&before));
                    let areas: Vec<u8> = mesh.tiles().flat_map(|t| t.states()).map(|s| s.area.get()).collect();
                    assert!(areas.windows(2).all(|w| w[0] == w[1]), "{areas:?}");
                    let [start, goal] = [0, TILES - 1].map(|x| {
                        let poly = at(mesh, x);
                        PolyPoint { poly, point: mesh.poly(poly).unwrap().center() }
                    });
                    let path = find_path(mesh, &PathRequest::new(start, goal), &filter, &mut scratch).unwrap();
                    assert_eq!(path.polys.len(), TILES as usize);
                    // What an older version's references mean now: the same place, or nothing.
                    for x in 0..TILES {
                        let old = at(&before, x);
                        let now = mesh.poly(old).map(|poly| poly.tile().coord().x);
                        assert!(now.map_or_else(|stale| stale.reason == StaleReason::Replaced, |there| there == x));
                    }
                }
                seen
            });
        }
        for version in 0..200_u8 {
            shared.edit(|mesh| {
                let x = i32::from(version) % TILES;
                let old = at(mesh, x).tile().unwrap();
                mesh.replace_tile(old, tile(x)).unwrap();
                for poly in (0..TILES).map(|x| at(mesh, x)).collect::<Vec<_>>() {
                    mesh.set_area(poly, AreaId::from_low_bits(version)).unwrap();
                }
            });
        }
    });
    let last = shared.newest();
    assert_eq!(last.check(), []);
    assert_eq!(last.state(at(&last, 0)).unwrap().area, AreaId::from_low_bits(199));
}

#[test]
fn what_is_held_changes_only_when_it_is_looked_for() {
    let shared = SharedMesh::new(row());
    let (mut reader, door) = (shared.reader(), at(&shared.newest(), 3));
    let closed = PolyFlags(1 << 5);
    shared.edit(|mesh| mesh.set_flags(door, closed)).unwrap();
    assert_eq!(reader.held().state(door).unwrap().flags, PolyFlags::WALK);
    assert_eq!(reader.latest().state(door).unwrap().flags, closed);
    let mut own = shared.newest();
    own.remove_tile(door.tile().unwrap()).unwrap();
    shared.publish(own).unwrap();
    assert!(reader.held().is_valid(door) && !reader.latest().is_valid(door));
    assert!(!reader.held().is_valid(door));
}

/// A worker rebuilds a tile in a clone; meanwhile the game closes the doors, or changes something else of the mesh.
#[test]
fn a_clone_that_others_have_overtaken_does_not_undo_what_they_did() {
    let door = AreaId::from_low_bits(9);
    let edits: [fn(&mut NavMesh); 5] = [
        // No tile has such an area yet: only the rule changes.
        |mesh| mesh.set_area_flags(AreaId::from_low_bits(9), PolyFlags::NONE),
        |mesh| mesh.set_area_flags(AreaId::WALKABLE, PolyFlags::NONE),
        |mesh| mesh.set_user_id(7),
        |mesh| mesh.set_areas(mesh.areas().clone()),
        |mesh| drop(mesh.remove_tile(at(mesh, 1).tile().unwrap()).unwrap()),
    ];
    for edit in edits {
        let shared = SharedMesh::new(row());
        let mut own = shared.newest();
        let rebuild = |mesh: &mut NavMesh| {
            mesh.replace_tile(at(mesh, 5).tile().unwrap(), tile(5)).unwrap();
        };
        rebuild(&mut own);
        shared.edit(edit);
        let before = shared.newest();
        assert_eq!(shared.publish(own.clone()), Err(Outdated));
        assert_eq!(shared.newest().version(), before.version(), "nothing was published");
        shared.edit(rebuild);
        assert_eq!(shared.newest().area_rules(), before.area_rules());
        assert_eq!(shared.newest().tile_count(), before.tile_count());
        shared.replace(own);
        assert_eq!(shared.newest().area_rules().flags(door), None, "asked for");
    }
}

/// A single writer keeps its clone, and may change more in it than the mesh remembers.
#[test]
fn a_single_writer_publishes_clones_of_its_own_mesh() {
    let shared = SharedMesh::new(row());
    let mut own = shared.newest();
    for _ in 0..3 {
        for round in 0..3000 {
            let x = round % TILES;
            own.replace_tile(at(&own, x).tile().unwrap(), tile(x)).unwrap();
        }
        shared.publish(own.clone()).unwrap();
        // Nothing new is no mistake either.
        shared.publish(own.clone()).unwrap();
    }
    assert_eq!(shared.publish(row()), Err(Outdated), "another mesh");
}
