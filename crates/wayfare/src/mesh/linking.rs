//! Linking tiles to their neighbours, as they come and go.
//!
//! A tile may touch the tiles of the four places around it and those at its own place in other layers. When it comes,
//! its own links are found and those of its neighbours are patched; when it leaves, its neighbours forget it. Cost: the
//! borders that face each other.

use super::connect::{Joint, join};
use super::{Link, NavMesh, PolyRef, Tile, TileLinks};
use crate::math::index::{NONE, TileSlot};
use crate::tile::{Side, TileCoord};
use std::sync::Arc;

/// A tile that may touch another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    pub(super) slot: u32,
    /// The side of the other tile over which; `None`: they lie over each other, and may touch over any.
    pub(super) side: Option<Side>,
}

/// What a tile has beyond a joint, with the number of the edge.
fn link_over(tile: &Tile, other: &Tile, joint: &Joint) -> (u32, Link) {
    let [a, b] = joint.ends();
    let to = other.reference(other.geometry.border.edge(joint.there).poly);
    (joint.here, Link { to, edge: tile.geometry.border.edge(joint.here).corner, there: joint.there, a, b })
}

impl NavMesh {
    /// Appends all tiles that may touch the tile of a slot at a place.
    pub(super) fn neighbours_of(&self, coord: TileCoord, slot: u32, found: &mut Vec<Neighbour>) {
        let (x, z) = (coord.x, coord.z);
        found.extend(self.places.at(x, z).filter(|&other| other != slot).map(|slot| Neighbour { slot, side: None }));
        for side in Side::ALL {
            let (dx, dz) = side.step();
            let beyond = self.places.at(x.wrapping_add(dx), z.wrapping_add(dz));
            found.extend(beyond.map(|slot| Neighbour { slot, side: Some(side) }));
        }
    }

    /// Finds along which stretches a tile and a neighbour touch.
    fn joints_between(&self, tile: &Tile, other: &Tile, side: Option<Side>, joints: &mut Vec<Joint>) {
        joints.clear();
        let one = side.map(|side| [side]);
        for &side in one.as_ref().map_or(&Side::ALL[..], |one| one) {
            join(&self.layout, side, &tile.geometry, &other.geometry, joints);
        }
    }

    /// Links a tile that is about to come, and its neighbours to it.
    pub(super) fn link_new(&mut self, tile: &mut Tile) {
        let mut neighbours = Vec::new();
        self.neighbours_of(tile.coord(), tile.slot, &mut neighbours);
        if neighbours.is_empty() {
            return;
        }
        // Room for what small tiles have: growing bit by bit costs more than finding the links.
        let (mut joints, mut links, mut back) = (Vec::with_capacity(8), Vec::with_capacity(16), Vec::with_capacity(8));
        for neighbour in neighbours {
            let Some(other) = self.tile(TileSlot::new(neighbour.slot)) else { continue };
            self.joints_between(tile, other, neighbour.side, &mut joints);
            links.extend(joints.iter().map(|joint| link_over(tile, other, joint)));
            if joints.is_empty() {
                continue;
            }
            back.clear();
            back.extend(joints.iter().map(|joint| link_over(other, tile, &joint.reversed())));
            self.edit_links(neighbour.slot, |links, edges| links.add_links(edges, &mut back));
        }
        if !links.is_empty() {
            let mut own = TileLinks::default();
            own.add_links(tile.geometry.border.len(), &mut links);
            tile.links = Arc::new(own);
        }
    }

    pub(super) fn set_links(&mut self, slot: u32, links: &mut [(u32, Link)]) {
        self.edit_links(slot, |all, edges| all.set_links(edges, links));
    }

    /// Changes the links of a tile, by how many border edges it has.
    fn edit_links(&mut self, slot: u32, edit: impl FnOnce(&mut TileLinks, usize)) {
        self.touch(slot);
        if let Some(tile) = &mut self.slots.write(slot).content {
            edit(Arc::make_mut(&mut tile.links), tile.geometry.border.len());
        }
    }

    /// Drops the links of a tile to a neighbour that leaves.
    pub(super) fn unlink(&mut self, slot: u32, neighbour: u32) {
        let Some(tile) = self.tile(TileSlot::new(slot)) else { return };
        let mut links: Vec<_> = tile.links.numbered().filter(|(_, l)| l.to.slot().get() != neighbour).collect();
        if links.len() < tile.links.all().len() {
            self.set_links(slot, &mut links);
        }
    }

    /// Calls `found` with each polygon of a tile and the link that it should have to a tile in a higher slot, where
    /// neither of the two has one to the other.
    pub(super) fn unlinked(&self, tile: &Tile, mut found: impl FnMut(PolyRef, Link)) {
        let (mut neighbours, mut joints) = (Vec::new(), Vec::new());
        self.neighbours_of(tile.coord(), tile.slot, &mut neighbours);
        for neighbour in neighbours.iter().filter(|neighbour| neighbour.slot > tile.slot) {
            let Some(other) = self.tile(TileSlot::new(neighbour.slot)) else { continue };
            self.joints_between(tile, other, neighbour.side, &mut joints);
            for joint in &joints {
                let ((number, link), (there, back)) =
                    (link_over(tile, other, joint), link_over(other, tile, &joint.reversed()));
                let has = |tile: &Tile, number, to| tile.links.of_border(number).iter().any(|l| l.to == to);
                if !has(tile, number, link.to) && !has(other, there, back.to) {
                    found(back.to, link);
                }
            }
        }
    }

    /// Finds the links of all tiles, which have none yet: of each tile to those in higher slots, and at once what those
    /// will have to it.
    pub(super) fn link_all(&mut self) {
        let slots: Vec<u32> = self.tiles().map(|t| t.slot).collect();
        let (mut neighbours, mut joints, mut links) = (Vec::new(), Vec::new(), Vec::new());
        let mut waiting = WaitingLinks::of_slots(self.slots.len());
        for slot in slots {
            let Some(tile) = self.tile(TileSlot::new(slot)) else { continue };
            neighbours.clear();
            links.clear();
            waiting.take(slot, &mut links);
            self.neighbours_of(tile.coord(), slot, &mut neighbours);
            for neighbour in neighbours.iter().filter(|neighbour| neighbour.slot > slot) {
                let Some(other) = self.tile(TileSlot::new(neighbour.slot)) else { continue };
                self.joints_between(tile, other, neighbour.side, &mut joints);
                links.extend(joints.iter().map(|joint| link_over(tile, other, joint)));
                // The last comes out first.
                let back = joints.iter().rev().map(|joint| link_over(other, tile, &joint.reversed()));
                back.for_each(|link| waiting.put(neighbour.slot, link));
            }
            if links.is_empty() {
                continue;
            }
            let mut own = TileLinks::default();
            own.add_links(tile.geometry.border.len(), &mut links);
            if let Some(tile) = &mut self.slots.write(slot).content {
                tile.links = Arc::new(own);
            }
        }
    }
}

/// Links that were found before the turn of their tiles: a chain for each slot, the last in front.
struct WaitingLinks {
    first: Vec<u32>,
    /// Each with the number of its border edge, and the next of its chain, or of those that are free.
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

    /// Hands over the links of a slot.
    fn take(&mut self, slot: u32, out: &mut Vec<(u32, Link)>) {
        let mut at = core::mem::replace(&mut self.first[slot as usize], NONE);
        while let Some((link, next)) = self.links.get_mut(at as usize) {
            out.push(*link);
            (self.free, at) = (at, core::mem::replace(next, self.free));
        }
    }
}
