//! Writes `.way` files.

use super::directory_writer::DirectoryWriter;
use super::mesh_part::{Counts, write_areas, write_connection, write_gap};
use super::section::NO_SECTIONS;
use super::section::{Section, Sections, TileSections};
use super::tile_bytes::write_tile;
use crate::math::bytes::Writer;
use crate::mesh::NavMesh;
use crate::tile::TileKeys;
use xxhash_rust::xxh3::xxh3_64;

/// The data written beside a mesh.
#[derive(Clone, Copy)]
pub(super) struct BesideMesh<'a> {
    pub(super) keys: &'a TileKeys,
    pub(super) sections: &'a Sections,
    pub(super) tile_sections: &'a TileSections,
}

const NOTHING: BesideMesh<'static> =
    BesideMesh { keys: &NO_KEYS, sections: &NO_SECTIONS, tile_sections: &NO_TILE_SECTIONS };
pub(super) static NO_KEYS: TileKeys = TileKeys::EMPTY;
pub(super) static NO_TILE_SECTIONS: TileSections = TileSections::EMPTY;

/// The bytes of a mesh, and of the data beside it.
pub(super) fn write_file(mesh: &NavMesh, beside: BesideMesh<'_>) -> Vec<u8> {
    let mut out = Writer::default();
    let mut directory = DirectoryWriter::begin(mesh.layout(), mesh.user_id(), &mut out);
    for tile in mesh.tiles() {
        let start = out.bytes.len();
        let coord = tile.coord();
        write_tile(tile.data(), tile.states(), &mut out);
        let length = out.bytes.len() - start;
        directory.tile((tile.slot().get(), tile.salt()), length, (coord, beside.tile_sections.get(coord)), &mut out);
    }
    for (coord, sections) in beside.tile_sections.iter() {
        if mesh.tile_at(coord).is_none() {
            directory.place(coord, sections, &mut out);
        }
    }
    let keys = key_section(beside.keys);
    directory.finish(&mesh_sections(beside.sections, &keys), &mesh_part(mesh), &mut out);
    out.bytes
}

pub(super) fn mesh_part(mesh: &NavMesh) -> Vec<u8> {
    let mut out = Writer::default();
    let counts = Counts {
        slot_gaps: mesh.slot_gaps().count() as u32,
        connection_gaps: mesh.connection_gaps().count() as u32,
        connections: mesh.connection_count(),
        areas: mesh.areas().iter().len() as u32,
    };
    counts.write(&mut out);
    mesh.slot_gaps().for_each(|(slot, gap)| write_gap(slot, gap.salt, gap.retired, &mut out));
    mesh.connection_gaps().for_each(|(index, gap)| write_gap(index, gap.salt, gap.retired, &mut out));
    for connection in mesh.connections() {
        let reference = connection.reference();
        let place = (reference.poly().get(), reference.salt());
        write_connection(place, connection.definition(), connection.state(), &mut out);
    }
    write_areas(mesh.areas(), &mut out);
    out.bytes
}

/// The keys of tiles as a section, if there are any.
pub(super) fn key_section(keys: &TileKeys) -> Option<Section> {
    (!keys.is_empty()).then(|| Section { version: TileKeys::SECTION_VERSION, bytes: keys.to_section() })
}

/// The sections of a mesh by name, including its keys.
pub(super) fn mesh_sections<'a>(sections: &'a Sections, keys: &'a Option<Section>) -> Vec<(&'a str, &'a Section)> {
    let others = sections.iter().filter(|(name, _)| *name != TileKeys::SECTION);
    let mut all: Vec<_> = others.chain(keys.as_ref().map(|keys| (TileKeys::SECTION, keys))).collect();
    all.sort_by_key(|&(name, _)| name);
    all
}

/// The XXH3-64 of a file's bytes in hexadecimal, equal to [`NavMesh::digest`] and
/// [`WayFile::digest`](super::WayFile::digest): for callers that already have the bytes.
#[must_use]
pub fn digest_of(bytes: &[u8]) -> String {
    hex(xxh3_64(bytes))
}

/// A digest in hexadecimal.
pub(super) fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

impl NavMesh {
    /// The bytes of a `.way` file that contains only the mesh. The same mesh gives the same bytes, on every platform.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        write_file(self, NOTHING)
    }

    /// The XXH3-64 of the mesh's [bytes](Self::to_bytes) in hexadecimal: equal for equal meshes.
    #[must_use]
    pub fn digest(&self) -> String {
        digest_of(&self.to_bytes())
    }
}
