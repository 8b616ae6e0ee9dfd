//! What a person sees while a command runs: remarks, warnings, progress bars, all on standard error.
//!
//! Standard output carries only products and answers, so that it can be piped.

use crate::progress::Bar;
use std::io::{IsTerminal, Write};

/// Prints `error: …`.
pub(crate) fn error(message: &str) {
    line(&format!("error: {message}"));
}

/// Prints a line. A closed standard error is nobody to complain to.
fn line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
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
            self::line(&line.to_string());
        }
    }

    /// Something to look at, though the work went on.
    pub(crate) fn warn(self, line: impl std::fmt::Display) {
        if !self.quiet {
            self::line(&format!("warning: {line}"));
        }
    }

    /// Something that nobody can have wanted: told also who wants to hear nothing but errors.
    pub(crate) fn insist(self, line: impl std::fmt::Display) {
        self::line(&format!("warning: {line}"));
    }

    /// How far work of so many steps has come, for a person at a terminal; 0 steps: it is not known how many.
    pub(crate) fn bar(self, what: &'static str, total: u64) -> Bar {
        if self.quiet || !std::io::stderr().is_terminal() { Bar::hidden() } else { Bar::drawn(what, total) }
    }
}
