//! Draws the film strip of docs/changing-worlds.md, a crowd whose bridge is blown up and mended:
//! `cargo run -p wayfare-testkit --example bridge_pictures [FOLDER]`.

use std::error::Error;
use std::path::PathBuf;
use wayfare::debug::{ShapeList, draw_mesh, draw_trail};
use wayfare_draw::{Anchor, Caption, Colour, Item, Picture, draw_shapes};

#[path = "../../wayfare/examples/broken_bridge.rs"]
#[allow(dead_code, reason = "its main is not run here")]
mod broken_bridge;

/// Pixels: the width of a frame, and what its title takes.
const WIDTH: u32 = 360;
const TITLE: u32 = 26;
/// Frames in a row.
const IN_A_ROW: u32 = 3;

fn frame(frame: &broken_bridge::Frame) -> Picture {
    let mut shapes = ShapeList::new();
    draw_mesh(&frame.mesh, &mut shapes);
    for (i, trail) in (0..).zip(&frame.trails) {
        draw_trail(trail, i, &mut shapes);
    }
    draw_shapes(&shapes, &Caption::default(), WIDTH)
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

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "docs/pictures".into()));
    let frames = broken_bridge::tell()?;
    let pictures: Vec<Picture> = frames.iter().map(frame).collect();
    let [width, height] = [pictures[0].width, pictures[0].height + TITLE];
    let rows = (pictures.len() as u32).div_ceil(IN_A_ROW);
    let mut strip = Picture { width: IN_A_ROW * width, height: rows * height, ..pictures[0].clone() };
    strip.items.clear();
    for ((i, picture), told) in (0..).zip(&pictures).zip(&frames) {
        let [x, y] = [(i % IN_A_ROW * width) as f32, (i / IN_A_ROW * height + TITLE) as f32];
        strip.items.extend(picture.items.iter().map(|item| moved(item, [x, y])));
        strip.items.push(Item::Text {
            at: [x + 0.5 * width as f32, y - 6.0],
            size: 15.0,
            text: format!("{}. {}", i + 1, told.title),
            anchor: Anchor::Middle,
            colour: Colour(40, 40, 40),
        });
    }
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("broken-bridge.png"), strip.to_png()?)?;
    Ok(())
}
