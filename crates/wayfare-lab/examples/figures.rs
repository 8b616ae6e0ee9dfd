//! What a frame costs besides drawing on the screen: `cargo run --release --no-default-features --example figures`.

#![allow(clippy::unwrap_used)]

use std::time::Instant;
use wayfare_lab::Canvas;
use wayfare_lab::palette::Theme;
use wayfare_lab::view::Looks;
use wayfare_lab::workbench::Workbench;

/// Five hundred agents in the dungeon.
fn main() {
    let mut bench = Workbench::default();
    bench.open_scene("dungeon").unwrap();
    bench.choose_tool(1);
    bench.set_agents(500);
    while bench.poly_count().is_none() {
        bench.update(0.0);
    }
    let (mut library, mut update, mut draw) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..600 {
        let begun = Instant::now();
        bench.update(1.0 / 60.0);
        update.push(begun.elapsed().as_secs_f32() * 1e3);
        library.push(bench.library_time());
        let begun = Instant::now();
        let mut canvas = Canvas::new();
        bench.draw_tools(&mut canvas);
        let batch = Looks { theme: Theme::Light, ground: 1.0, lift: 0.06 }.batch(&canvas);
        assert!(batch.bodies.len() >= 500);
        draw.push(begun.elapsed().as_secs_f32() * 1e3);
    }
    assert_eq!(bench.agents(), 500);
    let told = |name: &str, mut all: Vec<f32>| {
        all.sort_by(f32::total_cmp);
        println!("{name}: median {:.2} ms, worst of a hundred {:.2} ms", all[all.len() / 2], all[all.len() * 99 / 100]);
    };
    told("a tick of the crowd, thirty a second", library);
    told("an update, sixty a second", update);
    told("drawing them into a batch", draw);
}
