//! `far`: a bridge a hundred kilometres from the origin, where adjacent f32 values are 8 mm apart.

use super::{bridge, scene};
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "far",
    summary: "a bridge a hundred kilometres from the origin",
    params: &[Param::real("distance", 1e5, [0.0, 1e6], "from the origin along x and z, in metres")],
    build,
};

fn build(params: &Params) -> Scene {
    let offset = Vec3::new(params.real("distance"), 0.0, params.real("distance"));
    let bridge = (bridge::INFO.build)(&Params::defaults(bridge::INFO.params));
    let kit = Kit { verts: bridge.verts.iter().map(|&v| v + offset).collect(), tris: bridge.tris, areas: bridge.areas };
    let moved = |e: &Errand| Errand { from: e.from + offset, to: e.to + offset, ..e.clone() };
    scene(kit, bridge.errands.iter().map(moved).collect())
}
