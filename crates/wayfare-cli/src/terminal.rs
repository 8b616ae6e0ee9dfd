//! What a person sees while a command runs: remarks, warnings, progress bars, all on standard error.
//!
//! Standard output carries only products and answers, so that it can be piped. Progress is drawn on a terminal only,
//! and not with `--quiet`.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// Prints `error: …`. A closed standard error is nobody to complain to.
pub(crate) fn error(message: &str) {
    let _ = writeln!(std::io::stderr(), "error: {message}");
}

/// How talkative the program is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    quiet: bool,
}

impl Terminal {
    /// Says nothing but errors if `quiet`.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// A line about what was done.
    pub(crate) fn say(self, line: impl std::fmt::Display) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }

    /// Something to look at, though the work went on.
    pub(crate) fn warn(self, line: impl std::fmt::Display) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "warning: {line}");
        }
    }

    fn draws(self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// A bar for `total` steps of work; invisible when piped or quiet. 0 steps: a spinner.
    pub(crate) fn bar(self, what: &'static str, total: u64) -> ProgressBar {
        if !self.draws() {
            return ProgressBar::hidden();
        }
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
        bar
    }
}
