//! `platforms`: islands of different heights with gaps between them, for links that jump and drop.
//!
//! No island can be reached from another on foot; gap and height decide which jumps join them: island i lies `gap`
//! beyond island i − 1 and `step` higher or lower.

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "platforms",
    summary: "islands with gaps and steps between them, for jumps and drops",
    params: &[
        Param::count("count", 6, [2, 100], "number of islands"),
        Param::real("gap", 1.5, [0.5, 20.0], "width of the first gap in metres; each next one is a quarter wider"),
        Param::real("step", 1.5, [1.2, 20.0], "height between neighbouring islands in metres"),
    ],
    build,
};

const ISLAND: f32 = 6.0;

fn build(params: &Params) -> Scene {
    let (count, step) = (params.count("count"), params.real("step"));
    let mut gap = params.real("gap");
    let mut kit = Kit::new();
    let (mut x, mut middles) = (0.0, Vec::new());
    for island in 0..count {
        // Up, up, down, up, up, down: drops as well as climbs.
        let y = step * (island / 3 + island % 3) as f32;
        kit.cuboid([x, y - 1.0, 0.0], [x + ISLAND, y, ISLAND]);
        middles.push([x + ISLAND / 2.0, y, ISLAND / 2.0]);
        x += ISLAND + gap;
        gap *= 1.25;
    }
    let errands = middles.windows(2).map(|pair| Errand::shut("to an island that needs a jump", pair[0], pair[1]));
    let errands = errands.collect();
    scene(kit, errands)
}
