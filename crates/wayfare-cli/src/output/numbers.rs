//! Numbers in text and JSON: an f32 by its shortest decimal form, which reads back as the same f32.

use serde_json::Value;
use wayfare::Vec3;

pub(crate) use wayfare_draw::counted::{count, counted};

/// A number; `null` if it is not finite.
pub(crate) fn number(value: f32) -> Value {
    // As f64 directly, 0.4 would become 0.4000000059604645.
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// The quantile of a sorted list: 0.5 for the median; `None` for an empty one.
pub(crate) fn at_share<T: Copy>(sorted: &[T], share: f64) -> Option<T> {
    let last = sorted.len().saturating_sub(1) as f64;
    sorted.get((last * share).round() as usize).copied()
}

/// A point, `[x, y, z]`.
pub(crate) fn point(p: Vec3) -> Value {
    p.to_array().map(number).to_vec().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        assert_eq!(number(0.4).to_string(), "0.4");
        assert_eq!(point(Vec3::new(1.0, -0.1, 1e-7)).to_string(), "[1.0,-0.1,1e-7]");
        assert_eq!(number(f32::NAN), Value::Null);
        for bits in (0..u32::MAX).step_by(16_777_259).chain([1, f32::MAX.to_bits()]) {
            let value = f32::from_bits(bits);
            let read = number(value).as_f64().map(|v| v as f32);
            assert!(read.map(f32::to_bits) == Some(bits) || !value.is_finite());
        }
    }
}
