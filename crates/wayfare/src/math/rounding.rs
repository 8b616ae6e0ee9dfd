//! What rounding does to coordinates.

/// How far apart two coordinates may be and still count as one, where they are about as large as `at`: a tenth of a
/// millimetre, or so many steps of f32.
#[inline]
pub(crate) fn slack(at: f32, steps: f32) -> f32 {
    (at.abs() * (steps * f32::EPSILON)).max(1e-4)
}
