//! A flood over standing points by words: all cells of a column at once.
//!
//! ```text
//!   from     stands    reached      From the new cells of a column, the cells beside them are found by shifts: level, and by each rise
//!     0        1         1          up and down as far as there is room. Standing points there that were not taken
//!     1        0         0          are new in turn.
//!     0        1         1
//! ```
//!
//! Cost: about forty instructions per column and side, mostly once.
//!
//! Sources: own work; filling by shifted words as in bitboards.

use super::Columns;
use super::word::ones;
use crate::blocks::ground::{Ground, SIDES};
use crate::blocks::{BlockSource, Cell};

impl Columns {
    /// Takes all cells that are connected with a standing point by steps that go both ways, through cells for which
    /// `is_of_it` holds. It is called once per cell, with whether the cell is of the default area.
    pub(in crate::blocks) fn flood<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        seed: Cell,
        mut is_of_it: impl FnMut(Cell, bool) -> bool,
    ) {
        let place = [seed.x, seed.z];
        let level = self.level(seed.y);
        self.read(ground, self.at(place), Self::around(ground, [level; 2]));
        self.offer(level >> 6, place, 1 << (level & 63), &mut is_of_it);
        while let Some((storey, place)) = self.open.pop() {
            let own = self.at(place);
            let Some(word) = self.word_mut(storey, own) else { continue };
            let from = core::mem::take(&mut word.fresh);
            let levels =
                [from.trailing_zeros() as i32, 63 - from.leading_zeros() as i32].map(|bit| (storey << 6) + bit);
            let wanted = Self::around(ground, levels);
            self.read(ground, own, wanted);
            (0..4).for_each(|side| self.read(ground, self.beside(own, side), wanted));
            let row = self.index(storey, 0);
            let found = self.near(ground, row, own, from);
            for (side, new) in found.into_iter().enumerate() {
                if new != 0 {
                    let at = row + self.beside(own, side);
                    self.take(at, storey, beside(place, side), new, &mut is_of_it);
                }
            }
            // The highest and the lowest level of a storey are adjacent to the next storey.
            if ground.reach_both_ways() > 1 || from & (1 << 63 | 1) != 0 {
                (0..4).for_each(|side| self.spread(ground, storey, from, place, side, &mut is_of_it));
            }
            if self.has_ladders {
                // Ladders lead from their blocks up, and down into them.
                let up = from & self.bits(|w| w.ladder, own, storey << 6, 64);
                let down = from & self.bits(|w| w.ladder, own, (storey << 6) - 1, 64);
                self.offer_shifted(storey, place, up, 1, &mut is_of_it);
                self.offer_shifted(storey, place, down, -1, &mut is_of_it);
            }
        }
    }

    /// The new cells in the same storey of the four neighbours, level or one rise up or down: nearly always these are
    /// all.
    #[inline]
    fn near<S: BlockSource + ?Sized>(&self, ground: &Ground<'_, S>, row: usize, own: usize, from: u64) -> [u64; 4] {
        let Some(words) = self.words.get(row..).filter(|words| own < words.len()) else { return [0; 4] };
        // A rise up needs room above the start, a rise down above the end.
        let (up, down) = if ground.reach_both_ways() > 0 { ((from & words[own].room) << 1, from >> 1) } else { (0, 0) };
        let mut found = [0; 4];
        for (found, step) in found.iter_mut().zip(self.steps) {
            let word = words.get(own.wrapping_add_signed(step));
            *found = word.map_or(0, |word| word.offers(from | up | down & word.room));
        }
        found
    }

    /// Offers all cells of a neighbouring column to which steps from cells of this one go both ways.
    fn spread<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        storey: i32,
        from: u64,
        place: [i32; 2],
        side: usize,
        is_of_it: &mut impl FnMut(Cell, bool) -> bool,
    ) {
        let own = self.at(place);
        let to = beside(place, side);
        let mut up = from;
        let mut down = from;
        for rise in 1..=ground.reach_both_ways() {
            up &= self.bits(|w| w.room, own, (storey << 6) + rise - 1, 64);
            down &= self.bits(|w| w.room, self.beside(own, side), (storey << 6) - rise, 64);
            if up | down == 0 {
                break;
            }
            self.offer_shifted(storey, to, up, rise, is_of_it);
            self.offer_shifted(storey, to, down, -rise, is_of_it);
        }
    }

    /// Offers the cells of a column that are `rise` above those of a storey.
    fn offer_shifted(
        &mut self,
        storey: i32,
        place: [i32; 2],
        from: u64,
        rise: i32,
        is_of_it: &mut impl FnMut(Cell, bool) -> bool,
    ) {
        let storey = storey + (rise >> 6);
        let shift = rise & 63;
        self.offer(storey, place, from << shift, is_of_it);
        if shift != 0 {
            self.offer(storey + 1, place, from >> (64 - shift), is_of_it);
        }
    }

    /// Offers levels of a column and takes those that are standing points not taken yet.
    fn offer(&mut self, storey: i32, place: [i32; 2], levels: u64, is_of_it: &mut impl FnMut(Cell, bool) -> bool) {
        let at = self.index(storey, self.at(place));
        let new = self.words.get(at).map_or(0, |word| word.offers(levels));
        if new != 0 {
            self.take(at, storey, place, new, is_of_it);
        }
    }

    /// Takes new levels of a word.
    fn take(
        &mut self,
        at: usize,
        storey: i32,
        [x, z]: [i32; 2],
        new: u64,
        is_of_it: &mut impl FnMut(Cell, bool) -> bool,
    ) {
        let low = self.height(storey << 6);
        let word = &mut self.words[at];
        let mut reached = 0;
        for bit in ones(new, 0) {
            let is_plain = word.plain >> bit & 1 != 0;
            reached |= u64::from(is_of_it(Cell::new(x, low + bit, z), is_plain)) << bit;
        }
        if word.fresh == 0 && reached != 0 {
            self.open.push((storey, [x, z]));
        }
        self.has_left_out |= reached != new;
        word.taken |= new;
        word.reached |= reached;
        word.fresh |= reached;
    }

    /// Numbers the cells that the flood reached, column by column, upwards, and lists them.
    pub(in crate::blocks) fn list(&mut self, cells: &mut Vec<Cell>) {
        cells.clear();
        let side = self.side;
        let storeys = self.storeys();
        for z in 1..side - 1 {
            for x in 1..side - 1 {
                for storey in storeys.clone() {
                    let at = self.index(storey, (z * side + x) as usize);
                    let low = self.low + (storey << 6);
                    let word = &mut self.words[at];
                    word.first = cells.len() as u32;
                    cells.extend(ones(word.reached, low).map(|y| Cell::new(self.x + x, y, self.z + z)));
                }
            }
        }
    }

    /// The number of a reached cell.
    #[inline]
    pub(in crate::blocks) fn number(&self, column: usize, level: i32) -> u32 {
        let Some(word) = self.word(level >> 6, column) else { return 0 };
        let below = word.reached & ((1 << (level & 63)) - 1);
        // Counting bits is slow, and mostly there are none.
        if below == 0 { word.first } else { word.first + below.count_ones() }
    }
}

/// The (x, z) next to another on a side.
#[inline]
fn beside([x, z]: [i32; 2], side: usize) -> [i32; 2] {
    let [dx, dz] = SIDES[side];
    [x + dx, z + dz]
}
