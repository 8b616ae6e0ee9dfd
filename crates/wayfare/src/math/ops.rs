//! Transcendental functions with the same bits on every platform: always `libm`'s, never the system's.
//! (`sqrt` is exact by IEEE 754 everywhere and needs no wrapper.)

/// Sine of an angle in radians.
#[must_use]
pub fn sin(x: f32) -> f32 {
    libm::sinf(x)
}

/// Cosine of an angle in radians.
#[must_use]
pub fn cos(x: f32) -> f32 {
    libm::cosf(x)
}

/// e to the power of `x`.
#[must_use]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// The angle of the vector (x, y), −π…π.
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Arc cosine; the argument is clamped to −1…1 first.
#[must_use]
pub fn acos(x: f32) -> f32 {
    libm::acosf(x.clamp(-1.0, 1.0))
}
