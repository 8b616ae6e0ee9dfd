//! `terrain`: hills from summed noise, of any size.

use super::scene;
use crate::kit::Kit;
use crate::noise::Noise;
use crate::parse::{Param, Params};
use crate::scene::{Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "terrain",
    summary: "hills from noise; size 708 has a million triangles",
    params: &[
        Param::count("size", 128, [1, 4096], "cells per side; two triangles each"),
        Param::real("spacing", 1.0, [0.25, 100.0], "side of a cell in metres"),
        Param::real("height", 10.0, [0.0, 2000.0], "largest height above and below zero, in metres"),
        Param::real("wavelength", 40.0, [1.0, 10000.0], "of the widest hills, in metres"),
    ],
    build,
};

fn build(params: &Params) -> Scene {
    let (size, spacing, height) = (params.count("size"), params.real("spacing"), params.real("height"));
    let scale = spacing / params.real("wavelength");
    let noise = Noise::new(params.seed());
    let half = size as f32 * spacing / 2.0;
    let mut kit = Kit::new();
    kit.surface(size, size, |x, z| {
        let y = height * noise.fractal(x as f32 * scale, z as f32 * scale, 5);
        Vec3::new(x as f32 * spacing - half, y, z as f32 * spacing - half)
    });
    // Which hills are too steep depends on the seed: no errands with known answers.
    scene(kit, Vec::new())
}
