//! `wayfare obstacles`: what a play may say, what it answers, and what it refuses.

use super::{error_of, good, path_in, wayfare, write_in};
use serde_json::Value;
use tempfile::TempDir;

/// A floor with its layers, and a folder for plays.
fn floor() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "floor.way");
    good(&["bake", "scene:flat?size=30", "-o", &mesh, "--layers", "--tile-size", "32", "--quiet"]);
    (folder, mesh)
}

/// Plays lines; the exit status, what was printed as JSON, and what was said.
fn play(folder: &TempDir, mesh: &str, lines: &[&str]) -> (Option<i32>, Value, String) {
    let file = write_in(folder, "play.jsonl", &lines.join("\n"));
    let out = wayfare(&["obstacles", mesh, "--play", &file, "--json"]);
    let json = serde_json::from_slice(&out.stdout).unwrap_or(Value::Null);
    (out.status.code(), json, String::from_utf8(out.stderr).unwrap())
}

/// The middle of the scene and half its size.
fn middle(mesh: &str) -> [f64; 2] {
    let info = super::json(&["info", mesh, "--json"]);
    let at = |end: &str, axis: usize| info["bounds"][end][axis].as_f64().unwrap();
    [0, 2].map(|axis| (at("min", axis) + at("max", axis)) / 2.0)
}

