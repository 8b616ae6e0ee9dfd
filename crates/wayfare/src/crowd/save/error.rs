//! Why a stored crowd cannot be read.
//!
//! Sources: none needed.

use super::fields::Fault;
use crate::crowd::ParamsError;

/// Bytes that cannot be read as a crowd.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdReadError {
    /// Not a stored crowd.
    #[error(
        "not a stored {what}: it begins with {:?}, not {:?}",
        String::from_utf8_lossy(found),
        String::from_utf8_lossy(wanted)
    )]
    Magic {
        /// What was expected.
        what: &'static str,
        /// The first seven bytes.
        found: [u8; 7],
        /// What they should be.
        wanted: [u8; 7],
    },
    /// Written by a newer version of this library.
    #[error(
        "the bytes have version {found} of the format, but this program knows versions up to {known}: use a newer one"
    )]
    Version {
        /// The version found.
        found: u8,
        /// The highest version this program can read.
        known: u8,
    },
    /// Shorter or longer than the stored length, or than any stored crowd can be.
    #[error("there are {have} bytes, but should be {want}: they were cut short or something was appended")]
    Length {
        /// Bytes there are.
        have: u64,
        /// Bytes there must be.
        want: u64,
    },
    /// A byte was altered.
    #[error("the checksum is {have:016x}, but should be {want:016x}: the bytes were altered; get a fresh copy")]
    Checksum {
        /// Checksum of the bytes.
        have: u64,
        /// Checksum as stored.
        want: u64,
    },
    /// It was stored on another mesh, or on this mesh in another state.
    #[error(
        "the crowd stood on a mesh with the digest {stored:016x}, but this one has {found:016x}: restore that mesh first"
    )]
    OtherMesh {
        /// Digest of the mesh at the time.
        stored: u64,
        /// Digest of the given mesh.
        found: u64,
    },
    /// The number of filters is not the number that the game had given the crowd.
    #[error(
        "the crowd had {stored} filters of the game, but {given} are given: give them all, in the order of their numbers"
    )]
    Filters {
        /// How many it had.
        stored: u32,
        /// How many are given.
        given: u32,
    },
    /// A parameter of an agent is out of range.
    #[error("an agent's {0}")]
    Params(ParamsError),
    /// The bytes are intact, but end before their counts are complete.
    #[error("the bytes end too early: they were not written by this library")]
    Short,
    /// The bytes are intact, but there are more than their counts say.
    #[error("there are {bytes} bytes more than their counts say: they were not written by this library")]
    Surplus {
        /// Number of surplus bytes.
        bytes: u64,
    },
    /// An invalid number.
    #[error("the bytes have {value} as {what}, which is not a valid value: they were not written by this library")]
    Value {
        /// What it was read as.
        what: &'static str,
        /// The value.
        value: u64,
    },
}

impl From<Fault> for CrowdReadError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Short => Self::Short,
            Fault::Value { what, value } => Self::Value { what, value },
        }
    }
}
