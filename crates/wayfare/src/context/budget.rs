//! How much a budgeted job may do in one step, and how far it has come.

/// How many units of work one `step` of a long job may spend. The unit is the job's own (search nodes, tiles) and is
/// named where the job is documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(u64);

impl Budget {
    /// No bound: the job runs to its end in one step.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self(u64::MAX)
    }

    /// At most `units` of work. Zero is legal and does nothing.
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

    /// Takes so many units, or all that is left; `false` when none is left after.
    pub fn charge(&mut self, units: u64) -> bool {
        if self.0 != u64::MAX {
            self.0 = self.0.saturating_sub(units);
        }
        self.0 > 0
    }

    /// Takes a part of at most so many units out of it; without limit, a part without limit.
    pub(crate) fn split_off(&mut self, most: u64) -> Self {
        if *self == Self::unlimited() {
            return *self;
        }
        let part = self.0.min(most);
        self.0 -= part;
        Self(part)
    }

    /// Takes back what is left of a [part](Self::split_off).
    pub(crate) fn put_back(&mut self, rest: Self) {
        if *self != Self::unlimited() {
            self.0 += rest.0;
        }
    }

    /// What is left.
    #[must_use]
    pub const fn left(self) -> u64 {
        self.0
    }
}

/// How far a job has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Units of work done.
    pub done: u64,
    /// Units of work in all; what is known so far where the job discovers its work.
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
