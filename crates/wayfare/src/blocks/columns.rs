//! The columns of a tile, read once: a bit a level.
//!
//! ```text
//!   level  free  stands        Building asks for each column from four sides. Instead of reading blocks each time it reads words: whether a
//!     +2     1     0           level lets a body through, and whether one stands in it. Eight levels are read at a time, where a
//!     +1     1     1           question comes by; so steep ground reads no more of a column than it stands in.
//!      0     0     0           Above and below 64 levels lie further storeys of words, made when somebody climbs into them.
//! ```
//!
//! Cost: ten block look-ups for eight levels of a column, once a patch; then a few shifts a question.
//!
//! Sources: own work; words of levels as in bitboards.

use super::ground::{Ground, SIDES, Step};
use super::{Block, BlockSource, Cell};

/// Levels that are read at a time.
const GROUP: i32 = 8;

/// The level of what a flood begins with: on nearly level ground one group then is all that is read of a column.
const MIDDLE: i32 = 35;

/// What is known of 64 levels of one column.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    free: u64,
    holds: u64,
    ladder: u64,
    stands: u64,
    /// Standing points of the patch in the making, and the number of the lowest.
    pub(super) reached: u64,
    pub(super) first: u32,
}

/// The columns of one tile and of a ring around it in which nobody stands. Levels count from `low` on.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Storey after storey, row by row along x.
    words: Vec<Word>,
    /// The levels of each column that were read: from one on, up to another.
    known: Vec<[i32; 2]>,
    /// The lowest storey.
    least: i32,
    /// The least place of the ring, and places a side of it.
    x: i32,
    z: i32,
    side: i32,
    low: i32,
    /// From a column to those beside it.
    steps: [isize; 4],
}

/// [`Columns::known`] of a column of the ring: all there is to know.
const ALL: [i32; 2] = [i32::MIN, i32::MAX];

impl Columns {
    /// Forgets all; from now on it holds the columns of the tile with this least place.
    pub(super) fn begin(&mut self, [x, z]: [i32; 2], mini: i32, middle: i32) {
        (self.x, self.z, self.side, self.low, self.least) = (x - 1, z - 1, mini + 2, middle - MIDDLE, 0);
        self.steps = SIDES.map(|[dx, dz]| (dz * self.side + dx) as isize);
        let side = self.side as usize;
        self.words.clear();
        self.words.resize(side * side, Word::default());
        self.known.clear();
        self.known.resize(side * side, ALL);
        for row in self.known.chunks_exact_mut(side).skip(1).take(side - 2) {
            row[1..side - 1].fill([0, 0]);
        }
    }

    /// The column of a place.
    #[inline]
    pub(super) fn at(&self, [x, z]: [i32; 2]) -> usize {
        ((z - self.z) * self.side + x - self.x) as usize
    }

    /// The column beside another one, which is not of the ring, on a side.
    #[inline]
    pub(super) fn beside(&self, column: usize, side: usize) -> usize {
        column.wrapping_add_signed(self.steps[side])
    }

    /// The level of a height.
    #[inline]
    pub(super) fn level(&self, y: i32) -> i32 {
        y - self.low
    }

    /// The height of a level.
    #[inline]
    fn height(&self, level: i32) -> i32 {
        self.low + level
    }

    /// The storeys there are.
    pub(super) fn storeys(&self) -> core::ops::Range<i32> {
        self.least..self.least + (self.words.len() / self.known.len().max(1)) as i32
    }

    /// Where a word lies; of a storey that there is not, above or below, beyond all words.
    #[inline]
    fn index(&self, storey: i32, column: usize) -> usize {
        let above = (storey - self.least) as isize as usize;
        above.wrapping_mul(self.known.len()).wrapping_add(column)
    }

    /// The word of a column in a storey.
    #[inline]
    fn word(&self, storey: i32, column: usize) -> Option<&Word> {
        self.words.get(self.index(storey, column))
    }

    #[inline]
    pub(super) fn word_mut(&mut self, storey: i32, column: usize) -> Option<&mut Word> {
        let at = self.index(storey, column);
        self.words.get_mut(at)
    }

    /// Some levels of a column from one on, at most 64, and perhaps more above them; what was not asked for is 0.
    #[inline]
    fn bits(&self, of: impl Fn(&Word) -> u64, column: usize, level: i32, count: i32) -> u64 {
        let (storey, shift) = (level >> 6, level & 63);
        let low = self.word(storey, column).map_or(0, &of) >> shift;
        if shift + count <= 64 { low } else { low | self.word(storey + 1, column).map_or(0, &of) << (64 - shift) }
    }

    /// Whether some levels of a column let a body through.
    #[inline]
    fn is_free(&self, column: usize, mut levels: core::ops::Range<i32>) -> bool {
        while !levels.is_empty() {
            let count = (levels.end - levels.start).min(64);
            let wanted = u64::MAX >> (64 - count);
            if self.bits(|w| w.free, column, levels.start, count) & wanted != wanted {
                return false;
            }
            levels.start += 64;
        }
        true
    }

    /// The number of a place that was reached.
    #[inline]
    pub(super) fn number(&self, column: usize, level: i32) -> u32 {
        let below = (1 << (level & 63)) - 1;
        self.word(level >> 6, column).map_or(0, |w| w.first + (w.reached & below).count_ones())
    }

    /// Where one stands in a column, seen from a level beside it: the rises of a window, 64 at most.
    #[inline]
    pub(super) fn rises(&self, column: usize, level: i32, [least, last]: [i32; 2]) -> Rises {
        let count = (last - least + 1).min(64);
        let wanted = u64::MAX >> (64 - count);
        Rises { found: self.bits(|w| w.stands, column, level + least, count) & wanted, least }
    }

