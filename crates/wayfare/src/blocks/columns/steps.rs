//! Steps computed from the columns of a tile: the queries of `ground.rs`, answered from words.
//!
//! Sources: own work.

use super::word::ones;
use super::{ALL, Columns};
use crate::blocks::ground::{Ground, SIDES, Step};
use crate::blocks::{BlockSource, Cell};

impl Columns {
    /// Whether a step may lead to several cells of one column anywhere.
    pub(in crate::blocks) fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// Whether there is a ladder in some column that was read.
    pub(in crate::blocks) fn has_ladders(&self) -> bool {
        self.has_ladders
    }

    /// Whether all cells that the flood met are in the patch.
    pub(in crate::blocks) fn has_taken_all(&self) -> bool {
        !self.has_left_out
    }

    /// Whether there is room for a step from a standing point to one in the neighbouring column.
    #[inline]
    fn is_open(&self, [own, beside]: [usize; 2], level: i32, rise: i32) -> bool {
        match rise {
            0 => true,
            1 => self.bits(|w| w.room, own, level, 1) != 0,
            -1 => self.bits(|w| w.room, beside, level - 1, 1) != 0,
            2.. => self.has_room(own, level..level + rise),
            _ => self.has_room(beside, level + rise..level),
        }
    }

    /// Whether there is room above a body with its feet at each of some levels.
    #[inline]
    fn has_room(&self, column: usize, mut levels: core::ops::Range<i32>) -> bool {
        while levels.start < levels.end {
            let count = (levels.end - levels.start).min(64);
            if self.bits(|w| w.room, column, levels.start, count) != u64::MAX >> (64 - count) {
                return false;
            }
            levels.start += 64;
        }
        true
    }

    /// Whether steps lead from a standing point to several cells of a neighbouring column.
    pub(in crate::blocks) fn forks<S: BlockSource + ?Sized>(
        &self,
        ground: &Ground<'_, S>,
        ends: [usize; 2],
        level: i32,
    ) -> bool {
        let open = windows(ground.reach()).flat_map(|[least, last]| {
            let found = self.bits(|w| w.stands, ends[1], level + least, last - least + 1);
            ones(found, least).filter(|&rise| self.is_open(ends, level, rise))
        });
        open.take(2).count() > 1
    }

    /// The number of the nearest cell of the patch in a neighbouring column (the lower of two) to which steps go both
    /// ways, if this cell is in turn its nearest.
    #[inline]
    pub(in crate::blocks) fn partner<S: BlockSource + ?Sized>(
        &self,
        ground: &Ground<'_, S>,
        [own, beside]: [usize; 2],
        level: i32,
    ) -> Option<u32> {
        let rise = self.nearest(ground, [own, beside], level)?;
        let is_mutual = || self.nearest(ground, [beside, own], level + rise) == Some(-rise);
        (rise == 0 || !self.crowded || is_mutual()).then(|| self.number(beside, level + rise))
    }

    /// The rise to the nearest cell of the patch in a neighbouring column.
    #[inline]
    fn nearest<S: BlockSource + ?Sized>(&self, ground: &Ground<'_, S>, ends: [usize; 2], level: i32) -> Option<i32> {
        let reach = ground.reach_both_ways();
        if !self.crowded && reach < 32 {
            // There is at most one.
            let found = self.bits(|w| w.reached, ends[1], level - reach, 2 * reach + 1);
            let rise = found.trailing_zeros() as i32 - reach;
            return (found != 0 && self.is_open(ends, level, rise)).then_some(rise);
        }
        let mut nearest: Option<i32> = None;
        for [least, last] in windows(reach) {
            let found = self.bits(|w| w.reached, ends[1], level + least, last - least + 1);
            for rise in ones(found, least) {
                let is_nearer = nearest.is_none_or(|least| rise.abs() < least.abs());
                if is_nearer && self.is_open(ends, level, rise) {
                    nearest = Some(rise);
                }
            }
        }
        nearest
    }

    /// Whether all steps within a square of four cells are legal in all directions, given that straight steps are.
    /// Order: the least cell, its neighbour along x, its neighbour along z, and the cell across.
    #[inline]
    pub(in crate::blocks) fn square_opens<S: BlockSource + ?Sized>(
        &self,
        ground: &Ground<'_, S>,
        square: [Cell; 4],
    ) -> bool {
        let [a, b, c, d] = square.map(|place| place.y);
        if a == b && a == c && a == d {
            return true;
        }
        let top = a.max(b).max(c.max(d));
        let reach = ground.reach_both_ways();
        let has_room = |p: &Cell| self.has_room(self.at([p.x, p.z]), self.level(p.y)..self.level(top));
        (d - a).abs() <= reach && (c - b).abs() <= reach && square.iter().all(has_room)
    }

    /// Calls `found` for every step that [`Ground::steps`] returns from a cell whose surroundings were read, in the
    /// same order. Returns `false` if the column on that side is not in the tile.
    #[inline]
    pub(in crate::blocks) fn steps<S: BlockSource + ?Sized>(
        &self,
        ground: &Ground<'_, S>,
        a: Cell,
        side: usize,
        mut found: impl FnMut(Step),
    ) -> bool {
        let column = self.at([a.x, a.z]);
        let level = self.level(a.y);
        let beside = self.beside(column, side);
        let [dx, dz] = SIDES[side];
        if self.known[beside] == ALL {
            return false;
        }
        // All rises of a typical agent are read at once.
        let reach = ground.reach();
        let near = ground.reach().min(31);
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
            if stands && self.is_open([column, beside], level, rise) {
                found(ground.step(a, Cell::new(a.x + dx, a.y + rise, a.z + dz)));
            }
        };
        // Level first, then downwards, then upwards.
        (0..reach + 1).for_each(|k| offer(-k));
        (1..reach + 1).for_each(offer);
        true
    }

    /// The rungs above and below a standing point whose surroundings were read.
    pub(in crate::blocks) fn rungs(&self, c: Cell) -> [Option<Cell>; 2] {
        let column = self.at([c.x, c.z]);
        let level = self.level(c.y);
        let ladder = self.bits(|w| w.ladder, column, level - 1, 2);
        if ladder == 0 {
            return [None; 2];
        }
        let stands = self.bits(|w| w.stands, column, level - 1, 3);
        let up = ladder & 0b10 != 0 && stands & 0b100 != 0;
        let down = ladder & stands & 1 != 0;
        [up.then_some(Cell { y: c.y + 1, ..c }), down.then_some(Cell { y: c.y - 1, ..c })]
    }
}

/// Splits the rises up to a reach into windows of at most 64; most agents need one.
#[inline]
fn windows(reach: i32) -> impl Iterator<Item = [i32; 2]> {
    (0..(reach >> 5) + 1).map(move |k| [64 * k - reach, reach.min(64 * k - reach + 63)])
}
