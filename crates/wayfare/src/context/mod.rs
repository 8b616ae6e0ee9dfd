//! What a caller can pass to a long job: a clock, a log, a progress callback, a cancel switch. Each of them is optional
//! and free if absent; the library itself reads no clock and prints nothing.

mod budget;
mod cancel;
mod hooks;
pub(crate) mod parallel;
#[cfg(feature = "bake")]
mod shared_count;

pub use budget::{Budget, Progress};
pub use cancel::{Cancel, Cancelled};
pub use hooks::{Clock, Context, Log};
pub use parallel::on_this_thread;
#[cfg(feature = "bake")]
pub(crate) use shared_count::SharedCount;
