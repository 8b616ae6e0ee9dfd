//! Versions of a mesh: which it is, what has changed since another, and what is derived from each.
//!
//! Cost: a name is a pointer; see [`Feed`] for what is remembered.
//!
//! Sources: none needed.

use super::beside::{KeptBeside, Thing};
use super::{Change, ChangesUnknown, MeshVersion, NavMesh, TileRef};
use crate::math::index::TileSlot;
use core::any::Any;
use std::sync::Arc;

impl NavMesh {
    /// The version of the mesh: another after each change of tiles, links, states or connections, and the same for
    /// snapshots between which nothing has changed. Clone it and ask a later mesh what has [changed
    /// since](Self::changes_since).
    #[must_use]
    pub fn version(&self) -> &MeshVersion {
        &self.feed.now
    }

    /// What has changed since a version: each change at least once, and not in the order of the edits. What was changed
    /// and changed back is among them. Tiles and connections that are named may be gone again by now.
    ///
    /// ```
    /// use wayfare::area::PolyFlags;
    /// use wayfare::mesh::{Change, NavMesh};
    /// # use wayfare::input::{AgentSettings, TriMesh};
    /// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]].map(Into::into);
    /// # let (level, _) = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    /// # let mut mesh = NavMesh::bake(&level, &AgentSettings::default())?;
    /// let seen = mesh.version().clone();
    /// let tile = mesh.tiles().next().unwrap();
    /// let (tile, door) = (tile.tile_ref(), tile.reference(0));
    /// mesh.set_flags(door, PolyFlags::NONE)?;
    /// assert!(mesh.changes_since(&seen)?.eq([Change::TileState(tile)]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`ChangesUnknown`] if more has changed than is remembered, or if it is not a version that this mesh has had:
    /// then anything may have changed.
    pub fn changes_since(&self, seen: &MeshVersion) -> Result<impl Iterator<Item = Change> + '_, ChangesUnknown> {
        let first = self.feed.first_since(seen).ok_or(ChangesUnknown)?;
        Ok(self.feed.steps.range(first..).flat_map(|step| step.changes.iter().copied()))
    }

    /// Says that tiles are about to be replaced or removed, so that those who read the feed can prepare: a path over
    /// them will soon be broken. Changes nothing else. Tiles that are gone already count as nothing. It holds until the
    /// tile goes or the announcement is [withdrawn](Self::withdraw), and is not saved.
    pub fn announce(&mut self, tiles: &[TileRef]) {
        for &tile in tiles {
            if self.tile(tile).is_ok() {
                Arc::make_mut(&mut self.announced).insert(tile);
                self.note(Change::TileAnnounced(tile));
            }
        }
    }

    /// Takes announcements back: these tiles stay after all.
    pub fn withdraw(&mut self, tiles: &[TileRef]) {
        if tiles.iter().any(|&tile| self.is_announced(tile)) {
            let announced = Arc::make_mut(&mut self.announced);
            announced.retain(|tile| !tiles.contains(tile));
        }
    }

    /// Whether a tile is about to be replaced or removed, as somebody has [announced](Self::announce).
    #[must_use]
    #[inline]
    pub fn is_announced(&self, tile: TileRef) -> bool {
        !self.announced.is_empty() && self.announced.contains(&tile)
    }

    /// Whether any tile is.
    #[must_use]
    #[inline]
    pub(crate) fn has_announced(&self) -> bool {
        !self.announced.is_empty()
    }

    /// Notes what has changed, or will in a moment.
    #[inline]
    pub(super) fn note(&mut self, change: Change) {
        if let Change::TileRemoved(tile) = change {
            self.withdraw(&[tile]);
        }
        if self.feed.note(change, self.tile_count()) {
            self.beside = self.beside.next(&self.feed);
        }
    }

    /// Notes what has changed of the tile in a slot.
    pub(super) fn note_tile(&mut self, slot: u32, change: impl FnOnce(TileRef) -> Change) {
        if let Some(tile) = self.tile_in(TileSlot::new(slot)) {
            self.note(change(tile.tile_ref()));
        }
    }
}

impl NavMesh {
    /// What stands beside this version, by its type; by default if nobody has looked for it yet.
    #[inline]
    pub(crate) fn beside<T: KeptBeside + Default>(&self) -> &T {
        self.beside.find()
    }

    /// Puts something in the place of what stands beside this mesh. Snapshots keep theirs.
    pub(crate) fn set_beside<T: KeptBeside + Default>(&mut self, thing: T) {
        let _: &T = self.beside.find();
        let thing: Thing = Arc::new(thing);
        self.beside = self.beside.map(&mut |old| {
            let is_of_type = <dyn Any>::is::<T>(&**old);
            Arc::clone(if is_of_type { &thing } else { old })
        });
    }
}
