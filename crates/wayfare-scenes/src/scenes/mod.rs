//! One file per scene.

mod blocks;
mod bridge;
mod city;
mod clutter;
mod continent;
mod doors;
mod dungeon;
mod far;
mod flat;
mod garage;
mod harbour;
mod holes_and_pillars;
mod ledges;
mod offices;
mod platforms;
mod river;
mod soup;
mod spiral_ramp;
mod stairs;
mod tall;
mod terrain;
mod tower;
mod two_floors;
mod yard;

pub use blocks::Blocks;
pub use harbour::Harbour;

use crate::kit::Kit;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::area::AreaId;
use wayfare::input::BakeSettings;

/// All scenes, in the order in which lists show them.
#[must_use]
pub fn all() -> &'static [SceneInfo] {
    &[
        flat::INFO,
        stairs::INFO,
        two_floors::INFO,
        bridge::INFO,
        holes_and_pillars::INFO,
        spiral_ramp::INFO,
        dungeon::INFO,
        terrain::INFO,
        city::INFO,
        offices::INFO,
        doors::INFO,
        soup::INFO,
        blocks::INFO,
        platforms::INFO,
        ledges::INFO,
        yard::INFO,
        river::INFO,
        tall::INFO,
        far::INFO,
        continent::INFO,
        garage::INFO,
        tower::INFO,
        clutter::INFO,
        harbour::INFO,
    ]
}

/// A scene for the default agent and settings; the caller fills in its spec.
fn scene(kit: Kit, errands: Vec<Errand>) -> Scene {
    let Kit { verts, tris, mut areas } = kit;
    areas.resize(tris.len(), AreaId::WALKABLE);
    let (spec, settings) = (String::new(), BakeSettings::default());
    Scene { spec, verts, tris, areas, volumes: Vec::new(), settings, errands }
}
