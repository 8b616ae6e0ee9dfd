//! The workspace's chores: `cargo xtask ci | tidy | bless | wasm | package | oldest | audit | notices | manual |
//! screenshots | lab | bindings | engines`.

mod audit;
mod bindings;
mod ci;
mod csharp;
mod csharp_ids;
mod engines;
mod lab;
mod links;
mod manual;
mod notices;
mod nupkg;
mod oldest;
mod package;
mod packages;
mod run;
mod screenshots;
mod structure;
mod tally;
mod tidy;
mod wasm;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "cargo xtask CHORE

  ci [--slow]   everything a change must pass; --slow also runs what takes minutes and fuzzes, a minute per target
  tidy          the rules on files that no compiler checks: length, sources, forbidden words, links
  bless-structure
                rewrites the lists of what breaks the rules on structure today, and the listing of public items
  bless-csharp  writes the C# declarations anew from the C header
  bless         rewrites testdata/goldens from what the code gives now; look at the difference before committing it
  wasm          runs what the goldens hold on WebAssembly and compares it with them
  package [--quick | --native DIR]
                makes all that users download into target/packages, with checksums: crates, which it compiles and
                tests away from here unless it is to be quick, program, C archive, C# package, wheel, npm package;
                --native: native libraries of other platforms for the C# package, as RUNTIME/FILE
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
  engines [bevy | godot | physics]
                builds and tests the plugins for game engines; physics, only by its name: the manual's listings for Bevy's
                physics crates";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["ci"] => ci::run(false),
        ["ci", "--slow"] => ci::run(true),
        ["tidy"] => tidy::run().and_then(|()| structure::run()),
        ["bless-structure"] => structure::bless(),
        ["bless-csharp"] => csharp::run(false),
        ["bless"] => ci::bless(),
        ["wasm"] => wasm::run(),
        ["package"] => packages::run(None, true),
        ["package", "--quick"] => packages::run(None, false),
        ["package", "--native", folder] => packages::run(Some(Path::new(folder)), true),
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
        ["engines"] => engines::run(None),
        ["engines", engine @ ("bevy" | "godot" | "physics")] => engines::run(Some(engine)),
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
