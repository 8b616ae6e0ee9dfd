//! Computes with eight numbers at once, using the vectors of `fearless_simd`.
//!
//! [`level`] chooses the machine's instructions, [`compared`] compares, selects and transposes lanes of any type, and
//! [`pair`] computes with points and velocities in the plane. Everything here gives the same bits on all machines.

#[cfg(feature = "bake")]
mod compared;
mod level;
mod pair;

#[cfg(feature = "bake")]
pub(crate) use compared::{Lanes, transposed};
#[cfg(target_arch = "x86_64")]
pub(crate) use level::with_vectors;
pub(crate) use level::{Level, dispatch};
pub(crate) use pair::{Pair, at_lane, bits, dot, dot_with, greatest, least, load, next_bit, pair, scaled, select};
