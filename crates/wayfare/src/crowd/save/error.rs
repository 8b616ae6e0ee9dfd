//! Why a stored crowd is refused.
//!
//! Sources: none needed.

use super::fields::Fault;
use crate::crowd::ParamsError;

/// Bytes that no crowd can be made of.
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
        /// What was asked for.
        what: &'static str,
        /// The first seven bytes.
        found: [u8; 7],
        /// What they should be.
        wanted: [u8; 7],
    },
    /// Written by a version of this library that knows more.
    #[error(
        "the bytes have version {found} of the format, but this program knows versions up to {known}: use a newer one"
    )]
    Version {
        /// The version found.
        found: u8,
        /// The highest that is known.
        known: u8,
    },
    /// Shorter or longer than it says, or than any stored crowd is.
    #[error("there are {have} bytes, but should be {want}: they were cut short or something was appended")]
    Length {
        /// Bytes there are.
        have: u64,
        /// Bytes there must be.
        want: u64,
    },
    /// Some byte was altered.
    #[error("the checksum is {have:016x}, but should be {want:016x}: the bytes were altered; get a fresh copy")]
    Checksum {
        /// Of the bytes.
        have: u64,
        /// As stored.
        want: u64,
    },
    /// It was stored on another mesh, or on this one before it was changed.
    #[error(
        "the crowd stood on a mesh with the digest {stored:016x}, but this one has {found:016x}: restore that mesh first"
    )]
    OtherMesh {
        /// That of the mesh at the time.
        stored: u64,
        /// That of the mesh given.
        found: u64,
    },
    /// Not as many filters as the game had given it.
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
    /// The bytes are intact, but end before all that they promise.
    #[error("the bytes end too early: they were not written by this library")]
    Short,
    /// The bytes are intact, but more than they promise.
    #[error("there are {bytes} bytes more than their counts say: they were not written by this library")]
    Surplus {
        /// Bytes too many.
        bytes: u64,
    },
    /// A number that means nothing.
    #[error("the bytes have {value} as {what}, which means nothing: they were not written by this library")]
    Value {
        /// What was read.
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
