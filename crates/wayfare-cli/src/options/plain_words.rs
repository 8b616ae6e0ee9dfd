//! Messages of the readers of JSON and TOML in the words of who wrote the file: their types are those of a program.

/// A message without the names of a program's types.
pub(crate) fn plainly(message: &str) -> String {
    const WORDS: [(&str, &str); 15] = [
        ("expected f32", "expected a number"),
        ("expected f64", "expected a number"),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected u64", "expected a whole number, 0 or above"),
        ("expected an array of length 3", "expected three numbers: [x, y, z]"),
        ("expected an array of length 2", "expected two numbers: [x, z]"),
        ("expected a sequence", "expected a list"),
        ("expected a boolean", "expected true or false"),
        ("expected struct", "expected a table of"),
        ("floating point `", "the number `"),
        ("integer `", "the number `"),
        ("string \"", "the text \""),
        ("unknown variant", "there is no"),
    ];
    WORDS.iter().fold(message.to_owned(), |message, (theirs, ours)| message.replace(theirs, ours))
}
