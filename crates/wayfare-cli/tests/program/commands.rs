//! Every command: what it accepts, answers and refuses.

use super::{Baked, baked, error_of, good, json, path_in, wayfare, write_in};
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn names(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect()
}

#[test]
fn every_command_shows_an_example() {
    let help = good(&["--help"]);
    let listed = help.lines().skip_while(|l| !l.starts_with("Commands:")).skip(1).take_while(|l| !l.is_empty());
    let mut count = 0;
    for command in listed.filter_map(|l| l.split_whitespace().next()).filter(|&c| c != "help") {
        assert!(
            good(&[command, "--help"]).contains(&format!("  wayfare {command}")) || command == "scenes",
            "{command}"
        );
        count += 1;
    }
    assert!(count >= 12);
}

#[test]
fn the_licences_of_what_it_is_built_with_are_printed() {
    let text = good(&["--licenses"]);
    assert!(text.contains("UBUNTU FONT LICENCE") && text.contains("\nclap "), "{text}");
    assert_eq!(wayfare(&[]).status.code(), Some(2), "without a command there is help, and nothing was done");
}

#[test]
fn a_level_becomes_a_mesh_that_answers() {
    let Baked { folder, mesh } = baked(&[]);
    let info = json(&["info", &mesh, "--json"]);
    for key in ["bounds", "tiles", "polygons", "vertices", "areas", "components", "off_mesh_connections", "bytes"] {
        assert!(!info[key].is_null(), "{key}: {info}");
    }
    assert_eq!(info["bytes"], std::fs::metadata(&mesh).unwrap().len());
    good(&["check", &mesh]);
    assert_eq!(json(&["check", &mesh, "--json"])["ok"], true);
    let errand = wayfare_scenes::scene("stairs").unwrap().errands.into_iter().find(|e| e.reachable).unwrap();
    let point = |p: wayfare::Vec3| format!("{},{},{}", p.x, p.y, p.z);
    let (from, to) = (point(errand.from), point(errand.to));
    for picture in ["path.svg", "path.png"] {
        let target = path_in(&folder, picture);
        let path = json(&["path", &mesh, "--from", &from, "--to", &to, "--json", "--draw", &target]);
        assert_eq!(path["status"], "complete");
        assert!(path["length"].as_f64().unwrap() > 1.0);
        let bytes = std::fs::read(&target).unwrap();
        assert!(bytes.starts_with(b"<svg") || bytes.starts_with(b"\x89PNG"));
    }
}

