//! `two_floors`: a floor above another, a stairwell between them, pillars under the upper one.

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "two_floors",
    summary: "two floors above each other, joined by a stairwell",
    params: &[
        Param::real("size", 24.0, [20.0, 200.0], "side in metres"),
        Param::real("height", 4.0, [3.0, 5.0], "height of a storey in metres"),
    ],
    build,
};

fn build(params: &Params) -> Scene {
    let half = params.real("size") / 2.0;
    let height = params.real("height");
    let thick = 0.3;
    let mut kit = Kit::new();
    kit.floor([-half, half], [-half, half], 0.0);
    // The upper floor has an opening of 4 m x 10 m, where the stairs come up along x.
    let (well_x, well_z) = ([-5.0, 5.0], [-2.0, 2.0]);
    let mut slab = |x: [f32; 2], z: [f32; 2]| kit.cuboid([x[0], height - thick, z[0]], [x[1], height, z[1]]);
    slab([-half, well_x[0]], [-half, half]);
    slab([well_x[1], half], [-half, half]);
    slab(well_x, [-half, well_z[0]]);
    slab(well_x, [well_z[1], half]);
    let climb = Climb { from: Vec3::new(-4.0, 0.0, 0.0), to: Vec3::new(5.0, height, 0.0), width: 4.0 };
    kit.stairs(&climb, 18);
    for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        let base = Vec3::new(x * (half - 3.0), 0.0, z * (half - 3.0));
        kit.cylinder(base, 0.4, height - thick, 12);
    }
    let corner = half - 1.5;
    scene(
        kit,
        vec![
            Errand::open("from under the corner to above it", [corner, 0.0, corner], [corner, height, corner]),
            Errand::open("down again", [-corner, height, -corner], [-corner, 0.0, corner]),
        ],
    )
}
