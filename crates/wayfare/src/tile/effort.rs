//! Limits the work done for data that was read: a budget of steps proportional to the bytes.
//!
//! A few thousand overlapping polygons form millions of pairs, and so may border edges. No bake and no editor makes
//! such tiles, but a file can contain them, and its reader would run for hours or out of memory. So work that grows
//! faster than the data counts its steps, and stops when there are more than any valid mesh of that size needs. Tests
//! count the same steps.
//!
//! ```text
//!   1 MB read ──> 64 million steps ──> a tenth of a second of them, or an error
//! ```
//!
//! Cost: an addition for each count. Sources: none needed.

use super::TileData;
use crate::math::steps::count;

/// Steps allowed, and steps used.
#[derive(Clone, Debug)]
pub(crate) struct Effort {
    spent: u64,
    limit: u64,
}

/// The steps are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exhausted {
    pub(crate) limit: u64,
}

impl Effort {
    /// Steps allowed per byte.
    const EACH: u64 = 64;
    /// Steps allowed for the smallest mesh.
    const LEAST: u64 = 1 << 20;

    /// For data of this many bytes in a file.
    pub(crate) fn for_bytes(bytes: usize) -> Self {
        Self { spent: 0, limit: (bytes as u64).saturating_mul(Self::EACH).saturating_add(Self::LEAST) }
    }

    /// Without a limit, for single operations of a caller.
    pub(crate) fn endless() -> Self {
        Self { spent: 0, limit: u64::MAX }
    }

    /// Counts steps that are about to be done.
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
    /// The approximate number of steps for finding a position on the surface of a polygon.
    pub(crate) fn work_of(&self, poly: u32) -> usize {
        self.corner_range(poly).len() + usize::from(self.detail_of(poly).tri_count) / 4
    }
}
