//! Towns: houses on a grid of streets. Some are open.

use super::land::Land;
use super::nodes::{Kind, Node};
use crate::kit::Kit;
use crate::random::Rng;
use wayfare::Vec3;

/// Distance between lots, metres.
const LOT: f32 = 18.0;
/// Houses extend this far below the terrain, which may be uneven where a river cuts into it.
const FOOT: f32 = 1.0;
const WALL: f32 = 0.4;
const DOOR: [f32; 2] = [2.6, 2.6];

pub(super) fn build(land: &Land, node: &Node, kit: &mut Kit) {
    if node.kind != Kind::Town {
        return;
    }
    let mut dice = Rng::new(node.seed);
    let lots = (node.radius / LOT) as i32;
    for row in -lots..lots {
        for column in -lots..lots {
            // The same numbers are drawn for every lot, whether or not there is a house.
            let half = [dice.real(4.0, 6.5), dice.real(4.0, 6.5)];
            let height = dice.real(3.2, 7.0);
            let is_free = dice.one_in(8);
            let is_open = dice.one_in(3);
            let [x, z] = [(node.x, column), (node.z, row)].map(|(middle, k)| middle + (k as f32 + 0.5) * LOT);
            let distance = ((x - node.x) * (x - node.x) + (z - node.z) * (z - node.z)).sqrt();
            if is_free || distance + 9.0 > node.radius || land.bank(x, z) < 1.6 {
                continue;
            }
            let house = House { x, z, y: node.y, half, height };
            house.roof(kit);
            if is_open { house.walls(kit) } else { house.block(kit) }
        }
    }
}

struct House {
    x: f32,
    z: f32,
    y: f32,
    /// Half its sides along x and z.
    half: [f32; 2],
    height: f32,
}

impl House {
    fn block(&self, kit: &mut Kit) {
        let [x, z] = self.half;
        let [low, high] = [self.y - FOOT, self.y + self.height];
        kit.cuboid([self.x - x, low, self.z - z], [self.x + x, high, self.z + z]);
    }

    /// Four walls, with a door in the one on the low side of z.
    fn walls(&self, kit: &mut Kit) {
        let [x, z] = self.half;
        let [width, door] = DOOR;
        let [low, high] = [self.y - FOOT, self.y + self.height];
        let mut wall = |a: [f32; 2], b: [f32; 2], low: f32| {
            kit.cuboid([self.x + a[0], low, self.z + a[1]], [self.x + b[0], high, self.z + b[1]]);
        };
        wall([-x, -z], [-x + WALL, z], low);
        wall([x - WALL, -z], [x, z], low);
        wall([-x + WALL, z - WALL], [x - WALL, z], low);
        wall([-x + WALL, -z], [-width / 2.0, -z + WALL], low);
        wall([width / 2.0, -z], [x - WALL, -z + WALL], low);
        wall([-width / 2.0, -z], [width / 2.0, -z + WALL], self.y + door);
    }

    /// Two slopes too steep to walk on, and the gables.
    fn roof(&self, kit: &mut Kit) {
        let [x, z] = self.half.map(|half| half + 0.3);
        let eaves = self.y + self.height;
        let ridge = eaves + z * 1.3;
        let at = |x: f32, y: f32, z: f32| Vec3::new(self.x + x, y, self.z + z);
        let [a, b] = [at(-x, ridge, 0.0), at(x, ridge, 0.0)];
        kit.quad([at(-x, eaves, -z), a, b, at(x, eaves, -z)]);
        kit.quad([a, at(-x, eaves, z), at(x, eaves, z), b]);
        kit.tri(at(-x, eaves, -z), at(-x, eaves, z), a);
        kit.tri(at(x, eaves, z), at(x, eaves, -z), b);
    }
}
