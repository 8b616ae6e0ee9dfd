//! Floors, walls, stairs and furniture of the dungeon, as triangles.

use super::layout::{CELLAR, Castle, Flight, GROUND, Piece, STOREY, height};
use super::plan::{Cell, Rect};
use crate::kit::{Climb, Kit};
use wayfare::Vec3;

const SLAB: f32 = 0.4;
/// Height of walls above their floor.
const WALL: f32 = 3.2;
/// Steps of a flight.
const STEPS: u32 = 20;

pub(super) fn build(kit: &mut Kit, castle: &Castle) {
    for storey in 0..castle.plans.len() {
        floors(kit, castle, storey);
        walls(kit, castle, storey);
    }
    for flight in &castle.flights {
        stairs(kit, flight);
    }
    for &(storey, piece) in &castle.pieces {
        furniture(kit, height(storey), piece);
    }
}

fn range(start: i32, length: i32) -> [f32; 2] {
    [start as f32, (start + length) as f32]
}

fn floors(kit: &mut Kit, castle: &Castle, storey: usize) {
    let y = height(storey);
    for Rect { x, z, w, d } in castle.plans[storey].rectangles(Cell::Floor) {
        kit.floor(range(x, w), range(z, d), y);
        if storey > CELLAR {
            kit.ceiling(range(x, w), range(z, d), y - SLAB);
        }
    }
}

fn walls(kit: &mut Kit, castle: &Castle, storey: usize) {
    let (plan, y) = (&castle.plans[storey], height(storey));
    let line = |kit: &mut Kit, [a, b]: [(i32, i32); 2], y: [f32; 2]| {
        kit.wall([a.0 as f32, a.1 as f32], [b.0 as f32, b.1 as f32], y);
    };
    // The cellar's walls reach up to the ground, so that pits and the moat have sides.
    let top = if storey == CELLAR { height(GROUND) } else { y + WALL };
    for [a, b] in plan.borders(Cell::Floor, Cell::Solid) {
        line(kit, [a, b], [y, top]);
        if storey > GROUND {
            // Seen from outside as well.
            line(kit, [b, a], [y - SLAB, top]);
        }
    }
    if storey > CELLAR {
        for [a, b] in plan.borders(Cell::Floor, Cell::Hole) {
            line(kit, [b, a], [y - SLAB, y]);
        }
    }
}

fn stairs(kit: &mut Kit, flight: &Flight) {
    let (steps, low) = (flight.steps, height(flight.storey));
    let x = steps.x as f32 + steps.w as f32 / 2.0;
    let from = Vec3::new(x, low, steps.z as f32);
    let to = Vec3::new(x, low + STOREY as f32, (steps.z + steps.d) as f32);
    kit.stairs(&Climb { from, to, width: steps.w as f32 }, STEPS);
}

fn furniture(kit: &mut Kit, y: f32, piece: Piece) {
    match piece {
        Piece::Pillar { x, z } => {
            let base = Vec3::new(x as f32 + 0.5, y, z as f32 + 0.5);
            kit.cuboid([base.x - 0.7, y, base.z - 0.7], [base.x + 0.7, y + 0.3, base.z + 0.7]);
            kit.cylinder(base, 0.45, WALL, 12);
        }
        Piece::Dais(rect) => {
            let mut level = |by: f32, top: f32| {
                let ([x0, x1], [z0, z1]) = (range(rect.x, rect.w), range(rect.z, rect.d));
                kit.cuboid([x0 + by, y, z0 + by], [x1 - by, y + top, z1 - by]);
            };
            level(0.0, 0.3);
            level(0.8, 0.6);
        }
    }
}
