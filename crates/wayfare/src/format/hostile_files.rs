//! Files of many elements that cost as much as they can: tiles, seams, layers, polygons, connections, and sets of
//! Detour's.

use super::{WayEnd, WayStream};
use crate::area::{AreaId, PolyFlags};
use crate::math::{Aabb, ops};
use crate::mesh::{NavMesh, OffMeshConnection};
use crate::tile::{
    BakedFor, DetailRange, DetailTri, EdgeNeighbour, Poly, SeamCell, Side, SourcePoly, TileBuilder, TileCoord,
    TileKeys, TileLayout, TileSource, build_tile,
};
use glam::Vec3;

pub(super) const LAYOUT: TileLayout = TileLayout { origin: Vec3::ZERO, tile_width: 10.0, tile_depth: 10.0 };

// ---- tiles

pub(super) fn tile_at(x: i32, layer: u32) -> TileBuilder {
    let (min, max) = (Vec3::new(10.0 * x as f32, 0.0, 0.0), Vec3::new(10.0 * x as f32 + 10.0, 1.0, 10.0));
    let mut tile = TileBuilder::new(TileCoord { x, z: 0, layer });
    tile.bounds = Aabb { min, max };
    tile.baked_for = BakedFor { height: 2.0, radius: 0.6, climb: 0.9, ..BakedFor::NOTHING };
    tile
}

pub(super) const GROUND: (PolyFlags, AreaId) = (PolyFlags::WALK, AreaId::WALKABLE);

/// Adds a polygon of its own corners, and the neighbours of its edges.
pub(super) fn add(tile: &mut TileBuilder, corners: &[Vec3], beyond: &[EdgeNeighbour]) {
    let first = tile.corners.len() as u32;
    let (flags, area) = GROUND;
    tile.polys.push(Poly::new(first, corners.len() as u16, flags, area));
    tile.corners.extend((0..corners.len() as u32).map(|k| tile.verts.len() as u32 + k));
    tile.verts.extend_from_slice(corners);
    tile.neighbours.extend_from_slice(beyond);
}

pub(super) const WALL: EdgeNeighbour = EdgeNeighbour::WALL;

/// A triangle at the border between the tiles in columns 0 and 1, on the side of one of them, between two places along
/// it and at two heights.
pub(super) fn at_border(tile: &mut TileBuilder, [low, high]: [f32; 2], [y0, y1]: [f32; 2]) {
    let edge = [Vec3::new(10.0, y0, low), Vec3::new(10.0, y1, high)];
    let middle = (low + high) * 0.5;
    if tile.coord.x == 0 {
        let corners = [Vec3::new(5.0, y0, middle), edge[1], edge[0]];
        add(tile, &corners, &[WALL, EdgeNeighbour::border(Side::XMax), WALL]);
    } else {
        let corners = [Vec3::new(15.0, y0, middle), edge[0], edge[1]];
        add(tile, &corners, &[WALL, EdgeNeighbour::border(Side::XMin), WALL]);
    }
}

pub(super) fn file(tiles: Vec<TileBuilder>, connections: &[OffMeshConnection]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut stream = WayStream::new(LAYOUT, 0, &mut bytes);
    tiles.into_iter().for_each(|mut tile| stream.tile(&tile.build().unwrap(), &mut bytes).unwrap());
    stream.finish(WayEnd { connections, ..WayEnd::default() }, &mut bytes).unwrap();
    bytes
}

/// Two tiles side by side, in each what `fill` puts there.
pub(super) fn beside(fill: impl Fn(&mut TileBuilder)) -> Vec<u8> {
    let tiles = [0, 1].map(|x| {
        let mut tile = tile_at(x, 0);
        fill(&mut tile);
        tile
    });
    file(tiles.into(), &[])
}

pub(super) fn seam(edge: u32, cell: i32, here: u32, there: u32) -> SeamCell {
    SeamCell { edge, cell, here: here as u16, there: there as u16 }
}

/// With seams given by edge, cell and heights.
pub(super) fn with_seams(tile: &mut TileBuilder, seams: impl Iterator<Item = SeamCell>) {
    tile.baked_for.cell_size = 0.3;
    tile.seams = seams.collect();
    tile.seams.sort_by_key(|seam| (seam.cell, seam.here, seam.there, seam.edge));
}

