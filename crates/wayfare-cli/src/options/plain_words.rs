//! Messages of the readers of JSON, TOML and the command line in the words of who wrote it: their types are those of a
//! program.

/// A message without the names of a program's types.
pub(crate) fn plainly(message: &str) -> String {
    const WORDS: [(&str, &str); 7] = [
        // A value of TOML that is no number, list or name, or none at all.
        ("string values must be quoted, expected literal string", "expected a value; text stands in quotes"),
        ("expected ident", "expected a value"),
        // Of the command line.
        ("invalid digit found in string", "it must be a whole number, 0 or above"),
        ("invalid float literal", "it must be a number"),
        ("cannot parse integer from empty string", "it must be a whole number"),
        ("..=", " to "),
        ("number too large to fit in target type", "the number is too large"),
    ];
    let message = wayfare_io::plain_words::plainly(message);
    WORDS.iter().fold(message, |message, (theirs, ours)| message.replace(theirs, ours))
}
