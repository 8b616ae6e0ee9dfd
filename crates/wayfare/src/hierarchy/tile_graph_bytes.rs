//! A tile's part of the abstract graph as bytes, which a store keeps beside the tile.
//!
//! ```text
//!   | version | reach | lattice | areas | portals | edges, each once, from the lower portal |
//! ```
//!
//! All positions lie on the tile's [lattice](super::graph_lattice). Most numbers are small, so each takes only as many
//! bytes as it needs, with seven bits per byte. What follows from the bytes before is left out: the coordinate of a run
//! that lies on the border, a node that is at the middle of its run, the area of an edge whose portals share only one,
//! and the straight part of its length.
//!
//! Cost: linear in the bytes, in time and memory.
//!
//! Sources: none needed.

use super::TileGraph;
use super::graph_lattice::{GraphLattice, along};
use super::tile_graph::{GraphArea, GraphEdge, GraphPortal};
use crate::area::{AreaId, PolyFlags};
use crate::math::bytes::{Reader, Truncated, Writer};
use crate::math::index::NONE;
use crate::mesh::PolyState;
use crate::tile::Side;
use glam::Vec3;

const VERSION: u8 = 2;

/// Bytes that are not a part of an abstract graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphBytesError {
    /// A later version of the format.
    #[error("the graph has version {version} of the format, but this program knows version {VERSION}: make it anew")]
    Version {
        /// The version found.
        version: u8,
    },
    /// They are cut short or damaged.
    #[error("the graph is damaged: make it anew from the tile")]
    Damaged,
}

impl From<Truncated> for GraphBytesError {
    fn from(_: Truncated) -> Self {
        Self::Damaged
    }
}

/// The first byte of a portal. The lowest bits: its side, or this if it has none.
const SIDE: u8 = 0b111;
/// Its first area is that of the portal before.
const SAME_AREA: u8 = 1 << 3;
/// The node is halfway between the ends.
const HALFWAY: u8 = 1 << 4;
/// Its lowest and highest points are its ends.
const LEVEL: u8 = 1 << 5;
/// It lies on the border of the tile's extent.
const ON_BORDER: u8 = 1 << 6;
/// The first end is the one with the greater coordinate along the side.
const BACKWARDS: u8 = 1 << 7;

impl TileGraph {
    /// Encodes it.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.u8(VERSION);
        out.f32(self.reach);
        out.vec3(self.lattice.origin);
        out.u8(self.lattice.exponent as u8);
        self.lattice.far.into_iter().for_each(|number| out.signed(number));
        write_areas(&mut out, &self.areas);
        out.number(self.portals.len() as u32);
        let mut before = PortalBefore::default();
        self.portals.iter().for_each(|portal| before.write(&mut out, portal, &self.lattice));
        for portal in 0..self.portals.len() as u32 {
            let upwards = self.edges_of(portal).iter().filter(|edge| edge.to > portal);
            out.number(upwards.clone().count() as u32);
            let mut last = portal;
            for edge in upwards {
                self.write_edge(&mut out, (portal, last), edge);
                last = edge.to;
            }
        }
        out.bytes
    }

    /// Decodes what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// [`GraphBytesError`] for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GraphBytesError> {
        let mut reader = Reader::new(bytes);
        let version = reader.u8()?;
        if version != VERSION {
            return Err(GraphBytesError::Version { version });
        }
        let reach = reader.f32()?;
        let lattice = read_lattice(&mut reader)?;
        let mut graph = Self { reach, lattice, areas: read_areas(&mut reader)?, ..Self::default() };
        if !reach.is_finite() {
            return Err(GraphBytesError::Damaged);
        }
        let mut before = PortalBefore::default();
        for _ in 0..reader.number()? {
            let portal = before.read(&mut reader, &lattice)?;
            let [first, second] = portal.areas.map(|area| (area as usize) < graph.areas.len());
            if !first || !second && portal.areas[1] != NONE {
                return Err(GraphBytesError::Damaged);
            }
            graph.portals.push(portal);
        }
        let mut directed = Vec::new();
        for portal in 0..graph.portals.len() as u32 {
            let mut last = portal;
            for _ in 0..reader.number()? {
                let GraphEdge { to, area, length } = graph.read_edge(&mut reader, (portal, last))?;
                directed.extend([(portal, to, area, length), (to, portal, area, length)]);
                last = to;
            }
        }
        if !reader.is_empty() {
            return Err(GraphBytesError::Damaged);
        }
        directed.sort_by_key(|&(from, to, area, _)| (from, to, area));
        graph.set_edges(&directed);
        Ok(graph)
    }

    fn write_edge(&self, out: &mut Writer, (from, last): (u32, u32), edge: &GraphEdge) {
        let ends = [from, edge.to].map(|portal| &self.portals[portal as usize]);
        let beyond = edge.to - last;
        // Two portals may share both areas.
        match ends[0].areas {
            [_, NONE] => out.number(beyond),
            [first, _] => out.number(beyond << 1 | u32::from(edge.area != first)),
        }
        out.number(self.lattice.excess(ends[0].middle.distance(ends[1].middle), edge.length));
    }

    fn read_edge(&self, reader: &mut Reader<'_>, (from, last): (u32, u32)) -> Result<GraphEdge, GraphBytesError> {
        let here = &self.portals[from as usize];
        let number = reader.number()?;
        let (beyond, area) = match here.areas {
            [first, NONE] => (number, first),
            areas => (number >> 1, areas[(number & 1) as usize]),
        };
        let to = last.checked_add(beyond).ok_or(GraphBytesError::Damaged)?;
        let there = self.portals.get(to as usize).filter(|there| to > from && there.areas.contains(&area));
        let straight = there.ok_or(GraphBytesError::Damaged)?.middle.distance(here.middle);
        let length = self.lattice.length(straight, reader.number()?);
        if length.is_finite() { Ok(GraphEdge { to, area, length }) } else { Err(GraphBytesError::Damaged) }
    }
}

