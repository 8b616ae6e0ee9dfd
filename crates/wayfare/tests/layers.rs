//! The house rules that the text of the sources can be held to.
//!
//! * A module uses the modules that the table in `ARCHITECTURE.md` allows it, no other and no fewer; its tests use what
//!   they like. The table is read from there, so the document and the code cannot part: to move a row is to change the
//!   architecture, and the same commit says so.
//! * No path leaves its module by way of `super`: what crosses modules is written `crate::…`, where the first rule sees
//!   it.
//! * Nothing that gives other bits on another platform: fused multiply-add, reciprocals, the system's sines.
//!
//! The text is scanned, not compiled: code behind features is held to the same rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules whose rows say `all but …`.
const TOPMOST: [&str; 2] = ["debug", "simple"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the module table: module → what it may use. `None` for the modules it marks as not built.
fn table() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().skip_while(|l| !l.starts_with("| module | may use |")).skip(2);
    let mut rows: Vec<(String, Option<String>, bool)> = rows
        .take_while(|l| l.starts_with('|'))
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].trim_matches('`').to_owned(), Some(cells[2].to_owned()), cells[3].starts_with("not built"))
        })
        .collect();
    assert!(!rows.is_empty(), "ARCHITECTURE.md has no table headed `| module | may use |`");
    let names: BTreeSet<String> = rows.iter().map(|r| r.0.clone()).collect();
    rows.drain(..)
        .map(|(module, uses, not_built)| {
            let uses = uses.unwrap();
            let allowed: BTreeSet<String> = match uses.strip_prefix("all but ") {
                Some(but) => names.iter().filter(|n| **n != module && !but.contains(n.as_str())).cloned().collect(),
                None => uses.split(',').map(|u| u.trim().trim_matches('`').to_owned()).filter(|u| u != "–").collect(),
            };
            let unknown: Vec<_> = allowed.difference(&names).collect();
            assert!(unknown.is_empty(), "the row of {module} names {unknown:?}, which have no row");
            (module, (!not_built).then_some(allowed))
        })
        .collect()
}

/// Every source file of the library: its path below `src`, its top module, its text without comments.
fn sources() -> Vec<(String, String, String)> {
    fn walk(dir: &Path, out: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, out);
            } else if path.extension().is_some_and(|x| x == "rs") {
                out.push(path);
            }
        }
    }
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&src, &mut files);
    files.sort();
    assert!(files.len() > 20, "the sources were not found");
    files
        .into_iter()
        .map(|path| {
            let below = path.strip_prefix(&src).unwrap();
            let top = below.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
            let text = fs::read_to_string(&path).unwrap();
            let code: Vec<&str> = text.lines().map(|l| l.split("//").next().unwrap()).collect();
            (below.to_str().unwrap().replace('\\', "/"), top, code.join("\n"))
        })
        .collect()
}

/// Files that are compiled for tests only: those that a `mod.rs` declares under `#[cfg(test)]`.
fn test_files(sources: &[(String, String, String)]) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for (file, _, code) in sources.iter().filter(|(file, ..)| file.ends_with("mod.rs")) {
        for (at, marker) in code.match_indices("#[cfg(test)]\nmod ") {
            let name = code[at + marker.len()..].split(';').next().unwrap();
            files.insert(format!("{}{name}.rs", file.trim_end_matches("mod.rs")));
        }
    }
    files
}

/// The text of a file before its tests.
fn without_tests(code: &str) -> &str {
    code.split("#[cfg(test)]\nmod ").next().unwrap()
}

/// The first path segments after `crate::` in `text`, those of groups included.
fn crate_uses(text: &str) -> BTreeSet<String> {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.insert(word(rest));
            continue;
        };
        let (mut depth, mut start) = (1, 0);
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && c == ',') {
                found.insert(word(group[start..i].trim_start()));
                start = i + 1;
            }
            if depth == 0 {
                break;
            }
        }
    }
    found.remove("");
    found
}

