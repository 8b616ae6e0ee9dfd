//! Parses scene specs: `NAME?key=value&key=value`.

use crate::scene::SceneInfo;
use std::fmt::Write as _;

/// A numeric parameter of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its key.
    pub name: &'static str,
    /// Its meaning, with its unit.
    pub meaning: &'static str,
    /// Its default.
    pub default: f64,
    /// The lowest value allowed.
    pub min: f64,
    /// The highest value allowed.
    pub max: f64,
    /// Whether it must be a whole number.
    pub whole: bool,
}

impl Param {
    /// A whole number.
    pub(crate) const fn count(name: &'static str, default: u32, range: [u32; 2], meaning: &'static str) -> Self {
        Self { name, meaning, default: default as f64, min: range[0] as f64, max: range[1] as f64, whole: true }
    }

    /// Any number within a range.
    pub(crate) const fn real(name: &'static str, default: f64, range: [f64; 2], meaning: &'static str) -> Self {
        Self { name, meaning, default, min: range[0], max: range[1], whole: false }
    }
}

/// The seed of every scene. Scenes without randomness ignore it.
pub(crate) const SEED: Param = Param::count("seed", 1, [0, u32::MAX], "what all randomness comes from");

/// Why a scene spec is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// No scene has this name.
    #[error("there is no scene \"{name}\"; there are: {known}")]
    UnknownScene {
        /// The requested name.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The scene has no such parameter.
    #[error("scene \"{scene}\" has no parameter \"{key}\"; it takes: {known}")]
    UnknownParam {
        /// The scene.
        scene: &'static str,
        /// The requested key.
        key: String,
        /// The keys that exist, with ranges and defaults.
        known: String,
    },
    /// A parameter is given more than once.
    #[error("scene \"{scene}\": {key} is given twice")]
    GivenTwice {
        /// The scene.
        scene: &'static str,
        /// The key.
        key: &'static str,
    },
    /// The scene is not a block world.
    #[error("scene \"{scene}\" is not made of blocks; \"blocks\" is")]
    NotOfBlocks {
        /// The scene.
        scene: &'static str,
    },
    /// A parameter has an invalid value.
    #[error("scene \"{scene}\": {key} is \"{value}\", but must be {allowed}")]
    BadValue {
        /// The scene.
        scene: &'static str,
        /// The key.
        key: String,
        /// The requested value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
}

/// The checked parameters of a scene: each key has a value within its range.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    values: Vec<(Param, f64)>,
}

impl Params {
    /// Every parameter at its default.
    pub(crate) fn defaults(params: &[Param]) -> Self {
        Self { values: params.iter().chain([&SEED]).map(|&param| (param, param.default)).collect() }
    }

    /// The value of a parameter.
    pub(crate) fn real(&self, key: &str) -> f32 {
        self.get(key) as f32
    }

    /// The value of a whole-number parameter.
    pub(crate) fn count(&self, key: &str) -> u32 {
        self.get(key) as u32
    }

    /// The seed.
    pub(crate) fn seed(&self) -> u64 {
        self.get(SEED.name) as u64
    }

    fn get(&self, key: &str) -> f64 {
        let found = self.values.iter().find(|(p, _)| p.name == key);
        debug_assert!(found.is_some(), "no parameter {key}");
        found.map_or(0.0, |&(_, value)| value)
    }

    /// The spec for these parameters, without defaults.
    pub(crate) fn spec(&self, name: &str) -> String {
        let mut spec = name.to_owned();
        let mut separator = '?';
        for (param, value) in self.values.iter().filter(|(p, v)| *v != p.default) {
            // Writing to a string cannot fail.
            let _ = write!(spec, "{separator}{}={value}", param.name);
            separator = '&';
        }
        spec
    }
}

/// Finds the scene named in `spec` and checks its parameters.
pub(crate) fn parse<'a>(spec: &str, scenes: &'a [SceneInfo]) -> Result<(&'a SceneInfo, Params), SceneError> {
    let (name, query) = spec.split_once('?').unwrap_or((spec, ""));
    let Some(info) = scenes.iter().find(|s| s.name == name) else {
        let known = scenes.iter().map(|s| s.name).collect::<Vec<_>>().join(", ");
        return Err(SceneError::UnknownScene { name: name.to_owned(), known });
    };
    Ok((info, read(info.name, info.params, query)?))
}

/// Parses `key=value&key=value` for a scene with these parameters.
pub(crate) fn read(scene: &'static str, params: &[Param], query: &str) -> Result<Params, SceneError> {
    let Params { mut values } = Params::defaults(params);
    let mut given = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, text) = pair.split_once('=').unwrap_or((pair, ""));
        let Some((param, value)) = values.iter_mut().find(|(p, _)| p.name == key) else {
            let known = params.iter().chain([&SEED]).map(describe).collect::<Vec<_>>().join(", ");
            return Err(SceneError::UnknownParam { scene, key: key.to_owned(), known });
        };
        *value = check(param, text).ok_or_else(|| SceneError::BadValue {
            scene,
            key: key.to_owned(),
            value: text.to_owned(),
            allowed: format!(
                "{} from {} to {}",
                if param.whole { "a whole number" } else { "a number" },
                param.min,
                param.max
            ),
        })?;
        if given.contains(&param.name) {
            return Err(SceneError::GivenTwice { scene, key: param.name });
        }
        given.push(param.name);
    }
    Ok(Params { values })
}

fn check(param: &Param, text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    let fits = (param.min..=param.max).contains(&value) && !(param.whole && value.fract() != 0.0);
    fits.then_some(value)
}

/// `steps 1…1000 (12)`.
fn describe(param: &Param) -> String {
    format!("{} {}…{} ({})", param.name, param.min, param.max, param.default)
}

#[cfg(test)]
mod tests {
    use crate::{SceneError, scene};

    #[test]
    fn defaults_are_left_out_of_the_spec_and_the_rest_is_kept() {
        assert_eq!(scene("stairs").unwrap().spec, "stairs");
        assert_eq!(scene("stairs?seed=1&steps=5").unwrap().spec, "stairs?steps=5");
        assert_eq!(scene("stairs?").unwrap().spec, "stairs");
    }

    #[test]
    fn unknown_names_and_keys_are_told_what_there_is() {
        let error = scene("nowhere").unwrap_err();
        assert!(matches!(error, SceneError::UnknownScene { .. }));
        assert!(error.to_string().contains("dungeon"), "{error}");
        let error = scene("stairs?colour=red").unwrap_err();
        assert!(matches!(error, SceneError::UnknownParam { .. }));
        assert!(error.to_string().contains("steps 1…200 (12)") && error.to_string().contains("seed"), "{error}");
    }

    #[test]
    fn values_out_of_range_or_that_are_no_numbers_are_refused() {
        for spec in ["flat?size=0", "flat?size=nan", "flat?size", "flat?size=inf", "stairs?steps=1.5", "flat?seed=-1"] {
            assert!(matches!(scene(spec), Err(SceneError::BadValue { .. })), "{spec}");
        }
        let half = scene("stairs?steps=1.5").unwrap_err().to_string();
        assert_eq!(half, "scene \"stairs\": steps is \"1.5\", but must be a whole number from 1 to 200");
        assert_eq!(scene("flat?size=9&size=9").unwrap_err(), SceneError::GivenTwice { scene: "flat", key: "size" });
    }
}
