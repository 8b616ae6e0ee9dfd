//! Builds and tests the bindings whose tools are there, and says in words what was skipped and why.
//!
//! C and C++ are built here; a binding with tools of its own has a script that does it, and says `skipped: …` itself.

use crate::csharp;
use crate::run::{apt_install, output, root, run as run_line, works};
use crate::tally::Tally;
use std::fs;
use std::process::Command;

/// The packages of Debian that the bindings' tests use beside a Rust toolchain.
const PACKAGES: &str = "cmake g++ clang nlohmann-json3-dev pkg-config valgrind mono-mcs mono-runtime \
    libmono-system-core4.0-cil libmono-system-numerics4.0-cil libmono-cecil-private-cil python3-venv chromium";

/// Debian's Node, for machines without one: whoever has Node from elsewhere cannot install these beside it.
const NODE: &str = " nodejs npm";

/// Where cargo puts the library for C that is tested: that of a release takes long to build.
const BUILT: &str = "bindings/c/target/quick";

/// The program to compare with: what a binding writes must have the same bytes. The folder is named, as an environment
/// may have cargo put it elsewhere.
const PROGRAM: &str = "cargo build --profile quick -p wayfare-cli --target-dir target";

/// Bindings with a script of their own: folder, script.
const SCRIPTS: [(&str, &str); 2] = [("python", "check"), ("js", "run")];

/// Builds and tests all bindings.
pub(crate) fn run() -> Result<(), String> {
    let mut tally = Tally::default();
    tally.line("cargo test -q -p wayfare-testkit --test binding_capabilities --test binding_cases", &[], 2);
    if c(&mut tally) {
        c_sharp(&mut tally);
    }
    let built = tally.line(PROGRAM, &[], 0);
    let program = root().join("target/quick").join(format!("wayfare{}", std::env::consts::EXE_SUFFIX));
    let program = program.to_string_lossy();
    let vars: &[(&str, &str)] = if built { &[("WAYFARE", &program)] } else { &[] };
    for (name, script) in SCRIPTS {
        let path = format!("bindings/{name}/{script}");
        if root().join(&path).exists() {
            tally.line(&path, vars, 1);
        } else {
            tally.skip(format!("{name}: there is no {path}"));
        }
    }
    tally.close("bindings")
}

/// The declarations, and what the script compiles and runs where mono or .NET is here.
fn c_sharp(tally: &mut Tally) {
    match csharp::run(true) {
        Ok(()) => tally.passed(1),
        Err(why) => return tally.fail(why),
    }
    if !works("mcs --version") && !works("dotnet --version") {
        return tally.skip("C#: neither mono nor a .NET SDK is here (cargo xtask bindings --install)");
    }
    let built = root().join(BUILT);
    tally.line("bindings/csharp/check", &[("WAYFARE_BUILT", &built.to_string_lossy())], 1);
}

/// The library and its header, by cargo; then what C and C++ compilers say of it. Whether the library is there.
fn c(tally: &mut Tally) -> bool {
    let cargo = "--profile quick --manifest-path bindings/c/Cargo.toml";
    let header = "cargo run -q --manifest-path bindings/c/Cargo.toml -p wayfare-c-header -- --check";
    if !tally.line(header, &[], 1) || !tally.line(&format!("cargo build {cargo}"), &[], 0) {
        return false;
    }
    tally.line(&format!("cargo test -q --lib {cargo}"), &[], 4);
    headers(tally);
    chaos(tally);
    if !works("cmake --version") || !works("c++ --version") {
        tally.skip("the programs in C and C++: they need cmake and a compiler (cargo xtask bindings --install)");
        return true;
    }
    if programs(tally, "build/plain", "-DCMAKE_INSTALL_LIBDIR=lib") {
        memory(tally);
        installed(tally);
    }
    programs(tally, "build/sanitized", "-DWAYFARE_SANITIZE=ON");
    true
}

/// The headers in each language that they are for, with each compiler that is here.
fn headers(tally: &mut Tally) {
    let strict = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only -Ibindings/c/include";
    for (c, cpp) in [("gcc", "g++"), ("clang", "clang++")] {
        if !works(&format!("{c} --version")) || !works(&format!("{cpp} --version")) {
            tally.skip(format!("the headers of C and C++ with {c}: it is not here"));
            continue;
        }
        for standard in ["c99", "c11", "c17"] {
            tally.line(&format!("{c} -std={standard} {strict} bindings/c/tests/header.c"), &[], 1);
            tally.line(&format!("{c} -std={standard} {strict} bindings/c/examples/first.c"), &[], 1);
        }
        for standard in ["c++17", "c++20"] {
            tally.line(&format!("{cpp} -std={standard} {strict} bindings/c/tests/header.cpp"), &[], 1);
            tally.line(&format!("{cpp} -std={standard} {strict} bindings/c/examples/game.cpp"), &[], 1);
        }
    }
}

