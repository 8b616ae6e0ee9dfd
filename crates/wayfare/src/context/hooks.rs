//! The caller's clock, log, progress sink and cancel switch, carried together.

use super::{Cancel, Cancelled, Progress};
use core::fmt;
use core::time::Duration;

/// A clock supplied by the caller; only differences are used.
pub trait Clock: Sync {
    /// Time since any fixed moment.
    fn now(&self) -> Duration;
}

/// Receives the messages of a job.
pub trait Log: Sync {
    /// One message, a full sentence without a newline.
    fn log(&self, message: fmt::Arguments<'_>);
}

/// What the caller passes to a long job. `Context::default()` passes nothing and costs nothing.
#[derive(Clone, Copy, Default)]
pub struct Context<'a> {
    /// For stage timings. Without it all reported times are zero.
    pub clock: Option<&'a dyn Clock>,
    /// For messages.
    pub log: Option<&'a dyn Log>,
    /// Called after each finished unit of work, from whichever thread finished it: by one at a time, and never with
    /// less than before.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Checked between units of work.
    pub cancel: Option<&'a Cancel>,
    /// Memory limit for each tile in progress, in bytes, estimated from its cells and spans. A bake that would need
    /// more ends with an error that says so. `None`: no limit. The estimate does not depend on the machine, so the same
    /// job ends the same way everywhere.
    pub memory_limit: Option<u64>,
}

impl Context<'_> {
    /// Runs `work` and returns its result with the time it took (zero without a clock).
    pub fn timed<T>(&self, work: impl FnOnce() -> T) -> (T, Duration) {
        let Some(clock) = self.clock else { return (work(), Duration::ZERO) };
        let began = clock.now();
        let result = work();
        (result, clock.now().saturating_sub(began))
    }

    /// Passes a message on. The arguments are formatted only if there is a log.
    pub fn log(&self, message: fmt::Arguments<'_>) {
        if let Some(log) = self.log {
            log.log(message);
        }
    }

    /// Reports progress.
    pub fn progress(&self, done: u64, total: u64) {
        if let Some(progress) = self.progress {
            progress(Progress { done, total });
        }
    }

    /// `Err(Cancelled)` if a stop was requested.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn check_cancelled(&self) -> Result<(), Cancelled> {
        if self.cancel.is_some_and(Cancel::is_cancelled) { Err(Cancelled) } else { Ok(()) }
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("clock", &self.clock.is_some())
            .field("log", &self.log.is_some())
            .field("progress", &self.progress.is_some())
            .field("cancel", &self.cancel)
            .field("memory_limit", &self.memory_limit)
            .finish()
    }
}
