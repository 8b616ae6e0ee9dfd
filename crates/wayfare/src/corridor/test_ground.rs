//! Walkable surfaces drawn as text, for tests of corridors and crowds.

use super::PathCorridor;
use crate::math::Rng;
use crate::mesh::NavMesh;
use crate::query::{DefaultFilter, PathRequest, PolyPoint, SearchScratch, find_nearest, find_path, test_maps};
use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};
use glam::Vec3;

/// A mesh of one tile, as [`sketch`] reads it.
pub(crate) fn world(map: &str) -> NavMesh {
    test_maps::mesh(&[((0, 0), map)])
}

/// The point of the mesh nearest to (x, z).
pub(crate) fn place(mesh: &NavMesh, (x, z): (f32, f32)) -> PolyPoint {
    find_nearest(mesh, Vec3::new(x, 0.0, z), Vec3::new(0.5, 100.0, 0.5), &DefaultFilter::default()).unwrap().place()
}

/// A corridor along the path between two places.
pub(crate) fn find(mesh: &NavMesh, from: (f32, f32), to: (f32, f32)) -> PathCorridor {
    let mut corridor = PathCorridor::new(place(mesh, from));
    let ask = PathRequest::new(place(mesh, from), place(mesh, to));
    corridor.follow(&find_path(mesh, &ask, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap()).unwrap();
    corridor
}

/// `tiles` × `tiles` tiles of `size` × `size` unit squares, of which two in seven are missing.
pub(crate) fn random_tile(rng: &mut Rng, (x, z): (i32, i32), size: usize) -> crate::tile::TileData {
    let mut cells = vec!['a'; size * size];
    for cell in &mut cells[1..] {
        if rng.below(7) < 2 {
            *cell = '.';
        }
    }
    let rows: Vec<String> = cells.chunks(size).map(|row| row.iter().collect()).collect();
    sketch(TileCoord { x, z, layer: 0 }, &rows.join("\n"))
}

/// A mesh of [`random_tile`]s.
pub(crate) fn random_world(rng: &mut Rng, tiles: i32, size: usize) -> NavMesh {
    let layout = TileLayout { origin: Vec3::ZERO, tile_width: size as f32, tile_depth: size as f32 };
    let all = (0..tiles * tiles).map(|i| random_tile(rng, (i % tiles, i / tiles), size)).collect();
    NavMesh::from_tiles(layout, all).unwrap()
}

/// Whether a point is on the mesh, up to a tenth of a millimetre.
pub(crate) fn is_on(mesh: &NavMesh, p: Vec3) -> bool {
    find_nearest(mesh, p, Vec3::splat(0.5), &DefaultFilter::default()).is_some_and(|near| near.point.distance(p) < 1e-4)
}
