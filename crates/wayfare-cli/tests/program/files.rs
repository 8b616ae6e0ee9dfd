//! What is written and what is not: no file is lost to another kind of file, and none is left half-written.

use super::{Baked, baked, error_of, good, path_in, wayfare, write_in};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn names(folder: &TempDir) -> Vec<PathBuf> {
    std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect()
}

#[test]
fn no_file_is_overwritten_by_another_kind() {
    let Baked { folder, mesh } = baked(&[]);
    let ask = write_in(&folder, "ask.jsonl", "{\"id\": 1, \"op\": \"nearest\", \"point\": [0, 0, 0]}\n");
    let errands = write_in(&folder, "errands.jsonl", "{\"start\": [0, 0, 0], \"goal\": [1, 0, 0]}\n");
    let there = ["keep.obj", "keep.glb", "keep.bin", "keep.svg", "keep.json", "keep.jsonl", "keep.way"];
    let [obj, glb, bin, svg, stats, lines, way] = there.map(|name| write_in(&folder, name, "v 0 0 0\nv 1 0 0\n"));
    // A height map of 16 bits; its pixels do not matter.
    let heights = path_in(&folder, "heights.png");
    std::fs::write(&heights, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x10\0").unwrap();
    let path = ["path", &mesh, "--from", "-4,0,0", "--to", "-3,0,0", "--draw"];
    let blocks = ["blocks", "scene:blocks?size=32", "--random", "1", "--draw", &svg];
    let commands: [&[&str]; 13] = [
        &["convert", &mesh, &obj],
        &["convert", &mesh, &glb],
        &["convert", &mesh, &bin],
        &["convert", &mesh, &way],
        &["scene", "stairs", "-o", &obj],
        &["draw", &mesh, "-o", &svg],
        &["draw", &mesh, "-o", &heights],
        &[&path[..], &[&svg]].concat(),
        &["bake", "scene:stairs", "-o", &path_in(&folder, "new.way"), "--stats", &stats],
        &["bake", "scene:stairs", "-o", &way],
        &["query", &mesh, "--batch", &ask, "--out", &errands],
        &["crowd", &mesh, "--ticks", "2", "--goals", &errands, "--trace", &lines],
        &blocks,
    ];
    for command in commands {
        let error = error_of(command);
        assert!(error.contains("and is not overwritten: give another name"), "{command:?}: {error}");
    }
    for (name, old) in there.iter().zip([obj, glb, bin, svg, stats, lines, way]) {
        assert_eq!(std::fs::read(old).unwrap(), b"v 0 0 0\nv 1 0 0\n", "{name}");
    }
    assert!(!PathBuf::from(path_in(&folder, "new.way")).exists());
    let stages = ["bake", "scene:stairs", "-o", &path_in(&folder, "new.way"), "--draw-stages", &errands];
    assert!(error_of(&stages).contains("the folder cannot be made: a file of that name is there"));
}

#[test]
fn what_a_command_reads_it_does_not_write() {
    let Baked { folder, mesh } = baked(&[]);
    let areas = write_in(&folder, "areas.svg", "[area.1]\n");
    let same =
        |args: &[&str]| assert!(error_of(args).contains("this file is read, and would be overwritten"), "{args:?}");
    same(&["convert", &mesh, &mesh]);
    same(&["draw", &mesh, "-o", &areas, "--areas", &areas]);
    let batch = write_in(&folder, "batch.jsonl", "{\"op\": \"nearest\", \"point\": [0, 0, 0]}\n");
    same(&["query", &mesh, "--batch", &batch, "--out", &batch]);
    let play = write_in(&folder, "play.svg", "{\"op\": \"path\", \"from\": [0,0,0], \"to\": [1,0,0]}\n");
    same(&["grid", "--play", &play, "--draw", &play]);
}

#[test]
fn products_are_written_over_by_their_own_kind() {
    let Baked { folder, mesh } = baked(&[]);
    let ask = write_in(&folder, "ask.jsonl", "{\"id\": 1, \"op\": \"nearest\", \"point\": [0, 0, 0]}\n");
    let [obj, glb, bin, way, svg, png, stats, answers, trace] =
        ["o.obj", "o.glb", "o.bin", "o.way", "o.svg", "o.png", "o.json", "o.jsonl", "t.jsonl"]
            .map(|n| path_in(&folder, n));
    for _ in 0..2 {
        for target in [&obj, &glb, &bin, &way] {
            good(&["convert", &mesh, target]);
        }
        good(&["scene", "stairs", "-o", &obj]);
        for target in [&svg, &png] {
            good(&["draw", &mesh, "-o", target]);
        }
        good(&["bake", "scene:stairs", "-o", &way, "--stats", &stats, "--keep-explain", "--quiet"]);
        good(&["query", &mesh, "--batch", &ask, "--out", &answers]);
        good(&["crowd", &mesh, "--ticks", "2", "--agents", "1", "--trace", &trace]);
    }
}

#[cfg(unix)]
#[test]
fn whoever_ends_it_finds_nothing_half_written() {
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let target = path_in(&folder, "never.way");
        let mut child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
            // Minutes of work: it is never done before the signal comes, however long that takes.
            .args(["bake", "scene:terrain?size=200", "--cell-size", "0.01", "-o", &target, "--tile-size", "64"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Until it has begun to write.
        while names(&folder).is_empty() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(status), "{signal}");
        assert_eq!(names(&folder), Vec::<PathBuf>::new(), "{signal}");
    }
}

/// Nothing is known to be good before all is baked: no file is left, and no empty store.
#[cfg(unix)]
#[test]
fn whoever_ends_a_strict_bake_finds_no_store() {
    for target in ["never.wayworld", "never/"] {
        let folder = tempfile::tempdir().unwrap();
        let temporary = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
            .env("TMPDIR", temporary.path())
            // Minutes of work.
            .args(["bake", "scene:continent?km=8", "-o", &path_in(&folder, target), "--tile-size", "64", "--strict"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let place = if target.ends_with('/') { folder.path().join(target) } else { folder.path().to_owned() };
        let is_checked = |entry: std::io::Result<std::fs::DirEntry>| {
            entry.unwrap().file_name().to_string_lossy().ends_with("checked")
        };
        // Until tiles are written.
        while !std::fs::read_dir(&place).is_ok_and(|mut entries| entries.any(is_checked)) {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(143));
        assert_eq!(names(&folder), Vec::<PathBuf>::new(), "{target}");
        assert_eq!(names(&temporary), Vec::<PathBuf>::new(), "{target}");
    }
}

/// The files that are being written.
#[cfg(unix)]
fn parts(folder: &TempDir) -> Vec<PathBuf> {
    let is_part = |name: &PathBuf| name.extension().is_some_and(|ending| ending == "part");
    names(folder).into_iter().filter(is_part).collect()
}

/// Begins a bake that takes long, and waits until it writes.
#[cfg(unix)]
fn begun(folder: &TempDir, target: &str) -> std::process::Child {
    let before = parts(folder);
    let mut child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(["bake", "scene:terrain?size=200", "--cell-size", "0.05", "-o", target, "--tile-size", "64"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while parts(folder).iter().all(|part| before.contains(part)) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it wrote");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child
}

#[cfg(unix)]
#[test]
fn what_a_killed_bake_leaves_is_removed_by_the_next_and_what_another_writes_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let [slow, quick] = ["slow.way", "quick.way"].map(|name| path_in(&folder, name));
    let mut killed = begun(&folder, &slow);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let left = parts(&folder);
    assert_eq!(left.len(), 1, "it could not tidy up");
    let mut alive = begun(&folder, &slow);
    let written = parts(&folder);
    assert!(written.len() == 1 && written != left, "{written:?}");
    good(&["bake", "scene:flat", "-o", &quick, "--quiet"]);
    assert_eq!(parts(&folder), written, "that of the one who is at work");
    alive.kill().unwrap();
    alive.wait().unwrap();
}

/// Whatever is written, and wherever.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_in_one_sentence() {
    let Baked { folder, mesh } = baked(&[]);
    let ask = write_in(&folder, "ask.jsonl", "{\"id\": 1, \"op\": \"nearest\", \"point\": [0, 0, 0]}\n");
    let level = path_in(&folder, "level.way");
    let full = "/dev/full";
    let [svg, way, glb, obj] = ["f.svg", "f.way", "f.glb", "f.obj"].map(|name| {
        let link = path_in(&folder, name);
        std::os::unix::fs::symlink(full, &link).unwrap();
        link
    });
    let written: [&[&str]; 13] = [
        &["bake", "scene:flat", "-o", full, "--quiet"],
        &["bake", "scene:flat?size=80", "-o", full, "--tile-size", "8", "--quiet"],
        &["bake", "scene:flat", "-o", &level, "--stats", full, "--quiet"],
        &["convert", &mesh, &way],
        &["convert", &mesh, &glb],
        &["scene", "flat", "-o", &obj],
        &["draw", &mesh, "-o", &svg],
        &["path", &mesh, "--from", "-4,0,0", "--to", "-3,0,0", "--draw", &svg],
        &["query", &mesh, "--batch", &ask, "--out", full],
        &["crowd", &mesh, "--ticks", "2", "--agents", "2", "--trace", full],
        &["crowd", &mesh, "--ticks", "2", "--agents", "2", "--draw", &svg],
        &["blocks", "scene:blocks?size=32", "--random", "1", "--draw", &svg],
        &["grid", "--play", "scene:lively_yard", "--draw", &svg],
    ];
    let said = |told: &str| {
        assert!(told.starts_with("error: ") && told.lines().count() == 1, "{told}");
        assert!(told.contains(": cannot be written: the disk is full; "), "{told}");
    };
    for command in written {
        let out = wayfare(command);
        assert_eq!(out.status.code(), Some(2), "{command:?}");
        said(&String::from_utf8(out.stderr).unwrap());
    }
    let printed: [&[&str]; 9] = [
        &["info", &mesh],
        &["check", &mesh],
        &["path", &mesh, "--from", "-4,0,0", "--to", "-3,0,0"],
        &["query", &mesh, "--batch", &ask],
        &["explain", &mesh, "--from", "-4,0,0", "--to", "-3,0,0"],
        &["scenes"],
        &["scene", "flat", "-o", "-"],
        &["bake", "scene:flat", "-o", "-", "--quiet"],
        &["completions", "bash"],
    ];
    for command in printed {
        let out = Command::new(env!("CARGO_BIN_EXE_wayfare"))
            .args(command)
            .stdin(Stdio::null())
            .stdout(std::fs::OpenOptions::new().write(true).open(full).unwrap())
            .output()
            .unwrap();
        assert_eq!(out.status.code(), Some(2), "{command:?}");
        said(&String::from_utf8(out.stderr).unwrap());
    }
}

#[test]
fn what_detour_cannot_hold_is_told_with_the_option_that_helps() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, detour) = (path_in(&folder, "m.way"), path_in(&folder, "m.bin"));
    good(&["bake", "scene:holes_and_pillars", "-o", &mesh, "--verts-per-poly", "12", "--quiet"]);
    assert!(error_of(&["convert", &mesh, &detour]).contains("(see --verts-per-poly of `wayfare bake`)"));
}

#[test]
fn the_bytes_of_a_mesh_are_counted_wherever_it_comes_from_and_connections_are_no_polygons() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "l.way");
    good(&["bake", "scene:ledges", "-o", &mesh, "--links", "agent", "--quiet"]);
    let checked = good(&["check", &mesh]);
    let info = good(&["info", &mesh]);
    let told = |what: &str| info.lines().find_map(|l| l.strip_prefix(what)).unwrap().trim().to_owned();
    let (polygons, ways) = (told("polygons"), told("connections"));
    let ways = ways.split_once(':').unwrap().0;
    let sound = format!("{polygons} polygons in 1 tile and {ways} off-mesh connections, all sound\n");
    assert!(checked.ends_with(&sound), "{checked}");
    #[cfg(target_os = "linux")]
    {
        let piped = Command::new(env!("CARGO_BIN_EXE_wayfare"))
            .args(["info", "/dev/stdin"])
            .stdin(Command::new("cat").arg(&mesh).stdout(Stdio::piped()).spawn().unwrap().stdout.take().unwrap())
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(piped.stdout).unwrap(), info);
    }
    assert_eq!(wayfare(&["info", &mesh]).status.code(), Some(0));
}
