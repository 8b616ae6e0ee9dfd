//! A word of levels: properties of the blocks of a column, one bit per level.
//!
//! A group of levels is read at a time, with one more below and above, since a block supports feet in the level above
//! it, and water only at its surface. Properties of a block are looked up, four in one number, so each block read takes
//! one shift.
//!
//! Sources: own work.

use crate::area::AreaId;
use crate::blocks::ground::Ground;
use crate::blocks::{Block, BlockSource, Cell};

/// Levels that are read at a time.
pub(super) const GROUP: i32 = 8;

/// Properties of 64 levels of one column.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// Levels that a body can be in.
    pub(super) free: u64,
    /// Levels at which feet are supported.
    pub(super) holds: u64,
    pub(super) ladder: u64,
    /// Levels at which an agent can stand.
    pub(super) stands: u64,
    /// Levels at which an agent can stand in the default area, [`AreaId::WALKABLE`]. Stored so that the area of most
    /// cells is queried once, not whenever their patch is built.
    pub(super) plain: u64,
    /// Levels with room for one more level above the body.
    pub(super) room: u64,
    /// Standing points visited for the current patch, whether or not they are in it.
    pub(super) taken: u64,
    /// Those in the patch, and the number of the lowest.
    pub(super) reached: u64,
    pub(super) first: u32,
    /// Those that the flood has not expanded.
    pub(super) fresh: u64,
}

impl Word {
    /// Clears the state of the last patch.
    #[inline]
    pub(super) fn begin(&mut self) {
        (self.taken, self.reached, self.fresh) = (0, 0, 0);
    }

    /// The levels, of those given, that are standing points not taken yet.
    #[inline]
    pub(super) fn offers(&self, levels: u64) -> u64 {
        levels & self.stands & !self.taken
    }

    /// Stores the standing points, the lowest level being at height `low`, and which are of the default area.
    #[inline]
    pub(super) fn stand<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        [x, z]: [i32; 2],
        low: i32,
        stands: u64,
    ) {
        for level in ones(stands & !self.stands, low) {
            let is_plain = ground.area(Cell::new(x, level, z)) == AreaId::WALKABLE;
            self.plain |= u64::from(is_plain) << (level - low);
        }
        self.stands = stands;
    }

    /// Reads the group of levels from `height` on into the bits from `first` on.
    pub(super) fn read<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        place: [i32; 2],
        height: i32,
        first: i32,
    ) {
        // One bit per level, from the one below the group to the one above it.
        let mut all = 0u64;
        let [x, z] = place;
        let width = ground.width();
        for z in z..z + width {
            for x in x..x + width {
                let mut blocks = [Block::Air; GROUP as usize + 2];
                ground.source.column(x, height - 1, z, &mut blocks);
                for (i, &block) in blocks.iter().enumerate() {
                    all |= TRAITS[block as usize] << i;
                }
            }
        }
        let [shut, carries, water, ladder] = [0, 16, 32, 48].map(|field| all >> field & 0xffff);
        let at = |bits: u64| bits >> 1 & 0xff;
        // In deep water feet are not supported.
        let deep = water & water >> 1;
        self.free |= at(!shut) << first;
        self.holds |= at((carries << 1 | water | ladder) & !deep) << first;
        self.ladder |= at(ladder) << first;
    }
}

/// The properties of a block, one bit in each of four fields.
const fn traits(block: Block) -> u64 {
    !block.lets_through() as u64
        | (block.carries() as u64) << 16
        | (matches!(block, Block::Water) as u64) << 32
        | (matches!(block, Block::Ladder) as u64) << 48
}

/// The properties of all kinds, as a table: it is read once per block.
const TRAITS: [u64; 6] = {
    let mut of = [0; 6];
    let all = [Block::Air, Block::Solid, Block::Water, Block::Ladder, Block::Door, Block::Hazard];
    let mut i = 0;
    while i < all.len() {
        of[all[i] as usize] = traits(all[i]);
        i += 1;
    }
    of
};

/// The indices of the set bits, lowest first, counted from `first`.
#[inline]
pub(super) fn ones(mut bits: u64, first: i32) -> impl Iterator<Item = i32> {
    core::iter::from_fn(move || {
        (bits != 0).then(|| {
            let at = first + bits.trailing_zeros() as i32;
            bits &= bits - 1;
            at
        })
    })
}
