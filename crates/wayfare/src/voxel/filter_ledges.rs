//! Ledges: ground beside a drop deeper than the climb is taken away, as is ground too steep for its neighbours' heights.
//!
//! ```text
//!     ____x           x: its neighbour to the right is free down to the ground, farther than the climb
//!    |    |
//!    |    |_______
//! ```
//!
//! A span looks at the free spaces of its four neighbour columns that an agent could move to (they share at least the
//! agent's height with its own free space). It is a ledge if one of them lies deeper than the climb, or if those within the
//! climb differ by more than the climb among themselves. The edge of the level is a drop; the edge of a tile's rectangle
//! counts as one too, which the border around the tile keeps away from the tile proper.
//!
//! The free spaces of a column are sorted, so the ones that a neighbour's spans can reach are found by walking both columns
//! upwards together.
//!
//! Cost: linear in spans. Sources: Mikko Mononen, Recast (`rcFilterLedgeSpans`), 2009.

use super::{DIRECTIONS, Grid, Heightfield};
use crate::area::AreaId;

/// Above everything: the ceiling of the topmost free space. Heights are 16 bits.
const SKY: i32 = 1 << 20;

/// Takes away the area type of spans beside drops deeper than `climb_vx`, for an agent of `height_vx`. `level` is the grid
/// of the whole level. Only area types change.
pub fn filter_ledges(field: &mut Heightfield, level: &Grid, height_vx: u32, climb_vx: u32) {
    for z in 0..field.grid.depth {
        filter_ledges_of_row(field, level, z, height_vx, climb_vx);
    }
}

/// [`filter_ledges`] for one row.
pub(super) fn filter_ledges_of_row(field: &mut Heightfield, level: &Grid, z: u32, height_vx: u32, climb_vx: u32) {
    let (height, climb) = (height_vx.min(1 << 20) as i32, climb_vx.min(1 << 20) as i32);
    let grid = field.grid;
    for x in 0..grid.width {
        let column = field.column(grid.index(x, z));
        let mut neighbours = DIRECTIONS.map(|(dx, dz)| neighbour_column(field, level, (x, z), (dx, dz)));
        for i in column.clone() {
            if field.area[i].is_null() {
                continue;
            }
            let floor = i32::from(field.max[i]);
            let ceiling = if i + 1 < column.end { i32::from(field.min[i + 1]) } else { SKY };
            if is_ledge(field, [floor, ceiling], &mut neighbours, height, climb) {
                field.area[i] = AreaId::NULL;
            }
        }
    }
}

/// The rows and columns of the rectangle at its own edge or at the level's, whose spans are all ledges.
pub(super) fn edge_rows_and_columns(field: &Heightfield, level: &Grid) -> ([u32; 4], [u32; 4]) {
    let edges = |first: i32, count: u32, level_first: i32, level_count: u32| {
        let inside = |cell: i64| cell.clamp(0, i64::from(count) - 1).max(0) as u32;
        let level_first = i64::from(level_first) - i64::from(first);
        [0, i64::from(count) - 1, level_first, level_first + i64::from(level_count) - 1].map(inside)
    };
    let grid = &field.grid;
    (edges(grid.z, grid.depth, level.z, level.depth), edges(grid.x, grid.width, level.x, level.width))
}

/// A neighbour cell's column, on the way up.
struct Neighbour {
    /// Bottom of its lowest span.
    first: i32,
    /// Its spans that are not yet left below.
    spans: core::ops::Range<usize>,
}

/// The column of a neighbour cell; `None` outside the level or the rectangle.
fn neighbour_column(field: &Heightfield, level: &Grid, (x, z): (u32, u32), (dx, dz): (i32, i32)) -> Option<Neighbour> {
    let grid = &field.grid;
    let (nx, nz) = (x.checked_add_signed(dx)?, z.checked_add_signed(dz)?);
    if nx >= grid.width || nz >= grid.depth {
        return None;
    }
    let inside = |cell: i64, first: i32, count: u32| (0..i64::from(count)).contains(&(cell - i64::from(first)));
    let in_level = inside(i64::from(grid.x) + i64::from(nx), level.x, level.width)
        && inside(i64::from(grid.z) + i64::from(nz), level.z, level.depth);
    in_level.then(|| {
        let spans = field.column(grid.index(nx, nz));
        // The space below the lowest span has no floor at all.
        let first = field.min[spans.clone()].first().map_or(SKY, |&m| i32::from(m));
        Neighbour { first, spans }
    })
}

/// Whether ground at `floor` under `ceiling` is a ledge. Floors of one column must come from low to high.
fn is_ledge(
    field: &Heightfield,
    [floor, ceiling]: [i32; 2],
    neighbours: &mut [Option<Neighbour>; 4],
    height: i32,
    climb: i32,
) -> bool {
    let (mut lowest, mut highest) = (floor, floor);
    for neighbour in neighbours {
        let Some(Neighbour { first, spans }) = neighbour else { return true };
        if ceiling.min(*first) - floor >= height {
            return true;
        }
        let end = spans.end;
        let ceiling_over = |n: usize| if n + 1 < end { i32::from(field.min[n + 1]) } else { SKY };
        // Spaces too low to be entered from here are too low for every higher floor.
        while spans.start < end && ceiling_over(spans.start) - floor < height {
            spans.start += 1;
        }
        for n in spans.clone() {
            let other_floor = i32::from(field.max[n]);
            if ceiling - other_floor < height {
                break;
            }
            if ceiling.min(ceiling_over(n)) - floor.max(other_floor) < height {
                continue;
            }
            if other_floor - floor < -climb {
                return true;
            }
            if other_floor - floor <= climb {
                lowest = lowest.min(other_floor);
                highest = highest.max(other_floor);
            }
        }
    }
    highest - lowest > climb
}
