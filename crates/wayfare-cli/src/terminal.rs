//! Output while a command runs: remarks, warnings, progress, all on standard error.
//!
//! Standard output carries only products and answers, so that it can be piped.

use crate::progress::Bar;
use std::io::{IsTerminal, Write};
use wayfare_draw::control::escaped;

/// Prints `error: …`.
pub(crate) fn error(message: &str) {
    line(&format!("error: {}", escaped(message)));
}

/// Prints lines. If standard error is closed, there is nobody to report to.
fn line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// How much the program prints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal {
    quiet: bool,
}

impl Terminal {
    /// Prints only errors if `quiet`.
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Prints a line about what was done.
    pub(crate) fn say(self, line: impl std::fmt::Display) {
        if !self.quiet {
            let text = line.to_string();
            text.split('\n').for_each(|text| self::line(&escaped(text)));
        }
    }

    /// Prints a warning; the work continues.
    pub(crate) fn warn(self, line: impl std::fmt::Display) {
        if !self.quiet {
            self::line(&format!("warning: {}", escaped(&line.to_string())));
        }
    }

    /// Prints the answer, even with `--quiet`.
    pub(crate) fn answer(self, answer: impl std::fmt::Display) {
        self::line(&escaped(&answer.to_string()));
    }

    /// Shows the progress of work with this many steps; 0 if the number is unknown.
    pub(crate) fn bar(self, what: &'static str, total: u64) -> Bar {
        match self.quiet {
            true => Bar::hidden(),
            false if std::io::stderr().is_terminal() => Bar::drawn(what, total),
            false => Bar::lines(what, total, line),
        }
    }
}
