//! The compressor of checkpoints: a trait, so that a game can use one that it already has.
//!
//! The codes of a checkpoint are mostly 0, and where they are not, few of them follow any pattern: runs are most of what
//! repeats, and what is left takes few bits where the frequent bytes have short codes. So [`Deflate`] looks for runs
//! alone. Against LZ4, which writes whole bytes, that saves a third (`nav_test` in tiles of 48 cells: 0.29 → 0.19 bytes
//! a cell).
//!
//! Sources: Deflate is Phil Katz', RFC 1951, 1996.

use miniz_oxide::deflate::core::{
    CompressionStrategy, CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params,
};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

/// Compresses and decompresses bytes. It may keep memory from one call to the next, and nothing else.
pub trait Compressor {
    /// Appends `bytes`, compressed, to `out`.
    fn compress(&mut self, bytes: &[u8], out: &mut Vec<u8>);

    /// Decompresses what was [compressed](Self::compress): fills `out`, whose length is the original one.
    ///
    /// # Errors
    /// [`DamagedBytes`] if `packed` is not the result of [`compress`](Self::compress) for this many bytes.
    fn decompress(&mut self, packed: &[u8], out: &mut [u8]) -> Result<(), DamagedBytes>;

    /// The most bytes that a number of compressed bytes can decompress to. More are never requested, so damaged bytes
    /// cannot cause large allocations.
    fn most_bytes(&self, packed: usize) -> usize;
}

/// Compressed bytes that cannot be decompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the compressed bytes are damaged")]
pub struct DamagedBytes;

/// Run lengths and Huffman codes, without a head: a fifth of a byte per cell on most levels.
#[derive(Default)]
pub struct Deflate {
    /// Made when something is compressed for the first time; it is large.
    packer: Option<Box<CompressorOxide>>,
    unpacker: Box<DecompressorOxide>,
}

/// Between the fastest (0) and the smallest (9); looking for runs, all are alike.
const LEVEL: i32 = 6;
/// Negative: without a head.
const WINDOW_BITS: i32 = -15;

impl Compressor for Deflate {
    fn compress(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let packer = self.packer.get_or_insert_with(|| {
            let runs = CompressionStrategy::RLE.into();
            Box::new(CompressorOxide::new(create_comp_flags_from_zip_params(LEVEL, WINDOW_BITS, runs)))
        });
        packer.reset();
        // It fails only where the closure does.
        compress_to_output(packer, bytes, TDEFLFlush::Finish, |packed| {
            out.extend_from_slice(packed);
            true
        });
    }

    fn decompress(&mut self, packed: &[u8], out: &mut [u8]) -> Result<(), DamagedBytes> {
        self.unpacker.init();
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, read, written) = decompress(&mut self.unpacker, packed, out, 0, flags);
        let is_whole = status == TINFLStatus::Done && read == packed.len() && written == out.len();
        if is_whole { Ok(()) } else { Err(DamagedBytes) }
    }

    fn most_bytes(&self, packed: usize) -> usize {
        // A run of 258 bytes takes two bits.
        packed.saturating_mul(4 * 258)
    }
}

impl core::fmt::Debug for Deflate {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Deflate").finish_non_exhaustive()
    }
}
