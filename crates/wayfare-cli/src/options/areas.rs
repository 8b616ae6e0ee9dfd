//! `--areas FILE.toml`: what the names in a level mean.
//!
//! ```toml
//! [material.water]      # an OBJ usemtl or a glTF material
//! area = 1
//! [object.Bridge]       # an OBJ object or group, or a glTF node
//! area = 2
//! [area.1]
//! name = "water"
//! flags = 2             # bits, or names: flags = ["swim"] with [flag] swim = 2
//! cost = 5.0
//! ```
//!
//! Where both name a triangle, the object decides: it is the more particular.

use super::config_file::one_line;
use crate::failure::{Failure, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use wayfare::area::{AreaId, PolyFlags};

/// Area types by name, and what each area type means.
#[derive(Clone, Debug, Default)]
pub(crate) struct Areas {
    materials: BTreeMap<String, AreaId>,
    objects: BTreeMap<String, AreaId>,
    types: BTreeMap<u8, AreaType>,
}

#[derive(Clone, Debug)]
struct AreaType {
    name: Option<String>,
    flags: PolyFlags,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    material: BTreeMap<String, Name>,
    #[serde(default)]
    object: BTreeMap<String, Name>,
    #[serde(default)]
    area: BTreeMap<String, Type>,
    #[serde(default)]
    flag: BTreeMap<String, u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    area: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Type {
    name: Option<String>,
    flags: Option<Flags>,
    cost: Option<f32>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Flags {
    Bits(u16),
    Names(Vec<String>),
}

impl Areas {
    /// Reads a table; without a file there are no names and every area type has the flag "walk".
    pub(crate) fn read(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let text = std::fs::read_to_string(path).map_err(|e| Failure::io(path.display(), &e))?;
        Self::parse(&text).map_err(|message| Failure::about(path.display(), message))
    }

    fn parse(text: &str) -> std::result::Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|e| one_line(&e, text))?;
        let named = |what: &str, names: BTreeMap<String, Name>| {
            let checked = |(name, to): (String, Name)| {
                let area = AreaId::new(to.area).map_err(|e| format!("[{what}.{name}]: {e}"))?;
                Ok((name, area))
            };
            names.into_iter().map(checked).collect::<std::result::Result<BTreeMap<_, _>, String>>()
        };
        let mut types = BTreeMap::new();
        for (key, given) in file.area {
            let wrong = |message: String| format!("[area.{key}]: {message}");
            let number: u8 = key.parse().map_err(|_| wrong("area types are numbers from 0 to 63".into()))?;
            let id = AreaId::new(number).map_err(|e| wrong(e.to_string()))?;
            if given.cost.is_some_and(|cost| !(cost.is_finite() && cost >= 0.0)) {
                return Err(wrong("cost must be a finite number, 0 or above".into()));
            }
            let flags = bits(given.flags, &file.flag).map_err(wrong)?;
            types.insert(id.get(), AreaType { name: given.name, flags });
        }
        Ok(Self { materials: named("material", file.material)?, objects: named("object", file.object)?, types })
    }

    /// Whether any name means anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.materials.is_empty() && self.objects.is_empty()
    }

    /// The area type of what comes from these names, walkable if none is in the table.
    pub(crate) fn area(&self, material: &str, object: &str, group: &str) -> AreaId {
        let object = self.objects.get(group).or_else(|| self.objects.get(object));
        *object.or_else(|| self.materials.get(material)).unwrap_or(&AreaId::WALKABLE)
    }

    /// Names of the table that do not occur among `present`.
    pub(crate) fn missing<'a>(&'a self, present: &[&str]) -> Vec<&'a str> {
        let names = self.materials.keys().chain(self.objects.keys());
        names.map(String::as_str).filter(|name| !present.contains(name)).collect()
    }

    /// The flags that polygons of an area type get.
    pub(crate) fn flags(&self, area: AreaId) -> PolyFlags {
        self.types.get(&area.get()).map_or(PolyFlags::WALK, |t| t.flags)
    }

    /// Names of area types, for legends.
    pub(crate) fn names(&self) -> BTreeMap<u8, String> {
        self.types.iter().filter_map(|(id, t)| Some((*id, t.name.clone()?))).collect()
    }
}

fn bits(flags: Option<Flags>, table: &BTreeMap<String, u16>) -> std::result::Result<PolyFlags, String> {
    match flags {
        None => Ok(PolyFlags::WALK),
        Some(Flags::Bits(bits)) => Ok(PolyFlags(bits)),
        Some(Flags::Names(names)) => names.iter().try_fold(PolyFlags::NONE, |all, name| match table.get(name) {
            Some(bits) => Ok(PolyFlags(all.0 | bits)),
            None if name == "walk" => Ok(PolyFlags(all.0 | PolyFlags::WALK.0)),
            None => Err(format!("flag \"{name}\" is not in [flag]: give its bits there, as in {name} = 2")),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "
        [flag]
        swim = 2
        [material.water]
        area = 1
        [object.Bridge]
        area = 2
        [area.1]
        name = \"water\"
        flags = [\"swim\"]
        cost = 5.0
        [area.2]
        flags = 9
    ";

    #[test]
    fn names_become_area_types_and_these_flags() {
        let areas = Areas::parse(TABLE).unwrap();
        let id = |n| AreaId::new(n).unwrap();
        assert_eq!(areas.area("water", "", ""), id(1));
        assert_eq!(areas.area("water", "Bridge", ""), id(2));
        assert_eq!(areas.area("water", "x", "Bridge"), id(2));
        assert_eq!(areas.area("grass", "", ""), AreaId::WALKABLE);
        assert_eq!([1, 2, 3].map(|n| areas.flags(id(n)).0), [2, 9, 1]);
        assert_eq!(areas.missing(&["water"]), ["Bridge"]);
        assert_eq!(areas.names()[&1], "water");
    }

    #[test]
    fn nonsense_is_refused_with_its_place() {
        let refused = |text| Areas::parse(text).unwrap_err();
        assert_eq!(refused("[material.a]\narea = 64"), "[material.a]: area type 64 is out of range: use 0 to 63");
        assert!(refused("[area.x]\ncost = 1.0").starts_with("[area.x]: area types are numbers"));
        assert!(refused("[area.1]\ncost = nan").contains("finite"));
        assert!(refused("[area.1]\nflags = [\"fly\"]").contains("\"fly\" is not in [flag]"));
        assert!(refused("[matter.a]\narea = 1").contains("unknown field"));
    }
}