#[test]
fn no_path_is_an_answer_with_status_1() {
    let Baked { mesh, folder: _folder } = baked(&[]);
    let out = wayfare(&["path", &mesh, "--from", "1e6,0,1e6", "--to", "0,0,0"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(
        String::from_utf8(out.stdout).unwrap().contains("no polygon within 2,4,2 m of the start 1000000,0,1000000")
    );
    assert_eq!(wayfare(&["path", &mesh, "--from", "-1e6,0,0", "--to", "0,0,0", "--json"]).status.code(), Some(1));
}

#[test]
fn bad_input_is_one_error_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let target = path_in(&folder, "never.way");
    let bake = |level: &str, options: &[&str]| error_of(&[&["bake", level, "-o", &target], options].concat());
    assert!(bake("gone.obj", &[]).contains("gone.obj: there is no such file"));
    assert!(bake("scene:nowhere", &[]).contains("there is no scene \"nowhere\""));
    assert!(bake("scene:stairs?colour=red", &[]).contains("no parameter \"colour\""));
    assert!(bake("level.txt", &[]).contains("no kind of level"));
    assert!(bake("scene:stairs", &["--agent-radius", "-1"]).contains("--agent-radius is -1, but must be"));
    assert!(bake("scene:stairs", &["--cell-size", "nan"]).contains("--cell-size is NaN, but must be"));
    assert!(bake("scene:stairs", &["--agent-max-climb", "9"]).contains("between 0 and the agent's height"));
    assert!(bake("scene:stairs", &["--scale", "0"]).contains("--scale is 0"));
    assert!(bake("scene:stairs", &["--repeat", "0"]).contains("--repeat is 0"));
    let config = write_in(&folder, "c.toml", "cell_sise = 0.3\n");
    assert!(bake("scene:stairs", &["--config", &config]).contains("did you mean \"cell-size\"?"));
    let range = write_in(&folder, "range.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 9\n");
    assert!(bake(&range, &[]).contains("range.obj: line 4: vertex index 9 is out of range"));
    let nan = write_in(&folder, "nan.obj", "v nan 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    assert!(bake(&nan, &[]).contains("no usable triangle"));
    let vast = write_in(&folder, "vast.obj", "v 0 0 0\nv 1e6 0 0\nv 0 0 1e6\nf 1 3 2\n");
    assert!(bake(&vast, &["--cell-size", "10"]).contains("use a larger cell size, or tiles (see --cell-size, --tile-"));
    assert!(bake(&vast, &["--cell-size", "0.001"]).contains("use a larger cell size (see --cell-size, --scale)"));
    let dirty = write_in(&folder, "dirty.obj", "v 0 0 0\nv 9 0 0\nv 0 0 9\nf 1 3 2\nf 1 1 2\n");
    assert!(bake(&dirty, &["--strict"]).contains("because of --strict"));
    assert!(error_of(&["bake", "scene:stairs", "-o", "/no/such/folder/x.way"]).contains("its folder does not exist"));
    assert!(bake("scene:stairs", &["--stats", "/no/such/folder/s.json"]).contains("its folder does not exist"));
    assert!(error_of(&["path", "x.way", "--from", "1,2", "--to", "0,0,0"]).contains("three numbers"));
    assert!(names(folder.path()).iter().all(|p| !p.to_str().unwrap().contains("never")));
}

#[test]
fn the_command_line_wins_over_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let config = write_in(&folder, "c.toml", "cell-size = 0.5\ncell_height = 0.25\npartition = \"monotone\"\n");
    let (mesh, stats) = (path_in(&folder, "m.way"), path_in(&folder, "s.json"));
    good(&["bake", "scene:stairs", "-o", &mesh, "--config", &config, "--cell-size", "0.4", "--stats", &stats]);
    let stats: Value = serde_json::from_str(&std::fs::read_to_string(stats).unwrap()).unwrap();
    assert_eq!(
        (&stats["settings"]["cell_size"], &stats["settings"]["cell_height"]),
        (&Value::from(0.4), &Value::from(0.25))
    );
    assert_eq!(stats["settings"]["partition"], "monotone");
}

#[test]
fn statistics_have_the_promised_shape() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "m.way");
    let repeated = ["--stats", "-", "--repeat", "3", "--threads", "1", "--quiet"];
    let stats = json(&[&["bake", "scene:stairs", "-o", &mesh][..], &repeated].concat());
    let fields = [
        ("input", "vertices triangles bounds"),
        ("tiles", "count columns rows empty"),
        ("heightfield", "width depth spans walkable_spans"),
        ("compact", "spans walkable_spans max_distance"),
        ("regions", "count"),
        ("contours", "count raw_vertices vertices"),
        ("polygons", "vertices count area"),
        ("detail", "vertices triangles"),
        ("mesh", "bytes"),
    ];
    for (group, keys) in fields {
        assert!(keys.split(' ').all(|key| !stats[group][key].is_null()), "{group}: {stats}");
    }
    let stages: Vec<&str> = stats["stages"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    let promised =
        ["rasterize", "filter", "compact", "erode", "distance", "regions", "contours", "polygons", "detail", "tile"];
    assert_eq!(stages, promised);
    assert_eq!((&stats["threads"], &stats["repeat"]), (&Value::from(1), &Value::from(3)));
    assert!(stats["total_ms"].is_number() && stats["digest"].as_str().unwrap().len() >= 16);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let bytes = |threads: &str| {
        let Baked { mesh, folder: _folder } = baked(&["--tile-size", "16", "--threads", threads]);
        std::fs::read(mesh).unwrap()
    };
    let one = bytes("1");
    assert!(one == bytes("2") && one == bytes("5"));
}

#[test]
fn a_batch_answers_in_order_and_goes_on_past_bad_lines() {
    let Baked { folder, mesh } = baked(&[]);
    let batch = write_in(
        &folder,
        "batch.jsonl",
        "{\"id\": 1, \"op\": \"nearest\", \"point\": [0, 0, 0], \"half_extents\": [50, 50, 50]}\nnonsense\n{\"id\": \"x\", \"op\": \"fly\"}\n\
         {\"id\": 4, \"op\": \"path\", \"start\": [1e6, 0, 0], \"end\": [0, 0, 0]}\n",
    );
    let out = wayfare(&["query", &mesh, "--batch", &batch]);
    assert_eq!(out.status.code(), Some(2));
    let text = String::from_utf8(out.stdout).unwrap();
    let answers: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let ids: Vec<&Value> = answers.iter().map(|a| &a["id"]).collect();
    assert_eq!(ids, [&Value::from(1), &Value::Null, &Value::from("x"), &Value::from(4)]);
    assert!(answers[0]["poly"].is_array() && answers[0]["over"].is_boolean());
    assert!(answers[1]["error"].is_string() && answers[2]["error"].as_str().unwrap().contains("no op \"fly\""));
    assert_eq!((&answers[3]["status"], &answers[3]["poly"]), (&Value::from("none"), &Value::Null));
    assert_eq!(answers[3]["points"], Value::Array(vec![]));
}

