//! The times of the last ticks, part by part.
//!
//! The lab has no clock: times are those of the caller's, and zero where there is none.
//!
//! Cost: one row for each tick, the last ten seconds.
//!
//! Sources: Mikko Mononen, "Path Following Performance", Digesting Duck, August 2010.

use core::time::Duration;
use std::collections::VecDeque;

/// How many ticks are kept.
const KEPT: usize = 600;

/// The times of a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times {
    /// Which tick.
    pub tick: u32,
    /// The whole update.
    pub update: Duration,
    /// The drawing after it, if the app has measured it.
    pub draw: Duration,
    /// Parts of the update, as the prototype tells them.
    pub phases: Vec<(&'static str, Duration)>,
}

/// The times of the last ticks.
#[derive(Clone, Debug, Default)]
pub struct Profiler {
    history: VecDeque<Times>,
}

impl Profiler {
    /// The last ticks, oldest first.
    pub fn history(&self) -> impl ExactSizeIterator<Item = &Times> {
        self.history.iter()
    }

    /// The names of all phases in the history, in the order in which they first came.
    #[must_use]
    pub fn phases(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for (name, _) in self.history.iter().flat_map(|times| &times.phases) {
            if !names.contains(name) {
                names.push(*name);
            }
        }
        names
    }

    pub(super) fn push(&mut self, tick: u32, update: Duration, phases: Vec<(&'static str, Duration)>) {
        // A tick that is done again takes the place of what was there.
        while self.history.back().is_some_and(|last| last.tick >= tick) {
            self.history.pop_back();
        }
        if self.history.len() == KEPT {
            self.history.pop_front();
        }
        self.history.push_back(Times { tick, update, draw: Duration::ZERO, phases });
    }

    pub(super) fn drawn_in(&mut self, time: Duration) {
        if let Some(last) = self.history.back_mut() {
            last.draw = time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ticks_are_kept_and_one_done_again_takes_the_place_of_the_first() {
        let mut profiler = Profiler::default();
        let ms = Duration::from_millis;
        for tick in 0..700 {
            profiler.push(tick, ms(2), vec![("plan", ms(1)), ("avoid", ms(1))]);
        }
        profiler.push(690, ms(9), vec![("plan", ms(9))]);
        let history: Vec<_> = profiler.history().collect();
        assert_eq!((history.len(), history[0].tick), (591, 100));
        assert_eq!(history.last().map(|times| (times.tick, times.update)), Some((690, ms(9))));
        assert_eq!(profiler.phases(), ["plan", "avoid"]);
    }
}
