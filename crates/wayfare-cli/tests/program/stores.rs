//! Tile stores: baked, killed and gone on with, in parts, damaged and mended.

use super::{error_of, good, json, path_in, wayfare, write_in};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const WORLD: &str = "scene:continent?km=0.2&seed=3";
const TILES: [&str; 3] = ["--tile-size", "32", "--quiet"];

/// Bakes, and gives the statistics.
fn bake(folder: &TempDir, level: &str, target: &str, more: &[&str]) -> Value {
    let stats = path_in(folder, "stats.json");
    good(&[&["bake", level, "-o", target, "--stats", &stats], &TILES[..], more].concat());
    serde_json::from_slice(&std::fs::read(stats).unwrap()).unwrap()
}

fn listed(store: &str) -> Vec<Value> {
    good(&["store", "list", store, "--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_store_holds_what_the_mesh_holds_in_both_forms() {
    let folder = tempfile::tempdir().unwrap();
    for level in [WORLD, "scene:river"] {
        let (mesh, packed) = (path_in(&folder, "mesh.way"), path_in(&folder, "world.wayworld"));
        let tiles = path_in(&folder, "tiles/");
        let _ = (std::fs::remove_dir_all(&tiles), std::fs::remove_file(&packed));
        bake(&folder, level, &mesh, &[]);
        let [one, many] = [&packed, &tiles].map(|store| bake(&folder, level, store, &[]));
        assert_eq!(one["digest"], many["digest"]);
        assert_eq!(one["digest"], bake(&folder, level, &packed, &["--threads", "1"])["digest"]);
        let whole = json(&["info", &mesh, "--json"]);
        for store in [&packed, &tiles] {
            let kept = json(&["info", store, "--json"]);
            for key in ["tiles", "polygons", "components", "vertices", "bounds"] {
                assert_eq!(kept[key], whole[key], "{level} {key}");
            }
            assert_eq!(kept["store"]["tiles"], one["tiles"]["count"]);
            assert!(kept["store"]["graph_bytes"].as_u64().unwrap() > 0);
            assert_eq!(listed(store).len() as u64, one["tiles"]["count"].as_u64().unwrap());
            good(&["check", store]);
            good(&["draw", store, "-o", &path_in(&folder, "world.svg"), "--quiet"]);
            // Loaded, it is the mesh that a bake in memory gives.
            let copy = path_in(&folder, "copy.way");
            good(&["convert", store, &copy]);
            let polygons = |mesh: &str| good(&["convert", mesh, &path_in(&folder, "mesh.obj")]).len();
            assert_eq!(polygons(&copy), polygons(&mesh));
        }
    }
}

#[test]
fn killed_at_any_moment_it_goes_on_and_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole.wayworld", "cut.wayworld"].map(|name| path_in(&folder, name));
    let expected = bake(&folder, WORLD, &whole, &[]);
    // Moments that differ from one machine to the next: none may make a difference.
    for delay in [1, 15, 30, 45, 60, 90, 120, 170, 230, 300] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wayfare"))
            .args(["bake", WORLD, "-o", &cut])
            .args(TILES)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        // SIGKILL on Unix.
        child.kill().unwrap();
        child.wait().unwrap();
        if std::fs::exists(&cut).unwrap() {
            good(&["check", &cut]);
        }
    }
    let again = bake(&folder, WORLD, &cut, &[]);
    assert_eq!(again["digest"], expected["digest"]);
    let reused = bake(&folder, WORLD, &cut, &[]);
    assert_eq!(reused["tiles"]["reused"], expected["tiles"]["count"]);
    assert_eq!(reused["polygons"]["count"], expected["polygons"]["count"]);
    [&whole, &cut].iter().for_each(|store| drop(good(&["store", "compact", store])));
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&cut).unwrap());
}

#[test]
fn ranges_joined_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, joined, west, east] =
        ["whole.wayworld", "joined.wayworld", "west.wayworld", "east/"].map(|name| path_in(&folder, name));
    let expected = bake(&folder, WORLD, &whole, &[]);
    bake(&folder, WORLD, &west, &["--tiles", "0,0,9,99"]);
    let part = bake(&folder, WORLD, &east, &["--tiles", "9,0,99,99"]);
    assert!(part["tiles"]["count"].as_u64() < expected["tiles"]["count"].as_u64());
    good(&["store", "join", &west, &east, "-o", &joined, "--quiet"]);
    [&whole, &joined].iter().for_each(|store| drop(good(&["store", "compact", store])));
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&joined).unwrap());
    let error = error_of(&["bake", WORLD, "-o", &west, "--tile-size", "32", "--tiles", "900,0,901,1"]);
    assert!(error.contains("there are no such tiles") && error.contains("--tiles"), "{error}");
    // A range in the sky is no failure, a world there is.
    let sky = ["--bounds", "0,60,0,20,70,20"];
    let nothing = path_in(&folder, "nothing.wayworld");
    bake(&folder, WORLD, &nothing, &[&["--tiles", "0,0,1,1"], &sky[..]].concat());
    let whole = wayfare(&[&["bake", WORLD, "-o", &nothing], &TILES[..], &sky[..]].concat());
    assert_eq!(whole.status.code(), Some(1));
}

