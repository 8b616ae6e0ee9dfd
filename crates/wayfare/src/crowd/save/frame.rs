//! The frame around stored bytes: kind, version and length before them, a checksum after.
//!
//! ```text
//!   kind, 7 bytes | version | length of all, 8 bytes | … | checksum, 8 bytes
//! ```
//!
//! Sources: none needed.

use super::CrowdReadError;
use crate::math::bytes::{Reader, Truncated, Writer};
use crate::math::envelope;
use xxhash_rust::xxh3::xxh3_64;

/// A kind of stored bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// The first seven bytes.
    pub(super) magic: [u8; 7],
    /// Its name in messages.
    pub(super) name: &'static str,
    /// The version that is written, 1…9.
    pub(super) version: u8,
}

const CHECKSUM_BYTES: usize = 8;
const HEAD_BYTES: usize = 8 + 8;

impl Kind {
    /// The head, with room for the length.
    pub(super) fn begin(&self) -> Writer {
        let [a, b, c, d, e, f, g] = self.magic;
        envelope::begin([a, b, c, d, e, f, g, b'0' + self.version], Vec::new())
    }

    /// The content between head and checksum, once all of these are valid.
    pub(super) fn open<'a>(&self, bytes: &'a [u8]) -> Result<Reader<'a>, CrowdReadError> {
        let have = bytes.len() as u64;
        let too_short = CrowdReadError::Length { have, want: (HEAD_BYTES + CHECKSUM_BYTES) as u64 };
        let (&found, rest) = bytes.split_first_chunk::<7>().ok_or(too_short)?;
        if found != self.magic {
            return Err(CrowdReadError::Magic { what: self.name, found, wanted: self.magic });
        }
        let mut rest = Reader::new(rest);
        let digit = rest.u8().map_err(|Truncated| too_short)?;
        let version = digit.checked_sub(b'0').filter(|version| (1..=self.version).contains(version));
        if version.is_none() {
            return Err(CrowdReadError::Version { found: digit.wrapping_sub(b'0'), known: self.version });
        }
        let want = rest.u64().map_err(|Truncated| too_short)?;
        if want != have {
            return Err(CrowdReadError::Length { have, want });
        }
        let body = rest.left().checked_sub(CHECKSUM_BYTES).ok_or(too_short)?;
        let body = rest.take(body).map_err(|Truncated| too_short)?;
        let want = rest.u64().map_err(|Truncated| too_short)?;
        let have = xxh3_64(&bytes[..bytes.len() - CHECKSUM_BYTES]);
        if have == want { Ok(Reader::new(body)) } else { Err(CrowdReadError::Checksum { have, want }) }
    }
}

/// Checks that no bytes are left.
pub(super) fn finished(reader: &Reader<'_>) -> Result<(), CrowdReadError> {
    if reader.is_empty() { Ok(()) } else { Err(CrowdReadError::Surplus { bytes: reader.left() as u64 }) }
}
