//! Which tiles are at a column and row: a hash table of chains through the slots, persistent like the slots themselves.
//!
//! A chain is sorted by slot, so that the order in which tiles at one place are met does not depend on the order in which
//! they came. Finding costs a hash and a step for each tile in the chain; the table doubles when there are more tiles than
//! chains.

use super::paged::Paged;

/// The end of a chain.
pub(crate) const END: u32 = u32::MAX;

/// First slot of each chain.
#[derive(Clone, Debug)]
pub(crate) struct Locations {
    heads: Paged<u32>,
}

impl Locations {
    /// Room for about `tiles` tiles.
    pub(crate) fn with_room(tiles: u32) -> Self {
        let chains = tiles.clamp(16, 1 << 28).next_power_of_two();
        Self { heads: Paged::filled(END, chains) }
    }

    /// How many tiles it takes before it should grow.
    pub(crate) fn room(&self) -> u32 {
        self.heads.len()
    }

    fn chain_of(&self, x: i32, z: i32) -> u32 {
        let mixed = (x as u32).wrapping_mul(0x8da6_b343) ^ (z as u32).wrapping_mul(0xd816_3841);
        (mixed ^ mixed >> 15) & (self.heads.len() - 1)
    }

    /// The first slot of the chain that tiles at this column and row are in.
    #[inline]
    pub(crate) fn first(&self, x: i32, z: i32) -> u32 {
        self.heads.get(self.chain_of(x, z)).copied().unwrap_or(END)
    }

    /// The first slot of that chain, for writing.
    pub(crate) fn first_mut(&mut self, x: i32, z: i32) -> &mut u32 {
        let chain = self.chain_of(x, z);
        self.heads.write(chain)
    }
}
