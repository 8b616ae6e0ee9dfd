//! Links tiles to their neighbours as they are added and removed.
//!
//! A tile may touch the tiles of the four places around it and those of other layers at its own place. When it is
//! added, its links are found and those of its neighbours are updated; when it is removed, its neighbours drop their
//! links to it. When a whole mesh is loaded, all tiles at one place are linked to all at the next in one pass, so that
//! many layers cost no more than their borders.
//!
//! Cost: the borders that face each other.

use super::connect::{Joint, join};
use super::{AddTileError, Change, Link, NavMesh, PolyRef, Tile, TileLinks, TileRef};
use crate::math::index::{NONE, TileSlot};
use crate::math::steps::count;
use crate::tile::{Effort, Exhausted, Side, TileCoord};
use std::sync::Arc;

/// A tile that may touch another.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileNeighbour {
    pub(super) slot: u32,
    /// The side of the other tile that it may touch; `None`: the tiles overlap and may touch on any side.
    pub(super) side: Option<Side>,
}

/// The link of a tile over a joint, with the number of the edge.
fn link_over(tile: &Tile, other: &Tile, joint: &Joint) -> (u32, Link) {
    let [a, b] = joint.ends();
    let to = other.reference(other.data().border_edges()[joint.there as usize].poly);
    (joint.here, Link { to, edge: tile.data().border_edges()[joint.here as usize].corner, there: joint.there, a, b })
}

impl NavMesh {
    /// Appends all tiles that may touch the tile of a slot at a place.
    pub(super) fn neighbours_of(&self, coord: TileCoord, slot: u32, found: &mut Vec<TileNeighbour>) {
        let x = coord.x;
        let z = coord.z;
        found.extend(
            self.tiles.places.at(x, z).filter(|&other| other != slot).map(|slot| TileNeighbour { slot, side: None }),
        );
        for side in Side::ALL {
            let (dx, dz) = side.step();
            let beyond = self.tiles.places.at(x.wrapping_add(dx), z.wrapping_add(dz));
            found.extend(beyond.map(|slot| TileNeighbour { slot, side: Some(side) }));
        }
    }

    /// Links a tile that is about to be added, and its neighbours to it. They drop their links to one that is still in
    /// its slot.
    pub(super) fn link_new(&mut self, tile: &mut Tile) {
        let mut neighbours = Vec::new();
        self.neighbours_of(tile.coord(), tile.slot, &mut neighbours);
        if neighbours.is_empty() {
            return;
        }
        // Enough room for small tiles: growing the list step by step would cost more than finding the links.
        let mut joints = Vec::with_capacity(8);
        let mut links = Vec::with_capacity(16);
        let mut back = Vec::with_capacity(8);
        for neighbour in neighbours {
            let Some(other) = self.tile_in(TileSlot::new(neighbour.slot)) else { continue };
            joints.clear();
            for &side in neighbour.side.as_ref().map_or(&Side::ALL[..], core::slice::from_ref) {
                let own = &[tile.data()];
                let other = &[other.data()];
                // Tiles added one by one are not limited.
                let _ = join(&self.layout, side, own, other, &mut Effort::endless(), &mut joints);
            }
            if joints.is_empty() && !other.links.lead_to(tile.slot) {
                continue;
            }
            links.extend(joints.iter().map(|joint| link_over(tile, other, joint)));
            back.clear();
            back.extend(joints.iter().map(|joint| link_over(other, tile, &joint.reversed())));
            let slot = tile.slot;
            self.edit_links(neighbour.slot, |links, edges| {
                links.drop_links_to(slot);
                links.add_links(edges, &mut back);
            });
        }
        if !links.is_empty() {
            let mut own = TileLinks::default();
            own.add_links(tile.data().border_edges().len(), &mut links);
            tile.links = Arc::new(own);
        }
    }

    #[cfg(test)]
    pub(super) fn set_links(&mut self, slot: u32, links: &mut [(u32, Link)]) {
        self.edit_links(slot, |all, edges| all.set_links(edges, links));
    }

