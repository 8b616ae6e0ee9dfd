//! A cache of unpacked heightfields of tiles that change often, limited in bytes: the least recently used are dropped
//! first.
//!
//! No result depends on it: what was dropped is unpacked again.
//!
//! Cost: the logarithm of the number of tiles. Sources: none needed.

use super::tile_ground::TileGround;
use std::collections::BTreeMap;

/// The unpacked ground of tiles.
pub(super) struct GroundCache {
    limit: u64,
    bytes: u64,
    by_tile: BTreeMap<u64, KeptGround>,
    /// Tiles by when they were used.
    by_use: BTreeMap<u64, u64>,
    uses: u64,
    /// Memory of a tile that went, for one that comes.
    spare: Option<Box<TileGround>>,
}

struct KeptGround {
    ground: Box<TileGround>,
    bytes: u64,
    used: u64,
}

impl GroundCache {
    /// One that holds so many bytes at most.
    pub(super) fn new(limit: u64) -> Self {
        let by_tile = BTreeMap::new();
        let by_use = BTreeMap::new();
        Self { limit, bytes: 0, by_tile, by_use, uses: 0, spare: None }
    }

    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
        self.shrink();
        self.spare = None;
    }

    /// How many bytes it holds.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The ground of a tile, taken out.
    pub(super) fn take(&mut self, tile: u64) -> Option<Box<TileGround>> {
        let kept = self.by_tile.remove(&tile)?;
        self.by_use.remove(&kept.used);
        self.bytes -= kept.bytes;
        Some(kept.ground)
    }

    /// Memory to unpack a tile into, if there is some.
    pub(super) fn take_spare(&mut self) -> Option<Box<TileGround>> {
        self.spare.take()
    }

    /// Keeps the ground of a tile.
    pub(super) fn put(&mut self, tile: u64, ground: Box<TileGround>) {
        self.take(tile);
        self.uses += 1;
        let bytes = ground.byte_size();
        self.by_tile.insert(tile, KeptGround { ground, bytes, used: self.uses });
        self.by_use.insert(self.uses, tile);
        self.bytes += bytes;
        self.shrink();
    }

    /// Forgets the ground of a tile.
    pub(super) fn forget(&mut self, tile: u64) {
        if let Some(mut ground) = self.take(tile) {
            ground.close();
            self.spare = Some(ground);
        }
    }

    fn shrink(&mut self) {
        while self.bytes > self.limit {
            let Some((_, oldest)) = self.by_use.first_key_value() else { return };
            self.forget(*oldest);
        }
    }
}
