//! A tile's part of the abstract graph as bytes: what a store keeps beside the tile.
//!
//! ```text
//!   | version | reach | areas | portals | edges, each once, from the lower portal |
//! ```
//!
//! Numbers are small in most tiles, so they take as many bytes as they need, seven bits in each.
//!
//! Cost: linear in the bytes, in time and memory.
//!
//! Sources: none needed.

use super::TileGraph;
use super::tile_graph::{GraphArea, GraphPortal};
use crate::area::{AreaId, PolyFlags};
use crate::math::bytes::{Reader, Truncated, Writer};
use crate::math::index::NONE;
use crate::mesh::PolyState;
use crate::tile::Side;
use glam::Vec3;

const VERSION: u8 = 1;

/// Bytes that are no part of an abstract graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphBytesError {
    /// A later version of the format.
    #[error("the graph has version {version} of the format, but this program knows version {VERSION}: make it anew")]
    Version {
        /// The version found.
        version: u8,
    },
    /// They end too early, or mean nothing.
    #[error("the graph is damaged: make it anew from the tile")]
    Damaged,
}

impl From<Truncated> for GraphBytesError {
    fn from(_: Truncated) -> Self {
        Self::Damaged
    }
}

impl TileGraph {
    /// Its bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.u8(VERSION);
        out.f32(self.reach);
        out.number(self.areas.len() as u32);
        for area in &self.areas {
            out.number(area.poly);
            out.u8(area.state.area.get());
            out.u16(area.state.flags.0);
            out.vec3(area.center);
        }
        out.number(self.portals.len() as u32);
        self.portals.iter().for_each(|portal| write_portal(&mut out, portal));
        for portal in 0..self.portals.len() as u32 {
            let upwards = self.edges_of(portal).iter().filter(|edge| edge.to > portal);
            out.number(upwards.clone().count() as u32);
            for edge in upwards {
                out.number(edge.to);
                out.number(edge.area);
                out.f32(edge.length);
            }
        }
        out.bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// [`GraphBytesError`] for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GraphBytesError> {
        let mut reader = Reader::new(bytes);
        let version = reader.u8()?;
        if version != VERSION {
            return Err(GraphBytesError::Version { version });
        }
        let mut graph = Self { reach: reader.f32()?, ..Self::default() };
        if !graph.reach.is_finite() {
            return Err(GraphBytesError::Damaged);
        }
        for _ in 0..reader.number()? {
            graph.areas.push(read_area(&mut reader)?);
        }
        for _ in 0..reader.number()? {
            let portal = read_portal(&mut reader)?;
            let [first, second] = portal.areas.map(|area| (area as usize) < graph.areas.len());
            if !first || !second && portal.areas[1] != NONE {
                return Err(GraphBytesError::Damaged);
            }
            graph.portals.push(portal);
        }
        let mut directed = Vec::new();
        let count = graph.portals.len() as u32;
        for portal in 0..count {
            for _ in 0..reader.number()? {
                let to = reader.number()?;
                let area = reader.number()?;
                let length = reader.f32()?;
                let is_sound = length >= 0.0 && length.is_finite() && (area as usize) < graph.areas.len();
                if to <= portal || to >= count || !is_sound {
                    return Err(GraphBytesError::Damaged);
                }
                directed.extend([(portal, to, area, length), (to, portal, area, length)]);
            }
        }
        if !reader.is_empty() {
            return Err(GraphBytesError::Damaged);
        }
        directed.sort_by_key(|&(from, to, area, _)| (from, to, area));
        graph.set_edges(&directed);
        Ok(graph)
    }
}

fn write_portal(out: &mut Writer, portal: &GraphPortal) {
    out.u8(portal.side.map_or(Side::ALL.len() as u8, |side| side as u8));
    for number in [portal.areas[0], portal.polys[0]] {
        out.number(number);
    }
    for number in [portal.areas[1], portal.polys[1]] {
        // None is all ones, and 0 here.
        out.number(number.wrapping_add(1));
    }
    for place in [portal.middle, portal.ends[0], portal.ends[1]] {
        out.vec3(place);
    }
    out.f32(portal.heights[0]);
    out.f32(portal.heights[1]);
}

fn read_portal(reader: &mut Reader<'_>) -> Result<GraphPortal, GraphBytesError> {
    let side = reader.u8()? as usize;
    if side > Side::ALL.len() {
        return Err(GraphBytesError::Damaged);
    }
    let side = Side::ALL.get(side).copied();
    let first = [reader.number()?, reader.number()?];
    let second = [reader.number()?.wrapping_sub(1), reader.number()?.wrapping_sub(1)];
    let places = [finite(reader.vec3()?)?, finite(reader.vec3()?)?, finite(reader.vec3()?)?];
    let heights = [reader.f32()?, reader.f32()?];
    if !heights.iter().all(|height| height.is_finite()) {
        return Err(GraphBytesError::Damaged);
    }
    let areas = [first[0], second[0]];
    let polys = [first[1], second[1]];
    Ok(GraphPortal { middle: places[0], ends: [places[1], places[2]], heights, areas, polys, side })
}

fn read_area(reader: &mut Reader<'_>) -> Result<GraphArea, GraphBytesError> {
    let poly = reader.number()?;
    let area = AreaId::new(reader.u8()?).map_err(|_| GraphBytesError::Damaged)?;
    let flags = PolyFlags(reader.u16()?);
    Ok(GraphArea { poly, state: PolyState { area, flags }, center: finite(reader.vec3()?)? })
}

fn finite(place: Vec3) -> Result<Vec3, GraphBytesError> {
    if place.is_finite() { Ok(place) } else { Err(GraphBytesError::Damaged) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use crate::query::test_maps::random_map;

    #[test]
    fn bytes_are_read_back_and_others_do_no_harm() {
        let mut rng = Rng::new(8);
        for _ in 0..20 {
            let mesh = random_map(&mut rng, 2, 6);
            for tile in mesh.tiles() {
                let graph = TileGraph::of(tile.data(), tile.states());
                let bytes = graph.to_bytes();
                assert_eq!(TileGraph::from_bytes(&bytes).as_ref(), Ok(&graph));
                for end in 0..bytes.len() {
                    assert!(TileGraph::from_bytes(&bytes[..end]).is_err());
                }
                let mut longer = bytes.clone();
                longer.push(0);
                assert!(TileGraph::from_bytes(&longer).is_err());
                for _ in 0..50 {
                    let mut worse = bytes.clone();
                    let at = rng.below(worse.len() as u32) as usize;
                    worse[at] ^= 1 << rng.below(8);
                    // Whatever it reads, no index leads beyond its lists.
                    if let Ok(read) = TileGraph::from_bytes(&worse) {
                        for portal in 0..read.portals().len() as u32 {
                            assert!(read.edges_of(portal).iter().all(|e| (e.to as usize) < read.portals().len()));
                        }
                    }
                }
            }
        }
    }
}