#[test]
fn a_line_that_is_no_text_is_one_that_cannot_be_understood() {
    let Baked { folder, mesh } = baked(&[]);
    let batch = path_in(&folder, "batch.jsonl");
    let good = b"{\"id\": 2, \"op\": \"height\", \"point\": [-3, 0, 0]}\r\n";
    std::fs::write(&batch, [b"\xff\xfe\n\n".as_slice(), good].concat()).unwrap();
    let from_file = wayfare(&["query", &mesh, "--batch", &batch]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(["query", &mesh, "--batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&std::fs::read(&batch).unwrap()).unwrap();
    for out in [from_file, child.wait_with_output().unwrap()] {
        let text = String::from_utf8(out.stdout).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((out.status.code(), lines.len()), (Some(2), 2), "{text}");
        assert!(lines[0]["error"].is_string() && lines[1]["height"].is_number(), "{text}");
    }
}

#[test]
fn what_is_no_mesh_is_said_to_be_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (level, cache) = (write_in(&folder, "a.obj", "v 0 0 0\n"), write_in(&folder, "c.bin", "TEST\u{1}"));
    for (mesh, what) in [("scene:flat", "bake it first"), (&level, "bake it first"), (&cache, "tile cache")] {
        let said = error_of(&["check", mesh]);
        assert!(said.contains(what), "{said}");
    }
    let Baked { mesh, folder: _folder } = baked(&[]);
    let path = ["path", &mesh, "--from", "-3,0,0", "--to", "-3,0,0"];
    for option in [["--radius", "-1"], ["--reach", "-1,2,3"]] {
        let out = wayfare(&[&path[..], &option].concat());
        assert!(!String::from_utf8(out.stderr).unwrap().contains("unexpected argument"), "{option:?}");
    }
    assert!(good(&path).contains("over 1 polygon with"));
}

#[test]
fn every_op_answers() {
    let Baked { folder, mesh } = baked(&[]);
    let errand = &wayfare_scenes::scene("stairs").unwrap().errands[0];
    let (a, b) = (errand.from.to_array(), errand.to.to_array());
    let place = format!(
        "\"point\": {a:?}, \"max_radius\": 5, \"start\": {a:?}, \"end\": {b:?}, \"min\": {b:?}, \"max\": {b:?}, \
         \"seed\": 7, \"count\": 4, \"search\": \"sliced\""
    );
    let ops = [
        ("nearest", "point"),
        ("height", "height"),
        ("wall", "distance"),
        ("segments", "segments"),
        ("path", "points"),
        ("reachable", "reachable"),
        ("raycast", "polys"),
        ("move", "visited"),
        ("around", "costs"),
        ("neighbourhood", "polys"),
        ("bounds_path", "points"),
        ("random", "points"),
    ];
    let line = |op: &str| {
        let circle = if ["around", "neighbourhood", "random"].contains(&op) { "\"radius\": 3, " } else { "" };
        format!("{{\"id\": \"{op}\", \"op\": \"{op}\", {circle}{place}}}\n")
    };
    let lines: String = ops.iter().map(|(op, _)| line(op)).collect();
    let batch = write_in(&folder, "batch.jsonl", &lines);
    let text = good(&["query", &mesh, "--batch", &batch]);
    for (line, (op, field)) in text.lines().zip(ops) {
        let answer: Value = serde_json::from_str(line).unwrap();
        if op == "random" {
            assert_eq!(answer["points"].as_array().unwrap().len(), 4);
        }
        assert!(
            answer["id"] == op && !answer[field].is_null() && answer["poly"] != Value::Null || op != "nearest",
            "{line}"
        );
        assert!(answer.get(field).is_some(), "{line}");
    }
}

#[test]
fn meshes_go_through_other_formats() {
    let Baked { folder, mesh } = baked(&["--tile-size", "32"]);
    let polygons = |file: &str| json(&["info", file, "--json"])["polygons"].clone();
    for bits in ["32", "64"] {
        let (detour, back) = (path_in(&folder, "m.bin"), path_in(&folder, "back.way"));
        good(&["convert", &mesh, &detour, "--ref-bits", bits]);
        good(&["convert", &detour, &back]);
        assert_eq!(polygons(&mesh), polygons(&back));
        // The capacities of a file that is read are kept, and so its references.
        let mut bytes = std::fs::read(&detour).unwrap();
        if bits == "64" {
            bytes[32..40].copy_from_slice(&[100u32.to_le_bytes(), 5_000u32.to_le_bytes()].concat());
            std::fs::write(&detour, &bytes).unwrap();
        }
        let again = path_in(&folder, "again.bin");
        good(&["convert", &detour, &again, "--ref-bits", bits]);
        assert!(std::fs::read(&again).unwrap() == bytes, "{bits}");
    }
    for level in ["m.obj", "m.glb"] {
        let (level, again) = (path_in(&folder, level), path_in(&folder, "again.way"));
        good(&["convert", &mesh, &level]);
        good(&["bake", &level, "-o", &again, "--quiet", "--agent-radius", "0"]);
        assert!(polygons(&again).as_u64().unwrap() > 0, "the ground faces up");
    }
    assert!(error_of(&["convert", &mesh, "m.xyz"]).contains("use .way, .bin, .obj or .glb"));
}

#[test]
fn names_of_a_level_become_area_types() {
    let folder = tempfile::tempdir().unwrap();
    let level = write_in(
        &folder,
        "pool.obj",
        "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nv 40 0 20\nv 40 0 0\nv 40 0 40\nv 20 0 40\nv 0 0 40\nusemtl grass\nf 1 2 3 4\nusemtl water\n\
         f 4 3 5 6\no bridge\nf 3 8 7 5\ng yard\nf 2 9 8 3\n",
    );
    // The object and the group win over the water that they are made of.
    let table = "[material.water]\narea = 1\n[object.bridge]\narea = 2\n[object.yard]\narea = 3\n[area.1]\nflags = 2\n";
    let areas = write_in(&folder, "a.toml", table);
    let mesh = path_in(&folder, "pool.way");
    good(&["bake", &level, "-o", &mesh, "--areas", &areas, "--quiet"]);
    let info = json(&["info", &mesh, "--json"]);
    let found: Vec<u64> = info["areas"].as_array().unwrap().iter().map(|a| a["area"].as_u64().unwrap()).collect();
    assert_eq!(found, [1, 2, 3, 63]);
    let batch = write_in(
        &folder,
        "q.jsonl",
        "{\"id\": 1, \"op\": \"reachable\", \"start\": [5, 0, 10], \"end\": [35, 0, 10]}\n\
         {\"id\": 2, \"op\": \"reachable\", \"start\": [5, 0, 10], \"end\": [35, 0, 10], \"exclude\": 2, \"half_extents\": [1, 1, 1]}\n",
    );
    let text = good(&["query", &mesh, "--batch", &batch]);
    assert!(text.lines().next().unwrap().contains("\"reachable\":true"), "{text}");
    assert!(text.lines().nth(1).unwrap().contains("\"reachable\":false"), "{text}");
}

#[test]
fn connections_join_what_lies_apart() {
    let folder = tempfile::tempdir().unwrap();
    let level = write_in(
        &folder,
        "two.obj",
        "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nv 20 0 0\nv 20 0 9\nv 29 0 9\nv 29 0 0\nf 1 2 3 4\nf 5 6 7 8\n",
    );
    let links = write_in(&folder, "links.jsonl", "{\"start\": [7, 0, 4], \"end\": [22, 0, 4], \"user_id\": 3}\n");
    let mesh = path_in(&folder, "two.way");
    let ask = ["path", &mesh, "--from", "4,0,4", "--to", "25,0,4"];
    good(&["bake", &level, "-o", &mesh, "--quiet"]);
    assert_eq!(wayfare(&ask).status.code(), Some(1));
    good(&["bake", &level, "-o", &mesh, "--quiet", "--connections", &links]);
    good(&ask);
    let asked = write_in(&folder, "ask.jsonl", "{\"op\": \"path\", \"start\": [4, 0, 4], \"end\": [25, 0, 4]}\n");
    let jumps = &json(&["query", &mesh, "--batch", &asked])["jumps"];
    assert_eq!((jumps[0][0][0].as_f64(), jumps[0][1][0].as_f64(), &jumps[1]), (Some(7.0), Some(22.0), &Value::Null));
    assert_eq!(json(&["info", &mesh, "--json"])["off_mesh_connections"], 1);
}

#[test]
fn links_are_found_counted_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, stats, picture) = (path_in(&folder, "l.way"), path_in(&folder, "s.json"), path_in(&folder, "l.svg"));
    let rules = write_in(&folder, "links.toml", "[drop]\nmax-height = 3.0\narea = 9\n[climb]\nmax-height = 1.4\n");
    good(&["bake", "scene:ledges", "-o", &mesh, "--links", &rules, "--stats", &stats, "--quiet"]);
    let counts: Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
    let count = |kind: &str| counts["links"][kind].as_u64().unwrap();
    assert!(count("drop") > 0 && count("climb") > 0 && count("jump_across") == 0, "{counts}");
    let info = json(&["info", &mesh, "--json"]);
    assert_eq!(info["off_mesh_connections"], count("drop") + count("climb"));
    assert_eq!((&info["connections"]["two_way"], &info["connections"]["without_ground"]), (&0.into(), &0.into()));
    assert_eq!(info["connections"]["areas"][1]["count"], count("drop"), "{info}");
    // Down from the block of 2.8 m, but not up again; from that of 5.2 m no way at all.
    let path = |from, to| wayfare(&["path", &mesh, "--from", from, "--to", to]).status.code();
    assert_eq!((path("30,2.8,8", "24,0,2"), path("24,0,2", "30,2.8,8")), (Some(0), Some(1)));
    assert_eq!((path("24,0,2", "8,1.2,8"), path("63,5.2,8", "24,0,2")), (Some(0), Some(1)));
    good(&["draw", &mesh, "-o", &picture]);
    assert!(error_of(&["bake", "scene:ledges", "-o", &mesh, "--links", "/no/such.toml"]).contains("/no/such.toml"));
}

