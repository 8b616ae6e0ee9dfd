//! `ledges`: a floor with blocks of increasing height, for links that drop from them and climb up to them.
//!
//! ```text
//!                               ____
//!                   ____       |    |      block i is `first` + i × `step` high; on foot none is reached, since all are
//!        ____      |    |      |    |      higher than the climb
//!   ____|    |_____|    |______|    |____
//! ```

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "ledges",
    summary: "blocks of rising height on a floor, for drops and climbs",
    params: &[
        Param::count("count", 6, [1, 100], "number of blocks"),
        Param::real("first", 1.2, [1.2, 20.0], "height of the lowest block in metres"),
        Param::real("step", 0.8, [0.0, 20.0], "how much higher each next block is, in metres"),
    ],
    build,
};

/// Side of a block, and of the floor between two.
const BLOCK: f32 = 6.0;
const FLOOR: f32 = 5.0;

fn build(params: &Params) -> Scene {
    let (count, first, step) = (params.count("count"), params.real("first"), params.real("step"));
    let begin = |block: u32| FLOOR + block as f32 * (BLOCK + FLOOR);
    let mut kit = Kit::new();
    kit.floor([0.0, begin(count)], [0.0, BLOCK + 2.0 * FLOOR], 0.0);
    let mut errands = Vec::new();
    for block in 0..count {
        let (x, y) = (begin(block), first + step * block as f32);
        kit.cuboid([x, 0.0, FLOOR], [x + BLOCK, y, FLOOR + BLOCK]);
        let (below, above) = ([x - FLOOR / 2.0, 0.0, 2.0], [x + BLOCK / 2.0, y, FLOOR + BLOCK / 2.0]);
        errands.push(Errand::shut("onto a block that needs a climb", below, above));
    }
    scene(kit, errands)
}
