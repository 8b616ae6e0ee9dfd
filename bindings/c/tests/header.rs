//! Holds `include/wayfare.h` to the sources: it is what `cbindgen` makes of them.

use std::fs;
use std::path::Path;

#[test]
fn the_header_is_that_of_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = cbindgen::generate(folder).unwrap_or_else(|e| panic!("{e}"));
    let mut text = Vec::new();
    made.write(&mut text);
    let text = String::from_utf8(text).unwrap_or_default();
    let path = folder.join("include/wayfare.h");
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        fs::write(&path, &text).unwrap_or_else(|e| panic!("{e}"));
    }
    let known = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let differing = known.lines().zip(text.lines()).find(|(known, now)| known != now);
    assert!(
        known == text,
        "include/wayfare.h is not that of the sources (first difference: {differing:?}): write it by `WAYFARE_BLESS=1 cargo \
         test --release --test header`"
    );
}
