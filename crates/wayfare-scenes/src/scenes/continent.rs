//! `continent`: a world of any size, which can also be generated tile by tile.

use super::scene;
use crate::continent::Continent;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::scene::{Scene, SceneInfo};
use wayfare::input::BakeSettings;
use wayfare::world::{WorldPiece, WorldSource as _};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "continent",
    summary: "towns, hills with caves, rivers and bridges (2); for a store it is made tile by tile",
    params: &[Param::real("km", 0.25, [0.05, 64.0], "side in kilometres")],
    build,
};

fn build(params: &Params) -> Scene {
    let world = Continent::of(params);
    let bounds = world.bounds();
    let mesh = world.piece(&bounds).map_or(WorldPiece::EMPTY, |piece| piece).mesh;
    let kit = Kit { verts: mesh.verts().to_vec(), tris: mesh.tris().to_vec(), areas: mesh.areas().to_vec() };
    let settings = BakeSettings { bounds: Some(bounds), ..BakeSettings::default() };
    // What is reachable depends on the seed: no errands with known answers.
    Scene { settings, ..scene(kit, Vec::new()) }
}
