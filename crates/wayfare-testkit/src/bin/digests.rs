//! Prints what `testdata/goldens/scenes.txt` holds. Built for WebAssembly, it shows that the bits are the same there.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for spec in wayfare_testkit::levels::golden_specs() {
        out.write_all(wayfare_testkit::levels::golden_lines(&spec).as_bytes())?;
    }
    Ok(())
}
