//! One query as written in a batch.

use crate::options::json_lines;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::fmt::{self, Formatter};
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::math::Aabb;
use wayfare::query::{DEFAULT_REACH, DefaultFilter};

/// All fields that any op may have.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    #[serde(default, rename = "id")]
    _id: Value,
    pub(super) op: String,
    point: Option<[f64; 3]>,
    start: Option<[f64; 3]>,
    end: Option<[f64; 3]>,
    half_extents: Option<[f64; 3]>,
    include: Option<u16>,
    exclude: Option<u16>,
    #[serde(default)]
    area_cost: AreaCosts,
    pub(super) search: Option<String>,
    radius: Option<f32>,
    max_radius: Option<f32>,
    seed: Option<u64>,
    count: Option<u32>,
    min: Option<[f64; 3]>,
    max: Option<[f64; 3]>,
}

/// Area types, as written, and their costs. A map would keep only the last of two equal ones.
#[derive(Clone, Debug, Default)]
struct AreaCosts(Vec<(String, f32)>);

impl<'de> Deserialize<'de> for AreaCosts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Costs;
        impl<'de> Visitor<'de> for Costs {
            type Value = AreaCosts;

            fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("costs by area type, as in {\"1\": 5.0}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AreaCosts, A::Error> {
                let mut costs = Vec::new();
                while let Some(cost) = map.next_entry()? {
                    costs.push(cost);
                }
                Ok(AreaCosts(costs))
            }
        }
        deserializer.deserialize_map(Costs)
    }
}

impl Line {
    /// Parses a query, which is JSON.
    pub(super) fn read(text: &[u8]) -> Result<Self, String> {
        if !text.trim_ascii_start().starts_with(b"{") {
            return Err("a question is a JSON object".into());
        }
        serde_json::from_slice(text).map_err(|e| json_lines::in_line(&e))
    }

    pub(super) fn point(&self) -> Result<Vec3, String> {
        self.needed("point", self.point)
    }

    pub(super) fn start(&self) -> Result<Vec3, String> {
        self.needed("start", self.start)
    }

    pub(super) fn end(&self) -> Result<Vec3, String> {
        self.needed("end", self.end)
    }

    /// How far the mesh may be from the given points.
    pub(super) fn half_extents(&self) -> Result<Vec3, String> {
        match self.half_extents {
            None => Ok(DEFAULT_REACH),
            given if given.is_some_and(|g| g.iter().all(|&c| c >= 0.0)) => self.needed("half_extents", given),
            _ => Err("\"half_extents\" must be three numbers, 0 or above".into()),
        }
    }

    /// The mesh's own filter, changed by `include`, `exclude` and `area_cost`.
    pub(super) fn filter(&self, of_mesh: DefaultFilter) -> Result<DefaultFilter, String> {
        let flags = |given: Option<u16>, default| given.map_or(default, PolyFlags);
        let mut filter = of_mesh.with_flags(flags(self.include, PolyFlags::ALL), flags(self.exclude, PolyFlags::NONE));
        let mut given = Vec::new();
        for (key, cost) in &self.area_cost.0 {
            let area = key.parse().ok().and_then(|id| AreaId::new(id).ok());
            let area = area.ok_or_else(|| format!("\"area_cost\" has the area type \"{key}\": use 0 to 63"))?;
            if given.contains(&area) {
                return Err(format!("\"area_cost\" has the area type {} twice", area.get()));
            }
            given.push(area);
            filter.set_area_cost(area, *cost).map_err(|e| e.to_string())?;
        }
        Ok(filter)
    }

    /// The radius, if optional for the op.
    pub(super) fn radius_if_any(&self) -> Result<Option<f32>, String> {
        self.radius.map(|_| self.radius()).transpose()
    }

    pub(super) fn radius(&self) -> Result<f32, String> {
        self.length("radius", self.radius)
    }

    pub(super) fn max_radius(&self) -> Result<f32, String> {
        self.length("max_radius", self.max_radius)
    }

    pub(super) fn has_radius(&self) -> bool {
        self.radius.is_some()
    }

    pub(super) fn has_point(&self) -> bool {
        self.point.is_some()
    }

    pub(super) fn seed(&self) -> Result<u64, String> {
        self.seed.ok_or_else(|| format!("\"{}\" asks with \"seed\", a number", self.op))
    }

    pub(super) fn count(&self, most: u32) -> Result<u32, String> {
        match self.count {
            Some(count) if count <= most => Ok(count),
            _ => Err(format!("\"{}\" asks with \"count\", a number of at most {most}", self.op)),
        }
    }

    pub(super) fn bounds(&self) -> Result<Aabb, String> {
        let bounds = Aabb { min: self.needed("min", self.min)?, max: self.needed("max", self.max)? };
        if bounds.is_empty() { Err("\"min\" must not be above \"max\"".into()) } else { Ok(bounds) }
    }

    fn length(&self, name: &str, given: Option<f32>) -> Result<f32, String> {
        let given = given.ok_or_else(|| format!("\"{}\" asks with \"{name}\", in metres", self.op))?;
        if given.is_finite() && given >= 0.0 {
            Ok(given)
        } else {
            Err(format!("\"{name}\" must be a finite number, 0 or above"))
        }
    }

    fn needed(&self, name: &str, given: Option<[f64; 3]>) -> Result<Vec3, String> {
        let given = given.ok_or_else(|| format!("\"{}\" asks with \"{name}\": [x, y, z]", self.op))?;
        let point = Vec3::from_array(given.map(|c| c as f32));
        if point.is_finite() { Ok(point) } else { Err(format!("\"{name}\" is out of range")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(value: &Value) -> String {
        refused_text(&value.to_string())
    }

    fn refused_text(text: &str) -> String {
        match Line::read(text.as_bytes()) {
            Err(message) => message,
            Ok(line) => line
                .point()
                .and_then(|_| line.half_extents())
                .and_then(|_| line.filter(DefaultFilter::default()))
                .unwrap_err(),
        }
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        assert_eq!(refused(&json!([1])), "a question is a JSON object");
        assert!(refused(&json!({"id": 1})).contains("missing key `op`"));
        assert!(refused(&json!({"op": "nearest", "pint": [0, 0, 0]})).contains("unknown key `pint`"));
        let wrong = refused(&json!({"op": "wall", "max_radius": "far"}));
        assert!(wrong.contains("expected a number") && !wrong.contains("f32"), "{wrong}");
        assert!(refused(&json!({"op": "nearest", "point": [1, 2]})).contains("three numbers: [x, y, z]"));
        assert_eq!(refused(&json!({"op": "nearest"})), "\"nearest\" asks with \"point\": [x, y, z]");
        assert_eq!(refused(&json!({"op": "nearest", "point": [1e39, 0, 0]})), "\"point\" is out of range");
        assert!(refused(&json!({"op": "x", "point": [0, 0, 0], "half_extents": [1, -1, 1]})).contains("0 or above"));
        assert!(refused(&json!({"op": "x", "point": [0, 0, 0], "area_cost": {"64": 1}})).contains("use 0 to 63"));
        let twice = |more: &str| refused_text(&format!("{{\"op\": \"x\", \"point\": [0, 0, 0], {more}}}"));
        assert!(twice("\"point\": [1, 0, 0]").starts_with("duplicate key `point`"));
        assert_eq!(twice("\"area_cost\": {\"1\": 2, \"01\": 3}"), "\"area_cost\" has the area type 1 twice");
    }
}
