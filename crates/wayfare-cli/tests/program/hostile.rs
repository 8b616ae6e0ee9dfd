//! Levels made to do harm: what they name is not opened unless it is a file of theirs, and what does not fit in memory
//! is refused in a sentence.

use super::{error_of, good, path_in, write_in};
use std::fs;

/// A document whose only buffer is another file.
fn document(buffer: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "buffers": [{{"byteLength": 36, "uri": "{buffer}"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": 36}}],
            "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}}],
            "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}], "nodes": [{{"mesh": 0}}]}}"#
    )
}

fn floor() -> Vec<u8> {
    [0.0f32, 0.0, 0.0, 0.0, 0.0, 20.0, 20.0, 0.0, 0.0].iter().flat_map(|f| f.to_le_bytes()).collect()
}

const FLOOR: &str = "v 0 0 0\nv 0 0 20\nv 20 0 0\nf 1 2 3\n";

#[test]
#[cfg(unix)]
fn a_document_reads_files_of_its_own_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (level, mesh) = (path_in(&folder, "level.gltf"), path_in(&folder, "level.way"));
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("within")).unwrap();
    fs::write(at("within/floor.bin"), floor()).unwrap();
    std::os::unix::fs::symlink("within/floor.bin", at("link.bin")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at("zero.bin")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(at("pipe.bin")).status().unwrap().success());
    for buffer in ["within/floor.bin", "./within/../link.bin"] {
        fs::write(&level, document(buffer)).unwrap();
        good(&["bake", &level, "-o", &mesh, "-q"]);
    }
    let other = path_in(&folder, "other.way");
    for (buffer, why) in [
        ("pipe.bin", "is a pipe or a device"),
        ("zero.bin", "is a pipe or a device"),
        ("within", "is a folder"),
        ("../floor.bin", "nothing else is opened"),
        ("/dev/zero", "nothing else is opened"),
    ] {
        fs::write(&level, document(buffer)).unwrap();
        let told = error_of(&["bake", &level, "-o", &other, "-q"]);
        assert!(told.contains(why) && told.lines().count() == 1, "{told}");
        assert!(!at("other.way").exists());
    }
}

#[test]
fn a_gset_names_geometry_of_its_own_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "level.way");
    for sub in ["level/more", "other"] {
        fs::create_dir_all(folder.path().join(sub)).unwrap();
    }
    for file in ["level/more/floor.obj", "other/floor.obj"] {
        write_in(&folder, file, FLOOR);
    }
    let good_one = write_in(&folder, "level/good.gset", "f more/floor.obj\n");
    good(&["bake", &good_one, "-o", &mesh, "-q"]);
    let whole = path_in(&folder, "other/floor.obj");
    for name in ["../other/floor.obj", &whole] {
        let gset = write_in(&folder, "level/bad.gset", &format!("f {name}\n"));
        let told = error_of(&["bake", &gset, "-o", &mesh, "-q"]);
        assert!(told.contains("nothing else is opened"), "{told}");
    }
    // Named by its folder alone, as from within it.
    let here = write_in(&folder, "level/more/here.gset", "f floor.obj\n");
    good(&["bake", &here, "-o", &mesh, "-q"]);
}

#[test]
fn what_does_not_fit_in_memory_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let (level, mesh) = (write_in(&folder, "floor.obj", FLOOR), path_in(&folder, "floor.way"));
    let told = error_of(&["bake", &level, "-o", &mesh, "-q", "--memory-limit", "100kB"]);
    assert!(told.contains("--memory-limit") && told.contains("67 x 67 cells in one tile need"), "{told}");
    let wrong = error_of(&["bake", &level, "-o", &mesh, "-q", "--memory-limit", "much"]);
    assert!(wrong.contains("is no amount of memory"), "{wrong}");
    good(&["bake", &level, "-o", &mesh, "-q", "--memory-limit", "1MB"]);
    // Floors over floors: how many spans there are is known only when they are made.
    let storey =
        |i: u32| format!("v 0 {0} 0\nv 0 {0} 20\nv 20 {0} 0\nf {1} {2} {3}\n", 3 * i, 3 * i + 1, 3 * i + 2, 3 * i + 3);
    let tower = write_in(&folder, "tower.obj", &(0..500).map(storey).collect::<String>());
    fs::remove_file(&mesh).unwrap();
    for tiles in ["0", "32"] {
        let told = error_of(&["bake", &tower, "-o", &mesh, "-q", "--memory-limit", "1MB", "--tile-size", tiles]);
        assert!(told.contains("bytes of memory or more") && told.contains("--memory-limit"), "{told}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing was written");
}

#[test]
fn a_mesh_that_is_placed_many_times_needs_leave() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = path_in(&folder, "level.way");
    fs::write(folder.path().join("floor.bin"), floor()).unwrap();
    let nodes = "{\"mesh\": 0}, ".repeat(1499) + "{\"mesh\": 0}";
    let primitives = "{\"attributes\": {\"POSITION\": 0}}, ".repeat(999) + "{\"attributes\": {\"POSITION\": 0}}";
    let text = document("floor.bin").replace("{\"attributes\": {\"POSITION\": 0}}", &primitives);
    let level = write_in(&folder, "level.gltf", &text.replace("{\"mesh\": 0}", &nodes));
    let told = error_of(&["bake", &level, "-o", &mesh, "-q"]);
    assert!(told.contains("place its meshes fewer times") && told.contains("--memory-limit"), "{told}");
    good(&["bake", &level, "-o", &mesh, "-q", "--memory-limit", "1GB", "--cell-size", "2", "--region-min-size", "0"]);
}
