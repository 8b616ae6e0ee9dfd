//! Processes many items at once, on the threads of the pool from which it is called; without the feature `rayon` on
//! one. The results are in the order of the items in either case.

use core::cell::Cell;

std::thread_local! {
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs work on the calling thread alone, whatever pool it belongs to: for filters and listeners that must be called on
/// that thread, and for small work that need not wake others.
///
/// ```
/// use wayfare::context::on_this_thread;
///
/// assert_eq!(on_this_thread(|| 1 + 1), 2);
/// ```
pub fn on_this_thread<T>(work: impl FnOnce() -> T) -> T {
    /// Puts back what was there, also where the work panics.
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_ALONE.set(self.0);
        }
    }
    let _restore = Restore(IS_ALONE.replace(true));
    work()
}

/// Calls `one` with each item and the memory of the current thread, which must not affect a result.
#[cfg(feature = "bake")]
pub(crate) fn map<T: Send, S, R: Send>(
    items: Vec<T>,
    memory: impl Fn() -> S + Sync + Send,
    one: impl Fn(&mut S, T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    if threads() > 1 {
        use rayon::prelude::*;
        return items.into_par_iter().map_init(memory, one).collect();
    }
    let mut memory = memory();
    items.into_iter().map(|item| one(&mut memory, item)).collect()
}

/// How many threads are available.
#[cfg(any(feature = "bake", feature = "rayon"))]
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    if !IS_ALONE.get() {
        return rayon::current_num_threads();
    }
    1
}

#[cfg(all(test, feature = "rayon", feature = "bake"))]
mod tests {
    use super::*;

    #[test]
    fn alone_means_the_calling_thread_until_the_work_is_over() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let ids = || map((0..100).collect(), || (), |(), _: i32| std::thread::current().id());
        pool.install(|| {
            let own = std::thread::current().id();
            assert_eq!(threads(), 3);
            on_this_thread(|| {
                assert_eq!(threads(), 1);
                assert!(ids().iter().all(|id| *id == own));
                on_this_thread(|| assert_eq!(threads(), 1));
                assert_eq!(threads(), 1);
            });
            assert_eq!(threads(), 3);
            let broken = std::panic::catch_unwind(|| on_this_thread::<()>(|| panic!("work that ends early")));
            assert!(broken.is_err() && threads() == 3);
        });
    }
}
