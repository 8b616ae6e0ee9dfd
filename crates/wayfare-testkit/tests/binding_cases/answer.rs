//! What a step answers: numbers, or one text.

use serde_json::{Value, json};
use wayfare::Vec3;

/// Numbers of up to this many are written out, so that a difference can be seen; of more the count and digest alone.
const SHOWN: usize = 24;

/// The answer of a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    Numbers(Vec<f32>),
    Text(String),
}

impl Answer {
    pub(crate) fn text(text: &(impl ToString + ?Sized)) -> Self {
        Self::Text(text.to_string())
    }

    pub(crate) fn points(points: impl IntoIterator<Item = Vec3>) -> Self {
        Self::Numbers(points.into_iter().flat_map(|p| p.to_array()).collect())
    }

    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => json!({ "text": text }),
            Self::Numbers(numbers) if numbers.len() <= SHOWN => {
                json!({ "count": numbers.len(), "digest": digest(numbers), "numbers": numbers })
            }
            Self::Numbers(numbers) => json!({ "count": numbers.len(), "digest": digest(numbers) }),
        }
    }

    /// How it differs from what the file holds.
    pub(crate) fn fault(&self, wanted: &Value) -> Option<String> {
        // Through text, as what the file holds has gone: reading may round a number to its neighbour.
        let own: Value = serde_json::from_str(&self.to_json().to_string()).unwrap_or_default();
        (own != *wanted).then(|| format!("\n  was {wanted}\n  is  {own}"))
    }
}

/// FNV-1a, 64 bits, over the bits of the numbers, little-endian, as 16 hexadecimal digits.
fn digest(numbers: &[f32]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in numbers.iter().flat_map(|number| number.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    format!("{hash:016x}")
}
