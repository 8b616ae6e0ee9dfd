//! Files that were made to cost much: whatever is read of them, connected, checked and first asked, takes work and
//! memory in proportion to their bytes.
//!
//! Each family is one list of one format with n, 2n and 4n equal or adverse elements. Counted are the steps of inner
//! loops ([`count`](crate::math::steps::count)) and the bytes that are allocated. Where work would grow faster, it ends
//! at a limit that goes by the bytes, with an error; so every family begins at a size where that limit matters.

use super::hostile_bytes::*;
use super::hostile_files::*;
use super::way::seal::directory_of;
use super::{WayDirectory, WayFile};
use crate::area::PolyFlags;
use crate::components::Components;
use crate::math::steps::counted;
use crate::mesh::NavMesh;
use crate::tile::SightGraph;
use allocation_counter::measure;

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
        let _ = SightGraph::of(tile.data(), tile.edges().dead_ends());
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
