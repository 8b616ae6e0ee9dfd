//! Coplanar triangles of a hull merged into convex polygons.
//!
//! Two triangles that share an edge lie on one plane exactly if the far corner of one lies on the plane of the other. All that
//! hang together so form one face of the body; its outline is what is left of their edges after those between them are taken out.
//!
//! Cost: O(triangles log triangles).

use super::hull3::Exact;

/// The faces of a closed convex surface, each wound like its triangles, without corners on straight edges.
pub(super) fn merge_coplanar(exact: &Exact, triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
    // Every directed edge with its triangle, to be found by its reverse.
    let mut edges: Vec<([u32; 2], u32)> = Vec::with_capacity(triangles.len() * 3);
    for (t, verts) in triangles.iter().enumerate() {
        edges.extend((0..3).map(|k| ([verts[k], verts[(k + 1) % 3]], t as u32)));
    }
    edges.sort_unstable();
    let beyond = |[a, b]: [u32; 2]| edges.binary_search_by_key(&[b, a], |e| e.0).map_or(u32::MAX, |i| edges[i].1);
    let level = |t: u32, other: u32| {
        let verts = triangles[t as usize];
        triangles[other as usize].iter().all(|&v| verts.contains(&v) || exact.above(verts, v) == 0.0)
    };
    let mut group = vec![u32::MAX; triangles.len()];
    let mut faces = Vec::new();
    let mut members = Vec::new();
    let mut rim: Vec<[u32; 2]> = Vec::new();
    for first in 0..triangles.len() as u32 {
        if group[first as usize] != u32::MAX {
            continue;
        }
        members.clear();
        rim.clear();
        members.push(first);
        group[first as usize] = first;
        let mut at = 0;
        while let Some(&t) = members.get(at) {
            at += 1;
            let verts = triangles[t as usize];
            for k in 0..3 {
                let edge = [verts[k], verts[(k + 1) % 3]];
                let other = beyond(edge);
                if other == u32::MAX || !level(first, other) {
                    rim.push(edge);
                } else if group[other as usize] == u32::MAX {
                    group[other as usize] = first;
                    members.push(other);
                }
            }
        }
        faces.push(walk_rim(exact, &mut rim));
    }
    faces
}

/// Chains directed edges into a circle and leaves out corners between two edges of one line.
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
    let bends = |&i: &usize| !exact.collinear(circle[(i + n - 1) % n], circle[i], circle[(i + 1) % n]);
    (0..n).filter(bends).map(|i| circle[i]).collect()
}
