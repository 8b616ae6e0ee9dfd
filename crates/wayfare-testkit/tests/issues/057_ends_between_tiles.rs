//! A ladder stands right on the border of two tiles. One of them is rebuilt, and comes out as it was; yet the ladder
//! now begins in the other: of equally near polygons it took the one with the lowest reference, and a tile that was
//! replaced has a higher one. Removing an obstacle did not give back the links of before.
//!
//! Now the places of the tiles decide.

use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::{NavMesh, OffMeshConnection};
use wayfare::tile::{SourcePoly, TileCoord, TileData, TileLayout, TileSource, build_tile};
use wayfare_testkit::changing::plain_tiles;

/// A square of four by four metres.
fn square(x: i32) -> TileData {
    let low = 4.0 * x as f32;
    let verts = [[low, 0.0], [low, 4.0], [low + 4.0, 4.0], [low + 4.0, 0.0]].map(|[x, z]| Vec3::new(x, 0.0, z));
    let polys = [SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }];
    let coord = TileCoord { x, z: 0, layer: 0 };
    build_tile(&TileSource { coord, verts: &verts, corners: &[0, 1, 2, 3], polys: &polys, ..TileSource::default() })
        .unwrap()
}

#[test]
fn an_end_between_tiles_stays_in_its_tile() {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 4.0 };
    let mut mesh = NavMesh::from_tiles(layout, (0..3).map(square).collect()).unwrap();
    let ladder = OffMeshConnection {
        start: Vec3::new(4.0, 0.0, 2.0),
        end: Vec3::new(10.0, 0.0, 2.0),
        radius: 0.5,
        two_way: true,
        area: AreaId::WALKABLE,
        flags: PolyFlags::WALK,
        user_id: 0,
    };
    mesh.add_connection(ladder).unwrap();
    let first = plain_tiles(&mesh);
    for x in [0, 1, 0] {
        let tile = mesh.tile_at(TileCoord { x, z: 0, layer: 0 }).unwrap().tile_ref();
        mesh.replace_tile(tile, square(x)).unwrap();
        assert_eq!(plain_tiles(&mesh), first, "tile {x} was replaced");
    }
}