/// What the next portal is encoded relative to: the previous one.
#[derive(Default)]
struct PortalBefore {
    area: u32,
    height: i32,
}

impl PortalBefore {
    fn write(&mut self, out: &mut Writer, portal: &GraphPortal, lattice: &GraphLattice) {
        let [a, b] = portal.ends.map(|end| lattice.numbers(end));
        let heights = portal.heights.map(|height| lattice.height_number(height));
        let is_halfway = lattice.numbers(portal.middle) == lattice.halfway(portal.ends);
        let is_level = heights == [a[1].min(b[1]), a[1].max(b[1])];
        let mut head = portal.side.map_or(Side::ALL.len() as u8, |side| side as u8);
        let mut set = |bit: u8, is_set: bool| head |= if is_set { bit } else { 0 };
        set(SAME_AREA, portal.areas[0] == self.area);
        set(HALFWAY, is_halfway);
        set(LEVEL, is_level);
        let border = portal.side.map(|side| on_border(side, lattice));
        let [is_on_border, is_backwards] = match (portal.side, border) {
            (Some(side), Some((axis, at))) => [a[axis] == at && b[axis] == at, a[along(side)] > b[along(side)]],
            _ => [false; 2],
        };
        set(ON_BORDER, is_on_border);
        set(BACKWARDS, is_backwards);
        out.u8(head);
        if portal.areas[0] != self.area {
            out.number(portal.areas[0]);
        }
        if portal.side.is_none() {
            // `NONE` is all ones, and encoded as 0.
            out.number(portal.areas[1].wrapping_add(1));
        }
        match portal.side.filter(|_| is_on_border) {
            Some(side) => {
                let axis = along(side);
                let [low, high] = if is_backwards { [b, a] } else { [a, b] };
                out.signed(low[axis]);
                out.number(high[axis].wrapping_sub(low[axis]) as u32);
                out.signed(a[1].wrapping_sub(self.height));
                out.signed(b[1].wrapping_sub(a[1]));
            }
            None => {
                place_from(out, a, [0, self.height, 0]);
                place_from(out, b, a);
            }
        }
        if !is_halfway {
            place_from(out, lattice.numbers(portal.middle), a);
        }
        if !is_level {
            out.signed(heights[0].wrapping_sub(a[1]));
            out.signed(heights[1].wrapping_sub(a[1]));
        }
        (self.area, self.height) = (portal.areas[0], a[1]);
    }

