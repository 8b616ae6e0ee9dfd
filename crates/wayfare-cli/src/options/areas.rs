//! `--areas FILE.toml`: the meaning of names in a level.
//!
//! ```toml
//! [material.water]      # an OBJ usemtl or a glTF material
//! area = 1
//! [object.Bridge]       # an OBJ object or group, or a glTF node
//! area = 2
//! [area.1]
//! name = "water"
//! flags = ["swim"]      # names of [flag], or bits: flags = 2
//! cost = 5.0            # of a metre; paths on the mesh heed it unless told otherwise
//! [flag]                # abilities: what a filter includes or excludes; "walk" is bit 1 without being told
//! swim = 2
//! [[volume]]            # see `volumes`
//! area = 1
//! box = { min = [0, -1, 0], max = [4, 2, 6] }
//! ```
//!
//! If both apply to a triangle, the object wins: it is more specific.

use super::toml_table::one_line;
use super::volumes::VolumeEntry;
use crate::failure::{self, Failure};
use serde::de::{SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Formatter};
use std::path::Path;
use wayfare::area::{AREA_COUNT, AreaId, AreaInfo, AreaRules, AreaTable, PolyFlags};
use wayfare::input::MarkedVolume;

/// Area types by name, and what each area type means.
#[derive(Clone, Debug, Default)]
pub(crate) struct Areas {
    materials: BTreeMap<String, AreaId>,
    objects: BTreeMap<String, AreaId>,
    types: BTreeMap<u8, AreaType>,
    volumes: Vec<MarkedVolume>,
}

#[derive(Clone, Debug)]
struct AreaType {
    name: Option<String>,
    flags: PolyFlags,
    cost: Option<f32>,
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
    flag: BTreeMap<String, Bits>,
    #[serde(default)]
    volume: Vec<VolumeEntry>,
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

/// The forms in which flags can be given.
enum Flags {
    Bits(u16),
    Names(Vec<String>),
}

/// A number used as a set of flags.
struct Bits(u16);

/// What is allowed where flags are asked for.
struct FlagsVisitor;

impl<'de> Visitor<'de> for FlagsVisitor {
    type Value = Flags;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("bits, a number from 0 to 65535, or a list of names that [flag] gives bits, as in [\"swim\"]")
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Flags, E> {
        let bits = u16::try_from(value).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))?;
        Ok(Flags::Bits(bits))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Flags, A::Error> {
        let mut names = Vec::new();
        while let Some(name) = list.next_element()? {
            names.push(name);
        }
        Ok(Flags::Names(names))
    }
}

impl<'de> Deserialize<'de> for Flags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FlagsVisitor)
    }
}

struct BitsVisitor;

impl Visitor<'_> for BitsVisitor {
    type Value = Bits;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("bits, a number from 1 to 65535")
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Bits, E> {
        match u16::try_from(value) {
            Ok(bits) if bits > 0 => Ok(Bits(bits)),
            _ => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BitsVisitor)
    }
}

