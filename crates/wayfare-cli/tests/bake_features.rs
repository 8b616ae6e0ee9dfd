//! What the bake of the program can be told: areas, volumes, erosion, drops.

use serde_json::{Value, json};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn wayfare(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wayfare")).args(args).stdin(Stdio::null()).output().unwrap()
}

fn good(args: &[&str]) -> String {
    let out = wayfare(args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

fn info(mesh: &str) -> Value {
    serde_json::from_str(&good(&["info", mesh, "--json"])).unwrap()
}

fn path_in(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn write_in(folder: &TempDir, name: &str, text: &str) -> String {
    let path = path_in(folder, name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The areas of a mesh: number and square metres.
fn areas(mesh: &str) -> Vec<(u64, f64)> {
    let list = info(mesh)["areas"].as_array().unwrap().clone();
    list.iter().map(|a| (a["area"].as_u64().unwrap(), a["square_metres"].as_f64().unwrap())).collect()
}

/// Asks a mesh one question.
fn ask(folder: &TempDir, mesh: &str, question: Value) -> Value {
    let batch = write_in(folder, "batch.jsonl", &format!("{question}\n"));
    serde_json::from_str(&good(&["query", mesh, "--batch", &batch])).unwrap()
}

const TABLE: &str = "
[area.1]
name = \"water\"
flags = [\"swim\"]
cost = 50.0
[area.3]
name = \"door\"
flags = [\"walk\", \"door\"]
[flag]
swim = 2
door = 4
";

#[test]
fn paths_heed_the_costs_and_filters_the_abilities_of_areas() {
    let folder = tempfile::tempdir().unwrap();
    let (table, mesh) = (write_in(&folder, "areas.toml", TABLE), path_in(&folder, "river.way"));
    good(&["bake", "scene:river", "-o", &mesh, "--areas", &table, "--tile-size", "32", "--quiet"]);
    let length = |args: &[&str]| -> f64 {
        let json: Value = serde_json::from_str(&good(args)).unwrap();
        json["length"].as_f64().unwrap()
    };
    let through = ["path", &mesh, "--from", "-8,0,10", "--to", "8,0,10", "--json"];
    assert!(length(&through) > 22.0, "over the bridge, not through the water");
    let question = json!({"id": 1, "op": "path", "start": [-8, 0, 10], "end": [8, 0, 10]});
    let mut cheap = question.clone();
    cheap["area_cost"] = json!({"1": 1.0});
    assert!(ask(&folder, &mesh, question)["length"].as_f64().unwrap() > 22.0);
    assert!(ask(&folder, &mesh, cheap)["length"].as_f64().unwrap() < 17.0);
    let in_water = json!({"id": 1, "op": "path", "start": [0, -0.6, 10], "end": [0, -0.6, 14], "include": 1, "half_extents": [1, 1, 1]});
    assert_eq!(ask(&folder, &mesh, in_water)["status"], "none", "who cannot swim is not in the water");
    let indoors = json!({"id": 1, "op": "path", "start": [7, 0, 0], "end": [21, 0, 3], "exclude": 4});
    assert_eq!(ask(&folder, &mesh, indoors)["status"], "partial", "who cannot open doors stays out");
    let told = &info(&mesh)["areas"][0];
    assert_eq!((&told["name"], &told["cost"]), (&json!("water"), &json!(50.0)));
}

#[test]
fn volumes_of_a_table_and_of_a_gset_mark_the_ground() {
    let folder = tempfile::tempdir().unwrap();
    let floor = "v -20 0 -20\nv -20 0 20\nv 20 0 20\nv 20 0 -20\nf 1 2 3 4\n";
    write_in(&folder, "floor.obj", floor);
    let volumes = "f floor.obj\nv 4 5 -1 1\n-5 0 -5\n5 0 -5\n5 0 5\n-5 0 5\n";
    let (gset, mesh) = (write_in(&folder, "floor.gset", volumes), path_in(&folder, "floor.way"));
    good(&["bake", &gset, "-o", &mesh, "--quiet", "--strict"]);
    let [(5, swamp), (63, _)] = areas(&mesh)[..] else { panic!("{:?}", areas(&mesh)) };
    assert!((swamp - 100.0).abs() < 4.0, "{swamp}");
    // The table's volumes are marked after those of the level.
    let table = "[[volume]]\narea = 7\ncylinder = { at = [0, -1, 0], radius = 3, height = 2 }\n";
    let table = write_in(&folder, "volumes.toml", table);
    good(&["bake", &gset, "-o", &mesh, "--areas", &table, "--quiet"]);
    let [(5, ring), (7, disc), (63, _)] = areas(&mesh)[..] else { panic!("{:?}", areas(&mesh)) };
    assert!((disc - 28.3).abs() < 3.0 && (ring + disc - swamp).abs() < 4.0, "{ring} {disc}");
    let out = wayfare(&["bake", &gset, "-o", &mesh, "--up", "z"]);
    assert!(String::from_utf8(out.stderr).unwrap().contains("leave out --up z"));
}

#[test]
fn erosion_and_drops_are_settings_like_others() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, stats) = (path_in(&folder, "m.way"), path_in(&folder, "s.json"));
    let area = |scene: &str, options: &[&str]| {
        let args = [&["bake", scene, "-o", &mesh, "--stats", &stats, "--quiet"], options].concat();
        good(&args);
        let stats: Value = serde_json::from_str(&std::fs::read_to_string(&stats).unwrap()).unwrap();
        (stats["polygons"]["area"].as_f64().unwrap(), stats["settings"].clone())
    };
    let (chamfer, settings) = area("scene:holes_and_pillars", &[]);
    assert_eq!((&settings["erosion"], &settings["agent_max_drop"]), (&json!("chamfer"), &json!(0.0)));
    let (exact, settings) = area("scene:holes_and_pillars", &["--erosion", "euclidean"]);
    assert_eq!(settings["erosion"], json!("euclidean"));
    assert!(exact < chamfer, "{exact} {chamfer}");
    let (careful, bold) = (area("scene:ledges", &[]).0, area("scene:ledges", &["--agent-max-drop", "9"]).0);
    assert!(bold > careful + 1.0, "{bold} {careful}");
    let refused = wayfare(&["bake", "scene:flat", "-o", &mesh, "--agent-max-drop", "-1"]);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("--agent-max-drop is -1, but must be"));
}