#[test]
fn reasons_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, bare) = (path_in(&folder, "b.way"), path_in(&folder, "bare.way"));
    good(&["bake", "scene:bridge", "-o", &mesh, "--keep-explain", "--quiet"]);
    good(&["bake", "scene:bridge", "-o", &bare, "--quiet", "--tile-size", "40"]);
    let at = |source: &str, p: &str| json(&["explain", source, "--at", p, "--json"]);
    // In the middle of the deck, at its edge, and far away; from the record and from the level.
    for source in [mesh.as_str(), "scene:bridge"] {
        let deck = at(source, "0,4,0");
        assert_eq!((&deck["walkable"], &deck["reason"]), (&true.into(), &"walkable".into()), "{deck}");
        let edge = at(source, "0,4,1.4");
        assert_eq!(
            (&edge["walkable"], edge["cause"]["at"].is_array()),
            (&false.into(), edge["reason"] == "eroded"),
            "{edge}"
        );
        assert_eq!(at(source, "500,0,0")["reason"], "level-edge");
    }
    assert!(good(&["explain", &mesh, "--at", "500,0,0"]).starts_with("not walkable: this is outside of the level"));
    assert!(error_of(&["explain", &bare, "--at", "0,4,0"]).contains("--keep-explain"));
    // A record of another bake is told from its own.
    std::fs::copy(format!("{mesh}.explain"), format!("{bare}.explain")).unwrap();
    assert!(error_of(&["explain", &bare, "--at", "0,4,0"]).contains("another bake"));
    assert!(error_of(&["explain", &mesh]).contains("--at"));
    for option in [
        ["--radius", "1"],
        ["--max-nodes", "9"],
        ["--max-cost", "9"],
        ["--include", "1"],
        ["--exclude", "1"],
        ["--reach", "1,1,1"],
    ] {
        let error = error_of(&[&["explain", &mesh, "--at", "0,4,0"], &option[..]].concat());
        assert!(error.contains("cannot be used with") && error.contains(option[0]), "{error}");
    }
}

