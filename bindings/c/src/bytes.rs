//! Results of which nobody knows the length before: files, pictures, texts.

use crate::border::{fill, put};
use crate::handle::{Handle, handle};
use crate::status::{Outcome, WayfareStatus, border};

/// Bytes that a call made: a saved mesh, a picture, a text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WayfareBytes {
    /// 0 for none.
    pub id: u64,
}

handle!(WayfareBytes, Vec<u8>, "bytes");

pub(crate) fn put_bytes(out: *mut WayfareBytes, bytes: Vec<u8>) -> Outcome {
    put!(out, WayfareBytes::keep(bytes)?)
}

/// How many bytes there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bytes_size(bytes: WayfareBytes, size: *mut usize) -> WayfareStatus {
    border(|| put!(size, bytes.read()?.len()))
}

/// Copies the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bytes_copy(
    bytes: WayfareBytes,
    out: *mut u8,
    capacity: usize,
    size: *mut usize,
) -> WayfareStatus {
    border(|| fill!(out, capacity, size, bytes.read()?.iter().copied()))
}

/// Frees bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wayfare_bytes_free(bytes: WayfareBytes) -> WayfareStatus {
    border(|| bytes.free())
}
