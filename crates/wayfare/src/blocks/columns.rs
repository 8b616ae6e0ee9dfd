//! The columns of a tile, read once: one bit per level.
//!
//! ```text
//!   level  free  stands        Building visits each column from four sides. Instead of reading blocks each time it reads words: whether a
//!     +2     1     0           level lets a body through, and whether an agent can stand in it. Levels are read in groups of eight,
//!     +1     1     1           on demand, so steep terrain reads no more of a column than it uses.
//!      0     0     0           Above and below 64 levels are further storeys of words, allocated when first needed.
//! ```
//!
//! Cost: ten block look-ups for eight levels of a column, once per patch; then a few shifts per query.
//!
//! Sources: own work; words of levels as in bitboards.

mod flood;
mod steps;
mod word;

use self::word::{GROUP, Word, ones};
use super::ground::{Ground, SIDES, is_near};
use super::store::ColumnRange;
use super::{BlockSource, Cell};

/// The level at which a flood starts: on nearly level terrain only one group of each column is read.
const MIDDLE: i32 = 35;

/// The columns of one tile, and a ring around it without standing points. Levels count from `low`.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// The words, storey by storey, row by row along x.
    words: Vec<Word>,
    /// The range of levels read of each column, its end excluded.
    known: Vec<[i32; 2]>,
    /// The lowest storey, and the number of storeys.
    least: i32,
    count: i32,
    /// The least cell of the ring, and its cells per side.
    x: i32,
    z: i32,
    side: i32,
    low: i32,
    /// Whether some column may have two standing points within a step of one cell.
    crowded: bool,
    /// Whether the flood met a standing point outside the patch.
    has_left_out: bool,
    /// Whether there is a ladder in some column.
    has_ladders: bool,
    /// Offsets from a column to its four neighbours.
    steps: [isize; 4],
    /// Storeys of columns with cells that the flood has not expanded.
    open: Vec<(i32, [i32; 2])>,
}

/// [`Columns::known`] of a column of the ring: everything.
const ALL: [i32; 2] = [i32::MIN, i32::MAX];

impl Columns {
    /// Clears all; holds the columns of the tile with this least cell from now on.
    pub(super) fn begin(&mut self, [x, z]: [i32; 2], mini: i32, middle: i32) {
        (self.x, self.z, self.side, self.low, self.least) = (x - 1, z - 1, mini + 2, middle - MIDDLE, 0);
        self.count = 1;
        (self.crowded, self.has_ladders, self.has_left_out) = (false, false, false);
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

    /// The same, but keeps what was read of that tile.
    pub(super) fn begin_again(&mut self, origin: [i32; 2], mini: i32, middle: i32) {
        // If the level is far above or below, everything in between would be read too.
        if !self.storeys().contains(&(self.level(middle) >> 6)) {
            return self.begin(origin, mini, middle);
        }
        self.has_left_out = false;
        self.words.iter_mut().for_each(Word::begin);
    }

    /// Clears all and keeps the memory.
    pub(super) fn empty(&mut self) {
        self.count = 0;
    }

    /// Discards what was read of some columns.
    pub(super) fn forget(&mut self, changed: &ColumnRange) {
        let inner = |low: i32, least: i32, high: i32| low.max(least + 1)..high.min(least + self.side - 2) + 1;
        for z in inner(changed.low[1], self.z, changed.high[1]) {
            for x in inner(changed.low[0], self.x, changed.high[0]) {
                let column = self.at([x, z]);
                self.known[column] = [0, 0];
                for storey in self.storeys() {
                    let at = self.index(storey, column);
                    self.words[at] = Word::default();
                }
            }
        }
    }

    /// The index of the column at (x, z).
    #[inline]
    pub(super) fn at(&self, [x, z]: [i32; 2]) -> usize {
        ((z - self.z) * self.side + x - self.x) as usize
    }

    /// The (x, z) of a column.
    #[inline]
    fn place(&self, column: usize) -> [i32; 2] {
        let column = column as i32;
        [self.x + column % self.side, self.z + column / self.side]
    }

    /// The neighbour of a column, which is not in the ring, on a side.
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

    /// The storeys in memory.
    fn storeys(&self) -> core::ops::Range<i32> {
        self.least..self.least + self.count
    }

    /// The index of a word. For a storey that is not in memory it is past the end.
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
    fn word_mut(&mut self, storey: i32, column: usize) -> Option<&mut Word> {
        let at = self.index(storey, column);
        self.words.get_mut(at)
    }

    /// `count` levels of a column from `level` on, at most 64.
    #[inline]
    fn bits(&self, of: impl Fn(&Word) -> u64, column: usize, level: i32, count: i32) -> u64 {
        let shift = (level & 63) as u32;
        let at = self.index(level >> 6, column);
        let mut bits = self.words.get(at).map_or(0, &of) >> shift;
        if shift as i32 + count > 64 {
            bits |= self.words.get(at.wrapping_add(self.known.len())).map_or(0, &of) << (64 - shift);
        }
        bits & u64::MAX >> (64 - count)
    }

    /// The range of levels to read for steps from some levels, including the room for standing there; its end is
    /// excluded.
    #[inline]
    fn around<S: BlockSource + ?Sized>(ground: &Ground<'_, S>, [least, last]: [i32; 2]) -> [i32; 2] {
        let around = ground.reach_of_any();
        [least - around, last + around + ground.height()]
    }

    /// Reads some levels of a column unless they were read.
    #[inline]
    fn read<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, column: usize, wanted: [i32; 2]) {
        let known = self.known[column];
        if wanted[0] < known[0] || known[1] < wanted[1] {
            self.read_more(ground, column, wanted);
        }
    }

