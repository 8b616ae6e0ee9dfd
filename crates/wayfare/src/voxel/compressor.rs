//! The compressor of checkpoints: a trait, so that a game can use one that it already has.
//!
//! Sources: LZ4 is Yann Collet's, 2011.

/// Compresses and decompresses bytes.
pub trait Compressor {
    /// Appends `bytes`, compressed, to `out`.
    fn compress(&self, bytes: &[u8], out: &mut Vec<u8>);

    /// Decompresses what was [compressed](Self::compress): fills `out`, whose length is the original one.
    ///
    /// # Errors
    /// [`DamagedBytes`] if `packed` is not the result of [`compress`](Self::compress) for this many bytes.
    fn decompress(&self, packed: &[u8], out: &mut [u8]) -> Result<(), DamagedBytes>;

    /// The most bytes that a number of compressed bytes can decompress to. More are never requested, so damaged bytes
    /// cannot cause large allocations.
    fn most_bytes(&self, packed: usize) -> usize;
}

/// Compressed bytes that cannot be decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the compressed bytes are damaged")]
pub struct DamagedBytes;

/// LZ4 blocks: a fifth of a byte per cell on most levels, decompressed in a few microseconds per tile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lz4;

impl Compressor for Lz4 {
    fn compress(&self, bytes: &[u8], out: &mut Vec<u8>) {
        let start = out.len();
        out.resize(start + lz4_flex::block::get_maximum_output_size(bytes.len()), 0);
        // The buffer has the maximum size that the library documents, so this cannot fail.
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
        // Each further byte of a length adds 255 bytes.
        packed.saturating_mul(255).saturating_add(64)
    }
}
