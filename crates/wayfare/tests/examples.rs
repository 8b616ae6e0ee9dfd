//! Runs every example: each asserts what it claims.

#![cfg(feature = "bake")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[path = "../examples/bake.rs"]
mod bake;
#[path = "../examples/block_world.rs"]
mod block_world;
#[path = "../examples/bounded_paths.rs"]
mod bounded_paths;
#[path = "../examples/broken_bridge.rs"]
mod broken_bridge;
#[path = "../examples/built_walls.rs"]
mod built_walls;
#[path = "../examples/crowd.rs"]
mod crowd;
#[path = "../examples/custom_filter.rs"]
mod custom_filter;
#[path = "../examples/doors.rs"]
mod doors;
#[path = "../examples/large_world.rs"]
mod large_world;
#[path = "../examples/obstacles.rs"]
mod obstacles;
#[path = "../examples/save_and_load.rs"]
mod save_and_load;
#[path = "../examples/server.rs"]
mod server;
#[path = "../examples/tiles.rs"]
mod tiles;

/// A test for each, and the list of all.
macro_rules! run {
    ($($name:ident)*) => {
        const RUN: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                self::$name::main().unwrap();
            }
        )*
    };
}

run!(bake block_world bounded_paths broken_bridge built_walls crowd custom_filter doors large_world obstacles save_and_load server tiles);

#[test]
fn none_is_left_out() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: BTreeSet<String> = files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(files, RUN.iter().map(|name| (*name).to_owned()).collect());
}
