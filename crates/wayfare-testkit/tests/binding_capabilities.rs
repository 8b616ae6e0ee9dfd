//! Holds every binding to the list of what the library can do (`bindings/capabilities.toml`): each line of it has a
//! call that the binding's sources hold, or a word why not.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

fn bindings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bindings")
}

fn table(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The keys of a list, `group.name`, with what stands behind them.
fn lines(list: &Table) -> Vec<(String, &Value)> {
    let groups = list.iter().filter_map(|(group, lines)| Some((group, lines.as_table()?)));
    groups
        .flat_map(|(group, lines)| lines.iter().map(move |(name, value)| (format!("{group}.{name}"), value)))
        .collect()
}

/// The words of all sources that a binding names.
fn words(folder: &Path, list: &Table) -> BTreeSet<String> {
    let sources =
        list.get("sources").and_then(Value::as_array).unwrap_or_else(|| panic!("{}: no `sources`", folder.display()));
    let texts = sources.iter().map(|source| {
        let path = folder.join(source.as_str().unwrap_or_default());
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    });
    let texts: Vec<String> = texts.collect();
    let word = |c: char| !(c.is_alphanumeric() || c == '_');
    texts.iter().flat_map(|text| text.split(word)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// What is wrong with one line of a binding, if anything.
fn fault(value: &Value, words: &BTreeSet<String>) -> Option<String> {
    let missing = |call: &str| {
        let lost = call.split(['.', ':']).filter(|part| !part.is_empty()).find(|part| !words.contains(*part));
        if call.is_empty() {
            Some("an empty call".to_owned())
        } else {
            lost.map(|part| format!("`{call}`: no `{part}` in the sources"))
        }
    };
    match value {
        Value::String(call) => missing(call),
        Value::Array(calls) if calls.is_empty() => Some("an empty list of calls".to_owned()),
        Value::Array(calls) => calls.iter().find_map(|call| missing(call.as_str().unwrap_or_default())),
        Value::Table(table) => {
            let why = table.get("without").and_then(Value::as_str).unwrap_or_default();
            (why.len() < 10 || table.len() != 1).then(|| "say in words why: { without = \"...\" }".to_owned())
        }
        _ => Some("neither a call, nor calls, nor a word why not".to_owned()),
    }
}

#[test]
fn every_binding_does_what_the_library_does_or_says_why_not() {
    let list = table(&bindings().join("capabilities.toml"));
    let wanted: BTreeSet<String> = lines(&list).into_iter().map(|(key, _)| key).collect();
    assert!(wanted.len() > 100, "{} lines", wanted.len());
    let mut faults = Vec::new();
    for name in ["c", "cpp", "csharp", "python", "js"] {
        let path = bindings().join(name).join("capabilities.toml");
        if !path.parent().is_some_and(Path::is_dir) {
            println!("skipped: there is no bindings/{name}");
            continue;
        }
        let own = table(&path);
        let words = words(&bindings().join(name), &own);
        let lines = lines(&own);
        let keys: BTreeSet<String> = lines.iter().map(|(key, _)| key.clone()).collect();
        faults.extend(wanted.difference(&keys).map(|key| format!("{name}: {key} has no line")));
        faults
            .extend(keys.difference(&wanted).map(|key| format!("{name}: {key} is not in bindings/capabilities.toml")));
        faults
            .extend(lines.iter().filter_map(|(key, value)| Some(format!("{name}: {key}: {}", fault(value, &words)?))));
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
