//! Files that were made to cost much: whatever is read of them, connected, checked and first asked, takes work and
//! memory in proportion to their bytes.
//!
//! Each family is one list of one format with n, 2n and 4n equal or adverse elements. Counted are the steps of inner
//! loops ([`count`](crate::math::steps::count)) and the bytes that are allocated. Where work would grow faster, it ends
//! at a limit that goes by the bytes, with an error; so every family begins at a size where that limit matters.

use super::way::seal::{directory_of, seal};
use super::{WayDirectory, WayEnd, WayFile, WayStream};
use crate::area::{AreaId, PolyFlags};
use crate::math::steps::counted;
use crate::math::{Aabb, ops};
use crate::mesh::{Components, NavMesh, OffMeshConnection};
use crate::tile::{
    DetailRange, DetailTri, EdgeNeighbour, Poly, SeamCell, Side, SightGraph, SourcePoly, TileCoord, TileData, TileKeys,
    TileLayout, TileSource, build_tile,
};
use allocation_counter::measure;
use glam::Vec3;

const LAYOUT: TileLayout = TileLayout { origin: Vec3::ZERO, tile_width: 10.0, tile_depth: 10.0 };

/// What a family of files makes, of so many elements: its bytes, and what is done with them.
type Family = (&'static str, u32, fn(u32) -> Vec<u8>, fn(&[u8]));

/// How much faster than the bytes work may grow from n to 4n: as n log n does, and a little.
const MORE: f64 = 1.7;
/// Steps that any file may take: below that growth means nothing.
const LEAST: f64 = 3e6;
/// Bytes allocated in all for each byte read, at most, beside [`ALWAYS`].
const ALLOCATED: u64 = 400;
/// Bytes that any file may take: tables for slots, and the trees of the first questions.
const ALWAYS: u64 = 40 << 20;

fn hold([what, ..]: [&str; 1], n: u32, make: fn(u32) -> Vec<u8>, read: fn(&[u8])) {
    let mut least = f64::INFINITY;
    for n in [n, 2 * n, 4 * n] {
        let bytes = make(n);
        let mut steps = 0;
        let memory = measure(|| ((), steps) = counted(|| read(&bytes)));
        let each = steps as f64 / bytes.len() as f64;
        println!("{what}: {n}: {} bytes, {steps} steps, {each:.1} each, {} allocated", bytes.len(), memory.bytes_total);
        assert!(each <= least * MORE || (steps as f64) < LEAST, "{what}: {n}: {each} steps a byte, {least} before");
        assert!(memory.bytes_max <= ALWAYS + ALLOCATED * bytes.len() as u64, "{what}: {n}: {memory:?}");
        least = least.min(each);
    }
}

/// Reads a mesh, and if it can be read, asks what a program asks of it first.
fn look(read: Result<NavMesh, String>) {
    let Ok(mesh) = read else { return };
    let _ = mesh.check();
    let _ = mesh.components().count();
    for tile in mesh.tiles() {
        tile.warm();
        let _ = SightGraph::of(tile.data());
    }
    let filter = crate::area::FlagMask { include: PolyFlags::ALL, exclude: PolyFlags::NONE };
    let mut mesh = mesh;
    mesh.keep_components_for(filter);
    let _ = mesh.components_for(filter).map(Components::count);
    let delta = mesh.store_delta();
    mesh.restore_delta(&delta).unwrap();
}

fn look_at_way(bytes: &[u8]) {
    look(NavMesh::from_bytes(bytes).map_err(|error| error.to_string()));
}

/// Reads the directory, finds each tile in it and reads it alone, with its sections; then all at once.
fn look_at_parts(bytes: &[u8]) {
    let start = directory_of(bytes).unwrap();
    if let Ok(directory) = WayDirectory::read(&bytes[start..]) {
        let part = |offset: u64, length: u64| &bytes[offset as usize..(offset + length) as usize];
        for entry in directory.tiles() {
            let (entry, range) = (directory.tile_at(entry.coord).unwrap(), entry.range);
            let _ = directory.read_tile(entry, part(range.offset, range.length));
        }
        for entry in directory.tiles().iter().map(|tile| Some(tile.coord)).chain([None]) {
            for section in entry.map_or(directory.sections(), |coord| directory.tile_sections(coord)) {
                let _ = directory.read_section(section, part(section.range.offset, section.range.length));
            }
        }
    }
    if let Ok(file) = WayFile::from_bytes(bytes) {
        assert_eq!(file.to_bytes().len(), bytes.len());
    }
    look_at_way(bytes);
}

fn look_at_detour(bytes: &[u8]) {
    look(NavMesh::from_detour(bytes).map_err(|error| error.to_string()));
}

// ---- tiles

fn tile_at(x: i32, layer: u32) -> TileData {
    let (min, max) = (Vec3::new(10.0 * x as f32, 0.0, 0.0), Vec3::new(10.0 * x as f32 + 10.0, 1.0, 10.0));
    TileData {
        bounds: Aabb { min, max },
        agent_height: 2.0,
        agent_radius: 0.6,
        agent_climb: 0.9,
        ..TileData::empty(TileCoord { x, z: 0, layer })
    }
}

const GROUND: (PolyFlags, AreaId) = (PolyFlags::WALK, AreaId::WALKABLE);

/// Adds a polygon of its own corners, and what lies beyond its edges.
fn add(tile: &mut TileData, corners: &[Vec3], beyond: &[EdgeNeighbour]) {
    let first = tile.corners.len() as u32;
    let (flags, area) = GROUND;
    tile.polys.push(Poly { first, count: corners.len() as u16, flags, area });
    tile.corners.extend((0..corners.len() as u32).map(|k| tile.verts.len() as u32 + k));
    tile.verts.extend_from_slice(corners);
    tile.neighbours.extend_from_slice(beyond);
}

const WALL: EdgeNeighbour = EdgeNeighbour::WALL;

/// A triangle at the border between the tiles in columns 0 and 1, on the side of one of them, between two places along
/// it and at two heights.
fn at_border(tile: &mut TileData, [low, high]: [f32; 2], [y0, y1]: [f32; 2]) {
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

fn file(tiles: &[TileData], connections: &[OffMeshConnection]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut stream = WayStream::new(LAYOUT, 0, &mut bytes);
    tiles.iter().for_each(|tile| stream.tile(tile, &mut bytes).unwrap());
    stream.finish(WayEnd { connections, ..WayEnd::default() }, &mut bytes).unwrap();
    bytes
}

/// Two tiles side by side, in each what `fill` puts there.
fn beside(fill: impl Fn(&mut TileData)) -> Vec<u8> {
    let tiles = [0, 1].map(|x| {
        let mut tile = tile_at(x, 0);
        fill(&mut tile);
        tile
    });
    file(&tiles, &[])
}

fn seam(edge: u32, cell: i32, here: u32, there: u32) -> SeamCell {
    SeamCell { edge, cell, here: here as u16, there: there as u16 }
}

/// With the seams that come by edge, cell and heights.
fn with_seams(tile: &mut TileData, seams: impl Iterator<Item = SeamCell>) {
    tile.cell_size = 0.3;
    tile.seams = seams.collect();
    tile.seams.sort_by_key(|seam| (seam.cell, seam.here, seam.there, seam.edge));
}

fn seams_of_many_edges(n: u32) -> Vec<u8> {
    beside(|tile| {
        (0..n).for_each(|_| at_border(tile, [2.0, 8.0], [0.0; 2]));
        with_seams(tile, (0..n).map(|k| seam(3 * k + 1, 10, 5, 5)));
    })
}

fn seams_of_storeys(n: u32) -> Vec<u8> {
    beside(|tile| {
        (0..n).for_each(|k| at_border(tile, [2.0, 8.0], [3.0 * k as f32; 2]));
        with_seams(tile, (0..n).flat_map(|k| (10..14).map(move |cell| seam(3 * k + 1, cell, k, k))));
    })
}

fn seams_of_one_edge(n: u32) -> Vec<u8> {
    beside(|tile| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        with_seams(tile, (0..n).map(|k| seam(1, 10, k, k)));
    })
}

fn seams_that_just_miss(n: u32) -> Vec<u8> {
    beside(|tile| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        let x = tile.coord.x as u32;
        with_seams(tile, (0..n).map(|k| seam(1, 10, 7, 2 * k + x)));
    })
}

