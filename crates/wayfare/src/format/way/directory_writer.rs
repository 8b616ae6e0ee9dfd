//! Writes the directory: it grows part by part with the file, 40 bytes a tile, and is written at the end.

use super::section::{Section, Sections};
use super::{HEAD_BYTES, MAGIC, MARK, TRAILER_BYTES, VERSION};
use crate::math::bytes::Writer;
use crate::tile::{TileCoord, TileLayout};
use xxhash_rust::xxh3::xxh3_64;

/// The directory of the parts written so far.
#[derive(Debug)]
pub(super) struct DirectoryWriter {
    layout: TileLayout,
    user_id: u64,
    /// Number of bytes written so far.
    written: u64,
    tile_count: u32,
    place_count: u32,
    tiles: Writer,
    places: Writer,
    sections: Writer,
}

impl DirectoryWriter {
    /// Appends the head of the file.
    pub(super) fn begin(layout: TileLayout, user_id: u64, out: &mut Writer) -> Self {
        out.bytes.extend_from_slice(&MAGIC);
        out.u32(VERSION);
        Self {
            layout,
            user_id,
            written: HEAD_BYTES as u64,
            tile_count: 0,
            place_count: 0,
            tiles: Writer::default(),
            places: Writer::default(),
            sections: Writer::default(),
        }
    }

    /// Records a tile of `bytes` bytes that was appended, and appends its sections. `at` is its slot and salt.
    pub(super) fn tile(
        &mut self,
        at: (u32, u16),
        length: usize,
        (coord, sections): (TileCoord, &Sections),
        out: &mut Writer,
    ) {
        let bytes = &out.bytes[out.bytes.len() - length..];
        self.written += length as u64;
        self.tiles.u32(at.0);
        self.tiles.u16(at.1);
        self.tiles.u16(0);
        write_coord(coord, &mut self.tiles);
        self.tiles.u32(sections.iter().len() as u32);
        self.tiles.u64(length as u64);
        self.tiles.u64(xxh3_64(bytes));
        self.tile_count += 1;
        sections.iter().for_each(|(name, section)| self.section(name, section, out));
    }

    /// Appends the sections of a place that has no tile.
    pub(super) fn place(&mut self, coord: TileCoord, sections: &Sections, out: &mut Writer) {
        write_coord(coord, &mut self.places);
        self.places.u32(sections.iter().len() as u32);
        self.place_count += 1;
        sections.iter().for_each(|(name, section)| self.section(name, section, out));
    }

    /// Appends a section.
    fn section(&mut self, name: &str, section: &Section, out: &mut Writer) {
        let Section { version, bytes } = section;
        self.written += bytes.len() as u64;
        self.sections.u32(*version);
        self.sections.u64(name.len() as u64);
        self.sections.u64(bytes.len() as u64);
        self.sections.u64(xxh3_64(bytes));
        self.sections.bytes.extend_from_slice(name.as_bytes());
        out.bytes.extend_from_slice(bytes);
    }

    /// Appends the sections of the mesh, ordered by name, then the mesh part, directory and trailer.
    pub(super) fn finish(mut self, sections: &[(&str, &Section)], mesh_part: &[u8], out: &mut Writer) {
        for (name, section) in sections {
            self.section(name, section, out);
        }
        out.bytes.extend_from_slice(mesh_part);
        self.written += mesh_part.len() as u64;
        let start = out.bytes.len();
        out.u64(self.user_id);
        out.vec3(self.layout.origin);
        out.f32(self.layout.tile_width);
        out.f32(self.layout.tile_depth);
        [self.tile_count, self.place_count, sections.len() as u32].into_iter().for_each(|count| out.u32(count));
        out.u64(mesh_part.len() as u64);
        out.u64(xxh3_64(mesh_part));
        for list in [self.tiles, self.places, self.sections] {
            out.bytes.extend_from_slice(&list.bytes);
        }
        let length = (out.bytes.len() - start) as u64;
        out.u64(length);
        out.u64(self.written + length + TRAILER_BYTES as u64);
        out.u32(VERSION);
        out.bytes.extend_from_slice(&MARK);
        let checksum = xxh3_64(&out.bytes[start..]);
        out.u64(checksum);
    }
}

fn write_coord(coord: TileCoord, out: &mut Writer) {
    out.i32(coord.x);
    out.i32(coord.z);
    out.u32(coord.layer);
}
