//! Obstacles that come and go while a crowd walks.

use super::{error_of, good, path_in, write_in};
use serde_json::Value;
use tempfile::TempDir;

/// A hall of 40 by 10 metres with a pond in its middle, and one agent that crosses it.
fn hall(folder: &TempDir) -> [String; 2] {
    let floors = [[0, 0, 10, 10], [30, 0, 40, 10], [10, 0, 30, 4], [10, 6, 30, 10]];
    let floors = floors.map(|[x, z, far_x, far_z]| {
        format!("v {x} 0 {z}\nv {x} 0 {far_z}\nv {far_x} 0 {far_z}\nv {far_x} 0 {z}\nf -4 -3 -2 -1\n")
    });
    let level = write_in(folder, "hall.obj", &floors.concat());
    let mesh = path_in(folder, "hall.way");
    good(&["bake", &level, "-o", &mesh, "--layers", "--tile-size", "32", "--quiet"]);
    [mesh, write_in(folder, "goals.jsonl", "{\"start\": [2, 0, 4], \"goal\": [38, 0, 4]}\n")]
}

fn walk(mesh: &str, goals: &str, play: &str, more: &[&str]) -> Value {
    let all = ["crowd", mesh, "--goals", goals, "--ticks", "500", "--play", play, "--json"];
    serde_json::from_str(&good(&[&all[..], more].concat())).unwrap()
}

const WALL: &str =
    "\"op\": \"add\", \"name\": \"wall\", \"shape\": {\"box\": {\"min\": [20, -1, -1], \"max\": [21, 3, 11]}}";

#[test]
fn a_wall_stops_a_crowd_until_it_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, goals] = hall(&folder);
    let empty = write_in(&folder, "empty.jsonl", "\n");
    let free = walk(&mesh, &goals, &empty, &[]);
    let still: Value =
        serde_json::from_str(&good(&["crowd", &mesh, "--goals", &goals, "--ticks", "500", "--json"])).unwrap();
    assert_eq!(free["digest"], still["digest"], "a play in which nothing happens changes nothing");
    assert_eq!(free["arrived"], 1);
    // In any order of the lines.
    let path = "{\"op\": \"path\", \"id\": 7, \"at_tick\": 60, \"start\": [2, 0, 5], \"end\": [38, 0, 5]}";
    let shut = write_in(&folder, "shut.jsonl", &format!("{path}\n{{\"at_tick\": 20, {WALL}}}\n"));
    let shut = walk(&mesh, &goals, &shut, &[]);
    assert_eq!((&shut["arrived"], &shut["off_mesh"]), (&0.into(), &0.into()));
    assert!(shut["rebuilds"].as_u64().unwrap() > 0);
    let answers = shut["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 2);
    assert_eq!(
        (&answers[0]["name"], &answers[0]["at_tick"], &answers[0]["outcome"]),
        (&"wall".into(), &20.into(), &"waiting".into())
    );
    assert_eq!(
        (&answers[1]["id"], &answers[1]["at_tick"], &answers[1]["status"]),
        (&7.into(), &60.into(), &"partial".into())
    );
    let opened = format!("{{\"at_tick\": 20, {WALL}}}\n{{\"op\": \"remove\", \"name\": \"wall\", \"at_tick\": 150}}\n");
    let opened = write_in(&folder, "opened.jsonl", &opened);
    let one = walk(&mesh, &goals, &opened, &[]);
    assert_eq!(one["arrived"], 1);
    assert!(one["time_to_goal_mean"].as_f64() > free["time_to_goal_mean"].as_f64());
    assert_eq!(one["digest"], walk(&mesh, &goals, &opened, &["--threads", "2"])["digest"]);
}

#[test]
fn a_cost_is_avoided_while_it_lasts() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, goals] = hall(&folder);
    let danger = "{\"op\": \"overlay\", \"at\": [20, 0, 2], \"radius\": 3, \"cost\": 50, \"at_tick\": 5}\n";
    let danger = write_in(&folder, "danger.jsonl", danger);
    let trace = path_in(&folder, "trace.jsonl");
    let nearest = |more: &[&str]| {
        good(&[&["crowd", &mesh, "--goals", &goals, "--ticks", "400", "--trace", &trace][..], more].concat());
        let text = std::fs::read_to_string(&trace).unwrap();
        let distance = |line: &str| {
            let [_, _, x, _, z]: [f64; 5] = serde_json::from_str(line).unwrap();
            (x - 20.0).hypot(z - 2.0)
        };
        text.lines().map(distance).fold(f64::MAX, f64::min)
    };
    assert!(nearest(&[]) < 2.0);
    let far = nearest(&["--play", &danger]);
    assert!(far > 4.0, "{far}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, goals] = hall(&folder);
    let refused = |text: &str| {
        let play = write_in(&folder, "play.jsonl", text);
        error_of(&["crowd", &mesh, "--goals", &goals, "--ticks", "50", "--play", &play])
    };
    assert!(refused("{\"op\": \"update\", \"at_tick\": 50}").contains("line 1: \"at_tick\" is 50"));
    assert!(refused("\n{\"op\": \"update\", \"at_tick\": -1}").contains("line 2: \"at_tick\" must be a whole number"));
    assert!(refused("{\"op\": \"tick\", \"dt\": 1}").contains("pass by themselves"));
    assert!(refused("walls").contains("line 1: "));
    assert!(refused("{\"op\": \"add\", \"name\": \"a\"}").contains("could not be understood"));
    let plain = path_in(&folder, "plain.way");
    good(&["bake", "scene:stairs", "-o", &plain, "--quiet"]);
    let play = write_in(&folder, "play.jsonl", "");
    assert!(error_of(&["crowd", &plain, "--agents", "2", "--play", &play]).contains("--layers"));
    error_of(&["crowd", &mesh, "--level", "scene:stairs"]);
}
