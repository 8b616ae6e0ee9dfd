//! What a caller may lend a long job: a clock, a log, a progress sink, a way to cancel. None of them costs anything
//! when it is not given, and the library itself reads no clock and prints nothing.

mod budget;
mod cancel;
mod hooks;
#[cfg(feature = "bake")]
pub(crate) mod parallel;

pub use budget::{Budget, Progress};
pub use cancel::{Cancel, Cancelled};
pub use hooks::{Clock, Context, Log};
