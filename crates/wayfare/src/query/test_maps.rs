//! Meshes drawn as text, for tests of queries.

use super::{DefaultFilter, PolyPoint, find_nearest};
use crate::math::Rng;
use crate::mesh::NavMesh;
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
use glam::Vec3;

/// A mesh of tiles, each a map of unit squares as [`sketch`] reads it; all maps are as large as the first.
pub(crate) fn mesh(tiles: &[((i32, i32), &str)]) -> NavMesh {
    let (width, depth) = (tiles[0].1.lines().next().unwrap().len(), tiles[0].1.lines().count());
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: width as f32, tile_depth: depth as f32 };
    let tiles = tiles.iter().map(|((x, z), map)| sketch(TileCoord { x: *x, z: *z, layer: 0 }, map)).collect();
    NavMesh::from_tiles(layout, tiles).unwrap()
}

/// The polygon right above or below (x, z), if there is one; on several floors the lowest.
pub(crate) fn at(mesh: &NavMesh, (x, z): (f32, f32)) -> Option<PolyPoint> {
    let found = find_nearest(mesh, Vec3::new(x, 0.0, z), Vec3::new(0.1, 100.0, 0.1), &DefaultFilter::default())?;
    found.over.then(|| found.place())
}

/// A square of `tiles` × `tiles` tiles with `size` × `size` squares each, two of five missing.
pub(crate) fn random_map(rng: &mut Rng, tiles: i32, size: usize) -> NavMesh {
    let mut drawn = Vec::new();
    for place in 0..tiles * tiles {
        let row = |rng: &mut Rng| (0..size).map(|_| if rng.below(5) < 2 { '.' } else { 'a' }).collect::<String>();
        let map = (0..size).map(|_| row(rng)).collect::<Vec<_>>().join("\n");
        if map.contains('a') {
            drawn.push(((place % tiles, place / tiles), map));
        }
    }
    mesh(&drawn.iter().map(|(place, map)| (*place, map.as_str())).collect::<Vec<_>>())
}
