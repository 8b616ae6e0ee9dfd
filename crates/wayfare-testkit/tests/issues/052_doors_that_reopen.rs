//! A user closed a door by the flags of its polygons. Somebody put down a crate in the same tile; the tile was baked
//! anew and replaced, and the door stood open: the new tile knew the flags of the bake, and the references to the door
//! were stale. Flags that are set by area type outlive tiles.

use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::NavMesh;
use wayfare::query::NavQuery;
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare::{Vec2, Vec3};

const DOOR: AreaId = AreaId::from_low_bits(7);

/// Three unit squares in a row, the middle one of an area type.
fn tile(x: i32, middle: AreaId) -> TileData {
    let left = x as f32 * 3.0;
    let verts: Vec<Vec3> = (0..8).map(|i| Vec3::new(left + (i / 2) as f32, 0.0, (i % 2) as f32)).collect();
    let poly = |area| SourcePoly { count: 4, flags: PolyFlags::WALK, area };
    let polys = [poly(AreaId::WALKABLE), poly(middle), poly(AreaId::WALKABLE)];
    let corners = [0, 1, 3, 2, 2, 3, 5, 4, 4, 5, 7, 6];
    let source = TileSource {
        coord: TileCoord { x, z: 0, layer: 0 },
        frame: Some([Vec2::new(left, 0.0), Vec2::new(left + 3.0, 1.0)]),
        verts: &verts,
        corners: &corners,
        polys: &polys,
        ..TileSource::default()
    };
    build_tile(&source).unwrap()
}

#[test]
fn a_closed_door_stays_closed_when_its_tile_is_replaced() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 3.0, tile_depth: 1.0 };
    let tiles = vec![tile(0, AreaId::WALKABLE), tile(1, DOOR), tile(2, AreaId::WALKABLE)];
    let mut mesh = NavMesh::from_tiles(layout, tiles).unwrap();
    let is_open = |mesh: &NavMesh| NavQuery::of(mesh).reachable([0.5, 0.0, 0.5], [8.5, 0.0, 0.5]).unwrap();
    assert_eq!(is_open(&mesh), Some(true));
    mesh.set_area_flags(DOOR, PolyFlags::NONE);
    assert_eq!(is_open(&mesh), Some(false));
    let coord = TileCoord { x: 1, z: 0, layer: 0 };
    for _ in 0..3 {
        let old = mesh.tile_at(coord).unwrap().tile_ref();
        mesh.replace_tile(old, tile(1, DOOR)).unwrap();
        assert_eq!(is_open(&mesh), Some(false));
    }
    mesh.set_area_flags(DOOR, PolyFlags::WALK);
    assert_eq!(is_open(&mesh), Some(true));
}