    fn read(&mut self, reader: &mut Reader<'_>, lattice: &GraphLattice) -> Result<GraphPortal, GraphBytesError> {
        let head = reader.u8()?;
        let has = |bit: u8| head & bit != 0;
        let side = (head & SIDE) as usize;
        if side > Side::ALL.len() {
            return Err(GraphBytesError::Damaged);
        }
        let side = Side::ALL.get(side).copied();
        let first = if has(SAME_AREA) { self.area } else { reader.number()? };
        let second = if side.is_none() { reader.number()?.wrapping_sub(1) } else { NONE };
        let [a, b] = match side.filter(|_| has(ON_BORDER)) {
            Some(side) => self.read_run(reader, (side, has(BACKWARDS)), lattice)?,
            None => {
                let a = read_place(reader, [0, self.height, 0])?;
                [a, read_place(reader, a)?]
            }
        };
        let ends = [finite(lattice.place(a))?, finite(lattice.place(b))?];
        let middle = if has(HALFWAY) { lattice.halfway(ends) } else { read_place(reader, a)? };
        let heights = if has(LEVEL) {
            [a[1].min(b[1]), a[1].max(b[1])]
        } else {
            [reader.signed()?.wrapping_add(a[1]), reader.signed()?.wrapping_add(a[1])]
        };
        (self.area, self.height) = (first, a[1]);
        let heights = heights.map(|height| lattice.height(height));
        if !heights.iter().all(|height| height.is_finite()) {
            return Err(GraphBytesError::Damaged);
        }
        Ok(GraphPortal { middle: finite(lattice.place(middle))?, ends, heights, areas: [first, second], side })
    }

    fn read_run(
        &self,
        reader: &mut Reader<'_>,
        (side, is_backwards): (Side, bool),
        lattice: &GraphLattice,
    ) -> Result<[[i32; 3]; 2], Truncated> {
        let (across, at) = on_border(side, lattice);
        let low = reader.signed()?;
        let high = low.wrapping_add(reader.number()? as i32);
        let a_height = reader.signed()?.wrapping_add(self.height);
        let heights = [a_height, reader.signed()?.wrapping_add(a_height)];
        let place = |along_at: i32, height: i32| {
            let mut numbers = [0, height, 0];
            numbers[across] = at;
            numbers[along(side)] = along_at;
            numbers
        };
        let [first, second] = if is_backwards { [high, low] } else { [low, high] };
        Ok([place(first, heights[0]), place(second, heights[1])])
    }
}

/// The axis across a side, and the number of the tile's border on it.
fn on_border(side: Side, lattice: &GraphLattice) -> (usize, i32) {
    let axis = 2 - along(side);
    let is_far = matches!(side, Side::XMax | Side::ZMax);
    (axis, if is_far { lattice.far[axis] } else { 0 })
}

fn write_areas(out: &mut Writer, areas: &[GraphArea]) {
    out.number(areas.len() as u32);
    let mut before = AreaBefore::default();
    for area in areas {
        let is_same = area.state == before.state;
        out.number((area.poly.wrapping_sub(before.poly)) << 1 | u32::from(is_same));
        if !is_same {
            out.u8(area.state.area.get());
            out.u16(area.state.flags.0);
        }
        before = AreaBefore { poly: area.poly, state: area.state };
    }
}

fn read_areas(reader: &mut Reader<'_>) -> Result<Vec<GraphArea>, GraphBytesError> {
    let mut areas = Vec::new();
    let mut before = AreaBefore::default();
    for _ in 0..reader.number()? {
        let number = reader.number()?;
        before.poly = before.poly.wrapping_add(number >> 1);
        if number & 1 == 0 {
            let area = AreaId::new(reader.u8()?).map_err(|_| GraphBytesError::Damaged)?;
            before.state = PolyState { area, flags: PolyFlags(reader.u16()?) };
        }
        areas.push(GraphArea { poly: before.poly, state: before.state });
    }
    Ok(areas)
}

/// What the next area is encoded relative to. Initially the state of most polygons.
struct AreaBefore {
    poly: u32,
    state: PolyState,
}

impl Default for AreaBefore {
    fn default() -> Self {
        Self { poly: 0, state: PolyState { area: AreaId::WALKABLE, flags: PolyFlags::WALK } }
    }
}

fn read_lattice(reader: &mut Reader<'_>) -> Result<GraphLattice, GraphBytesError> {
    let origin = finite(reader.vec3()?)?;
    let exponent = reader.u8()? as i8;
    if !GraphLattice::EXPONENTS.contains(&exponent) {
        return Err(GraphBytesError::Damaged);
    }
    Ok(GraphLattice { origin, exponent, far: read_place(reader, [0; 3])? })
}

fn place_from(out: &mut Writer, place: [i32; 3], from: [i32; 3]) {
    place.into_iter().zip(from).for_each(|(number, from)| out.signed(number.wrapping_sub(from)));
}

fn read_place(reader: &mut Reader<'_>, from: [i32; 3]) -> Result<[i32; 3], Truncated> {
    let mut place = from;
    for number in &mut place {
        *number = number.wrapping_add(reader.signed()?);
    }
    Ok(place)
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
