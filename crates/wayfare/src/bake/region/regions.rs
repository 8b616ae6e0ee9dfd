//! The assignment of spans to regions.
//!
//! The three partitions share these types: [`watershed_regions`](crate::bake::watershed_regions),
//! [`monotone_regions`](crate::bake::monotone_regions) and [`layer_regions`](crate::bake::layer_regions).

use crate::voxel::CompactHeightfield;
use core::ops::Range;

/// Set in the id of regions made of a tile's border cells, which belong to its neighbours. The low two bits then hold
/// the side of the tile, in the order of the voxel directions.
pub const BORDER_REGION: u32 = 1 << 31;

/// A partition of a compact heightfield into regions, in its span order. Each region is connected, does not overlap
/// itself in plan, and has one area type.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// Region of each span; 0 if it has none. Ids 1…`count` are all in use.
    pub id: Vec<u32>,
    /// The number of regions, without border regions.
    pub count: u32,
}

/// Size limits of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionLimits {
    /// Islands of fewer spans are removed, unless they touch a tile's border and so may be larger than they look. An
    /// island is everything that can be reached from a region, however it is divided into regions. 0 keeps all.
    pub min_cells: u32,
    /// Regions of at most this many spans are merged into a neighbour if the result is simple. 0 merges only those that
    /// touch no wall. Layers are not merged further.
    pub merge_cells: u32,
}

/// Whether `id` is a region of this tile: not "none", not a border region.
#[inline]
pub(in crate::bake) const fn is_inner(id: u32) -> bool {
    id.wrapping_sub(1) < BORDER_REGION - 1
}

/// Assigns walkable spans within the field's border the border regions of their side; corners belong to the z sides.
pub(super) fn paint_border(field: &CompactHeightfield, mut paint: impl FnMut(usize, u32)) {
    let border = field.border;
    let width = field.grid.width;
    let depth = field.grid.depth;
    if border == 0 {
        return;
    }
    let mut paint_cells = |z: u32, columns: Range<u32>, side: u32| {
        let cells = columns.start.min(width)..columns.end.min(width);
        let [first, end] =
            [cells.start, cells.end].map(|x| field.columns[field.grid.index(0, z) + x as usize] as usize);
        for span in first..end {
            if !field.area[span].is_null() {
                paint(span, BORDER_REGION | side);
            }
        }
    };
    for z in 0..depth {
        if z < border || z + border >= depth {
            paint_cells(z, 0..width, if z < border { 3 } else { 1 });
        } else {
            paint_cells(z, 0..border, 0);
            paint_cells(z, width.saturating_sub(border).max(border)..width, 2);
        }
    }
}

/// Lists the cells with several spans, by their first span and the one after their last.
pub(super) fn list_stacked_cells(field: &CompactHeightfield, stacked: &mut Vec<[u32; 2]>) {
    stacked.clear();
    let mut first = 0;
    for &end in &field.columns[1..] {
        if end - first > 1 {
            stacked.push([first, end]);
        }
        first = end;
    }
}
