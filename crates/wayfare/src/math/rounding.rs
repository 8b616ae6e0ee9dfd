//! A tolerance for rounded coordinates.

/// How far apart two coordinates of about the size of `at` may be and still count as equal: a tenth of a millimetre, or
/// `steps` units of f32 rounding, whichever is greater.
#[inline]
pub(crate) fn slack(at: f32, steps: f32) -> f32 {
    (at.abs() * (steps * f32::EPSILON)).max(1e-4)
}
