//! What the bake of the program can be told: areas, volumes, erosion, drops.

use super::{error_of, good, path_in, wayfare, write_in};
use serde_json::{Value, json};
use tempfile::TempDir;

fn info(mesh: &str) -> Value {
    super::json(&["info", mesh, "--json"])
}

/// The areas of a mesh: number and square metres.
fn areas(mesh: &str) -> Vec<(u64, f64)> {
    let list = info(mesh)["areas"].as_array().unwrap().clone();
    list.iter().map(|a| (a["area"].as_u64().unwrap(), a["square_metres"].as_f64().unwrap())).collect()
}

/// Asks a mesh one question.
fn ask(folder: &TempDir, mesh: &str, question: &Value) -> Value {
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

/// Its own bounds are those of a `.gset`; a box on the command line wins, and what it leaves out is told.
#[test]
fn only_what_lies_within_the_bounds_is_baked() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, stats) = (path_in(&folder, "floor.way"), path_in(&folder, "floor.json"));
    write_in(&folder, "floor.obj", "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n");
    let settings = "0.3 0.2 2 0.6 0.9 45 8 20 12 1.3 6 6 1 0";
    let bake = |bounds: &str, args: &[&str]| -> f64 {
        let gset = write_in(&folder, "floor.gset", &format!("f floor.obj\ns {settings} {bounds}\n"));
        good(&[&["bake", &gset, "-o", &mesh, "--stats", &stats, "--strict"][..], args].concat());
        areas(&mesh)[0].1
    };
    let whole = bake("", &["--quiet"]);
    // Written with six digits, the floor just below it.
    assert_eq!(bake("0.000001 0.000001 0 40 0.000001 40 0", &["--quiet"]), whole);
    let half = bake("0 -1 0 20 1 40 0", &["--quiet"]);
    assert!((half / whole - 0.5).abs() < 0.05, "{half} of {whole}");
    let quarter = bake("0 -1 0 20 1 40 0", &["--bounds", "0,-1,0,20,1,20"]);
    assert!((quarter / whole - 0.25).abs() < 0.05, "{quarter} of {whole}");
    let told: Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
    assert_eq!(told["settings"]["bounds"]["max"], json!([20.0, 1.0, 20.0]));
    assert_eq!(told["input"]["triangles_outside"], 2);
    let config = write_in(&folder, "box.toml", "bounds = [0, -1, 0, 20, 1, 20]\n");
    assert_eq!(bake("", &["--quiet", "--config", &config]), quarter);
    let obj = path_in(&folder, "floor.obj");
    let out = wayfare(&["bake", &obj, "-o", &mesh, "--bounds", "0,-1,0,20,1,20"]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("outside of the bounds, where they are left out: 2"), "{said}");
    let refused = |bounds: &str| error_of(&["bake", &obj, "-o", &mesh, "--bounds", bounds, "--strict"]);
    let told = refused("50,-1,0,60,1,20");
    assert!(told.contains("no ground lies within the bounds"), "{told}");
    let told = refused("20,-1,0,0,1,20");
    assert!(told.contains("max.x of --bounds is 0, but must be a finite number"), "{told}");
}

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
    let optimal = [&through[..], &["--search", "optimal"]].concat();
    let found: Value = serde_json::from_str(&good(&optimal)).unwrap();
    assert!(found["bound"].as_f64().unwrap() > 1.0, "nothing shows that there is no cheaper way: {found}");
    let goals = write_in(&folder, "goals.jsonl", "{\"start\": [-8, 0, 10], \"goal\": [8, 0, 10]}\n");
    for more in [&[][..], &["--flow"]] {
        let crowd = ["crowd", &mesh, "--goals", &goals, "--ticks", "600", "--json"];
        let walked: Value = serde_json::from_str(&good(&[&crowd[..], more].concat())).unwrap();
        // The shortest way is through the water, 16 m.
        let seconds = walked["time_to_goal_mean"].as_f64().unwrap();
        assert!(walked["arrived"] == 1 && seconds > 20.0 / 3.5, "over the bridge: {walked}");
    }
    let question = json!({"id": 1, "op": "path", "start": [-8, 0, 10], "end": [8, 0, 10]});
    let mut cheap = question.clone();
    cheap["area_cost"] = json!({"1": 1.0});
    assert!(ask(&folder, &mesh, &question)["length"].as_f64().unwrap() > 22.0);
    assert!(ask(&folder, &mesh, &cheap)["length"].as_f64().unwrap() < 17.0);
    let in_water = json!({"id": 1, "op": "path", "start": [0, -0.6, 10], "end": [0, -0.6, 14], "include": 1, "half_extents": [1, 1, 1]});
    assert_eq!(ask(&folder, &mesh, &in_water)["status"], "none", "who cannot swim is not in the water");
    let indoors = json!({"id": 1, "op": "path", "start": [7, 0, 0], "end": [21, 0, 3], "exclude": 4});
    assert_eq!(ask(&folder, &mesh, &indoors)["status"], "partial", "who cannot open doors stays out");
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
fn nothing_but_a_mesh_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let floor = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n";
    let (level, other) = (write_in(&folder, "floor.obj", floor), write_in(&folder, "other.obj", floor));
    let refused = |args: &[&str], why: &str| {
        let out = wayfare(args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(said.contains(why), "{args:?}: {said}");
    };
    refused(&["bake", &level, "-o", &other], "is not a .way mesh");
    assert_eq!(std::fs::read_to_string(&other).unwrap(), floor);
    refused(&["scene", "flat", "-o", &path_in(&folder, "flat.glb")], "written as .obj");
    let (mesh, record) = (path_in(&folder, "m.way"), path_in(&folder, "m.way.explain"));
    refused(&["bake", &level, "-o", &mesh, "--keep-explain", "--stats", &record], "two things");
    good(&["bake", &level, "-o", &mesh, "--quiet"]);
    good(&["bake", &level, "-o", &mesh, "--quiet"]);
}

