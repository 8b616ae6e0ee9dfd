//! Scripts of worlds that change, each for a scene: the files in `plays`, whose README says what happens in them.

/// A script for `wayfare obstacles --play`, with the scene that it is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Its name.
    pub name: &'static str,
    /// The scene, with its parameters.
    pub scene: &'static str,
    /// Its lines.
    pub script: &'static str,
}

/// All of them.
pub const PLAYS: [Play; 5] = [
    Play { name: "doors", scene: "doors?count=3&first=3", script: include_str!("../plays/doors.jsonl") },
    Play { name: "crates", scene: "flat?size=30", script: include_str!("../plays/crates.jsonl") },
    Play { name: "wall", scene: "flat?size=30", script: include_str!("../plays/wall.jsonl") },
    Play { name: "bridge", scene: "river", script: include_str!("../plays/bridge.jsonl") },
    Play { name: "ship", scene: "flat?size=40", script: include_str!("../plays/ship.jsonl") },
];
