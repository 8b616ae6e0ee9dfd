//! Converts polygons in voxel units to a tile in world coordinates.
//!
//! Every coordinate is computed from the level's origin and the number of its grid line in the level, so vertices on a
//! border have the same bits in both tiles.
//!
//! Cost: O(output).

use super::{DetailMesh, PolyMesh};
use crate::input::AgentSettings;
use crate::tile::{BakedFor, DetailRange, Poly, SeamCell, TileBuilder, TileCoord, TileData, TileError};

/// The parts of a tile.
#[derive(Clone, Debug)]
pub struct TileParts<'a> {
    /// Column, row and layer in the mesh.
    pub coord: TileCoord,
    /// The polygons.
    pub mesh: &'a PolyMesh,
    /// The triangles over them; one patch per polygon, or none at all.
    pub detail: &'a DetailMesh,
    /// Steps across the border, sorted; empty for an untiled bake.
    pub seams: &'a [SeamCell],
    /// The agent it was baked for, with the radius that was [eroded](crate::input::VoxelSettings::eroded_radius).
    pub agent: AgentSettings,
}

impl TileParts<'_> {
    /// The tile, built in the memory of `builder`. Its bounds are around all vertices, including those of the detail
    /// mesh; [`Aabb::EMPTY`](crate::math::Aabb::EMPTY) without polygons.
    ///
    /// # Errors
    /// [`TileError`] for more than a tile can hold, and for inconsistent parts.
    pub fn into_tile(self, builder: &mut TileBuilder) -> Result<TileData, TileError> {
        let Self { coord, mesh, detail, seams, agent } = self;
        builder.clear(coord);
        builder.verts.extend(mesh.verts.iter().map(|&[x, y, z]| mesh.grid.world(x, y, z)));
        builder.polys.extend(mesh.polys.iter().map(|p| Poly::new(p.first, p.count as u16, p.flags, p.area)));
        builder.details.extend(detail.patches.iter().map(|p| DetailRange {
            first_vert: p.first_vert,
            first_tri: p.first_tri,
            vert_count: p.vert_count as u16,
            tri_count: p.tri_count as u16,
        }));
        builder.corners.extend_from_slice(&mesh.corners);
        builder.neighbours.extend_from_slice(&mesh.neighbours);
        builder.detail_verts.extend_from_slice(&detail.verts);
        builder.detail_tris.extend_from_slice(&detail.tris);
        builder.seams.extend_from_slice(seams);
        builder.baked_for = BakedFor {
            radius: agent.radius,
            height: agent.height,
            climb: agent.max_climb,
            cell_size: mesh.grid.cell_size,
            cell_height: mesh.grid.cell_height,
        };
        builder.build_tight()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::test_ground::ground_with_border;
    use crate::bake::{
        BakeReport, ContourSettings, DetailInput, DetailSampling, build_contours, build_detail_mesh, build_poly_mesh,
    };
    use crate::math::Aabb;
    use crate::tile::Side;

    /// The tile of 20 × 30 cells of bumpy terrain that begins at a column, with all stages from contours.
    fn tile(first: i32) -> TileData {
        let wave = |k: i32| (k % 10).min(10 - k % 10) as u16;
        let height = |x: i32, z: i32| 20 + wave(x / 2 + z / 3) + wave(z);
        let (mut field, regions) = ground_with_border(20, 30, 6, |x, z| vec![height(x + first + 100, z + 100)]);
        field.grid.x += first;
        let mut report = BakeReport::new(Aabb::EMPTY);
        let contours =
            build_contours(&field, &regions, ContourSettings { max_error: 1.3, max_edge_len: 40 }, &mut report);
        let mesh = build_poly_mesh(&contours, 6, &mut report);
        let sampling = DetailSampling { distance: 1.0, max_error: 0.25 };
        let input = DetailInput { mesh: &mesh, field: &field, regions: &regions, edge_max_error: 1.3, sampling };
        let detail = build_detail_mesh(&input, &mut report);
        assert!(report.warnings.is_empty(), "{:?}", report.warnings);
        let (coord, agent) = (TileCoord { x: first / 20, ..TileCoord::default() }, AgentSettings::default());
        let parts = TileParts { coord, mesh: &mesh, detail: &detail, seams: &[], agent };
        parts.into_tile(&mut TileBuilder::default()).unwrap()
    }

    #[test]
    fn a_tile_is_valid_and_its_bounds_are_tight() {
        let tile = tile(0);
        assert!(!tile.detail_verts().is_empty());
        let all = tile.verts().iter().chain(tile.detail_verts());
        assert!(all.clone().all(|&v| tile.bounds().contains(v)));
        for axis in 0..3 {
            assert!(all.clone().any(|v| v[axis] == tile.bounds().min[axis]));
            assert!(all.clone().any(|v| v[axis] == tile.bounds().max[axis]));
        }
    }

    #[test]
    fn neighbouring_tiles_share_the_bits_of_their_border_line() {
        let line = |tile: &TileData, side: Side| -> Vec<u32> {
            let edges = tile.neighbours().iter().enumerate().filter(|(_, n)| n.as_border() == Some(side));
            let mut found: Vec<u32> =
                edges.map(|(i, _)| tile.verts()[tile.corners()[i] as usize].x.to_bits()).collect();
            found.dedup();
            found
        };
        let (left, right) = (line(&tile(0), Side::XMax), line(&tile(20), Side::XMin));
        assert_eq!(left.len(), 1);
        assert_eq!(left, right);
    }
}
