//! Linking tiles to their neighbours, as they come and go.
//!
//! A tile may touch the tiles of the four places around it and those at its own place in other layers. When it comes,
//! its own links are found and those of its neighbours are patched; when it leaves, its neighbours forget it. Cost: the
//! borders that face each other.

use super::connect::{Joint, join};
use super::{Link, NavMesh};
use crate::math::index::TileSlot;
use crate::tile::Side;
use std::sync::Arc;

/// Memory for linking tiles, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct LinkScratch {
    /// What may touch the last one.
    pub(super) neighbours: Vec<Neighbour>,
    joints: Vec<Joint>,
    links: Vec<(u32, Link)>,
}

/// A tile that may touch another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbour {
    pub(super) slot: u32,
    /// The side of the other tile over which; `None`: they lie over each other, and may touch over any.
    pub(super) side: Option<Side>,
}

impl NavMesh {
    /// Appends all tiles that may touch the tile in `slot`.
    pub(super) fn neighbours_of(&self, slot: u32, found: &mut Vec<Neighbour>) {
        let Some(tile) = self.tile(TileSlot::new(slot)) else { return };
        let (x, z) = (tile.coord().x, tile.coord().z);
        found.extend(self.places.at(x, z).filter(|&other| other != slot).map(|slot| Neighbour { slot, side: None }));
        for side in Side::ALL {
            let (dx, dz) = side.step();
            let beyond = self.places.at(x.wrapping_add(dx), z.wrapping_add(dz));
            found.extend(beyond.map(|slot| Neighbour { slot, side: Some(side) }));
        }
    }

    /// Finds the links of the tile in `slot`, which has none yet.
    pub(super) fn link(&mut self, slot: u32, scratch: &mut LinkScratch) {
        let LinkScratch { neighbours, joints, links } = scratch;
        neighbours.clear();
        links.clear();
        self.neighbours_of(slot, neighbours);
        for &neighbour in neighbours.iter() {
            self.links_between(slot, neighbour, joints, links);
        }
        if !links.is_empty() {
            self.set_links(slot, links);
        }
    }

    fn links_between(&self, slot: u32, to: Neighbour, joints: &mut Vec<Joint>, out: &mut Vec<(u32, Link)>) {
        let (Some(tile), Some(other)) = (self.tile(TileSlot::new(slot)), self.tile(TileSlot::new(to.slot))) else {
            return;
        };
        joints.clear();
        let one = to.side.map(|side| [side]);
        for &side in one.as_ref().map_or(&Side::ALL[..], |one| one) {
            join(&self.layout, side, &tile.geometry, &other.geometry, joints);
        }
        let (border, beyond) = (&tile.geometry.border, &other.geometry.border);
        out.extend(joints.iter().map(|j| {
            let to = other.reference(beyond.edge(j.there).poly);
            (j.here, Link { to, edge: border.edge(j.here).corner, there: j.there, a: j.a, b: j.b })
        }));
    }

    pub(super) fn set_links(&mut self, slot: u32, links: &mut [(u32, Link)]) {
        self.touch(slot);
        if let Some(tile) = &mut self.slots.write(slot).tile {
            Arc::make_mut(&mut tile.links).set_links(tile.geometry.border.len(), links);
        }
    }

    /// Links the neighbours of a tile that has just come to it.
    pub(super) fn link_neighbours(&mut self, slot: u32, scratch: &mut LinkScratch) {
        let LinkScratch { neighbours, joints, links } = scratch;
        for neighbour in neighbours.iter() {
            links.clear();
            let Some(tile) = self.tile(TileSlot::new(neighbour.slot)) else { continue };
            links.extend(tile.links.numbered());
            let kept = links.len();
            let back = Neighbour { slot, side: neighbour.side.map(Side::opposite) };
            self.links_between(neighbour.slot, back, joints, links);
            if links.len() > kept {
                self.set_links(neighbour.slot, links);
            }
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

    /// Finds the links of all tiles, which have none yet.
    pub(super) fn link_all(&mut self) {
        let slots: Vec<u32> = self.tiles().map(|t| t.slot).collect();
        let mut scratch = LinkScratch::default();
        for slot in slots {
            self.link(slot, &mut scratch);
        }
    }
}
