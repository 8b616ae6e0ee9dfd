//! Reads and writes the bytes of one tile: its block, as it is in memory, then the state of its polygons if that has
//! changed.
//!
//! Cost: one copy to write, one copy and the checks to read. Sources: own.

use super::read_error::ReadError;
use crate::area::{AreaId, PolyFlags};
use crate::math::bytes::Writer;
use crate::mesh::{AddTileError, PolyState, original_state};
use crate::tile::TileData;
use std::sync::Arc;

/// Appends a tile with the current state of its polygons.
pub(super) fn write_tile(tile: &TileData, states: &[PolyState], out: &mut Writer) {
    out.bytes.extend_from_slice(&tile.block());
    if !is_original(tile, states) {
        for state in states {
            out.u16(state.flags.0);
            out.u8(state.area.get());
            out.u8(0);
        }
    }
}

fn is_original(tile: &TileData, states: &[PolyState]) -> bool {
    tile.polys().iter().zip(states).all(|(poly, state)| (poly.flags, poly.area) == (state.flags, state.area))
}

/// A hash of a tile's geometry: of everything but the state.
pub(crate) fn tile_digest(tile: &TileData) -> u64 {
    let without_state = tile.with_states(|_, _| (PolyFlags::NONE, AreaId::NULL));
    xxhash_rust::xxh3::xxh3_64(&without_state.block())
}

/// Reads a tile and the state of its polygons, in slot number `slot`.
pub(super) fn read_tile(bytes: &[u8], slot: u32) -> Result<(TileData, Arc<[PolyState]>), ReadError> {
    let unsound = ReadError::Section { section: "tile" };
    let length = TileData::length_of_block(bytes).unwrap_or(bytes.len());
    let (block, states) = bytes.split_at_checked(length).ok_or(unsound.clone())?;
    let data = TileData::from_block(block);
    let data = data.map_err(|error| ReadError::Tile { slot, error: AddTileError::Tile(error) })?;
    if states.is_empty() {
        let states = original_state(&data);
        return Ok((data, states));
    }
    let (records, rest) = states.as_chunks::<4>();
    if !rest.is_empty() || records.len() != data.polys().len() {
        return Err(unsound);
    }
    let unknown = |&&[_, _, area, zero]: &&[u8; 4]| AreaId::new(area).is_err() || zero != 0;
    if let Some(&[_, _, area, zero]) = records.iter().find(unknown) {
        return Err(ReadError::Value { what: "area type", value: u32::from_le_bytes([area, zero, 0, 0]) });
    }
    let state = |&[low, high, area, _]: &[u8; 4]| PolyState {
        flags: PolyFlags(u16::from_le_bytes([low, high])),
        area: AreaId::from_low_bits(area),
    };
    let states: Arc<[PolyState]> = records.iter().map(state).collect();
    // Written only if they differ; otherwise they would be written back as other bytes.
    if is_original(&data, &states) { Err(unsound) } else { Ok((data, states)) }
}
