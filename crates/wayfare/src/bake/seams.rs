//! Records seams: where the surface continues across a tile's border.
//!
//! The border of a tile is rasterised, eroded and connected together with the cells around it, so the bake knows for
//! each cell along the border whether an agent can step across and from which height to which. Both tiles see the same
//! two cells and record the same step from their own side; the mesh links two polygons where the records agree. No
//! tolerance is involved: floors close above each other are never confused, and a border that is only partly passable
//! is linked only there.
//!
//! ```text
//!     tile A  |  tile B
//!    here=4 --|--> there=5      A's seam: edge of a, cell 17, 4 → 5
//!      a      |      b          B's seam: edge of b, cell 17, 5 → 4     → a and b are linked along cell 17
//! ```
//!
//! Cost: O(border cells × spans in their columns).
//!
//! Sources: own. Detour instead compares the heights of border edges with a tolerance of twice the climb, which links
//! floors that do not touch and misses ramps that do.

use super::{PolyMesh, Regions};
use crate::math::index::NONE;
use crate::tile::{SeamCell, Side};
use crate::voxel::CompactHeightfield;

/// Records every step across the tile's border into `out` (cleared first), sorted by side, cell, heights and edge.
///
/// `mesh` must be the polygon mesh of these `regions` of `field`, and the tile's corner list the mesh's.
pub fn build_seams_into(field: &CompactHeightfield, regions: &Regions, mesh: &PolyMesh, out: &mut Vec<SeamCell>) {
    out.clear();
    for (i, poly) in mesh.polys.iter().enumerate() {
        let corners = mesh.corners_of(i);
        for (k, neighbour) in mesh.neighbours_of(i).iter().enumerate() {
            let Some(side) = neighbour.as_border() else { continue };
            let ends = [corners[k], corners[(k + 1) % corners.len()]].map(|v| mesh.verts[v as usize]);
            let edge = SeamEdge { side, ends, region: poly.region, index: poly.first + k as u32 };
            edge.record(field, regions, out);
        }
    }
    out.sort_unstable_by_key(|s| (mesh.neighbours[s.edge as usize].to_bits(), s.cell, s.here, s.there, s.edge));
}

/// An edge of a polygon that lies on the border line of its tile.
struct SeamEdge {
    side: Side,
    ends: [[i32; 3]; 2],
    region: u32,
    index: u32,
}

impl SeamEdge {
    /// The cells along the edge, as a range of rows (x sides) or columns (z sides) of the tile proper.
    fn cells(&self) -> core::ops::Range<i32> {
        let axis = match self.side {
            Side::XMin | Side::XMax => 2,
            Side::ZMin | Side::ZMax => 0,
        };
        let [a, b] = self.ends.map(|end| end[axis]);
        a.min(b)..a.max(b)
    }

    fn record(&self, field: &CompactHeightfield, regions: &Regions, out: &mut Vec<SeamCell>) {
        let grid = field.grid;
        let border = field.border;
        let last_column = grid.width - border - 1;
        let last_row = grid.depth - border - 1;
        for along in self.cells() {
            let own = border + along as u32;
            let (x, z, cell) = match self.side {
                Side::XMin => (border, own, grid.z),
                Side::XMax => (last_column, own, grid.z),
                Side::ZMin => (own, border, grid.x),
                Side::ZMax => (own, last_row, grid.x),
            };
            let column = field.column(grid.index(x, z));
            let Some(span) = column.into_iter().find(|&s| regions.id[s] == self.region) else { continue };
            let beyond = field.neighbours[span][self.side as usize];
            if beyond == NONE || field.area[beyond as usize].is_null() {
                continue;
            }
            out.push(SeamCell {
                edge: self.index,
                cell: cell + own as i32,
                here: field.y[span],
                there: field.y[beyond as usize],
            });
        }
    }
}