#[test]
fn every_file_stands_as_files_of_its_kind_do() {
    let folder = tempfile::tempdir().unwrap();
    // Two halves of one floor: the OBJ file has y up, the PLY file z, which lies along -z once it is turned.
    let near = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n";
    let far = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
               element face 1\nproperty list uchar int vertex_indices\nend_header\n\
               0 0 0\n10 0 0\n10 10 0\n0 10 0\n4 0 1 2 3\n";
    let (near, far) = (write_in(&folder, "near.obj", near), write_in(&folder, "far.ply", far));
    let (mesh, stats) = (path_in(&folder, "m.way"), path_in(&folder, "s.json"));
    let area = |args: &[&str]| {
        good(&[&["bake", "-o", &mesh, "--stats", &stats, "--quiet"], args].concat());
        let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
        stats["polygons"]["area"].as_f64().unwrap()
    };
    let whole = area(&[&near, &far]);
    assert!(whole > 140.0, "{whole}");
    // What the user says holds for every file: now one of the halves is a wall.
    for up in ["y", "z"] {
        let half = area(&[&near, &far, "--up", up]);
        assert!(half < 0.55 * whole && half > 0.3 * whole, "--up {up}: {half} of {whole}");
    }
    let out = wayfare(&["bake", &far, "-o", &mesh]);
    assert!(String::from_utf8(out.stderr).unwrap().contains("far.ply: z points up"));
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

fn stats(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[test]
fn only_what_changed_is_baked_again() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, full, json] = ["m.way", "full.way", "s.json"].map(|name| path_in(&folder, name));
    let bake = |mesh: &str, options: &[&str]| {
        let args = ["bake", "scene:river", "-o", mesh, "--tile-size", "24", "--stats", &json, "--quiet"];
        good(&[&args, options].concat());
        let stats = stats(&json);
        (stats["tiles"]["reused"].as_u64().unwrap(), stats["tiles"]["count"].as_u64().unwrap())
    };
    assert_eq!(bake(&mesh, &["--only-changed"]).0, 0, "there is no mesh yet");
    let (reused, count) = bake(&mesh, &["--only-changed"]);
    assert_eq!(reused, count);
    let told = wayfare(&["bake", "scene:river", "-o", &mesh, "--tile-size", "24", "--only-changed"]).stderr;
    let told = String::from_utf8(told).unwrap();
    assert!(told.contains("nothing was baked: all tiles are unchanged") && !told.contains("0 spans"), "{told}");
    let pond =
        "[area.9]\ncost = 3.0\n[[volume]]\narea = 9\ncylinder = { at = [-15, -1, -15], radius = 2, height = 2 }\n";
    let table = write_in(&folder, "pond.toml", pond);
    let (reused, _) = bake(&mesh, &["--only-changed", "--areas", &table]);
    assert!(reused < count && reused >= count - 4, "{reused} of {count}");
    bake(&full, &["--areas", &table]);
    assert!(bytes(&mesh) == bytes(&full));
    // Connections and flags are no part of a tile's key: they are applied anew.
    let jump = write_in(&folder, "jump.jsonl", "{\"start\": [-15, 0, 3], \"end\": [-15, 0, -6]}\n");
    let flags = write_in(&folder, "flags.toml", &pond.replace("cost = 3.0", "flags = 6"));
    let options = ["--areas", &flags, "--connections", &jump, "--links", "agent"];
    assert_eq!(bake(&mesh, &[&options[..], &["--only-changed"]].concat()).0, count);
    bake(&full, &options);
    assert!(bytes(&mesh) == bytes(&full));
    // Another setting, another kind of file: everything is baked.
    assert_eq!(bake(&mesh, &["--only-changed", "--agent-radius", "0.9"]).0, 0);
    let whole = std::fs::read(&mesh).unwrap();
    std::fs::write(&mesh, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(bake(&mesh, &["--only-changed"]).0, 0);
    let out = wayfare(&["bake", "scene:flat", "-o", "-", "--only-changed"]);
    assert!(out.status.code() == Some(2) && String::from_utf8(out.stderr).unwrap().contains("give -o a file name"));
}

#[test]
fn agents_get_a_mesh_each_as_if_baked_alone() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, alone, json] = ["m.way", "alone.way", "s.json"].map(|name| path_in(&folder, name));
    let rat = "rat:radius=0.2,height=0.6,max-climb=0.3";
    let args = ["bake", "scene:two_floors", "--tile-size", "32", "--quiet", "--agent-max-slope", "40"];
    good(&[&args[..], &["-o", &mesh, "--stats", &json, "--agent", "man", "--agent", rat]].concat());
    assert!(!std::path::Path::new(&mesh).exists());
    good(&[&args[..], &["-o", &alone]].concat());
    assert!(bytes(&path_in(&folder, "m.man.way")) == bytes(&alone));
    let sizes = ["--agent-radius", "0.2", "--agent-height", "0.6", "--agent-max-climb", "0.3"];
    good(&[&args[..], &["-o", &alone], &sizes].concat());
    assert!(bytes(&path_in(&folder, "m.rat.way")) == bytes(&alone));
    assert_eq!(stats(&path_in(&folder, "s.rat.json"))["settings"]["agent_radius"], json!(0.2));
    let told = |extra: &[&str]| {
        let out = wayfare(&[&args[..], extra].concat());
        assert_eq!(out.status.code(), Some(2));
        String::from_utf8(out.stderr).unwrap()
    };
    assert!(told(&["-o", &mesh, "--agent", "rat:girth=1"]).contains("it has radius, height"));
    assert!(
        told(&["-o", &mesh, "--agent", "man", "--agent", "rat:radius=-1"]).contains("agent rat: --agent-radius is -1")
    );
    std::fs::remove_file(path_in(&folder, "m.man.way")).unwrap();
    let out = wayfare(&[&args[..4], &["-o", &mesh, "--agent", "giant:radius=9", "--agent", "man"]].concat());
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.code() == Some(1) && said.contains("\nagent giant: nothing can be walked on"), "{said}");
    let is_there = |name: &str| std::path::Path::new(&path_in(&folder, name)).exists();
    assert!(is_there("m.man.way") && !is_there("m.giant.way"), "the other agent's mesh is written");
    assert!(told(&["-o", "-", "--agent", "man"]).contains("give -o and --stats names"));
}

