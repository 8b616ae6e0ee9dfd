//! The levels above the tiles of a store as bytes, which a store keeps in its head.
//!
//! ```text
//!   | version | digest of the tiles | costs by state | levels: clusters: entrances, exits, costs |
//! ```
//!
//! They are valid only for the tiles of which they were made: for any others they are ignored, and searches go from
//! portal to portal. Tiles are identified by column, row and layer, since their slots differ from world to world. Data
//! that is only needed to update levels is left out.
//!
//! Cost: linear in the bytes, some dozens per tile.
//!
//! Sources: none needed.

use super::GraphLevels;
use super::closed_parts::AbstractNode;
use super::cluster::{Cluster, ClusterBorder, ClusterExit, Entrance};
use super::graph_levels::{ClusterLevel, SIDE};
use crate::math::bytes::{Reader, Truncated, Writer};
use crate::math::index::NONE;
use crate::mesh::PolyRef;
use crate::tile::{TileCoord, TileLayout};
use std::sync::Arc;

const VERSION: u8 = 1;

/// The places of a world's tiles by slot, and the digest of their contents.
#[derive(Clone, Copy)]
pub(super) struct LevelTiles<'a> {
    /// By slot, which is row by row.
    pub(super) coords: &'a [TileCoord],
    pub(super) digest: &'a str,
}

impl LevelTiles<'_> {
    fn slot_at(&self, coord: TileCoord) -> Option<u32> {
        let order = |coord: &TileCoord| (coord.z, coord.x, coord.layer);
        self.coords.binary_search_by_key(&order(&coord), order).ok().map(|slot| slot as u32)
    }
}

impl GraphLevels {
    /// Encodes levels above these tiles.
    pub(super) fn to_bytes(&self, tiles: LevelTiles<'_>) -> Vec<u8> {
        let mut out = Writer::default();
        out.u8(VERSION);
        out.number(tiles.digest.len() as u32);
        out.bytes.extend_from_slice(tiles.digest.as_bytes());
        out.number(self.profile.len() as u32);
        for (&(area, flags), &cost) in &self.profile {
            out.u8(area);
            out.u16(flags);
            out.f32(cost);
        }
        out.number(self.levels.len() as u32);
        for level in &self.levels {
            out.number(level.numbers.len() as u32);
            for (&(x, z), &number) in &level.numbers {
                out.i32(x);
                out.i32(z);
                if let Some(cluster) = level.cluster(number) {
                    write_cluster(&mut out, cluster, level.side, tiles);
                }
            }
        }
        out.bytes
    }

    /// Decodes what [`to_bytes`](Self::to_bytes) wrote; `None` for anything else, and for levels above other tiles.
    pub(super) fn from_bytes(bytes: &[u8], tiles: LevelTiles<'_>, layout: TileLayout) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        if reader.u8().ok()? != VERSION {
            return None;
        }
        let length = reader.number().ok()? as usize;
        if reader.take(length).ok()? != tiles.digest.as_bytes() {
            return None;
        }
        let levels = Self::read(&mut reader, tiles, layout).ok().flatten()?;
        reader.is_empty().then_some(levels)
    }

    fn read(reader: &mut Reader<'_>, tiles: LevelTiles<'_>, layout: TileLayout) -> Result<Option<Self>, Truncated> {
        let mut levels = Self::empty(None, layout, 0);
        for _ in 0..reader.number()? {
            levels.profile.insert((reader.u8()?, reader.u16()?), reader.f32()?);
        }
        let count = reader.number()?;
        if count > GraphLevels::worth(usize::MAX) {
            return Ok(None);
        }
        for number in 1..=count {
            let mut level = ClusterLevel { side: SIDE.saturating_pow(number), ..ClusterLevel::default() };
            for _ in 0..reader.number()? {
                let at = (reader.i32()?, reader.i32()?);
                let Some(cluster) = read_cluster(reader, (at, level.side), tiles)? else { return Ok(None) };
                level.numbers.insert(at, level.clusters.len() as u32);
                level.clusters.push(Arc::new(cluster));
            }
            level.of_slot.reserve(tiles.coords.len());
            let mut last = ((i32::MIN, i32::MIN), NONE);
            for &coord in tiles.coords {
                // Neighbours in a row are in one cluster, most of them.
                let place = level.place(coord);
                if place != last.0 {
                    last = (place, level.numbers.get(&place).copied().unwrap_or(NONE));
                }
                level.of_slot.push(last.1);
            }
            levels.levels.push(level);
        }
        Ok(Some(levels))
    }
}

