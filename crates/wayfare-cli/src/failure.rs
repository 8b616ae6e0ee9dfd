//! The results of a command: an answer, or one error message.

use std::fmt::Display;
use std::io;

/// The answer of a command that was executed; decides the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done, or yes: exit status 0.
    Yes,
    /// The query was valid and the answer is no (no path, violations found): exit status 1.
    No,
}

impl Answer {
    /// Yes or no.
    pub(crate) fn of(yes: bool) -> Self {
        if yes { Self::Yes } else { Self::No }
    }
}

/// Why a command could not be executed; exit status 2.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What went wrong and what to do about it; printed once, after `error: `.
    Message(String),
    /// The reader of our output has closed it. Not an error: exit status 0, nothing printed.
    BrokenPipe,
}

/// The result type of every fallible function of the program.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// A failure that says `message`.
    pub(crate) fn new(message: impl Display) -> Self {
        Self::Message(message.to_string())
    }

    /// A failure about a file or an option: `subject: message`.
    pub(crate) fn about(subject: impl Display, message: impl Display) -> Self {
        Self::Message(format!("{subject}: {message}"))
    }

    /// The same, prefixed by its subject.
    pub(crate) fn within(self, subject: impl Display) -> Self {
        match self {
            Self::Message(message) => Self::about(subject, message),
            other => other,
        }
    }

    /// The failure for an I/O error on `subject`.
    pub(crate) fn io(subject: impl Display, error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            io::ErrorKind::NotFound => Self::about(subject, "there is no such file or folder"),
            io::ErrorKind::PermissionDenied => Self::about(subject, "permission denied"),
            io::ErrorKind::InvalidData => Self::about(subject, "is not text in UTF-8"),
            io::ErrorKind::IsADirectory => Self::about(subject, "is a folder, not a file"),
            _ if is_disk_full(error) => {
                Self::about(subject, "cannot be written: the disk is full; free some space, or write to another disk")
            }
            _ => Self::about(subject, error),
        }
    }
}

/// Whether an error means that there is no space left, on the disk or in the user's quota.
pub(crate) fn is_disk_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}
