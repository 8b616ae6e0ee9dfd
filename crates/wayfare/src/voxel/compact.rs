//! The compact heightfield: ground instead of solid, with the neighbour of each span found once and for all.
//!
//! Ground spans are the tops of walkable solid spans. Two spans of neighbouring cells are linked if an agent can step from
//! one to the other: their free spaces share at least its height and their floors differ by no more than its climb.
//!
//! ```text
//!      free     | free                 a and b are linked if the common free height (between the higher floor and the
//!               |  ______ ceiling      lower ceiling) is at least the agent's height, and the step at most its climb
//!               | b
//!      a   _____|--
//!     ----
//! ```
//!
//! Since the climb is never above the height, a span fits at most one span of a neighbouring column, so links are symmetric.
//! Both columns are sorted by height, so the pairs are found by walking them upwards together; only the links towards -x and
//! -z are searched, the opposite ones are the same pairs.
//!
//! Cost: linear in spans. Sources: Mikko Mononen, Recast (`rcBuildCompactHeightfield`), 2009.

use super::{CompactHeightfield, Grid, Heightfield};
use crate::input::VoxelSettings;
use crate::math::index::NONE;
use core::ops::Range;

/// Builds the compact heightfield of the walkable spans. `border` cells on each side belong to the tile's neighbours.
#[must_use]
pub fn compact(field: &Heightfield, border: u32, settings: &VoxelSettings) -> CompactHeightfield {
    let mut out = CompactHeightfield::empty(Grid { width: 0, depth: 0, ..field.grid });
    compact_into(field, border, settings, &mut out);
    out
}

/// [`compact`] with memory reused: replaces what `out` holds. Needs no memory besides.
pub fn compact_into(field: &Heightfield, border: u32, settings: &VoxelSettings, out: &mut CompactHeightfield) {
    out.grid = field.grid;
    out.border = border;
    take_ground(field, out);
    link_cells(settings.agent_height_vx, settings.agent_climb_vx, out);
}

/// Copies the walkable spans.
fn take_ground(field: &Heightfield, out: &mut CompactHeightfield) {
    out.columns.clear();
    out.columns.reserve(field.columns.len());
    out.columns.push(0);
    out.y.clear();
    out.clearance.clear();
    out.area.clear();
    for cell in field.columns.windows(2) {
        let column = cell[0] as usize..cell[1] as usize;
        for i in column.clone() {
            if field.area[i].is_null() {
                continue;
            }
            let floor = field.max[i];
            out.y.push(floor);
            out.clearance.push(if i + 1 < column.end { field.min[i + 1] - floor } else { u16::MAX });
            out.area.push(field.area[i]);
        }
        out.columns.push(out.y.len() as u32);
    }
}

/// Finds all links.
fn link_cells(height: u32, climb: u32, out: &mut CompactHeightfield) {
    out.neighbours.clear();
    out.neighbours.resize(out.y.len(), [NONE; 4]);
    let (width, depth) = (out.grid.width as usize, out.grid.depth as usize);
    for cell in 0..width * depth {
        if cell % width > 0 {
            link_columns(out, out.column(cell), out.column(cell - 1), 0, (height, climb));
        }
        if cell >= width {
            link_columns(out, out.column(cell), out.column(cell - width), 3, (height, climb));
        }
    }
}

/// Links the spans of `column` with those of the neighbour column `other` that lies in `direction`.
fn link_columns(
    field: &mut CompactHeightfield,
    column: Range<usize>,
    other: Range<usize>,
    direction: usize,
    (height, climb): (u32, u32),
) {
    let (mut i, mut n) = (column.start, other.start);
    while i < column.end && n < other.end {
        let (y, other_y) = (u32::from(field.y[i]), u32::from(field.y[n]));
        let (top, other_top) = (ceiling(field, i), ceiling(field, n));
        if top.min(other_top).saturating_sub(y.max(other_y)) >= height && y.abs_diff(other_y) <= climb {
            field.neighbours[i][direction] = n as u32;
            field.neighbours[n][(direction + 2) % 4] = i as u32;
        }
        // The one whose free space ends first can meet nothing higher up.
        if top <= other_top {
            i += 1;
        } else {
            n += 1;
        }
    }
}

/// Where the free space above a span ends; far up under the open sky.
fn ceiling(field: &CompactHeightfield, i: usize) -> u32 {
    let clearance = field.clearance[i];
    if clearance == u16::MAX { 1 << 20 } else { u32::from(field.y[i]) + u32::from(clearance) }
}
