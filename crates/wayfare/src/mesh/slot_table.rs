//! A persistent table of slots: each is empty or holds one thing, with a salt that distinguishes it from earlier ones.
//!
//! A new thing gets the lowest free slot. When it is removed, the slot's salt is increased by one; a slot whose 16-bit
//! salt is exhausted is retired.
//!
//! Invariants: `count` slots have content, `used` have or had content, and none below `free_from` is free. All of it
//! except `free_from`, which only saves searching, follows from the slots.
//!
//! Cost: two loads to read; a write copies one page if a clone shares it.
//!
//! Sources: Mikko Mononen, "Save Games and All That", Digesting Duck, March 2010 (slots and salts).

use super::paged::Paged;
use super::slot::{SaltedSlot, SlotGap};

/// Slots for things of one kind.
#[derive(Clone, Debug)]
pub(super) struct SlotTable<T> {
    pub(super) slots: Paged<SaltedSlot<T>>,
    count: u32,
    used: u32,
    free_from: u32,
}

impl<T: Clone> SlotTable<T> {
    pub(super) fn new() -> Self {
        Self { slots: Paged::filled(SaltedSlot::FREE, 0), count: 0, used: 0, free_from: 0 }
    }

    /// The content of a slot.
    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&T> {
        self.slots.get(slot)?.content.as_ref()
    }

    /// The content of a slot, mutable.
    pub(super) fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.get(slot)?;
        self.slots.write(slot).content.as_mut()
    }

    /// The contents of all slots, by slot.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter_written().filter_map(|(_, slot)| slot.content.as_ref())
    }

    /// How many slots have content.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// How many slots have or had content.
    pub(super) fn used(&self) -> u32 {
        self.used
    }

    /// One more than the highest slot that was ever used.
    pub(super) fn len(&self) -> u32 {
        self.slots.len()
    }

    /// Salt of the content of a slot, or of the next one.
    pub(super) fn salt(&self, slot: u32) -> u16 {
        self.slots.get(slot).map_or(1, |slot| slot.salt)
    }

    /// The lowest slot that is neither taken nor retired, with its salt.
    pub(super) fn lowest_free(&mut self) -> (u32, u16) {
        while self.slots.get(self.free_from).is_some_and(|slot| !slot.is_free()) {
            self.free_from += 1;
        }
        (self.free_from, self.salt(self.free_from))
    }

    /// Puts content in an empty slot, with this salt.
    pub(super) fn fill(&mut self, slot: u32, salt: u16, content: T) {
        let entry = self.slots.write(slot);
        self.used += u32::from(!entry.is_used());
        self.count += u32::from(entry.content.is_none());
        entry.fill(content, salt);
    }

    /// Removes the content of a slot; references to it become stale.
    pub(super) fn empty(&mut self, slot: u32) -> Option<T> {
        self.get(slot)?;
        let content = self.slots.write(slot).empty()?;
        self.count -= 1;
        self.free_from = self.free_from.min(slot);
        Some(content)
    }

    /// The slots that had content and are empty now, in order.
    pub(super) fn gaps(&self) -> impl Iterator<Item = (u32, SlotGap)> {
        let gaps = self.slots.iter_written().filter(|(_, slot)| slot.is_gap());
        gaps.map(|(at, slot)| (at, SlotGap { salt: slot.salt, retired: slot.retired }))
    }

    /// Whether a slot had content and is empty now.
    pub(super) fn has_gap(&self, slot: u32) -> bool {
        self.slots.get(slot).is_some_and(SaltedSlot::is_gap)
    }

    /// Marks an empty slot as one that had content.
    pub(super) fn leave_gap(&mut self, slot: u32, gap: SlotGap) {
        let entry = self.slots.write(slot);
        if entry.content.is_none() {
            self.used += u32::from(!entry.is_used());
            entry.continue_from(gap);
            // A retired slot may be free again.
            self.free_from = self.free_from.min(slot);
        }
    }

    /// Makes a slot that had content and is empty now one that never had any.
    pub(super) fn forget_gap(&mut self, slot: u32) {
        if self.has_gap(slot) {
            let entry = self.slots.write(slot);
            entry.continue_from(SlotGap { salt: 1, retired: false });
            self.used -= 1;
            self.free_from = self.free_from.min(slot);
        }
    }

    /// Whether nothing has been written since one was cloned from the other.
    pub(super) fn is_shared_with(&self, other: &Self) -> bool {
        self.slots.is_shared_with(&other.slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    /// Against counting afresh, over thousands of steps.
    #[test]
    fn counts_follow_from_the_slots() {
        let mut rng = Rng::new(3);
        let mut table = SlotTable::new();
        for step in 0..4000_u32 {
            match rng.below(6) {
                5 => table.forget_gap(rng.below(300)),
                0 | 1 => {
                    let (slot, salt) = table.lowest_free();
                    let free = (0..).find(|&at| table.slots.get(at).is_none_or(SaltedSlot::is_free));
                    assert_eq!((Some(slot), table.get(slot)), (free, None));
                    table.fill(slot, if rng.below(9) == 0 { u16::MAX } else { salt }, step);
                }
                2 => table.leave_gap(rng.below(300), SlotGap { salt: 7, retired: rng.below(4) == 0 }),
                _ => _ = table.empty(rng.below(300)),
            }
            let slots = || (0..table.len()).filter_map(|at| table.slots.get(at));
            assert_eq!(table.count() as usize, slots().filter(|slot| slot.content.is_some()).count());
            assert_eq!(table.used() as usize, slots().filter(|slot| slot.is_used()).count());
            assert_eq!(table.gaps().count(), (table.used() - table.count()) as usize);
            assert_eq!(table.iter().count(), table.count() as usize);
        }
        assert!(table.count() > 20 && table.gaps().count() > 20);
    }
}
