//! How much a job may do in one step, and its progress.

#[cfg(feature = "bake")]
use core::ops::Range;

/// The number of work units that one `step` of a long job may use. Each job defines its own unit (search nodes, tiles)
/// and names it in its documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u64,
    /// All units that were taken, including those that were not there.
    taken: u64,
}

impl Budget {
    /// No limit: the job runs to its end in one step.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// At most `units` of work. Zero is allowed and does nothing.
    #[must_use]
    pub const fn new(units: u64) -> Self {
        Self { left: units, taken: 0 }
    }

    /// Whether it has no limit.
    pub(crate) const fn is_unlimited(self) -> bool {
        self.left == u64::MAX
    }

    /// Takes one unit; `false` when none is left.
    pub fn spend(&mut self) -> bool {
        let was_left = self.left > 0;
        if was_left {
            self.charge(1);
        }
        was_left
    }

    /// Takes `units` units, or all that are left; `false` when none is left afterwards.
    pub fn charge(&mut self, units: u64) -> bool {
        self.taken = self.taken.saturating_add(units);
        if !self.is_unlimited() {
            self.left = self.left.saturating_sub(units);
        }
        self.left > 0
    }

    /// Splits off at most `units` units; without a limit, a part without a limit.
    pub(crate) fn split_off(&mut self, most: u64) -> Self {
        if self.is_unlimited() {
            return Self::unlimited();
        }
        let part = self.left.min(most);
        self.left -= part;
        Self::new(part)
    }

    /// Returns what is left of a [part](Self::split_off), and counts what it has taken.
    pub(crate) fn put_back(&mut self, rest: Self) {
        self.taken = self.taken.saturating_add(rest.taken);
        if !self.is_unlimited() {
            self.left += rest.left;
        }
    }

    /// The items of a pass over `count` from one on that are done in one piece, a unit each: as many as units are left,
    /// but at least one.
    #[cfg(feature = "bake")]
    pub(crate) fn piece(self, from: usize, count: usize) -> Range<usize> {
        from..from + self.left.max(1).min((count - from) as u64) as usize
    }

    /// The remaining units.
    #[must_use]
    pub const fn left(self) -> u64 {
        self.left
    }

    /// All units that pieces of work have taken so far. The last piece may have taken more than there were.
    pub(crate) const fn taken(self) -> u64 {
        self.taken
    }
}

/// The progress of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Units of work done.
    pub done: u64,
    /// Units of work in total; the number known so far if the job discovers its work as it runs.
    pub total: u64,
}

impl Progress {
    /// Whether nothing is left to do.
    #[must_use]
    pub const fn is_finished(self) -> bool {
        self.done >= self.total
    }

    /// How much of it is done, 0…1; 1 if there is nothing to do.
    #[must_use]
    pub fn share(self) -> f32 {
        if self.total == 0 { 1.0 } else { self.done as f32 / self.total as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_runs_out_and_an_unlimited_one_does_not() {
        let mut two = Budget::new(2);
        assert!(two.spend() && two.spend() && !two.spend());
        let mut nine = Budget::new(9);
        assert!(nine.charge(5) && !nine.charge(5) && nine.left() == 0 && nine.taken() == 10);
        let mut all = Budget::unlimited();
        assert!((0..1000).all(|_| all.spend()));
        assert!(all.charge(u64::MAX) && all.charge(u64::MAX));
        assert!(all.is_unlimited());
        for mut whole in [Budget::new(9), Budget::unlimited()] {
            let mut part = whole.split_off(5);
            part.charge(3);
            whole.put_back(part);
            assert!(whole.taken() == 3 && (whole.is_unlimited() || whole.left() == 6));
        }
    }
}
