//! Crowds, and what stands beside them, as bytes.

mod arrays;
mod beside;
mod crowd_bytes;
mod error;
mod fields;
mod frame;
mod records;

pub use error::CrowdReadError;