#[test]
fn broken_tiles_are_named_and_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let store = path_in(&folder, "world.wayworld");
    let expected = bake(&folder, WORLD, &store, &[]);
    let tiles = listed(&store);
    let mut bytes = std::fs::read(&store).unwrap();
    let hurt = [&tiles[7], &tiles[100]];
    for tile in hurt {
        let middle = tile["offset"].as_u64().unwrap() + tile["bytes"].as_u64().unwrap() / 2;
        bytes[middle as usize] ^= 0xFF;
    }
    std::fs::write(&store, bytes).unwrap();
    let out = wayfare(&["check", &store]);
    let text = String::from_utf8(out.stdout).unwrap();
    assert_eq!(out.status.code(), Some(1));
    for tile in hurt {
        let name = format!("the tile at column {}, row {}, layer 0 is broken", tile["x"], tile["z"]);
        assert!(text.contains(&name), "{text}");
    }
    let report: Value = serde_json::from_slice(&wayfare(&["check", &store, "--json"]).stdout).unwrap();
    assert_eq!(report["violations"].as_array().unwrap().len(), 2);
    let info = wayfare(&["info", &store]);
    assert!(info.status.success() && String::from_utf8(info.stderr).unwrap().matches("is broken").count() == 2);
    let again = bake(&folder, WORLD, &store, &[]);
    assert_eq!(again["digest"], expected["digest"]);
    assert_eq!(again["tiles"]["reused"].as_u64().unwrap() + 2, expected["tiles"]["count"].as_u64().unwrap());
    good(&["check", &store]);
}

#[test]
fn a_damaged_index_is_an_error_that_names_repair() {
    let folder = tempfile::tempdir().unwrap();
    let store = path_in(&folder, "world.wayworld");
    let expected = bake(&folder, WORLD, &store, &[]);
    let mut bytes = std::fs::read(&store).unwrap();
    let end = bytes.len() - 20;
    bytes[end] ^= 1;
    std::fs::write(&store, &bytes).unwrap();
    let from = ["--from", "1,0,1", "--to", "9,0,9"];
    for command in
        [&["check", &store][..], &["info", &store], &["store", "list", &store], &["store", "compact", &store]]
    {
        let error = error_of(command);
        assert!(error.contains("wayfare store repair"), "{error}");
    }
    assert!(error_of(&[&["path", &store][..], &from].concat()).contains("repair"));
    assert!(error_of(&[&["bake", WORLD, "-o", &store], &TILES[..]].concat()).contains("repair"));
    good(&["store", "repair", &store, "--quiet"]);
    let again = bake(&folder, WORLD, &store, &[]);
    assert_eq!((&again["digest"], &again["tiles"]["reused"]), (&expected["digest"], &expected["tiles"]["count"]));
}