/// A crate without a bottom on a floor: the bake warns of the floor inside, and it is said of a position there.
#[test]
fn ground_inside_a_hollow_body_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = "v -9 0 -9\nv -9 0 9\nv 9 0 9\nv 9 0 -9\nf 1 2 3 4\n\
                v -3 0 -3\nv -3 0 3\nv 3 0 3\nv 3 0 -3\nv -3 4 -3\nv -3 4 3\nv 3 4 3\nv 3 4 -3\n\
                f 9 10 11 12\nf 5 6 10 9\nf 6 7 11 10\nf 7 8 12 11\nf 8 5 9 12\n";
    let (level, mesh) = (write_in(&folder, "crate.obj", text), path_in(&folder, "crate.way"));
    let out = wayfare(&["bake", &level, "-o", &mesh, "--keep-explain"]);
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.success() && said.contains("surfaces inside hollow bodies"), "{said}");
    for source in [&mesh, &level] {
        let inside = |p: &str| json(&["explain", source, "--at", p, "--json"])["inside_hollow_body"].clone();
        assert_eq!(["0,0,0", "6,0,6", "0,4,0", "3,0,0"].map(inside), [true, false, false, false]);
        assert!(good(&["explain", source, "--at", "0,0,0"]).starts_with("walkable, but inside a hollow body"));
    }
    let new = path_in(&folder, "new.way");
    assert!(error_of(&["bake", &level, "-o", &new, "--strict"]).contains("surfaces inside hollow bodies"));
}

