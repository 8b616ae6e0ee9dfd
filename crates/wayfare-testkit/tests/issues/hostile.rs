//! Tiles and files that were made to cost much.

use allocation_counter::measure;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::format::{ReadError, WayEnd, WayStream};
use wayfare::math::Aabb;
use wayfare::mesh::NavMesh;
use wayfare::tile::{BakedFor, EdgeNeighbour, Poly, Side, TileBuilder, TileCoord, TileLayout};

pub(crate) fn tile_at(x: i32, layer: u32) -> TileBuilder {
    let (min, max) = (Vec3::new(10.0 * x as f32, 0.0, 0.0), Vec3::new(10.0 * x as f32 + 10.0, 1.0, 10.0));
    let mut tile = TileBuilder::new(TileCoord { x, z: 0, layer });
    tile.bounds = Aabb { min, max };
    tile.baked_for = BakedFor { height: 2.0, radius: 0.6, climb: 0.9, ..BakedFor::NOTHING };
    tile
}

/// Adds a triangle that shares no vertex with others; its second edge lies on a side of the tile, or on none.
pub(crate) fn add_triangle(tile: &mut TileBuilder, corners: [Vec3; 3], side: Option<Side>) {
    let first = tile.corners.len() as u32;
    tile.polys.push(Poly::new(first, 3, PolyFlags::WALK, AreaId::WALKABLE));
    tile.corners.extend((0..3).map(|k| tile.verts.len() as u32 + k));
    tile.verts.extend(corners);
    let beyond = side.map_or(EdgeNeighbour::WALL, EdgeNeighbour::border);
    tile.neighbours.extend([EdgeNeighbour::WALL, beyond, EdgeNeighbour::WALL]);
}

/// Adds a triangle at the border between columns 0 and 1.
pub(crate) fn at_border(tile: &mut TileBuilder, y: f32) {
    let [low, high] = [2.0, 8.0].map(|z| Vec3::new(10.0, y, z));
    if tile.coord.x == 0 {
        add_triangle(tile, [Vec3::new(5.0, y, 5.0), high, low], Some(Side::XMax));
    } else {
        add_triangle(tile, [Vec3::new(15.0, y, 5.0), low, high], Some(Side::XMin));
    }
}

pub(crate) fn file(tiles: &mut [TileBuilder]) -> Vec<u8> {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: 10.0, tile_depth: 10.0 };
    let mut bytes = Vec::new();
    let mut stream = WayStream::new(layout, 0, &mut bytes);
    tiles.iter_mut().for_each(|tile| stream.tile(&tile.build().unwrap(), &mut bytes).unwrap());
    stream.finish(WayEnd::default(), &mut bytes).unwrap();
    bytes
}

/// Two tiles side by side, in each what `fill` puts there.
pub(crate) fn beside(fill: impl Fn(&mut TileBuilder)) -> Vec<u8> {
    let mut tiles = [0, 1].map(|x| tile_at(x, 0));
    tiles.iter_mut().for_each(fill);
    file(&mut tiles)
}

/// Reads a file with no more memory than so many times its bytes.
pub(crate) fn read_within(bytes: &[u8], times: u64) -> Result<NavMesh, ReadError> {
    let mut read = None;
    let used = measure(|| read = Some(NavMesh::from_bytes(bytes)));
    let most = times * bytes.len() as u64;
    assert!(used.bytes_max <= most, "{} bytes for {} that were read", used.bytes_max, bytes.len());
    read.unwrap()
}
