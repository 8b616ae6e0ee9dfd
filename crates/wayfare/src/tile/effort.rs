//! How much work may be done for what was read: a budget of steps that grows with the bytes.
//!
//! A few thousand polygons on one another overlap in millions of pairs, and so may border edges. No bake and no
//! editor makes such tiles, but a file can say them, and whoever reads it would wait for hours or run out of memory.
//! So work that grows faster than what is read counts its steps, and ends where they are more than any sound mesh of
//! that size takes. Tests count the same steps.
//!
//! ```text
//!   1 MB read ──> 64 million steps ──> a tenth of a second of them, or an error
//! ```
//!
//! Cost: an addition for each count. Sources: none needed.

use super::TileData;
use crate::math::steps::count;

/// Steps that may be taken, and those that were.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    spent: u64,
    limit: u64,
}

/// More steps than may be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted {
    pub(crate) limit: u64,
}

impl Effort {
    /// Steps for each byte.
    const EACH: u64 = 64;
    /// Steps for the smallest mesh.
    const LEAST: u64 = 1 << 20;

    /// For data that take so many bytes in a file.
    pub(crate) fn for_bytes(bytes: usize) -> Self {
        Self { spent: 0, limit: (bytes as u64).saturating_mul(Self::EACH).saturating_add(Self::LEAST) }
    }

    /// For what a caller does step by step.
    pub(crate) fn endless() -> Self {
        Self { spent: 0, limit: u64::MAX }
    }

    /// Counts steps that are about to be taken.
    #[inline]
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Exhausted> {
        let spent = self.spent.saturating_add(steps as u64);
        if spent > self.limit {
            self.spent = self.limit;
            return Err(Exhausted { limit: self.limit });
        }
        count(steps);
        self.spent = spent;
        Ok(())
    }
}

impl TileData {
    /// How many steps it takes to find a place on the ground of a polygon, about.
    pub(crate) fn work_of(&self, poly: u32) -> usize {
        self.corner_range(poly).len() + usize::from(self.detail_of(poly).tri_count) / 4
    }
}