fn edges_on_one_another(n: u32) -> Vec<u8> {
    beside(|tile| (0..n).for_each(|_| at_border(tile, [2.0, 8.0], [0.0; 2])))
}

fn edges_of_storeys(n: u32) -> Vec<u8> {
    beside(|tile| (0..n).for_each(|k| at_border(tile, [2.0, 8.0], [3.0 * k as f32; 2])))
}

fn edges_that_rise(n: u32) -> Vec<u8> {
    beside(|tile| (0..n).for_each(|k| at_border(tile, [2.0, 8.0], [3.0 * k as f32, 3.0 * (k + n) as f32])))
}

fn edges_in_a_row(n: u32) -> Vec<u8> {
    beside(|tile| {
        at_border(tile, [0.0, 10.0], [0.0; 2]);
        let step = 10.0 / n as f32;
        (0..n).for_each(|k| at_border(tile, [k as f32 * step, (k + 1) as f32 * step], [0.0; 2]));
    })
}

fn layers(n: u32, fill: impl Fn(&mut TileData, u32)) -> Vec<u8> {
    let tiles: Vec<TileData> = (0..n)
        .map(|k| {
            let mut tile = tile_at((k % 2) as i32, k / 2);
            fill(&mut tile, k);
            tile
        })
        .collect();
    file(&tiles, &[])
}

