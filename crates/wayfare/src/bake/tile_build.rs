//! From polygons in voxel units to a tile in world coordinates.
//!
//! Every coordinate is computed from the level's origin and the number of its grid line in the level, so vertices on a
//! border have the same bits in both tiles.
//!
//! Cost: O(output).

use super::{DetailMesh, PolyMesh};
use crate::input::AgentSettings;
use crate::math::Aabb;
use crate::tile::{DetailRange, Poly, SeamCell, TileCoord, TileData};

/// What a tile is made of.
#[derive(Clone, Debug)]
pub struct TileParts<'a> {
    /// Place in the mesh.
    pub coord: TileCoord,
    /// The polygons.
    pub mesh: &'a PolyMesh,
    /// The triangles over them; one patch a polygon, or none at all.
    pub detail: &'a DetailMesh,
    /// Steps across the border, sorted; empty for an untiled bake.
    pub seams: Vec<SeamCell>,
    /// The agent it was baked for.
    pub agent: AgentSettings,
}

/// Builds a tile. Its bounds are around all vertices, those of the detail mesh included; [`Aabb::EMPTY`] for no polygons.
#[must_use]
pub fn build_tile(parts: TileParts<'_>) -> TileData {
    let TileParts { coord, mesh, detail, seams, agent } = parts;
    let verts: Vec<_> = mesh.verts.iter().map(|&[x, y, z]| mesh.grid.world(x, y, z)).collect();
    let polys = mesh.polys.iter().map(|p| Poly { first: p.first, count: p.count as u16, flags: p.flags, area: p.area });
    let details = detail.patches.iter().map(|p| DetailRange {
        first_vert: p.first_vert,
        first_tri: p.first_tri,
        vert_count: p.vert_count as u16,
        tri_count: p.tri_count as u16,
    });
    TileData {
        coord,
        user_id: 0,
        bounds: Aabb::around(verts.iter().chain(&detail.verts).copied()),
        agent_height: agent.height,
        agent_radius: agent.radius,
        agent_climb: agent.max_climb,
        cell_size: mesh.grid.cell_size,
        polys: polys.collect(),
        corners: mesh.corners.clone(),
        neighbours: mesh.neighbours.clone(),
        details: details.collect(),
        detail_verts: detail.verts.clone(),
        detail_tris: detail.tris.clone(),
        verts,
        seams,
    }
}
