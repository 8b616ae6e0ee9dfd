//! What is told of slips: settings and files that mean nothing, or not what was meant.

use super::{Baked, baked, error_of, good, json, path_in, wayfare, write_in};
use std::path::Path;

/// What is said besides the product.
fn told(args: &[&str]) -> String {
    let out = wayfare(args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stderr).unwrap()
}

#[test]
fn links_that_are_misspelt_empty_or_useless_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "l.way");
    let bake = |option: &str, text: &str| {
        let file = write_in(&folder, "links.toml", text);
        ["bake", "scene:ledges", "-o", &mesh, option, &file].map(str::to_owned)
    };
    let args = |args: &[String; 6]| error_of(&args.each_ref().map(String::as_str));
    let error = args(&bake("--config", "[links.dropp]\n"));
    assert!(error.contains("links.toml: [links.dropp] is not a kind of link: did you mean \"drop\"?"), "{error}");
    let error = args(&bake("--config", "[links.drop]\nspacing = -1\n"));
    assert!(error.contains("links.toml: [links.drop]: spacing is -1"), "{error}");
    let says = |text: &str| told(&bake("--links", text).each_ref().map(String::as_str));
    assert!(says("").contains("links.toml: no links are looked for"));
    assert!(says("[drop]\nflags = 0\n").contains("links.toml: [drop]: links with flags 0 are closed"));
    assert!(!says("[drop]\n").contains("links.toml"));
    let file = write_in(&folder, "links.toml", "");
    let strict = error_of(&["bake", "scene:ledges", "-o", &mesh, "--links", &file, "--strict"]);
    assert!(strict.contains("because of --strict"), "{strict}");
}

#[test]
fn a_setting_too_large_for_the_cells_is_named_itself() {
    for (option, limit) in [
        ("--agent-radius", "at most 65535 cells: here 19660.5 m"),
        ("--agent-height", "at most 65535 cell heights: here 13107 m"),
        ("--agent-max-drop", "at most 65535 cell heights: here 13107 m"),
    ] {
        let error = error_of(&["bake", "scene:flat", "-o", "never.way", option, "1e9"]);
        assert!(error.contains(&format!("{option} is 1000000000, but must be {limit}")), "{error}");
    }
}

/// A height map of two by two points, of which one is high.
fn height_map(path: &str) {
    let mut encoder = png::Encoder::new(std::fs::File::create(path).unwrap(), 2, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.write_header().unwrap().write_image_data(&[0, 0, 255, 0, 255, 0, 0, 0]).unwrap();
}

#[test]
fn height_maps_too_steep_and_levels_that_cannot_be_turned_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (map, mesh) = (path_in(&folder, "h.png"), path_in(&folder, "h.way"));
    height_map(&map);
    let said = |args: &[&str]| String::from_utf8(wayfare(args).stderr).unwrap();
    let bake = said(&["bake", &map, "-o", &mesh, "--pixel-size", "20"]);
    assert!(bake.contains("the height map is steeper than the slope everywhere: its points lie 20 m apart"), "{bake}");
    assert!(bake.contains("(see --pixel-size, --pixel-height, --agent-max-slope)"), "{bake}");
    let turned = "warning: --up turns files of triangles";
    assert!(said(&["bake", &map, "-o", &mesh, "--pixel-size", "20", "--up", "z"]).contains(turned));
    assert!(told(&["bake", "scene:flat", "-o", &mesh, "--up", "z"]).contains(turned));
    assert!(!told(&["bake", "scene:flat", "-o", &mesh, "--up", "y"]).contains(turned));
}

#[test]
fn triangles_that_are_to_blame_are_named_with_file_and_object() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "l.way");
    let floor = "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3\nf 1 3 4\no roof\nv 6 0 6\nv 7 0 7\n";
    let level = write_in(&folder, "level.obj", &format!("{floor}v 5 nan 5\nf 5 6 7\n"));
    let bake = told(&["bake", &level, "-o", &mesh]);
    assert!(
        bake.contains(": 1, the first is triangle 3 of ")
            && bake.contains("level.obj, in \"roof\", with a corner at 6,0,6"),
        "{bake}"
    );
    let level = write_in(&folder, "level.obj", &format!("{floor}v 1e8 0 5\nf 5 6 7\n"));
    for tile_size in ["0", "64"] {
        let error = error_of(&["bake", &level, "-o", &mesh, "--tile-size", tile_size]);
        assert!(
            error.contains("larger cell size (see --cell-size, --scale); the corner 100000000,0,5 lies far"),
            "{error}"
        );
        assert!(error.trim_end().ends_with("level.obj, in \"roof\""), "{error}");
    }
}

