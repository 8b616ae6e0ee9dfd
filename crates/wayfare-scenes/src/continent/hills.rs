//! Hills with a cave: a dome over level terrain, with two entrances. Agents can walk over it and through it.
//!
//! ```text
//!             .-----.
//!          .-'       '-.        the dome is one layer of triangles
//!        .'   |     |   '.
//!   ----.     |     |     ----  entrances; pillars
//! ```

use super::nodes::{Kind, Node};
use crate::kit::Kit;
use crate::random::Rng;
use wayfare::Vec3;
use wayfare::math::ops;

const RINGS: u32 = 8;
const SECTORS: u32 = 32;
/// Height of the dome as a fraction of its radius.
const HEIGHT: f32 = 0.34;
/// The entrances extend inwards to this ring.
const OPEN_RING: u32 = 6;
/// How far the rim extends into the terrain, metres.
const SUNK: f32 = 0.4;

pub(super) fn build(node: &Node, kit: &mut Kit) {
    if node.kind != Kind::Hill {
        return;
    }
    let mut dice = Rng::new(node.seed);
    let entrance = dice.whole(0, SECTORS as i32 / 2 - 1) as u32;
    let point = |ring: u32, sector: u32| {
        let share = ring as f32 / RINGS as f32;
        let angle = core::f32::consts::TAU * (sector % SECTORS) as f32 / SECTORS as f32;
        let radius = node.radius * share;
        let rise = HEIGHT * node.radius * (1.0 - share * share) - SUNK;
        Vec3::new(node.x + radius * ops::cos(angle), node.y + rise, node.z + radius * ops::sin(angle))
    };
    for ring in 0..RINGS {
        for sector in 0..SECTORS {
            if ring >= OPEN_RING && sector % (SECTORS / 2) == entrance {
                continue;
            }
            let [a, b] = [point(ring, sector), point(ring, sector + 1)];
            let [c, d] = [point(ring + 1, sector + 1), point(ring + 1, sector)];
            if ring == 0 { kit.tri(a, c, d) } else { kit.quad([a, b, c, d]) }
        }
    }
    for _ in 0..6 {
        let (x, z) = (dice.real(-0.5, 0.5) * node.radius, dice.real(-0.5, 0.5) * node.radius);
        let half = dice.real(0.8, 1.6);
        let share = (x.abs() + half).max(z.abs() + half) / node.radius;
        // As high as the dome over the corner that is farthest out.
        let top = node.y + HEIGHT * node.radius * (1.0 - 2.0 * share * share) - SUNK;
        let low = [node.x + x - half, node.y - 1.0, node.z + z - half];
        kit.cuboid(low, [low[0] + 2.0 * half, top.max(node.y + 2.0), low[2] + 2.0 * half]);
    }
}
