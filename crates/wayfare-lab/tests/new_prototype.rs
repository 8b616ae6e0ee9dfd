//! A new prototype is one file of ten lines, the one that CONTRIBUTING shows, and the file is all it takes.

#![allow(clippy::unwrap_used)]

use std::{fs, path::Path};
use wayfare_lab::{Canvas, Input, Instance};

mod prelude {
    pub(crate) use wayfare_lab::prelude::*;
}

#[path = "ten_lines/walking_dot.rs"]
mod walking_dot;

#[allow(dead_code)]
#[path = "../build.rs"]
mod build;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn contributing_shows_ten_lines_that_compile_and_run() {
    let file = read("tests/ten_lines/walking_dot.rs");
    assert!(file.lines().count() <= 10);
    let guide = read("../../CONTRIBUTING.md");
    let (_, after) = guide.split_once("## A new prototype").unwrap();
    let (_, block) = after.split_once("```rust\n").unwrap();
    let (shown, _) = block.split_once("```").unwrap();
    assert_eq!(shown, file, "CONTRIBUTING shows the file that is tested here");

    let mut dot: Box<dyn Instance> = Box::new(walking_dot::WalkingDot::default());
    dot.update(0.5, &Input::default());
    let mut canvas = Canvas::new();
    dot.draw(&mut canvas);
    assert_eq!(canvas.dots[0].at.x, 0.5);
}

#[test]
fn a_file_in_the_folder_becomes_a_module_and_a_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ten_lines");
    let names = build::names(&folder).unwrap();
    assert_eq!(names, ["walking_dot"]);
    let made = build::registry(&folder, &names);
    assert!(made.contains("mod walking_dot;"));
    assert!(made.contains(r#"Entry { name: "walking_dot", source: include_str!("#));
    assert!(made.contains("make: || Box::new(walking_dot::WalkingDot::default()) }"));
}

#[test]
fn every_file_of_the_folder_is_in_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/prototypes");
    let listed: Vec<&str> = wayfare_lab::host::all().iter().map(|entry| entry.name).collect();
    assert_eq!(build::names(&folder).unwrap(), listed);
}