pub(super) fn seams_of_many_edges(n: u32) -> Vec<u8> {
    beside(|tile| {
        (0..n).for_each(|_| at_border(tile, [2.0, 8.0], [0.0; 2]));
        with_seams(tile, (0..n).map(|k| seam(3 * k + 1, 10, 5, 5)));
    })
}

pub(super) fn seams_of_storeys(n: u32) -> Vec<u8> {
    beside(|tile| {
        (0..n).for_each(|k| at_border(tile, [2.0, 8.0], [3.0 * k as f32; 2]));
        with_seams(tile, (0..n).flat_map(|k| (10..14).map(move |cell| seam(3 * k + 1, cell, k, k))));
    })
}

pub(super) fn seams_of_one_edge(n: u32) -> Vec<u8> {
    beside(|tile| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        with_seams(tile, (0..n).map(|k| seam(1, 10, k, k)));
    })
}

pub(super) fn seams_that_just_miss(n: u32) -> Vec<u8> {
    beside(|tile| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        let x = tile.coord.x as u32;
        with_seams(tile, (0..n).map(|k| seam(1, 10, 7, 2 * k + x)));
    })
}

pub(super) fn edges_on_one_another(n: u32) -> Vec<u8> {
    beside(|tile| (0..n).for_each(|_| at_border(tile, [2.0, 8.0], [0.0; 2])))
}

pub(super) fn edges_of_storeys(n: u32) -> Vec<u8> {
    beside(|tile| (0..n).for_each(|k| at_border(tile, [2.0, 8.0], [3.0 * k as f32; 2])))
}

pub(super) fn edges_that_rise(n: u32) -> Vec<u8> {
    beside(|tile| (0..n).for_each(|k| at_border(tile, [2.0, 8.0], [3.0 * k as f32, 3.0 * (k + n) as f32])))
}

pub(super) fn edges_in_a_row(n: u32) -> Vec<u8> {
    beside(|tile| {
        at_border(tile, [0.0, 10.0], [0.0; 2]);
        let step = 10.0 / n as f32;
        (0..n).for_each(|k| at_border(tile, [k as f32 * step, (k + 1) as f32 * step], [0.0; 2]));
    })
}

pub(super) fn layers(n: u32, fill: impl Fn(&mut TileBuilder, u32)) -> Vec<u8> {
    let tiles: Vec<TileBuilder> = (0..n)
        .map(|k| {
            let mut tile = tile_at((k % 2) as i32, k / 2);
            fill(&mut tile, k);
            tile
        })
        .collect();
    file(tiles, &[])
}

pub(super) fn layers_without_borders(n: u32) -> Vec<u8> {
    layers(n, |tile, _| add(tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]))
}

pub(super) fn layers_as_storeys(n: u32) -> Vec<u8> {
    layers(n, |tile, k| at_border(tile, [2.0, 8.0], [3.0 * (k / 2) as f32; 2]))
}

pub(super) fn layers_on_one_another(n: u32) -> Vec<u8> {
    layers(n, |tile, _| at_border(tile, [2.0, 8.0], [0.0; 2]))
}

pub(super) fn layers_with_seams(n: u32) -> Vec<u8> {
    layers(n, |tile, k| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        with_seams(tile, (10..14).map(|cell| seam(1, cell, k / 2, k / 2)));
    })
}

pub(super) fn layers_of_many_cell_sizes(n: u32) -> Vec<u8> {
    layers(n, |tile, k| {
        at_border(tile, [2.0, 8.0], [3.0 * (k / 2) as f32; 2]);
        with_seams(tile, (10..14).map(|cell| seam(1, cell, 5, 5)));
        tile.baked_for.cell_size += k as f32 * 1e-3;
    })
}

/// Places that meet in a table whose hash multiplies and folds.
pub(super) fn places_that_meet(n: u32) -> Vec<u8> {
    let tiles: Vec<TileBuilder> = (0..n)
        .map(|k| {
            let mut tile = tile_at(0, 0);
            // Of products by an odd number the low bits go by the low bits alone.
            tile.coord = TileCoord { x: (k << 16) as i32, z: ((k >> 2) << 18) as i32, layer: 0 };
            add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]);
            tile
        })
        .collect();
    let mut seen: Vec<TileCoord> = tiles.iter().map(|tile| tile.coord).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), n as usize);
    file(tiles, &[])
}