#[test]
fn outputs_that_meet_are_refused_and_what_is_damaged_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let [mesh, stages] = ["f.way", "stages"].map(|name| path_in(&folder, name));
    let picture = Path::new(&stages).join("4-regions.png");
    let bake = ["bake", "scene:flat", "-o", &mesh, "--draw-stages", &stages, "--stats", picture.to_str().unwrap()];
    std::fs::create_dir(&stages).unwrap();
    assert!(error_of(&bake).contains("two things would be written here"));
    assert!(!Path::new(&mesh).exists() && !picture.exists());

    let again = ["bake", "scene:flat", "-o", &mesh, "--tile-size", "32", "--only-changed"];
    assert!(!told(&again).contains("warning"), "there was no mesh");
    let bytes = std::fs::read(&mesh).unwrap();
    std::fs::write(&mesh, &bytes[..bytes.len() / 2]).unwrap();
    assert!(told(&again).contains("f.way: no tile of it can be kept, so all are baked: "));
    assert_eq!(std::fs::read(&mesh).unwrap(), bytes);

    assert!(error_of(&["bake", "scene:flat", "-o", "-", "--agent", "man"]).contains("level.NAME.way: give -o"));
    assert!(
        told(&["convert", &mesh, &path_in(&folder, "g.way"), "--ref-bits", "64"]).contains("--ref-bits is that of")
    );
    let octagon = "mesh\n2\n8 1\n0 1 1 0\n1 0 1 0\n2 0 1 0\n3 1 1 0\n3 2 1 0\n2 3 1 0\n1 3 1 0\n0 2 1 0\n8 0 1 2 3 4 5 6 7 \
        -1 -1 -1 -1 -1 -1 -1 -1\n";
    let octagon = write_in(&folder, "o.mesh", octagon);
    let error = error_of(&["convert", &octagon, &path_in(&folder, "o.bin")]);
    assert!(error.contains("polygons of more than six corners") && !error.contains("--verts-per-poly"), "{error}");
}

#[test]
fn blocks_tell_of_ends_that_are_elsewhere_and_of_those_that_are_buried() {
    let folder = tempfile::tempdir().unwrap();
    let world = "scene:blocks?size=64&height=24&seed=2";
    let ask = ["blocks", world, "--from", "32,9,12", "--to", "61,9,50"];
    let text = good(&ask);
    assert!(
        text.contains("; the standing point that was found for the start lies 2.12 m from it, at 31.5,7,11.5"),
        "{text}"
    );
    assert!(!text.contains("for the goal lies"), "{text}");
    let told = json(&[&ask[..], &["--json"]].concat());
    assert!(told["start_gap"].is_number() && told["goal_gap"].is_null(), "{told}");
    let edits = write_in(&folder, "edits.jsonl", "{\"at\": [31, 7, 11], \"solid\": true}\n");
    let out = wayfare(&["blocks", world, "--from", "31.5,7,11.5", "--to", "61,9,50", "--edits", &edits, "--json"]);
    let told: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!((out.status.code(), told["reason"].as_str()), (Some(1), Some("start-buried")), "{told}");
    // One of many random questions has an answer; among single ones there are some without.
    let random = |count: &str, seed: &str| {
        let out = wayfare(&["blocks", world, "--random", count, "--seed", seed, "--json"]);
        let told: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        let runs = told["runs"].as_array().unwrap();
        assert_eq!(out.status.success(), runs.iter().any(|run| run["status"] == "complete"), "{told}");
        out.status.code()
    };
    assert_eq!(random("20", "1"), Some(0));
    assert!(["1", "2", "3", "4", "5", "6", "7", "8"].map(|seed| random("1", seed)).contains(&Some(1)));
}