#[test]
fn missing_paths_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "l.way");
    let rules = write_in(&folder, "links.toml", "[drop]\n");
    good(&["bake", "scene:ledges", "-o", &mesh, "--links", &rules, "--quiet"]);
    let why = |more: &[&str]| json(&[&["explain", &mesh, "--json"], more].concat());
    let (up, down) = (["--from", "24,0,2", "--to", "30,2.8,8"], ["--from", "30,2.8,8", "--to", "24,0,2"]);
    assert_eq!(why(&up)["reason"], "one-way");
    assert_eq!(why(&down)["reason"], "found");
    assert_eq!(why(&["--from", "24,0,2", "--to", "63,5.2,8"])["reason"], "not-connected");
    assert_eq!(why(&["--from", "24,0,2", "--to", "500,0,0"])["reason"], "goal-off-mesh");
    let blocked = why(&[&down[..], &["--exclude", "8"]].concat());
    assert_eq!((&blocked["reason"], &blocked["blocker"]["off_mesh"]), (&"filtered".into(), &true.into()), "{blocked}");
    let limited = why(&[&down[..], &["--max-nodes", "1"]].concat());
    assert_eq!((&limited["reason"], &limited["limit"]), (&"limit".into(), &"nodes".into()));
    assert!(good(&["explain", &mesh, "--from", "24,0,2", "--to", "30,2.8,8"]).contains("none leads back"));
}