pub(super) fn keys(n: u32) -> Vec<u8> {
    let keys: TileKeys = (0..n).map(|k| (TileCoord { x: 0, z: 0, layer: k }, 7)).collect();
    let mut bytes = Vec::new();
    let stream = WayStream::new(LAYOUT, 0, &mut bytes);
    stream.finish(WayEnd { keys: &keys, ..WayEnd::default() }, &mut bytes).unwrap();
    bytes
}

pub(super) fn gaps(n: u32) -> Vec<u8> {
    let mut mesh = NavMesh::new(LAYOUT);
    let slots: Vec<_> = (0..n).map(|k| mesh.add_tile(tile_at(k as i32, 0).build().unwrap()).unwrap()).collect();
    slots.into_iter().for_each(|slot| drop(mesh.remove_tile(slot)));
    mesh.to_bytes()
}

// ---- polygons of one tile

pub(super) fn polygons(n: u32, corners: impl Fn(u32) -> [Vec3; 3]) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    (0..n).for_each(|k| add(&mut tile, &corners(k), &[WALL; 3]));
    file(vec![tile], &[])
}

pub(super) fn polygons_on_one_another(n: u32) -> Vec<u8> {
    polygons(n, |_| [Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0])
}

/// Whose boxes overlap, while they do not.
pub(super) fn slivers(n: u32) -> Vec<u8> {
    let (step, n) = (4.0 / n as f32, n);
    polygons(n, |k| {
        let from = Vec3::X * (k as f32 * step);
        [from, from + Vec3::new(5.0, 0.0, 5.0), from + Vec3::X * (0.9 * step)]
    })
}

pub(super) fn ring(n: u32, radius: f32) -> Vec<Vec3> {
    let at = |k: u32| {
        let turn = k as f32 / n as f32 * core::f32::consts::TAU;
        Vec3::new(5.0 + radius * ops::sin(turn), 0.0, 5.0 + radius * ops::cos(turn))
    };
    (0..n).map(at).collect()
}

/// Two polygons of many corners, each of whose edges leads to the other.
pub(super) fn large_neighbours(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    for (radius, other) in [(4.0, 1), (3.0, 0)] {
        add(&mut tile, &ring(n, radius), &vec![EdgeNeighbour::poly(other); n as usize]);
    }
    file(vec![tile], &[])
}

/// As many triangles as corners, of which every edge is said to be on the outline.
pub(super) fn large_details(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    add(&mut tile, &ring(n, 4.0), &vec![WALL; n as usize]);
    tile.detail_verts = vec![Vec3::new(5.0, 0.0, 5.0); n as usize];
    let tri = DetailTri { verts: [n as u16; 3], outline: 7 };
    tile.detail_tris = vec![tri; n as usize];
    tile.details = vec![DetailRange { first_vert: 0, first_tri: 0, vert_count: n as u16, tri_count: n as u16 }];
    file(vec![tile], &[])
}

/// Triangles around one vertex, the first of all.
pub(super) fn hub(n: u32) -> Vec<u8> {
    let mut verts = vec![Vec3::new(5.0, 0.0, 5.0)];
    verts.extend(ring(n, 4.0));
    let corners: Vec<u32> = (0..n).flat_map(|k| [0, k + 1, (k + 1) % n + 1]).collect();
    let (flags, area) = GROUND;
    let polys = vec![SourcePoly { count: 3, flags, area }; n as usize];
    let source = TileSource { verts: &verts, corners: &corners, polys: &polys, ..TileSource::default() };
    file(vec![build_tile(&source).unwrap().to_builder()], &[])
}

/// The corners of triangles around one vertex, or on one edge, as a tile is built of them.
pub(super) fn build_from(bytes: &[u8]) {
    let corners: Vec<u32> = bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    let verts = ring(corners.iter().max().unwrap() + 1, 4.0);
    let (flags, area) = GROUND;
    let polys = vec![SourcePoly { count: 3, flags, area }; corners.len() / 3];
    let source = TileSource { verts: &verts, corners: &corners, polys: &polys, ..TileSource::default() };
    build_tile(&source).unwrap();
}

pub(super) fn bytes_of(corners: impl Iterator<Item = u32>) -> Vec<u8> {
    corners.flat_map(u32::to_le_bytes).collect()
}

pub(super) fn corners_around_a_vertex(n: u32) -> Vec<u8> {
    bytes_of((0..n).flat_map(|k| [0, k + 1, (k + 1) % n + 1]))
}

pub(super) fn corners_on_one_edge(n: u32) -> Vec<u8> {
    bytes_of((0..n).flat_map(|k| if k % 2 == 0 { [0, 1, k + 2] } else { [1, 0, k + 2] }))
}