/// More tiles than are held at a time go straight into the file; repeated bakes are made in memory.
#[test]
fn a_mesh_of_many_tiles_is_written_as_it_is_baked_and_has_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [straight, memory, json] = ["a.way", "b.way", "s.json"].map(|name| path_in(&folder, name));
    let jump = write_in(&folder, "jump.jsonl", "{\"start\": [1, 0, 2], \"end\": [40, 0, 2]}\n");
    let table = write_in(&folder, "areas.toml", TABLE);
    let args = ["bake", "scene:flat?size=80", "--tile-size", "8", "--quiet", "--connections", &jump, "--areas", &table];
    good(&[&args[..], &["-o", &straight, "--stats", &json]].concat());
    let streamed = stats(&json);
    good(&[&args[..], &["-o", &memory, "--repeat", "2", "--stats", &json]].concat());
    let kept = stats(&json);
    assert!(streamed["tiles"]["count"].as_u64().unwrap() > 1024);
    assert!(bytes(&straight) == bytes(&memory));
    for key in ["digest", "tiles", "polygons", "mesh", "heightfield", "warnings"] {
        assert_eq!(streamed[key], kept[key], "{key}");
    }
    let piped = wayfare(&[&args[..], &["-o", "-"]].concat());
    assert!(piped.stdout == bytes(&straight));
    // Whatever ends the bake, no half of a file is left.
    let nowhere = write_in(&folder, "nowhere.jsonl", "{\"start\": [1e39, 0, 2], \"end\": [40, 0, 2]}\n");
    let out = wayfare(&[&args[..5], &["-o", &path_in(&folder, "never.way"), "--connections", &nowhere]].concat());
    assert_eq!(out.status.code(), Some(2));
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(
        left.iter().all(|name| !name.to_string_lossy().contains("never") && !name.to_string_lossy().contains("part")),
        "{left:?}"
    );
}

