//! What answers say besides: of places that are not where they were asked for, of goals that cannot be reached, and of
//! lines that are wrong.

use super::{Baked, baked, error_of, good, json, path_in, wayfare, write_in};
use serde_json::Value;

/// What a batch of questions is answered with.
fn answers(mesh: &str, folder: &tempfile::TempDir, lines: &str) -> Vec<Value> {
    let batch = write_in(folder, "batch.jsonl", lines);
    let out = wayfare(&["query", mesh, "--batch", &batch]);
    String::from_utf8(out.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Two platforms, 0 m and 3 m high, and stairs between them.
#[test]
fn ends_on_another_storey_than_was_meant_are_told() {
    let Baked { folder, mesh } = baked(&[]);
    let path = |to: &str| ["path", &mesh, "--from", "-4,0,0", "--to", to].map(str::to_owned);
    let said = |to: &str| good(&path(to).each_ref().map(String::as_str)).lines().next().unwrap().to_owned();
    assert!(
        said("-3,3.5,0")
            .ends_with("; the nearest point of the mesh to the goal lies 3.30 m from it, at -3.00,0.20,0.00")
    );
    assert!(!said("-3,0.5,0").contains("lies"));
    let told = json(&["path", &mesh, "--from", "-4,0,0", "--to", "-3,3.5,0", "--json"]);
    assert!((told["goal_gap"].as_f64().unwrap() - 3.3).abs() < 1e-3 && told["start_gap"].is_null(), "{told}");
    assert_eq!(told["status"], "complete");
    let explain = ["explain", &mesh, "--from", "-4,0,0", "--to", "-3,3.5,0"];
    assert!(good(&explain).starts_with("there is a path; the nearest point of the mesh to the goal lies 3.30 m"));
    assert!(json(&[&explain[..], &["--json"]].concat())["goal_gap"].is_number());
    let picture = path_in(&folder, "p.svg");
    let drawn = wayfare(&["draw", &mesh, "-o", &picture, "--path", "-4,0,0:-3,3.5,0"]);
    assert!(String::from_utf8(drawn.stderr).unwrap().contains("mesh to the goal lies 3.30 m from it"));

    let found = answers(
        &mesh,
        &folder,
        "{\"op\": \"path\", \"start\": [-4, 0, 0], \"end\": [-3, 3.5, 0]}\n\
         {\"op\": \"reachable\", \"start\": [-4, 3.5, 0], \"end\": [-3, 0, 0]}\n\
         {\"op\": \"around\", \"point\": [-4, -2, 0], \"radius\": 1}\n\
         {\"op\": \"nearest\", \"point\": [-4, 0.5, 0]}\n",
    );
    let gaps: Vec<[bool; 3]> =
        found.iter().map(|a| ["start_gap", "goal_gap", "point_gap"].map(|gap| a[gap].is_number())).collect();
    assert_eq!(gaps, [[false, true, false], [true, false, false], [false, false, true], [false; 3]], "{found:?}");
}

#[test]
fn no_answer_has_its_reason() {
    let Baked { folder, mesh } = baked(&[]);
    let found = answers(
        &mesh,
        &folder,
        "{\"op\": \"path\", \"start\": [900, 0, 0], \"end\": [-3, 0, 0]}\n\
         {\"op\": \"path\", \"start\": [-4, 0, 0], \"end\": [900, 0, 0], \"radius\": 0.8}\n\
         {\"op\": \"path\", \"start\": [-4, 0, 0], \"end\": [-3, 0, 0], \"exclude\": 1}\n\
         {\"op\": \"nearest\", \"point\": [900, 0, 0]}\n\
         {\"op\": \"path\", \"start\": [-4, 0, 0], \"end\": [-3, 0, 0]}\n",
    );
    let reasons: Vec<_> = found.iter().map(|a| a["reason"].as_str()).collect();
    let wanted = ["start-off-mesh", "goal-off-mesh", "start-filtered", "point-off-mesh"].map(Some);
    assert_eq!(reasons, [&wanted[..], &[None]].concat());
    let out = wayfare(&["path", &mesh, "--from", "-4,0,0", "--to", "900,0,0", "--json"]);
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).unwrap()["reason"], "goal-off-mesh");
}

