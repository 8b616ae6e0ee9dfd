//! `--agent NAME:radius=0.4,height=1.8`: several agents baked in one pass, with a mesh each.
//!
//! Omitted values come from the other options: `--agent-radius` and so on.

use super::BakeOptions;
use crate::failure::{Failure, Result};
use std::path::{Path, PathBuf};

/// An agent with a name.
#[derive(Clone, Debug)]
pub(crate) struct NamedAgent {
    /// Part of its mesh's file name.
    pub(crate) name: String,
    options: BakeOptions,
}

const KEYS: &str = "radius, height, max-climb, max-slope and max-drop";

impl NamedAgent {
    /// The agents given by options, each name once.
    pub(crate) fn all(options: &BakeOptions) -> Result<Vec<Self>> {
        let mut agents: Vec<Self> = Vec::new();
        for text in &options.agents {
            let wrong = |message: String| Failure::new(format_args!("--agent {text}: {message}"));
            let agent = Self::parse(text).map_err(wrong)?;
            if agents.iter().any(|other| other.name == agent.name) {
                return Err(wrong(format!("there are two agents named \"{}\"", agent.name)));
            }
            agents.push(agent);
        }
        Ok(agents)
    }

    fn parse(text: &str) -> std::result::Result<Self, String> {
        let (name, sizes) = text.split_once(':').unwrap_or((text, ""));
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') {
            return Err("an agent has a name of letters and digits, as in small:radius=0.3,height=1".into());
        }
        let mut options = BakeOptions::default();
        for size in sizes.split(',').filter(|size| !size.is_empty()) {
            let (key, value) = size.split_once('=').ok_or_else(|| format!("\"{size}\" is not KEY=NUMBER"))?;
            let value: f32 =
                value.trim().parse().map_err(|_| format!("{key} is \"{value}\", which is not a number"))?;
            let field = match key.trim() {
                "radius" => &mut options.agent_radius,
                "height" => &mut options.agent_height,
                "max-climb" => &mut options.agent_max_climb,
                "max-slope" => &mut options.agent_max_slope,
                "max-drop" => &mut options.agent_max_drop,
                other => return Err(format!("an agent has no \"{other}\"; it has {KEYS}")),
            };
            if field.replace(value).is_some() {
                return Err(format!("{} is given twice", key.trim()));
            }
        }
        Ok(Self { name: name.to_owned(), options })
    }

    /// All options as they are for this agent.
    pub(crate) fn over(&self, below: &BakeOptions) -> BakeOptions {
        self.options.clone().over(below.clone())
    }

    /// The path of a file for this agent: `level.way` becomes `level.NAME.way`.
    pub(crate) fn target(&self, target: &Path) -> PathBuf {
        let ending = target.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
        let stem = target.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        target.with_file_name(format!("{stem}.{}{ending}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_a_name_and_sizes() {
        let below = BakeOptions { agent_radius: Some(1.0), agent_height: Some(3.0), ..BakeOptions::default() };
        let rat = NamedAgent::parse("rat:radius=0.1, max-slope=60").unwrap();
        let options = rat.over(&below);
        assert_eq!(
            (options.agent_radius, options.agent_height, options.agent_max_slope),
            (Some(0.1), Some(3.0), Some(60.0))
        );
        assert_eq!(rat.target(Path::new("out/level.way")), Path::new("out/level.rat.way"));
        assert_eq!(NamedAgent::parse("man").unwrap().over(&below).agent_radius, Some(1.0));
    }

    #[test]
    fn nonsense_is_refused() {
        let refused = |text: &str| NamedAgent::parse(text).unwrap_err();
        assert!(refused(":radius=1").contains("has a name"));
        assert!(refused("a/b").contains("has a name"));
        assert!(refused("rat:radius").contains("not KEY=NUMBER"));
        assert!(refused("rat:radius=big").contains("not a number"));
        assert_eq!(refused("rat:radius=1,radius=2"), "radius is given twice");
        assert!(refused("rat:girth=1").contains("it has radius, height"));
        let twice = BakeOptions { agents: vec!["rat".into(), "rat:radius=1".into()], ..BakeOptions::default() };
        assert!(matches!(NamedAgent::all(&twice), Err(Failure::Message(m)) if m.contains("two agents named")));
    }
}
