//! Draws the film strips of docs/changing-worlds.md, a crowd whose bridge is blown up and mended, and a ship that
//! docks: `cargo run -p wayfare-testkit --example changing_world_pictures [FOLDER]`.

use std::error::Error;
use std::path::{Path, PathBuf};
use wayfare::Vec3;
use wayfare::debug::{ShapeList, draw_mesh, draw_trail};
use wayfare::mesh::NavMesh;
use wayfare_draw::{Anchor, Caption, Colour, Item, Picture, draw_shapes};
use wayfare_testkit::docking::docking;

#[path = "../../wayfare/examples/broken_bridge.rs"]
#[allow(dead_code, reason = "its main is not run here")]
mod broken_bridge;

/// Pixels: the width of a frame, and what its title takes.
const WIDTH: u32 = 360;
const TITLE: u32 = 26;
/// Frames in a row.
const IN_A_ROW: u32 = 3;

/// A picture of a mesh with what was walked, and its title.
type Frame = (&'static str, Picture);

fn frame(title: &'static str, mesh: &NavMesh, trails: &[Vec<Vec3>]) -> Frame {
    let mut shapes = ShapeList::new();
    draw_mesh(mesh, &mut shapes);
    for (i, trail) in (0..).zip(trails) {
        draw_trail(trail, i, &mut shapes);
    }
    (title, draw_shapes(&shapes, &Caption::default(), WIDTH))
}

/// The same item elsewhere.
fn moved(item: &Item, [x, y]: [f32; 2]) -> Item {
    let shift = |p: &[f32; 2]| [p[0] + x, p[1] + y];
    let all = |points: &[[f32; 2]]| points.iter().map(shift).collect();
    let mut item = item.clone();
    match &mut item {
        Item::Polygon { points, .. } | Item::Line { points, .. } => *points = all(points),
        Item::Circle { center: at, .. } | Item::Text { at, .. } => *at = shift(at),
    }
    item
}

fn write_strip(frames: &[Frame], file: &Path) -> Result<(), Box<dyn Error>> {
    let size = |of: fn(&Picture) -> u32| frames.iter().map(|(_, picture)| of(picture)).max().unwrap_or(0);
    let [width, height] = [size(|picture| picture.width), size(|picture| picture.height) + TITLE];
    let rows = (frames.len() as u32).div_ceil(IN_A_ROW);
    let mut strip = Picture { width: IN_A_ROW * width, height: rows * height, ..frames[0].1.clone() };
    strip.items.clear();
    for (i, (title, picture)) in (0..).zip(frames) {
        let [x, y] = [(i % IN_A_ROW * width) as f32, (i / IN_A_ROW * height + TITLE) as f32];
        strip.items.extend(picture.items.iter().map(|item| moved(item, [x, y])));
        strip.items.push(Item::Text {
            at: [x + 0.5 * width as f32, y - 6.0],
            size: 15.0,
            text: format!("{}. {title}", i + 1),
            anchor: Anchor::Middle,
            colour: Colour(40, 40, 40),
        });
    }
    Ok(std::fs::write(file, strip.to_png()?)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "docs/pictures".into()));
    std::fs::create_dir_all(&folder)?;
    let bridge: Vec<Frame> = broken_bridge::tell()?.iter().map(|f| frame(f.title, &f.mesh, &f.trails)).collect();
    write_strip(&bridge, &folder.join("broken-bridge.png"))?;
    let ship: Vec<Frame> = docking()?.iter().map(|f| frame(f.title, &f.mesh, &f.trails)).collect();
    write_strip(&ship, &folder.join("docking-ship.png"))
}
