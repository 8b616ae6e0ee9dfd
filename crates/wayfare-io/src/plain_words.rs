//! Translates messages of JSON and TOML parsers into terms of the file: they speak of the types of the program.

/// What to say about a file whose name is not that of a level. Shared with the program `wayfare`, as is all of this.
pub const NO_LEVEL: &str =
    "is no kind of level known here: give an .obj, .glb, .gltf, .stl, .ply, .png (16-bit height map) or .gset file";

/// A message without the names of a program's types. Shared with the program `wayfare`; not part of the public
/// interface.
#[must_use]
pub fn plainly(message: &str) -> String {
    const WORDS: [(&str, &str); 29] = [
        ("expected f32", "expected a number"),
        ("expected f64", "expected a number"),
        // Nothing else in these files is this small.
        ("expected u8", "expected an area type, a whole number from 0 to 63"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        ("expected u32", "expected a whole number from 0 to 4294967295"),
        ("expected u64", "expected a whole number, 0 or above"),
        ("expected usize", "expected a whole number, 0 or above"),
        ("expected i32", "expected a whole number"),
        ("expected i64", "expected a whole number"),
        ("expected an array of length 3", "expected three numbers: [x, y, z]"),
        ("expected an array of length 4", "expected four numbers"),
        ("expected an array of length 16", "expected sixteen numbers"),
        ("expected an array of length 2", "expected two numbers: [x, z]"),
        ("expected a sequence", "expected a list"),
        ("expected a boolean", "expected true or false"),
        ("expected struct", "expected a table of"),
        ("floating point `", "the number `"),
        ("integer `", "the number `"),
        ("string \"", "the text \""),
        ("unknown variant", "there is no"),
        ("unknown field", "unknown key"),
        ("duplicate field", "duplicate key"),
        ("missing field", "missing key"),
        ("EOF while parsing a value", "it ends where a value should be"),
        ("EOF while parsing an object", "it ends before the } of an object"),
        ("EOF while parsing a list", "it ends before the ] of a list"),
        ("EOF while parsing a string", "it ends before the quote of a text"),
        ("trailing characters", "something stands behind its end"),
        ("trailing comma", "a comma with nothing behind it"),
    ];
    WORDS.iter().fold(message.to_owned(), |message, (theirs, ours)| message.replace(theirs, ours))
}