#[test]
fn every_shape_is_built_and_taken_away_again() {
    let (folder, mesh) = floor();
    let [x, z] = middle(&mesh);
    let solid =
        write_in(&folder, "tent.obj", "v 0 0 0\nv 2 0 0\nv 1 0 2\nv 1 2 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n");
    let shapes = [
        format!("{{\"cylinder\": {{\"at\": [{x},0,{z}], \"radius\": 1, \"height\": 2}}}}"),
        format!("{{\"box\": {{\"min\": [{x},0,{z}], \"max\": [{},2,{}]}}}}", x + 2.0, z + 2.0),
        format!("{{\"obb\": {{\"center\": [{x},1,{z}], \"half\": [1,1,1], \"yaw\": 30}}}}"),
        format!(
            "{{\"prism\": {{\"points\": [[{x},{z}],[{},{z}],[{x},{}]], \"min_y\": -1, \"max_y\": 2}}}}",
            x + 3.0,
            z + 3.0
        ),
        format!("{{\"capsule\": {{\"at\": [{x},0,{z}], \"radius\": 1, \"height\": 2.5}}}}"),
        format!("{{\"hull\": {{\"points\": [[{x},0,{z}],[{},0,{z}],[{x},0,{}],[{x},3,{z}]]}}}}", x + 3.0, z + 3.0),
        format!("{{\"mesh\": {{\"file\": {solid:?}}}}}"),
    ];
    let mut lines = Vec::new();
    for (i, shape) in shapes.iter().enumerate() {
        lines.push(format!("{{\"op\": \"add\", \"name\": \"s{i}\", \"shape\": {shape}}}"));
        lines.push("{\"op\": \"begin\"}".to_owned());
        lines.push("{\"op\": \"update\"}".to_owned());
        lines.push(format!("{{\"op\": \"move\", \"name\": \"s{i}\", \"by\": [0.5,0,0.5]}}"));
        lines.push("{\"op\": \"tick\", \"dt\": 10}".to_owned());
        lines.push(format!("{{\"op\": \"remove\", \"name\": \"s{i}\"}}"));
    }
    let (code, report, said) = play(&folder, &mesh, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(report["digest_before"], report["digest_after"]);
    let outcomes: Vec<&str> =
        report["answers"].as_array().unwrap().iter().map(|a| a["outcome"].as_str().unwrap()).collect();
    for of_shape in outcomes.chunks(6) {
        assert_eq!(of_shape, ["waiting", "waiting", "built", "waiting", "built", "waiting"]);
    }
    assert!(report["rebuilds"].as_u64().unwrap() >= 14 && report["compressed_bytes"].as_u64().unwrap() > 0, "{report}");
}

#[test]
fn a_path_is_told_that_it_will_break_and_goes_round() {
    let (folder, mesh) = floor();
    let [x, z] = middle(&mesh);
    let ask =
        format!("{{\"op\": \"path\", \"id\": 1, \"start\": [{},0,{z}], \"end\": [{},0,{z}]}}", x - 10.0, x + 10.0);
    let wall = format!(
        "{{\"op\": \"add\", \"id\": 7, \"name\": \"w\", \"shape\": {{\"box\": {{\"min\": [{x},-1,{}], \"max\": [{},3,{}]}}}}}}",
        z - 5.0,
        x + 1.0,
        z + 5.0
    );
    let update = "{\"op\": \"update\"}";
    let (code, report, said) = play(&folder, &mesh, &[&ask, &wall, &ask, update, &ask]);
    assert_eq!(code, Some(0), "{said}");
    let [before, added, soon, _, after] = report["answers"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert!(before["soon_broken"].is_null() && !soon["soon_broken"].is_null() && after["soon_broken"].is_null());
    assert!(after["length"].as_f64() > before["length"].as_f64());
    assert_eq!((added["id"].as_u64(), added["outcome"].as_str()), (Some(7), Some("waiting")));
    assert!(!added["tiles"].as_array().unwrap().is_empty());
}

#[test]
fn what_cannot_stand_is_refused_and_the_rest_goes_on() {
    let (folder, mesh) = floor();
    let post = "{\"op\": \"add\", \"name\": \"p\", \"shape\": {\"cylinder\": {\"at\": [1e6,0,0], \"radius\": 1, \"height\": 2}}}";
    let inverted = "{\"op\": \"add\", \"name\": \"q\", \"shape\": {\"box\": {\"min\": [1,1,1], \"max\": [0,0,0]}}}";
    let huge = "{\"op\": \"add\", \"name\": \"h\", \"shape\": {\"cylinder\": {\"at\": [0,-1e9,0], \"radius\": 1e9, \"height\": 3e9}}}";
    let gone = "{\"op\": \"move\", \"name\": \"nobody\", \"by\": [1,0,0]}";
    let lines = [post, post, inverted, gone, "{\"op\": \"tick\", \"dt\": -1}", huge, "{\"op\": \"update\"}"];
    let (code, report, said) = play(&folder, &mesh, &lines);
    assert_eq!(code, Some(0), "{said}");
    let answers = report["answers"].as_array().unwrap();
    let outcomes: Vec<&str> = answers.iter().map(|a| a["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["outside", "refused", "refused", "refused", "refused", "waiting", "built"]);
    for (answer, why) in answers[1..5].iter().zip(["already", "holds nothing", "no obstacle", "0 or more"]) {
        assert!(answer["reason"].as_str().unwrap().contains(why), "{answer}");
    }
}

#[test]
fn lines_that_mean_nothing_are_told_with_status_2() {
    let (folder, mesh) = floor();
    let lines = [
        "{\"op\": \"add\", \"name\": \"a\"}",
        "{\"op\": \"add\", \"name\": \"a\", \"shape\": {\"ball\": {}}}",
        "{\"op\": \"move\", \"name\": \"a\", \"by\": [1]}",
        "{\"op\": \"fly\"}",
        "not json",
        "{\"op\": \"update\", \"more\": 1}",
    ];
    let (code, report, said) = play(&folder, &mesh, &lines);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("6 lines could not be understood"), "{said}");
    assert!(report["answers"].as_array().unwrap().iter().all(|answer| !answer["error"].is_null()), "{report}");
    assert_eq!(report["digest_before"], report["digest_after"]);
}

#[test]
fn bad_files_are_one_error() {
    let (folder, mesh) = floor();
    let file = write_in(&folder, "play.jsonl", "{\"op\": \"update\"}");
    assert!(error_of(&["obstacles", &mesh, "--play", "gone.jsonl"]).contains("gone.jsonl"));
    assert!(error_of(&["obstacles", "gone.way", "--play", &file]).contains("gone.way"));
    let plain = path_in(&folder, "plain.way");
    good(&["bake", "scene:flat?size=30", "-o", &plain, "--quiet"]);
    assert!(error_of(&["obstacles", &plain, "--play", &file]).contains("has no layers"));
    assert!(error_of(&["obstacles", &mesh, "--play", &file, "--film", "frames.txt"]).contains("frames.txt"));
    let picture = path_in(&folder, "same.svg");
    assert!(
        error_of(&["obstacles", &mesh, "--play", &file, "--film", &picture, "--draw", &picture]).contains("two things")
    );
    assert!(!std::path::Path::new(&picture).exists());
    let cut = path_in(&folder, "cut.way");
    let bytes = std::fs::read(&mesh).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    error_of(&["obstacles", &cut, "--play", &file]);
}

#[test]
fn pictures_are_drawn_of_the_end_and_of_each_frame() {
    let (folder, mesh) = floor();
    let [x, z] = middle(&mesh);
    let wall = format!(
        "{{\"op\": \"add\", \"name\": \"w\", \"shape\": {{\"box\": {{\"min\": [{x},-1,{z}], \"max\": [{},3,{}]}}}}}}",
        x + 3.0,
        z + 3.0
    );
    let tick = "{\"op\": \"tick\", \"dt\": 0.001}";
    let update = "{\"op\": \"update\"}";
    let file = write_in(&folder, "play.jsonl", &[update, &wall, tick, update].join("\n"));
    let [end, film] = ["end.svg", "film.svg"].map(|name| path_in(&folder, name));
    good(&["obstacles", &mesh, "--play", &file, "--draw", &end, "--film", &film]);
    let [end, film] = [end, film].map(|path| std::fs::read_to_string(path).unwrap());
    assert!(end.starts_with("<svg") && film.starts_with("<svg"));
    assert!(film.len() > 2 * end.len(), "three frames: {} bytes, one: {}", film.len(), end.len());
}

/// Two floors with a gap, the file of a plank that bridges it, and the mesh of the floors with its layers.
fn gap() -> (TempDir, [String; 3]) {
    let folder = tempfile::tempdir().unwrap();
    let floor = |x: f64, n: usize| {
        let corners = [[x, 0.0], [x, 12.0], [x + 10.0, 12.0], [x + 10.0, 0.0]];
        let verts: String = corners.iter().map(|[x, z]| format!("v {x} 0 {z}\n")).collect();
        format!("{verts}f {} {} {}\nf {} {} {}\n", n + 1, n + 2, n + 3, n + 1, n + 3, n + 4)
    };
    let level = write_in(&folder, "level.obj", &[floor(0.0, 0), floor(14.0, 4)].concat());
    let plank = "v 0 0 0\nv 0 0 4\nv 6 0 4\nv 6 0 0\nf 1 2 3\nf 1 3 4\n";
    let plank = write_in(&folder, "plank.obj", plank);
    let mesh = path_in(&folder, "gap.way");
    good(&["bake", &level, "-o", &mesh, "--layers", "--tile-size", "32", "--quiet"]);
    (folder, [level, plank, mesh])
}

fn outcomes(report: &Value) -> Vec<&str> {
    let answers = report["answers"].as_array().unwrap();
    answers.iter().map(|a| a["outcome"].as_str().or(a["status"].as_str()).unwrap()).collect()
}

#[test]
fn objects_become_part_of_the_level_and_go_again() {
    let (folder, [level, plank, mesh]) = gap();
    let ask = "{\"op\": \"path\", \"start\": [3,0,6], \"end\": [20,0,6]}";
    let lay = format!("{{\"op\": \"geometry\", \"id\": 5, \"name\": \"p\", \"file\": {plank:?}, \"at\": [9,0,4]}}");
    let update = "{\"op\": \"update\"}";
    let lines = [
        ask,
        &lay,
        &lay,
        update,
        ask,
        "{\"op\": \"move\", \"name\": \"p\", \"by\": [0,0,40]}",
        update,
        ask,
        "{\"op\": \"move\", \"name\": \"p\", \"by\": [0,0,-40]}",
        update,
        ask,
        "{\"op\": \"remove\", \"name\": \"p\"}",
        "{\"op\": \"remove\", \"name\": \"p\"}",
        "{\"op\": \"geometry\", \"name\": \"q\", \"file\": \"gone.obj\"}",
        "{\"op\": \"invalidate\", \"min\": [1,0,1], \"max\": [2,0,2]}",
        "{\"op\": \"invalidate\", \"min\": [100,0,1], \"max\": [200,0,2]}",
        "{\"op\": \"invalidate\", \"min\": [2,0,1], \"max\": [1,0,2]}",
        update,
    ];
    let file = write_in(&folder, "play.jsonl", &lines.join("\n"));
    let out = wayfare(&["obstacles", &mesh, "--level", &level, "--play", &file, "--json"]);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    let before = ["partial", "waiting", "refused", "built", "complete"];
    let moved = ["waiting", "built", "partial", "waiting", "built", "complete"];
    let after = ["waiting", "refused", "refused", "waiting", "outside", "refused", "built"];
    assert_eq!(outcomes(&report), [&before[..], &moved, &after].concat());
    assert_eq!(report["answers"][1]["id"], 5);
    assert!(!report["answers"][1]["tiles"].as_array().unwrap().is_empty());
    assert_eq!(report["digest_before"], report["digest_after"]);

    // Without the level there is nothing to bake from.
    let (code, report, _) = play(&folder, &mesh, &[&lay, lines[14], update]);
    assert_eq!((code, outcomes(&report)), (Some(0), vec!["refused", "refused", "built"]));
    assert!(report["answers"][0]["reason"].as_str().unwrap().contains("--level"));
}

#[test]
fn costs_turn_paths_aside_until_they_have_decayed() {
    let (folder, mesh) = floor();
    let [x, z] = middle(&mesh);
    let ask = format!("{{\"op\": \"path\", \"start\": [{},0,{z}], \"end\": [{},0,{z}]}}", x - 10.0, x + 10.0);
    let danger =
        format!("{{\"op\": \"overlay\", \"at\": [{x},0,{z}], \"radius\": 4, \"cost\": 30, \"half_life\": 0.5}}");
    let tick = "{\"op\": \"tick\", \"dt\": 5}";
    let lines = [
        &ask,
        &danger,
        &ask,
        "{\"op\": \"overlay\", \"at\": [0,0,0], \"radius\": -1, \"cost\": 3}",
        "{\"op\": \"overlay\", \"at\": [900,0,0], \"radius\": 1, \"cost\": 3}",
        tick,
        tick,
        &ask,
    ];
    let (code, report, said) = play(&folder, &mesh, &lines);
    assert_eq!(code, Some(0), "{said}");
    let expected = ["complete", "built", "complete", "refused", "outside", "built", "built", "complete"];
    assert_eq!(outcomes(&report), expected);
    let cost = |at: usize| report["answers"][at]["cost"].as_f64().unwrap();
    assert!(cost(2) > cost(0) + 5.0 && (cost(7) - cost(0)).abs() < 0.05, "{} {} {}", cost(0), cost(2), cost(7));
    assert!(report["answers"][1]["cells"].as_u64().unwrap() > 40);
    assert!(!report["answers"][1]["tiles"].as_array().unwrap().is_empty());
    assert_eq!(report["digest_before"], report["digest_after"], "costs change no tile");
}
