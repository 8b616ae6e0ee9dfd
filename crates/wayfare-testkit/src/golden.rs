//! Golden files: text that a test gives now, compared with what it gave when somebody last looked at it.

use std::fs;
use std::path::Path;

/// Compares `text` with `testdata/goldens/NAME`, line by line.
///
/// With `WAYFARE_BLESS=1` in the environment the file is written instead: `cargo xtask bless` does this for all. Read
/// the difference before committing it.
///
/// # Panics
/// If they differ: the message shows the lines that do, and how to accept them.
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/goldens").join(name);
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        let written = fs::write(&path, text);
        assert!(written.is_ok(), "{}: {written:?}", path.display());
        return;
    }
    let known = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let (mut differing, mut known_lines, mut lines) = (String::new(), known.lines(), text.lines());
    loop {
        match (known_lines.next(), lines.next()) {
            (None, None) => break,
            (known, now) if known != now => {
                differing += &format!("  was {}\n  is  {}\n", known.unwrap_or("(nothing)"), now.unwrap_or("(nothing)"));
            }
            _ => {}
        }
    }
    assert!(
        differing.is_empty(),
        "testdata/goldens/{name} differs:\n{differing}If this is meant, `cargo xtask bless` accepts it; say why in the commit."
    );
}
