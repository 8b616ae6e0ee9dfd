//! A door of known width is passable exactly when it should be, for both ways of taking the agent's radius away.

use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::input::{AgentSettings, BakeSettings, Erosion};
use wayfare::math::ops;
use wayfare_scenes::{Scene, scene};
use wayfare_testkit::levels::connect;
use wayfare_testkit::oracle::MeshFlood;

const BOTH: [Erosion; 2] = [Erosion::Chamfer, Erosion::Euclidean];

/// The widths of `count` doors, and which of them an agent of a radius fits through: the rooms beside it are connected.
fn doors(spec: &str, erosion: Erosion, radius: f32, tile_size: u32) -> Vec<(f32, bool)> {
    let scene: Scene = scene(spec).unwrap();
    let number = |key: &str| -> f32 {
        let value = spec.split(['?', '&']).find_map(|p| p.strip_prefix(key)?.strip_prefix('=')).unwrap();
        value.parse().unwrap()
    };
    let (count, first, step, turn) = (number("count") as u32, number("first"), number("step"), number("turn"));
    let agent = AgentSettings { radius, ..AgentSettings::default() };
    let settings = BakeSettings { agent, erosion, tile_size, region_min_size: 2, ..scene.settings };
    let mesh = scene.mesh().unwrap();
    let nav = connect(bake_tiles(&mesh, &settings, &Context::default()).unwrap().0);
    let flood = MeshFlood::new(&nav);
    let deep = (first + step * (count - 1) as f32 + 3.0).max(6.0);
    let room = |k: u32| {
        let (x, z) = (k as f32 * 6.6 + 3.0, deep / 2.0);
        let (sin, cos) = (ops::sin(turn.to_radians()), ops::cos(turn.to_radians()));
        let place = wayfare::Vec3::new(x * cos - z * sin, 0.0, x * sin + z * cos);
        flood.component_at(place, 1.5).unwrap_or_else(|| panic!("no mesh in room {k} of {spec}"))
    };
    (0..count).map(|k| (first + step * k as f32, room(k) == room(k + 1))).collect()
}

/// Walls along the cells: the free cells in a door are known, and the radius takes whole cells from each side.
#[test]
fn a_door_along_the_grid_needs_the_radius_on_both_sides_and_a_cell_to_walk_on() {
    for (erosion, tile_size) in BOTH.into_iter().flat_map(|e| [(e, 0), (e, 40)]) {
        for radius in [0.0, 0.1, 0.3, 0.45, 0.6] {
            let need = 2 * (radius / 0.1f32).ceil() as i32 + 1;
            let spec = "doors?count=8&first=0.3&step=0.2&turn=0";
            for (width, open) in doors(spec, erosion, radius, tile_size) {
                // Rooms are 6 m deep, so that posts of these widths stand in the middle of cells, which they fill.
                let free = (width / 0.1).round() as i32 - 1;
                assert_eq!(
                    open,
                    free >= need,
                    "{erosion:?}, radius {radius}, a door of {width} m, tiles of {tile_size}"
                );
            }
        }
    }
}

/// Askew, walls are stairs of voxels. The exact erosion never lets an agent through where it does not fit, and always
/// where there is room for the voxels too; Recast's measure does let it through.
#[test]
fn a_door_askew_is_never_too_narrow_for_the_exact_erosion() {
    let mut squeezed = 0;
    for turn in [10.0, 26.565, 45.0, 63.4, 80.0] {
        let spec = format!("doors?count=17&first=4.0&step=0.1&turn={turn}");
        for erosion in BOTH {
            for (width, open) in doors(&spec, erosion, 2.4, 0) {
                match erosion {
                    Erosion::Euclidean if width < 4.8 => assert!(!open, "{width} m is too narrow, at {turn}°"),
                    Erosion::Chamfer if width < 4.8 => squeezed += u32::from(open),
                    // Each post may take a cell and its diagonal; then a cell is needed to walk on.
                    _ => assert!(
                        open || width < 4.8 + 5.0 * 0.1 * 1.5,
                        "{erosion:?}: {width} m is wide enough, at {turn}°"
                    ),
                }
            }
        }
    }
    assert!(squeezed > 0, "the chamfer distance is no longer too great askew: say so in the manual");
}
