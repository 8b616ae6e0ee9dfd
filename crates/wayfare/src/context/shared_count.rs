//! Counts what all threads have done together, and tells of it in order.
//!
//! Sources: none needed.

use std::sync::{Mutex, PoisonError};

/// A number to which all threads add.
#[derive(Debug, Default)]
pub(crate) struct SharedCount(Mutex<u64>);

impl SharedCount {
    /// One that begins with what was done before.
    pub(crate) const fn new(done: u64) -> Self {
        Self(Mutex::new(done))
    }

    /// Adds to it, and tells how much it is now: to one thread at a time, lest a smaller count follows a larger one.
    pub(crate) fn add(&self, units: u64, tell: impl FnOnce(u64)) {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *done = done.saturating_add(units);
        tell(*done);
    }

    pub(crate) fn get(&self) -> u64 {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_never_tell_a_smaller_count_after_a_larger_one() {
        let count = SharedCount::new(5);
        let told = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        count.add(2, |done| told.lock().unwrap().push(done));
                    }
                });
            }
        });
        assert_eq!(told.into_inner().unwrap(), (1..=4000).map(|i| 5 + 2 * i).collect::<Vec<_>>());
        assert_eq!(count.get(), 8005);
    }
}
