//! Which tiles of a world are in memory: those that were needed last, within a budget.
//!
//! ```text
//!   wanted ──> there?  ──> used now
//!                └─ no ──> read ──> room made: least recently used out, never a pinned one or one that is wanted, too
//! ```
//!
//! Cost: the logarithm of what is resident, besides reading and linking.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (tiles that come and go, and handles
//! that outlive them).

use std::collections::{BTreeMap, BTreeSet};

/// How much may be in memory at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResidentBudget {
    /// Most tiles. Default: no limit. A search needs the tiles of its [workspace](super::Refinement::Workspace), one
    /// more, and those of its ends at once: with fewer it finds nothing.
    pub tiles: usize,
    /// Most bytes of the data of all tiles together; what searches derive of a tile takes about as much again. Default:
    /// no limit.
    pub bytes: usize,
    /// Most parts of the abstract graph, some more for a moment; when there are so many, all are forgotten and read
    /// again as they are needed. Default: no limit. One takes a kilobyte or two.
    pub parts: usize,
}

impl Default for ResidentBudget {
    fn default() -> Self {
        Self { tiles: usize::MAX, bytes: usize::MAX, parts: usize::MAX }
    }
}

/// What has come and gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResidentStats {
    /// Tiles that were read.
    pub loaded: u64,
    /// Tiles that were evicted.
    pub evicted: u64,
    /// Most tiles that were there at once.
    pub most_tiles: usize,
    /// Most bytes that they took.
    pub most_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    used: u64,
    bytes: usize,
    pins: u32,
}

/// The slots that are resident, and when they were used.
#[derive(Clone, Debug, Default)]
pub(super) struct Resident {
    pub(super) budget: ResidentBudget,
    pub(super) stats: ResidentStats,
    entries: BTreeMap<u32, Entry>,
    /// By when they were used, without pinned ones.
    order: BTreeSet<(u64, u32)>,
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

    /// Notes that a tile is used; whether it is there.
    pub(super) fn touch(&mut self, slot: u32) -> bool {
        self.clock += 1;
        let Some(entry) = self.entries.get_mut(&slot) else { return false };
        if entry.pins == 0 {
            self.order.remove(&(entry.used, slot));
            self.order.insert((self.clock, slot));
        }
        entry.used = self.clock;
        true
    }

    /// The tile that must go before others come, if any must: of those that are neither pinned nor in `wanted`, which
    /// is sorted, the one that was not used for longest. `Err` if all are.
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
        self.entries.insert(slot, Entry { used: self.clock, bytes, pins: 0 });
        self.order.insert((self.clock, slot));
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

    /// Keeps a tile that is there, or lets it go after as many calls. Whether it is there.
    pub(super) fn pin(&mut self, slot: u32, is_pinned: bool) -> bool {
        let Some(entry) = self.entries.get_mut(&slot) else { return false };
        entry.pins = if is_pinned { entry.pins + 1 } else { entry.pins.saturating_sub(1) };
        if entry.pins > 0 {
            self.order.remove(&(entry.used, slot));
        } else {
            self.order.insert((entry.used, slot));
        }
        true
    }
}
