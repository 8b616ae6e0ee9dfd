//! Parses references: numbers behind letters, as in `s3:t17:p42`.
//!
//! Sources: none needed.

/// A text that is not a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRefError {
    /// It does not have the required form.
    #[error("a {what} reference looks like {like}")]
    Form {
        /// What is referred to.
        what: &'static str,
        /// An example.
        like: &'static str,
    },
    /// A number is too large for its field.
    #[error("{field} is {value}, but can be at most {max}")]
    Range {
        /// salt, tile or polygon.
        field: &'static str,
        /// What was given.
        value: u64,
        /// The largest value allowed.
        max: u64,
    },
    /// The numbers of a null reference.
    #[error("{text} is no {what}")]
    Null {
        /// What is referred to.
        what: &'static str,
        /// A text with these numbers.
        text: &'static str,
    },
}

/// One number of a reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefField {
    /// The letter before it.
    pub(super) letter: char,
    pub(super) name: &'static str,
    pub(super) max: u32,
}

/// The numbers of a text that has exactly these fields; `form` is the error for other texts.
pub(super) fn parse_fields<const N: usize>(
    text: &str,
    fields: [RefField; N],
    form: ParseRefError,
) -> Result<[u32; N], ParseRefError> {
    let mut parts = text.split(':');
    let mut numbers = [0; N];
    for (field, number) in fields.into_iter().zip(&mut numbers) {
        let digits = parts.next().and_then(|part| part.strip_prefix(field.letter)).ok_or(form)?;
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(form);
        }
        let value = digits.parse().unwrap_or(u64::MAX);
        let max = u64::from(field.max);
        if value > max {
            return Err(ParseRefError::Range { field: field.name, value, max });
        }
        *number = value as u32;
    }
    if parts.next().is_some() { Err(form) } else { Ok(numbers) }
}
