//! Numbers in text files of triangles.

/// A number. What programs write for "not a number" or "infinite" counts as not finite, whatever surrounds it
/// (`-nan(ind)` and `-1.#IND` of C on Windows, `nan(snan)`), so that only its triangles are lost.
pub(crate) fn float(text: &str) -> Option<f32> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    let begins_with = |word| bare.get(..3).is_some_and(|begin| begin.eq_ignore_ascii_case(word));
    (begins_with("nan") || begins_with("inf") || bare.contains(".#")).then_some(f32::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_program_writes_for_no_number_is_not_finite() {
        for text in
            ["nan", "-nan(ind)", "+NaN(0x7)", "nan(snan)", "-1.#IND", "1.#QNAN0", "1.#INF", "inf", "-Infinity", "INF()"]
        {
            assert!(float(text).is_some_and(|number| !number.is_finite()), "{text}");
        }
        assert_eq!(
            [float("-1e3"), float("one"), float("1,5"), float("ä"), float("")],
            [Some(-1e3), None, None, None, None]
        );
    }
}
