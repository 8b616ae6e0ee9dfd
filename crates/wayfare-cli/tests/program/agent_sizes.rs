//! Paths for agents of several radii on one mesh, as `path` and `query` find them.

use super::path_in;
use serde_json::Value;

/// Exit status, and all that was said.
fn wayfare(args: &[&str]) -> (Option<i32>, String) {
    let out = super::wayfare(args);
    (out.status.code(), String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap())
}

#[test]
fn who_is_too_wide_for_a_door_is_told_so_by_path_and_by_query() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| path_in(&folder, name);
    // Doors of 0.6 m, 0.8 m, 1.0 m: the first leads from the first room to the second.
    let mesh = file("doors.way");
    let fine = ["--agent-radius", "0.1", "--cell-size", "0.1", "--cell-height", "0.1", "--quiet"];
    let (status, said) = wayfare(&[&["bake", "scene:doors?count=3", "-o", mesh.as_str()][..], &fine].concat());
    assert_eq!(status, Some(0), "{said}");
    let path = ["path", mesh.as_str(), "--from", "3,0,3", "--to", "9.6,0,3", "--search", "optimal"];
    for (radius, status) in [("0.1", 0), ("0.2", 0), ("0.4", 1)] {
        let (code, said) = wayfare(&[&path[..], &["--radius", radius]].concat());
        assert_eq!(code, Some(status), "{radius}: {said}");
    }
    let (code, said) = wayfare(&[&path[..], &["--radius=-1"]].concat());
    assert!(code == Some(2) && said.contains("not a radius"), "{said}");

    let batch = file("batch.jsonl");
    let line = |id: u32, search: &str, radius: f32| {
        format!(
            "{{\"id\": {id}, \"op\": \"path\", \"start\": [3, 0, 3], \"end\": [9.6, 0, 3], \"search\": \"{search}\", \"radius\": {radius}}}\n"
        )
    };
    std::fs::write(&batch, line(1, "corridor", 0.2) + &line(2, "optimal", 0.2) + &line(3, "sliced", 0.4)).unwrap();
    let (code, answers) = wayfare(&["query", &mesh, "--batch", &batch]);
    assert_eq!(code, Some(0), "{answers}");
    let answers: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let status: Vec<&str> = answers.iter().map(|a| a["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["complete", "complete", "partial"]);
    // Polygons are those of the mesh that was asked.
    let polygons = answers[1]["polys"].as_array().unwrap();
    let (_, info) = wayfare(&["info", &mesh, "--json"]);
    let count = serde_json::from_str::<Value>(&info).unwrap()["polygons"].as_u64().unwrap();
    assert!(!polygons.is_empty() && polygons.iter().all(|p| p[1].as_u64().unwrap() < count));

    let baked_for = &serde_json::from_str::<Value>(&info).unwrap()["baked_for"];
    assert_eq!((&baked_for[0]["radius"], &baked_for[0]["cell_size"]), (&0.1.into(), &0.1.into()), "{baked_for}");
    let (_, told) = wayfare(&["info", &mesh]);
    assert!(told.contains("baked for    radius 0.1 m"), "{told}");
}

#[test]
fn a_radius_that_cannot_be_had_is_spoken_of() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "doors.way");
    let (status, said) = wayfare(&["bake", "scene:doors?count=3", "-o", &mesh, "--agent-radius", "0.3", "--quiet"]);
    assert_eq!(status, Some(0), "{said}");
    let path = ["path", mesh.as_str(), "--from", "3,0,3", "--to", "3.5,0,3", "--radius"];
    let (_, said) = wayfare(&[&path[..], &["0.1"]].concat());
    assert!(said.contains("warning: the mesh was baked for agents of 0.3"), "{said}");
    let picture = path_in(&folder, "doors.svg");
    let (_, said) = wayfare(&["draw", &mesh, "-o", &picture, "--path", "3,0,3:3.5,0,3:0.1"]);
    assert!(said.contains("warning: the mesh was baked for agents of 0.3"), "{said}");
    let batch = path_in(&folder, "narrow.jsonl");
    let line = "{\"op\": \"path\", \"start\": [3, 0, 3], \"end\": [3.5, 0, 3]";
    std::fs::write(&batch, format!("{line}, \"radius\": 0.1}}\n{line}, \"radius\": 0.5}}\n{line}}}\n")).unwrap();
    let (_, answers) = wayfare(&["query", &mesh, "--batch", &batch]);
    let kept: Vec<Value> =
        answers.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["radius"].clone()).collect();
    assert_eq!(kept, [Value::from(0.3), Value::from(0.5), Value::Null]);
    let (code, said) = wayfare(&[&path[..], &["60"]].concat());
    assert!(code == Some(1) && said.contains("no polygon for an agent of radius 60 m within"), "{said}");
    let batch = path_in(&folder, "batch.jsonl");
    std::fs::write(&batch, "{\"op\": \"nearest\", \"point\": [3, 0, 3], \"radius\": 1}\n").unwrap();
    let (code, said) = wayfare(&["query", &mesh, "--batch", &batch]);
    assert!(code == Some(2) && said.contains("without \\\"radius\\\""), "{said}");
}
