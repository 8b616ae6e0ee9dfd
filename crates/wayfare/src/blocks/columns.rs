//! The columns of a tile and those beside it, read once: a bit a level.
//!
//! ```text
//!   level  free  holds        Building asks for each column from four sides. Instead of reading blocks each time it reads words: whether a level
//!     +2     1     0          lets a body through, and whether feet find hold in it. Eight levels are read at a time, where a question
//!     +1     1     1          comes by; so steep ground reads no more of a column than it stands in.
//!      0     0     1
//! ```
//!
//! Cost: ten block look-ups for eight levels of a column, once a patch.
//!
//! Sources: own work; words of levels as in bitboards.

use super::ground::{Column, Ground};
use super::{Block, BlockSource};

/// Levels that are read at a time.
const GROUP: usize = 8;

/// What is known of 64 levels of one column.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    free: u64,
    holds: u64,
    /// The groups of levels that were read, a bit each.
    known: u8,
    /// It is forgotten if this is not the round of the table.
    round: u32,
}

/// The columns of one tile and of the row of columns around it, in 64 levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    words: Vec<Word>,
    round: u32,
    /// The least column of the ring, the lowest level, and columns a side.
    x: i32,
    z: i32,
    low: i32,
    side: i32,
}

impl Columns {
    /// Forgets all; from now on it holds the columns of the tile with this least place, 32 levels up and down from
    /// `middle`.
    pub(super) fn begin(&mut self, [x, z]: [i32; 2], mini: i32, middle: i32) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.words.clear();
            self.round = 1;
        }
        (self.x, self.z, self.low, self.side) = (x - 1, z - 1, middle - 32, mini + 2);
        self.words.resize((self.side * self.side) as usize, Word::default());
    }

    /// Some levels of a column: from memory where that reaches, else from the world.
    #[inline]
    pub(super) fn column<'a, 'b, S: BlockSource + ?Sized>(
        &mut self,
        ground: &'b Ground<'a, S>,
        [x, z]: [i32; 2],
        low: i32,
        count: i32,
    ) -> Column<'a, 'b, S> {
        let first = low - self.low;
        if first < 0 || first + count > 64 || count > 32 || !ground.is_narrow() {
            return Column::new(ground, x, z, low, count);
        }
        let word = &mut self.words[((z - self.z) * self.side + x - self.x) as usize];
        if word.round != self.round {
            *word = Word { round: self.round, ..Word::default() };
        }
        for group in first as usize / GROUP..=(first + count - 1) as usize / GROUP {
            if word.known >> group & 1 == 0 {
                word.read(ground.source, [x, z], self.low, group);
            }
        }
        Column { ground, x, z, low, count, free: (word.free >> first) as u32, holds: (word.holds >> first) as u32 }
    }
}

impl Word {
    fn read<S: BlockSource + ?Sized>(&mut self, source: &S, [x, z]: [i32; 2], low: i32, group: usize) {
        let mut blocks = [Block::Air; GROUP + 2];
        source.column(x, low + (group * GROUP) as i32 - 1, z, &mut blocks);
        let (mut free, mut holds) = (0u64, 0u64);
        for i in 0..GROUP {
            free |= u64::from(blocks[i + 1].lets_through()) << i;
            holds |= u64::from(Block::holds(blocks[i], blocks[i + 1], blocks[i + 2])) << i;
        }
        self.free |= free << (group * GROUP);
        self.holds |= holds << (group * GROUP);
        self.known |= 1 << group;
    }
}