    /// Whether there is room for a step from a standing point to another one in the column beside.
    #[inline]
    pub(super) fn is_open(&self, height: i32, [own, beside]: [usize; 2], level: i32, rise: i32) -> bool {
        match rise {
            0 => true,
            1.. => self.is_free(own, level + height..level + height + rise),
            _ => self.is_free(beside, level + height + rise..level + height),
        }
    }

    /// Calls `found` for every step that [`Ground::steps`] gives from a place around which was read, in its order;
    /// `false` if the column on that side is not of the tile.
    #[inline]
    pub(super) fn steps<S: BlockSource + ?Sized>(
        &self,
        ground: &Ground<'_, S>,
        a: Cell,
        side: usize,
        mut found: impl FnMut(Step),
    ) -> bool {
        let (column, level) = (self.at([a.x, a.z]), self.level(a.y));
        let (beside, [dx, dz]) = (self.beside(column, side), SIDES[side]);
        if self.known[beside] == ALL {
            return false;
        }
        // Level first, then downwards, then upwards.
        let reach = ground.reach();
        for k in 0..2 * reach + 1 {
            let rise = if k <= reach { -k } else { k - reach };
            let stands = self.bits(|w| w.stands, beside, level + rise, 1) & 1 != 0;
            if stands && self.is_open(ground.height(), [column, beside], level, rise) {
                found(ground.step(a, Cell::new(a.x + dx, a.y + rise, a.z + dz)));
            }
        }
        true
    }

    /// The rises to the rungs above and below a standing point.
    #[inline]
    pub(super) fn rungs(&self, column: usize, level: i32) -> [Option<i32>; 2] {
        let ladder = self.bits(|w| w.ladder, column, level - 1, 2) & 0b11;
        if ladder == 0 {
            return [None; 2];
        }
        let stands = self.bits(|w| w.stands, column, level - 1, 3);
        let (up, down) = (ladder & 0b10 != 0 && stands & 0b100 != 0, ladder & stands & 1 != 0);
        [up.then_some(1), down.then_some(-1)]
    }

    /// The rungs above and below a standing point around which was read.
    pub(super) fn rungs_of(&self, c: Cell) -> [Option<Cell>; 2] {
        self.rungs(self.at([c.x, c.z]), self.level(c.y)).map(|rise| Some(Cell { y: c.y + rise?, ..c }))
    }

    /// Reads a column as far around a level as a step reaches, and what standing there takes.
    #[inline]
    pub(super) fn read<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        column: usize,
        level: i32,
        reach: i32,
    ) {
        let wanted = [level - reach, level + reach + ground.height()];
        let known = self.known[column];
        if wanted[0] < known[0] || known[1] < wanted[1] {
            self.read_more(ground, column, wanted);
        }
    }

    /// Reads what is missing, without gaps.
    #[inline(never)]
    fn read_more<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, column: usize, wanted: [i32; 2]) {
        let side = self.side as usize;
        let place = [self.x + (column % side) as i32, self.z + (column / side) as i32];
        // Down to the beginning of a group, up to the end of one.
        let [from, to] = [wanted[0] & -GROUP, (wanted[1] + GROUP - 1) & -GROUP];
        let known = match self.known[column] {
            [least, end] if least == end => [from; 2],
            known => known,
        };
        let more = [known[0].min(from), known[1].max(to)];
        self.known[column] = more;
        for [mut level, end] in [[more[0], known[0]], [known[1], more[1]]] {
            while level < end {
                self.build_up_to(level >> 6);
                let height = self.height(level);
                if let Some(word) = self.word_mut(level >> 6, column) {
                    word.read(ground, place, height, level & 63);
                }
                level += GROUP;
            }
        }
        // Bodies reach upwards into what was read.
        let height = ground.height();
        for storey in (more[0] - height) >> 6..=more[1] >> 6 {
            let mut stands = self.word(storey, column).map_or(0, |w| w.holds);
            let mut level = 0;
            while stands != 0 && level < height {
                stands &= self.bits(|w| w.free, column, (storey << 6) + level, 64);
                level += 1;
            }
            if let Some(word) = self.word_mut(storey, column) {
                word.stands = stands;
            }
        }
    }

    /// Adds the storeys that are missing up or down to one.
    #[inline]
    fn build_up_to(&mut self, storey: i32) {
        let (below, above) = (self.least - storey, storey + 1 - self.storeys().end);
        let more = below.max(above);
        if more > 0 {
            let at = if below > 0 { 0 } else { self.words.len() };
            self.words.splice(at..at, core::iter::repeat_n(Word::default(), more as usize * self.known.len()));
            self.least -= below.max(0);
        }
    }
}

/// Rises, lowest first.
pub(super) struct Rises {
    found: u64,
    least: i32,
}

/// The windows in which all rises up to a reach lie: most agents need one.
#[inline]
pub(super) fn windows(reach: i32) -> impl Iterator<Item = [i32; 2]> {
    (0..(reach >> 5) + 1).map(move |k| [64 * k - reach, reach])
}

impl Iterator for Rises {
    type Item = i32;

    #[inline]
    fn next(&mut self) -> Option<i32> {
        if self.found == 0 {
            return None;
        }
        let rise = self.least + self.found.trailing_zeros() as i32;
        self.found &= self.found - 1;
        Some(rise)
    }
}

impl Word {
    /// Reads the group of levels from `height` on into the bits from `first` on.
    fn read<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, place: [i32; 2], height: i32, first: i32) {
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
