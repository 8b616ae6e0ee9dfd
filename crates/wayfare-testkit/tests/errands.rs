//! Every scene's errands, answered by flooding its eroded ground: the scenes are what they say, before any polygon is
//! made.

use wayfare::Vec3;
use wayfare_scenes::{all, scene};
use wayfare_testkit::levels::ground;
use wayfare_testkit::oracle::Flood;

/// The component of the ground at `p`; the cells around it are tried too, since erosion may have taken the very one.
fn component(flood: &Flood<'_>, p: Vec3, cell: f32) -> Option<u32> {
    let steps = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1], [1, -1], [-1, 1]];
    let near = steps.map(|[x, z]| p + Vec3::new(x as f32 * cell, 0.0, z as f32 * cell));
    near.into_iter().find_map(|p| flood.component_at(p, 4.0))
}

fn check(spec: &str) {
    let scene = scene(spec).unwrap();
    let field = ground(&scene, &scene.settings);
    let flood = Flood::new(&field);
    for errand in &scene.errands {
        let ends = [errand.from, errand.to].map(|p| {
            let found = component(&flood, p, scene.settings.cell_size);
            found.unwrap_or_else(|| panic!("{spec}: {}: {p} is no ground", errand.what))
        });
        assert_eq!(ends[0] == ends[1], errand.reachable, "{spec}: {} ({} to {})", errand.what, errand.from, errand.to);
    }
}

#[test]
fn all_scenes_with_defaults() {
    for info in all() {
        check(info.name);
    }
}

#[test]
fn seeded_scenes_with_other_seeds() {
    for seed in 2..8 {
        for name in ["dungeon", "city", "offices", "holes_and_pillars"] {
            check(&format!("{name}?seed={seed}"));
        }
    }
}

#[test]
fn parameters_at_their_ends() {
    for spec in [
        "stairs?rise=0.35&tread=0.4&steps=30",
        "stairs?width=2.5",
        "two_floors?size=20&height=3",
        "bridge?height=3&width=2.5",
        "spiral_ramp?turns=8&pitch=3&radius=6",
        "offices?floors=1&rooms=1",
        "offices?floors=6&rooms=3",
        "doors?count=20&first=0.2&step=0.1",
        "tall?height=10",
        "tall?height=500",
        "platforms?gap=0.5&step=1.2&count=12",
        "dungeon?size=120",
        "dungeon?size=200",
        "far?distance=0",
    ] {
        check(spec);
    }
}
