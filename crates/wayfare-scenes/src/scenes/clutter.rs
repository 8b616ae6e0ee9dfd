//! `clutter`: a cave floor with boulders as a scanner delivers them: nearly all triangles are smaller than a cell.

use super::scene;
use crate::kit::Kit;
use crate::noise::Noise;
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;
use wayfare::math::ops;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "clutter",
    summary: "boulders and rough ground of triangles smaller than a cell, as scans have them",
    params: &[
        Param::count("boulders", 12, [0, 10_000], "how many boulders lie around"),
        Param::count("facets", 52, [4, 1000], "triangles around the waist of a boulder; half as many up its side"),
        Param::real("size", 32.0, [16.0, 400.0], "side of the ground in metres"),
    ],
    build,
};

/// Side of a square of the floor.
const FINE: f32 = 0.25;
/// Boulders stay away from a strip along the edges, where the errand walks.
const CLEAR: f32 = 4.0;

fn build(params: &Params) -> Scene {
    let size = params.real("size");
    let noise = Noise::new(params.seed());
    let squares = (size / FINE) as u32;
    let mut kit = Kit::new();
    kit.surface(squares, squares, |column, row| {
        let (x, z) = (column as f32 * FINE, row as f32 * FINE);
        Vec3::new(x, noise.fractal(x * 0.5, z * 0.5, 3) * 0.15, z)
    });
    let mut dice = Rng::new(params.seed()).fork(1);
    for _ in 0..params.count("boulders") {
        let (x, z) = (dice.real(CLEAR, size - CLEAR), dice.real(CLEAR, size - CLEAR));
        let radius = dice.real(0.4, 1.2);
        boulder(&mut kit, &noise, Vec3::new(x, radius * dice.real(0.2, 0.7), z), radius, params.count("facets"));
    }
    let (near, far) = (CLEAR / 2.0, size - CLEAR / 2.0);
    scene(kit, vec![Errand::open("around the boulders", [near, 0.0, near], [far, 0.0, far])])
}

/// A ball with bumps. Seams and poles are closed: the first meridian is also the last.
fn boulder(kit: &mut Kit, noise: &Noise, middle: Vec3, radius: f32, facets: u32) {
    let rings = (facets / 2).max(2);
    kit.surface(facets, rings, |column, row| {
        let around = core::f32::consts::TAU * (column % facets) as f32 / facets as f32;
        let down = core::f32::consts::PI * row as f32 / rings as f32;
        let waist = ops::sin(down);
        let out = Vec3::new(ops::cos(around) * waist, ops::cos(down), ops::sin(around) * waist);
        let bumps = noise.fractal(out.x * 2.0 + middle.x, out.z * 2.0 + out.y + middle.z, 3);
        middle + out * (radius * (1.0 + 0.25 * bumps))
    });
}