/// A file of one model, with voxels (x, y, z) of colour 1.
fn vox_file(size: [u32; 3], voxels: &[[u8; 3]]) -> Vec<u8> {
    let chunk = |id: &[u8], content: &[u8], children: &[u8]| {
        let lengths = [content, children].map(|part| (part.len() as u32).to_le_bytes());
        [id, lengths.as_flattened(), content, children].concat()
    };
    let count = (voxels.len() as u32).to_le_bytes();
    let places: Vec<u8> = voxels.iter().flat_map(|&[x, y, z]| [x, y, z, 1]).collect();
    let size = chunk(b"SIZE", size.map(u32::to_le_bytes).as_flattened(), &[]);
    let model = chunk(b"XYZI", &[&count[..], &places].concat(), &[]);
    [&b"VOX "[..], &150u32.to_le_bytes(), &chunk(b"MAIN", &[], &[size, model].concat())].concat()
}

#[test]
fn edits_build_anywhere_in_the_world_and_are_told_where_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let floor: Vec<[u8; 3]> = (0..144).map(|i| [i % 12, i / 12, 0]).collect();
    let world = path_in(&folder, "floor.vox");
    std::fs::write(&world, vox_file([12, 14, 3], &floor)).unwrap();
    let edits = path_in(&folder, "edits.jsonl");
    let ask = ["blocks", &world, "--from", "0.5,1,5.5", "--to", "11.5,1,5.5", "--edits", &edits, "--json"];
    // A wall with a gap; a block over everything, and one where the model has no voxels.
    let wall: Vec<[u8; 3]> = (0..11).flat_map(|z| [[6, 1, z], [6, 2, z]]).chain([[6, 16, 5], [0, 0, 13]]).collect();
    let line = |at: &[u8; 3]| format!("{{\"at\": {at:?}, \"solid\": true}}\n");
    write_in(&folder, "edits.jsonl", &wall.iter().map(line).collect::<String>());
    let length = json(&ask)["length"].as_f64().unwrap();
    assert!((15.0..19.0).contains(&length), "{length}");
    write_in(&folder, "edits.jsonl", "{\"at\": [6, 17, 5], \"solid\": true}\n");
    let error = error_of(&ask);
    assert!(error.contains("block 6,17,5 lies outside of the world, whose blocks are 0,0,0 to 11,16,13: "), "{error}");
    assert!(error.contains("a larger size"), "{error}");
}

#[test]
fn batches_have_the_searches_of_paths() {
    let mesh = baked(&[]);
    let line = |search: &str| {
        format!("{{\"op\": \"path\", \"start\": [-4, 0, 0], \"end\": [-3, 0, 0], \"search\": \"{search}\"}}\n")
    };
    let searches = ["corridor", "corridor-nearest", "corridor-visible", "sliced", "optimal"];
    let batch = write_in(&mesh.folder, "batch.jsonl", &searches.map(line).concat());
    assert_eq!(good(&["query", &mesh.mesh, "--batch", &batch]).matches("\"complete\"").count(), searches.len());
}

#[test]
fn connections_without_ground_are_told_however_the_mesh_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "f.way");
    let ways = "{\"start\": [1, 0, 2], \"end\": [14, 0, -9]}\n{\"start\": [1, 0, 2], \"end\": [4, 9, 2]}\n";
    let ways = write_in(&folder, "ways.jsonl", ways);
    // In tiles of this size it is written while it is baked.
    for options in [&[][..], &["--tile-size", "8"]] {
        let told = told(&[&["bake", "scene:flat?size=120", "-o", &mesh, "--connections", &ways], options].concat());
        assert!(
            told.contains("no polygon within its radius: 1, the first from [1, 0, 2] to [4, 9, 2]: move [4, 9, 2]"),
            "{told}"
        );
    }
}

