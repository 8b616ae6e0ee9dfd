//! Coplanar triangles of a hull merged into convex polygons.
//!
//! Two triangles that share an edge are coplanar exactly if the far corner of one lies on the plane of the other; the
//! filter decides this for nearly every pair. Triangles connected this way form one face of the body. Its outline is
//! what remains of their edges after the edges between them are removed.
//!
//! Cost: O(triangles), and sorting the outlines of faces that have several.

use super::exact::Exact;
use crate::math::index::NONE;
use glam::DVec3;

/// A triangle of a closed surface: its corners, its normal, and the triangle beyond each of its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    pub(super) verts: [u32; 3],
    pub(super) normal: DVec3,
    pub(super) beyond: [u32; 3],
}

/// The faces of a closed convex surface, each wound like its triangles, without corners on straight edges.
pub(super) fn merge_coplanar(exact: &Exact, triangles: &[Beside]) -> Vec<Vec<u32>> {
    let mut group = vec![NONE; triangles.len()];
    let mut faces = Vec::with_capacity(triangles.len());
    let mut members = Vec::with_capacity(16);
    let mut rim: Vec<[u32; 2]> = Vec::with_capacity(16);
    for first in 0..triangles.len() as u32 {
        if group[first as usize] != NONE {
            continue;
        }
        let Beside { verts: plane, normal, .. } = triangles[first as usize];
        members.clear();
        rim.clear();
        members.push(first);
        group[first as usize] = first;
        let mut at = 0;
        while let Some(&t) = members.get(at) {
            at += 1;
            let Beside { verts, beyond, .. } = triangles[t as usize];
            for k in 0..3 {
                let edge = [verts[k], verts[(k + 1) % 3]];
                let other = beyond[k];
                // Triangles of this face lie on its plane already; a new one does if its corner off the edge does.
                let known = group[other as usize] == first;
                let level = || {
                    let off_edge = |v: &&u32| !edge.contains(v);
                    triangles[other as usize]
                        .verts
                        .iter()
                        .find(off_edge)
                        .is_some_and(|&v| exact.level(plane, normal, v))
                };
                if known {
                    continue;
                }
                if group[other as usize] != NONE || !level() {
                    rim.push(edge);
                } else {
                    group[other as usize] = first;
                    members.push(other);
                }
            }
        }
        // Most faces are one triangle, all of whose corners bend.
        faces.push(if members.len() == 1 { plane.to_vec() } else { walk_rim(exact, &mut rim) });
    }
    faces
}

/// Chains directed edges into a loop and leaves out corners between two collinear edges.
fn walk_rim(exact: &Exact, rim: &mut [[u32; 2]]) -> Vec<u32> {
    rim.sort_unstable();
    let mut circle = Vec::with_capacity(rim.len());
    let mut at = rim[0][0];
    for _ in 0..rim.len() {
        circle.push(at);
        let Ok(i) = rim.binary_search_by_key(&at, |e| e[0]) else { break };
        at = rim[i][1];
        if at == circle[0] {
            break;
        }
    }
    let n = circle.len();
    let corner = |i: usize| circle[if i < n { i } else { i - n }];
    let bends = |&i: &usize| !exact.collinear(corner(i + n - 1), circle[i], corner(i + 1));
    let mut face = Vec::with_capacity(n);
    face.extend((0..n).filter(bends).map(|i| circle[i]));
    face
}
