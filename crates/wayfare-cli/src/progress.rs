//! How far long work has come: a bar on a terminal; a line every few seconds where standard error goes into a file or
//! to another program, so that hours of work do not look as if nothing happened; nothing with `--quiet`.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that takes less says nothing in a log.
const EVERY: Duration = Duration::from_secs(5);

/// How far one piece of work has come; gone when dropped.
pub(crate) enum Bar {
    Hidden,
    Drawn(ProgressBar),
    Logged(Log),
}

impl Bar {
    /// A bar for `total` steps of work. 0 steps: a spinner.
    pub(crate) fn drawn(what: &'static str, total: u64) -> Self {
        let template = if total == 0 {
            "{prefix:>12} {spinner} {elapsed}"
        } else {
            "{prefix:>12} [{bar:36}] {percent:>3}% {elapsed} (left: {eta})"
        };
        let style = ProgressStyle::with_template(template)
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        bar.set_style(style);
        bar.set_prefix(what);
        bar.enable_steady_tick(Duration::from_millis(120));
        Self::Drawn(bar)
    }

    /// So many steps are done.
    pub(crate) fn set(&self, done: u64, total: u64) {
        match self {
            Self::Hidden => {}
            Self::Drawn(bar) => {
                bar.set_length(total);
                bar.set_position(done);
            }
            Self::Logged(log) => {
                log.steps.total.store(total, Ordering::Relaxed);
                log.steps.done.store(done, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Self::Drawn(bar) = self {
            bar.finish_and_clear();
        }
    }
}

/// A thread that writes lines until it is dropped.
pub(crate) struct Log {
    steps: Arc<Steps>,
    end: Option<(Sender<()>, JoinHandle<()>)>,
}

#[derive(Default)]
struct Steps {
    done: AtomicU64,
    total: AtomicU64,
}

impl Log {
    /// Says every few seconds how far `what` has come, in `unit`s.
    pub(crate) fn new(what: &'static str, unit: &'static str) -> Self {
        let steps = Arc::new(Steps::default());
        let (sender, end) = channel();
        let (seen, began) = (Arc::clone(&steps), Instant::now());
        // Without a thread there are no lines, and the work goes on.
        let thread = std::thread::Builder::new().spawn(move || {
            while end.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                super::terminal::line(&seen.told(what, unit, began.elapsed()));
            }
        });
        Self { steps, end: thread.ok().map(|thread| (sender, thread)) }
    }
}

impl Steps {
    /// `baking: 120 of 350 tiles (34%) after 12 s`.
    fn told(&self, what: &str, unit: &str, spent: Duration) -> String {
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let mut line = format!("{what}: ");
        // Of one step that is not done yet there is nothing to say. Writing to a string cannot fail.
        if total > 1 {
            let _ = write!(line, "{done} of {total} {unit}s ({}%) ", done * 100 / total);
        }
        let _ = write!(line, "after {} s", spent.as_secs());
        line
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let Some((sender, thread)) = self.end.take() else { return };
        drop(sender);
        // It ends at once, and has nothing to hand over.
        let _ = thread.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_and_how_long_it_took() {
        let log = Log::new("baking", "tile");
        let told = || log.steps.told("baking", "tile", Duration::from_millis(12_300));
        assert_eq!(told(), "baking: after 12 s");
        let bar = Bar::Logged(Log { steps: Arc::clone(&log.steps), end: None });
        bar.set(120, 350);
        assert_eq!(told(), "baking: 120 of 350 tiles (34%) after 12 s");
        bar.set(0, 1);
        assert_eq!(told(), "baking: after 12 s");
    }
}
