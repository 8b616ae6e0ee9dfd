//! The frame around stored bytes: a name and the length before them, a checksum after.
//!
//! ```text
//!   name, 8 bytes | length of all, 8 bytes | … | checksum of all before it, 8 bytes
//! ```
//!
//! Sources: none needed.

use super::bytes::{Reader, Truncated, Writer};
use xxhash_rust::xxh3::xxh3_64;

const NAME: usize = 8;
const HEAD: usize = NAME + 8;
const CHECKSUM: usize = 8;

/// Why an envelope cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EnvelopeError {
    /// The bytes begin with another name.
    Name,
    /// They are cut short, or something follows them.
    Length { have: u64, want: u64 },
    /// They were altered.
    Checksum,
}

/// Replaces the content of `bytes` by the head, with room for the length.
pub(crate) fn begin(name: [u8; NAME], mut bytes: Vec<u8>) -> Writer {
    bytes.clear();
    bytes.extend_from_slice(&name);
    let mut out = Writer { bytes };
    out.u64(0);
    out
}

/// Writes length and checksum.
pub(crate) fn seal(mut out: Writer) -> Vec<u8> {
    let length = (out.bytes.len() + CHECKSUM) as u64;
    out.bytes[NAME..HEAD].copy_from_slice(&length.to_le_bytes());
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

/// The content between head and checksum, once these are valid.
pub(crate) fn open(name: [u8; NAME], bytes: &[u8]) -> Result<Reader<'_>, EnvelopeError> {
    let have = bytes.len() as u64;
    let rest = bytes.strip_prefix(&name).ok_or(EnvelopeError::Name)?;
    let least = (HEAD + CHECKSUM) as u64;
    let want = Reader::new(rest).u64().map_err(|Truncated| EnvelopeError::Length { have, want: least })?;
    if want != have || have < least {
        return Err(EnvelopeError::Length { have, want: want.max(least) });
    }
    let body = without_checksum(bytes).ok_or(EnvelopeError::Checksum)?;
    Ok(Reader::new(&body[HEAD..]))
}
