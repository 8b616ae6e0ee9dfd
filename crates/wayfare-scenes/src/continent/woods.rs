//! Woods: trees on a jittered lattice, away from roads.

use super::land::Land;
use super::nodes::Nodes;
use crate::kit::Kit;
use wayfare::Vec3;

/// Distance between trees, metres.
const LATTICE: f32 = 14.0;
/// Maximum extent of a tree from its centre.
const TREE: f32 = 1.0;
/// Minimum distance of trees from the middle of a road.
const ROAD: f32 = 6.0;

/// Builds the trees that may touch a box.
pub(super) fn build(land: &Land, nodes: &Nodes, [low, high]: [[f32; 2]; 2], kit: &mut Kit) {
    let range = |axis: usize| {
        let cell = |at: f32| (at / LATTICE).floor() as i32;
        cell(low[axis] - TREE)..=cell(high[axis] + TREE)
    };
    for row in range(1) {
        for column in range(0) {
            let mut dice = land.dice(20, column, row);
            let [x, z] = [column, row].map(|k| (k as f32 + dice.real(0.1, 0.9)) * LATTICE);
            let (radius, height) = (dice.real(0.25, 0.6), dice.real(4.0, 9.0));
            let is_inside = [x, z].iter().all(|c| (TREE..land.side - TREE).contains(c));
            if !is_inside || !land.is_wood(x, z) || land.bank(x, z) < 1.3 || !nodes.is_free(x, z) {
                continue;
            }
            if nodes.roads().any(|[a, b]| distance([x, z], [a.x, a.z], [b.x, b.z]) < ROAD) {
                continue;
            }
            let foot = Vec3::new(x, nodes.height(land, x, z) - 0.5, z);
            kit.cylinder(foot, radius, height, 6);
        }
    }
}

/// Distance from a point to a line segment.
fn distance(p: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let [x, z] = [b[0] - a[0], b[1] - a[1]];
    let [px, pz] = [p[0] - a[0], p[1] - a[1]];
    let t = ((px * x + pz * z) / (x * x + z * z)).clamp(0.0, 1.0);
    let [dx, dz] = [px - x * t, pz - z * t];
    (dx * dx + dz * dz).sqrt()
}