/// Every function, called with what no program should.
fn chaos(tally: &mut Tally) {
    let built = ["libwayfare.so", "libwayfare.dylib", "wayfare.dll"].map(|name| format!("{BUILT}/{name}"));
    let library = built.iter().find(|library| root().join(library).exists());
    let Some(library) = library.filter(|_| works("python3 --version")) else {
        return tally.skip("the C functions called with anything at all: it needs Python");
    };
    for seed in 1..=4 {
        let chaos = "python3 bindings/c/tests/chaos.py";
        tally.line(&format!("{chaos} {library} bindings/c/include/wayfare.h {seed} 20000"), &[], 1);
    }
}

/// All programs under valgrind.
fn memory(tally: &mut Tally) {
    if !works("valgrind --version") {
        return tally.skip("valgrind on the programs in C and C++: it is not installed");
    }
    // The kept thread's own block is reachable, which valgrind takes for possibly lost.
    let check =
        "valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite";
    let programs = [
        "first_c",
        "first_cpp",
        "first_static",
        "game",
        "misuse",
        "exceptions",
        "classes",
        "every_part",
        "changing",
        "filters",
        "cases bindings/cases",
    ];
    for program in programs {
        let name = program.split(' ').next().unwrap_or_default();
        if root().join("bindings/c/build/plain").join(name).exists() {
            tally.line(&format!("{check} bindings/c/build/plain/{program}"), &[], 1);
        }
    }
}

/// The library as another project finds it: by its CMake package, and by pkg-config.
fn installed(tally: &mut Tally) {
    let built = root().join("bindings/c/build");
    let prefix = fs::canonicalize(&built).unwrap_or(built).join("installed");
    let prefix = prefix.to_string_lossy();
    let consumer = "bindings/c/build/consumer";
    let is_found = tally.line(&format!("cmake --install bindings/c/build/plain --prefix {prefix}"), &[], 1)
        && tally.line(
            &format!("cmake -S bindings/c/tests/consumer -B {consumer} -DCMAKE_PREFIX_PATH={prefix}"),
            &[],
            0,
        )
        && tally.line(&format!("cmake --build {consumer}"), &[], 0)
        && tally.line(&format!("ctest --test-dir {consumer} --output-on-failure"), &[], 4);
    if !is_found {
        return;
    }
    if !works("pkg-config --version") {
        return tally.skip("pkg-config: it is not installed");
    }
    let asked = output(&format!("env PKG_CONFIG_PATH={prefix}/lib/pkgconfig pkg-config --cflags --libs wayfare"));
    match asked {
        Ok(flags) => {
            let program = format!("{consumer}/by_pkg_config");
            let library = format!("{prefix}/lib");
            if tally.line(&format!("cc bindings/c/examples/first.c -o {program} {}", flags.trim()), &[], 0) {
                tally.line(&program, &[("LD_LIBRARY_PATH", &library), ("DYLD_LIBRARY_PATH", &library)], 1);
            }
        }
        Err(why) => tally.fail(why),
    }
}

/// Configures, builds and runs the programs in a folder.
fn programs(tally: &mut Tally, folder: &str, option: &str) -> bool {
    let build = format!("bindings/c/{folder}");
    let built = root().join(BUILT);
    let built = built.to_string_lossy();
    if !tally.line(&format!("cmake -S bindings/c -B {build} -DWAYFARE_BUILT={built} {option}"), &[], 0)
        || !tally.line(&format!("cmake --build {build}"), &[], 0)
    {
        return false;
    }
    let list = Command::new("ctest").args(["--test-dir", &build, "-N"]).current_dir(root()).output();
    let count = list.ok().and_then(|list| {
        let text = String::from_utf8_lossy(&list.stdout).into_owned();
        text.lines().find_map(|line| line.strip_prefix("Total Tests:")?.trim().parse().ok())
    });
    tally.line(&format!("ctest --test-dir {build} --output-on-failure"), &[], count.unwrap_or_default())
}

/// Installs the tools that the tests of the bindings use, on Debian and its kin.
pub(crate) fn install() -> Result<(), String> {
    let node = if works("node --version") && works("npm --version") { "" } else { NODE };
    apt_install(&format!("{PACKAGES}{node}"))?;
    run_line("rustup target add wasm32-unknown-unknown", &[])
}
