//! What a bake into a store refuses, keeps and reports.

use super::{error_of, good, json, path_in, wayfare, write_in};
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

const FLOOR: &str = "v 0 0 0\nv 0 0 40\nv 40 0 40\nv 40 0 0\nf 1 2 3 4\n";
const TILES: [&str; 4] = ["--tile-size", "32", "--threads", "1"];

fn floor(folder: &TempDir) -> String {
    write_in(folder, "floor.obj", FLOOR)
}

fn bake(level: &str, store: &str, more: &[&str]) -> Output {
    wayfare(&[&["bake", level, "-o", store], &TILES[..], more].concat())
}

fn refused(level: &str, store: &str, more: &[&str]) -> String {
    error_of(&[&["bake", level, "-o", store], &TILES[..], more].concat())
}

fn warned(out: Output) -> String {
    let text = String::from_utf8(out.stderr).unwrap();
    assert!(out.status.success(), "{text}");
    text
}

/// The bytes of a packed store, or the tiles and the head of a folder.
fn content(store: &str) -> Vec<(String, Vec<u8>)> {
    let path = Path::new(store);
    if path.is_file() {
        return vec![(store.to_owned(), std::fs::read(path).unwrap())];
    }
    let mut open = vec![path.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                files.push((path.display().to_string(), std::fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// A store of a single tile could be neither streamed nor continued.
#[test]
fn a_store_has_tiles_unless_it_is_told_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let (floor, stats) = (floor(&folder), path_in(&folder, "stats.json"));
    let tiles = |target: &str, more: &[&str]| {
        let target = path_in(&folder, target);
        good(&[&["bake", &floor, "-o", &target, "--stats", &stats, "--quiet"], more].concat());
        let stats: serde_json::Value = serde_json::from_slice(&std::fs::read(&stats).unwrap()).unwrap();
        [&stats["settings"]["tile_size"], &stats["tiles"]["count"]].map(|value| value.as_u64().unwrap())
    };
    // 134 cells a side.
    assert_eq!(tiles("default.wayworld", &[]), [64, 9]);
    assert_eq!(tiles("one.wayworld", &["--tile-size", "0"]), [0, 1]);
    assert_eq!(tiles("mesh.way", &[]), [0, 1]);
}

#[test]
fn where_nothing_is_walkable_an_old_store_stays_and_no_new_one_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let (floor, ceiling) = (floor(&folder), write_in(&folder, "ceiling.obj", &FLOOR.replace("1 2 3 4", "4 3 2 1")));
    for store in ["world.wayworld", "tiles/"].map(|name| path_in(&folder, name)) {
        let none = || {
            let out = bake(&ceiling, &store, &[]);
            assert_eq!(out.status.code(), Some(1));
            assert!(String::from_utf8(out.stderr).unwrap().contains("nothing can be walked on, so nothing is written"));
        };
        none();
        assert!(!Path::new(&store).exists(), "{store}");
        good(&[&["bake", &floor, "-o", &store, "--quiet"], &TILES[..]].concat());
        let before = content(&store);
        none();
        assert_eq!(content(&store), before, "{store}");
        // With other tile sizes, too, of which the old tiles would be removed.
        assert_eq!(bake(&ceiling, &store, &["--agent-height", "3", "--cell-size", "0.4"]).status.code(), Some(1));
        assert_eq!(content(&store), before, "{store}");
        good(&["check", &store]);
    }
}

#[test]
fn ranges_of_different_worlds_are_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let floor = floor(&folder);
    let [store, other, joined] =
        ["world.wayworld", "other.wayworld", "joined.wayworld"].map(|name| path_in(&folder, name));
    let [west, east] = [["--tiles", "0,0,1,9"], ["--tiles", "2,0,9,9"]];
    warned(bake(&floor, &store, &west));
    let before = content(&store);
    for (more, what) in [
        (["--agent-height", "3"], "different values of the agent's height, 2 m and 3 m"),
        (["--cell-height", "0.1"], "different values of the cell height, 0.2 m and 0.1 m"),
        (["--cell-size", "0.25"], "m wide"),
        (["--bounds", "-3,-1,0,40,4,40"], "different corners"),
    ] {
        let error = refused(&floor, &store, &[&east[..], &more].concat());
        assert!(error.contains(what) && error.contains("bake both with the same"), "{error}");
        assert_eq!(content(&store), before, "{more:?}");
        warned(bake(&floor, &other, &[&east[..], &more].concat()));
        let error = error_of(&["store", "join", &store, &other, "-o", &joined]);
        assert!(error.contains("different worlds") && !Path::new(&joined).exists(), "{error}");
        std::fs::remove_file(&other).unwrap();
    }
    warned(bake(&floor, &store, &east));
    let whole = warned(bake(&floor, &store, &["--stats", &path_in(&folder, "stats.json")]));
    assert!(!whole.contains("warning"), "{whole}");
    let stats: serde_json::Value =
        serde_json::from_slice(&std::fs::read(path_in(&folder, "stats.json")).unwrap()).unwrap();
    assert_eq!(stats["tiles"]["reused"], stats["tiles"]["count"]);
    // A bake of the whole replaces tiles for others.
    warned(bake(&floor, &store, &["--agent-height", "3"]));
    assert_eq!(json(&["info", &store, "--json"])["baked_for"][0]["height"], 3.0);
}

#[test]
fn what_strict_refuses_is_not_written_however_often_it_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let floor = floor(&folder);
    let degenerate = write_in(&folder, "degenerate.obj", &format!("{FLOOR}f 1 2 2\n"));
    let areas = write_in(&folder, "areas.toml", "[material.lava]\narea = 3\n");
    let outside =
        write_in(&folder, "volumes.toml", "[[volume]]\narea = 3\nbox = { min = [90, 0, 90], max = [95, 2, 95] }\n");
    let ways = |name: &str, text: &str| write_in(&folder, name, text);
    let loose = ways("loose.jsonl", "{\"start\": [5, 0, 5], \"end\": [20, 9, 20]}\n");
    let nowhere = ways("nowhere.jsonl", "{\"start\": [5, 0, 5], \"end\": [5, 0, 5]}\n");
    for store in ["world.wayworld", "tiles/"].map(|name| path_in(&folder, name)) {
        for (level, more, what) in [
            (&degenerate, &[][..], "without area"),
            (&floor, &["--areas", &areas], "lava"),
            (&floor, &["--areas", &outside], "volumes that mark nothing"),
            (&floor, &["--connections", &loose], "[20, 9, 20]"),
            (&floor, &["--connections", &nowhere], "line 1"),
            (&floor, &["--cell-size", "0.7"], "unwise settings"),
        ] {
            for _ in 0..2 {
                let error = refused(level, &store, &[more, &["--strict"]].concat());
                assert!(error.contains(what) && error.contains("an error because of --strict"), "{error}");
                assert!(!Path::new(&store).exists(), "{store} {what}");
            }
            let text = warned(bake(level, &path_in(&folder, "told.wayworld"), more));
            assert!(text.contains("warning"), "{what}: {text}");
        }
        warned(bake(&floor, &store, &["--strict"]));
        let before = content(&store);
        refused(&floor, &store, &["--strict", "--connections", &loose, "--agent-height", "3"]);
        assert_eq!(content(&store), before);
        good(&["check", &store]);
        // The same tiles as without it.
        let digest = |stats: &str| {
            let text = std::fs::read(stats).unwrap();
            serde_json::from_slice::<serde_json::Value>(&text).unwrap()["digest"].clone()
        };
        let stats = path_in(&folder, "stats.json");
        warned(bake(&floor, &store, &["--strict", "--agent-height", "3", "--stats", &stats]));
        let strict = digest(&stats);
        warned(bake(&floor, &path_in(&folder, "plain.wayworld"), &["--agent-height", "3", "--stats", &stats]));
        assert_eq!(strict, digest(&stats));
        // A range is checked by itself.
        warned(bake(&floor, &store, &["--strict", "--agent-height", "3", "--tiles", "0,0,1,1"]));
        let error = refused(&floor, &store, &["--strict", "--tiles", "0,0,1,1"]);
        assert!(error.contains("the agent's height"), "{error}");
        // A range of all tiles is the whole: with the levels above them, whatever was there.
        let levels = |store: &str| json(&["info", store, "--json"])["store"]["levels"].clone();
        let [part, whole] = ["part/", "whole/"].map(|name| path_in(&folder, name));
        warned(bake(&floor, &whole, &[]));
        warned(bake(&floor, &part, &["--tiles", "0,0,1,1"]));
        warned(bake(&floor, &part, &["--strict", "--tiles", "0,0,9,9"]));
        assert_eq!(levels(&part), levels(&whole));
        [part, whole].iter().for_each(|store| std::fs::remove_dir_all(store).unwrap());
    }
}

