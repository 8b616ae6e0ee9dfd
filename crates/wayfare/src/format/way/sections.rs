//! The bytes of the sections other than tiles: what writing a mesh and writing a stream of tiles have in common.

use super::{CHECKSUM_BYTES, MAGIC, MARK, VERSION};
use crate::area::AreaTable;
use crate::math::bytes::Writer;
use crate::mesh::{OffMeshConnection, PolyState};
use crate::tile::{TileKeys, TileLayout};

/// How many of each section there are, in the order of the tail.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) tiles: u32,
    pub(super) slot_gaps: u32,
    pub(super) connection_gaps: u32,
    pub(super) connections: u32,
    pub(super) areas: u32,
    pub(super) keys: u32,
}

pub(super) fn write_head(layout: TileLayout, user_id: u64, out: &mut Writer) {
    out.bytes.extend_from_slice(&MAGIC);
    out.u32(VERSION);
    out.u64(user_id);
    out.vec3(layout.origin);
    out.f32(layout.tile_width);
    out.f32(layout.tile_depth);
}

/// What stands before a tile.
pub(super) fn write_slot(slot: u32, salt: u16, out: &mut Writer) {
    out.u32(slot);
    out.u16(salt);
    out.u16(0);
}

/// An empty place that was used before.
pub(super) fn write_gap(index: u32, salt: u16, retired: bool, out: &mut Writer) {
    out.u32(index);
    out.u16(salt);
    out.u16(u16::from(retired));
}

pub(super) fn write_connection(
    (index, salt): (u32, u16),
    definition: &OffMeshConnection,
    state: PolyState,
    out: &mut Writer,
) {
    out.u32(index);
    out.u16(salt);
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

pub(super) fn write_areas(areas: &AreaTable, out: &mut Writer) {
    for info in areas.iter() {
        out.u8(info.area.get());
        out.u8(info.name.len() as u8);
        out.f32(info.cost);
        out.bytes.extend_from_slice(info.name.as_bytes());
    }
}

pub(super) fn write_keys(keys: &TileKeys, out: &mut Writer) {
    for (coord, key) in keys.iter() {
        out.i32(coord.x);
        out.i32(coord.z);
        out.u32(coord.layer);
        out.u64(key);
    }
}

/// All of the tail but the checksum. `before` bytes stand before it.
pub(super) fn write_tail(counts: Counts, before: u64, out: &mut Writer) {
    let Counts { tiles, slot_gaps, connection_gaps, connections, areas, keys } = counts;
    let counts = [tiles, slot_gaps, connection_gaps, connections, areas, keys];
    counts.into_iter().for_each(|count| out.u32(count));
    out.u64(before + (4 * counts.len() + 8 + MARK.len() + CHECKSUM_BYTES) as u64);
    out.bytes.extend_from_slice(&MARK);
}