fn layers_without_borders(n: u32) -> Vec<u8> {
    layers(n, |tile, _| add(tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]))
}

fn layers_as_storeys(n: u32) -> Vec<u8> {
    layers(n, |tile, k| at_border(tile, [2.0, 8.0], [3.0 * (k / 2) as f32; 2]))
}

fn layers_on_one_another(n: u32) -> Vec<u8> {
    layers(n, |tile, _| at_border(tile, [2.0, 8.0], [0.0; 2]))
}

fn layers_with_seams(n: u32) -> Vec<u8> {
    layers(n, |tile, k| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        with_seams(tile, (10..14).map(|cell| seam(1, cell, k / 2, k / 2)));
    })
}

fn layers_of_many_cell_sizes(n: u32) -> Vec<u8> {
    layers(n, |tile, k| {
        at_border(tile, [2.0, 8.0], [3.0 * (k / 2) as f32; 2]);
        with_seams(tile, (10..14).map(|cell| seam(1, cell, 5, 5)));
        tile.cell_size += k as f32 * 1e-3;
    })
}

/// Places that meet in a table whose hash multiplies and folds.
fn places_that_meet(n: u32) -> Vec<u8> {
    let tiles: Vec<TileData> = (0..n)
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
    file(&tiles, &[])
}

fn keys(n: u32) -> Vec<u8> {
    let keys: TileKeys = (0..n).map(|k| (TileCoord { x: 0, z: 0, layer: k }, 7)).collect();
    let mut bytes = Vec::new();
    let stream = WayStream::new(LAYOUT, 0, &mut bytes);
    stream.finish(WayEnd { keys: &keys, ..WayEnd::default() }, &mut bytes).unwrap();
    bytes
}

fn gaps(n: u32) -> Vec<u8> {
    let mut mesh = NavMesh::new(LAYOUT);
    let slots: Vec<_> = (0..n).map(|k| mesh.add_tile(tile_at(k as i32, 0)).unwrap()).collect();
    slots.into_iter().for_each(|slot| drop(mesh.remove_tile(slot)));
    mesh.to_bytes()
}

