//! Writes the data of one tile.

use super::write_connection::write_connection;
use super::write_error::DetourWriteError;
use super::write_tree::{TreeNode, tree_nodes};
use super::{EXTERNAL, MAX_CORNERS, RefBits, TILE_MAGIC, TILE_VERSION};
use crate::math::bytes::Writer;
use crate::mesh::{Connection, NavMesh, Tile};
use crate::tile::{DetailRange, EdgeNeighbour, Poly, Side, TileData};

/// Writes a tile with the connections that start in it.
pub(super) fn write_tile(
    mesh: &NavMesh,
    tile: &Tile,
    connections: &[&Connection],
    bits: RefBits,
    out: &mut Writer,
) -> Result<(), DetourWriteError> {
    let data = tile.data();
    check_limits(tile, connections)?;
    let (quantisation, nodes) = tree_nodes(tile);
    write_head(tile, connections, nodes.len(), quantisation, out);
    for &v in data.verts() {
        out.vec3(v);
    }
    for connection in connections {
        connection.points().into_iter().for_each(|p| out.vec3(p));
    }
    write_polys(tile, out);
    let verts = data.verts().len() as u16;
    for (k, connection) in (0u16..).zip(connections) {
        let ends = [verts + 2 * k, verts + 2 * k + 1, 0, 0, 0, 0];
        let state = connection.state();
        write_poly(ends, [0; MAX_CORNERS], [state.flags.0, 2 | (u16::from(state.area.get()) | 1 << 6) << 8], out);
    }
    // Detour builds its links when the tile is added; it only needs the space.
    let links = link_room(tile, connections) as usize * bits.link_bytes() as usize;
    out.bytes.resize(out.bytes.len() + links, 0);
    write_details(data, out);
    for node in &nodes {
        write_node(node, out);
    }
    for (k, connection) in (0u32..).zip(connections) {
        let side = mesh.detour_side(connection, tile.coord());
        write_connection(connection.definition(), (tile.poly_count() + k) as u16, side, out);
    }
    out.align(4);
    Ok(())
}

fn check_limits(tile: &Tile, connections: &[&Connection]) -> Result<(), DetourWriteError> {
    let data = tile.data();
    let slot = tile.slot().get();
    let check = |what, count: u64, max: u64| {
        if count <= max { Ok(()) } else { Err(DetourWriteError::TooMany { slot, what, count, max }) }
    };
    check("vertices", (data.verts().len() + 2 * connections.len()) as u64, u64::from(u16::MAX))?;
    // Neighbours are stored with one added, in fifteen bits.
    check("polygons", u64::from(tile.poly_count()) + connections.len() as u64, u64::from(EXTERNAL) - 2)?;
    if let Some((poly, p)) = (0u32..).zip(data.polys()).find(|(_, p)| p.count as usize > MAX_CORNERS) {
        return Err(DetourWriteError::Corners { slot, poly, count: p.count });
    }
    for range in data.details() {
        check("detail vertices in a polygon", u64::from(range.vert_count), u64::from(u8::MAX) - MAX_CORNERS as u64)?;
        check("detail triangles in a polygon", u64::from(range.tri_count), u64::from(u8::MAX))?;
    }
    Ok(())
}

fn write_head(tile: &Tile, connections: &[&Connection], nodes: usize, quantisation: f32, out: &mut Writer) {
    let data = tile.data();
    out.u32(TILE_MAGIC);
    out.u32(TILE_VERSION);
    out.i32(data.coord().x);
    out.i32(data.coord().z);
    out.u32(data.coord().layer);
    out.u32(data.user_id());
    out.u32(tile.poly_count() + connections.len() as u32);
    out.u32((data.verts().len() + 2 * connections.len()) as u32);
    out.u32(link_room(tile, connections));
    out.u32(tile.poly_count());
    out.u32(data.detail_verts().len() as u32);
    out.u32(detail_tri_count(data));
    out.u32(nodes as u32);
    out.u32(connections.len() as u32);
    out.u32(tile.poly_count());
    out.f32(data.baked_for().height);
    out.f32(data.baked_for().radius);
    out.f32(data.baked_for().climb);
    let bounds = data.bounds().or_origin();
    out.vec3(bounds.min);
    out.vec3(bounds.max);
    out.f32(quantisation);
}

