//! Writing.

use super::sections::{
    Counts, write_areas, write_connection, write_gap, write_head, write_keys, write_slot, write_tail,
};
use super::tile_bytes::write_tile;
use crate::math::bytes::Writer;
use crate::mesh::NavMesh;
use xxhash_rust::xxh3::xxh3_64;

impl NavMesh {
    /// The bytes of a `.way` file. The same mesh gives the same bytes, on every platform.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        write_head(self.layout(), self.user_id(), &mut out);
        for tile in self.tiles() {
            write_slot(tile.slot().get(), tile.salt(), &mut out);
            write_tile(tile.data(), tile.states(), &mut out);
        }
        let mut counts = Counts {
            tiles: self.tile_count(),
            connections: self.connection_count(),
            areas: self.areas().iter().len() as u32,
            keys: self.tile_keys().iter().len() as u32,
            ..Counts::default()
        };
        for (slot, gap) in self.slot_gaps() {
            write_gap(slot, gap.salt, gap.retired, &mut out);
            counts.slot_gaps += 1;
        }
        for (index, gap) in self.connection_gaps() {
            write_gap(index, gap.salt, gap.retired, &mut out);
            counts.connection_gaps += 1;
        }
        for connection in self.connections() {
            let reference = connection.reference();
            let place = (reference.poly().get(), reference.salt());
            write_connection(place, connection.definition(), connection.state(), &mut out);
        }
        write_areas(self.areas(), &mut out);
        write_keys(self.tile_keys(), &mut out);
        let before = out.bytes.len() as u64;
        write_tail(counts, before, &mut out);
        let checksum = xxh3_64(&out.bytes);
        out.u64(checksum);
        out.bytes
    }

    /// The XXH3-64 of the mesh's [bytes](Self::to_bytes) in hexadecimal: equal for equal meshes.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("{:016x}", xxh3_64(&self.to_bytes()))
    }
}
