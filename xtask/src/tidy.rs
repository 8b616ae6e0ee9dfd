//! Rules on files that no compiler checks.

use crate::links;
use crate::run::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Longest file, counted without the tests at its end.
const LONGEST: usize = 1000;
/// Widest comment, as `rustfmt.toml` has it for code.
const WIDEST: usize = 120;
/// Algorithm files longer than this name their sources.
const SHORT: usize = 120;
/// Folders of what was built or installed, and of data.
const PASSED_OVER: [&str; 9] =
    ["target", "build", "dist", "node_modules", "corpus", "artifacts", "seeds", "goldens", "inputs"];
/// Where comments are still wider. This list only shrinks.
const STILL_WIDE: [&str; 4] = ["bindings/bevy/src/level.rs", "bindings/c/", "bindings/js/", "bindings/python/"];
/// What tests may not read: a busy machine must not change their answers.
const CLOCKS: [&str; 3] = ["Instant::now(", "SystemTime::now(", ".elapsed("];
/// Files of these modules that follow no idea of anybody's: formats and the shape of an answer.
const OWN: &[&str] = &["math/bytes.rs", "format/detour/", "format/way/", "query/path.rs"];
/// Modules of the library whose files are algorithms.
const ALGORITHMS: &[&str] =
    &["math/", "voxel/", "bake/", "tile/", "mesh/", "query/", "grid/", "blocks/", "corridor/", "avoid/", "crowd/"];

pub(crate) fn run() -> Result<(), String> {
    let files = files();
    let mut wrong = Vec::new();
    for name in &files {
        let Ok(text) = fs::read_to_string(root().join(name)) else { continue };
        check(name, &text, &mut wrong);
    }
    let count = files.len();
    let (pages, others): (Vec<String>, Vec<String>) = files.into_iter().partition(|name| name.ends_with(".md"));
    links::check(&pages, &others, &mut wrong)?;
    if wrong.is_empty() {
        println!("\ntidy: {count} files");
        return Ok(());
    }
    Err(format!("not tidy:\n{}", wrong.join("\n")))
}

/// All files that the rules are about, by their paths from the repository's root.
pub(crate) fn files() -> Vec<String> {
    let root = root();
    let mut paths = Vec::new();
    for folder in ["bench", "bindings", "crates", "docs", "fuzz", "testdata", "xtask"] {
        walk(&root.join(folder), &mut paths);
    }
    paths.sort();
    let inside = paths.iter().filter_map(|path| path.strip_prefix(&root).ok());
    let names = inside.map(|path| path.display().to_string().replace('\\', "/"));
    let at_root = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "Cargo.toml"];
    names.chain(at_root.map(str::to_owned)).collect()
}

fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for path in entries.filter_map(|e| Some(e.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && !PASSED_OVER.contains(&name.as_str()) {
                walk(&path, out);
            }
        } else if path.extension().is_some_and(|x| ["rs", "toml", "md", "yml", "mjs"].iter().any(|k| x == *k)) {
            out.push(path);
        }
    }
}

