//! Builds bridges where the straight line from one node to the next crosses a river.

use super::land::Land;
use super::nodes::{Node, Nodes};
use crate::kit::Kit;
use wayfare::Vec3;

/// A bridge begins where water is this deep, metres.
const WET: f32 = 0.2;
/// Distance between samples across a river, metres.
const STEP: f32 = 2.0;
/// How far a bridge extends beyond the banks.
const ABUTMENT: f32 = 4.0;
/// Wider rivers are not bridged.
const LONGEST: f32 = 70.0;
const HALF_WIDTH: f32 = 3.0;
const THICKNESS: f32 = 0.6;
const RAIL: f32 = 1.1;

/// Builds the bridges that may touch a box.
pub(super) fn build(land: &Land, nodes: &Nodes, [low, high]: [[f32; 2]; 2], kit: &mut Kit) {
    for [from, to] in nodes.roads() {
        let near = |a: f32, b: f32, axis: usize| a.max(b) + ABUTMENT >= low[axis] && a.min(b) - ABUTMENT <= high[axis];
        if near(from.x, to.x, 0) && near(from.z, to.z, 1) {
            road(land, nodes, [from, to], kit);
        }
    }
}

/// The bridges of one road.
fn road(land: &Land, nodes: &Nodes, [from, to]: [&Node; 2], kit: &mut Kit) {
    let (x, z) = (to.x - from.x, to.z - from.z);
    let length = (x * x + z * z).sqrt();
    let [x, z] = [x / length, z / length];
    let at = |along: f32| [from.x + x * along, from.z + z * along];
    let is_wet = |along: f32| {
        let [x, z] = at(along);
        land.water(x, z) > WET
    };
    let mut begin = None;
    for step in 0..=(length / STEP) as u32 {
        let along = step as f32 * STEP;
        match (begin, is_wet(along)) {
            (None, true) => begin = Some(along),
            (Some(start), false) => {
                begin = None;
                if along - start <= LONGEST && start > 0.0 {
                    let ends = [start - STEP - ABUTMENT, along + ABUTMENT].map(at);
                    if ends.iter().flatten().all(|c| (HALF_WIDTH..land.side - HALF_WIDTH).contains(c)) {
                        deck(land, nodes, ends, kit);
                    }
                }
            }
            _ => {}
        }
    }
}

/// A deck from bank to bank, with a rail on each side.
fn deck(land: &Land, nodes: &Nodes, [a, b]: [[f32; 2]; 2], kit: &mut Kit) {
    let (x, z) = (b[0] - a[0], b[1] - a[1]);
    let length = (x * x + z * z).sqrt();
    let left = [-z / length, x / length];
    let corner = |end: [f32; 2], side: f32| [end[0] + left[0] * side, end[1] + left[1] * side];
    let ground = |[x, z]: [f32; 2]| nodes.height(land, x, z);
    let top = [a, b].map(|end| ground(corner(end, HALF_WIDTH)).max(ground(corner(end, -HALF_WIDTH))).max(ground(end)));
    let mut strip = |[inner, outer]: [f32; 2], rise: f32, thickness: f32| {
        let sides = [(a, 0, inner), (a, 0, outer), (b, 1, outer), (b, 1, inner)];
        let base = sides.map(|(end, k, side)| {
            let [x, z] = corner(end, side);
            Vec3::new(x, top[k] + rise - thickness, z)
        });
        kit.prism(base, sides.map(|(_, k, _)| top[k] + rise));
    };
    strip([-HALF_WIDTH, HALF_WIDTH], 0.0, THICKNESS);
    strip([-HALF_WIDTH - 0.3, -HALF_WIDTH], RAIL, RAIL + THICKNESS);
    strip([HALF_WIDTH, HALF_WIDTH + 0.3], RAIL, RAIL + THICKNESS);
}
