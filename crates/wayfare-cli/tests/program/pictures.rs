//! What pictures show: storeys, goals far away, paths that run together.

use super::{error_of, good, path_in, wayfare};

#[test]
fn a_storey_is_seen_under_another_or_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, picture) = (path_in(&folder, "t.way"), path_in(&folder, "t.svg"));
    good(&["bake", "scene:two_floors", "-o", &mesh, "--quiet"]);
    let drawn = |options: &[&str]| {
        good(&[&["draw", &mesh, "-o", &picture], options].concat());
        std::fs::read_to_string(&picture).unwrap()
    };
    let (both, ground) = (drawn(&[]), drawn(&["--heights", "-1:1"]));
    assert!(both.contains("walls under upper floors") && both.contains("\n4.2 m"), "{both}");
    assert!(!ground.contains("walls under upper floors") && !ground.contains("\n4.2 m"));
    let out = wayfare(&["draw", &mesh, "-o", &picture, "--heights", "90:99"]);
    assert!(out.status.success() && String::from_utf8(out.stderr).unwrap().contains("--heights leaves none"));
    assert!(error_of(&["draw", &mesh, "-o", &picture, "--heights", "3:1"]).contains("the lower first"));
}

#[test]
fn a_goal_far_away_leaves_the_mesh_its_size_and_is_pointed_at() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, picture) = (path_in(&folder, "b.way"), path_in(&folder, "b.svg"));
    good(&["bake", "scene:bridge", "-o", &mesh, "--quiet"]);
    let width = |goal: &str| {
        let ask = ["path", &mesh, "--from", "0,4,0", "--to", goal, "--reach", "5,5,900", "--size", "600"];
        good(&[&ask[..], &["--draw", &picture]].concat());
        let svg = std::fs::read_to_string(&picture).unwrap();
        let width = svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        (width, svg.contains("m further"))
    };
    let (near, far) = (width("4,0,11"), width("4,0,800"));
    assert_eq!((near.0, near.1, far.1), (far.0, false, true));
}

#[test]
fn of_paths_that_run_together_each_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, picture) = (path_in(&folder, "f.way"), path_in(&folder, "f.svg"));
    good(&["bake", "scene:flat", "-o", &mesh, "--quiet"]);
    good(&["draw", &mesh, "-o", &picture, "--path=-9,0,1:9,0,1", "--path=-9,0,1:9,0,1:optimal"]);
    let svg = std::fs::read_to_string(&picture).unwrap();
    // Both have the same line and their own colour: the first is the wider one, and no white edge lies between them.
    let line = |colour: &str| {
        let path = svg.lines().position(|l| l.contains(colour) && l.contains("<path")).unwrap();
        let of = |name: &str| {
            let value = svg.lines().nth(path).unwrap().split(&format!(" {name}=\"")).nth(1).unwrap();
            value.split('"').next().unwrap().to_owned()
        };
        (path, of("d"), of("stroke-width").parse::<f32>().unwrap())
    };
    let (first, second) = (line("#d92b4b"), line("#6a2fb5"));
    assert_eq!((&first.1, first.2 > second.2 + 2.0), (&second.1, true));
    let between = svg.lines().skip(first.0 + 1).take(second.0 - first.0 - 1);
    assert!(
        !between.clone().any(|l| l.contains("#ffffff") && l.contains("<path")),
        "{:?}",
        between.collect::<Vec<_>>()
    );
}
