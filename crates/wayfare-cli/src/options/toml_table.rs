//! Reads tables of TOML files, with errors in terms of the names in the file.

use super::plainly;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// The tables of a text.
pub(super) fn parse(text: &str) -> Result<Table, String> {
    text.parse().map_err(|e| one_line(&e, text))
}

/// A table with `-` for `_` in its names, as options are spelt.
pub(super) fn with_hyphens(table: Table) -> Result<Table, String> {
    let mut renamed = Table::new();
    for (key, value) in table {
        if renamed.insert(key.replace('_', "-"), value).is_some() {
            return Err(format!("\"{key}\" is given twice"));
        }
    }
    Ok(renamed)
}

/// Deserialises a table. `explain` may give a better message for a key and its value.
pub(super) fn read<T: DeserializeOwned>(
    table: Table,
    explain: impl Fn(&str, &Value) -> Option<String>,
) -> Result<T, String> {
    // One key at a time, so that a message can name the key and its value.
    for (key, value) in &table {
        let alone = Table::from_iter([(key.clone(), value.clone())]);
        let wrong = |e: toml::de::Error| explain(key, value).unwrap_or_else(|| told(key, value, e.message()));
        T::deserialize(alone).map_err(wrong)?;
    }
    T::deserialize(table).map_err(|e| plainly(e.message()))
}

fn told(key: &str, value: &Value, message: &str) -> String {
    match message.split_once(", expected one of ") {
        Some((unknown, known)) if unknown.starts_with("unknown field") => {
            let known: Vec<&str> = known.split(", ").map(|name| name.trim_matches('`')).collect();
            format!("unknown option \"{key}\"{}", instead(key, &known))
        }
        _ => format!("{key} = {value}: {}", plainly(message)),
    }
}

/// A suggestion for an unknown name.
pub(super) fn instead(name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(name) => format!(": did you mean \"{name}\"?"),
        None => format!("; use one of {}", known.join(", ")),
    }
}

/// The known name most similar to `name`, if few letters differ.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let (best, score) = known.iter().map(|&k| (k, strsim::jaro_winkler(k, name))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    (score > 0.8).then_some(best)
}

/// A TOML syntax error with its line, without the excerpt.
pub(crate) fn one_line(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or(""));
    format!("line {}: {}", before.matches('\n').count() + 1, plainly(&error.message().replace('\n', " ")))
}
