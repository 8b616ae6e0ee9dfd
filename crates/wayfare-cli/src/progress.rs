//! Shows the progress of long work: a bar on a terminal, a line every ten seconds elsewhere, nothing with `--quiet`.
//!
//! Work that ends sooner prints no line, so programs that read standard error rarely see any of this.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Time between lines.
const EVERY: Duration = Duration::from_secs(10);

/// The progress of one piece of work; removed when dropped.
pub(crate) struct Bar(Shown);

enum Shown {
    Nothing,
    Drawn(ProgressBar),
    Lines(Lines),
}

impl Bar {
    /// None.
    pub(crate) fn hidden() -> Self {
        Self(Shown::Nothing)
    }

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
        Self(Shown::Drawn(bar))
    }

    /// Lines, ten seconds apart, printed by `say`.
    pub(crate) fn lines(what: &'static str, total: u64, say: impl Fn(&str) + Send + 'static) -> Self {
        Self(Lines::begin(what, total, EVERY, say).map_or(Shown::Nothing, Shown::Lines))
    }

    /// Sets the number of finished steps.
    pub(crate) fn set(&self, done: u64, total: u64) {
        match &self.0 {
            Shown::Nothing => {}
            Shown::Drawn(bar) => {
                bar.set_length(total);
                bar.set_position(done);
            }
            Shown::Lines(lines) => {
                lines.steps.done.store(done, Ordering::Relaxed);
                lines.steps.total.store(total, Ordering::Relaxed);
            }
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Shown::Drawn(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

#[derive(Debug, Default)]
struct Steps {
    done: AtomicU64,
    total: AtomicU64,
}

/// A thread that prints lines until this is dropped.
struct Lines {
    steps: Arc<Steps>,
    /// Dropping it ends the thread.
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Lines {
    /// `None` if no thread can be started.
    fn begin(what: &'static str, total: u64, every: Duration, say: impl Fn(&str) + Send + 'static) -> Option<Self> {
        let steps = Arc::new(Steps { total: total.into(), ..Steps::default() });
        let (stop, stopped) = channel();
        let seen = Arc::clone(&steps);
        let print = move || print_lines(what, &seen, (every, &stopped), &say);
        let thread = Builder::new().name("progress".to_owned()).spawn(print).ok()?;
        Some(Self { steps, stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // It only prints; should that panic, the work is still done.
            let _ = thread.join();
        }
    }
}

fn print_lines(what: &str, steps: &Steps, (every, stopped): (Duration, &Receiver<()>), say: &dyn Fn(&str)) {
    let began = Instant::now();
    while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
        let [done, total] = [&steps.done, &steps.total].map(|count| count.load(Ordering::Relaxed));
        say(&line(what, [done, total], began.elapsed().as_secs()));
    }
}

/// `baking: 43 % after 20 s`; work of one step, or of an unknown number, has no percentage.
fn line(what: &str, [done, total]: [u64; 2], seconds: u64) -> String {
    if total > 1 {
        let percent = u128::from(done) * 100 / u128::from(total);
        format!("{what}: {percent} % after {seconds} s")
    } else {
        format!("{what}: {seconds} s so far")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_how_far_it_is_if_that_is_known() {
        assert_eq!(line("baking", [3, 7], 20), "baking: 42 % after 20 s");
        assert_eq!(line("baking", [0, 1], 20), "baking: 20 s so far");
        assert_eq!(line("reading", [u64::MAX, u64::MAX], 5), "reading: 100 % after 5 s");
    }

    #[test]
    fn long_work_prints_lines_and_short_work_none() {
        let (said, lines) = channel();
        let said_again = said.clone();
        // However slow the machine is, a line comes at last.
        let long = Lines::begin("baking", 4, Duration::from_millis(1), move |line| said.send(line.to_owned()).unwrap());
        assert!(lines.recv().unwrap().starts_with("baking: 0 % after "));
        drop(long);
        while lines.try_recv().is_ok() {}
        drop(Lines::begin("baking", 4, Duration::from_secs(1 << 20), move |_| said_again.send(String::new()).unwrap()));
        assert!(lines.recv().is_err(), "nobody is left to say anything, and nothing was said");
    }
}
