//! What makes bytes fewer: behind a trait, so that a game can take a compressor that it has.
//!
//! Sources: LZ4 is Yann Collet's, 2011.

/// Makes bytes fewer and gets them back.
pub trait Compressor {
    /// Appends `bytes`, compressed, to `out`.
    fn compress(&self, bytes: &[u8], out: &mut Vec<u8>);

    /// Gets back what was [compressed](Self::compress): fills `out`, whose length is that of the bytes.
    ///
    /// # Errors
    /// [`DamagedBytes`] if `packed` is not what [`compress`](Self::compress) made of so many bytes.
    fn decompress(&self, packed: &[u8], out: &mut [u8]) -> Result<(), DamagedBytes>;

    /// The most bytes that can come of so many compressed ones. More are never asked for, so that damaged bytes cannot
    /// ask for much memory.
    fn most_bytes(&self, packed: usize) -> usize;
}

/// Compressed bytes that mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the compressed bytes are damaged")]
pub struct DamagedBytes;

/// LZ4 blocks: a fifth of a byte a cell on most levels, and unpacked in some microseconds a tile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lz4;

impl Compressor for Lz4 {
    fn compress(&self, bytes: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + lz4_flex::block::get_maximum_output_size(bytes.len()), 0);
        // The room is what the library says it needs at most, so this cannot fail.
        let len = lz4_flex::block::compress_into(bytes, &mut out[start..]).unwrap_or(0);
        out.truncate(start + len);
    }

    fn decompress(&self, packed: &[u8], out: &mut [u8]) -> Result<(), DamagedBytes> {
        match lz4_flex::block::decompress_into(packed, out) {
            Ok(len) if len == out.len() => Ok(()),
            _ => Err(DamagedBytes),
        }
    }

    fn most_bytes(&self, packed: usize) -> usize {
        // A byte more of a length is 255 bytes more.
        packed.saturating_mul(255).saturating_add(64)
    }
}