    /// Changes the links of a tile, given how many border edges it has.
    fn edit_links(&mut self, slot: u32, edit: impl FnOnce(&mut TileLinks, usize)) {
        self.note_tile(slot, Change::TileLinks);
        if let Some(tile) = self.tiles.slots.get_mut(slot) {
            let border_edges = tile.data().border_edges().len();
            edit(Arc::make_mut(&mut tile.links), border_edges);
        }
    }

    /// Drops the links of a tile to a neighbour that is removed.
    pub(super) fn unlink(&mut self, slot: u32, neighbour: u32) {
        if self.tile_in(TileSlot::new(slot)).is_some_and(|tile| tile.links.lead_to(neighbour)) {
            self.edit_links(slot, |links, _| links.drop_links_to(neighbour));
        }
    }

    /// The slots of the tiles at the same place as a tile, in order; none if another of them has a lower slot.
    fn column_from(&self, slot: u32, column: &mut Vec<u32>) {
        column.clear();
        let Some(TileCoord { x, z, .. }) = self.tile_in(TileSlot::new(slot)).map(Tile::coord) else { return };
        if self.tiles.places.first(x, z) == Some(slot) {
            column.extend(self.tiles.places.at(x, z));
        }
    }

    /// Calls `found` with the joints of all tiles at one place, among each other and with those at places whose first
    /// tile has a higher slot. The joints of each border come in reverse order.
    fn joints_from(
        &self,
        column: &[u32],
        (effort, joints): (&mut Effort, &mut Vec<Joint>),
        mut found: impl FnMut(&Tile, &Tile, &Joint),
    ) -> Result<(), Exhausted> {
        let tile = |&slot: &u32| self.tile_in(TileSlot::new(slot));
        let Some((first, tile)) = column.first().and_then(|slot| Some((*slot, tile(slot)?))) else { return Ok(()) };
        if column.len() > 1 {
            for side in [Side::XMax, Side::ZMax] {
                self.join_columns(side, [column, column], (&mut *effort, &mut *joints), &mut found)?;
            }
        }
        let TileCoord { x, z, .. } = tile.coord();
        let mut beyond = Vec::new();
        for side in Side::ALL {
            let (dx, dz) = side.step();
            let mut others = self.tiles.places.at(x.wrapping_add(dx), z.wrapping_add(dz));
            let Some(other) = others.next().filter(|&other| other > first) else { continue };
            match others.next() {
                None => self.join_columns(side, [column, &[other]], (&mut *effort, &mut *joints), &mut found)?,
                Some(next) => {
                    beyond.clear();
                    beyond.extend([other, next].into_iter().chain(others));
                    self.join_columns(side, [column, &beyond], (&mut *effort, &mut *joints), &mut found)?;
                }
            }
        }
        Ok(())
    }

    /// Calls `found` with the joints over a side of the tiles in the first slots with those in the second, in reverse
    /// order.
    fn join_columns(
        &self,
        side: Side,
        slots: [&[u32]; 2],
        (effort, joints): (&mut Effort, &mut Vec<Joint>),
        found: &mut impl FnMut(&Tile, &Tile, &Joint),
    ) -> Result<(), Exhausted> {
        joints.clear();
        count(slots[0].len() + slots[1].len());
        let tile = |slot: &u32| self.tile_in(TileSlot::new(*slot));
        if let [[first], [second]] = slots {
            let (Some(first), Some(second)) = (tile(first), tile(second)) else { return Ok(()) };
            join(&self.layout, side, &[first.data()], &[second.data()], effort, joints)?;
            joints.iter().rev().for_each(|joint| found(first, second, joint));
            return Ok(());
        }
        let [first, second]: [Vec<&Tile>; 2] = slots.map(|slots| slots.iter().filter_map(tile).collect());
        let own: Vec<_> = first.iter().map(|tile| tile.data()).collect();
        let others: Vec<_> = second.iter().map(|tile| tile.data()).collect();
        join(&self.layout, side, &own, &others, effort, joints)?;
        for joint in joints.iter().rev() {
            let [one, other] = joint.tiles;
            found(first[one as usize], second[other as usize], joint);
        }
        Ok(())
    }

