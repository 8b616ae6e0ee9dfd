//! Saved states, so that a step back need not replay from the beginning.
//!
//! ```text
//!   one a second:                  |  |  |  |  |  |  |  |
//!   too many, so every other goes: |     |     |     |        and from then on one in two seconds
//! ```
//!
//! Cost: at most [`MOST`] copies of a prototype; a step back replays at most the ticks between two of them.

use crate::prototype::Instance;

/// How many are kept.
const MOST: usize = 32;
/// How many ticks lie between two of them at first.
const APART: u32 = 60;

/// Copies of a prototype by tick: its state before that tick, and before parameters are set in it.
pub(super) struct Checkpoints {
    kept: Vec<(u32, Box<dyn Instance>)>,
    apart: u32,
}

impl Checkpoints {
    pub(super) fn new() -> Self {
        Self { kept: Vec::new(), apart: APART }
    }

    /// Keeps a copy, if it is time for one.
    pub(super) fn offer(&mut self, tick: u32, instance: &dyn Instance) {
        let is_new = self.kept.last().is_none_or(|(last, _)| *last < tick);
        if tick == 0 || !tick.is_multiple_of(self.apart) || !is_new {
            return;
        }
        self.kept.push((tick, instance.copy()));
        if self.kept.len() > MOST {
            self.apart *= 2;
            let apart = self.apart;
            self.kept.retain(|(tick, _)| tick.is_multiple_of(apart));
        }
    }

    /// The last state at or before a tick.
    pub(super) fn before(&self, tick: u32) -> Option<(u32, Box<dyn Instance>)> {
        let after = self.kept.partition_point(|(kept, _)| *kept <= tick);
        after.checked_sub(1).map(|last| (self.kept[last].0, self.kept[last].1.copy()))
    }

    /// Forgets the states after a tick.
    pub(super) fn truncate(&mut self, tick: u32) {
        self.kept.retain(|(kept, _)| *kept <= tick);
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_keeps_few_states_and_none_is_far_from_any_tick() {
        let instance = (crate::host::all()[0].make)();
        let mut kept = Checkpoints::new();
        let hour = 216_000;
        (0..hour).for_each(|tick| kept.offer(tick, &*instance));
        assert!(kept.kept.len() <= MOST && kept.kept.len() >= MOST / 2);
        let (tick, _) = kept.before(100_000).unwrap();
        assert!(tick <= 100_000 && 100_000 - tick < kept.apart);
        kept.truncate(1_000);
        assert!(kept.before(hour).is_none_or(|(tick, _)| tick <= 1_000));
        assert!(kept.before(0).is_none());
    }
}
