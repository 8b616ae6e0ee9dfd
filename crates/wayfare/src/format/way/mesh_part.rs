//! The parts of a mesh other than tiles: slots that were used before, off-mesh connections and area types. One part of
//! the file, with its counts at the front.

use crate::area::AreaTable;
use crate::math::bytes::{Reader, Truncated, Writer};
use crate::mesh::{OffMeshConnection, PolyState};

/// How many of each there are, in the order in which they follow.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) slot_gaps: u32,
    pub(super) connection_gaps: u32,
    pub(super) connections: u32,
    pub(super) areas: u32,
}

impl Counts {
    pub(super) fn write(self, out: &mut Writer) {
        let Self { slot_gaps, connection_gaps, connections, areas } = self;
        [slot_gaps, connection_gaps, connections, areas].into_iter().for_each(|count| out.u32(count));
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, Truncated> {
        Ok(Self {
            slot_gaps: reader.u32()?,
            connection_gaps: reader.u32()?,
            connections: reader.u32()?,
            areas: reader.u32()?,
        })
    }
}

/// An empty slot that was used before.
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