/// A level that is explained has all the ways that its bake would have.
#[test]
fn a_level_is_explained_with_its_connections_and_links() {
    let folder = tempfile::tempdir().unwrap();
    let square = |x: f32| format!("v {x} 0 0\nv {x} 0 8\nv {0} 0 8\nv {0} 0 0\n", x + 8.0);
    let squares = square(0.0) + &square(20.0) + "f 1 2 3 4\nf 5 6 7 8\n";
    let level = write_in(&folder, "squares.obj", &squares);
    let bare = write_in(&folder, "bare.gset", "f squares.obj\n");
    let joined = write_in(&folder, "joined.gset", "f squares.obj\nc 4 0 4 24 0 4 0.6 1 5 8\n");
    let jump = write_in(&folder, "jump.jsonl", "{\"start\": [4, 0, 4], \"end\": [24, 0, 4]}\n");
    let rules = write_in(&folder, "links.toml", "[drop]\n");
    let why = |level: &str, from: &str, to: &str, more: &[&str]| {
        json(&[&["explain", level, "--from", from, "--to", to, "--json"], more].concat())["reason"].clone()
    };
    assert_eq!(why(&bare, "2,0,2", "26,0,2", &[]), "not-connected");
    assert_eq!(why(&joined, "2,0,2", "26,0,2", &[]), "found");
    assert_eq!(why(&level, "2,0,2", "26,0,2", &["--connections", &jump]), "found");
    assert_eq!(why("scene:ledges", "30,2.8,8", "24,0,2", &["--links", &rules]), "found");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(["scene", "terrain?size=60", "-o", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success());
    assert_eq!(String::from_utf8_lossy(&out.stderr), "");
}

#[test]
fn a_scene_can_be_written_and_baked_like_any_level() {
    let folder = tempfile::tempdir().unwrap();
    let (level, mesh) = (path_in(&folder, "stairs.obj"), path_in(&folder, "m.way"));
    good(&["scene", "stairs", "-o", &level]);
    good(&["bake", &level, "-o", &mesh, "--quiet"]);
    let Baked { mesh: other, folder: _folder } = baked(&[]);
    assert_eq!(std::fs::read(mesh).unwrap(), std::fs::read(other).unwrap());
    let river = wayfare(&["scene", "river", "-o", "-"]);
    let text = String::from_utf8(river.stdout).unwrap();
    assert!(text.contains("usemtl area_1\n") && text.contains("usemtl area_63\n"), "water, and grass after it");
    assert!(String::from_utf8(river.stderr).unwrap().contains("volumes of the scene are left out"));
    assert!(good(&["scenes"]).contains("stairs") && good(&["completions", "bash"]).contains("_wayfare"));
}

#[test]
fn questions_can_be_piped_in() {
    let Baked { mesh, folder: _folder } = baked(&[]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(["query", &mesh, "--batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"{\"op\": \"nearest\", \"point\": [0, 0, 0]}\n").unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success() && out.stdout.ends_with(b"\n"));
}

#[test]
fn a_trace_on_standard_output_has_it_for_itself() {
    let Baked { folder, mesh } = baked(&[]);
    let errands = write_in(&folder, "errands.jsonl", "{\"start\": [0, 0, 0], \"goal\": [1, 0, 0]}\n");
    let out = wayfare(&["crowd", &mesh, "--ticks", "2", "--goals", &errands, "--trace", "-"]);
    let [places, figures] = [out.stdout, out.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(places.lines().filter(|line| line.starts_with('[')).count(), 2, "one agent, as the file has lines");
    assert_eq!(places.lines().count(), 2, "{places}");
    assert!(figures.contains("of 1 agent arrived in 2 ticks of 0.05 s (adaptive)"), "{figures}");
}

#[test]
fn a_trace_has_a_line_for_each_agent_and_tick() {
    let Baked { folder, mesh } = baked(&[]);
    let trace = path_in(&folder, "trace.jsonl");
    good(&["crowd", &mesh, "--agents", "3", "--ticks", "400", "--trace", &trace]);
    let text = std::fs::read_to_string(&trace).unwrap();
    let lines: Vec<[f64; 5]> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1200);
    assert_eq!((lines[0][..2].to_vec(), lines[1199][..2].to_vec()), (vec![0.0, 0.0], vec![399.0, 2.0]));
}

#[test]
fn a_picture_of_a_crowd_marks_who_has_not_arrived() {
    let Baked { folder, mesh } = baked(&[]);
    let errand = |z: u32| format!("{{\"start\": [0, 0, 0], \"goal\": [3, 0, {z}]}}\n");
    let errands = write_in(&folder, "errands.jsonl", &(errand(3) + &errand(0)));
    let picture = path_in(&folder, "crowd.svg");
    for (ticks, crosses) in [("2", 2), ("400", 0)] {
        good(&["crowd", &mesh, "--ticks", ticks, "--goals", &errands, "--draw", &picture]);
        let svg = std::fs::read_to_string(&picture).unwrap();
        let key = format!("not at the goal: {crosses}");
        assert_eq!((svg.contains("not at the goal"), svg.contains(&key)), (crosses > 0, crosses > 0), "{ticks} ticks");
    }
}

#[test]
fn the_examples_of_block_worlds_run_on_what_is_built_in() {
    let help = good(&["blocks", "--help"]);
    let examples: Vec<&str> = help.lines().filter_map(|l| l.trim().strip_prefix("wayfare blocks ")).collect();
    let built_in: Vec<&&str> = examples.iter().filter(|l| l.contains("scene:")).collect();
    assert!(built_in.len() >= 3 && examples[0].contains("scene:"), "{examples:?}");
    let folder = tempfile::tempdir().unwrap();
    for example in built_in {
        let words: Vec<&str> = example.split(' ').map(|word| word.trim_matches('\'')).collect();
        let run =
            Command::new(env!("CARGO_BIN_EXE_wayfare")).arg("blocks").args(words).current_dir(folder.path()).output();
        assert!(run.as_ref().unwrap().status.success(), "{example}: {run:?}");
    }
}

#[test]
fn options_that_change_nothing_and_boxes_turned_over_are_told() {
    let Baked { mesh, folder } = baked(&[]);
    let told = |args: &[&str]| String::from_utf8(wayfare(args).stderr).unwrap();
    let crowd = ["crowd", &mesh, "--ticks", "2", "--agents", "1"];
    assert!(told(&[&crowd[..], &["--avoidance", "orca", "--quality", "1"]].concat()).contains("orca has none"));
    assert!(told(&[&crowd[..], &["--starts", "circle", "--seed", "1"]].concat()).contains("random starts"));
    assert_eq!(told(&[&crowd[..], &["--quality", "1", "--seed", "4"]].concat()), "");
    let to_box = ["blocks", "scene:blocks?size=32", "--from", "5,12,5", "--to-box", "9,40,9", "2,0,2"];
    assert!(error_of(&to_box).contains("no number of MIN may be above"));
    // A standing point lies in the middle of a block's face, so that of block 7 is not within 7.
    let last = |max: &str| {
        let blocks = ["blocks", "scene:blocks?size=32", "--from", "16,12,16", "--to-box", "6,0,6", max, "--json"];
        let points = json(&blocks)["points"].as_array().unwrap().clone();
        [0, 2].map(|axis| points.last().unwrap()[axis].as_f64().unwrap())
    };
    assert_eq!(last("7,40,7"), [6.5, 6.5]);
    assert_eq!(last("7.5,40,7.5"), [7.5, 7.5]);
    let thin = ["blocks", "scene:blocks?size=32", "--from", "5,12,5", "--to-box", "9,0,9", "9.4,40,12"];
    assert!(error_of(&thin).contains("give a wider box"));
    let seed = ["blocks", "scene:blocks?size=32", "--from", "5,12,5", "--to", "6,12,6", "--seed", "4"];
    assert!(error_of(&seed).contains("--random"));
    let both = ["crowd", "-", "--ticks", "2", "--play", "-"];
    assert!(error_of(&both).contains("cannot both be standard input"));
    let reach = ["path", &mesh, "--from", "-1,0,0", "--to", "1,0,0", "--reach", "2,-4,2"];
    assert!(error_of(&reach).contains("no number below 0"));
    // A number below 0 is one, and its option says what is wrong with it.
    let below = |args: &[&str], says: &str| assert!(error_of(args).contains(says), "{args:?}: {}", error_of(args));
    below(&["crowd", &mesh, "--squeeze", "-1"], "--squeeze is -1, but must be between 0 and 1");
    below(&["crowd", &mesh, "--starts", "circle", "--circle", "-5"], "--circle is -5, but must be above 0");
    below(&["crowd", &mesh, "--agents", "-3"], "-3 is not in 1 to 1000000");
    below(&["bake", "scene:flat", "-o", &path_in(&folder, "a.way"), "--scale", "-1"], "--scale is -1");
    // What is no number at all is said in words, and a size by its own option.
    below(&["crowd", &mesh, "--agents", "1.5"], "'1.5' for '--agents <N>': it must be a whole number");
    below(&["bake", "scene:flat", "-o", &path_in(&folder, "a.way"), "--scale", "big"], "it must be a number");
    let stages = path_in(&folder, "stages");
    let bake = ["bake", "scene:flat", "-o", &path_in(&folder, "a.way"), "--draw-stages", &stages, "--draw-size", "3"];
    below(&bake, "'3' for '--draw-size <PX>': 3 is not in 64 to 16384");
    below(&["explain", &mesh, "--from", "-1,0,0", "--to", "1,0,0", "--max-cost", "-2"], "--max-cost is -2");
    let dear = good(&["explain", &mesh, "--from", "-4,0,0", "--to", "-1,0,0", "--max-cost", "0.5"]);
    assert!(dear.starts_with("no path: the limit of cost ended the search"), "{dear}");
    let bake = |options: &[&str]| told(&[&["bake", "scene:flat", "-o", &path_in(&folder, "b.way")], options].concat());
    assert!(bake(&["--pixel-size", "2"]).contains("there is none") && !bake(&[]).contains("warning"));
    assert!(bake(&["--agent-max-slope", "0"]).contains("--agent-max-slope 0: ground must be less steep"));
    assert!(bake(&["--agent-radius", "0.4"]).contains("0.60 m are kept from walls"));
    let blocks = ["blocks", "scene:blocks?size=32", "--random", "1", "--water", "3"];
    assert!(told(&blocks).contains("colours of a .vox file"));
}

#[test]
fn a_mesh_is_not_explained_by_other_settings_than_its_own() {
    let Baked { mesh, folder: _folder } = baked(&["--keep-explain"]);
    let told = error_of(&["explain", &mesh, "--at", "0,0,0", "--agent-radius", "3"]);
    assert!(told.contains("keeps the settings that it was baked with"), "{told}");
}
