//! Counts steps of work, only in tests: how long a reader takes depends on the machine, how much it does does not. Work
//! inside a library is counted as its upper bound.

/// Counts steps. Outside tests this does nothing.
#[inline(always)]
pub(crate) fn count(steps: usize) {
    #[cfg(test)]
    counted::add(steps);
    #[cfg(not(test))]
    let _ = steps;
}

/// The count, separate for each thread.
#[cfg(test)]
pub(crate) mod counted {
    use std::cell::Cell;

    thread_local! {
        static STEPS: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add(steps: usize) {
        STEPS.with(|all| all.set(all.get().saturating_add(steps)));
    }

    /// The steps that `work` takes.
    pub(crate) fn steps_of(work: impl FnOnce()) -> usize {
        STEPS.with(|all| all.set(0));
        work();
        STEPS.with(Cell::get)
    }
}
