//! The scripts of changing worlds that come with the scenes: what they say happens does.

use super::{good, json, path_in};
use serde_json::Value;

/// The answers to the paths of a script, by what they are called.
fn play(name: &str) -> impl Fn(&str) -> (String, f64) {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "level.way");
    let play = wayfare_scenes::PLAYS.iter().find(|play| play.name == name).unwrap();
    good(&["bake", &format!("scene:{}", play.scene), "-o", &mesh, "--quiet", "--layers", "--tile-size", "48"]);
    let script = path_in(&folder, "play.jsonl");
    std::fs::write(&script, play.script).unwrap();
    let played = json(&["obstacles", &mesh, "--play", &script, "--json"]);
    let answers: Vec<Value> = played["answers"].as_array().unwrap().clone();
    move |id| {
        let found = answers.iter().find(|answer| answer["id"] == id && answer.get("length").is_some());
        let found = found.unwrap_or_else(|| panic!("no path {id}: {answers:?}"));
        (found["status"].as_str().unwrap().to_owned(), found["length"].as_f64().unwrap())
    }
}

fn complete(length: f64) -> impl Fn((String, f64)) -> bool {
    move |(status, found)| status == "complete" && (found - length).abs() < 0.3
}

#[test]
fn doors_close_and_open() {
    let path = play("doors");
    assert!(["open", "closing", "reopened"].into_iter().all(|id| complete(6.0)(path(id))));
    assert_eq!(path("closed").0, "partial");
}

#[test]
fn crates_fall_and_are_cleared_away() {
    let path = play("crates");
    assert!(complete(24.0)(path("clear")) && complete(24.0)(path("cleared")));
    let (status, length) = path("fallen");
    assert!(status == "complete" && length > 24.1, "{length}");
}

#[test]
fn a_wall_grows() {
    let path = play("wall");
    let lengths: Vec<f64> = (1..=6).map(|stones| path(&format!("{stones} stones")).1).collect();
    assert!(
        path("none").1 < lengths[0] && lengths.windows(2).skip(1).all(|pair| pair[0] <= pair[1] + 0.05),
        "{lengths:?}"
    );
    assert!(lengths[5] > lengths[0] + 0.2, "{lengths:?}");
}

#[test]
fn a_bridge_is_blown_up_and_mended() {
    let path = play("bridge");
    let whole = path("whole");
    assert_eq!([path("soon broken"), path("mended")], [whole.clone(), whole.clone()]);
    let (status, length) = path("blown up");
    assert!(status == "complete" && length > whole.1 + 0.2, "{length} after {}", whole.1);
}

#[test]
fn a_ship_docks_and_casts_off() {
    let path = play("ship");
    assert_eq!(
        ["at sea", "docked", "casting off", "gone"].map(|id| path(id).0),
        ["partial", "complete", "complete", "partial"]
    );
}
