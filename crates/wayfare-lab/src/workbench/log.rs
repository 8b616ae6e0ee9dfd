//! What has happened, newest last, each entry with its position if it has one.

use wayfare::Vec3;

/// How much an entry matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Good to know.
    Note,
    /// Something to look at.
    Warning,
    /// Something did not work.
    Error,
}

/// One thing that has happened.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// How much it matters.
    pub weight: Weight,
    /// A sentence.
    pub text: String,
    /// Where, if anywhere.
    pub at: Option<Vec3>,
}

/// The log: the last thousand entries.
#[derive(Clone, Debug, Default)]
pub struct Log {
    entries: Vec<LogEntry>,
}

const MOST: usize = 1000;

impl Log {
    /// All entries that are kept, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[LogEntry] {
        &self.entries
    }

    /// Notes what happened.
    pub fn note(&mut self, text: impl Into<String>) {
        self.push(Weight::Note, text.into(), None);
    }

    /// Notes what to look at, and where.
    pub fn warn(&mut self, text: impl Into<String>, at: Option<Vec3>) {
        self.push(Weight::Warning, text.into(), at);
    }

    /// Notes what did not work.
    pub fn error(&mut self, text: impl Into<String>) {
        self.push(Weight::Error, text.into(), None);
    }

    fn push(&mut self, weight: Weight, text: String, at: Option<Vec3>) {
        if self.entries.len() == MOST {
            self.entries.remove(0);
        }
        self.entries.push(LogEntry { weight, text, at });
    }
}
