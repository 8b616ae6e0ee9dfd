//! How much a job may do in one step, and its progress.

/// The number of work units that one `step` of a long job may use. Each job defines its own unit (search nodes, tiles)
/// and names it in its documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(u64);

impl Budget {
    /// No limit: the job runs to its end in one step.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self(u64::MAX)
    }

    /// At most `units` of work. Zero is allowed and does nothing.
    #[must_use]
    pub const fn new(units: u64) -> Self {
        Self(units)
    }

    /// Takes one unit; `false` when none is left.
    pub fn spend(&mut self) -> bool {
        if self.0 == 0 {
            return false;
        }
        if self.0 != u64::MAX {
            self.0 -= 1;
        }
        true
    }

    /// Takes `units` units, or all that are left; `false` when none is left afterwards.
    pub fn charge(&mut self, units: u64) -> bool {
        if self.0 != u64::MAX {
            self.0 = self.0.saturating_sub(units);
        }
        self.0 > 0
    }

    /// Splits off at most `units` units; without a limit, a part without a limit.
    pub(crate) fn split_off(&mut self, most: u64) -> Self {
        if *self == Self::unlimited() {
            return *self;
        }
        let part = self.0.min(most);
        self.0 -= part;
        Self(part)
    }

    /// Returns what is left of a [part](Self::split_off).
    pub(crate) fn put_back(&mut self, rest: Self) {
        if *self != Self::unlimited() {
            self.0 += rest.0;
        }
    }

    /// The remaining units.
    #[must_use]
    pub const fn left(self) -> u64 {
        self.0
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_runs_out_and_an_unlimited_one_does_not() {
        let mut two = Budget::new(2);
        assert!(two.spend() && two.spend() && !two.spend());
        let mut nine = Budget::new(9);
        assert!(nine.charge(5) && !nine.charge(5) && nine.left() == 0);
        let mut all = Budget::unlimited();
        assert!((0..1000).all(|_| all.spend()));
        assert!(all.charge(u64::MAX) && all.charge(u64::MAX));
        assert_eq!(all, Budget::unlimited());
    }
}