// ---- polygons of one tile

fn polygons(n: u32, corners: impl Fn(u32) -> [Vec3; 3]) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    (0..n).for_each(|k| add(&mut tile, &corners(k), &[WALL; 3]));
    file(&[tile], &[])
}

fn polygons_on_one_another(n: u32) -> Vec<u8> {
    polygons(n, |_| [Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0])
}

/// Whose boxes overlap, while they do not.
fn slivers(n: u32) -> Vec<u8> {
    let (step, n) = (4.0 / n as f32, n);
    polygons(n, |k| {
        let from = Vec3::X * (k as f32 * step);
        [from, from + Vec3::new(5.0, 0.0, 5.0), from + Vec3::X * (0.9 * step)]
    })
}

fn ring(n: u32, radius: f32) -> Vec<Vec3> {
    let at = |k: u32| {
        let turn = k as f32 / n as f32 * core::f32::consts::TAU;
        Vec3::new(5.0 + radius * ops::sin(turn), 0.0, 5.0 + radius * ops::cos(turn))
    };
    (0..n).map(at).collect()
}

/// Two polygons of many corners, each of whose edges leads to the other.
fn large_neighbours(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    for (radius, other) in [(4.0, 1), (3.0, 0)] {
        add(&mut tile, &ring(n, radius), &vec![EdgeNeighbour::poly(other); n as usize]);
    }
    file(&[tile], &[])
}

/// As many triangles as corners, of which every edge is said to be on the outline.
fn large_details(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    add(&mut tile, &ring(n, 4.0), &vec![WALL; n as usize]);
    tile.detail_verts = vec![Vec3::new(5.0, 0.0, 5.0); n as usize];
    let tri = DetailTri { verts: [n as u16; 3], outline: 7 };
    tile.detail_tris = vec![tri; n as usize];
    tile.details = vec![DetailRange { first_vert: 0, first_tri: 0, vert_count: n as u16, tri_count: n as u16 }];
    file(&[tile], &[])
}

/// Triangles around one vertex, the first of all.
fn hub(n: u32) -> Vec<u8> {
    let mut verts = vec![Vec3::new(5.0, 0.0, 5.0)];
    verts.extend(ring(n, 4.0));
    let corners: Vec<u32> = (0..n).flat_map(|k| [0, k + 1, (k + 1) % n + 1]).collect();
    let (flags, area) = GROUND;
    let polys = vec![SourcePoly { count: 3, flags, area }; n as usize];
    let source = TileSource { verts: &verts, corners: &corners, polys: &polys, ..TileSource::default() };
    file(&[build_tile(&source).unwrap()], &[])
}

/// The corners of triangles around one vertex, or on one edge, as a tile is built of them.
fn build_from(bytes: &[u8]) {
    let corners: Vec<u32> = bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    let verts = ring(corners.iter().max().unwrap() + 1, 4.0);
    let (flags, area) = GROUND;
    let polys = vec![SourcePoly { count: 3, flags, area }; corners.len() / 3];
    let source = TileSource { verts: &verts, corners: &corners, polys: &polys, ..TileSource::default() };
    build_tile(&source).unwrap();
}

fn bytes_of(corners: impl Iterator<Item = u32>) -> Vec<u8> {
    corners.flat_map(u32::to_le_bytes).collect()
}

fn corners_around_a_vertex(n: u32) -> Vec<u8> {
    bytes_of((0..n).flat_map(|k| [0, k + 1, (k + 1) % n + 1]))
}

fn corners_on_one_edge(n: u32) -> Vec<u8> {
    bytes_of((0..n).flat_map(|k| if k % 2 == 0 { [0, 1, k + 2] } else { [1, 0, k + 2] }))
}

/// Refused, at once.
fn shared_details(n: u32) -> Vec<u8> {
    vec![0; 44 * n as usize]
}