#[test]
fn a_height_map_is_baked_as_its_triangles() {
    let folder = tempfile::tempdir().unwrap();
    let [map, straight, triangles, json] = ["hills.png", "a.way", "b.way", "s.json"].map(|name| path_in(&folder, name));
    let (width, depth) = (60u32, 50u32);
    let sample = |x: u32, z: u32| ((x * x / 9 + z * 7) % 200 + 100) as u16;
    let points = || (0..depth).flat_map(|z| (0..width).map(move |x| (x, z)));
    let samples: Vec<u8> = points().flat_map(|(x, z)| sample(x, z).to_be_bytes()).collect();
    let mut encoder = png::Encoder::new(std::fs::File::create(&map).unwrap(), width, depth);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.write_header().unwrap().write_image_data(&samples).unwrap();
    let mut obj = String::new();
    for (x, z) in points() {
        obj += &format!("v {} {} {}\n", x, (f64::from(sample(x, z)) * 0.02) as f32, z);
    }
    for (x, z) in points().filter(|&(x, z)| x + 1 < width && z + 1 < depth) {
        let a = 1 + z * width + x;
        obj += &format!("f {} {} {}\nf {} {} {}\n", a, a + width, a + 1, a + 1, a + width, a + width + 1);
    }
    let obj = write_in(&folder, "hills.obj", &obj);
    let args = ["--pixel-height", "0.02", "--tile-size", "40", "--quiet", "--stats", &json];
    good(&[&["bake", &map, "-o", &straight], &args[..]].concat());
    let of_map = stats(&json);
    good(&[&["bake", &obj, "-o", &triangles], &args[..]].concat());
    let of_obj = stats(&json);
    assert_eq!((&of_map["input"], &of_map["polygons"]), (&of_obj["input"], &of_obj["polygons"]));
    // The keys of tiles tell heights from triangles; the rest is the same.
    assert_eq!(of_map["detail"], of_obj["detail"]);
    let answer =
        |mesh: &str| wayfare(&["path", mesh, "--from", "5,4,5", "--to", "50,4,40", "--reach", "5,9,5", "--json"]);
    assert_eq!(answer(&straight).stdout, answer(&triangles).stdout);
}

