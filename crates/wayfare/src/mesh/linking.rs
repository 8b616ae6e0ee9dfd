//! Linking tiles to their neighbours, as they come and go.
//!
//! A tile may touch the tiles of the four places around it and those at its own place in other layers. When it comes, its
//! own links are found and those of its neighbours are patched; when it leaves, its neighbours forget it. Cost: the borders
//! that face each other.

use super::connect::{Joint, join};
use super::{Link, NavMesh};
use crate::math::index::TileSlot;
use crate::tile::Side;
use std::sync::Arc;

impl NavMesh {
    /// The slots of all tiles that may touch the tile in `slot`, each with the side over which; once for every side where
    /// they lie over each other.
    pub(super) fn neighbour_slots(&self, slot: u32) -> Vec<(u32, Side)> {
        let Some(tile) = self.tile(TileSlot::new(slot)) else { return Vec::new() };
        let coord = tile.coord();
        let mut found = Vec::new();
        for side in Side::ALL {
            let (dx, dz) = side.step();
            for other in self.tiles_at(coord.x.wrapping_add(dx), coord.z.wrapping_add(dz)) {
                found.push((other.slot, side));
            }
            for other in self.tiles_at(coord.x, coord.z).filter(|other| other.slot != slot) {
                found.push((other.slot, side));
            }
        }
        found
    }

    /// All links of the tile in `slot`, found anew.
    pub(super) fn links_of(&self, slot: u32) -> Vec<(u32, Link)> {
        let mut found = Vec::new();
        for (other, side) in self.neighbour_slots(slot) {
            self.links_between(slot, other, side, &mut found);
        }
        found
    }

    fn links_between(&self, slot: u32, other: u32, side: Side, out: &mut Vec<(u32, Link)>) {
        let (Some(tile), Some(other)) = (self.tile(TileSlot::new(slot)), self.tile(TileSlot::new(other))) else {
            return;
        };
        let mut joints: Vec<Joint> = Vec::new();
        join(&self.layout, side, &tile.geometry, &other.geometry, &mut joints);
        let (border, beyond) = (tile.graph().border(), other.graph().border());
        out.extend(joints.iter().map(|j| {
            let to = other.reference(beyond[j.there as usize].poly);
            (j.here, Link { to, edge: border[j.here as usize].corner, there: j.there, a: j.a, b: j.b })
        }));
    }

    pub(super) fn set_links(&mut self, slot: u32, links: Vec<(u32, Link)>) {
        if let Some(tile) = &mut self.slots.write(slot).tile {
            tile.links = Arc::new(tile.links.with_links(links));
        }
    }

    /// Links a tile to a neighbour that has just come.
    pub(super) fn relink(&mut self, slot: u32, neighbour: u32) {
        let Some(tile) = self.tile(TileSlot::new(slot)) else { return };
        let mut links: Vec<_> = tile.links.numbered().filter(|(_, l)| l.to.slot().get() != neighbour).collect();
        let kept = links.len();
        for (other, side) in self.neighbour_slots(slot) {
            if other == neighbour {
                self.links_between(slot, other, side, &mut links);
            }
        }
        if links.len() > kept || kept < tile.links.all().len() {
            self.set_links(slot, links);
        }
    }

    /// Drops the links of a tile to a neighbour that leaves.
    pub(super) fn unlink(&mut self, slot: u32, neighbour: u32) {
        let Some(tile) = self.tile(TileSlot::new(slot)) else { return };
        let links: Vec<_> = tile.links.numbered().filter(|(_, l)| l.to.slot().get() != neighbour).collect();
        if links.len() < tile.links.all().len() {
            self.set_links(slot, links);
        }
    }

    /// Finds the links of all tiles anew.
    pub(super) fn link_all(&mut self) {
        let slots: Vec<u32> = self.tiles().map(|t| t.slot).collect();
        for slot in slots {
            let links = self.links_of(slot);
            if !links.is_empty() {
                self.set_links(slot, links);
            }
        }
    }
}