    /// Reads what is missing, without gaps.
    #[inline(never)]
    fn read_more<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, column: usize, wanted: [i32; 2]) {
        // Down to the start of a group, up to the end of one.
        let [from, to] = [wanted[0] & -GROUP, (wanted[1] + GROUP - 1) & -GROUP];
        let known = match self.known[column] {
            [least, end] if least == end => [from; 2],
            known => known,
        };
        let more = [known[0].min(from), known[1].max(to)];
        self.known[column] = more;
        let place = self.place(column);
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
        // Bodies below extend up into the levels just read.
        let height = ground.height();
        for storey in (more[0] - height) >> 6..=more[1] >> 6 {
            let mut stands = self.word(storey, column).map_or(0, |w| w.holds);
            let mut level = 0;
            while stands != 0 && level < height {
                stands &= self.bits(|w| w.free, column, (storey << 6) + level, 64);
                level += 1;
            }
            // Standing points of the same column within one step of a cell, or perhaps in another storey.
            self.crowded |= (1..=(2 * ground.reach()).min(63)).any(|apart| stands & stands >> apart != 0);
            let room = self.bits(|w| w.free, column, (storey << 6) + height, 64);
            let low = self.height(storey << 6);
            let is_far = |y: i32| !is_near(Cell::new(place[0], y, place[1]));
            if is_far(low) || is_far(low.saturating_add(63)) {
                stands = ones(stands, low).filter(|&y| !is_far(y)).fold(0, |near, y| near | 1 << (y - low));
            }
            if let Some(word) = self.word_mut(storey, column) {
                word.stand(ground, place, low, stands);
                word.room = room;
                let has_ladder = word.ladder != 0;
                self.has_ladders |= has_ladder;
            }
        }
    }

    /// Adds the missing storeys up or down to this one.
    #[inline]
    fn build_up_to(&mut self, storey: i32) {
        let below = self.least - storey;
        let above = storey + 1 - self.storeys().end;
        let more = below.max(above);
        if more > 0 {
            let at = if below > 0 { 0 } else { self.words.len() };
            self.words.splice(at..at, core::iter::repeat_n(Word::default(), more as usize * self.known.len()));
            self.least -= below.max(0);
            self.count += more;
            self.crowded = true;
        }
    }
}
