//! `tower`: many storeys around a well, with corner rooms, lintels, ducts under the ceilings, and a flight from each
//! storey to the next: columns of dozens of spans, as in maps of towers.
//!
//! ```text
//!   +-------+---flight---+-------+
//!   | room               |  room |
//!   +--  ---+            +--  ---+     every storey, seen from above;
//!   |         +--------+         |     the flight of the next storey lies on the other side
//!   |         |  well  |         |
//!   |         +--------+         |
//!   +--  ---+            +--  ---+
//!   | room               |  room |
//!   +-------+------------+-------+
//! ```

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "tower",
    summary: "many storeys around a well: rooms, ducts, stairs",
    params: &[Param::count("storeys", 6, [1, 200], "number of storeys")],
    build,
};

const STOREY: f32 = 3.8;
const SLAB: f32 = 0.3;
/// Side of the tower.
const SIDE: f32 = 32.0;
/// Side of a corner room.
const ROOM: f32 = 9.0;
const WALL: f32 = 0.4;
const DOOR: f32 = 2.0;
/// The well, along both axes.
const WELL: [f32; 2] = [11.0, 21.0];
/// A flight, along x; its width, and its distance from the wall.
const FLIGHT: [f32; 2] = [11.0, 21.0];
const FLIGHT_WIDTH: f32 = 3.0;
const FLIGHT_FROM_WALL: f32 = 0.6;

fn build(params: &Params) -> Scene {
    let storeys = params.count("storeys");
    let rng = Rng::new(params.seed());
    let mut kit = Kit::new();
    for storey in 0..storeys {
        let y = storey as f32 * STOREY;
        slabs(&mut kit, y, storey);
        rooms(&mut kit, y);
        let mut dice = rng.fork(u64::from(storey));
        ducts(&mut kit, y, &mut dice);
        crates(&mut kit, y, &mut dice);
        if storey + 1 < storeys {
            let z = flight_lane(storey);
            let middle = (z[0] + z[1]) / 2.0;
            let (from, to) = (Vec3::new(FLIGHT[0], y, middle), Vec3::new(FLIGHT[1], y + STOREY, middle));
            kit.stairs(&Climb { from, to, width: FLIGHT_WIDTH }, 16);
        }
    }
    let top = (storeys - 1) as f32 * STOREY;
    let (near, far) = ([10.0, 0.0, 16.0], [22.0, top, 16.0]);
    scene(kit, vec![Errand::open("from the lowest storey to the highest", near, far)])
}

/// The flight from a storey to the next, along z.
fn flight_lane(storey: u32) -> [f32; 2] {
    let low = if storey.is_multiple_of(2) { FLIGHT_FROM_WALL } else { SIDE - FLIGHT_FROM_WALL - FLIGHT_WIDTH };
    [low, low + FLIGHT_WIDTH]
}

/// The floor around the well, open over the flight that comes up through it. The ground floor has no openings.
fn slabs(kit: &mut Kit, y: f32, storey: u32) {
    let mut slab = |x: [f32; 2], z: [f32; 2]| kit.cuboid([x[0], y - SLAB, z[0]], [x[1], y, z[1]]);
    if storey == 0 {
        slab([0.0, SIDE], [0.0, SIDE]);
        return;
    }
    slab([0.0, WELL[0]], [0.0, SIDE]);
    slab([WELL[1], SIDE], [0.0, SIDE]);
    let lane = flight_lane(storey - 1);
    for z in [[0.0, WELL[0]], [WELL[1], SIDE]] {
        if (z[0]..z[1]).contains(&lane[0]) {
            slab(WELL, [z[0], lane[0]]);
            slab(WELL, [lane[1], z[1]]);
        } else {
            slab(WELL, z);
        }
    }
}

/// A room in each corner, with a door with a lintel in each of its two inner walls.
fn rooms(kit: &mut Kit, y: f32) {
    let (top, lintel) = (y + STOREY - SLAB, y + 2.4);
    let gap = [(ROOM - DOOR) / 2.0, (ROOM + DOOR) / 2.0];
    for (high_x, high_z) in [(false, false), (true, false), (false, true), (true, true)] {
        let flip = |v: [f32; 2], high: bool| if high { [SIDE - v[1], SIDE - v[0]] } else { v };
        let mut block = |x: [f32; 2], z: [f32; 2], low: f32| {
            let (x, z) = (flip(x, high_x), flip(z, high_z));
            kit.cuboid([x[0], low, z[0]], [x[1], top, z[1]]);
        };
        let thick = [ROOM - WALL, ROOM];
        block([0.0, gap[0]], thick, y);
        block(gap, thick, lintel);
        block([gap[1], ROOM], thick, y);
        block(thick, [0.0, gap[0]], y);
        block(thick, gap, lintel);
        block(thick, [gap[1], ROOM - WALL], y);
    }
}

/// Ducts that hang under the ceiling, around the well, away from the flights.
fn ducts(kit: &mut Kit, y: f32, dice: &mut Rng) {
    for _ in 0..6 {
        let (at, height) = (dice.real(4.5, WELL[0] - 1.0), y + dice.real(2.5, 3.0));
        let at = if dice.one_in(2) { at } else { SIDE - at - 0.5 };
        if dice.one_in(2) {
            kit.cuboid([at, height, 0.0], [at + 0.5, height + 0.2, SIDE]);
        } else {
            kit.cuboid([0.0, height, at], [SIDE, height + 0.2, at + 0.5]);
        }
    }
}

/// Crates in the corner rooms, away from the doors.
fn crates(kit: &mut Kit, y: f32, dice: &mut Rng) {
    for high in [[0.0, 0.0], [SIDE - ROOM, 0.0], [0.0, SIDE - ROOM], [SIDE - ROOM, SIDE - ROOM]] {
        for _ in 0..2 {
            let (x, z) = (high[0] + dice.real(3.0, 5.0), high[1] + dice.real(3.0, 5.0));
            kit.cuboid([x, y, z], [x + 1.0, y + dice.real(0.5, 1.6), z + 1.0]);
        }
    }
}