#[test]
fn a_described_world_is_the_level_that_its_parts_make() {
    let folder = tempfile::tempdir().unwrap();
    let floor = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n";
    write_in(&folder, "floor.obj", floor);
    write_in(
        &folder,
        "box.obj",
        "v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nv 0 3 0\nv 0 3 1\nv 1 3 1\nv 1 3 0\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
    );
    let text = "[[part]]\nfile = \"floor.obj\"\n[[part]]\nfile = \"box.obj\"\ninstances = [{ at = [4, 0, 4] }, { at = [15, 0, 4], turn = 90, scale = 2 }]\n";
    let world = write_in(&folder, "world.toml", text);
    // The same in one file.
    let boxes = [[4.0, 4.0, 1.0, 0.0], [15.0, 4.0, 2.0, 1.0]].map(|[x, z, scale, turned]| {
        let corners = [
            [0., 0., 0.],
            [0., 0., 1.],
            [1., 0., 1.],
            [1., 0., 0.],
            [0., 3., 0.],
            [0., 3., 1.],
            [1., 3., 1.],
            [1., 3., 0.],
        ];
        corners.map(|[a, y, c]: [f64; 3]| {
            let [a, c] = if turned == 1.0 { [-c, a] } else { [a, c] };
            format!("v {} {} {}\n", x + a * scale, y * scale, z + c * scale)
        })
    });
    let faces = |base: usize| {
        [[5, 6, 7, 8], [1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [4, 1, 5, 8]]
            .map(|face| face.map(|v: usize| format!(" {}", v + base)).concat())
            .map(|face| format!("f{face}\n"))
            .concat()
    };
    let level = format!("{floor}{}{}{}{}", boxes[0].concat(), boxes[1].concat(), faces(4), faces(12));
    let level = write_in(&folder, "level.obj", &level);
    let [a, b] = ["a.wayworld", "b.wayworld"].map(|name| path_in(&folder, name));
    let [a, b] = [(&world, &a), (&level, &b)].map(|(level, store)| bake(&folder, level, store, &[]));
    assert_eq!(a["polygons"], b["polygons"]);
    assert_eq!(a["digest"], b["digest"]);
    assert!(a["polygons"]["count"].as_u64().unwrap() > 4);
}

#[test]
fn a_height_map_in_a_described_world_is_the_ground_that_it_is_alone() {
    let folder = tempfile::tempdir().unwrap();
    let map = path_in(&folder, "hills.png");
    let samples = (0..40u32).flat_map(|z| (0..40u32).map(move |x| ((x * x / 9 + z * 17 + x * z) % 200 + 100) as u16));
    let samples: Vec<u8> = samples.flat_map(u16::to_be_bytes).collect();
    let mut encoder = png::Encoder::new(std::fs::File::create(&map).unwrap(), 40, 40);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.write_header().unwrap().write_image_data(&samples).unwrap();
    let text = "[[part]]\nfile = \"hills.png\"\npixel-size = 1.0\npixel-height = 0.02\n";
    let world = write_in(&folder, "world.toml", text);
    let [a, b] = ["a.wayworld", "b.wayworld"].map(|name| path_in(&folder, name));
    let described = bake(&folder, &world, &a, &[]);
    let alone = bake(&folder, &map, &b, &["--pixel-size", "1", "--pixel-height", "0.02"]);
    assert_eq!(described["polygons"], alone["polygons"]);
    assert_eq!(described["detail"], alone["detail"]);
}

#[test]
fn a_generated_world_can_be_part_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[[part]]\nscene = \"continent?km=0.1\"\nat = [100, 5, 0]\n[[part]]\nscene = \"stairs\"\n";
    let world = write_in(&folder, "world.toml", text);
    let store = path_in(&folder, "world.wayworld");
    bake(&folder, &world, &store, &[]);
    let bounds = &json(&["info", &store, "--json"])["bounds"];
    assert!(bounds["max"][0].as_f64().unwrap() > 190.0 && bounds["min"][0].as_f64().unwrap() < 100.0, "{bounds}");
    good(&["check", &store]);
}

#[test]
fn what_makes_no_sense_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let store = path_in(&folder, "world.wayworld");
    let refused = |args: &[&str], word: &str| {
        let error = error_of(args);
        assert!(error.contains(word), "{error}");
    };
    let to_store = |more: &[&str], word: &str| refused(&[&["bake", "scene:stairs", "-o", &store], more].concat(), word);
    to_store(&["--layers"], "--layers needs the whole mesh in memory");
    to_store(&["--agent", "rat:radius=0.1"], "--agent");
    to_store(&["--tiles", "3,0,1,0"], "the first column and row and the last");
    refused(&["bake", "scene:stairs", "-o", &path_in(&folder, "a.way"), "--tiles", "0,0,1,1"], "--tiles");
    let described = |text: &str, word: &str| {
        let world = write_in(&folder, "world.toml", text);
        refused(&["bake", &world, "-o", &store, "--tile-size", "32"], word);
        refused(&["bake", &world, "-o", &path_in(&folder, "a.way")], "baked into a store");
    };
    described("", "[[part]]");
    described("[[part]]\nfil = \"a.obj\"\n", "fil");
    described("[[part]]\nfile = \"missing.obj\"\n", "part 1: ");
    described("[[part]]\nscene = \"continent\"\nturn = 3\n", "moved");
    described("[[part]]\nscene = \"stairs\"\nscale = -1\n", "scale is -1");
    described("bounds = [0, 0, 0, -1, 1, 1]\n[[part]]\nscene = \"stairs\"\n", "bounds");
    let notes = write_in(&folder, "notes.wayworld", "not a store");
    for command in [&["bake", "scene:stairs", "-o", &notes][..], &["info", &notes], &["store", "repair", &notes]] {
        error_of(command);
    }
    assert_eq!(std::fs::read(&notes).unwrap(), b"not a store");
    let full = path_in(&folder, "full/");
    std::fs::create_dir(&full).unwrap();
    std::fs::write(format!("{full}letter.txt"), "dear").unwrap();
    refused(&["bake", "scene:stairs", "-o", &full], "holds other files");
    let mesh = path_in(&folder, "mesh.way");
    good(&["bake", "scene:stairs", "-o", &mesh, "--quiet"]);
    refused(&["path", &mesh, "--from", "0,0,0", "--to", "1,0,1", "--resident-tiles", "4"], "--resident-tiles");
}

