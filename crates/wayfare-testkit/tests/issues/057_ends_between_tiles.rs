//! A ladder stands right on the border of two tiles. One of them is rebuilt, and comes out as it was; yet the ladder
//! now begins in the other: of equally near polygons it took the one with the lowest reference, and a tile that was
//! replaced has a higher one. Removing an obstacle did not give back the links of before.
//!
//! Now the places of the tiles decide.

use super::{row_of_squares, square};
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::OffMeshConnection;
use wayfare::tile::TileCoord;
use wayfare_testkit::changing::plain_tiles;

#[test]
fn an_end_between_tiles_stays_in_its_tile() {
    let mut mesh = row_of_squares(3);
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
