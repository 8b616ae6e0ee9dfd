//! Numbers for what the library names by types of its own: agents, obstacles, objects, requests.

use crate::status::{Failure, Outcome};
use std::collections::BTreeMap;

/// Numbers that are given out once and never again, so that one that was removed is known as such.
pub(crate) struct Names<T> {
    kind: &'static str,
    things: BTreeMap<u64, T>,
    numbers: BTreeMap<T, u64>,
    next: u64,
}

impl<T: Copy + Ord> Names<T> {
    pub(crate) fn new(kind: &'static str) -> Self {
        Self { kind, things: BTreeMap::new(), numbers: BTreeMap::new(), next: 1 }
    }

    /// Gives a thing a number, or the one that it has.
    pub(crate) fn name(&mut self, thing: T) -> u64 {
        let number = *self.numbers.entry(thing).or_insert(self.next);
        if number == self.next {
            self.things.insert(number, thing);
            self.next += 1;
        }
        number
    }

    pub(crate) fn thing(&self, number: u64) -> Outcome<T> {
        let kind = self.kind;
        self.things
            .get(&number)
            .copied()
            .ok_or_else(|| Failure::stale(format_args!("{kind} {number} was removed, or never made")))
    }

    /// The number of a thing; 0 if it has none.
    pub(crate) fn number(&self, thing: T) -> u64 {
        self.numbers.get(&thing).copied().unwrap_or(0)
    }

    pub(crate) fn forget(&mut self, number: u64) {
        if let Some(thing) = self.things.remove(&number) {
            self.numbers.remove(&thing);
        }
    }
}
