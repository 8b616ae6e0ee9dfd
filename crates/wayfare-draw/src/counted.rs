//! Formats counts for people. Shared with the program `wayfare`; not part of the public interface.

/// "1 node", "2 nodes", "1,142 nodes".
#[must_use]
pub fn counted(number: impl Into<u64>, what: &str) -> String {
    let number = number.into();
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number with separators between its thousands.
#[must_use]
pub fn count(number: impl Into<u64>) -> String {
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
    fn thousands_are_set_apart() {
        assert_eq!([0u64, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"].map(String::from));
        let texts = [0_u32, 1, 2, 1_234_567].map(|n| counted(n, "tile"));
        assert_eq!(texts, ["0 tiles", "1 tile", "2 tiles", "1,234,567 tiles"]);
    }
}
