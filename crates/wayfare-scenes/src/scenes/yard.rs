//! `yard`: some of everything that a bake encounters, for pictures of its stages.
//!
//! ```text
//!   +--------------------------------+
//!   |  kerb     block <== ramp       |     kerb: within the climb        slope: too steep
//!   |  [  ]     [   ]<====           |     block: beyond it              beam: too low to pass under
//!   |  plank ---             beam -- |
//!   |  slope    o  o  o      (hole)  |
//!   +--------------------------------+
//! ```

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::Params;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "yard",
    summary: "a kerb, a plank, a block with a ramp, a steep slope, a low beam, pillars and a hole",
    params: &[],
    build,
};

fn build(_: &Params) -> Scene {
    let mut kit = Kit::new();
    let (hole_x, hole_z) = ([19.0, 22.0], [12.0, 14.2]);
    kit.floor([0.0, 24.0], [0.0, hole_z[0]], 0.0);
    kit.floor([0.0, hole_x[0]], [hole_z[0], hole_z[1]], 0.0);
    kit.floor([hole_x[1], 24.0], [hole_z[0], hole_z[1]], 0.0);
    kit.floor([0.0, 24.0], [hole_z[1], 16.0], 0.0);
    kit.cuboid([2.0, 0.0, 2.0], [8.0, 0.4, 7.0]);
    kit.cuboid([10.5, 0.0, 2.0], [15.5, 1.6, 8.0]);
    kit.ramp(&Climb { from: Vec3::new(20.5, 0.0, 4.5), to: Vec3::new(15.5, 1.6, 4.5), width: 3.4 });
    kit.ramp(&Climb { from: Vec3::new(2.0, 0.0, 12.0), to: Vec3::new(5.0, 5.2, 12.0), width: 4.0 });
    // A tilted plank, too steep to stand on but low enough to step over.
    let plank = [[3.0, 0.3, 8.7], [3.0, 0.8, 9.1], [8.0, 0.8, 9.1], [8.0, 0.3, 8.7]];
    kit.quad(plank.map(Vec3::from));
    for x in [9.5, 12.5, 15.5] {
        kit.cylinder(Vec3::new(x, 0.0, 12.0), 0.5, 3.0, 16);
    }
    kit.cuboid([17.5, 1.4, 9.2], [24.0, 1.8, 9.8]);
    scene(
        kit,
        vec![
            Errand::open("onto the kerb", [1.2, 0.0, 8.0], [5.0, 0.4, 4.5]),
            Errand::open("up the ramp onto the block", [1.2, 0.0, 8.0], [13.0, 1.6, 5.0]),
            Errand::open("around the beam", [22.5, 0.0, 7.5], [22.5, 0.0, 11.0]),
        ],
    )
}
