//! The workspace's chores: `cargo xtask ci | ci --slow | tidy | bless | wasm | screenshots`.

mod ci;
mod run;
mod screenshots;
mod structure;
mod tidy;
mod wasm;

use std::process::ExitCode;

const USAGE: &str = "cargo xtask CHORE

  ci [--slow]   everything a change must pass; --slow also runs what takes minutes and fuzzes, a minute per target
  tidy          the rules on files that no compiler checks: length, sources, forbidden words
  bless-structure
                rewrites the lists of what breaks the rules on structure today, and the listing of public items
  bless         rewrites testdata/goldens from what the code gives now; look at the difference before committing it
  wasm          runs the scenes' digests on WebAssembly and compares them with the goldens
  screenshots   draws the pictures of the documents again";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["ci"] => ci::run(false),
        ["ci", "--slow"] => ci::run(true),
        ["tidy"] => tidy::run().and_then(|()| structure::run()),
        ["bless-structure"] => structure::bless(),
        ["bless"] => ci::bless(),
        ["wasm"] => wasm::run(),
        ["screenshots"] => screenshots::run(),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
