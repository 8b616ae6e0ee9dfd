//! The frame around stored bytes, with the name of what is stored for messages.
//!
//! Sources: none needed.

use super::CrowdReadError;
use crate::math::bytes::{Reader, Writer};
use crate::math::envelope::{Envelope, EnvelopeError};

/// A kind of stored bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) envelope: Envelope,
    /// Its name in messages.
    pub(super) name: &'static str,
}

impl Kind {
    /// The first version of a kind.
    pub(super) const fn first(magic: [u8; 7], name: &'static str) -> Self {
        Self { envelope: Envelope::first(magic), name }
    }

    /// The head, with room for the length.
    pub(super) fn begin(&self) -> Writer {
        self.envelope.begin(Vec::new())
    }

    /// The content between head and checksum, once all of these are valid.
    pub(super) fn open<'a>(&self, bytes: &'a [u8]) -> Result<Reader<'a>, CrowdReadError> {
        let opened = self.envelope.open(bytes).map_err(|error| match error {
            EnvelopeError::Name { found: [found @ .., _] } => {
                CrowdReadError::Magic { what: self.name, found, wanted: self.envelope.name }
            }
            EnvelopeError::Version { found, known } => CrowdReadError::Version { found, known },
            EnvelopeError::Length { have, want } => CrowdReadError::Length { have, want },
            EnvelopeError::Checksum { have, want } => CrowdReadError::Checksum { have, want },
        });
        opened.map(|(reader, _)| reader)
    }
}

/// Checks that no bytes are left.
pub(super) fn finished(reader: &Reader<'_>) -> Result<(), CrowdReadError> {
    if reader.is_empty() { Ok(()) } else { Err(CrowdReadError::Surplus { bytes: reader.left() as u64 }) }
}
