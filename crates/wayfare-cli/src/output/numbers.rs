//! Numbers for people and in JSON: an f32 by its shortest decimal form, which reads back as the same f32.

use serde_json::Value;
use wayfare::Vec3;

/// A number; `null` if it is none.
pub(crate) fn number(value: f32) -> Value {
    // As f64 directly, 0.4 would become 0.4000000059604645.
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// A point, `[x, y, z]`.
pub(crate) fn point(p: Vec3) -> Value {
    p.to_array().map(number).to_vec().into()
}

/// "1 node", "2 nodes", "1,142 nodes".
pub(crate) fn counted(number: impl Into<u64>, what: &str) -> String {
    let number = number.into();
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number with its thousands set apart.
pub(crate) fn count(number: impl Into<u64>) -> String {
    let digits = number.into().to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
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

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0u64, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"].map(String::from));
        assert_eq!([0u32, 1, 2].map(|n| counted(n, "way")), ["0 ways", "1 way", "2 ways"].map(String::from));
    }
}
