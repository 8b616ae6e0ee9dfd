//! The bytes of one tile.

use super::read_error::Unsound;
use crate::area::{AreaId, PolyFlags};
use crate::math::Aabb;
use crate::math::bytes::{Reader, Writer, vec3_from};
use crate::mesh::PolyState;
use crate::tile::{DetailRange, DetailTri, EdgeNeighbour, Poly, SeamCell, TileCoord, TileData};
use std::sync::Arc;

/// Appends a tile with the present state of its polygons.
pub(super) fn write_tile(tile: &TileData, states: &[PolyState], out: &mut Writer) {
    write_head(tile, out);
    for (poly, state) in tile.polys.iter().zip(states) {
        out.u16(poly.count);
        out.u16(poly.flags.0);
        out.u16(state.flags.0);
        out.u8(poly.area.get());
        out.u8(state.area.get());
    }
    write_arrays(tile, out);
}

/// A number that tells tiles apart by their geometry: a hash of everything but the state.
pub(in crate::format) fn tile_digest(tile: &TileData) -> u64 {
    let mut out = Writer::default();
    write_head(tile, &mut out);
    tile.polys.iter().for_each(|poly| out.u16(poly.count));
    write_arrays(tile, &mut out);
    xxhash_rust::xxh3::xxh3_64(&out.bytes)
}

fn write_head(tile: &TileData, out: &mut Writer) {
    out.i32(tile.coord.x);
    out.i32(tile.coord.z);
    out.u32(tile.coord.layer);
    out.u32(tile.user_id);
    out.vec3(tile.bounds.min);
    out.vec3(tile.bounds.max);
    for size in [tile.agent_height, tile.agent_radius, tile.agent_climb, tile.cell_size] {
        out.f32(size);
    }
    let counts = [
        tile.polys.len(),
        tile.verts.len(),
        tile.corners.len(),
        tile.details.len(),
        tile.detail_verts.len(),
        tile.detail_tris.len(),
        tile.seams.len(),
    ];
    counts.into_iter().for_each(|count| out.u32(count as u32));
}

fn write_arrays(tile: &TileData, out: &mut Writer) {
    tile.verts.iter().for_each(|&v| out.vec3(v));
    tile.corners.iter().for_each(|&v| out.u32(v));
    tile.neighbours.iter().for_each(|n| out.u32(n.to_bits()));
    for range in &tile.details {
        out.u32(range.first_vert);
        out.u32(range.first_tri);
        out.u16(range.vert_count);
        out.u16(range.tri_count);
    }
    tile.detail_verts.iter().for_each(|&v| out.vec3(v));
    for tri in &tile.detail_tris {
        tri.verts.into_iter().for_each(|v| out.u16(v));
        out.u16(tri.outline);
    }
    for seam in &tile.seams {
        out.u32(seam.edge);
        out.i32(seam.cell);
        out.u16(seam.here);
        out.u16(seam.there);
    }
}

/// Reads a tile and the state of its polygons. Indices are not checked here.
pub(super) fn read_tile(reader: &mut Reader<'_>) -> Result<(TileData, Arc<[PolyState]>), Unsound> {
    let mut tile = TileData::empty(TileCoord { x: reader.i32()?, z: reader.i32()?, layer: reader.u32()? });
    tile.user_id = reader.u32()?;
    tile.bounds = Aabb { min: reader.vec3()?, max: reader.vec3()? };
    (tile.agent_height, tile.agent_radius) = (reader.f32()?, reader.f32()?);
    (tile.agent_climb, tile.cell_size) = (reader.f32()?, reader.f32()?);
    let mut counts = [0; 7];
    for count in &mut counts {
        *count = reader.u32()? as usize;
    }
    let [polys, verts, corners, details, detail_verts, detail_tris, seams] = counts;
    let states = read_polys(&mut tile, reader.records(polys)?)?;
    read_arrays(&mut tile, reader, [verts, corners, details])?;
    tile.detail_verts = reader.records::<12>(detail_verts)?.iter().map(|&v| vec3_from(v)).collect();
    let tris = reader.records::<8>(detail_tris)?.iter();
    let tri = |&[a, b, c, d, e, f, g, h]: &[u8; 8]| DetailTri {
        verts: [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]), u16::from_le_bytes([e, f])],
        outline: u16::from_le_bytes([g, h]),
    };
    tile.detail_tris = tris.map(tri).collect();
    let seam = |&[a, b, c, d, e, f, g, h, i, j, k, l]: &[u8; 12]| SeamCell {
        edge: u32::from_le_bytes([a, b, c, d]),
        cell: i32::from_le_bytes([e, f, g, h]),
        here: u16::from_le_bytes([i, j]),
        there: u16::from_le_bytes([k, l]),
    };
    tile.seams = reader.records::<12>(seams)?.iter().map(seam).collect();
    Ok((tile, states))
}

fn read_polys(tile: &mut TileData, records: &[[u8; 8]]) -> Result<Arc<[PolyState]>, Unsound> {
    // Collecting into a `Result` would grow the lists step by step.
    let areas = || records.iter().flat_map(|record| [record[6], record[7]]);
    if AreaId::new(areas().fold(0, |all, area| all | area)).is_err()
        && let Some(area) = areas().find(|&area| AreaId::new(area).is_err())
    {
        return Err(Unsound::Value { what: "area type", value: u32::from(area) });
    }
    let mut first = 0u32;
    let poly = |&[c0, c1, f0, f1, _, _, area, _]: &[u8; 8]| {
        let count = u16::from_le_bytes([c0, c1]);
        let poly =
            Poly { first, count, flags: PolyFlags(u16::from_le_bytes([f0, f1])), area: AreaId::from_low_bits(area) };
        first = first.saturating_add(u32::from(count));
        poly
    };
    tile.polys = records.iter().map(poly).collect();
    let state = |&[_, _, _, _, s0, s1, _, area]: &[u8; 8]| PolyState {
        flags: PolyFlags(u16::from_le_bytes([s0, s1])),
        area: AreaId::from_low_bits(area),
    };
    Ok(records.iter().map(state).collect())
}

fn read_arrays(
    tile: &mut TileData,
    reader: &mut Reader<'_>,
    [verts, corners, details]: [usize; 3],
) -> Result<(), Unsound> {
    tile.verts = reader.records::<12>(verts)?.iter().map(|&v| vec3_from(v)).collect();
    tile.corners = reader.records::<4>(corners)?.iter().map(|&v| u32::from_le_bytes(v)).collect();
    let neighbours = reader.records::<4>(corners)?;
    let meaningless = |bits: u32| EdgeNeighbour::from_bits(bits).is_none();
    // Collecting into a `Result` would grow the list step by step.
    if let Some(bits) = neighbours.iter().map(|&n| u32::from_le_bytes(n)).find(|&bits| meaningless(bits)) {
        return Err(Unsound::Value { what: "neighbour", value: bits });
    }
    let known = |&n: &[u8; 4]| EdgeNeighbour::from_bits(u32::from_le_bytes(n)).unwrap_or(EdgeNeighbour::WALL);
    tile.neighbours = neighbours.iter().map(known).collect();
    let range = |&[a, b, c, d, e, f, g, h, i, j, k, l]: &[u8; 12]| DetailRange {
        first_vert: u32::from_le_bytes([a, b, c, d]),
        first_tri: u32::from_le_bytes([e, f, g, h]),
        vert_count: u16::from_le_bytes([i, j]),
        tri_count: u16::from_le_bytes([k, l]),
    };
    tile.details = reader.records::<12>(details)?.iter().map(range).collect();
    Ok(())
}
