//! `--links FILE.toml`, or tables `[links.…]` of a configuration file: which links the bake finds automatically.
//!
//! ```toml
//! [drop]               # in a configuration file: [links.drop]
//! max-height = 4.0
//!
//! [jump-across]
//! max-distance = 3.0
//! two-way = true
//! area = 5
//! flags = 8
//! ```
//!
//! A table enables its kind; an omitted key has the agent's default. `--links agent` enables all four kinds with the
//! agent's defaults. Names may be written with `_` for `-`.

use super::toml_table;
use crate::failure::{Failure, Result};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use wayfare::area::{AreaId, PolyFlags};
use wayfare::input::{AgentSettings, LinkKind, LinkRule, LinkSettings, SettingsError};

/// The value of `--links` that enables all kinds by the agent's size.
const AGENT: &str = "agent";

/// The enabled kinds, with their options; checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LinkOptions {
    /// In the order of [`LinkKind::ALL`].
    rules: [Option<RuleOptions>; LinkKind::ALL.len()],
    /// The file with the tables, and the prefix of their names.
    said_by: Option<(PathBuf, &'static str)>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct RuleOptions {
    max_height: Option<f32>,
    max_distance: Option<f32>,
    rise: Option<f32>,
    spacing: Option<f32>,
    width: Option<f32>,
    two_way: Option<bool>,
    area: Option<u8>,
    flags: Option<u16>,
}

impl LinkOptions {
    /// Whether `--links` is not a file.
    pub(crate) fn is_agent(path: &Path) -> bool {
        path.as_os_str() == AGENT
    }

    /// Reads what `--links` refers to.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        if Self::is_agent(path) {
            return Ok(Self { rules: LinkKind::ALL.map(|_| Some(RuleOptions::default())), said_by: None });
        }
        let text = std::fs::read_to_string(path).map_err(|e| Failure::io(path.display(), &e))?;
        let tables = toml_table::parse(&text).and_then(|tables| Self::of_tables(tables, "", path));
        tables.map_err(|message| Failure::about(path.display(), message))
    }

    /// Parses the tables of a file, whose names begin with `prefix`.
    pub(super) fn of_tables(
        tables: toml::Table,
        prefix: &'static str,
        file: &Path,
    ) -> std::result::Result<Self, String> {
        let mut links = Self { said_by: Some((file.into(), prefix)), ..Self::default() };
        let names = LinkKind::ALL.map(LinkKind::name);
        for (name, table) in toml_table::with_hyphens(tables)? {
            let Some(kind) = names.iter().position(|known| *known == name) else {
                return Err(format!("[{prefix}{name}] is not a kind of link{}", toml_table::instead(&name, &names)));
            };
            let wrong = |message: String| format!("[{prefix}{name}]: {message}");
            links.rules[kind] = Some(RuleOptions::read(table).map_err(wrong)?);
        }
        Ok(links)
    }

    /// The settings of the library.
    pub(crate) fn settings(&self, agent: &AgentSettings) -> LinkSettings {
        let own = LinkSettings::for_agent(agent);
        let [drop, jump_down, jump_across, climb] = &self.rules;
        let rule = |said: &Option<RuleOptions>, own: Option<LinkRule>| {
            said.as_ref().zip(own).map(|(said, own)| said.over(own))
        };
        LinkSettings {
            drop: rule(drop, own.drop),
            jump_down: rule(jump_down, own.jump_down),
            jump_across: rule(jump_across, own.jump_across),
            climb: rule(climb, own.climb),
        }
    }

    /// Remarks about unusual options.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let Some((file, prefix)) = &self.said_by else { return Vec::new() };
        if self.rules.iter().all(Option::is_none) {
            return vec![format!(
                "{}: no links are looked for: give it a table [{prefix}drop], [{prefix}jump-down], [{prefix}jump-across] \
                 or [{prefix}climb], which may be empty",
                file.display()
            )];
        }
        let said = LinkKind::ALL.into_iter().zip(&self.rules).filter_map(|(kind, rule)| Some((kind, rule.as_ref()?)));
        said.filter_map(|(kind, rule)| {
            Some(format!("{}: [{prefix}{}]: {}", file.display(), kind.name(), rule.oddity()?))
        })
        .collect()
    }
}

