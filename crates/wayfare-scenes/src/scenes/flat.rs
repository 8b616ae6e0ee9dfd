//! `flat`: a level square, centred at the origin.

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "flat",
    summary: "a level, square floor, centered at the origin",
    params: &[Param::real("size", 40.0, [4.0, 10000.0], "side in metres")],
    build,
};

fn build(params: &Params) -> Scene {
    let half = params.real("size") / 2.0;
    let mut kit = Kit::new();
    kit.floor([-half, half], [-half, half], 0.0);
    let far = half - 1.5;
    scene(kit, vec![Errand::open("corner to corner", [-far, 0.0, -far], [far, 0.0, far])])
}
