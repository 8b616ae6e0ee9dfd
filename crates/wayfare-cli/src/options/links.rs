//! `--links FILE.toml`, or tables `[links.…]` of a configuration file: which links the bake finds by itself.
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
//! A table that is there switches its kind on; a key that is not there has the agent's own value. `--links agent`
//! switches all four kinds on with the agent's own values.

use crate::failure::{Failure, Result};
use serde::Deserialize;
use std::path::Path;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::input::{AgentSettings, LinkRule, LinkSettings, SettingsError};

/// What `--links` is given instead of a file for all kinds by the agent's size.
const AGENT: &str = "agent";

/// The kinds that are switched on, with what is said of each.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(crate) struct LinkOptions {
    drop: Option<RuleOptions>,
    jump_down: Option<RuleOptions>,
    jump_across: Option<RuleOptions>,
    climb: Option<RuleOptions>,
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
    /// Whether `--links` names no file.
    pub(crate) fn is_agent(path: &Path) -> bool {
        path.as_os_str() == AGENT
    }

    /// Reads what `--links` names.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        if Self::is_agent(path) {
            let all = || Some(RuleOptions::default());
            return Ok(Self { drop: all(), jump_down: all(), jump_across: all(), climb: all() });
        }
        let text = std::fs::read_to_string(path).map_err(|e| Failure::io(path.display(), &e))?;
        parse(&text).map_err(|message| Failure::about(path.display(), message))
    }

    /// The settings of the library, checked.
    pub(crate) fn settings(&self, agent: &AgentSettings) -> Result<LinkSettings> {
        let own = LinkSettings::for_agent(agent);
        let rule = |name: &str, said: &Option<RuleOptions>, own: Option<LinkRule>| match (said, own) {
            (Some(said), Some(own)) => {
                said.over(own).map(Some).map_err(|e| Failure::about(format_args!("[{name}]"), e))
            }
            _ => Ok(None),
        };
        Ok(LinkSettings {
            drop: rule("drop", &self.drop, own.drop)?,
            jump_down: rule("jump-down", &self.jump_down, own.jump_down)?,
            jump_across: rule("jump-across", &self.jump_across, own.jump_across)?,
            climb: rule("climb", &self.climb, own.climb)?,
        })
    }
}

impl RuleOptions {
    fn over(&self, own: LinkRule) -> std::result::Result<LinkRule, String> {
        let rule = LinkRule {
            max_height: self.max_height.unwrap_or(own.max_height),
            max_distance: self.max_distance.unwrap_or(own.max_distance),
            rise: self.rise.unwrap_or(own.rise),
            spacing: self.spacing.unwrap_or(own.spacing),
            width: self.width.unwrap_or(own.width),
            two_way: self.two_way.unwrap_or(own.two_way),
            area: self.area.map_or(Ok(own.area), AreaId::new).map_err(|e| e.to_string())?,
            flags: self.flags.map_or(own.flags, PolyFlags),
        };
        // The tables spell their fields with dashes, and are named themselves.
        let field = |name: &str| name.trim_start_matches("links.").replace('_', "-");
        let refused = |e: SettingsError| e.to_string().replacen(e.name, &field(e.name), 1);
        LinkSettings { drop: Some(rule), ..LinkSettings::default() }.check().map_err(refused)?;
        Ok(rule)
    }
}

fn parse(text: &str) -> std::result::Result<LinkOptions, String> {
    toml::from_str(text).map_err(|e| super::config_file::one_line(&e, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_switches_its_kind_on_and_keeps_what_it_does_not_say() {
        let agent = AgentSettings::default();
        let said = parse("[jump-across]\nmax-distance = 2.5\narea = 7\n[drop]\n").unwrap();
        let links = said.settings(&agent).unwrap();
        let own = LinkSettings::for_agent(&agent);
        assert_eq!((links.drop, links.climb, links.jump_down), (own.drop, None, None));
        let across = links.jump_across.unwrap();
        assert_eq!((across.max_distance, across.area.get(), across.two_way), (2.5, 7, true));
        assert_eq!(LinkOptions::read(Path::new("agent")).unwrap().settings(&agent).unwrap(), own);
    }

    #[test]
    fn wrong_names_and_values_are_refused() {
        assert!(parse("[leap]\n").unwrap_err().contains("unknown field `leap`"));
        assert!(parse("[drop]\nheight = 3\n").unwrap_err().starts_with("line 2: unknown field `height`"));
        let wrong = parse("[drop]\nspacing = -1\n").unwrap().settings(&AgentSettings::default());
        let Err(Failure::Message(m)) = wrong else { panic!("accepted") };
        assert_eq!(m, "[drop]: spacing is -1, but must be above 0 and at most 100 m");
        assert!(parse("[drop]\narea = 64\n").unwrap().settings(&AgentSettings::default()).is_err());
    }
}