#[test]
fn strict_hears_of_tiles_that_did_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "m.way");
    let args = ["bake", "scene:dungeon", "-o", &mesh, "--tile-size", "16", "--region-min-size", "0", "--only-changed"];
    let out = wayfare(&args);
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.success() && told.contains("contours left out, with fewer than three corners"), "{told}");
    let (before, out) = (bytes(&mesh), wayfare(&[&args[..], &["--strict"]].concat()));
    assert!(String::from_utf8(out.stderr).unwrap().contains("because of --strict"));
    assert!(out.status.code() == Some(2) && bytes(&mesh) == before);
}

/// In memory, and straight into the files.
#[test]
fn strict_refuses_connections_without_ground() {
    for (size, tile) in [("scene:flat?size=40", "32"), ("scene:flat?size=160", "16")] {
        let folder = tempfile::tempdir().unwrap();
        let links = write_in(&folder, "jumps.jsonl", r#"{"start": [2, 0, 2], "end": [900, 0, 2]}"#);
        let mesh = path_in(&folder, "m.way");
        let args = ["bake", size, "-o", &mesh, "--tile-size", tile, "--connections", &links];
        let out = wayfare(&[&args[..], &["--strict"]].concat());
        let told = String::from_utf8(out.stderr).unwrap();
        assert!(told.contains("connections that cannot be used") && told.contains("because of --strict"), "{told}");
        assert_eq!((out.status.code(), std::fs::read_dir(folder.path()).unwrap().count()), (Some(2), 1));
        good(&args);
    }
}

/// In memory, and straight into the files.
#[test]
fn what_fails_for_one_agent_leaves_no_file_of_any() {
    for (size, tile) in [("scene:flat?size=40", "32"), ("scene:flat?size=160", "16")] {
        let folder = tempfile::tempdir().unwrap();
        let mesh = path_in(&folder, "m.way");
        // So wide that tiles this small are unwise.
        let giant = if tile == "32" { "giant:radius=9" } else { "giant:radius=3" };
        let args = ["bake", size, "-o", &mesh, "--tile-size", tile, "--strict", "--agent", "man", "--agent", giant];
        let out = wayfare(&args);
        let told = String::from_utf8(out.stderr).unwrap();
        assert!(told.contains("because of --strict"), "{told}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "tiles of {tile}");
    }
}

#[test]
fn a_bake_that_comes_to_nothing_says_why_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, stats] = ["a.way", "a.json"].map(|name| path_in(&folder, name));
    let told = |name: &str, side: f32, face: &str, options: &[&str]| {
        let text = format!("v 0 0 0\nv 0 0 {side}\nv {side} 0 {side}\nv {side} 0 0\nf {face}\n");
        let level = write_in(&folder, name, &text);
        let args = ["bake", &level, "-o", &mesh, "--stats", &stats, "--keep-explain", "--quiet"];
        let out = wayfare(&[&args, options].concat());
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    let others = || {
        std::fs::read_dir(folder.path())
            .unwrap()
            .filter(|e| {
                let name = e.as_ref().unwrap().file_name();
                !name.to_str().unwrap().ends_with(".obj")
            })
            .count()
    };
    assert_eq!(told("good.obj", 20.0, "1 2 3 4", &[]), (Some(0), String::new()));
    let files = [&mesh, &stats, &path_in(&folder, "a.way.explain")].map(|file| (file.clone(), bytes(file)));
    for (name, side, face, reason) in [
        ("down.obj", 100.0, "4 3 2 1", "no triangle faces up within the slope, but 2 face down"),
        ("small.obj", 0.5, "1 2 3 4", "the level is 0.5 x 0 x 0.5 m, no wider than an agent of 0.6 m radius"),
        ("island.obj", 4.0, "1 2 3 4", "the ground is too narrow, too low or too small"),
    ] {
        // In one piece, and tile by tile into the file.
        let tiles: &[&[&str]] = if name == "down.obj" { &[&[], &["--tile-size", "8"]] } else { &[&[]] };
        for options in tiles {
            let (status, text) = told(name, side, face, options);
            assert_eq!(status, Some(1), "{name}: {text}");
            let answer = format!("nothing can be walked on, so nothing is written: {reason}");
            assert!(text.starts_with(&answer) && text.lines().count() == 1, "{name}: {text}");
        }
    }
    assert!(files.iter().all(|(file, old)| bytes(file) == *old), "old files stay");
    assert_eq!(others(), 3, "and no other appears");
    let (status, text) = told("down.obj", 20.0, "4 3 2 1", &["--strict"]);
    assert!(status == Some(2) && text.contains("because of --strict"), "{text}");
}

#[test]
fn connections_that_nothing_can_use_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let lines =
        "{\"start\": [0, 0, 0], \"end\": [3, 0, 3]}\n{\"start\": [0, 0, 0], \"end\": [0, 99, 0], \"radius\": 0.5}\n";
    let (file, mesh) = (write_in(&folder, "ways.jsonl", lines), path_in(&folder, "a.way"));
    let out = wayfare(&["bake", "scene:flat", "-o", &mesh, "--connections", &file]);
    let text = String::from_utf8(out.stderr).unwrap();
    let wanted =
        "within its radius: 1, the first from [0, 0, 0] to [0, 99, 0]: move [0, 99, 0] to the height of the surface";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn volumes_beside_the_level_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "a.way");
    let volume = |low: f32| format!("[[volume]]\narea = 3\nbox = {{ min = [{low}, -1, 0], max = [1000, 1, 9] }}\n");
    let table = write_in(&folder, "volumes.toml", &(volume(990.0) + &volume(0.0)));
    let out = wayfare(&["bake", "scene:flat", "-o", &mesh, "--areas", &table]);
    let text = String::from_utf8(out.stderr).unwrap();
    assert!(
        text.contains(
            "volumes that mark nothing, since they lie outside the level's bounds: 1, the first at 995,0,4.5"
        ),
        "{text}"
    );
}

