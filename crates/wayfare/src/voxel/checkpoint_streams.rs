//! Encodes the numbers of a checkpoint as bits: predictable numbers take almost none.
//!
//! Each number is predicted from those of the cells to the left, below, and between them, at the same index in their
//! columns. A code of one or two bits says whether the prediction was right, or one too low or too high; all other
//! numbers are stored in full separately. On level terrain all codes are 0, on slopes they repeat, and the compressor
//! handles both.
//!
//! ```text
//!     b c        a number at x is predicted as a + b - c where it lies between, else as the lower or higher of a and b
//!     a x        (heights); a label as b where a = c, else as a (counts, area types)
//! ```
//!
//! Cost: linear in spans. Sources: Stephen Martucci, "Reversible compression of HDTV images using median adaptive
//! prediction and arithmetic coding", 1990 (the median of a, b and a + b - c), known from JPEG-LS.

use crate::area::AreaId;

/// No ceiling.
pub(super) const SKY: i32 = i32::MAX;

/// Codes of heights and ceilings.
pub(super) const AS_FORETOLD: u8 = 0;
pub(super) const HIGHER: u8 = 1;
pub(super) const LOWER: u8 = 2;
pub(super) const WRITTEN_OUT: u8 = 3;

/// Writes codes of a few bits, lowest first, and numbers of seven bits per byte.
#[derive(Default)]
pub(super) struct BitWriter {
    bits: u32,
    count: u32,
}

impl BitWriter {
    /// Appends `width` bits, at most eight.
    #[inline]
    pub(super) fn put(&mut self, code: u32, width: u32, out: &mut Vec<u8>) {
        self.bits |= code << self.count;
        self.count += width;
        if self.count >= 8 {
            out.push(self.bits as u8);
            self.bits >>= 8;
            self.count -= 8;
        }
    }

    /// Pads the last byte.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        if self.count > 0 {
            out.push(self.bits as u8);
        }
        *self = Self::default();
    }
}

/// The code of `width` bits (a power of 2) with number `index`; 0 beyond the end.
#[inline]
pub(super) fn code_at(bytes: &[u8], index: usize, width: usize) -> u8 {
    let bit = index * width;
    bytes.get(bit / 8).map_or(0, |byte| byte >> (bit % 8) & ((1 << width) - 1))
}

/// A difference as a non-negative number: small differences of either sign are small.
#[inline]
pub(super) const fn folded(difference: i32) -> u32 {
    ((difference << 1) ^ (difference >> 31)).cast_unsigned()
}

/// The difference for such a number.
#[inline]
pub(super) const fn unfolded(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

/// The values of the surrounding cells: to the left, below, and between them.
pub(super) type ThreeBeside<T> = [Option<T>; 3];

/// The predicted height.
#[inline(always)]
pub(super) fn foretold_height([a, b, c]: ThreeBeside<i32>) -> Option<i32> {
    match (a, b, c) {
        // The median of a, b and a + b - c.
        (Some(a), Some(b), Some(c)) => Some((a + b - c).clamp(a.min(b), a.max(b))),
        _ => a.or(b),
    }
}

/// The predicted label.
#[inline(always)]
pub(super) fn foretold_label<T: PartialEq + Copy>([a, b, c]: ThreeBeside<T>) -> Option<T> {
    if a.is_some() && a == c { b.or(a) } else { a.or(b) }
}

/// The spans around one: to the left, below and between, at the same index in their columns.
pub(super) type SpansAround = [Option<usize>; 3];

#[inline(always)]
pub(super) fn foretold_y(span: usize, around: SpansAround, y: &[u16]) -> i32 {
    let before = || if span == 0 { 0 } else { i32::from(y[span - 1]) };
    foretold_height(around.map(|at| at.map(|at| i32::from(y[at])))).unwrap_or_else(before)
}

/// The predicted ceiling, above the floor.
#[inline(always)]
pub(super) fn foretold_ceiling(y: i32, around: SpansAround, ceilings: &[i32]) -> i32 {
    let around = around.map(|at| at.map(|at| ceilings[at]));
    let foretold = if around.contains(&Some(SKY)) { foretold_label(around) } else { foretold_height(around) };
    foretold.filter(|&ceiling| ceiling >= y).unwrap_or(SKY)
}

#[inline(always)]
pub(super) fn foretold_area(around: SpansAround, areas: &[AreaId]) -> AreaId {
    foretold_label(around.map(|at| at.map(|at| areas[at]))).unwrap_or(AreaId::WALKABLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::bytes::{put_number, take_number};

    #[test]
    fn codes_and_numbers_come_back() {
        let mut out = Vec::new();
        let mut bits = BitWriter::default();
        let codes = [3, 0, 1, 2, 2, 1, 3];
        codes.iter().for_each(|&code| bits.put(code, 2, &mut out));
        bits.end(&mut out);
        assert_eq!(out.len(), 2);
        assert!(codes.iter().enumerate().all(|(i, &code)| u32::from(code_at(&out, i, 2)) == code));
        assert_eq!(code_at(&out, 90, 2), 0);
        for number in [0, 1, 127, 128, 16_383, 16_384, u32::MAX - 1, u32::MAX] {
            let mut out = Vec::new();
            put_number(number, &mut out);
            for end in 0..out.len() {
                assert_eq!(take_number(&mut &out[..end]), None);
            }
            assert_eq!(take_number(&mut &out[..]), Some(number));
        }
        assert_eq!(take_number(&mut &[0xff; 9][..]), None);
        for difference in [0, -1, 1, 65_535, -65_535, i32::MAX, i32::MIN] {
            assert_eq!(unfolded(folded(difference)), difference);
        }
        assert_eq!([0, -1, 1, -2].map(folded), [0, 1, 2, 3]);
    }

    #[test]
    fn planes_and_edges_are_foretold() {
        assert_eq!(foretold_height([Some(5), Some(7), Some(6)]), Some(6));
        assert_eq!(foretold_height([Some(5), Some(9), Some(4)]), Some(9), "a step up ahead");
        assert_eq!(foretold_height([None, Some(9), None]), Some(9));
        assert_eq!(foretold_height([None; 3]), None);
        assert_eq!(foretold_label([Some(1), Some(2), Some(1)]), Some(2));
        assert_eq!(foretold_label([Some(1), Some(2), Some(2)]), Some(1));
    }
}
