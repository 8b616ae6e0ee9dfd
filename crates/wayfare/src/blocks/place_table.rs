//! A hash table from cells to numbers: open addressing, nothing random, no iteration order to depend on.
//!
//! ```text
//!   slot   0   1   2   3   4   5          A key is in the slot given by the hash of its coordinates, or in the next free one.
//!          a   .   b   c   d   .          Removing b moves back those of c, d that would not be found past the gap.
//! ```
//!
//! Cost: O(1) expected; at most three quarters of the slots are used, and the table shrinks when few are.
//!
//! Sources: Donald Knuth, "The Art of Computer Programming", volume 3, section 6.4, algorithms L and R (linear
//! probing), 1973.

use crate::math::index::NONE;

/// A map from cells to numbers below [`NONE`].
#[derive(Clone, Debug, Default)]
pub(super) struct PlaceTable {
    slots: Vec<([i32; 3], u32)>,
    used: usize,
}

const EMPTY: ([i32; 3], u32) = ([0; 3], NONE);
const LEAST: usize = 16;

/// Multiplications mix low bits upwards; the upper half is folded back.
#[inline]
fn scramble([x, y, z]: [i32; 3]) -> usize {
    let mut h = u64::from(x as u32) | u64::from(z as u32) << 32;
    h = (h ^ u64::from(y as u32).wrapping_mul(0xff51_afd7_ed55_8ccd)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h = (h ^ (h >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (h ^ (h >> 32)) as u32 as usize
}

impl PlaceTable {
    #[inline]
    pub(super) fn get(&self, key: [i32; 3]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = scramble(key) & mask;
        loop {
            let (found, value) = self.slots[at];
            if value == NONE {
                return None;
            }
            if found == key {
                return Some(value);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a key that is not in the table yet.
    pub(super) fn insert(&mut self, key: [i32; 3], value: u32) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.resize((self.slots.len() * 2).max(LEAST));
        }
        self.used += 1;
        self.place(key, value);
    }

    /// Removes a key, if it is in the table.
    pub(super) fn remove(&mut self, key: [i32; 3]) {
        if self.get(key).is_none() {
            return;
        }
        let mask = self.slots.len() - 1;
        let mut gap = scramble(key) & mask;
        while self.slots[gap].0 != key || self.slots[gap].1 == NONE {
            gap = (gap + 1) & mask;
        }
        self.used -= 1;
        let mut at = gap;
        loop {
            at = (at + 1) & mask;
            let (other, value) = self.slots[at];
            if value == NONE {
                break;
            }
            // It may move back unless its own slot is between the gap and it.
            let home = scramble(other) & mask;
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(gap) & mask) {
                self.slots[gap] = (other, value);
                gap = at;
            }
        }
        self.slots[gap] = EMPTY;
        if self.slots.len() > LEAST && self.used * 8 < self.slots.len() {
            self.resize(self.slots.len() / 2);
        }
    }

    /// Bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<([i32; 3], u32)>()
    }

    fn resize(&mut self, size: usize) {
        let old = core::mem::replace(&mut self.slots, vec![EMPTY; size]);
        for (key, value) in old.into_iter().filter(|slot| slot.1 != NONE) {
            self.place(key, value);
        }
    }

    fn place(&mut self, key: [i32; 3], value: u32) {
        let mask = self.slots.len() - 1;
        let mut at = scramble(key) & mask;
        while self.slots[at].1 != NONE {
            at = (at + 1) & mask;
        }
        self.slots[at] = (key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use std::collections::BTreeMap;

    #[test]
    fn it_holds_what_a_sorted_map_holds() {
        let (mut table, mut mirror, mut rng) = (PlaceTable::default(), BTreeMap::new(), Rng::new(2));
        for i in 0..20_000 {
            let mut v = || rng.below(12) as i32 - 6;
            let key = [v(), v(), v()];
            // The table grows first, then shrinks.
            if rng.below(20_000) > i && !mirror.contains_key(&key) {
                table.insert(key, i);
                mirror.insert(key, i);
            } else {
                table.remove(key);
                mirror.remove(&key);
            }
            assert_eq!(table.get(key), mirror.get(&key).copied());
        }
        for x in -6..6 {
            for y in -6..6 {
                assert!((-6..6).all(|z| table.get([x, y, z]) == mirror.get(&[x, y, z]).copied()));
            }
        }
        mirror.keys().for_each(|&key| table.remove(key));
        assert_eq!((table.used, table.slots.len()), (0, LEAST));
    }
}
