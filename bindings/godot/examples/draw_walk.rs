//! Draws what `project/record.gd` has recorded: the mesh, and the trail of the agent that walked to a click.
//!
//! `cargo run --example draw_walk -- FOLDER PICTURE.svg|.png`

use wayfare::Vec3;
use wayfare::debug::{ShapeList, draw_mesh, draw_trail};
use wayfare::mesh::NavMesh;
use wayfare_draw::{Caption, draw_shapes};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(picture)) = (arguments.next(), arguments.next()) else {
        return Err("give the folder of the record, and the picture's file".into());
    };
    let mesh = NavMesh::from_bytes(&std::fs::read(format!("{folder}/walk.way"))?)?;
    let text = std::fs::read_to_string(format!("{folder}/walk.txt"))?;
    let number = |text: Option<&str>| text.unwrap_or_default().parse::<f32>();
    let mut trail = Vec::new();
    for line in text.lines() {
        let mut numbers = line.split(' ');
        trail.push(Vec3::new(number(numbers.next())?, number(numbers.next())?, number(numbers.next())?));
    }
    let mut shapes = ShapeList::default();
    draw_mesh(&mesh, &mut shapes);
    draw_trail(&trail, 0, &mut shapes);
    let drawn = draw_shapes(&shapes, &Caption::of("an agent walks to a click, recorded in Godot", &mesh), 900);
    let bytes = if picture.ends_with(".png") { drawn.to_png()? } else { drawn.to_svg().into_bytes() };
    std::fs::write(&picture, bytes)?;
    println!("{} positions of the agent, drawn in {picture}", trail.len());
    Ok(())
}
