//! Versions of a mesh: their identifiers, the changes between them, and data derived from them.
//!
//! Cost: an identifier is a pointer; see [`ChangeFeed`](super::change_feed::ChangeFeed) for what is remembered.
//!
//! Sources: none needed.

use super::beside::{KeptBeside, Thing};
use super::change_feed::FeedStep;
use super::{Change, ChangesUnknown, MeshVersion, NavMesh, Outdated, TileRef};
use crate::math::index::TileSlot;
use core::any::Any;
use std::sync::Arc;

impl NavMesh {
    /// The version of the mesh: a new one after each change, and the same for snapshots between which nothing has
    /// changed. Clone it, and later ask the mesh what has [changed
    /// since](Self::changes_since).
    #[must_use]
    pub fn version(&self) -> &MeshVersion {
        &self.feed.now
    }

    /// Goes on as an edited clone of this mesh, as [`SharedMesh::publish`](super::SharedMesh::publish) does.
    ///
    /// # Errors
    /// [`Outdated`] if this mesh has changed since the clone was made, or if `edited` is no clone of it. It then stays
    /// as it is: what has changed would be lost.
    pub fn take_over(&mut self, edited: Self) -> Result<(), Outdated> {
        if !edited.continues(self) {
            return Err(Outdated);
        }
        *self = edited;
        Ok(())
    }

    /// Whether it was made from another mesh as that is now, or is a clone of it.
    pub(super) fn continues(&self, other: &Self) -> bool {
        self.feed.is_made_from(other.version())
    }

    /// What has changed in tiles, links, states and connections since a version: each change at least once, not in the
    /// order of the edits. Changes that were undone are included; those of names, costs, rules and the user's number
    /// are not. Tiles and connections that are named may be gone again.
    ///
    /// ```
    /// use wayfare::area::PolyFlags;
    /// use wayfare::mesh::{Change, NavMesh};
    /// # use wayfare::input::{AgentSettings, TriMesh};
    /// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]].map(Into::into);
    /// # let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
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
    /// [`ChangesUnknown`] if more has changed than is remembered, or if the version is not one that this mesh has had:
    /// then anything may have changed.
    pub fn changes_since(&self, seen: &MeshVersion) -> Result<impl Iterator<Item = Change> + '_, ChangesUnknown> {
        let first = self.feed.first_since(seen).ok_or(ChangesUnknown)?;
        Ok(self.feed.steps.range(first..).flat_map(FeedStep::changes))
    }

    /// Announces that tiles are about to be replaced or removed, so that readers of the feed can prepare: paths over
    /// them will soon be broken. Changes nothing else. Stale references are ignored, and tiles that are announced
    /// already. An announcement holds until the tile is removed or the announcement is [withdrawn](Self::withdraw), and
    /// is not saved.
    pub fn announce(&mut self, tiles: &[TileRef]) {
        for &tile in tiles {
            if self.tile(tile).is_ok() && !self.is_announced(tile) {
                Arc::make_mut(&mut self.announced).insert(tile);
                self.note(Change::TileAnnounced(tile));
            }
        }
    }

    /// Withdraws announcements: these tiles stay after all.
    pub fn withdraw(&mut self, tiles: &[TileRef]) {
        if tiles.iter().any(|&tile| self.is_announced(tile)) {
            let announced = Arc::make_mut(&mut self.announced);
            tiles.iter().for_each(|tile| _ = announced.remove(tile));
        }
    }

    /// Whether a tile was [announced](Self::announce) to be replaced or removed soon.
    #[must_use]
    #[inline]
    pub fn is_announced(&self, tile: TileRef) -> bool {
        !self.announced.is_empty() && self.announced.contains(&tile)
    }

    /// Whether any tile was announced.
    #[must_use]
    #[inline]
    pub(crate) fn has_announced(&self) -> bool {
        !self.announced.is_empty()
    }

    /// Records a change that has happened, or is about to.
    #[inline]
    pub(super) fn note(&mut self, change: Change) {
        if let Change::TileRemoved(tile) = change {
            self.withdraw(&[tile]);
        }
        if self.feed.note(change, self.tile_count()) {
            self.beside = self.beside.next(&self.feed);
        }
    }

    /// Records a change that the feed does not list.
    pub(super) fn note_unlisted(&mut self) {
        if self.feed.note_unlisted() {
            self.beside = self.beside.next(&self.feed);
        }
    }

    /// Records a change of the tile in a slot.
    pub(super) fn note_tile(&mut self, slot: u32, change: impl FnOnce(TileRef) -> Change) {
        if let Some(tile) = self.tile_in(TileSlot::new(slot)) {
            self.note(change(tile.tile_ref()));
        }
    }
}

impl NavMesh {
    /// The derived data of a type that is stored with this version; the default if there is none yet.
    #[inline]
    pub(crate) fn beside<T: KeptBeside + Default>(&self) -> &T {
        self.beside.find()
    }

    /// Replaces the derived data stored with this mesh. Snapshots keep theirs.
    pub(crate) fn set_beside<T: KeptBeside + Default>(&mut self, thing: T) {
        let _: &T = self.beside.find();
        let thing: Thing = Arc::new(thing);
        self.beside = self.beside.map(&mut |old| {
            let is_of_type = <dyn Any>::is::<T>(&**old);
            Arc::clone(if is_of_type { &thing } else { old })
        });
    }
}
