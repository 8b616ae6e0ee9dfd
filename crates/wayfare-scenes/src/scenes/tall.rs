//! `tall`: a shaft two kilometres high with a gallery every few metres: heights far beyond 13 bits of voxels.

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "tall",
    summary: "a shaft two kilometres high with stairs from gallery to gallery",
    params: &[Param::real("height", 2000.0, [10.0, 10000.0], "height of the shaft in metres")],
    build,
};

/// Height between galleries.
const STOREY: f32 = 5.0;
const HALF: f32 = 10.0;

fn build(params: &Params) -> Scene {
    let storeys = (params.real("height") / STOREY) as u32;
    let mut kit = Kit::new();
    kit.floor([-HALF, HALF], [-HALF, HALF], 0.0);
    for storey in 0..storeys {
        let (low, high) = (storey as f32 * STOREY, (storey + 1) as f32 * STOREY);
        // Two flights side by side, used in turn, so that there is headroom over each.
        let way = if storey % 2 == 0 { 1.0 } else { -1.0 };
        let (from, to) = (Vec3::new(-way * 6.0, low, way * 2.0), Vec3::new(way * 6.0, high, way * 2.0));
        kit.ramp(&Climb { from, to, width: 3.5 });
        for side in [-1.0, 1.0] {
            let x = [6.0 * side, HALF * side];
            kit.cuboid([x[0].min(x[1]), high - 0.3, -HALF], [x[0].max(x[1]), high, HALF]);
        }
    }
    let top = storeys as f32 * STOREY;
    let last = if storeys % 2 == 1 { 8.0 } else { -8.0 };
    scene(kit, vec![Errand::open("from the bottom to the top", [8.0, 0.0, 8.0], [last, top, 8.0])])
}
