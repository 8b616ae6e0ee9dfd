//! `--connections FILE`: jumps, ladders and teleports, one JSON object a line.
//!
//! ```text
//! {"start": [1, 0, 2], "end": [4, 3, 2], "radius": 0.6, "two_way": true, "area": 5, "flags": 8, "user_id": 7}
//! ```
//!
//! `radius` defaults to 0.6 m, `two_way` to true, `area` to 63, `flags` to 1, `user_id` to 0. Coordinates are those of
//! the finished mesh.

use crate::failure::{Failure, Result};
use serde::Deserialize;
use std::path::Path;
use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::OffMeshConnection;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    start: [f32; 3],
    end: [f32; 3],
    #[serde(default = "default_radius")]
    radius: f32,
    #[serde(default = "default_two_way")]
    two_way: bool,
    #[serde(default = "default_area")]
    area: u8,
    #[serde(default = "default_flags")]
    flags: u16,
    #[serde(default)]
    user_id: u32,
}

fn default_radius() -> f32 {
    0.6
}

fn default_two_way() -> bool {
    true
}

fn default_area() -> u8 {
    AreaId::WALKABLE.get()
}

fn default_flags() -> u16 {
    PolyFlags::WALK.0
}

/// Reads a file of connections; without a file there are none.
pub(crate) fn read(path: Option<&Path>) -> Result<Vec<OffMeshConnection>> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io(path.display(), &e))?;
    parse(&text).map_err(|message| Failure::about(path.display(), message))
}

fn parse(text: &str) -> std::result::Result<Vec<OffMeshConnection>, String> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| connection(line).map_err(|e| format!("line {number}: {e}"))).collect()
}

fn connection(text: &str) -> std::result::Result<OffMeshConnection, String> {
    let line: Line = serde_json::from_str(text).map_err(|e| super::plainly(&e.to_string()))?;
    Ok(OffMeshConnection {
        start: Vec3::from_array(line.start),
        end: Vec3::from_array(line.end),
        radius: line.radius,
        two_way: line.two_way,
        area: AreaId::new(line.area).map_err(|e| e.to_string())?,
        flags: PolyFlags(line.flags),
        user_id: line.user_id,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_connections() {
        let list = parse("{\"start\": [1, 0, 2], \"end\": [4, 3, 2], \"two_way\": false, \"user_id\": 7}\n\n").unwrap();
        assert_eq!(
            (list.len(), list[0].end, list[0].two_way, list[0].user_id),
            (1, Vec3::new(4.0, 3.0, 2.0), false, 7)
        );
        assert_eq!((list[0].radius, list[0].area, list[0].flags), (0.6, AreaId::WALKABLE, PolyFlags::WALK));
    }

    #[test]
    fn wrong_lines_are_named() {
        assert!(parse("\n{\"start\": [1, 0, 2]}").unwrap_err().starts_with("line 2: missing field `end`"));
        assert!(parse("{\"start\": [0,0,0], \"end\": [0,0,0], \"area\": 64}").unwrap_err().contains("use 0 to 63"));
        assert!(parse("{\"start\": [0,0,0], \"ende\": [0,0,0]}").unwrap_err().contains("unknown field `ende`"));
    }
}