fn check(name: &str, text: &str, wrong: &mut Vec<String>) {
    for (number, line) in text.lines().enumerate().map(|(i, l)| (i + 1, l)) {
        if line.contains('\t') {
            wrong.push(format!("{name}:{number}: a tab"));
        }
        if line.ends_with(' ') {
            wrong.push(format!("{name}:{number}: ends with a space"));
        }
        for word in forbidden() {
            if line.contains(&word) {
                wrong.push(format!("{name}:{number}: says {word}"));
            }
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        wrong.push(format!("{name}: does not end with a newline"));
    }
    if name.ends_with(".rs") {
        check_source(name, text, wrong);
    }
}

/// Words that no file may say; put together here so that this file does not say them.
fn forbidden() -> [String; 6] {
    [["to", "do!("], ["unimpl", "emented!("], ["FIX", "ME"], ["TO", "DO"], ["XX", "X"], ["dbg", "!("]]
        .map(|w| w.concat())
}

fn check_source(name: &str, text: &str, wrong: &mut Vec<String>) {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let lines = code.lines().count();
    if lines > LONGEST {
        wrong.push(format!("{name}: {lines} lines; {LONGEST} are the most"));
    }
    if !text.starts_with("//!") {
        wrong.push(format!("{name}: does not begin by saying what it is (//!)"));
    }
    let is_test = name.contains("/tests/") || name.ends_with("tests.rs");
    for clock in CLOCKS.into_iter().filter(|clock| is_test && text.contains(clock)) {
        wrong.push(format!("{name}: a test that reads a clock ({clock})"));
    }
    if !STILL_WIDE.iter().any(|place| name.starts_with(place)) {
        let wide = wide_comments(text);
        wrong.extend(wide.map(|number| format!("{name}:{number}: a comment wider than {WIDEST} columns")));
    }
    let within = |place: &&str| name.starts_with(&format!("crates/wayfare/src/{place}"));
    let algorithm = ALGORITHMS.iter().any(within) && !OWN.iter().any(within) && !name.ends_with("tests.rs");
    let functions =
        code.lines().any(|l| ["pub fn ", "pub(crate) fn ", "pub(super) fn "].iter().any(|f| l.starts_with(f)));
    if algorithm && functions && lines > SHORT && !code.contains("Sources:") {
        wrong.push(format!("{name}: an algorithm without a `Sources:` line in its opening"));
    }
}

/// The lines of comments that are too wide. Code, tables and pictures may be: they are fenced, or have bars and gaps.
fn wide_comments(text: &str) -> impl Iterator<Item = usize> {
    let mut fenced = false;
    (1..).zip(text.lines()).filter_map(move |(number, line)| {
        let words = line.trim_start().strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']).trim());
        let Some(words) = words else {
            fenced = false;
            return None;
        };
        fenced ^= words.starts_with("```");
        let is_drawn = fenced || words.contains('|') || words.contains("   ");
        (!is_drawn && line.chars().count() > WIDEST).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(name: &str, text: &str) -> usize {
        let mut wrong = Vec::new();
        check(name, text, &mut wrong);
        wrong.len()
    }

    #[test]
    fn each_rule_can_be_broken() {
        assert_eq!(faults("a.rs", "//! Fine.\n"), 0);
        assert_eq!(faults("a.rs", "//! Fine.\n\tx\n"), 1);
        assert_eq!(faults("a.rs", "//! Fine. \n"), 1);
        assert_eq!(faults("a.rs", "//! Fine."), 1);
        assert_eq!(faults("a.rs", "fn f() {}\n"), 1);
        let wide = "far ".repeat(40);
        assert_eq!(faults("a.rs", &format!("//! Wide.\n/// {wide}.\n")), 1);
        assert_eq!(faults("a.rs", &format!("//! Drawn.\n//! ```text\n//! {wide}.\n//! ```\n//! | {wide}|\n")), 0);
        assert_eq!(faults("a.rs", &format!("//! Fine.\n// {}\n", forbidden()[2])), 1);
        assert_eq!(faults("a.rs", &format!("//! Long.\n{}", "\n".repeat(LONGEST))), 1);
        let long = format!("//! An idea.\npub fn f() {{}}\n{}", "\n".repeat(SHORT));
        assert_eq!(faults("crates/wayfare/src/bake/a.rs", &long), 1);
        assert_eq!(faults("crates/wayfare/src/bake/a.rs", &long.replace("idea.", "idea. Sources: Euler")), 0);
        assert_eq!(faults("crates/wayfare/src/blocks/a.rs", &long), 1);
        let timed = "//! Timed.\nlet begun = Instant::now();\n";
        assert_eq!([faults("a/tests/b.rs", timed), faults("a/b_tests.rs", timed), faults("a/b.rs", timed)], [1, 1, 0]);
        assert_eq!(faults("crates/wayfare/src/draw/a.rs", &long), 0);
    }
}
