//! `dungeon`: a castle of three storeys over cellars, in its grounds.
//!
//! ```text
//!   hills  . . . . . . . . . . . . . .          side view
//!                        keep   |‾‾‾‾|             storey 3
//!                        wings  |____|‾‾‾‾‾‾‾|      storey 2
//!   _road__  bridge  ring ____  ground____|_court_ storey 1     y = 0
//!          |_moat_|     |_cellars_|  |pit|         storey 0
//! ```
//!
//! Each storey is a plan of one-metre cells (`plan`). `layout` subdivides its area repeatedly, puts a room into each
//! part and joins neighbouring parts by corridors, so a storey is connected by construction; stair halls are in the
//! plans of two storeys and join them. `masonry` turns plans into slabs, walls and stairs, `grounds` makes the hills,
//! trees and rocks around.

mod grounds;
mod layout;
mod masonry;
mod plan;

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Errand, Scene, SceneInfo};
use layout::Castle;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "dungeon",
    summary: "a castle of several storeys with cellars, stairs, pits, bridges and a moat, among hills",
    params: &[Param::count("size", 140, [120, 400], "side of the whole level in metres")],
    build,
};

fn build(params: &Params) -> Scene {
    let rng = Rng::new(params.seed());
    let castle = Castle::new(params.count("size") as i32 / 2, &rng);
    let mut kit = Kit::new();
    masonry::build(&mut kit, &castle);
    grounds::build(&mut kit, &castle, &rng);
    let errands = errands(&castle);
    scene(kit, errands)
}

fn errands(castle: &Castle) -> Vec<Errand> {
    // Where the four roads enter the level.
    let edge = castle.half as f32 - 2.0;
    let (north, south, west, east) = ([0.5, 0.0, -edge], [0.5, 0.0, edge], [-edge, 0.0, -4.0], [edge, 0.0, -4.0]);
    let court = castle.court_corner();
    let halls: Vec<_> = castle.flights.iter().map(|f| (f.foot(), f.head())).collect();
    let (cellar, keep) = (halls[0].0, halls[castle.keep_flight].1);
    let moat = [halls[castle.moat_flight].0, halls[castle.moat_flight + 1].0];
    vec![
        Errand::open("from the road into the courtyard", north, court),
        Errand::open("from the road to the top of the keep", west, keep),
        Errand::open("from the road down into the cellars", south, cellar),
        Errand::open("from the bottom of the moat to the keep", moat[0], keep),
        Errand::open("from the cellars to the keep", cellar, keep),
        Errand::open("out of the moat and over a bridge", moat[1], east),
        Errand::shut("into the vault without a door", court, castle.vault()),
    ]
}
