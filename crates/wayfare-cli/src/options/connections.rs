//! `--connections FILE`: jumps, ladders and teleports, one JSON object a line.
//!
//! ```text
//! {"start": [1, 0, 2], "end": [4, 3, 2], "radius": 0.6, "two_way": true, "area": 5, "flags": 8, "user_id": 7}
//! ```
//!
//! `radius` defaults to 0.6 m, `two_way` to true, `area` to 63, `flags` to 1, `user_id` to 0. Coordinates are those of
//! the finished mesh.

use super::json_lines;
use crate::failure::Result;
use serde::Deserialize;
use std::path::Path;
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

/// The format of a line.
const SHAPE: &str = "{\"start\": [x,y,z], \"end\": [x,y,z]}, with \"radius\", \"two_way\", \"area\", \"flags\" and \"user_id\" if \
    wanted";

/// The content of a connections file.
#[derive(Debug, Default)]
pub(crate) struct Given {
    pub(crate) connections: Vec<OffMeshConnection>,
    /// Remarks about unusual connections.
    pub(crate) remarks: Vec<String>,
}

/// Reads a connections file; without a file there are none.
pub(crate) fn read(path: Option<&Path>) -> Result<Given> {
    let mut given = Given::default();
    let Some(path) = path else { return Ok(given) };
    let mut odd: Vec<(usize, &str)> = Vec::new();
    for (number, line) in json_lines::read(path, SHAPE)? {
        let connection = connection(&line).map_err(|e| json_lines::wrong(path, number, e))?;
        odd.extend(oddity(&connection).map(|what| (number, what)));
        given.connections.push(connection);
    }
    for what in ODDITIES {
        let mut lines = odd.iter().filter(|(_, oddity)| *oddity == what).map(|(number, _)| number);
        let Some(first) = lines.next() else { continue };
        let more = match lines.count() {
            0 => String::new(),
            more => format!(" (so are {more} more)"),
        };
        given.remarks.push(format!("{}: line {first}: {what}{more}", path.display()));
    }
    Ok(given)
}

const ODDITIES: [&str; 2] = [
    "a connection whose start and end are the same point leads nowhere",
    "a connection with flags 0 is closed to every filter: leave \"flags\" out for 1, which is walking",
];

fn oddity(connection: &OffMeshConnection) -> Option<&'static str> {
    let [nowhere, closed] = ODDITIES;
    let is_odd = [(connection.start == connection.end, nowhere), (connection.flags == PolyFlags::NONE, closed)];
    is_odd.into_iter().find_map(|(is, what)| is.then_some(what))
}

fn connection(line: &Line) -> std::result::Result<OffMeshConnection, String> {
    if !(line.radius.is_finite() && line.radius >= 0.0) {
        return Err(format!("radius is {}, but must be a finite number, 0 or above", line.radius));
    }
    Ok(OffMeshConnection {
        start: json_lines::point("start", line.start)?,
        end: json_lines::point("end", line.end)?,
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
    use crate::failure::Failure;
    use wayfare::Vec3;

    fn parse(text: &str) -> std::result::Result<Given, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ways.jsonl");
        std::fs::write(&file, text).unwrap();
        read(Some(&file)).map_err(|failure| match failure {
            Failure::Message(message) => message.split_once("ways.jsonl: ").unwrap().1.to_owned(),
            Failure::BrokenPipe => String::new(),
        })
    }

    #[test]
    fn lines_become_connections() {
        let text = "{\"start\": [1, 0, 2], \"end\": [4, 3, 2], \"two_way\": false, \"user_id\": 7}\n\n";
        let Given { connections: list, remarks } = parse(text).unwrap();
        assert_eq!(
            (list.len(), list[0].end, list[0].two_way, list[0].user_id),
            (1, Vec3::new(4.0, 3.0, 2.0), false, 7)
        );
        assert_eq!((list[0].radius, list[0].area, list[0].flags), (0.6, AreaId::WALKABLE, PolyFlags::WALK));
        assert!(remarks.is_empty());
    }

    #[test]
    fn wrong_lines_are_named() {
        let refused = |text: &str| parse(text).unwrap_err();
        assert!(refused("\n{\"start\": [1, 0, 2]}").starts_with("line 2: missing key `end`, at column 20; a line is"));
        assert!(refused("{\"start\": [0,0,0], \"end\": [0,0,0], \"area\": 64}").contains("use 0 to 63"));
        assert!(refused("{\"start\": [0,0,0], \"ende\": [0,0,0]}").contains("unknown key `ende`"));
        let range = refused("{\"start\": [0,0,0], \"end\": [0,1e40,0]}");
        assert!(range.starts_with("line 1: end is out of range"), "{range}");
        let radius = refused("{\"start\": [0,0,0], \"end\": [0,1,0], \"radius\": -1}");
        assert!(radius.starts_with("line 1: radius is -1"), "{radius}");
    }

    #[test]
    fn useless_connections_are_told_once_a_kind() {
        let place = "{\"start\": [0,0,0], \"end\": [0,0,0]}\n";
        let [closed, null] =
            ["\"flags\": 0", "\"area\": 0"].map(|k| format!("{{\"start\": [0,0,0], \"end\": [1,0,0], {k}}}\n"));
        let told = parse(&[place, &closed, place, &null, place].concat()).unwrap().remarks;
        let ends: Vec<&str> = told.iter().map(|remark| remark.split_once("ways.jsonl: ").unwrap().1).collect();
        assert_eq!(ends.len(), 2, "area 0 is a type like any other in a finished mesh");
        assert!(ends[0].starts_with("line 1: ") && ends[0].ends_with("(so are 2 more)"), "{ends:?}");
        assert!(ends[1].starts_with("line 2: ") && ends[1].contains("flags 0"), "{ends:?}");
    }
}
