//! The workspace's chores: `cargo xtask ci | tidy | bless | wasm | package | oldest | audit | notices | manual |
//! screenshots | lab | bindings | engines`.

mod audit;
mod bindings;
mod ci;
mod engines;
mod lab;
mod links;
mod manual;
mod notices;
mod oldest;
mod package;
mod run;
mod screenshots;
mod structure;
mod tidy;
mod wasm;

use std::process::ExitCode;

const USAGE: &str = "cargo xtask CHORE

  ci [--slow]   everything a change must pass; --slow also runs what takes minutes and fuzzes, a minute per target
  tidy          the rules on files that no compiler checks: length, sources, forbidden words, links
  bless-structure
                rewrites the lists of what breaks the rules on structure today, and the listing of public items
  bless         rewrites testdata/goldens from what the code gives now; look at the difference before committing it
  wasm          runs what the goldens hold on WebAssembly and compares it with them
  package       makes the packages that users get, compiles them, and runs the tests in them
  oldest        compiles everything with the oldest compiler that Cargo.toml promises
  audit         holds dependencies to deny.toml: licences, sources, bans, known faults
  notices       writes crates/wayfare-cli/THIRD-PARTY.txt from Cargo.lock
  manual        builds the manual as a site into target/manual; needs mdBook
  screenshots   draws the pictures of the documents again; those of the lab by `lab --pictures`
  lab [--web | --pictures | --install]
                builds and tests the lab; --web makes its page in target/lab, --pictures those of the documents,
                --install gets what its tests need on Debian
  bindings [--install]
                builds and tests the bindings whose tools are there; --install gets the tools by apt-get
  engines       builds and tests the plugins for game engines";

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
        ["package"] => package::run(),
        ["oldest"] => oldest::run(),
        ["audit"] => audit::run(),
        ["notices"] => notices::write(),
        ["manual"] => manual::run(),
        ["lab"] => lab::run(),
        ["lab", "--web"] => lab::web(),
        ["lab", "--pictures"] => lab::pictures(),
        ["lab", "--install"] => lab::install(),
        ["bindings"] => bindings::run(),
        ["bindings", "--install"] => bindings::install(),
        ["engines"] => engines::run(),
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
