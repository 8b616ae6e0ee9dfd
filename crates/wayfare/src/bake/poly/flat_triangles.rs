//! Repairs or removes flat triangles, which come from outlines that touch themselves.
//!
//! Cost: a few rounds over the triangles. Sources: none needed.

use crate::bake::cell_point::{Point, distance_squared, turn};
use crate::math::half_edges::HalfEdges;
use crate::math::index::NONE;

/// Rounds of flips. Each flip removes a flat triangle or moves the flatness to a shorter edge, so a few are enough.
const ROUNDS: u32 = 8;

/// Flips the shared edge between a flat triangle and its neighbour, so that neither is flat; what cannot be repaired is
/// removed.
pub(super) fn mend_flat(mesh: &mut HalfEdges<u32>, outline: &[u32], at: &[Point]) {
    let triangles = mesh.triangle_count();
    for _ in 0..ROUNDS {
        let mut turned = false;
        for h in (0..triangles).map(|t| 3 * t) {
            if !mesh.is_removed(h) && is_flat(mesh, h, at) {
                turned |= turn_longest(mesh, h, outline, at);
            }
        }
        if !turned {
            break;
        }
    }
    for h in (0..triangles).map(|t| 3 * t) {
        if !mesh.is_removed(h) && is_flat(mesh, h, at) {
            mesh.remove_triangle(h);
        }
    }
}

fn is_flat(mesh: &HalfEdges<u32>, h: u32, at: &[Point]) -> bool {
    let [a, b, c] = mesh.ring_of_three(h).map(|h| at[mesh.edge(h).from as usize]);
    turn(a, b, c) == 0
}

fn turn_longest(mesh: &mut HalfEdges<u32>, first: u32, outline: &[u32], at: &[Point]) -> bool {
    let length = |h: u32| distance_squared(at[mesh.edge(h).from as usize], at[mesh.to(h) as usize]);
    let ring = mesh.ring_of_three(first);
    let mut longest = ring[0];
    for h in ring {
        if length(h) > length(longest) {
            longest = h;
        }
    }
    let twin = mesh.edge(longest).twin;
    let is_of_same_outline = |h: u32| outline[h as usize / 3] == outline[longest as usize / 3];
    if twin == NONE || !is_of_same_outline(twin) || is_flat(mesh, twin, at) {
        return false;
    }
    // The apex must lie strictly between the edge's ends.
    let [a, b, apex] = mesh.ring_of_three(longest).map(|h| at[mesh.edge(h).from as usize]);
    if apex == a || apex == b {
        return false;
    }
    mesh.turn(longest);
    true
}