#[test]
fn what_is_no_level_is_told_what_it_is_and_a_quiet_bake_of_nothing_says_so() {
    let Baked { folder, mesh } = baked(&[]);
    let target = path_in(&folder, "never.way");
    assert!(error_of(&["bake", &mesh, "-o", &target]).contains("is a mesh, which is baked already"));
    assert!(error_of(&["bake", folder.path().to_str().unwrap(), "-o", &target]).contains("is a folder"));
    assert!(error_of(&["bake", "-", "-o", &target]).contains("cannot be read from standard input"));
    let out = wayfare(&["bench", "nowhere"]);
    assert_eq!((out.status.code(), out.stdout), (Some(2), vec![]), "no head without a table");
    assert!(error_of(&["blocks", "scene:b", "--random", "1"]).contains("no scene \"b\" made of blocks; \"blocks\" is"));
    let demo = wayfare(&["demo", "--out", &mesh]);
    assert!(demo.status.code() == Some(2) && demo.stdout.is_empty(), "refused before the work");
    assert!(String::from_utf8(demo.stderr).unwrap().starts_with("error: "), "refused before the work");
    let empty = ["bake", "scene:stairs", "--agent-radius", "50", "-o", &target, "--quiet", "--stats", "-"];
    let out = wayfare(&empty);
    assert_eq!((out.status.code(), out.stdout), (Some(1), vec![]), "nothing is written");
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(told.starts_with("nothing can be walked on"), "told all the same: {told}");
    assert!(error_of(&[&empty[..7], &["--strict"]].concat()).contains("nothing can be walked on"));
    let batch = write_in(&folder, "batch.jsonl", "{\"op\": \"nearest\", \"point\": [1, 0");
    let told = String::from_utf8(wayfare(&["query", &mesh, "--batch", &batch]).stdout).unwrap();
    assert!(told.contains("line 1: is not JSON: it ends before the ] of a list, at column 32"), "{told}");
}

#[test]
fn what_is_missing_or_wrong_is_named_alone() {
    let Baked { folder: _kept, mesh } = baked(&[]);
    let blocks = |more: &[&str]| error_of(&[&["blocks", "scene:blocks"], more].concat());
    assert!(blocks(&[]).contains("or --random with a number of questions"));
    assert!(blocks(&["--random", "1", "--width", "17"]).contains("must be 1 to 16 (see --width)"));
    assert!(error_of(&["crowd"]).contains("or --trials, or --measured"));
    let at = ["explain", "scene:stairs", "--at", "0,0,0"];
    assert!(error_of(&[&at[..], &["--repeat", "3"]].concat()).contains("--repeat is of `wayfare bake`"));
    let layers = error_of(&[&at[..], &["--layers"]].concat());
    assert!(layers.contains("--layers is of `wayfare bake`") && !layers.contains("--repeat"), "{layers}");
    assert!(!good(&["explain", "--help"]).contains("--only-changed"));
    assert!(error_of(&["query", "-", "--batch", "-"]).contains("cannot both be standard input"));
    let piped = std::process::Command::new(env!("CARGO_BIN_EXE_wayfare"))
        .args(["info", "-", "--json"])
        .stdin(std::fs::File::open(&mesh).unwrap())
        .output()
        .unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&piped.stdout).unwrap(), json(&["info", &mesh, "--json"]));
}

#[test]
fn connections_that_detour_will_not_link_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let floor = write_in(&folder, "floor.obj", "v -20 0 -20\nv -20 0 20\nv 20 0 20\nv 20 0 -20\nf 1 2 3 4\n");
    let link = |end: &str| format!("{{\"start\": [-18, 0, 0], \"end\": {end}, \"radius\": 0.6}}\n");
    // The last lies within its radius of the edge, where Detour looks in the same tile.
    let ends = ["[18, 0, 0]", "[-10, 0, 0]", "[-10, 9, 0]", "[-10, 0, 30]", "[-19.4, 0, 3]"];
    let links = ends.map(link).concat();
    let (links, mesh) = (write_in(&folder, "links.jsonl", &links), path_in(&folder, "floor.way"));
    good(&["bake", &floor, "-o", &mesh, "--tile-size", "32", "--connections", &links, "--quiet"]);
    let out = wayfare(&["convert", &mesh, &path_in(&folder, "floor.bin")]);
    let told = String::from_utf8(out.stderr).unwrap();
    assert!(
        told.contains("more than one tile apart (larger tiles keep them): 1, the first from -18,0,0 to 18,0,0"),
        "{told}"
    );
    assert!(told.contains("with an end off the mesh: 1, the first from -18,0,0 to -10,0,30"), "{told}");
    assert!(told.contains("an end that is off the mesh here: 1, the first from -18,0,0 to -10,9,0"), "{told}");
    assert_eq!(told.matches("connections that Detour").count(), 3, "{told}");
}
