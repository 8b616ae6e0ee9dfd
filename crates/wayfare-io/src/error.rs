//! Why a file could not be read.

use std::fmt::{self, Display};
use std::io;

/// Why a file could not be read: what is wrong with it, and where. The text says what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    kind: ReadErrorKind,
    line: Option<u64>,
    message: String,
}

/// The kind of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file is damaged, truncated, or not of the expected format.
    Malformed,
    /// The file's format is not supported.
    UnknownFormat,
    /// The file has volumes, which must stay upright, and cannot be rotated.
    NotTurnable,
    /// The file requires too much: more memory than is allowed, or more than its size justifies.
    TooLarge,
    /// A file that it refers to is missing, may not be opened, or cannot be read.
    NamedFile,
    /// The source of the bytes failed.
    Io,
}

impl ReadError {
    /// A fault of the file as a whole. The message continues after the file's name: "is no OBJ file".
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { kind: ReadErrorKind::Malformed, line: None, message: message.into() }
    }

    /// A fault in a line of a text, counted from 1.
    pub(crate) fn in_line(line: u64, message: impl Into<String>) -> Self {
        Self { line: Some(line), ..Self::new(message) }
    }

    pub(crate) fn unknown(message: impl Into<String>) -> Self {
        Self { kind: ReadErrorKind::UnknownFormat, ..Self::new(message) }
    }

    pub(crate) fn not_turnable(message: impl Into<String>) -> Self {
        Self { kind: ReadErrorKind::NotTurnable, ..Self::new(message) }
    }

    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Self { kind: ReadErrorKind::TooLarge, ..Self::new(message) }
    }

    pub(crate) fn named_file(message: impl Into<String>) -> Self {
        Self { kind: ReadErrorKind::NamedFile, ..Self::new(message) }
    }

    pub(crate) fn io(error: &io::Error) -> Self {
        Self { kind: ReadErrorKind::Io, ..Self::new(format!("cannot be read: {error}")) }
    }

    /// The same, for something in the file: "the buffer" before "\"a.bin\" is missing".
    pub(crate) fn of(self, part: &str) -> Self {
        Self { message: format!("{part} {}", self.message), ..self }
    }

    /// The same in a line, unless it has one.
    pub(crate) fn or_in_line(self, line: u64) -> Self {
        Self { line: self.line.or(Some(line)), ..self }
    }

    /// The kind of the fault.
    #[must_use]
    pub fn kind(&self) -> ReadErrorKind {
        self.kind
    }

    /// The line of a text file that has the fault, counted from 1.
    #[must_use]
    pub fn line(&self) -> Option<u64> {
        self.line
    }

    /// What is wrong, without the line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl From<String> for ReadError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for ReadError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}
