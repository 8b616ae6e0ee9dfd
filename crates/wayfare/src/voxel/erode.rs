//! Erosion: ground closer to a wall or a drop than the agent's radius is no place for the agent's centre.
//!
//! Distances are chamfer distances over links: 2 straight, 3 diagonally, from the spans that lack a walkable neighbour.
//! Two sweeps find them: one down the rows with the four neighbours already passed, one back up with the other four.
//!
//! ```text
//!     down:  3 2 3        up:        i 2
//!            2 i                   3 2 3
//! ```
//!
//! Cost: two passes over the spans. Sources: the two-pass chamfer transform is from Gunilla Borgefors, "Distance
//! transformations in digital images", 1986; its use here from Mikko Mononen, Recast (`rcErodeWalkableArea`), 2009.

use super::CompactHeightfield;
use crate::area::AreaId;
use crate::math::index::NONE;

/// Memory that [`erode_into`] keeps from call to call.
#[derive(Debug, Default)]
pub struct ErodeScratch {
    distance: Vec<u32>,
}

/// Takes away the area type of spans closer than `radius_vx` cells to where no agent can stand. 0 changes nothing.
pub fn erode(field: &mut CompactHeightfield, radius_vx: u32) {
    erode_into(field, radius_vx, &mut ErodeScratch::default());
}

/// [`erode`] with memory reused.
pub fn erode_into(field: &mut CompactHeightfield, radius_vx: u32, scratch: &mut ErodeScratch) {
    if radius_vx == 0 {
        return;
    }
    let limit = radius_vx.saturating_mul(2);
    let distance = &mut scratch.distance;
    mark_boundary(field, limit, distance);
    for i in 0..distance.len() {
        sweep(field, distance, i, [0, 3]);
        sweep(field, distance, i, [3, 2]);
    }
    for i in (0..distance.len()).rev() {
        sweep(field, distance, i, [2, 1]);
        sweep(field, distance, i, [1, 0]);
    }
    for (area, &d) in field.area.iter_mut().zip(distance.iter()) {
        if d < limit {
            *area = AreaId::NULL;
        }
    }
}

/// 0 for spans that lack a walkable neighbour, the limit for others.
fn mark_boundary(field: &CompactHeightfield, limit: u32, distance: &mut Vec<u32>) {
    let walkable = |n: u32| n != NONE && !field.area[n as usize].is_null();
    distance.clear();
    distance.extend(field.area.iter().zip(&field.neighbours).map(|(area, neighbours)| {
        let inside = !area.is_null() && neighbours.iter().all(|&n| walkable(n));
        if inside { limit } else { 0 }
    }));
}

/// Lowers the distance of `i` by way of its neighbour in the first direction and that one's in the second.
fn sweep(field: &CompactHeightfield, distance: &mut [u32], i: usize, [straight, turn]: [usize; 2]) {
    let beside = field.neighbours[i][straight];
    if beside == NONE {
        return;
    }
    distance[i] = distance[i].min(distance[beside as usize].saturating_add(2));
    let diagonal = field.neighbours[beside as usize][turn];
    if diagonal != NONE {
        distance[i] = distance[i].min(distance[diagonal as usize].saturating_add(3));
    }
}
