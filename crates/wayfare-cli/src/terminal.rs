//! What a person sees while a command runs: remarks, warnings, progress, all on standard error.
//!
//! Standard output carries only products and answers, so that it can be piped.

use crate::progress::Bar;
use std::io::{IsTerminal, Write};
use wayfare_draw::control::escaped;

/// Prints `error: …`.
pub(crate) fn error(message: &str) {
    line(&format!("error: {}", escaped(message)));
}

/// Prints lines. A closed standard error is nobody to complain to.
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
            let text = line.to_string();
            text.split('\n').for_each(|text| self::line(&escaped(text)));
        }
    }

    /// Something to look at, though the work went on.
    pub(crate) fn warn(self, line: impl std::fmt::Display) {
        if !self.quiet {
            self::line(&format!("warning: {}", escaped(&line.to_string())));
        }
    }

    /// The answer to what was asked, printed also with `--quiet`.
    pub(crate) fn answer(self, answer: impl std::fmt::Display) {
        self::line(&escaped(&answer.to_string()));
    }

    /// How far work of so many steps has come; 0 steps: it is not known how many.
    pub(crate) fn bar(self, what: &'static str, total: u64) -> Bar {
        match self.quiet {
            true => Bar::hidden(),
            false if std::io::stderr().is_terminal() => Bar::drawn(what, total),
            false => Bar::lines(what, total, line),
        }
    }
}