fn validate_shared(bytes: &[u8]) {
    let n = (bytes.len() / 44) as u32;
    let mut tile = tile_at(0, 0);
    (0..n).for_each(|_| add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]));
    tile.detail_tris = vec![DetailTri { verts: [0, 1, 2], outline: 0 }; n as usize];
    tile.details = vec![DetailRange { tri_count: n.min(65_535) as u16, ..DetailRange::default() }; n as usize];
    assert!(tile.validate().is_err());
}

// ---- connections

fn jump(start: Vec3, end: Vec3, radius: f32) -> OffMeshConnection {
    let (flags, area) = GROUND;
    OffMeshConnection { start, end, radius, two_way: false, area, flags, user_id: 0 }
}

fn connections_at_one_place(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]);
    file(&[tile], &vec![jump(Vec3::ONE * 0.5, Vec3::ONE * 0.5, 1.0); n as usize])
}

fn connections_over_polygons_on_one_another(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    (0..n).for_each(|_| add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]));
    file(&[tile], &vec![jump(Vec3::ONE * 0.5, Vec3::ONE * 0.7, 1.0); n as usize])
}

/// From polygon to polygon, the last first.
fn connections_of_a_row(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    let at = |k: u32| Vec3::X * (k as f32 * 10.0 / n as f32);
    let size = 8.0 / n as f32;
    (0..n).for_each(|k| add(&mut tile, &[at(k), at(k) + Vec3::Z * 5.0, at(k) + Vec3::X * size], &[WALL; 3]));
    let ends = |k: u32| at(k) + Vec3::new(0.1 * size, 0.0, 1.0);
    let jumps: Vec<_> = (1..n).rev().map(|k| jump(ends(k), ends(k - 1), 0.01 * size)).collect();
    file(&[tile], &jumps)
}

fn connections_that_reach_far(n: u32) -> Vec<u8> {
    let tiles: Vec<TileData> = (0..n)
        .map(|k| {
            let mut tile = tile_at(k as i32, 0);
            let low = tile.bounds.min;
            add(&mut tile, &[low, low + Vec3::Z * 5.0, low + Vec3::X * 5.0], &[WALL; 3]);
            tile
        })
        .collect();
    file(&tiles, &vec![jump(Vec3::ONE, Vec3::ONE, 1e9); n as usize])
}

// ---- made worse after they were written, with the checksums mended

/// The head of a file, and that of a tile up to its arrays.
const TILE_ARRAYS: usize = 12 + 84;

fn mended(mut bytes: Vec<u8>, edit: impl FnOnce(&mut [u8])) -> Vec<u8> {
    edit(&mut bytes);
    seal(&mut bytes);
    bytes
}

/// All polygons say that their details are all that there are.
fn details_that_all_share(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    (0..n).for_each(|_| add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]));
    tile.detail_tris = vec![DetailTri { verts: [0, 1, 2], outline: 0 }; n as usize];
    let range = |k| DetailRange { first_vert: 0, first_tri: k, vert_count: 0, tri_count: 1 };
    tile.details = (0..n).map(range).collect();
    mended(file(&[tile], &[]), |bytes| {
        let n = n as usize;
        // Polygons, then three vertices, corners and neighbours of each.
        let details = TILE_ARRAYS + n * (8 + 3 * (12 + 4 + 4));
        for k in 0..n {
            let at = details + 12 * k;
            bytes[at + 4..at + 8].fill(0);
            bytes[at + 10..at + 12].copy_from_slice(&(n as u16).to_le_bytes());
        }
    })
}

/// One and the same seam, so many times.
fn seams_again_and_again(n: u32) -> Vec<u8> {
    let whole = beside(|tile| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        with_seams(tile, (0..n).map(|k| seam(1, 10, k, k)));
    });
    mended(whole, |bytes| {
        let one = TILE_ARRAYS - 12 + 8 + 3 * (12 + 4 + 4);
        for tile in [12, 12 + one + 12 * n as usize] {
            for k in 0..n as usize {
                bytes[tile + one + 12 * k + 8..tile + one + 12 * k + 12].copy_from_slice(&[5, 0, 5, 0]);
            }
        }
    })
}

