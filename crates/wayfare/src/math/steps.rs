//! Work counted in steps, for tests of how it grows.
//!
//! A loop that could grow faster than its input [counts](count) its steps. How long it takes depends on the machine and
//! on what else runs there; how many steps it takes does not. Outside the library's own tests a step is nothing at all.

#[cfg(test)]
std::thread_local! {
    static STEPS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
}

/// So many steps of an inner loop.
#[inline(always)]
pub(crate) fn count(steps: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + steps as u64);
    #[cfg(not(test))]
    let _ = steps;
}

/// What `work` gives, and the steps that it takes on this thread.
#[cfg(test)]
pub(crate) fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = STEPS.get();
    let done = work();
    (done, STEPS.get() - before)
}
