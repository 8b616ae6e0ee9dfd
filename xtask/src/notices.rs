//! The licences of what the program is built with: `crates/wayfare-cli/THIRD-PARTY.txt`, written from Cargo.lock.
//!
//! Listed is what may end up in the program on any platform: normal dependencies, without what only runs while it is
//! built. Of licences to choose from, MIT is chosen where it is offered.

use crate::run::{output, root, works};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

const PROGRAM: &str = "wayfare-cli";
const FILE: &str = "crates/wayfare-cli/THIRD-PARTY.txt";
const METADATA: &str = "cargo metadata --format-version 1 --locked";
/// Licences that stand elsewhere than at the top of a package: of the one font that the program draws letters with.
const ELSEWHERE: [(&str, &str); 1] = [("epaint_default_fonts", "fonts/UFL.txt")];
const OPENING: &str = "\
Third-party notices of the program `wayfare`

The program holds the work of others, listed here with its licences. What only some platforms need is listed too.
Written by `cargo xtask notices` from Cargo.lock.
";

struct Package {
    name: String,
    version: String,
    licence: String,
    authors: String,
    folder: PathBuf,
}

/// Writes the file.
pub(crate) fn write() -> Result<(), String> {
    fs::write(root().join(FILE), render(&packages()?)?).map_err(|e| format!("{FILE}: {e}"))
}

/// Fails if the file does not say what Cargo.lock does.
pub(crate) fn check() -> Result<(), String> {
    if !works(METADATA) {
        println!("\nskipped: third-party notices need the sources of all packages (`cargo fetch --locked`)");
        return Ok(());
    }
    let written = fs::read_to_string(root().join(FILE)).unwrap_or_default().replace("\r\n", "\n");
    let packages = packages()?;
    if written != render(&packages)? {
        return Err(format!("{FILE} is out of date: `cargo xtask notices` writes it"));
    }
    println!("\nnotices: {} packages", packages.len());
    Ok(())
}

/// What the program is built with, by name.
fn packages() -> Result<Vec<Package>, String> {
    let text = output(METADATA)?;
    let metadata: Value = serde_json::from_str(&text).map_err(|e| format!("{METADATA}: {e}"))?;
    let by_id: BTreeMap<&str, &Value> = list(&metadata["packages"]).map(|p| (text_of(&p["id"]), p)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).map(|node| (text_of(&node["id"]), node)).collect();
    let start = by_id.iter().find(|(_, p)| p["name"] == PROGRAM).map(|(id, _)| *id);
    let mut waiting: Vec<&str> = start.into_iter().collect();
    let mut seen: BTreeSet<&str> = waiting.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        let needed = nodes.get(id).into_iter().flat_map(|node| list(&node["deps"])).filter(|dep| is_normal(dep));
        let linked = needed.map(|dep| text_of(&dep["pkg"])).filter(|id| by_id.get(id).is_some_and(|p| is_linked(p)));
        waiting.extend(linked.filter(|id| seen.insert(id)));
    }
    let foreign = seen.iter().filter_map(|id| by_id.get(id)).filter(|p| !p["source"].is_null());
    let mut packages: Vec<Package> = foreign.map(|p| package(p)).collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn is_normal(dependency: &Value) -> bool {
    list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null())
}

/// Whether a package is more than a program that the compiler runs.
fn is_linked(package: &Value) -> bool {
    !list(&package["targets"]).any(|target| list(&target["kind"]).any(|kind| kind == "proc-macro"))
}

fn package(value: &Value) -> Package {
    let manifest = Path::new(text_of(&value["manifest_path"]));
    let authors: Vec<&str> = list(&value["authors"]).map(text_of).collect();
    Package {
        name: text_of(&value["name"]).to_owned(),
        version: text_of(&value["version"]).to_owned(),
        licence: text_of(&value["license"]).replace('/', " OR "),
        authors: if authors.is_empty() { "its authors".to_owned() } else { authors.join(", ") },
        folder: manifest.parent().unwrap_or(manifest).to_path_buf(),
    }
}

fn render(packages: &[Package]) -> Result<String, String> {
    let mut out = OPENING.to_owned();
    // Each text once: by its words, since line ends and widths differ.
    let mut texts: Vec<(Vec<String>, String)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    out += "\n";
    for package in packages {
        let name = format!("{} {}", package.name, package.version);
        let _ = writeln!(out, "{name}: {}", package.licence);
        for text in texts_of(package)? {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let place = *places.entry(words).or_insert(texts.len());
            if place == texts.len() {
                texts.push((Vec::new(), text));
            }
            texts[place].0.push(name.clone());
        }
    }
    let line = "-".repeat(100);
    for (users, text) in &texts {
        let _ = write!(out, "\n{line}\n{}:\n\n{text}\n", users.join(", "));
    }
    Ok(out)
}

/// The licences that a package comes with; the common text with its authors' names where it comes with none.
fn texts_of(package: &Package) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(&package.folder).map_err(|e| format!("{}: {e}", package.folder.display()))?;
    let mut names: Vec<String> = entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.retain(|name| {
        let upper = name.to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"].iter().any(|k| upper.starts_with(k))
    });
    names.sort();
    let is_choice = !package.licence.contains("AND");
    let of_mit: Vec<String> = names.iter().filter(|name| name.to_uppercase().contains("MIT")).cloned().collect();
    if is_choice && !of_mit.is_empty() {
        names = of_mit;
    }
    let common = names.is_empty().then(|| without_a_file(package));
    let elsewhere = ELSEWHERE.iter().filter(|(name, _)| *name == package.name);
    names.extend(elsewhere.map(|(_, file)| (*file).to_owned()));
    common.into_iter().chain(names.iter().map(|name| read(&package.folder.join(name)))).collect()
}

/// A package that comes with no text is one under MIT alone, or to be chosen: ours of the same licence, in its name.
fn without_a_file(package: &Package) -> Result<String, String> {
    if !package.licence.contains("MIT") {
        return Err(format!("{} {} comes without its licence, {}", package.name, package.version, package.licence));
    }
    let ours = read(&root().join("LICENSE-MIT"))?;
    let lines = ours.lines().map(|line| {
        if line.starts_with("Copyright") { format!("Copyright (c) {}", package.authors) } else { line.to_owned() }
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

/// A text without spaces at the ends of its lines and empty lines around it.
fn read(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().map(str::trim_end).collect();
    Ok(lines.join("\n").trim_matches('\n').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_and_its_licence_are_listed() {
        let written = fs::read_to_string(root().join(FILE)).unwrap();
        assert!(written.contains("epaint_default_fonts") && written.contains("UBUNTU FONT LICENCE"));
    }

    /// What the file lists stands in Cargo.lock with the same version. Needs no network, unlike [`check`].
    #[test]
    fn all_that_is_listed_is_in_the_lock_file() {
        let [written, lock] =
            [FILE, "Cargo.lock"].map(|file| fs::read_to_string(root().join(file)).unwrap().replace("\r\n", "\n"));
        let listed = written.strip_prefix(OPENING).unwrap().lines().skip(1).take_while(|line| !line.is_empty());
        let mut count = 0;
        for line in listed {
            let (name, version) = line.split_once(':').unwrap().0.split_once(' ').unwrap();
            let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
            assert!(lock.contains(&entry), "{line}: not in Cargo.lock; `cargo xtask notices` writes {FILE} again");
            count += 1;
        }
        assert!(count > 50, "{count}");
    }
}
