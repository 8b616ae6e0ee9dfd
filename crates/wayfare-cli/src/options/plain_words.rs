//! Translates messages of JSON, TOML and command line parsers into terms of the input: they speak of the types of a
//! program.

/// A message without the names of a program's types.
pub(crate) fn plainly(message: &str) -> String {
    const WORDS: [(&str, &str); 7] = [
        // A TOML value that is not a number, list or name, or is missing.
        ("string values must be quoted, expected literal string", "expected a value; text stands in quotes"),
        ("expected ident", "expected a value"),
        // For the command line.
        ("invalid digit found in string", "it must be a whole number, 0 or above"),
        ("invalid float literal", "it must be a number"),
        ("cannot parse integer from empty string", "it must be a whole number"),
        ("..=", " to "),
        ("number too large to fit in target type", "the number is too large"),
    ];
    let message = wayfare_io::plain_words::plainly(message);
    WORDS.iter().fold(message, |message, (theirs, ours)| message.replace(theirs, ours))
}