#[test]
fn options_of_the_input_hold_for_a_generated_world() {
    let folder = tempfile::tempdir().unwrap();
    let areas =
        "[material.lava]\narea = 3\n[[volume]]\narea = 0\nbox = { min = [-9, -99, -9], max = [50, 999, 999] }\n";
    let areas = write_in(&folder, "areas.toml", areas);
    let scene = "scene:continent?km=0.1";
    let world = write_in(&folder, "world.toml", "[[part]]\nscene = \"continent?km=0.1\"\n");
    let stores = ["a.wayworld", "b.wayworld", "c.wayworld"].map(|name| path_in(&folder, name));
    let [free, alone, described] = [(scene, &[][..]), (scene, &["--areas", &areas]), (&world, &["--areas", &areas])];
    let [free, alone, described] = [(free, 0), (alone, 1), (described, 2)]
        .map(|((level, more), store)| bake(&folder, level, &stores[store], more)["polygons"]["area"].as_f64().unwrap());
    assert!(alone < 0.6 * free, "{alone} of {free}");
    assert_eq!(alone, described);
    for level in [scene, &world] {
        let error = error_of(&["bake", level, "-o", &stores[0], "--tile-size", "32", "--scale", "2"]);
        assert!(error.contains("leave out --scale"), "{error}");
        let strict = error_of(&["bake", level, "-o", &stores[0], "--tile-size", "32", "--areas", &areas, "--strict"]);
        assert!(strict.contains("--areas names what the level does not have: lava"), "{strict}");
    }
    let more = ["--up", "z", "--pixel-size", "2", "--tile-size", "32"];
    let out = wayfare(&[&["bake", scene, "-o", &stores[0]], &more[..]].concat());
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(told.contains("--up turns files of triangles") && told.contains("there is none"), "{told}");
}

#[test]
fn a_bound_on_the_tiles_in_memory_holds_or_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = path_in(&folder, "world.wayworld");
    bake(&folder, WORLD, &store, &[]);
    let ends = ["--from", "5,20,5", "--to", "190,20,190", "--reach", "20,200,20", "--resident-tiles", "8"];
    let path = |more: &[&str]| wayfare(&[&["path", &store][..], &ends, more].concat());
    let most = |answer: &Value| answer["resident_max"].as_u64().unwrap();
    assert!(most(&serde_json::from_slice(&path(&["--json"]).stdout).unwrap()) <= 8);
    let svg = path_in(&folder, "path.svg");
    for more in [&["--search", "corridor"][..], &["--radius", "1"], &["--draw", &svg]] {
        let error = String::from_utf8(path(more).stderr).unwrap();
        assert!(error.contains("--resident-tiles cannot hold"), "{error}");
    }
    let ask = |id: u32, op: &str, more: &str| {
        let reach = "\"half_extents\": [20, 200, 20]";
        format!("{{\"id\": {id}, \"op\": \"{op}\", \"start\": [5, 20, 5], \"end\": [190, 20, 190], {reach}{more}}}\n")
    };
    let lines = [
        ask(1, "path", ", \"search\": \"hierarchical\""),
        ask(2, "path", ""),
        "{\"id\": 3, \"op\": \"path\", \"search\": \"hierarchical\"}\n".to_owned(),
        "nonsense\n".to_owned(),
        ask(5, "path", ", \"search\": \"hierarchical\""),
    ];
    let batch = write_in(&folder, "ask.jsonl", &lines.concat());
    let query = |batch: &str, more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_wayfare"))
            .args([&["query", &store, "--batch", batch, "--resident-tiles", "8"][..], more].concat())
            .stdin(std::fs::File::open(path_in(&folder, "ask.jsonl")).unwrap())
            .output()
            .unwrap()
    };
    for batch in [&batch, "-"] {
        let out = query(batch, &[]);
        assert_eq!(out.status.code(), Some(2));
        let answers: Vec<Value> = out
            .stdout
            .split(|b| *b == b'\n')
            .filter(|l| !l.is_empty())
            .map(|l| serde_json::from_slice(l).unwrap())
            .collect();
        assert_eq!(answers.len(), 5);
        assert!(most(&answers[0]) <= 8 && most(&answers[4]) <= 8);
        assert_eq!((&answers[4]["points"], &answers[4]["status"]), (&answers[0]["points"], &Value::from("complete")));
        for (line, what) in
            [(1, "line 2: needs every tile"), (2, "line 3: \"path\" asks with"), (3, "line 4: is not JSON")]
        {
            assert!(answers[line]["error"].as_str().unwrap().contains(what), "{}", answers[line]);
        }
    }
    let bench = query(&batch, &["--bench"]);
    assert!(String::from_utf8(bench.stderr).unwrap().contains("leave out --bench"));
}
