//! A counter of steps, for tests of how work grows.
//!
//! A loop that could grow faster than its input [counts](count) its steps. The time it takes depends on the machine and
//! its load; the number of steps does not. Outside the library's own tests counting compiles to nothing.

#[cfg(test)]
std::thread_local! {
    static STEPS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// Counts `steps` steps of an inner loop.
#[inline(always)]
pub(crate) fn count(steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + steps as u64);
    #[cfg(not(test))]
    let _ = steps;
}

/// The result of `work`, and the steps it takes on this thread.
#[cfg(test)]
pub(crate) fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = STEPS.get();
    let done = work();
    (done, STEPS.get() - before)
}
