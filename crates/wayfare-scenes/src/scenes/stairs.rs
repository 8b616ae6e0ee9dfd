//! `stairs`: a straight flight between two platforms.
//!
//! ```text
//!                         ______   upper platform
//!                     ___|
//!                 ___|
//!   ____________ |                 origin: where the lower platform meets the first step
//! ```

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "stairs",
    summary: "a straight flight of stairs between two platforms",
    params: &[
        Param::count("steps", 12, [1, 200], "number of steps"),
        Param::real("rise", 0.25, [0.05, 0.35], "height of a step in metres"),
        Param::real("tread", 0.5, [0.4, 2.0], "depth of a step in metres"),
        Param::real("width", 3.0, [2.5, 50.0], "width of the flight in metres"),
    ],
    build,
};

/// Length of each platform.
const PLATFORM: f32 = 6.0;

fn build(params: &Params) -> Scene {
    let steps = params.count("steps");
    let length = params.real("tread") * steps as f32;
    let height = params.real("rise") * steps as f32;
    let half = params.real("width") / 2.0;
    let side = half.max(4.0);
    let mut kit = Kit::new();
    kit.floor([-PLATFORM, length], [-side, side], 0.0);
    let climb = Climb { from: Vec3::ZERO, to: Vec3::new(length, height, 0.0), width: half * 2.0 };
    kit.stairs(&climb, steps);
    kit.cuboid([length, 0.0, -side], [length + PLATFORM, height, side]);
    let (below, above) = ([-PLATFORM / 2.0, 0.0, 0.0], [length + PLATFORM / 2.0, height, 0.0]);
    scene(kit, vec![Errand::open("up", below, above), Errand::open("down", above, below)])
}
