//! `bridge`: a bridge with ramps at both ends, over a road.
//!
//! ```text
//!              _______________
//!           .-'  deck         '-.          along x; the road passes under the deck along z
//!   ____.-'___|             |___'-._____
//! ```

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "bridge",
    summary: "a bridge with ramps over a road, walkable above and below",
    params: &[
        Param::real("span", 16.0, [6.0, 200.0], "length of the deck in metres"),
        Param::real("height", 4.0, [3.0, 20.0], "height of the deck in metres"),
        Param::real("width", 4.0, [2.5, 50.0], "width of the deck in metres"),
    ],
    build,
};

fn build(params: &Params) -> Scene {
    let (span, height, width) = (params.real("span"), params.real("height"), params.real("width"));
    let (half, ramp) = (span / 2.0, height * 2.5);
    let end = half + ramp + 6.0;
    let side = (width / 2.0 + 8.0).max(12.0);
    let mut kit = Kit::new();
    kit.floor([-end, end], [-side, side], 0.0);
    kit.cuboid([-half, height - 0.4, -width / 2.0], [half, height, width / 2.0]);
    for way in [-1.0, 1.0] {
        let from = Vec3::new(way * (half + ramp), 0.0, 0.0);
        kit.ramp(&Climb { from, to: Vec3::new(way * half, height, 0.0), width });
    }
    let (foot, road) = (end - 3.0, side - 2.0);
    scene(
        kit,
        vec![
            Errand::open("over the bridge", [-foot, 0.0, 0.0], [foot, 0.0, 0.0]),
            Errand::open("under the bridge", [0.0, 0.0, -road], [0.0, 0.0, road]),
            Errand::open("from the road onto the deck above", [0.0, 0.0, 0.0], [0.0, height, 0.0]),
        ],
    )
}
