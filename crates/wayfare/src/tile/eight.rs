//! Reductions over eight numbers that were computed at once.
//!
//! Sources: own.

/// The smallest, if none of them is NaN.
#[inline(always)]
pub(super) fn least_of_eight(eight: &[f32; 8]) -> f32 {
    let lesser = |a: f32, b: f32| if a < b { a } else { b };
    let four: [f32; 4] = core::array::from_fn(|k| lesser(eight[k], eight[k + 4]));
    let two: [f32; 2] = core::array::from_fn(|k| lesser(four[k], four[k + 2]));
    lesser(two[0], two[1])
}