impl Areas {
    /// Reads a table; without a file there are no names and every area type has the flag "walk".
    pub(crate) fn read(path: Option<&Path>) -> failure::Result<Self> {
        let Some(path) = path else { return Ok(Self::default()) };
        let text = std::fs::read_to_string(path).map_err(|e| Failure::io(path.display(), &e))?;
        Self::parse(&text).map_err(|message| Failure::about(path.display(), message))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|e| one_line(&e, text))?;
        let named = |what: &str, names: BTreeMap<String, Name>| {
            let checked = |(name, to): (String, Name)| {
                let area = AreaId::new(to.area).map_err(|e| format!("[{what}.{name}]: {e}"))?;
                Ok((name, area))
            };
            names.into_iter().map(checked).collect::<Result<BTreeMap<_, _>, String>>()
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
            let before = types.insert(id.get(), AreaType { name: given.name, flags, cost: given.cost });
            if before.is_some() {
                return Err(format!("[area.{id}] is given twice", id = id.get()));
            }
        }
        let numbered = (1..).zip(file.volume);
        let volumes = numbered.map(|(number, v)| v.marked().map_err(|e| format!("[[volume]] number {number}: {e}")));
        Ok(Self {
            materials: named("material", file.material)?,
            objects: named("object", file.object)?,
            types,
            volumes: volumes.collect::<Result<_, String>>()?,
        })
    }

    /// The area type for these names, if one of them is in the table.
    pub(crate) fn area(&self, material: &str, object: &str, group: &str) -> Option<AreaId> {
        let object = self.objects.get(group).or_else(|| self.objects.get(object));
        object.or_else(|| self.materials.get(material)).copied()
    }

    /// The volumes of the table.
    pub(crate) fn volumes(&self) -> &[MarkedVolume] {
        &self.volumes
    }

    /// Names of the table that are not among `present`.
    pub(crate) fn missing<'a>(&'a self, present: &BTreeSet<&str>) -> Vec<&'a str> {
        let names = self.materials.keys().chain(self.objects.keys());
        names.map(String::as_str).filter(|name| !present.contains(name)).collect()
    }

    /// The flags of an area type's polygons.
    pub(crate) fn flags(&self, area: AreaId) -> PolyFlags {
        self.types.get(&area.get()).map_or(PolyFlags::WALK, |t| t.flags)
    }

    /// Those of all area types, as rules.
    pub(crate) fn rules(&self) -> AreaRules {
        let mut rules = AreaRules::default();
        for area in (0..AREA_COUNT as u8).map(AreaId::from_low_bits) {
            rules.set(area, Some(self.flags(area)));
        }
        rules
    }

    /// Names and costs, as stored in the mesh.
    pub(crate) fn table(&self) -> failure::Result<AreaTable> {
        let told = self.types.iter().filter(|(_, t)| t.name.is_some() || t.cost.is_some());
        let info = |(&id, t): (&u8, &AreaType)| AreaInfo {
            area: AreaId::from_low_bits(id),
            name: t.name.clone().unwrap_or_default(),
            cost: t.cost.unwrap_or(1.0),
        };
        AreaTable::new(told.map(info).collect()).map_err(|e| Failure::new(format_args!("--areas: {e}")))
    }

    /// Names of area types, for legends.
    pub(crate) fn names(&self) -> BTreeMap<u8, String> {
        self.types.iter().filter_map(|(id, t)| Some((*id, t.name.clone()?))).collect()
    }
}

fn bits(flags: Option<Flags>, table: &BTreeMap<String, Bits>) -> Result<PolyFlags, String> {
    match flags {
        None => Ok(PolyFlags::WALK),
        Some(Flags::Bits(bits)) => Ok(PolyFlags(bits)),
        Some(Flags::Names(names)) => names.iter().try_fold(PolyFlags::NONE, |all, name| match table.get(name) {
            Some(Bits(bits)) => Ok(all | PolyFlags(*bits)),
            None if name == "walk" => Ok(all | PolyFlags::WALK),
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
        assert_eq!(areas.area("water", "", ""), Some(id(1)));
        assert_eq!(areas.area("water", "Bridge", ""), Some(id(2)));
        assert_eq!(areas.area("water", "x", "Bridge"), Some(id(2)));
        assert_eq!(areas.area("grass", "", ""), None);
        assert_eq!([1, 2, 3].map(|n| areas.flags(id(n)).0), [2, 9, 1]);
        assert_eq!(areas.missing(&BTreeSet::from(["water"])), ["Bridge"]);
        assert_eq!(areas.names()[&1], "water");
        let table = areas.table().unwrap();
        assert_eq!(table.iter().len(), 1, "area 2 has neither name nor cost");
        assert_eq!(table.get(id(1)).map(|info| info.cost), Some(5.0));
    }

    #[test]
    fn nonsense_is_refused_with_its_place() {
        let refused = |text: &str| Areas::parse(text).unwrap_err();
        assert_eq!(refused("[material.a]\narea = 64"), "[material.a]: area type 64 is out of range: use 0 to 63");
        assert!(refused("[area.x]\ncost = 1.0").starts_with("[area.x]: area types are numbers"));
        assert_eq!(refused("[area.1]\n[area.01]"), "[area.1] is given twice");
        assert!(refused("[area.1]\ncost = nan").contains("finite"));
        assert!(refused("[area.1]\nflags = [\"fly\"]").contains("\"fly\" is not in [flag]"));
        assert!(refused("[matter.a]\narea = 1").contains("unknown key"));
        let allowed =
            "expected bits, a number from 0 to 65535, or a list of names that [flag] gives bits, as in [\"swim\"]";
        for wrong in ["\"swim\"", "70000", "1.5", "true"] {
            let message = refused(&format!("[area.1]\nflags = {wrong}"));
            assert!(message.starts_with("line 2: ") && message.ends_with(allowed), "{message}");
        }
        assert!(refused("[flag]\nswim = 0").ends_with("expected bits, a number from 1 to 65535"));
    }
}
