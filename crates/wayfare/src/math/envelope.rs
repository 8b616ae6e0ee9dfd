//! The frame around stored bytes: name, version and length before them, a checksum after.
//!
//! ```text
//!   name, 7 bytes | version, a digit | length of all, 8 bytes | … | checksum of all before it, 8 bytes
//! ```
//!
//! Sources: none needed.

use super::bytes::{Reader, Truncated, Writer};
use xxhash_rust::xxh3::xxh3_64;

const NAME: usize = 7;
/// Name and version.
const MAGIC: usize = NAME + 1;
const HEAD: usize = MAGIC + 8;
const CHECKSUM: usize = 8;

/// A kind of stored bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Envelope {
    /// The first bytes.
    pub(crate) name: [u8; NAME],
    /// The version that is written, 1…9. All versions up to it are read.
    pub(crate) version: u8,
    /// The first version that has a length.
    pub(crate) sized_since: u8,
}

/// Why an envelope cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EnvelopeError {
    /// The bytes begin with another name.
    Name { found: [u8; MAGIC] },
    /// They were written by another version of the library.
    Version { found: u8, known: u8 },
    /// They are cut short, or something follows them.
    Length { have: u64, want: u64 },
    /// They were altered.
    Checksum { have: u64, want: u64 },
}

impl Envelope {
    /// The least bytes that there can be of the version that is written.
    pub(crate) const LEAST: usize = HEAD + CHECKSUM;

    /// The first version of a kind.
    pub(crate) const fn first(name: [u8; NAME]) -> Self {
        Self { name, version: 1, sized_since: 1 }
    }

    /// Replaces the content of `bytes` by the head, with room for the length.
    pub(crate) fn begin(&self, mut bytes: Vec<u8>) -> Writer {
        bytes.clear();
        bytes.extend_from_slice(&self.name);
        bytes.push(b'0' + self.version);
        let mut out = Writer { bytes };
        out.u64(0);
        out
    }

    /// The content between head and checksum, and the version, once name, version, length and checksum are valid.
    pub(crate) fn open<'a>(&self, bytes: &'a [u8]) -> Result<(Reader<'a>, u8), EnvelopeError> {
        let have = bytes.len() as u64;
        let too_short = EnvelopeError::Length { have, want: Self::LEAST as u64 };
        let (&found, rest) = bytes.split_first_chunk::<MAGIC>().ok_or(too_short)?;
        let [name @ .., digit] = found;
        if name != self.name {
            return Err(EnvelopeError::Name { found });
        }
        let version = digit.wrapping_sub(b'0');
        if version == 0 || version > self.version {
            return Err(EnvelopeError::Version { found: version, known: self.version });
        }
        let mut head = MAGIC;
        if version >= self.sized_since {
            let want = Reader::new(rest).u64().map_err(|Truncated| too_short)?;
            if want != have {
                return Err(EnvelopeError::Length { have, want });
            }
            head = HEAD;
        }
        let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>().ok_or(too_short)?;
        let content = body.get(head..).ok_or(too_short)?;
        let want = u64::from_le_bytes(*checksum);
        let have = xxh3_64(body);
        if have == want { Ok((Reader::new(content), version)) } else { Err(EnvelopeError::Checksum { have, want }) }
    }
}

/// Writes length and checksum.
pub(crate) fn seal(mut out: Writer) -> Vec<u8> {
    let length = (out.bytes.len() + CHECKSUM) as u64;
    out.bytes[MAGIC..HEAD].copy_from_slice(&length.to_le_bytes());
    with_checksum(out.bytes)
}

/// Appends a checksum of all bytes.
pub(crate) fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = xxh3_64(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The bytes before the checksum; `None` if they were cut short or altered.
pub(crate) fn without_checksum(bytes: &[u8]) -> Option<&[u8]> {
    let (body, checksum) = bytes.split_last_chunk::<CHECKSUM>()?;
    (xxh3_64(body) == u64::from_le_bytes(*checksum)).then_some(body)
}
