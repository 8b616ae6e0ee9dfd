//! `holes_and_pillars`: a floor with missing tiles and round pillars, scattered by the seed.
//!
//! Contours of this floor have many holes, some of them near each other and near the outline.

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "holes_and_pillars",
    summary: "a floor with rectangular holes and round pillars",
    params: &[
        Param::count("size", 40, [16, 400], "side in metres"),
        Param::count("holes", 24, [0, 10000], "how many holes are cut"),
        Param::count("pillars", 24, [0, 10000], "how many pillars are put up"),
    ],
    build,
};

/// Side of a floor tile.
const TILE: f32 = 1.0;
/// Width of the strip along the edges that stays complete, in tiles.
const RIM: i32 = 4;

fn build(params: &Params) -> Scene {
    let size = params.count("size") as i32;
    let rng = Rng::new(params.seed());
    let mut whole = vec![true; (size * size) as usize];
    let mut holes = rng.fork(1);
    for _ in 0..params.count("holes") {
        let (w, d) = (holes.whole(1, 4), holes.whole(1, 4));
        let (x, z) = (holes.whole(RIM, size - RIM - w), holes.whole(RIM, size - RIM - d));
        for row in z..z + d {
            for column in x..x + w {
                whole[(row * size + column) as usize] = false;
            }
        }
    }
    let half = size as f32 * TILE / 2.0;
    let line = |i: i32| i as f32 * TILE - half;
    let mut kit = Kit::new();
    for (i, _) in whole.iter().enumerate().filter(|(_, whole)| **whole) {
        let (x, z) = (i as i32 % size, i as i32 / size);
        kit.floor([line(x), line(x + 1)], [line(z), line(z + 1)], 0.0);
    }
    let mut pillars = rng.fork(2);
    for _ in 0..params.count("pillars") {
        let reach = half - RIM as f32 * TILE - 1.2;
        let (x, z) = (pillars.real(-reach, reach), pillars.real(-reach, reach));
        let (radius, height) = (pillars.real(0.3, 1.2), pillars.real(2.0, 5.0));
        kit.cylinder(Vec3::new(x, 0.0, z), radius, height, 14);
    }
    let far = half - 1.5;
    scene(kit, vec![Errand::open("corner to corner", [-far, 0.0, -far], [far, 0.0, far])])
}
