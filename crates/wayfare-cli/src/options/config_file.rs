//! `--config FILE.toml`: the options of a bake in a file, under the same names.
//!
//! ```toml
//! cell-size = 0.2
//! agent-radius = 0.4
//! partition = "monotone"
//! no-filter-ledges = true
//! ```
//!
//! Names may be written with `_` for `-`, as the statistics spell them. Files that it names lie where the file itself
//! lies, unless their paths are whole. A name that is none of ours is refused, since a
//! misspelt setting that is silently ignored costs an afternoon.

use super::{BakeOptions, LinkOptions, plainly};
use crate::failure::{Failure, Result};
use std::path::Path;

/// Reads a configuration file.
pub(crate) fn read(path: &Path) -> Result<BakeOptions> {
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io(path.display(), &e))?;
    let mut options = parse(&text).map_err(|message| Failure::about(path.display(), message))?;
    if let Some(folder) = path.parent() {
        let links = options.links.as_mut().filter(|links| !LinkOptions::is_agent(links));
        let files = [options.areas.as_mut(), options.connections.as_mut(), links];
        files.into_iter().flatten().for_each(|file| *file = folder.join(&*file));
    }
    Ok(options)
}

fn parse(text: &str) -> std::result::Result<BakeOptions, String> {
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| one_line(&e, text))?;
    let (mut renamed, mut links) = (toml::Table::new(), None);
    for (key, value) in table {
        let name = key.replace('_', "-");
        // A file, as on the command line, or the tables themselves.
        if let (true, Some(file)) = (name == "links", value.as_str()) {
            links = Some(file.into());
            continue;
        }
        let value = if name == "links" { with_hyphens(value) } else { value };
        if renamed.insert(name, value).is_some() {
            return Err(format!("\"{key}\" is given twice"));
        }
    }
    Ok(BakeOptions { links, ..BakeOptions::deserialize_checked(renamed)? })
}

/// A table with `-` for `_` in the names of everything in it.
fn with_hyphens(value: toml::Value) -> toml::Value {
    match value {
        toml::Value::Table(table) => table
            .into_iter()
            .map(|(key, value)| (key.replace('_', "-"), with_hyphens(value)))
            .collect::<toml::Table>()
            .into(),
        other => other,
    }
}

impl BakeOptions {
    fn deserialize_checked(table: toml::Table) -> std::result::Result<Self, String> {
        use serde::Deserialize;
        // One key at a time, so that a message can name the key and its value.
        for (key, value) in &table {
            let alone = toml::Table::from_iter([(key.clone(), value.clone())]);
            Self::deserialize(alone).map_err(|e| explain(key, value, e.message()))?;
        }
        Self::deserialize(table).map_err(|e| plainly(e.message()))
    }
}

fn explain(key: &str, value: &toml::Value, message: &str) -> String {
    match message.split_once(", expected one of ") {
        Some((unknown, known)) if unknown.starts_with("unknown field") => {
            let known: Vec<&str> = known.split(", ").map(|name| name.trim_matches('`')).collect();
            match nearest(key, &known) {
                Some(name) => format!("unknown option \"{key}\": did you mean \"{name}\"?"),
                None => format!("unknown option \"{key}\"; known are {}", known.join(", ")),
            }
        }
        _ if key == "links" && !value.is_table() => {
            "links are tables, [links.drop] and so on, the name of a file of them, or \"agent\"".to_owned()
        }
        _ if key == "agent" && value.is_table() => "the agent's sizes are no table: write agent-radius = 0.4, \
            agent-height = 1.8 and so on, or for several agents agent = [\"man:radius=0.4\", \"rat:radius=0.1\"]"
            .to_owned(),
        _ => format!("{key} = {value}: {}", plainly(message)),
    }
}

/// The known name that differs least from `name`, if few letters differ.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let (best, score) = known.iter().map(|&k| (k, strsim::jaro_winkler(k, name))).max_by(|a, b| a.1.total_cmp(&b.1))?;
    (score > 0.8).then_some(best)
}

/// A TOML syntax error with its line, without the drawing.
pub(super) fn one_line(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or(""));
    format!("line {}: {}", before.matches('\n').count() + 1, plainly(&error.message().replace('\n', " ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::PartitionName;

    #[test]
    fn names_are_those_of_the_command_line() {
        let options = parse("cell-size = 0.25\nagent_radius = 1\npartition = \"monotone\"\nthreads = 2\n").unwrap();
        assert_eq!((options.cell_size, options.agent_radius, options.threads), (Some(0.25), Some(1.0), Some(2)));
        assert_eq!(options.partition, Some(PartitionName::Monotone));
    }

    #[test]
    fn files_lie_beside_the_file_that_names_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("bake.toml");
        std::fs::write(&file, "areas = \"areas.toml\"\nconnections = \"/ways.jsonl\"\n").unwrap();
        let Ok(options) = read(&file) else { panic!("refused") };
        assert_eq!(options.areas, Some(folder.path().join("areas.toml")));
        assert_eq!(options.connections, Some("/ways.jsonl".into()));
    }

    #[test]
    fn links_are_tables_of_their_own() {
        let agent = wayfare::input::AgentSettings::default();
        let links =
            parse("[links.drop]\n[links.jump_across]\nmax_height = 1\n").unwrap().link_settings(&agent).unwrap();
        assert!(links.drop.is_some() && links.climb.is_none());
        assert_eq!(links.jump_across.map(|rule| rule.max_height), Some(1.0));
        assert!(parse("[links.leap]\n").is_err() && parse("links = 5").unwrap_err().starts_with("links are tables"));
        let folder = tempfile::tempdir().unwrap();
        let (file, rules) = (folder.path().join("bake.toml"), folder.path().join("rules.toml"));
        std::fs::write(&rules, "[climb]\nspacing = -1\n").unwrap();
        let links = |text: &str| {
            std::fs::write(&file, text).unwrap();
            read(&file).and_then(|options| options.link_settings(&agent))
        };
        assert!(links("links = \"agent\"\n").is_ok_and(|links| links.climb.is_some() && links.drop.is_some()));
        let Err(Failure::Message(m)) = links("links = \"rules.toml\"\n") else { panic!("accepted") };
        assert!(m.ends_with("rules.toml: [climb]: spacing is -1, but must be above 0 and at most 100 m"), "{m}");
    }

    #[test]
    fn unknown_names_wrong_values_and_broken_syntax_are_refused() {
        assert_eq!(parse("cell_sise = 0.3").unwrap_err(), "unknown option \"cell-sise\": did you mean \"cell-size\"?");
        assert!(parse("volume = 11").unwrap_err().starts_with("unknown option \"volume\"; known are cell-size, "));
        let big = parse("cell-size = \"big\"").unwrap_err();
        assert_eq!(big, "cell-size = \"big\": invalid type: the text \"big\", expected a number");
        let half = parse("tile-size = 1.5").unwrap_err();
        assert!(half.ends_with("the number `1.5`, expected a whole number from 0 to 4294967295"), "{half}");
        assert!(parse("threads = -1").unwrap_err().starts_with("threads = -1: "));
        assert!(parse("[agent]\nradius = 0.3\n").unwrap_err().contains("write agent-radius = 0.4"));
        let how = parse("partition = \"best\"").unwrap_err();
        assert!(how.contains("there is no `best`, expected one of `watershed`"), "{how}");
        assert!(parse("cell-size = 0.3\ncell-height = ").unwrap_err().starts_with("line 2: "));
        assert_eq!(parse("cell-size = 1\ncell_size = 2").unwrap_err(), "\"cell_size\" is given twice");
    }
}
