//! Why a `.way` file cannot be read.

use super::VERSION;
use super::file_part::FilePart;
use crate::math::bytes::Truncated;
use crate::mesh::{AddConnectionError, AddTileError};
use crate::tile::TileCoord;

/// Bytes that are not a valid mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Not a `.way` file.
    #[error("not a .way file: it does not begin with WAYFARE")]
    Magic,
    /// Written by a newer version of this library.
    #[error("the file has version {version} of the format, but this program knows version {VERSION}: use a newer one")]
    Version {
        /// The version found.
        version: u32,
    },
    /// Written before the first release, in a version that can no longer be read.
    #[error("the file has version {version} of the format, which is no longer read: bake the mesh anew")]
    OldVersion {
        /// The version found.
        version: u32,
    },
    /// The file does not have the end of a `.way` file.
    #[error("the file of {have} bytes does not end as a .way file does: it was cut short, or something was appended")]
    End {
        /// Number of bytes present.
        have: u64,
    },
    /// The file is shorter or longer than it declares.
    #[error("the file has {have} bytes, but should have {want}: it was cut short or something was appended")]
    Length {
        /// Number of bytes present.
        have: u64,
        /// Number of bytes declared.
        want: u64,
    },
    /// A byte of a part was altered.
    #[error("the checksum of {part} is {have:016x}, but should be {want:016x}: it was altered; get a fresh copy")]
    Checksum {
        /// The part.
        part: FilePart,
        /// Checksum of the bytes.
        have: u64,
        /// Checksum as stored.
        want: u64,
    },
    /// The bytes given are not those of a part.
    #[error("{part} takes {want} bytes, but {have} were given: read those in the range that is named")]
    PartLength {
        /// The part.
        part: FilePart,
        /// Number of bytes given.
        have: u64,
        /// Number of bytes needed.
        want: u64,
    },
    /// The parts do not fill the file.
    #[error(
        "the file's parts end at byte {want}, but its directory begins at {have}: it was not written by this library"
    )]
    Ranges {
        /// Where the directory begins.
        have: u64,
        /// Where the parts end.
        want: u64,
    },
    /// A section is not in the order of names, or is there twice.
    #[error("{part} is not in the order of names, or is there twice: the file was not written by this library")]
    SectionOrder {
        /// The section.
        part: FilePart,
    },
    /// A required section has an unsupported version.
    #[error(
        "the file's section {name:?} has version {version}, but this program knows version {known}: use a newer one"
    )]
    SectionVersion {
        /// Its name.
        name: &'static str,
        /// Its version.
        version: u32,
        /// The supported version.
        known: u32,
    },
    /// A place without a tile is listed where it should not be.
    #[error(
        "the file lists column {}, row {}, layer {} as a place without a tile, out of order or against what it says \
         elsewhere: it was not written by this library",
        coord.x, coord.z, coord.layer
    )]
    Place {
        /// The place.
        coord: TileCoord,
    },
    /// The bytes are intact, but inconsistent.
    #[error("the file's {section} is unsound: it was not written by this library")]
    Section {
        /// The part.
        section: &'static str,
    },
    /// An invalid number.
    #[error("the file has {value} as {what}, which is not a valid value")]
    Value {
        /// What it was read as.
        what: &'static str,
        /// The value.
        value: u32,
    },
    /// An invalid layout: origins and sizes must be finite, sizes at least 0.
    #[error("the file's layout has {value} as {what}: places and sizes must be finite, sizes 0 or more")]
    Layout {
        /// What it was read as.
        what: &'static str,
        /// The value.
        value: f32,
    },
    /// Numbers that increase in every file written by this library do not.
    #[error("the file has {what} {value} after {before}, but these go up: it was not written by this library")]
    Order {
        /// What they were read as.
        what: &'static str,
        /// The value.
        value: u32,
        /// The previous value.
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

impl ReadError {
    pub(super) fn check_version(version: u32) -> Result<(), Self> {
        match version {
            VERSION => Ok(()),
            1..VERSION => Err(Self::OldVersion { version }),
            _ => Err(Self::Version { version }),
        }
    }
}

/// Errors while reading a part.
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
