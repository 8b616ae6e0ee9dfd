//! Files corrupted after they were written, with bytes that no writer writes and repaired checksums.

use super::WayFile;
use super::hostile_files::{
    LAYOUT, WALL, add, at_border, beside, file, layers_without_borders, seam, tile_at, with_seams,
};
use super::way::seal::{directory_of, seal};
use crate::mesh::NavMesh;
use crate::tile::{DetailRange, DetailTri, TileCoord};
use glam::Vec3;

/// The head of a file, and that of a tile up to its arrays.
pub(super) const TILE_ARRAYS: usize = 12 + 84;

pub(super) fn mended(mut bytes: Vec<u8>, edit: impl FnOnce(&mut [u8])) -> Vec<u8> {
    edit(&mut bytes);
    seal(&mut bytes);
    bytes
}

/// All polygons say that their details are all that there are.
pub(super) fn details_that_all_share(n: u32) -> Vec<u8> {
    let mut tile = tile_at(0, 0);
    (0..n).for_each(|_| add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]));
    tile.detail_tris = vec![DetailTri { verts: [0, 1, 2], outline: 0 }; n as usize];
    let range = |k| DetailRange { first_vert: 0, first_tri: k, vert_count: 0, tri_count: 1 };
    tile.details = (0..n).map(range).collect();
    mended(file(vec![tile], &[]), |bytes| {
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

/// The same seam, this many times.
pub(super) fn seams_again_and_again(n: u32) -> Vec<u8> {
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

pub(super) fn seams_at_many_heights(n: u32) -> Vec<u8> {
    beside(|tile| {
        at_border(tile, [2.0, 8.0], [0.0; 2]);
        let there = 65_535 - tile.coord.x as u32;
        with_seams(tile, (0..n).map(|k| seam(1, 10, k, there)));
    })
}

// ---- the directory

pub(super) fn with_sections(n: u32, fill: impl Fn(&mut WayFile, u32)) -> Vec<u8> {
    let tile = |x| {
        let mut tile = tile_at(x, 0);
        add(&mut tile, &[Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0], &[WALL; 3]);
        tile.build().unwrap()
    };
    let mut file = WayFile::from(NavMesh::from_tiles(LAYOUT, vec![tile(0), tile(1)]).unwrap());
    (0..n).for_each(|k| fill(&mut file, k));
    file.to_bytes()
}

pub(super) fn sections_of_a_mesh(n: u32) -> Vec<u8> {
    with_sections(n, |file, k| file.sections.set(&format!("{k:08}"), k, Vec::new()))
}

pub(super) fn sections_of_a_tile(n: u32) -> Vec<u8> {
    with_sections(n, |file, k| {
        file.tile_sections.get_mut(TileCoord { x: 1, z: 0, layer: 0 }).set(&format!("{k:08}"), 1, vec![7; 3]);
    })
}

pub(super) fn sections_without_tiles(n: u32) -> Vec<u8> {
    with_sections(n, |file, k| {
        file.tile_sections.get_mut(TileCoord { x: 0, z: 0, layer: k + 1 }).set("", 1, Vec::new());
    })
}

pub(super) fn sections_with_long_names(n: u32) -> Vec<u8> {
    with_sections(40, |file, k| file.sections.set(&format!("{}{k:08}", "n".repeat(n as usize)), 1, Vec::new()))
}

/// The last of them has the name of the one before.
pub(super) fn sections_of_one_name(n: u32) -> Vec<u8> {
    mended(sections_of_a_mesh(n), |bytes| {
        let last = bytes.len() - 36 - 8;
        bytes.copy_within(last - 36..last - 28, last);
    })
}

/// Each tile is said to reach to the directory.
pub(super) fn tiles_that_overlap(n: u32) -> Vec<u8> {
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
pub(super) fn tiles_at_one_place(n: u32) -> Vec<u8> {
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
pub(super) fn counts_beyond_the_bytes(n: u32) -> Vec<u8> {
    let whole = sections_of_a_mesh(n);
    let start = directory_of(&whole).unwrap();
    mended(whole, |bytes| bytes[start + 36..start + 40].fill(255))
}
