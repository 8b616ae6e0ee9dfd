//! Operations on eight lanes that take vectors and nothing else.
//!
//! The methods of `fearless_simd` take anything that converts to a vector, and in the version used here that conversion
//! is not marked for inlining: if crates are optimised separately, each comparison and each minimum can become a call
//! that passes vectors through memory. These functions call the operation itself.

use fearless_simd::{Simd, f32x8, i32x8, mask32x8, u32x8};

/// Lanes that can be compared.
pub(crate) trait Lanes<S: Simd>: Copy {
    /// The type of a lane.
    type Element;
    /// The same value in every lane.
    fn all(simd: S, value: Self::Element) -> Self;
    fn lesser(self, other: Self) -> Self;
    fn greater(self, other: Self) -> Self;
    fn equals(self, other: Self) -> mask32x8<S>;
    fn is_below(self, other: Self) -> mask32x8<S>;
    fn is_at_most(self, other: Self) -> mask32x8<S>;
    fn is_above(self, other: Self) -> mask32x8<S>;
    fn is_at_least(self, other: Self) -> mask32x8<S>;
    /// The lanes of both interleaved: the lower halves, and the upper halves.
    fn interleaved(self, other: Self) -> (Self, Self);
}

/// Transposes eight vectors of eight numbers.
///
/// Interleaving vector `i` with vector `i + 4` moves the highest bit of the vector's number below the lowest of the
/// lane's; three times that, and the two have changed places.
#[inline(always)]
pub(crate) fn transposed<S: Simd, V: Lanes<S>>(mut block: [V; 8]) -> [V; 8] {
    for _ in 0..3 {
        let from = block;
        for i in 0..4 {
            (block[2 * i], block[2 * i + 1]) = from[i].interleaved(from[i + 4]);
        }
    }
    block
}

macro_rules! lanes {
    ($vector:ident, $element:ty: $all:ident $min:ident $max:ident $eq:ident $lt:ident $le:ident $gt:ident $ge:ident $both:ident) => {
        impl<S: Simd> Lanes<S> for $vector<S> {
            type Element = $element;
            #[inline(always)]
            fn all(simd: S, value: $element) -> Self {
                simd.$all(value)
            }
            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                self.simd.$min(self, other)
            }
            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                self.simd.$max(self, other)
            }
            #[inline(always)]
            fn equals(self, other: Self) -> mask32x8<S> {
                self.simd.$eq(self, other)
            }
            #[inline(always)]
            fn is_below(self, other: Self) -> mask32x8<S> {
                self.simd.$lt(self, other)
            }
            #[inline(always)]
            fn is_at_most(self, other: Self) -> mask32x8<S> {
                self.simd.$le(self, other)
            }
            #[inline(always)]
            fn is_above(self, other: Self) -> mask32x8<S> {
                self.simd.$gt(self, other)
            }
            #[inline(always)]
            fn is_at_least(self, other: Self) -> mask32x8<S> {
                self.simd.$ge(self, other)
            }
            #[inline(always)]
            fn interleaved(self, other: Self) -> (Self, Self) {
                self.simd.$both(self, other)
            }
        }
    };
}

lanes!(f32x8, f32: splat_f32x8 min_f32x8 max_f32x8 simd_eq_f32x8 simd_lt_f32x8 simd_le_f32x8 simd_gt_f32x8 simd_ge_f32x8 interleave_f32x8);
lanes!(i32x8, i32: splat_i32x8 min_i32x8 max_i32x8 simd_eq_i32x8 simd_lt_i32x8 simd_le_i32x8 simd_gt_i32x8 simd_ge_i32x8 interleave_i32x8);
lanes!(u32x8, u32: splat_u32x8 min_u32x8 max_u32x8 simd_eq_u32x8 simd_lt_u32x8 simd_le_u32x8 simd_gt_u32x8 simd_ge_u32x8 interleave_u32x8);
