//! What is derived by the first reader that asks, without anybody waiting.

use std::sync::OnceLock;

/// What is there, or is derived now. Threads that come here at once all derive, instead of waiting for one another; one
/// result is kept.
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
