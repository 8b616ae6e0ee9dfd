//! At the borders of tiles, paths led up walls of nearly twice the climb, while ramps that crossed a border were cut:
//! the edges of neighbouring tiles were compared with a tolerance.

use super::{bake, floors, ground_at, surface};
use wayfare::Vec3;
use wayfare::components::Components;
use wayfare::input::{BakeSettings, TriMesh};

/// Whether two places are in one component, for tiles of 20 cells: 6 m.
fn joined(level: &TriMesh, from: Vec3, to: Vec3) -> bool {
    let (mesh, _) = bake(level, &BakeSettings { tile_size: 20, ..BakeSettings::default() });
    assert!(mesh.tile_count() > 1);
    assert_eq!(mesh.check(), []);
    let components = Components::of(&mesh);
    let component =
        |p: Vec3| components.component(ground_at(&mesh, p, 0.7).unwrap_or_else(|| panic!("no ground at {p}")).0);
    component(from) == component(to)
}

#[test]
fn a_step_at_a_border_is_climbed_exactly_if_it_is_within_the_climb() {
    for (step, climbed) in [(0.2, true), (0.8, true), (1.2, false), (1.6, false), (1.8, false)] {
        for line in [6.0, 12.0, 11.7, 12.3] {
            let level = floors(&[([0.0, line], [0.0, 18.0], 0.0), ([line, 24.0], [0.0, 18.0], step)]);
            let (below, above) = (Vec3::new(line - 3.0, 0.0, 9.0), Vec3::new(line + 3.0, step, 9.0));
            assert_eq!(joined(&level, below, above), climbed, "a step of {step} m at {line} m");
        }
    }
}

#[test]
fn a_ramp_over_borders_stays_whole() {
    for slope in [0.2, 0.6, 0.95] {
        let ramp = surface(36, 18, 1.0, |x, _| x as f32 * slope);
        assert!(joined(&ramp, Vec3::new(1.5, 1.5 * slope, 9.0), Vec3::new(34.0, 34.0 * slope, 9.0)), "slope {slope}");
    }
}

#[test]
fn floors_close_above_each_other_are_not_confused() {
    let level = floors(&[([0.0, 24.0], [0.0, 18.0], 0.0), ([0.0, 24.0], [0.0, 18.0], 2.4)]);
    assert!(joined(&level, Vec3::new(3.0, 0.0, 9.0), Vec3::new(21.0, 0.0, 9.0)));
    assert!(!joined(&level, Vec3::new(3.0, 0.0, 9.0), Vec3::new(21.0, 2.4, 9.0)));
}
