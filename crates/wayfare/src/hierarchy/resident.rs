//! Which tiles of a world are in memory: those that were used most recently, within a budget.
//!
//! ```text
//!   wanted ──> in memory? ─ yes ─> marked as used
//!                   └─ no ──> read ──> the least recently used are evicted, but none that is pinned or wanted too
//! ```
//!
//! Cost: logarithmic in the tiles in memory, besides reading and linking.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (tiles that come and go, and handles
//! that outlive them).

use std::collections::{BTreeMap, BTreeSet};

/// The limits of what is in memory at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidentBudget {
    /// The most tiles. Default: no limit. A search needs the tiles of its [workspace](super::Refinement::Workspace),
    /// one more, and those of its ends at the same time: with a lower limit it finds no paths.
    pub tiles: usize,
    /// The most bytes of tile data. What searches derive from a tile takes about twice as much again. Default: no
    /// limit.
    pub bytes: usize,
    /// The most parts of the abstract graph, apart from a few more for a moment. When the limit is reached, all are
    /// dropped, and read again when they are needed. A part takes one or two kilobytes. Default: no limit.
    pub parts: usize,
}

impl Default for ResidentBudget {
    fn default() -> Self {
        Self { tiles: usize::MAX, bytes: usize::MAX, parts: usize::MAX }
    }
}

/// Statistics of loading and evicting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResidentStats {
    /// How many tiles were read.
    pub loaded: u64,
    /// How many tiles were evicted.
    pub evicted: u64,
    /// The most tiles in memory at the same time.
    pub most_tiles: usize,
    /// The most bytes of their data at the same time.
    pub most_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct ResidentEntry {
    used: u64,
    bytes: usize,
}

/// The slots of the tiles in memory, and when they were used.
#[derive(Clone, Debug, Default)]
pub(super) struct Resident {
    pub(super) budget: ResidentBudget,
    pub(super) stats: ResidentStats,
    entries: BTreeMap<u32, ResidentEntry>,
    /// In the order in which they were last used, without pinned ones.
    order: BTreeSet<(u64, u32)>,
    /// How often each is pinned, whether it is in memory or not.
    pins: BTreeMap<u32, u32>,
    clock: u64,
    bytes: usize,
}

impl Resident {
    pub(super) fn new(budget: ResidentBudget) -> Self {
        Self { budget, ..Self::default() }
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.entries.keys().copied()
    }

    /// The slots of the tiles in memory, the least recently used first.
    pub(super) fn by_use(&self) -> Vec<u32> {
        let mut slots: Vec<(u64, u32)> = self.entries.iter().map(|(&slot, entry)| (entry.used, slot)).collect();
        slots.sort_unstable();
        slots.into_iter().map(|(_, slot)| slot).collect()
    }

    /// Marks a tile as used. Returns whether it is in memory.
    pub(super) fn touch(&mut self, slot: u32) -> bool {
        self.clock += 1;
        let Some(entry) = self.entries.get_mut(&slot) else { return false };
        if self.order.remove(&(entry.used, slot)) {
            self.order.insert((self.clock, slot));
        }
        entry.used = self.clock;
        true
    }

    /// The tile to evict before `coming` more tiles are added, if necessary: the least recently used one that is
    /// neither pinned nor in `wanted`, which is sorted. `Err` if there is none.
    pub(super) fn to_evict(&self, coming: usize, bytes: usize, wanted: &[u32]) -> Result<Option<u32>, ()> {
        let has_room = self.entries.len().saturating_add(coming) <= self.budget.tiles
            && self.bytes.saturating_add(bytes) <= self.budget.bytes;
        if has_room {
            return Ok(None);
        }
        let free = self.order.iter().map(|(_, slot)| *slot);
        free.filter(|slot| wanted.binary_search(slot).is_err()).map(Some).next().ok_or(())
    }

    pub(super) fn insert(&mut self, slot: u32, bytes: usize) {
        self.clock += 1;
        self.entries.insert(slot, ResidentEntry { used: self.clock, bytes });
        if !self.is_pinned(slot) {
            self.order.insert((self.clock, slot));
        }
        self.bytes += bytes;
        self.stats.loaded += 1;
        self.stats.most_tiles = self.stats.most_tiles.max(self.entries.len());
        self.stats.most_bytes = self.stats.most_bytes.max(self.bytes);
    }

    pub(super) fn remove(&mut self, slot: u32) {
        if let Some(entry) = self.entries.remove(&slot) {
            self.order.remove(&(entry.used, slot));
            self.bytes -= entry.bytes;
            self.stats.evicted += 1;
        }
    }

    /// Pins a tile, or unpins it once it was called as often.
    pub(super) fn pin(&mut self, slot: u32, is_pinned: bool) {
        let pins = self.pins.entry(slot).or_default();
        *pins = if is_pinned { pins.saturating_add(1) } else { pins.saturating_sub(1) };
        let is_free = *pins == 0;
        if is_free {
            self.pins.remove(&slot);
        }
        let Some(entry) = self.entries.get(&slot) else { return };
        if is_free {
            self.order.insert((entry.used, slot));
        } else {
            self.order.remove(&(entry.used, slot));
        }
    }

    pub(super) fn is_pinned(&self, slot: u32) -> bool {
        self.pins.contains_key(&slot)
    }

    /// How often tiles were used so far.
    pub(super) fn uses(&self) -> u64 {
        self.clock
    }
}
