//! Draws contours, polygon meshes and detail meshes, as the bake produces them.

use super::{DebugSink, Role};
use crate::bake::{BakeReport, ContourSet, ContourVert, DetailMesh, PolyMesh};
use crate::tile::EdgeNeighbour;
use glam::Vec3;

/// Draws every contour, edge by edge: walls, edges towards other regions, and the tile's border.
pub fn draw_contours(set: &ContourSet, sink: &mut impl DebugSink) {
    for contour in &set.contours {
        let verts = set.verts_of(contour);
        for (i, from) in verts.iter().enumerate() {
            let to = &verts[(i + 1) % verts.len()];
            let role = if from.neighbour & ContourVert::TILE_BORDER != 0 {
                Role::TileEdge
            } else if from.neighbour & ContourVert::REGION_MASK == 0 {
                Role::Wall
            } else {
                Role::InnerEdge
            };
            sink.line(&[from, to].map(|v| set.grid.world(v.x, v.y, v.z)), role);
        }
    }
}

/// Draws the places of warnings, each with the name of what happened there.
pub fn draw_warnings(report: &BakeReport, sink: &mut impl DebugSink) {
    for warning in &report.warnings {
        for &at in &warning.places {
            sink.point(at, Role::Mark);
            sink.label(at, warning.kind.name(), Role::Mark);
        }
    }
}

/// Draws the polygons and their edges.
pub fn draw_poly_mesh(mesh: &PolyMesh, sink: &mut impl DebugSink) {
    let mut corners = Vec::new();
    for (i, poly) in mesh.polys.iter().enumerate() {
        poly_corners(mesh, i, &mut corners);
        sink.polygon(&corners, Role::Ground(poly.area));
        for (k, &beyond) in mesh.neighbours_of(i).iter().enumerate() {
            let role = match (beyond, beyond.as_poly()) {
                (EdgeNeighbour::WALL, _) => Role::Wall,
                (_, Some(other)) if (other as usize) < i => continue,
                (_, Some(_)) => Role::InnerEdge,
                (_, None) => Role::TileEdge,
            };
            sink.line(&[corners[k], corners[(k + 1) % corners.len()]], role);
        }
    }
}

/// Draws the detail triangles over a polygon mesh. `detail` must belong to `mesh`.
pub fn draw_detail_mesh(mesh: &PolyMesh, detail: &DetailMesh, sink: &mut impl DebugSink) {
    let mut corners = Vec::new();
    for (i, patch) in detail.patches.iter().enumerate().take(mesh.polys.len()) {
        poly_corners(mesh, i, &mut corners);
        corners.extend_from_slice(
            &detail.verts[patch.first_vert as usize..(patch.first_vert + patch.vert_count) as usize],
        );
        for tri in &detail.tris[patch.first_tri as usize..(patch.first_tri + patch.tri_count) as usize] {
            let [a, b, c] = tri.verts.map(|v| corners[usize::from(v)]);
            sink.polygon(&[a, b, c], Role::Ground(mesh.polys[i].area));
            sink.line(&[a, b, c, a], Role::DetailEdge);
        }
    }
}

fn poly_corners(mesh: &PolyMesh, i: usize, out: &mut Vec<Vec3>) {
    out.clear();
    out.extend(mesh.corners_of(i).iter().map(|&v| {
        let [x, y, z] = mesh.verts[v as usize];
        mesh.grid.world(x, y, z)
    }));
}
