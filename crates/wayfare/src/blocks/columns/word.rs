//! A word of levels: what blocks mean to who stands in them or beside, a bit a level.
//!
//! A group of levels is read at a time, with one more below and above: ground carries who stands on it, and water one
//! only at its surface. What a block means is looked up, four properties in one number, so that each block read is one
//! shift.
//!
//! Sources: own work.

use crate::area::AreaId;
use crate::blocks::ground::Ground;
use crate::blocks::{Block, BlockSource, Cell};

/// Levels that are read at a time.
pub(super) const GROUP: i32 = 8;

/// What is known of 64 levels of one column.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// Levels that let a body through.
    pub(super) free: u64,
    /// Where feet find hold.
    pub(super) holds: u64,
    pub(super) ladder: u64,
    /// Where one stands.
    pub(super) stands: u64,
    /// Where one stands on plain ground, [`AreaId::WALKABLE`]: so the area of most places is asked for once, not
    /// whenever their patch is built.
    pub(super) plain: u64,
    /// Where there is room for one level more over the body.
    pub(super) room: u64,
    /// Standing points that were found to be of the patch in the making, or not.
    pub(super) taken: u64,
    /// Those that are, and the number of the lowest.
    pub(super) reached: u64,
    pub(super) first: u32,
    /// Those from which the flood has not gone on.
    pub(super) fresh: u64,
}

impl Word {
    /// Forgets the last patch.
    #[inline]
    pub(super) fn begin(&mut self) {
        (self.taken, self.reached, self.fresh) = (0, 0, 0);
    }

    /// Which of some levels are standing points that were not taken.
    #[inline]
    pub(super) fn offers(&self, levels: u64) -> u64 {
        levels & self.stands & !self.taken
    }

    /// Notes where one stands, of which the lowest level is at a height, and on what.
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
        // A bit a level, from the one below the group to the one above it.
        let mut all = 0u64;
        let ([x, z], width) = (place, ground.width());
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
        // In deep water nobody finds hold.
        let deep = water & water >> 1;
        self.free |= at(!shut) << first;
        self.holds |= at((carries << 1 | water | ladder) & !deep) << first;
        self.ladder |= at(ladder) << first;
    }
}

/// What of a block matters, a bit each in four fields.
const fn traits(block: Block) -> u64 {
    !block.lets_through() as u64
        | (block.carries() as u64) << 16
        | (matches!(block, Block::Water) as u64) << 32
        | (matches!(block, Block::Ladder) as u64) << 48
}

/// The same for all blocks: looked up, not worked out, for each block that is read.
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

/// The numbers of the bits that are set, the lowest first, counted from `first` on.
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
