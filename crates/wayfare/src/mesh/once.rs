//! Data derived on first use, without waiting.

use std::sync::OnceLock;

/// The value in the cell, derived now if it is empty. Threads that arrive at the same time all derive it instead of
/// waiting for one another; one result is kept.
#[inline]
pub(crate) fn once<T>(cell: &OnceLock<T>, derive: impl FnOnce() -> T) -> &T {
    #[cold]
    #[inline(never)]
    fn first<T>(cell: &OnceLock<T>, derive: impl FnOnce() -> T) -> &T {
        let derived = derive();
        cell.get_or_init(|| derived)
    }
    match cell.get() {
        Some(there) => there,
        None => first(cell, derive),
    }
}