fn seams_at_many_heights(n: u32) -> Vec<u8> {
    beside(|tile| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        let there = 65_535 - tile.coord.x as u32;
        with_seams(tile, (0..n).map(|k| seam(1, 10, k, there)));
    })
}

// ---- the directory

fn with_sections(n: u32, fill: impl Fn(&mut WayFile, u32)) -> Vec<u8> {
    let tile = |x| {
        let mut tile = tile_at(x, 0);
        add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]);
        tile
    };
    let mut file = WayFile::from(NavMesh::from_tiles(LAYOUT, vec![tile(0), tile(1)]).unwrap());
    (0..n).for_each(|k| fill(&mut file, k));
    file.to_bytes()
}

fn sections_of_a_mesh(n: u32) -> Vec<u8> {
    with_sections(n, |file, k| file.sections.set(&format!("{k:08}"), k, Vec::new()))
}

fn sections_of_a_tile(n: u32) -> Vec<u8> {
    with_sections(n, |file, k| {
        file.tile_sections.get_mut(TileCoord { x: 1, z: 0, layer: 0 }).set(&format!("{k:08}"), 1, vec![7; 3]);
    })
}

fn sections_without_tiles(n: u32) -> Vec<u8> {
    with_sections(n, |file, k| {
        file.tile_sections.get_mut(TileCoord { x: 0, z: 0, layer: k + 1 }).set("", 1, Vec::new());
    })
}

fn sections_with_long_names(n: u32) -> Vec<u8> {
    with_sections(40, |file, k| file.sections.set(&format!("{}{k:08}", "n".repeat(n as usize)), 1, Vec::new()))
}

/// The last of them has the name of the one before.
fn sections_of_one_name(n: u32) -> Vec<u8> {
    mended(sections_of_a_mesh(n), |bytes| {
        let last = bytes.len() - 36 - 8;
        bytes.copy_within(last - 36..last - 28, last);
    })
}

/// Each tile is said to reach to the directory.
fn tiles_that_overlap(n: u32) -> Vec<u8> {
    let whole = layers_without_borders(n);
    let start = directory_of(&whole).unwrap();
    mended(whole, |bytes| {
        for k in 0..n as usize {
            let length = start + 56 + 40 * k + 24;
            bytes[length..length + 8].copy_from_slice(&(start as u64 - 12).to_le_bytes());
        }
    })
}

/// All tiles say that they are at one place, in the directory and by themselves.
fn tiles_at_one_place(n: u32) -> Vec<u8> {
    let whole = layers_without_borders(n);
    let start = directory_of(&whole).unwrap();
    let size = (start - 12 - 16) / n as usize;
    mended(whole, |bytes| {
        for k in 0..n as usize {
            bytes[12 + k * size..][..12].fill(0);
            bytes[start + 56 + 40 * k + 8..][..12].fill(0);
        }
    })
}

/// A directory that promises all that 32 bits can count.
fn counts_beyond_the_bytes(n: u32) -> Vec<u8> {
    let whole = sections_of_a_mesh(n);
    let start = directory_of(&whole).unwrap();
    mended(whole, |bytes| bytes[start + 36..start + 40].fill(255))
}

// ---- Detour files

