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

mod word;

use self::word::{GROUP, Word};
use super::ground::{Ground, SIDES, Step};
use super::{BlockSource, Cell};

/// The level of what a flood begins with: on nearly level ground one group then is all that is read of a column.
const MIDDLE: i32 = 35;

/// The columns of one tile and of a ring around it in which nobody stands. Levels count from `low` on.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    /// Storey after storey, row by row along x.
    words: Vec<Word>,
    /// The levels of each column that were read: from one on, up to another.
    known: Vec<[i32; 2]>,
    /// The lowest storey, and how many there are.
    least: i32,
    count: i32,
    /// The least place of the ring, and places a side of it.
    x: i32,
    z: i32,
    side: i32,
    low: i32,
    /// Two standing points of some column may be within a step of one place.
    crowded: bool,
    /// From a column to those beside it.
    steps: [isize; 4],
}

/// [`Columns::known`] of a column of the ring: all there is to know.
const ALL: [i32; 2] = [i32::MIN, i32::MAX];

impl Columns {
    /// Forgets all; from now on it holds the columns of the tile with this least place.
    pub(super) fn begin(&mut self, [x, z]: [i32; 2], mini: i32, middle: i32) {
        (self.x, self.z, self.side, self.low, self.least) = (x - 1, z - 1, mini + 2, middle - MIDDLE, 0);
        self.count = 1;
        self.crowded = false;
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
    fn storeys(&self) -> core::ops::Range<i32> {
        self.least..self.least + self.count
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
    fn word_mut(&mut self, storey: i32, column: usize) -> Option<&mut Word> {
        let at = self.index(storey, column);
        self.words.get_mut(at)
    }

    /// Where to look for `count` levels from one on, at most 64.
    #[inline]
    pub(super) fn look(&self, level: i32, count: i32) -> Look {
        let shift = (level & 63) as u32;
        let row = self.index(level >> 6, 0);
        Look { row, shift, straddles: shift as i32 + count > 64, wanted: u64::MAX >> (64 - count) }
    }

    /// Some levels of a column.
    #[inline]
    fn see(&self, look: Look, column: usize, of: impl Fn(&Word) -> u64) -> u64 {
        let at = look.row.wrapping_add(column);
        let mut bits = self.words.get(at).map_or(0, &of) >> look.shift;
        if look.straddles {
            let above = at.wrapping_add(self.known.len());
            bits |= self.words.get(above).map_or(0, &of) << (64 - look.shift);
        }
        bits & look.wanted
    }

    /// The same without having looked there before.
    #[inline]
    fn bits(&self, of: impl Fn(&Word) -> u64, column: usize, level: i32, count: i32) -> u64 {
        self.see(self.look(level, count), column, of)
    }

    /// Whether some levels of a column let a body through.
    #[inline]
    fn is_free(&self, column: usize, mut levels: core::ops::Range<i32>) -> bool {
        while levels.start < levels.end {
            let look = self.look(levels.start, (levels.end - levels.start).min(64));
            if self.see(look, column, |w| w.free) != look.wanted {
                return false;
            }
            levels.start += 64;
        }
        true
    }

    /// The number of a place that was reached.
    #[inline]
    pub(super) fn number(&self, column: usize, level: i32) -> u32 {
        let Some(word) = self.word(level >> 6, column) else { return 0 };
        let below = word.reached & ((1 << (level & 63)) - 1);
        // Counting bits takes a while, and mostly there are none.
        if below == 0 { word.first } else { word.first + below.count_ones() }
    }

    /// Notes whether a standing point is of the patch, and gives it back.
    #[inline]
    pub(super) fn take(&mut self, column: usize, level: i32, is_of_it: bool) -> bool {
        if let Some(word) = self.word_mut(level >> 6, column) {
            word.taken |= 1 << (level & 63);
            word.reached |= u64::from(is_of_it) << (level & 63);
        }
        is_of_it
    }

    /// Whether it was noted.
    #[inline]
    pub(super) fn is_taken(&self, column: usize, level: i32) -> bool {
        self.bits(|w| w.taken, column, level, 1) != 0
    }

    /// Numbers the places of the patch in a column, upwards; calls `each` with their heights.
    pub(super) fn number_from(&mut self, mut first: u32, place: [i32; 2], mut each: impl FnMut(i32)) {
        let column = self.at(place);
        for storey in self.storeys() {
            let low = self.height(storey << 6);
            let Some(word) = self.word_mut(storey, column) else { continue };
            word.first = first;
            for y in rises(word.reached, low) {
                each(y);
                first += 1;
            }
        }
    }

    /// Where one stands in a column and was not taken, as far as one looks.
    #[inline]
    pub(super) fn untaken(&self, look: Look, column: usize) -> u64 {
        self.see(look, column, |w| w.stands & !w.taken)
    }

    /// Whether steps lead from a standing point to several places of a column beside.
    #[inline]
    pub(super) fn forks<S: BlockSource + ?Sized>(&self, ground: &Ground<'_, S>, ends: [usize; 2], level: i32) -> bool {
        let mut count = 0;
        for [least, last] in windows(ground.reach()) {
            let found = self.bits(|w| w.stands, ends[1], level + least, last - least + 1);
            let is_open = |&rise: &i32| self.is_open(ground.height(), ends, level, rise);
            count += rises(found, least).filter(is_open).count();
        }
        count > 1
    }

    /// The rise to the nearest place of the patch in a column beside, the lower of two, to which steps go both ways.
    #[inline]
    pub(super) fn nearest<S: BlockSource + ?Sized>(
        &self,
        ground: &Ground<'_, S>,
        ends: [usize; 2],
        level: i32,
    ) -> Option<i32> {
        let mut nearest: Option<i32> = None;
        for [least, last] in windows(ground.reach_both_ways()) {
            let found = self.bits(|w| w.reached, ends[1], level + least, last - least + 1);
            for rise in rises(found, least) {
                let is_nearer = nearest.is_none_or(|least| rise.abs() < least.abs());
                if is_nearer && self.is_open(ground.height(), ends, level, rise) {
                    nearest = Some(rise);
                }
            }
        }
        nearest
    }

    /// Whether a step may lead to several places of one column, somewhere.
    pub(super) fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// Whether all steps between four places of a square, of which straight ones are, are legal in all directions: the
    /// least place, that beside it along x, that along z, and that across.
    #[inline]
    pub(super) fn square_opens<S: BlockSource + ?Sized>(&self, ground: &Ground<'_, S>, square: [Cell; 4]) -> bool {
        let [a, b, c, d] = square.map(|place| place.y);
        if a == b && a == c && a == d {
            return true;
        }
        let top = a.max(b).max(c.max(d)) - self.low + ground.height();
        let reach = ground.reach_both_ways();
        (d - a).abs() <= reach
            && (c - b).abs() <= reach
            && square.iter().all(|p| self.is_free(self.at([p.x, p.z]), self.level(p.y) + ground.height()..top))
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
        // All rises of a usual agent are seen at once.
        let (reach, near) = (ground.reach(), ground.reach().min(31));
        let seen = self.bits(|w| w.stands, beside, level - near, 2 * near + 1);
        if seen == 0 && near == reach {
            return true;
        }
        let mut offer = |rise: i32| {
            let stands = if rise.abs() <= near {
                seen >> (rise + near) & 1 != 0
            } else {
                self.bits(|w| w.stands, beside, level + rise, 1) != 0
            };
            if stands && self.is_open(ground.height(), [column, beside], level, rise) {
                found(ground.step(a, Cell::new(a.x + dx, a.y + rise, a.z + dz)));
            }
        };
        // Level first, then downwards, then upwards.
        (0..reach + 1).for_each(|k| offer(-k));
        (1..reach + 1).for_each(offer);
        true
    }

    /// The rises to the rungs above and below a standing point.
    #[inline]
    pub(super) fn rungs(&self, column: usize, level: i32) -> [Option<i32>; 2] {
        let ladder = self.bits(|w| w.ladder, column, level - 1, 2);
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

    /// Reads a column, at a place, as far around a level as a step reaches, and what standing there takes.
    #[inline]
    pub(super) fn read<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        column: usize,
        place: [i32; 2],
        level: i32,
    ) {
        let around = ground.reach_of_any();
        let wanted = [level - around, level + around + ground.height()];
        let known = self.known[column];
        if wanted[0] < known[0] || known[1] < wanted[1] {
            self.read_more(ground, column, place, wanted);
        }
    }

    /// Reads what is missing, without gaps.
    #[inline(never)]
    fn read_more<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        column: usize,
        place: [i32; 2],
        wanted: [i32; 2],
    ) {
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
            // The same column within one step, or perhaps in another storey.
            self.crowded |= (1..=(2 * ground.reach()).min(63)).any(|apart| stands & stands >> apart != 0);
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
            self.count += more;
            self.crowded = true;
        }
    }
}

/// Where some levels lie in the words of all columns.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// The word of the first column.
    row: usize,
    shift: u32,
    /// They go on in the storey above.
    straddles: bool,
    /// A bit each.
    wanted: u64,
}

/// The windows in which all rises up to a reach lie, of 64 rises at most: most agents need one.
#[inline]
pub(super) fn windows(reach: i32) -> impl Iterator<Item = [i32; 2]> {
    (0..(reach >> 5) + 1).map(move |k| [64 * k - reach, reach.min(64 * k - reach + 63)])
}

/// The rises that bits stand for, the lowest of which means `least`; lowest first.
#[inline]
pub(super) fn rises(mut found: u64, least: i32) -> impl Iterator<Item = i32> {
    core::iter::from_fn(move || {
        (found != 0).then(|| {
            let rise = least + found.trailing_zeros() as i32;
            found &= found - 1;
            rise
        })
    })
}