/// Refused, at once.
pub(super) fn shared_details(n: u32) -> Vec<u8> {
    vec![0; 44 * n as usize]
}

pub(super) fn validate_shared(bytes: &[u8]) {
    let n = (bytes.len() / 44) as u32;
    let mut tile = tile_at(0, 0);
    (0..n).for_each(|_| add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]));
    tile.detail_tris = vec![DetailTri { verts: [0, 1, 2], outline: 0 }; n as usize];
    tile.details = vec![DetailRange { tri_count: n.min(65_535) as u16, ..DetailRange::default() }; n as usize];
    assert!(tile.build().is_err());
}

// ---- connections

pub(super) fn jump(start: Vec3, end: Vec3, radius: f32) -> OffMeshConnection {
    let (flags, area) = GROUND;
    OffMeshConnection { start, end, radius, two_way: false, area, flags, user_id: 0 }
}

pub(super) fn connections_at_one_place(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]);
    file(vec![tile], &vec![jump(Vec3::ONE * 0.5, Vec3::ONE * 0.5, 1.0); n as usize])
}

pub(super) fn connections_over_polygons_on_one_another(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    (0..n).for_each(|_| add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]));
    file(vec![tile], &vec![jump(Vec3::ONE * 0.5, Vec3::ONE * 0.7, 1.0); n as usize])
}

/// From polygon to polygon, the last first.
pub(super) fn connections_of_a_row(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    let at = |k: u32| Vec3::X * (k as f32 * 10.0 / n as f32);
    let size = 8.0 / n as f32;
    (0..n).for_each(|k| add(&mut tile, &[at(k), at(k) + Vec3::Z * 5.0, at(k) + Vec3::X * size], &[WALL; 3]));
    let ends = |k: u32| at(k) + Vec3::new(0.1 * size, 0.0, 1.0);
    let jumps: Vec<_> = (1..n).rev().map(|k| jump(ends(k), ends(k - 1), 0.01 * size)).collect();
    file(vec![tile], &jumps)
}

pub(super) fn connections_that_reach_far(n: u32) -> Vec<u8> {
    let tiles: Vec<TileBuilder> = (0..n)
        .map(|k| {
            let mut tile = tile_at(k as i32, 0);
            let low = tile.bounds.min;
            add(&mut tile, &[low, low + Vec3::Z * 5.0, low + Vec3::X * 5.0], &[WALL; 3]);
            tile
        })
        .collect();
    file(tiles, &vec![jump(Vec3::ONE, Vec3::ONE, 1e9); n as usize])
}

// ---- Detour files

/// A set of tiles in column 0, in slots that go down and up in turns.
pub(super) fn detour_layers(n: u32) -> Vec<u8> {
    let mesh = NavMesh::from_bytes(&layers_without_borders(2 * n)).unwrap();
    let mut bytes = mesh.to_detour(super::RefBits::Bits64).unwrap();
    // Each tile's reference stands before its size; all tiles are equally large.
    let size = (bytes.len() - 40) / (2 * n as usize);
    let mut tiles: Vec<Vec<u8>> = bytes.split_off(40).chunks(size).map(<[u8]>::to_vec).collect();
    let half = tiles.len() / 2;
    let (low, high) = tiles.split_at_mut(half);
    low.iter_mut().step_by(2).zip(high.iter_mut().rev().step_by(2)).for_each(|(a, b)| core::mem::swap(a, b));
    bytes.extend(tiles.concat());
    bytes
}

pub(super) fn detour_edges(n: u32) -> Vec<u8> {
    let tiles = [0, 1].map(|x| {
        let mut tile = tile_at(x, 0);
        (0..n).for_each(|_| at_border(&mut tile, [2.0, 8.0], [0.0; 2]));
        tile
    });
    let mut mesh = NavMesh::new(LAYOUT);
    // As they are, without links between them.
    for mut tile in tiles {
        tile.coord.x *= 2;
        mesh.add_tile(tile.build().unwrap()).unwrap();
    }
    let mut bytes = mesh.to_detour(super::RefBits::Bits64).unwrap();
    // The second tile's column, behind its reference, size, padding, magic and version.
    let second = 40 + (bytes.len() - 40) / 2 + 16 + 8;
    assert_eq!(bytes[second], 2);
    bytes[second] = 1;
    bytes
}
