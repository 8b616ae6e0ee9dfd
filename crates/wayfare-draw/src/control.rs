//! Escapes control characters in names and texts that come from files: a terminal would obey them, and an SVG picture
//! must not contain them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A text on one line, with its control characters escaped as in Rust: `\u{1b}`, `\n`. Shared with the program
/// `wayfare`; not part of the public interface.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let mut plain = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if c.is_control() {
            // Writing to a string cannot fail.
            let _ = write!(plain, "{}", c.escape_debug());
        } else {
            plain.push(c);
        }
    }
    plain.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_spelt_out() {
        assert_eq!(escaped("stairs é.obj"), "stairs é.obj");
        assert_eq!(escaped("a\u{1b}[2J\tb\r\n\u{9b}c"), "a\\u{1b}[2J\\tb\\r\\n\\u{9b}c");
    }
}
