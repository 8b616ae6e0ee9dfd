//! The head of a tile's block: its place in the mesh, what it was made for, and where its lists are.
//!
//! Sources: none needed.

use super::{BakedFor, TileCoord, TileError};
use crate::math::Aabb;
use bytemuck::{Pod, Zeroable};

/// The head of a block. All its numbers take four bytes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Head {
    pub(super) magic: u32,
    pub(super) layout: u32,
    pub(super) column: i32,
    pub(super) row: i32,
    pub(super) layer: u32,
    pub(super) user_id: u32,
    pub(super) bounds: [f32; 6],
    pub(super) baked_for: BakedFor,
    /// Where each list begins, in units of four bytes from the start of the block, and where the last one ends.
    pub(super) starts: [u32; LISTS + 1],
    /// Number of border edges on each side and those before it.
    pub(super) border_sides: [u32; 4],
    /// The same for runs of seams.
    pub(super) seam_sides: [u32; 4],
}

/// Length of a head in bytes.
pub(crate) const HEAD_BYTES: usize = size_of::<Head>();
pub(super) const HEAD_WORDS: usize = HEAD_BYTES / 8;
const HEAD_UNITS: u32 = (HEAD_BYTES / 4) as u32;
const _: () = assert!(HEAD_BYTES == 144);

/// "TILE" in byte order.
const MAGIC: u32 = u32::from_le_bytes(*b"TILE");
/// Increased when the layout changes.
const LAYOUT: u32 = 1;

/// The lists of a block, in order, each with the number of four-byte units per record.
pub(super) const LISTS: usize = 10;
pub(super) const UNITS: [usize; LISTS] = [3, 3, 1, 1, 3, 3, 2, 3, 4, 1];
pub(super) const POLYS: usize = 0;
pub(super) const VERTS: usize = 1;
pub(super) const CORNERS: usize = 2;
pub(super) const NEIGHBOURS: usize = 3;
pub(super) const DETAILS: usize = 4;
pub(super) const DETAIL_VERTS: usize = 5;
pub(super) const DETAIL_TRIS: usize = 6;
pub(super) const BORDER: usize = 7;
pub(super) const SEAM_RUNS: usize = 8;
pub(super) const SEAM_HEIGHTS: usize = 9;

pub(super) const NO_HEAD: Head = Head {
    magic: MAGIC,
    layout: LAYOUT,
    column: 0,
    row: 0,
    layer: 0,
    user_id: 0,
    bounds: [0.0; 6],
    baked_for: BakedFor::NOTHING,
    starts: [HEAD_UNITS; LISTS + 1],
    border_sides: [0; 4],
    seam_sides: [0; 4],
};

impl Head {
    /// The head of a block with lists of this many records each.
    pub(super) fn new(coord: TileCoord, user_id: u32, counts: [usize; LISTS]) -> Self {
        let mut head = Self { column: coord.x, row: coord.z, layer: coord.layer, user_id, ..NO_HEAD };
        for (list, (count, units)) in counts.into_iter().zip(UNITS).enumerate() {
            // Counts are checked to be below what can be numbered; if the total is still too much, its end shows it.
            head.starts[list + 1] = head.starts[list].saturating_add((count * units) as u32);
        }
        head
    }

    pub(super) fn with_border(self, border_sides: [u32; 4], seam_sides: [u32; 4]) -> Self {
        Self { border_sides, seam_sides, ..self }
    }

    pub(super) fn with_facts(self, bounds: Aabb, baked_for: BakedFor) -> Self {
        let [low, high] = [bounds.min, bounds.max].map(|corner| corner.to_array());
        Self { bounds: [low[0], low[1], low[2], high[0], high[1], high[2]], baked_for, ..self }
    }

    /// The location of a list, in units.
    pub(super) fn range(&self, list: usize) -> core::ops::Range<usize> {
        self.starts[list] as usize..self.starts[list + 1] as usize
    }

    /// The length of the whole block in words.
    pub(super) fn words(&self) -> usize {
        (self.starts[LISTS] as usize).div_ceil(2)
    }

    pub(super) fn check(&self) -> Result<(), TileError> {
        if self.magic != MAGIC {
            return Err(TileError::Block { what: "mark", value: self.magic });
        }
        if self.layout != LAYOUT {
            return Err(TileError::Block { what: "version of the layout", value: self.layout });
        }
        if self.starts[0] != HEAD_UNITS {
            return Err(TileError::Block { what: "start of the polygons", value: self.starts[0] });
        }
        for (ends, units) in self.starts.windows(2).zip(UNITS) {
            if ends[1] < ends[0] || !((ends[1] - ends[0]) as usize).is_multiple_of(units) {
                return Err(TileError::Block { what: "end of a list", value: ends[1] });
            }
        }
        Ok(())
    }
}
