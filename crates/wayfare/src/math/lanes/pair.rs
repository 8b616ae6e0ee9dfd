//! Points and velocities on the plane, eight at once.
//!
//! The vectors are those of `fearless_simd`: one instruction on machines with registers of eight, two on those with
//! registers of four, chosen at run time. Each lane performs the same IEEE operations in the same order on every path,
//! so the bits are the same too. (Loops over plain arrays, vectorised by the compiler, were two to three times as
//! slow.)
//!
//! Comparisons with NaN are false, as for `f32`.

use fearless_simd::prelude::*;
use fearless_simd::{f32x8, mask32x8};
use glam::Vec2;

/// Two numbers in each of eight lanes.
pub(crate) type Pair<S> = [f32x8<S>; 2];

/// The two numbers of one lane.
#[inline(always)]
pub(crate) fn at_lane(of: &[[f32; 8]; 2], lane: usize) -> Vec2 {
    Vec2::new(of[0][lane], of[1][lane])
}

#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, from: &[f32; 8]) -> f32x8<S> {
    (*from).simd_into(simd)
}

#[inline(always)]
pub(crate) fn pair<S: Simd>(simd: S, from: &[[f32; 8]; 2]) -> Pair<S> {
    [load(simd, &from[0]), load(simd, &from[1])]
}

#[inline(always)]
pub(crate) fn dot<S: Simd>(a: Pair<S>, b: Pair<S>) -> f32x8<S> {
    a[0] * b[0] + a[1] * b[1]
}

#[inline(always)]
pub(crate) fn dot_with<S: Simd>(a: Pair<S>, b: Vec2) -> f32x8<S> {
    a[0] * b.x + a[1] * b.y
}

#[inline(always)]
pub(crate) fn scaled<S: Simd>(a: Pair<S>, by: f32x8<S>) -> Pair<S> {
    [a[0] * by, a[1] * by]
}

#[inline(always)]
pub(crate) fn select<S: Simd>(mask: mask32x8<S>, yes: Pair<S>, no: Pair<S>) -> Pair<S> {
    [mask.select(yes[0], no[0]), mask.select(yes[1], no[1])]
}

/// The smaller; `b` if one of them is NaN. (The instructions of different machines for this differ in their treatment
/// of NaN and of zeros.)
#[inline(always)]
pub(crate) fn least<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    a.simd_lt(b).select(a, b)
}

/// The greater; `b` if one of them is NaN.
#[inline(always)]
pub(crate) fn greatest<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    a.simd_gt(b).select(a, b)
}

/// The true lanes as bits, the first lane lowest.
#[inline(always)]
pub(crate) fn bits<S: Simd>(mask: mask32x8<S>) -> u32 {
    mask.to_bitmask() as u32
}

/// Removes the lowest set bit and returns its position.
#[inline(always)]
pub(crate) fn next_bit(bits: &mut u32) -> usize {
    let place = bits.trailing_zeros() as usize;
    *bits &= bits.wrapping_sub(1);
    place
}