impl RuleOptions {
    fn read(table: toml::Value) -> std::result::Result<Self, String> {
        let toml::Value::Table(table) = table else {
            return Err("a kind of link is a table, which may be empty".into());
        };
        let said: Self = toml_table::read(toml_table::with_hyphens(table)?, |_, _| None)?;
        if let Some(area) = said.area {
            AreaId::new(area).map_err(|e| e.to_string())?;
        }
        // An agent's defaults are in range whatever its size.
        let own = LinkSettings::for_agent(&AgentSettings::default()).drop;
        let rule = own.map(|own| said.over(own));
        let refused = |e: SettingsError| {
            // The tables spell fields with dashes, and their names are given separately.
            e.to_string().replacen(e.name, &e.name.trim_start_matches("links.").replace('_', "-"), 1)
        };
        LinkSettings { drop: rule, ..LinkSettings::default() }.check().map_err(refused)?;
        Ok(said)
    }

    fn over(&self, own: LinkRule) -> LinkRule {
        LinkRule {
            max_height: self.max_height.unwrap_or(own.max_height),
            max_distance: self.max_distance.unwrap_or(own.max_distance),
            rise: self.rise.unwrap_or(own.rise),
            spacing: self.spacing.unwrap_or(own.spacing),
            width: self.width.unwrap_or(own.width),
            two_way: self.two_way.unwrap_or(own.two_way),
            area: self.area.map_or(own.area, AreaId::from_low_bits),
            flags: self.flags.map_or(own.flags, PolyFlags),
        }
    }

    /// Why such links can never be used.
    fn oddity(&self) -> Option<&'static str> {
        let what = "links with flags 0 are closed to every filter: leave flags out for 8, which is jumping";
        (self.flags == Some(0)).then_some(what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> std::result::Result<LinkOptions, String> {
        LinkOptions::of_tables(toml_table::parse(text)?, "", Path::new("links.toml"))
    }

    #[test]
    fn a_table_switches_its_kind_on_and_keeps_what_it_does_not_say() {
        let agent = AgentSettings::default();
        let links = parse("[jump-across]\nmax_distance = 2.5\narea = 7\n[drop]\n").unwrap().settings(&agent);
        let own = LinkSettings::for_agent(&agent);
        assert_eq!((links.drop, links.climb, links.jump_down), (own.drop, None, None));
        let across = links.jump_across.unwrap();
        assert_eq!((across.max_distance, across.area.get(), across.two_way), (2.5, 7, true));
        let by_agent = LinkOptions::read(Path::new("agent")).unwrap();
        assert_eq!((by_agent.settings(&agent), by_agent.remarks()), (own, vec![]));
    }

    #[test]
    fn wrong_names_and_values_are_refused_with_their_table() {
        for (text, says) in [
            ("[leap]", "[leap] is not a kind of link; use one of drop, jump-down, jump-across, climb"),
            ("[dropp]", "[dropp] is not a kind of link: did you mean \"drop\"?"),
            ("drop = 1", "[drop]: a kind of link is a table, which may be empty"),
            ("[drop]\nmax-hight = 3", "[drop]: unknown option \"max-hight\": did you mean \"max-height\"?"),
            ("[drop]\nmax-height = 3\nmax_height = 3", "[drop]: \"max_height\" is given twice"),
            ("[jump-down]\n[jump_down]", "\"jump_down\" is given twice"),
            ("[drop]\nspacing = -1", "[drop]: spacing is -1, but must be above 0 and at most 100 m"),
            ("[drop]\nspacing = \"x\"", "[drop]: spacing = \"x\": invalid type: the text \"x\", expected a number"),
            ("[drop]\narea = 64", "[drop]: area type 64 is out of range: use 0 to 63"),
        ] {
            assert_eq!(parse(text).unwrap_err(), says);
        }
    }

    #[test]
    fn links_that_nothing_can_use_and_files_without_any_are_told() {
        let told = |text: &str| parse(text).unwrap().remarks();
        assert!(told("").concat().starts_with("links.toml: no links are looked for: give it a table [drop]"));
        assert!(told("[drop]\nflags = 0\narea = 0").concat().starts_with("links.toml: [drop]: links with flags 0"));
        assert!(told("[drop]\n[climb]\narea = 0").is_empty(), "a type like any other");
        assert!(told("[drop]\narea = 63\nflags = 1").is_empty());
    }
}
