//! The times of the last ticks, part by part, and where they stand out.
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
/// How many times the median a spike is.
const SPIKE: u32 = 3;

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

    /// The median time of an update.
    #[must_use]
    pub fn median(&self) -> Duration {
        let mut all: Vec<Duration> = self.history.iter().map(|times| times.update).collect();
        let middle = all.len() / 2;
        if all.is_empty() { Duration::ZERO } else { *all.select_nth_unstable(middle).1 }
    }

    /// Updates that took at least three times as long as the median: the tick, and the phase that took longest, if the
    /// prototype tells phases.
    #[must_use]
    pub fn spikes(&self) -> Vec<(u32, Option<&'static str>)> {
        let limit = self.median() * SPIKE;
        let worst = |times: &Times| times.phases.iter().max_by_key(|(_, time)| *time).map(|(name, _)| *name);
        let tall = self.history.iter().filter(|times| times.update >= limit && times.update > Duration::ZERO);
        tall.map(|times| (times.tick, worst(times))).collect()
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
    fn spikes_stand_out_from_the_median() {
        let mut profiler = Profiler::default();
        let ms = Duration::from_millis;
        for tick in 0..700 {
            let long = if tick == 650 { 9 } else { 1 };
            profiler.push(tick, ms(long + 1), vec![("plan", ms(long)), ("avoid", ms(1))]);
        }
        assert_eq!((profiler.history().len(), profiler.median()), (600, ms(2)));
        assert_eq!(profiler.spikes(), [(650, Some("plan"))]);
        assert_eq!(profiler.phases(), ["plan", "avoid"]);
    }

    #[test]
    fn without_a_clock_nothing_stands_out() {
        let mut profiler = Profiler::default();
        profiler.push(0, Duration::ZERO, Vec::new());
        assert!(profiler.spikes().is_empty());
    }
}
