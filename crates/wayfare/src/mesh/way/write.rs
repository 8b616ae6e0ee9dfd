//! Writing.

use super::{CHECKSUM_BYTES, MAGIC, VERSION, tile_bytes::write_tile};
use crate::mesh::bytes::Writer;
use crate::mesh::{Connection, NavMesh};
use xxhash_rust::xxh3::xxh3_64;

impl NavMesh {
    /// The bytes of a `.way` file. The same mesh gives the same bytes, on every platform.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes.extend_from_slice(&MAGIC);
        out.u32(VERSION);
        let length_at = out.bytes.len();
        out.u64(0);
        self.write_head(&mut out);
        for (slot, entry) in self.slots.iter_written().filter(|(_, s)| s.tile.is_none() && (s.salt != 1 || s.retired)) {
            write_gap(slot, entry.salt, entry.retired, &mut out);
        }
        for tile in self.tiles() {
            out.u32(tile.slot);
            out.u16(tile.salt);
            out.u16(0);
            write_tile(tile.data(), &tile.state, &mut out);
        }
        let gaps =
            self.connections.iter_written().filter(|(_, s)| s.connection.is_none() && (s.salt != 1 || s.retired));
        for (index, entry) in gaps {
            write_gap(index, entry.salt, entry.retired, &mut out);
        }
        for connection in self.connections() {
            write_connection(connection, &mut out);
        }
        let length = (out.bytes.len() + CHECKSUM_BYTES) as u64;
        out.bytes[length_at..length_at + 8].copy_from_slice(&length.to_le_bytes());
        let checksum = xxh3_64(&out.bytes);
        out.u64(checksum);
        out.bytes
    }

    /// The XXH3-64 of the mesh's [bytes](Self::to_bytes) in hexadecimal: equal for equal meshes.
    #[must_use]
    pub fn digest(&self) -> String {
        format!("{:016x}", xxh3_64(&self.to_bytes()))
    }

    fn write_head(&self, out: &mut Writer) {
        out.u64(self.user_id);
        out.vec3(self.layout.origin);
        out.f32(self.layout.tile_width);
        out.f32(self.layout.tile_depth);
        let slots = self.slots.iter_written();
        out.u32(slots.filter(|(_, s)| s.tile.is_none() && (s.salt != 1 || s.retired)).count() as u32);
        out.u32(self.tile_count);
        let connections = self.connections.iter_written();
        out.u32(connections.filter(|(_, s)| s.connection.is_none() && (s.salt != 1 || s.retired)).count() as u32);
        out.u32(self.connection_count);
    }
}

/// An empty place that was used before.
fn write_gap(index: u32, salt: u16, retired: bool, out: &mut Writer) {
    out.u32(index);
    out.u16(salt);
    out.u16(u16::from(retired));
}

fn write_connection(connection: &Connection, out: &mut Writer) {
    let (definition, state) = (connection.definition(), connection.state());
    out.u32(connection.reference().poly().get());
    out.u16(connection.reference().salt());
    out.u8(u8::from(definition.two_way));
    out.u8(definition.area.get());
    out.vec3(definition.start);
    out.vec3(definition.end);
    out.f32(definition.radius);
    out.u32(definition.user_id);
    out.u16(definition.flags.0);
    out.u16(state.flags.0);
    out.u8(state.area.get());
    out.bytes.extend_from_slice(&[0; 3]);
}