    /// Calls `found` with each polygon and a link to another tile that should exist, where neither of the two polygons
    /// has a link to the other.
    pub(super) fn unlinked(&self, effort: &mut Effort, mut found: impl FnMut(PolyRef, Link)) -> Result<(), Exhausted> {
        let mut column = Vec::new();
        let mut joints = Vec::new();
        for first in self.tiles() {
            self.column_from(first.slot, &mut column);
            self.joints_from(&column, (&mut *effort, &mut joints), |tile, other, joint| {
                let (tile, other, joint) =
                    if tile.slot < other.slot { (tile, other, *joint) } else { (other, tile, joint.reversed()) };
                let (number, link) = link_over(tile, other, &joint);
                let (there, back) = link_over(other, tile, &joint.reversed());
                let has = |tile: &Tile, number, to| tile.links.leads_over(number, to);
                if !has(tile, number, link.to) && !has(other, there, back.to) {
                    found(back.to, link);
                }
            })?;
        }
        Ok(())
    }

    /// Finds the links of all tiles, none of which has any yet: place by place, and together with the links that tiles
    /// at other places will have to it.
    ///
    /// # Errors
    /// The slot of a tile that cannot stay, and the reason.
    pub(crate) fn link_all(&mut self, effort: &mut Effort) -> Result<(), (u32, AddTileError)> {
        let slots: Vec<u32> = self.tiles().map(|t| t.slot).collect();
        let mut column = Vec::new();
        let mut joints = Vec::new();
        let mut links = Vec::new();
        let mut waiting = WaitingLinks::of_slots(self.slot_count());
        for slot in slots {
            self.column_from(slot, &mut column);
            self.check_layers(&column)?;
            let joined = self.joints_from(&column, (&mut *effort, &mut joints), |tile, other, joint| {
                waiting.put(tile.slot, link_over(tile, other, joint));
                waiting.put(other.slot, link_over(other, tile, &joint.reversed()));
            });
            joined.map_err(|Exhausted { limit }| (slot, AddTileError::Crowded { limit }))?;
            for &slot in &column {
                links.clear();
                waiting.take(slot, &mut links);
                if links.is_empty() {
                    continue;
                }
                if let Some(tile) = self.tiles.slots.get_mut(slot) {
                    let mut own = TileLinks::default();
                    own.add_links(tile.data().border_edges().len(), &mut links);
                    tile.links = Arc::new(own);
                }
            }
        }
        Ok(())
    }

    /// Checks that the tiles at one place are in different layers; otherwise returns the slot of one that shares its
    /// layer.
    fn check_layers(&self, column: &[u32]) -> Result<(), (u32, AddTileError)> {
        if column.len() < 2 {
            return Ok(());
        }
        let place = |&slot: &u32| self.tile_in(TileSlot::new(slot)).map(|tile| (tile.coord(), tile.tile_ref()));
        let mut places: Vec<(TileCoord, TileRef)> = column.iter().filter_map(place).collect();
        places.sort_unstable_by_key(|(coord, tile)| (*coord, tile.slot()));
        match places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(&[(coord, tile), (_, later)]) => Err((later.slot().get(), AddTileError::PlaceTaken { coord, tile })),
            _ => Ok(()),
        }
    }
}

/// Links found before their tiles are reached: a chain for each slot, the last one first.
struct WaitingLinks {
    first: Vec<u32>,
    /// Each link with the number of its border edge, and the next in its chain or in the chain of free entries.
    links: Vec<((u32, Link), u32)>,
    free: u32,
}

impl WaitingLinks {
    fn of_slots(count: u32) -> Self {
        Self { first: vec![NONE; count as usize], links: Vec::new(), free: NONE }
    }

    fn put(&mut self, slot: u32, link: (u32, Link)) {
        let first = &mut self.first[slot as usize];
        let waits = (link, *first);
        match self.links.get_mut(self.free as usize) {
            Some(place) => {
                *first = self.free;
                self.free = core::mem::replace(place, waits).1;
            }
            None => {
                *first = self.links.len() as u32;
                self.links.push(waits);
            }
        }
    }

    /// Moves out the links of a slot.
    fn take(&mut self, slot: u32, out: &mut Vec<(u32, Link)>) {
        let mut at = core::mem::replace(&mut self.first[slot as usize], NONE);
        while let Some((link, next)) = self.links.get_mut(at as usize) {
            out.push(*link);
            (self.free, at) = (at, core::mem::replace(next, self.free));
        }
    }
}
