//! `soup`: dirty input. A floor and a wall among triangles with NaN and infinite corners, without area, slivers,
//! duplicates, upside down or intersecting.

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "soup",
    summary: "dirty input: NaN, slivers, doubled, inverted and overlapping triangles among good ones",
    params: &[Param::count("dirt", 2000, [0, 1_000_000], "how many bad triangles are mixed in")],
    build,
};

const HALF: f32 = 20.0;
/// Dirt stays away from the strip along the low edges, where the errand walks.
const CLEAN: f32 = 4.0;

fn build(params: &Params) -> Scene {
    let mut kit = Kit::new();
    kit.surface(20, 20, |x, z| Vec3::new(x as f32 * 2.0 - HALF, 0.0, z as f32 * 2.0 - HALF));
    kit.cuboid([-2.0, -0.5, -2.0], [2.0, 3.0, 8.0]);
    let mut dice = Rng::new(params.seed());
    for _ in 0..params.count("dirt") {
        dirt(&mut kit, &mut dice);
    }
    let (near, far) = (CLEAN / 2.0 - HALF, HALF - 2.0);
    scene(kit, vec![Errand::open("along the clean strip", [near, 0.0, far], [far, 0.0, near])])
}

fn dirt(kit: &mut Kit, dice: &mut Rng) {
    let place = |dice: &mut Rng, low: f32, high: f32| {
        let (x, z) = (dice.real(CLEAN - HALF, HALF), dice.real(CLEAN - HALF, HALF));
        Vec3::new(x, dice.real(low, high), z)
    };
    let p = place(dice, 0.0, 6.0);
    match dice.whole(0, 7) {
        0 => kit.tri(Vec3::new(f32::NAN, p.y, p.z), p + Vec3::Z, p + Vec3::X),
        1 => kit.tri(p, Vec3::new(p.x, f32::INFINITY, p.z), p + Vec3::X),
        2 => kit.tri(p, p, p + Vec3::X),
        3 => kit.tri(p, p + Vec3::X * 0.5, p + Vec3::X),
        // A needle: thousands of times longer than wide.
        4 => kit.tri(p, place(dice, 0.0, 6.0), p + Vec3::new(1e-4, 0.0, 1e-4)),
        // Upside down, just above the floor.
        5 => {
            let low = Vec3::new(p.x, 0.01, p.z);
            kit.tri(low, low + Vec3::X, low + Vec3::Z);
        }
        // An existing triangle once more.
        6 => {
            let again = dice.whole(0, kit.tris.len() as i32 - 1) as usize;
            kit.tris.push(kit.tris[again]);
        }
        // Through everything.
        _ => kit.tri(p, place(dice, -0.5, 3.0), p + Vec3::new(0.5, 1.0, 0.5)),
    }
}