fn write_cluster(out: &mut Writer, cluster: &Cluster, side: i32, tiles: LevelTiles<'_>) {
    let portals = &cluster.chosen.portals;
    let corner = (cluster.at.0.wrapping_mul(side), cluster.at.1.wrapping_mul(side));
    out.number(portals.len() as u32);
    for portal in portals {
        write_node(out, portal.node, corner, tiles);
        [portal.at, portal.ends[0], portal.ends[1]].into_iter().for_each(|place| out.vec3(place));
    }
    cluster.costs.iter().for_each(|&cost| out.f32(cost));
    out.number(cluster.chosen.exits.len() as u32);
    for exit in &cluster.chosen.exits {
        out.number(exit.from << 1 | u32::from(exit.connection.is_some()));
        write_node(out, exit.to, corner, tiles);
        out.f32(exit.cost);
        // The head of a store gives its connections the same references each time.
        if let Some(connection) = exit.connection {
            out.u64(connection.to_bits());
        }
    }
}

type ClusterCorner = (i32, i32);

fn read_cluster(
    reader: &mut Reader<'_>,
    (at, side): (ClusterCorner, i32),
    tiles: LevelTiles<'_>,
) -> Result<Option<Cluster>, Truncated> {
    let corner = (at.0.wrapping_mul(side), at.1.wrapping_mul(side));
    let mut chosen = ClusterBorder::default();
    for _ in 0..reader.number()? {
        let node = read_node(reader, corner, tiles)?;
        let [at, left, right] = [reader.vec3()?, reader.vec3()?, reader.vec3()?];
        let Some(node) = node.filter(|_| at.is_finite() && left.is_finite() && right.is_finite()) else {
            return Ok(None);
        };
        chosen.portals.push(Entrance { node, at, ends: [left, right], beyond: NONE, component: 0 });
    }
    let count = chosen.portals.len();
    let costs = reader.records::<4>(count.saturating_mul(count))?.iter().map(|&cost| f32::from_le_bytes(cost));
    let costs: Vec<f32> = costs.collect();
    for _ in 0..reader.number()? {
        let number = reader.number()?;
        let from = number >> 1;
        let to = read_node(reader, corner, tiles)?;
        let cost = reader.f32()?;
        let connection = if number & 1 == 1 { PolyRef::from_bits(reader.u64()?) } else { None };
        let Some(to) = to.filter(|_| (from as usize) < count) else { return Ok(None) };
        chosen.exits.push(ClusterExit { from, to, cost, connection });
    }
    let is_in_order = chosen.portals.is_sorted_by(|a, b| a.node < b.node) && chosen.exits.is_sorted_by_key(|e| e.from);
    let is_sound =
        is_in_order && costs.iter().chain(chosen.exits.iter().map(|exit| &exit.cost)).all(|cost| *cost >= 0.0);
    Ok(is_sound.then(|| Cluster { at, chosen, costs, ..Cluster::default() }))
}

fn write_node(out: &mut Writer, node: AbstractNode, corner: ClusterCorner, tiles: LevelTiles<'_>) {
    let coord = tiles.coords.get(node.slot as usize).copied().unwrap_or_default();
    for number in [coord.x.wrapping_sub(corner.0), coord.z.wrapping_sub(corner.1)] {
        out.signed(number);
    }
    out.number(coord.layer);
    out.number(node.portal);
}

fn read_node(
    reader: &mut Reader<'_>,
    corner: ClusterCorner,
    tiles: LevelTiles<'_>,
) -> Result<Option<AbstractNode>, Truncated> {
    let x = reader.signed()?.wrapping_add(corner.0);
    let z = reader.signed()?.wrapping_add(corner.1);
    let layer = reader.number()?;
    let portal = reader.number()?;
    Ok(tiles.slot_at(TileCoord { x, z, layer }).map(|slot| AbstractNode { slot, portal }))
}
