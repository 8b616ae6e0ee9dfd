//! Processes many items at once, on the threads of the pool from which it is called; without the feature `rayon` on
//! one. The results are in the order of the items in either case.

/// Calls `one` with each item and the memory of the current thread, which must not affect a result.
pub(crate) fn map<T: Send, S, R: Send>(
    items: Vec<T>,
    memory: impl Fn() -> S + Sync + Send,
    one: impl Fn(&mut S, T) -> R + Sync + Send,
) -> Vec<R> {
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        items.into_par_iter().map_init(memory, one).collect()
    }
    #[cfg(not(feature = "rayon"))]
    {
        let mut memory = memory();
        items.into_iter().map(|item| one(&mut memory, item)).collect()
    }
}

/// How many threads are available.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    {
        rayon::current_num_threads()
    }
    #[cfg(not(feature = "rayon"))]
    {
        1
    }
}