/// Links that Detour may need for this tile: one per inner edge, several for border edges and for connections. At least
/// one: Detour ends the list of free links at the last, even if there is none.
fn link_room(tile: &Tile, connections: &[&Connection]) -> u32 {
    let borders = tile.data().border_edges().len();
    let inner = tile.data().neighbours().iter().filter(|n| n.as_poly().is_some()).count();
    let across = (2 * borders).max(tile.links().all().len());
    (inner + borders + across + 4 * connections.len() + 2 * tile.links().connections().len()).max(1) as u32
}

fn write_polys(tile: &Tile, out: &mut Writer) {
    let data = tile.data();
    for poly in 0..tile.poly_count() {
        let mut verts = [0; MAX_CORNERS];
        let mut neighbours = [0; MAX_CORNERS];
        for (k, (&v, &n)) in data.corners_of(poly).iter().zip(data.neighbours_of(poly)).enumerate() {
            (verts[k], neighbours[k]) = (v as u16, neighbour_bits(n));
        }
        let state = tile.state(poly);
        let count = data.corners_of(poly).len() as u16;
        write_poly(verts, neighbours, [state.flags.0, count | u16::from(state.area.get()) << 8], out);
    }
}

fn write_poly(verts: [u16; MAX_CORNERS], neighbours: [u16; MAX_CORNERS], rest: [u16; 2], out: &mut Writer) {
    // The first link: none yet.
    out.u32(u32::MAX);
    for v in verts.into_iter().chain(neighbours).chain(rest) {
        out.u16(v);
    }
}

fn neighbour_bits(neighbour: EdgeNeighbour) -> u16 {
    match (neighbour.as_poly(), neighbour.as_border()) {
        (Some(poly), _) => poly as u16 + 1,
        (_, Some(side)) => {
            EXTERNAL
                | match side {
                    Side::XMax => 0,
                    Side::ZMax => 2,
                    Side::XMin => 4,
                    Side::ZMin => 6,
                }
        }
        _ => 0,
    }
}

fn fan_tris(corners: u16) -> u32 {
    u32::from(corners) - 2
}

fn detail_tri_count(data: &TileData) -> u32 {
    data.polys().iter().zip(details(data)).map(|(p, range)| tri_count(p, range)).sum()
}

fn details(data: &TileData) -> impl Iterator<Item = DetailRange> + '_ {
    (0..data.polys().len() as u32).map(|poly| data.detail_of(poly))
}

/// The triangles of a polygon: its own, or those of its fan.
fn tri_count(poly: &Poly, range: DetailRange) -> u32 {
    if range.tri_count > 0 { u32::from(range.tri_count) } else { fan_tris(poly.count) }
}

/// Detail meshes, vertices and triangles. Detour requires triangles for every polygon, so fans are written out.
fn write_details(data: &TileData, out: &mut Writer) {
    let mut first_tri = 0;
    for (p, range) in data.polys().iter().zip(details(data)) {
        let tris = tri_count(p, range);
        out.u32(range.first_vert);
        out.u32(first_tri);
        out.u8(range.vert_count as u8);
        out.u8(tris as u8);
        out.u16(0);
        first_tri += tris;
    }
    for &v in data.detail_verts() {
        out.vec3(v);
    }
    let two_bits = |outline: u16| (0..3).fold(0, |bits, k| bits | (outline >> k & 1) << (2 * k)) as u8;
    for (p, range) in data.polys().iter().zip(details(data)) {
        for tri in &data.detail_tris()[range.first_tri as usize..][..range.tri_count as usize] {
            tri.verts.into_iter().for_each(|v| out.u8(v as u8));
            out.u8(two_bits(tri.outline));
        }
        if range.tri_count == 0 {
            let last = p.count as u8 - 1;
            for k in 1..last {
                [0, k, k + 1].into_iter().for_each(|v| out.u8(v));
                out.u8(two_bits(u16::from(k == 1) | 2 | u16::from(k + 1 == last) << 2));
            }
        }
    }
}

fn write_node(node: &TreeNode, out: &mut Writer) {
    node.low.into_iter().chain(node.high).for_each(|v| out.u16(v));
    out.i32(node.index);
}