#[test]
fn what_is_wrong_with_the_parts_of_a_world_is_told() {
    let folder = tempfile::tempdir().unwrap();
    floor(&folder);
    write_in(&folder, "faulty.obj", "v 0 0 0\nv 0 0 40\nv 40 0 40\nv nan 0 0\nf 1 2 3\nf 1 3 4\nf 1 2\n");
    write_in(
        &folder,
        "level.gset",
        "f floor.obj\ns 0.3 0.2 2 0.6 0.9 45 8 20 12 1.3 6 6 1 0 0 0 0 40 0 40 0\nc 5 0 5 20 9 20 0.6 1 5 8\n",
    );
    let areas = write_in(
        &folder,
        "areas.toml",
        "[material.lava]\narea = 3\n[[volume]]\narea = 3\nbox = { min = [900, 0, 90], max = [950, 2, 95] }\n",
    );
    let world = write_in(
        &folder,
        "world.toml",
        "[[part]]\nfile = \"faulty.obj\"\nat = [50, 0, 0]\n[[part]]\nfile = \"level.gset\"\n",
    );
    let store = path_in(&folder, "world.wayworld");
    let text = warned(bake(&world, &store, &["--areas", &areas]));
    for what in [
        "corners that are NaN or infinite: 1",
        "with fewer than three corners were left out",
        "its own settings",
        "--areas names what the level does not have: lava",
        "volumes that mark nothing",
        "connections that cannot be used",
    ] {
        assert!(text.contains(what), "{what}: {text}");
    }
    let error = refused(&world, &path_in(&folder, "none.wayworld"), &["--strict"]);
    assert!(error.contains("an error because of --strict"), "{error}");
    for (part, what) in
        [("at = [1e39, 0, 0]", "at has 1e39"), ("scale = 1e-60", "scale is 1e-60"), ("scale = 1e38", "beyond")]
    {
        let world = write_in(&folder, "far.toml", &format!("[[part]]\nfile = \"floor.obj\"\n{part}\n"));
        let error = refused(&world, &store, &[]);
        assert!(error.contains("part 1") && error.contains(what), "{error}");
    }
}
