//! Why a `.way` file is refused.

use super::VERSION;
use crate::math::bytes::Truncated;
use crate::mesh::{AddConnectionError, AddTileError};

/// Bytes that are no sound mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Not a `.way` file.
    #[error("not a .way file: it does not begin with WAYFARE")]
    Magic,
    /// Written by a version of this library that knows more.
    #[error(
        "the file has version {version} of the format, but this program knows versions up to {VERSION}: use a newer one"
    )]
    Version {
        /// The version found.
        version: u32,
    },
    /// The file does not end as a `.way` file ends.
    #[error("the file of {have} bytes does not end as a .way file does: it was cut short, or something was appended")]
    End {
        /// Bytes there are.
        have: u64,
    },
    /// The file is shorter or longer than it says.
    #[error("the file has {have} bytes, but should have {want}: it was cut short or something was appended")]
    Length {
        /// Bytes there are.
        have: u64,
        /// Bytes it says it has.
        want: u64,
    },
    /// Some byte was altered.
    #[error("the file's checksum is {have:016x}, but should be {want:016x}: it was altered; get a fresh copy")]
    Checksum {
        /// Of the bytes.
        have: u64,
        /// As stored.
        want: u64,
    },
    /// The bytes are intact, but a section does not fit.
    #[error("the file's {section} is unsound: it was not written by this library")]
    Section {
        /// Where.
        section: &'static str,
    },
    /// A number that means nothing.
    #[error("the file has {value} as {what}, which means nothing")]
    Value {
        /// What was read.
        what: &'static str,
        /// The value.
        value: u32,
    },
    /// A layout without meaning: places and sizes are finite, sizes at least 0.
    #[error("the file's layout has {value} as {what}: places and sizes must be finite, sizes 0 or more")]
    Layout {
        /// What was read.
        what: &'static str,
        /// The value.
        value: f32,
    },
    /// Numbers that go up in every file of ours do not.
    #[error("the file has {what} {value} after {before}, but these go up: it was not written by this library")]
    Order {
        /// What was read.
        what: &'static str,
        /// The value.
        value: u32,
        /// The one before.
        before: u32,
    },
    /// A tile that cannot be added.
    #[error("tile in slot {slot}: {error}")]
    Tile {
        /// Its slot.
        slot: u32,
        /// What is wrong.
        error: AddTileError,
    },
    /// A connection that cannot be added.
    #[error("off-mesh connection {index}: {error}")]
    Connection {
        /// Its index.
        index: u32,
        /// What is wrong.
        error: AddConnectionError,
    },
}

/// What reading a section may run into.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unsound {
    Short,
    Value { what: &'static str, value: u32 },
    Layout { what: &'static str, value: f32 },
}

impl Unsound {
    pub(super) fn within(self, section: &'static str) -> ReadError {
        match self {
            Self::Short => ReadError::Section { section },
            Self::Value { what, value } => ReadError::Value { what, value },
            Self::Layout { what, value } => ReadError::Layout { what, value },
        }
    }
}

impl From<Truncated> for Unsound {
    fn from(_: Truncated) -> Self {
        Self::Short
    }
}
