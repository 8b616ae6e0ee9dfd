//! Prints what a file of `testdata/goldens` holds: `digests scenes.txt`. Built for WebAssembly, it shows that the bits
//! are the same there.

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(text) = wayfare_testkit::golden_texts::text(&name) else {
        eprintln!("there is no golden `{name}`");
        return ExitCode::FAILURE;
    };
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