#[test]
fn questions_that_cannot_be_understood_are_named_by_their_line() {
    let Baked { folder, mesh } = baked(&[]);
    let found = answers(&mesh, &folder, "\n{\"op\": \"fly\"}\n{\"op\": \"wall\", \"point\"}\n");
    let errors: Vec<&str> = found.iter().map(|a| a["error"].as_str().unwrap()).collect();
    assert!(errors[0].starts_with("line 2: there is no op \"fly\""), "{errors:?}");
    assert_eq!(errors[1], "line 3: is not JSON: expected `:`, at column 23");
}

#[test]
fn wrong_lines_of_goals_are_named_and_goals_without_a_way_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "l.way");
    good(&["bake", "scene:ledges", "-o", &mesh, "--quiet"]);
    let errands = |lines: &str| write_in(&folder, "errands.jsonl", lines);
    let crowd = |file: &str| wayfare(&["crowd", &mesh, "--ticks", "2", "--goals", file, "--json"]);
    let ground = "{\"start\": [24, 0, 2], \"goal\": [26, 0, 2]}\n";
    for (line, says) in [
        ("{\"start\": [24, 0, 2], \"goal\": [26, 0]}", "line 2: invalid length 2"),
        ("{\"start\": [24, 0, 2], \"goal\": [900, 0, 2]}", "line 2: there is no ground within"),
        ("{\"start\": [24, 1e40, 2], \"goal\": [26, 0, 2]}", "line 2: start is out of range"),
    ] {
        let file = errands(&(ground.to_owned() + line));
        let error = error_of(&["crowd", &mesh, "--ticks", "2", "--goals", &file]);
        assert!(error.contains(&format!("errands.jsonl: {says}")), "{error}");
    }
    // The second stands on the floor and wants up the block of 2.8 m; the third asks 3 m above the floor.
    let up = "{\"start\": [24, 0, 2], \"goal\": [30, 2.8, 8]}\n{\"start\": [24, 3, 2], \"goal\": [26, 0, 2]}\n";
    let out = crowd(&errands(&(ground.to_owned() + up)));
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(told.contains("1 of 3 agents cannot reach their goals") && told.contains("the first is agent 1"), "{told}");
    assert!(told.contains("errands.jsonl: line 3: the nearest point of the mesh to the start lies"), "{told}");
    assert_eq!(serde_json::from_slice::<Value>(&out.stdout).unwrap()["unreachable"], 1);
    let out = crowd(&errands(ground));
    assert_eq!(String::from_utf8(out.stderr).unwrap(), "");
}

#[test]
fn useless_connections_are_told_and_strict_refuses_them() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "f.way");
    let ways = write_in(&folder, "ways.jsonl", "{\"start\": [1, 0, 2], \"end\": [1, 0, 2]}\n");
    let bake = ["bake", "scene:flat", "-o", &mesh, "--connections", &ways];
    let told = String::from_utf8(wayfare(&bake).stderr).unwrap();
    assert!(
        told.contains("warning: ") && told.contains("ways.jsonl: line 1: a connection whose start and end"),
        "{told}"
    );
    assert!(error_of(&[&bake[..], &["--strict"]].concat()).contains("because of --strict"));
    let wrong = write_in(&folder, "wrong.jsonl", "\n{\"start\": [1, 0, 2], \"end\": [4, 0, 2], \"radius\": -1}\n");
    assert!(
        error_of(&["bake", "scene:flat", "-o", &mesh, "--connections", &wrong]).contains("wrong.jsonl: line 2: radius")
    );
}