#[test]
fn modules_depend_only_downwards() {
    let (table, sources) = (table(), sources());
    let tests = test_files(&sources);
    let mut wrong = Vec::new();
    let mut uses: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (file, top, code) in sources.iter().filter(|(file, top, _)| top != "lib" && !tests.contains(file)) {
        let seen = uses.entry(top).or_default();
        let Some(Some(allowed)) = table.get(top) else {
            wrong.push(format!("{file}: the module {top} has no row, or one that says it is not built"));
            continue;
        };
        for used in crate_uses(without_tests(code)) {
            if used != *top && table.contains_key(&used) && !allowed.contains(&used) {
                wrong.push(format!("{file} uses crate::{used}, which {top} may not"));
            }
            seen.insert(used);
        }
    }
    for (module, allowed) in table.iter().filter_map(|(module, row)| Some((module, row.as_ref()?))) {
        let Some(used) = uses.get(module.as_str()) else {
            wrong.push(format!("the table says {module} is built, but it has no sources"));
            continue;
        };
        // The topmost modules may use whatever there is; of the others, the table says what they do use.
        let rest = if TOPMOST.contains(&module.as_str()) { BTreeSet::new() } else { allowed - used };
        wrong.extend(rest.iter().map(|idle| format!("{module} does not use {idle}, which the table allows it")));
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md's table is broken:\n{}", wrong.join("\n"));
}

#[test]
fn the_table_has_no_circle() {
    let table = table();
    let uses = |m: &str| table[m].clone().unwrap_or_default();
    let mut done: BTreeSet<String> = BTreeSet::new();
    while done.len() < table.len() {
        let next: Vec<_> = table.keys().filter(|m| !done.contains(*m) && uses(m).is_subset(&done)).cloned().collect();
        assert!(
            !next.is_empty(),
            "a circle among {:?}",
            table.keys().filter(|m| !done.contains(*m)).collect::<Vec<_>>()
        );
        done.extend(next);
    }
}

#[test]
fn no_path_leaves_its_module_by_super() {
    let mut wrong = Vec::new();
    for (file, _, code) in sources() {
        if code.contains("super::super") {
            wrong.push(format!("{file}: super::super"));
        }
        if file.matches('/').count() == 1 && file.ends_with("/mod.rs") && code.contains("super::") {
            wrong.push(format!("{file}: super:: here is the crate's root"));
        }
    }
    assert!(wrong.is_empty(), "write crate::… instead:\n{}", wrong.join("\n"));
}

#[test]
fn the_files_that_the_architecture_names_exist() {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let named: Vec<&str> = text.split('`').filter(|w| w.ends_with(".rs") && w.contains('/')).collect();
    assert!(named.len() > 20, "the table of stages was not found");
    let places = [repository(), repository().join("crates/wayfare/src")];
    let missing: Vec<_> = named.iter().filter(|n| !places.iter().any(|p| p.join(n).exists())).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md names {missing:?}, which do not exist");
}

#[test]
fn nothing_depends_on_the_platform() {
    // Clippy bans the same by path (clippy.toml); this also sees code that the build at hand leaves out.
    const BANNED: &[(&str, &str)] = &[
        (".mul_add(", "fused on some targets only"),
        (".recip(", "write 1.0 / x, which rounds once everywhere"),
        (".sin(", "math::ops"),
        (".cos(", "math::ops"),
        (".sin_cos(", "math::ops"),
        (".tan(", "math::ops"),
        (".atan2(", "math::ops"),
        (".acos(", "math::ops"),
        (".asin(", "math::ops"),
        (".exp(", "math::ops"),
        (".ln(", "math::ops"),
        (".powf(", "math::ops"),
        (".hypot(", "write (x * x + y * y).sqrt()"),
        ("Vec3A", "has other bits on other targets: Vec3"),
        ("Mat4", "has other bits on other targets"),
        ("Instant::now", "the library reads no clock: Context has one"),
        ("SystemTime", "the library reads no clock"),
        ("HashMap", "its order is random: BTreeMap, or a sorted Vec"),
        ("HashSet", "its order is random: BTreeSet, or a sorted Vec"),
    ];
    let mut wrong = Vec::new();
    let sources = sources();
    let tests = test_files(&sources);
    for (file, _, code) in sources.iter().filter(|(file, ..)| !tests.contains(file)) {
        let code = without_tests(code);
        for (banned, instead) in BANNED.iter().filter(|(b, _)| code.contains(b)) {
            wrong.push(format!("{file}: {banned} ({instead})"));
        }
    }
    assert!(wrong.is_empty(), "not deterministic:\n{}", wrong.join("\n"));
}