#[test]
fn faces_with_a_dent_leave_it_open() {
    let folder = tempfile::tempdir().unwrap();
    // A U of one face, the last corners of which come after it.
    let u = "f 1 2 3 4 5 6 7 8\nv 0 0 0\nv 0 0 20\nv 5 0 20\nv 5 0 5\nv 15 0 5\nv 15 0 20\nv 20 0 20\nv 20 0 0\n";
    let (level, mesh) = (write_in(&folder, "u.obj", u), path_in(&folder, "u.way"));
    good(&["bake", &level, "-o", &mesh, "--quiet"]);
    let area = areas(&mesh)[0].1;
    assert!((150.0..165.0).contains(&area), "the U has 250 m², and 162 m² beside its rim: {area}");
    assert!(error_of(&["bake", &level, "-o", &path_in(&folder, "u.obj.bin")]).contains("wayfare convert"));
}

#[test]
fn a_place_is_explained_for_the_agent_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let floor = "v 0 0 0\nv 0 0 10\nv 10 0 10\nv 10 0 0\nf 1 2 3 4\n";
    let level = write_in(&folder, "floor.obj", floor);
    let at = ["explain", &level, "--at", "0.5,0,5", "--cell-size", "0.1"];
    assert!(good(&at).starts_with("not walkable"));
    assert!(good(&[&at[..], &["--agent", "rat:radius=0.1"]].concat()).starts_with("walkable"));
    let two = [&at[..], &["--agent", "rat:radius=0.1", "--agent", "cat:radius=0.2"]].concat();
    assert!(error_of(&two).contains("one agent"));
}

#[test]
fn what_a_detour_file_cannot_hold_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (table, mesh) = (write_in(&folder, "areas.toml", TABLE), path_in(&folder, "river.way"));
    good(&["bake", "scene:river", "-o", &mesh, "--areas", &table, "--quiet"]);
    let told = |mesh: &str| String::from_utf8(wayfare(&["convert", mesh, &path_in(&folder, "m.bin")]).stderr).unwrap();
    assert!(told(&mesh).contains("names and costs of areas"), "{}", told(&mesh));
    good(&["bake", "scene:river", "-o", &mesh, "--quiet"]);
    assert_eq!(told(&mesh), "");
}
