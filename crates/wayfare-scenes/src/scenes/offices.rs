//! `offices`: floors of rooms along a corridor, doors, desks, and a stairwell through all floors.
//!
//! ```text
//!   +------+------+------+------+-------+
//!   |      |      |      |      |       |
//!   +-- ---+-- ---+-- ---+-- ---+ stair |     every floor, seen from above
//!            corridor             well  |
//!   +-- ---+-- ---+-- ---+-- ---+       |
//!   |      |      |      |      |       |
//!   +------+------+------+------+-------+
//! ```

use super::scene;
use crate::kit::{Climb, Kit};
use crate::parse::{Param, Params};
use crate::random::Rng;
use crate::scene::{Errand, Scene, SceneInfo};
use wayfare::Vec3;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "offices",
    summary: "office floors: rooms with doors and desks along corridors, a stairwell",
    params: &[
        Param::count("floors", 3, [1, 60], "number of floors"),
        Param::count("rooms", 6, [1, 60], "rooms on each side of a corridor"),
    ],
    build,
};

const STOREY: f32 = 3.6;
const SLAB: f32 = 0.3;
/// Side of a room.
const ROOM: f32 = 6.0;
const CORRIDOR: f32 = 3.0;
const WALL: f32 = 0.2;
const DOOR: f32 = 2.0;
/// Length of the stairwell along the corridor: a landing, the flight, a landing.
const WELL: f32 = 14.0;
/// Depth of the whole building.
const DEPTH: f32 = ROOM * 2.0 + CORRIDOR;

fn build(params: &Params) -> Scene {
    let (floors, rooms) = (params.count("floors"), params.count("rooms"));
    let rng = Rng::new(params.seed());
    let length = rooms as f32 * ROOM;
    let mut kit = Kit::new();
    for floor in 0..floors {
        let y = floor as f32 * STOREY;
        slabs(&mut kit, length, y, floor > 0);
        for room in 0..rooms {
            let x = room as f32 * ROOM;
            for (side, z) in [(1.0, 0.0), (-1.0, DEPTH)] {
                room_walls(&mut kit, Vec3::new(x, y, z), side);
                let mut dice = rng.fork((u64::from(floor) << 32) + u64::from(room) * 2 + u64::from(side > 0.0));
                desks(&mut kit, Vec3::new(x, y, z), side, &mut dice);
            }
        }
        let z = [0.0, DEPTH];
        kit.cuboid([length - WALL, y, z[0]], [length, y + STOREY - SLAB, ROOM]);
        kit.cuboid([length - WALL, y, z[1] - ROOM], [length, y + STOREY - SLAB, z[1]]);
        if floor + 1 < floors {
            // Every other flight goes back, so that going up means walking through the well.
            let (low, high) = (length + 3.0, length + WELL - 3.0);
            let lane = if floor % 2 == 0 { 3.5 } else { DEPTH - 3.5 };
            let (from, to) = (Vec3::new(low, y, lane), Vec3::new(high, y + STOREY, lane));
            kit.stairs(&Climb { from, to, width: 3.0 }, 16);
        }
    }
    let top = (floors - 1) as f32 * STOREY;
    let corner = [length - ROOM + 1.5, top, DEPTH - ROOM + 1.5];
    scene(
        kit,
        vec![
            Errand::open("from the first office to the last one on the top floor", [1.5, 0.0, ROOM - 1.5], corner),
            Errand::open("along the corridor", [1.0, 0.0, DEPTH / 2.0], [length, 0.0, DEPTH / 2.0]),
        ],
    )
}

/// The floor: above the ground floor it has an opening over the flight that comes up through it.
fn slabs(kit: &mut Kit, length: f32, y: f32, well: bool) {
    let mut slab = |x: [f32; 2], z: [f32; 2]| kit.cuboid([x[0], y - SLAB, z[0]], [x[1], y, z[1]]);
    if !well {
        slab([0.0, length + WELL], [0.0, DEPTH]);
        return;
    }
    let (low, high) = (length + 3.0, length + WELL - 3.0);
    slab([0.0, low], [0.0, DEPTH]);
    slab([high, length + WELL], [0.0, DEPTH]);
    let floor = (y / STOREY + 0.5) as u32;
    let lane = if floor % 2 == 1 { 3.5 } else { DEPTH - 3.5 };
    slab([low, high], [0.0, lane - 1.5]);
    slab([low, high], [lane + 1.5, DEPTH]);
}

/// One room's left wall and its corridor wall with a door. `at` is the room's outer left corner, `side` is the
/// direction of the corridor.
fn room_walls(kit: &mut Kit, at: Vec3, side: f32) {
    let top = at.y + STOREY - SLAB;
    let mut wall = |x: [f32; 2], z: [f32; 2]| {
        kit.cuboid([x[0], at.y, z[0].min(z[1])], [x[1], top, z[0].max(z[1])]);
    };
    let corridor = at.z + side * ROOM;
    wall([at.x, at.x + WALL], [at.z, corridor]);
    let (door, thick) = (at.x + (ROOM - DOOR) / 2.0, [corridor - side * WALL, corridor]);
    wall([at.x + WALL, door], thick);
    wall([door + DOOR, at.x + ROOM], thick);
}

/// Two desks along the window, at random positions.
fn desks(kit: &mut Kit, at: Vec3, side: f32, dice: &mut Rng) {
    for half in [0.0, 1.0] {
        let x = at.x + 0.6 + half * 2.7 + dice.real(0.0, 0.6);
        let z = [at.z + side * 0.5, at.z + side * 1.4];
        let (near, far) = (z[0].min(z[1]), z[0].max(z[1]));
        kit.cuboid([x, at.y, near], [x + 1.6, at.y + 1.1, far]);
    }
}
