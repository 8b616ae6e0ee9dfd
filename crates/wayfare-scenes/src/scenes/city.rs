//! `city`: blocks of houses with streets, pavements behind kerbs, courtyards with one gateway, and parks.

use super::scene;
use crate::kit::Kit;
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "city",
    summary: "blocks of houses, streets, kerbs, courtyards and parks",
    params: &[Param::count("blocks", 4, [1, 40], "blocks along each side")],
    build,
};

/// Side of a block including its pavement.
const BLOCK: f32 = 40.0;
/// Width of a street.
const STREET: f32 = 10.0;
/// Pavement between the kerb and the houses.
const PAVEMENT: f32 = 3.0;
const KERB: f32 = 0.2;

fn build(params: &Params) -> Scene {
    let blocks = params.count("blocks");
    let rng = Rng::new(params.seed());
    let size = blocks as f32 * (BLOCK + STREET) + STREET;
    let mut kit = Kit::new();
    kit.floor([0.0, size], [0.0, size], 0.0);
    for row in 0..blocks {
        for column in 0..blocks {
            let mut dice = rng.fork(u64::from(row) << 32 | u64::from(column));
            let low = |i: u32| STREET + i as f32 * (BLOCK + STREET);
            let (x, z) = (low(column), low(row));
            kit.cuboid([x, 0.0, z], [x + BLOCK, KERB, z + BLOCK]);
            match dice.whole(0, 5) {
                0 => park(&mut kit, x, z, &mut dice),
                1 | 2 => courtyard(&mut kit, x, z, &mut dice),
                _ => houses(&mut kit, x, z, &mut dice),
            }
        }
    }
    let (near, far) = (STREET / 2.0, size - STREET / 2.0);
    scene(kit, vec![Errand::open("across the city", [near, 0.0, near], [far, 0.0, far])])
}

/// Trees and a low pedestal with two steps.
fn park(kit: &mut Kit, x: f32, z: f32, dice: &mut Rng) {
    let middle = BLOCK / 2.0;
    kit.cuboid([x + middle - 3.0, KERB, z + middle - 3.0], [x + middle + 3.0, KERB + 0.4, z + middle + 3.0]);
    kit.cuboid([x + middle - 2.0, KERB, z + middle - 2.0], [x + middle + 2.0, KERB + 0.8, z + middle + 2.0]);
    for _ in 0..24 {
        let (tree_x, tree_z) = (dice.real(2.0, BLOCK - 2.0), dice.real(2.0, BLOCK - 2.0));
        kit.cylinder(Vec3::new(x + tree_x, KERB, z + tree_z), dice.real(0.2, 0.5), 4.0, 10);
    }
}

/// Four wings around a yard, with one gateway of 4 m.
fn courtyard(kit: &mut Kit, x: f32, z: f32, dice: &mut Rng) {
    let (low, high, deep) = (PAVEMENT, BLOCK - PAVEMENT, 9.0);
    let height = dice.real(8.0, 20.0);
    let gate = dice.real(low + deep + 1.0, high - deep - 5.0);
    let mut wing = |a: [f32; 2], b: [f32; 2]| {
        kit.cuboid([x + a[0], KERB, z + a[1]], [x + b[0], KERB + height, z + b[1]]);
    };
    wing([low, low], [low + deep, high]);
    wing([high - deep, low], [high, high]);
    wing([low + deep, high - deep], [high - deep, high]);
    wing([low + deep, low], [gate, low + deep]);
    wing([gate + 4.0, low], [high - deep, low + deep]);
}

/// A row of houses of different heights, with alleys.
fn houses(kit: &mut Kit, x: f32, z: f32, dice: &mut Rng) {
    for (half_z, depth) in [(PAVEMENT, 15.0), (BLOCK - PAVEMENT - 15.0, 15.0)] {
        let mut at = PAVEMENT;
        while at < BLOCK - PAVEMENT - 5.0 {
            let end = (at + dice.real(8.0, 16.0)).min(BLOCK - PAVEMENT);
            let height = dice.real(6.0, 40.0);
            kit.cuboid([x + at, KERB, z + half_z], [x + end, KERB + height, z + half_z + depth]);
            let alley = if dice.one_in(3) { 2.5 } else { 0.0 };
            at = end + alley;
        }
    }
}
