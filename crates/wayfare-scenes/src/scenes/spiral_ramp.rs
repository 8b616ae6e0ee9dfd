//! `spiral_ramp`: a ramp that winds around a column, each turn above the one before.

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;
use wayfare::math::ops;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "spiral_ramp",
    summary: "a ramp winding up around a column: many storeys above each other",
    params: &[
        Param::real("turns", 3.0, [0.5, 50.0], "how often it winds around"),
        Param::real("radius", 8.0, [6.0, 100.0], "from the axis to the outer rim, in metres"),
        Param::real("pitch", 4.0, [3.0, 8.0], "rise of a full turn, in metres"),
    ],
    build,
};

/// Width of the ramp.
const WIDTH: f32 = 4.0;
/// Straight pieces per turn.
const SECTORS: f32 = 36.0;
const THICK: f32 = 0.3;

fn build(params: &Params) -> Scene {
    let (turns, outer, pitch) = (params.real("turns"), params.real("radius"), params.real("pitch"));
    let sectors = (turns * SECTORS).ceil() as u32;
    let inner = outer - WIDTH;
    let height = |i: u32| pitch * i as f32 / SECTORS;
    let at = |i: u32, radius: f32| {
        // Whole turns give the same bits.
        let angle = core::f32::consts::TAU * ((i as f32) % SECTORS) / SECTORS;
        Vec3::new(ops::cos(angle) * radius, height(i), ops::sin(angle) * radius)
    };
    let mut kit = Kit::new();
    let reach = outer + 6.0;
    kit.floor([-reach, reach], [-reach, reach], 0.0);
    let down = Vec3::Y * THICK;
    for i in 0..sectors {
        let top = [at(i, inner), at(i + 1, inner), at(i + 1, outer), at(i, outer)];
        kit.quad(top);
        let [a, b, c, d] = top.map(|p| p - down);
        kit.quad([d, c, b, a]);
        kit.quad([c, d, top[3], top[2]]);
        kit.quad([a, b, top[1], top[0]]);
    }
    let ends = [(0, [inner, outer]), (sectors, [outer, inner])];
    for (i, [a, b]) in ends {
        kit.quad([at(i, a) - down, at(i, b) - down, at(i, b), at(i, a)]);
    }
    kit.cylinder(Vec3::ZERO, inner * 0.5, height(sectors) + 2.0, 24);
    let middle = (inner + outer) / 2.0;
    // Half a sector before the end, well inside.
    let top = at(sectors.saturating_sub(3), middle);
    scene(kit, vec![Errand::open("from the bottom to the top", [-reach + 1.5, 0.0, -reach + 1.5], top.into())])
}
