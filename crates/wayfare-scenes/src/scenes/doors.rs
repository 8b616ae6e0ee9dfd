//! `doors`: a row of rooms with increasingly wide doors, where it is known which agents fit through which.
//!
//! ```text
//!   +-----+-----+-----+-----+
//!   |     |     |     |     |
//!   |     :     :     :     |      doors of width `first`, `first + step`, …
//!   |     |     |     |     |
//!   +-----+-----+-----+-----+
//!     0     1     2     3
//! ```
//!
//! The cells are small and the door posts lie on cell borders of the recommended settings. A door is only an errand if
//! its width differs from the agent's diameter by at least two cells, so that rounding to voxels cannot decide; if the
//! scene is rotated, walls are stairs of voxels and the chamfer distance is up to an eighth too large, so then by at
//! least four cells and a quarter of the radius.

use super::scene;
use crate::kit::{Kit, turned};
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::input::BakeSettings;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "doors",
    summary: "a row of rooms, each with a wider door than the one before",
    params: &[
        Param::count("count", 10, [1, 100], "number of doors"),
        Param::real("first", 0.6, [0.2, 10.0], "width of the first door in metres"),
        Param::real("step", 0.2, [0.0, 2.0], "how much wider each next door is, in metres"),
        Param::real("turn", 0.0, [-180.0, 180.0], "how far everything is turned about the origin, in degrees"),
    ],
    build,
};

const ROOM: f32 = 6.0;
const WALL: f32 = 0.6;
const HEIGHT: f32 = 3.0;

fn build(params: &Params) -> Scene {
    let (count, first, step) = (params.count("count"), params.real("first"), params.real("step"));
    let settings = BakeSettings { cell_size: 0.1, cell_height: 0.1, ..BakeSettings::default() };
    let turn = params.real("turn").to_radians();
    let spare =
        if turn == 0.0 { 2.0 * settings.cell_size } else { 4.0 * settings.cell_size + 0.25 * settings.agent.radius };
    let width = |door: u32| first + step * door as f32;
    let deep = (width(count - 1) + 3.0).max(ROOM);
    let begin = |room: u32| room as f32 * (ROOM + WALL);
    let mut kit = Kit::new();
    kit.floor([0.0, begin(count) + ROOM], [0.0, deep], 0.0);
    let mut errands = Vec::new();
    for door in 0..count {
        let wall = [begin(door) + ROOM, begin(door + 1)];
        let posts = [(deep - width(door)) / 2.0, (deep + width(door)) / 2.0];
        kit.cuboid([wall[0], 0.0, 0.0], [wall[1], HEIGHT, posts[0]]);
        kit.cuboid([wall[0], 0.0, posts[1]], [wall[1], HEIGHT, deep]);
        let (from, to) = ([wall[0] - ROOM / 2.0, 0.0, deep / 2.0], [wall[1] + ROOM / 2.0, 0.0, deep / 2.0]);
        let [from, to] = [from, to].map(|p| turned(p.into(), turn).into());
        let wider = width(door) - 2.0 * settings.agent.radius;
        if wider >= spare {
            errands.push(Errand::open("through a door that is wide enough", from, to));
        } else if wider <= -spare {
            errands.push(Errand::shut("through a door that is too narrow", from, to));
        }
    }
    if turn != 0.0 {
        kit.turn(turn);
    }
    Scene { settings, ..scene(kit, errands) }
}