/// A set of tiles in column 0, in slots that go down and up in turns.
fn detour_layers(n: u32) -> Vec<u8> {
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

fn detour_edges(n: u32) -> Vec<u8> {
    let tiles = [0, 1].map(|x| {
        let mut tile = tile_at(x, 0);
        (0..n).for_each(|_| at_border(&mut tile, [2.0, 8.0], [0.0; 2]));
        tile
    });
    let mut mesh = NavMesh::new(LAYOUT);
    // As they are, without links between them.
    for mut tile in tiles {
        tile.coord.x *= 2;
        mesh.add_tile(tile).unwrap();
    }
    let mut bytes = mesh.to_detour(super::RefBits::Bits64).unwrap();
    // The second tile's column, behind its reference, size, padding, magic and version.
    let second = 40 + (bytes.len() - 40) / 2 + 16 + 8;
    assert_eq!(bytes[second], 2);
    bytes[second] = 1;
    bytes
}

const FAMILIES: [Family; 42] = [
    ("seams of many edges in one cell", 800, seams_of_many_edges, look_at_way),
    ("seams of storeys", 800, seams_of_storeys, look_at_way),
    ("seams of one edge", 4000, seams_of_one_edge, look_at_way),
    ("seams that just miss each other", 4000, seams_that_just_miss, look_at_way),
    ("border edges on one another", 1000, edges_on_one_another, look_at_way),
    ("border edges of storeys", 1000, edges_of_storeys, look_at_way),
    ("border edges that rise", 1000, edges_that_rise, look_at_way),
    ("border edges in a row", 1000, edges_in_a_row, look_at_way),
    ("layers without borders", 2000, layers_without_borders, look_at_way),
    ("layers as storeys", 2000, layers_as_storeys, look_at_way),
    ("layers on one another", 2000, layers_on_one_another, look_at_way),
    ("layers with seams", 2000, layers_with_seams, look_at_way),
    ("layers of many cell sizes", 2000, layers_of_many_cell_sizes, look_at_way),
    ("places that meet", 2000, places_that_meet, look_at_way),
    ("keys", 5000, keys, look_at_way),
    ("empty slots", 2000, gaps, look_at_way),
    ("polygons on one another", 2000, polygons_on_one_another, look_at_way),
    ("slivers", 1000, slivers, look_at_way),
    ("large polygons beside each other", 3000, large_neighbours, look_at_way),
    ("a large polygon of many details", 3000, large_details, look_at_way),
    ("triangles around a vertex", 2000, hub, look_at_way),
    ("built: triangles around a vertex", 2000, corners_around_a_vertex, build_from),
    ("built: triangles on one edge", 2000, corners_on_one_edge, build_from),
    ("shared details", 4000, shared_details, validate_shared),
    ("connections at one place", 2000, connections_at_one_place, look_at_way),
    ("connections over polygons on one another", 1000, connections_over_polygons_on_one_another, look_at_way),
    ("connections of a row", 2000, connections_of_a_row, look_at_way),
    ("connections that reach far", 1000, connections_that_reach_far, look_at_way),
    ("details that all share", 4000, details_that_all_share, look_at_parts),
    ("seams again and again", 4000, seams_again_and_again, look_at_parts),
    ("seams at many heights", 4000, seams_at_many_heights, look_at_parts),
    ("layers, tile by tile", 2000, layers_without_borders, look_at_parts),
    ("sections of a mesh", 4000, sections_of_a_mesh, look_at_parts),
    ("sections of a tile", 4000, sections_of_a_tile, look_at_parts),
    ("sections without tiles", 4000, sections_without_tiles, look_at_parts),
    ("sections with long names", 2000, sections_with_long_names, look_at_parts),
    ("sections of one name", 4000, sections_of_one_name, look_at_parts),
    ("tiles that overlap", 2000, tiles_that_overlap, look_at_parts),
    ("tiles at one place", 2000, tiles_at_one_place, look_at_parts),
    ("counts beyond the bytes", 4000, counts_beyond_the_bytes, look_at_parts),
    ("Detour: layers", 1000, detour_layers, look_at_detour),
    ("Detour: border edges on one another", 1000, detour_edges, look_at_detour),
];

#[test]
fn work_and_memory_go_by_the_bytes() {
    for (what, n, make, read) in FAMILIES {
        hold([what], n, make, read);
    }
}
