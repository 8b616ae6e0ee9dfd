//! Writing.

use super::sections::{
    Counts, write_areas, write_connection, write_gap, write_head, write_keys, write_slot, write_tail,
};
use super::tile_bytes::write_tile;
use crate::math::bytes::Writer;
use crate::mesh::NavMesh;
use crate::tile::TileKeys;
use xxhash_rust::xxh3::xxh3_64;

/// The bytes of a mesh, and of the keys of its tiles.
pub(super) fn write_file(mesh: &NavMesh, keys: &TileKeys) -> Vec<u8> {
    let mut out = Writer::default();
    write_head(mesh.layout(), mesh.user_id(), &mut out);
    for tile in mesh.tiles() {
        write_slot(tile.slot().get(), tile.salt(), &mut out);
        write_tile(tile.data(), tile.states(), &mut out);
    }
    let mut counts = Counts {
        tiles: mesh.tile_count(),
        connections: mesh.connection_count(),
        areas: mesh.areas().iter().len() as u32,
        keys: keys.iter().len() as u32,
        ..Counts::default()
    };
    for (slot, gap) in mesh.slot_gaps() {
        write_gap(slot, gap.salt, gap.retired, &mut out);
        counts.slot_gaps += 1;
    }
    for (index, gap) in mesh.connection_gaps() {
        write_gap(index, gap.salt, gap.retired, &mut out);
        counts.connection_gaps += 1;
    }
    for connection in mesh.connections() {
        let reference = connection.reference();
        let place = (reference.poly().get(), reference.salt());
        write_connection(place, connection.definition(), connection.state(), &mut out);
    }
    write_areas(mesh.areas(), &mut out);
    write_keys(keys, &mut out);
    let before = out.bytes.len() as u64;
    write_tail(counts, before, &mut out);
    let checksum = xxh3_64(&out.bytes);
    out.u64(checksum);
    out.bytes
}

/// The XXH3-64 of a file in hexadecimal.
pub(super) fn digest_of(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

impl NavMesh {
    /// The bytes of a `.way` file that holds the mesh and nothing beside it. The same mesh gives the same bytes, on
    /// every platform.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        write_file(self, &TileKeys::EMPTY)
    }

    /// The XXH3-64 of the mesh's [bytes](Self::to_bytes) in hexadecimal: equal for equal meshes.
    #[must_use]
    pub fn digest(&self) -> String {
        digest_of(&self.to_bytes())
    }
}
