//! `--config FILE.toml`: the options of a bake in a file, under the same names.
//!
//! ```toml
//! cell-size = 0.2
//! agent-radius = 0.4
//! partition = "monotone"
//! no-filter-ledges = true
//! ```
//!
//! Names may be written with `_` for `-`, as in the statistics. Files that it refers to are relative to its own folder,
//! unless their paths are absolute. Unknown names are refused, since a misspelt setting that is silently ignored costs
//! an afternoon.

use super::{BakeOptions, LinkOptions, toml_table};
use crate::failure::{Failure, Result};
use std::path::Path;

/// Reads a configuration file.
pub(crate) fn read(path: &Path) -> Result<BakeOptions> {
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io(path.display(), &e))?;
    let mut options = parse(&text, path).map_err(|message| Failure::about(path.display(), message))?;
    if let Some(folder) = path.parent() {
        let links = options.links.as_mut().filter(|links| !LinkOptions::is_agent(links));
        let files = [options.areas.as_mut(), options.connections.as_mut(), links];
        files.into_iter().flatten().for_each(|file| *file = folder.join(&*file));
    }
    Ok(options)
}

fn parse(text: &str, path: &Path) -> std::result::Result<BakeOptions, String> {
    let mut table = toml_table::with_hyphens(toml_table::parse(text)?)?;
    let links = table.remove("links");
    let mut options: BakeOptions = toml_table::read(table, explain)?;
    match links {
        None => {}
        // A file, as on the command line, or the tables themselves.
        Some(toml::Value::String(file)) => options.links = Some(file.into()),
        Some(toml::Value::Table(tables)) => options.link_tables = Some(LinkOptions::of_tables(tables, "links.", path)?),
        Some(_) => {
            return Err("links are tables, [links.drop] and so on, the name of a file of them, or \"agent\"".to_owned());
        }
    }
    Ok(options)
}

/// An error message for values that are valid TOML, but not valid here.
fn explain(key: &str, value: &toml::Value) -> Option<String> {
    (key == "agent" && value.is_table()).then(|| {
        "the agent's sizes are no table: write agent-radius = 0.4, agent-height = 1.8 and so on, or for several agents \
         agent = [\"man:radius=0.4\", \"rat:radius=0.1\"]"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::PartitionName;

    fn parse(text: &str) -> std::result::Result<BakeOptions, String> {
        super::parse(text, Path::new("bake.toml"))
    }

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
        let links = parse("[links.drop]\n[links.jump_across]\nmax_height = 1\n").unwrap().link_settings(&agent);
        assert!(links.drop.is_some() && links.climb.is_none());
        assert_eq!(links.jump_across.map(|rule| rule.max_height), Some(1.0));
        assert!(parse("[links.dropp]\n").unwrap_err().starts_with("[links.dropp] is not a kind of link: did you mean"));
        assert!(parse("links = 5").unwrap_err().starts_with("links are tables"));
        let folder = tempfile::tempdir().unwrap();
        let (file, rules) = (folder.path().join("bake.toml"), folder.path().join("rules.toml"));
        std::fs::write(&rules, "[climb]\nspacing = -1\n").unwrap();
        let links = |text: &str| {
            std::fs::write(&file, text).unwrap();
            let config = BakeOptions { config: Some(file.clone()), ..BakeOptions::default() };
            config.with_files().map(|options| options.link_settings(&agent))
        };
        assert!(links("links = \"agent\"\n").is_ok_and(|links| links.climb.is_some() && links.drop.is_some()));
        let Err(Failure::Message(m)) = links("links = \"rules.toml\"\n") else { panic!("accepted") };
        assert!(m.ends_with("rules.toml: [climb]: spacing is -1, but must be above 0 and at most 100 m"), "{m}");
        let Err(Failure::Message(m)) = links("[links.drop]\nspacing = -1\n") else { panic!("accepted") };
        assert!(m.ends_with("bake.toml: [links.drop]: spacing is -1, but must be above 0 and at most 100 m"), "{m}");
    }

    #[test]
    fn unknown_names_wrong_values_and_broken_syntax_are_refused() {
        assert_eq!(parse("cell_sise = 0.3").unwrap_err(), "unknown option \"cell-sise\": did you mean \"cell-size\"?");
        assert!(parse("volume = 11").unwrap_err().starts_with("unknown option \"volume\"; use one of cell-size, "));
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
