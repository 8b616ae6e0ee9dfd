//! A short text that stands for bytes.

/// Size and hash: a differing size means that an encoding changed, an equal size with a differing hash that values did.
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    format!("{} bytes {:016x}", bytes.len(), xxhash_rust::xxh3::xxh3_64(bytes))
}
