//! The compact heightfield: ground instead of solid, with the neighbour of each span found once and for all.
//!
//! Ground spans are the tops of walkable solid spans. Two spans of neighbouring cells are linked if an agent can step
//! from one to the other: their free spaces share at least its height and their floors differ by no more than its
//! climb.
//!
//! ```text
//!      free     | free                 a and b are linked if the common free height (between the higher floor and the
//!               |  ______ ceiling      lower ceiling) is at least the agent's height, and the step at most its climb
//!               | b
//!      a   _____|--
//!     ----
//! ```
//!
//! Since the climb is never above the height, a span fits at most one span of a neighbouring column, so links are
//! symmetric. Both columns are sorted by height, so the pairs are found by walking them upwards together; only the
//! links towards -x and -z are searched, the opposite ones are the same pairs.
//!
//! Cost: linear in spans. Sources: Mikko Mononen, Recast (`rcBuildCompactHeightfield`), 2009.

use super::{CompactHeightfield, Grid, Heightfield};
use crate::area::AreaId;
use crate::input::VoxelSettings;
use crate::math::index::NONE;
use core::mem::swap;
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
    compact_window_into(field, &Window { grid: field.grid, border, at_drop: false }, settings, out);
}

/// A part of a solid field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Its cells, all of which the field has.
    pub(crate) grid: Grid,
    /// Cells on each side that belong to the tile's neighbours.
    pub(crate) border: u32,
    /// Whether its outermost cells have no ground: what is beyond is not known, so it may be a drop.
    pub(crate) at_drop: bool,
}

/// [`compact_into`] for a part of a field. Returns how many solid spans it has.
pub(crate) fn compact_window_into(
    field: &Heightfield,
    window: &Window,
    settings: &VoxelSettings,
    out: &mut CompactHeightfield,
) -> usize {
    out.grid = window.grid;
    out.border = window.border;
    let solid = take_ground(field, window, out);
    link_cells(settings.agent_height_vx, settings.agent_climb_vx, out);
    solid
}

/// Copies the walkable spans. Every span is written to the next free place and the place is kept if it was walkable,
/// since which ones are cannot be foreseen.
fn take_ground(field: &Heightfield, window: &Window, out: &mut CompactHeightfield) -> usize {
    let grid = &window.grid;
    let (left, above) = ((grid.x - field.grid.x) as u32, (grid.z - field.grid.z) as u32);
    // Where the columns of a row of the window end, after where its first begins.
    let row = |z: u32| &field.columns[field.grid.index(left, above + z)..][..grid.width as usize + 1];
    let spans = |ends: &[u32]| (ends[ends.len() - 1] - ends[0]) as usize;
    let solid = (0..grid.depth).map(|z| spans(row(z))).sum();
    out.y.resize(solid, 0);
    out.clearance.resize(solid, 0);
    out.area.resize(solid, AreaId::NULL);
    out.columns.clear();
    out.columns.reserve(grid.cell_count() + 1);
    out.columns.push(0);
    let mut taken = 0;
    for z in 0..grid.depth {
        let [first, ends @ ..] = row(z) else { continue };
        if window.at_drop && (z == 0 || z + 1 == grid.depth) {
            out.columns.extend(ends.iter().map(|_| taken as u32));
            continue;
        }
        let mut start = *first as usize;
        out.columns.extend(ends.iter().enumerate().map(|(x, &end)| {
            let column = start..end as usize;
            start = end as usize;
            if window.at_drop && (x == 0 || x + 1 == ends.len()) {
                return taken as u32;
            }
            let (bottoms, tops) = (&field.min[column.clone()], &field.max[column.clone()]);
            if let (Some((_, ceilings)), Some((&highest, floors))) = (bottoms.split_first(), tops.split_last()) {
                let areas = &field.area[column];
                for ((&floor, &ceiling), &area) in floors.iter().zip(ceilings).zip(areas) {
                    out.y[taken] = floor;
                    out.clearance[taken] = ceiling - floor;
                    out.area[taken] = area;
                    taken += usize::from(!area.is_null());
                }
                out.y[taken] = highest;
                out.clearance[taken] = u16::MAX;
                out.area[taken] = areas[floors.len()];
                taken += usize::from(!areas[floors.len()].is_null());
            }
            taken as u32
        }));
    }
    out.y.truncate(taken);
    out.clearance.truncate(taken);
    out.area.truncate(taken);
    solid
}

/// [`compact_into`] in the memory of the solid field, which is left with that of `out` and with no cells. An untiled
/// bake saves the first touch of a third of its memory so.
pub fn compact_in_place(field: &mut Heightfield, border: u32, settings: &VoxelSettings, out: &mut CompactHeightfield) {
    out.grid = field.grid;
    out.border = border;
    swap(&mut out.columns, &mut field.columns);
    swap(&mut out.y, &mut field.max);
    swap(&mut out.clearance, &mut field.min);
    swap(&mut out.area, &mut field.area);
    field.grid = Grid { width: 0, depth: 0, ..field.grid };
    field.columns.clear();
    field.columns.push(0);
    field.min.clear();
    field.max.clear();
    field.area.clear();
    keep_ground(out);
    link_cells(settings.agent_height_vx, settings.agent_climb_vx, out);
}

/// Drops the spans that cannot be walked on from a field whose `y` are the tops and whose `clearance` are the bottoms
/// of solid spans, and makes clearances of the bottoms. Every span is moved to the next free place and the place is
/// kept if it was walkable, since which ones are cannot be foreseen.
fn keep_ground(field: &mut CompactHeightfield) {
    let CompactHeightfield { columns, y, clearance, area, .. } = field;
    let len = y.len().min(clearance.len()).min(area.len());
    let (y, clearance, area) = (&mut y[..len], &mut clearance[..len], &mut area[..len]);
    let (mut start, mut taken) = (0, 0);
    for end in &mut columns[1..] {
        let column = start..*end as usize;
        start = column.end;
        for i in column {
            let ceiling = if i + 1 < start { clearance[i + 1] - y[i] } else { u16::MAX };
            (y[taken], clearance[taken], area[taken]) = (y[i], ceiling, area[i]);
            taken += usize::from(!area[i].is_null());
        }
        *end = taken as u32;
    }
    field.y.truncate(taken);
    field.clearance.truncate(taken);
    field.area.truncate(taken);
}

/// Finds all links.
fn link_cells(height: u32, climb: u32, out: &mut CompactHeightfield) {
    out.neighbours.clear();
    out.neighbours.resize(out.y.len(), [NONE; 4]);
    let width = out.grid.width as usize;
    let mut linker = Linker { y: &out.y, clearance: &out.clearance, neighbours: &mut out.neighbours, height, climb };
    let mut row_before: &[u32] = &[];
    for row in 0..out.grid.depth as usize {
        let ends = &out.columns[row * width..][..width + 1];
        let mut before = 0..0;
        for (x, ends) in ends.windows(2).enumerate() {
            let column = ends[0] as usize..ends[1] as usize;
            if !column.is_empty() {
                linker.link(column.clone(), before, 0);
                if let Some(ends) = row_before.get(x..x + 2) {
                    linker.link(column.clone(), ends[0] as usize..ends[1] as usize, 3);
                }
            }
            before = column;
        }
        row_before = ends;
    }
}

/// What linking two columns needs.
struct Linker<'a> {
    y: &'a [u16],
    clearance: &'a [u16],
    neighbours: &'a mut [[u32; 4]],
    height: u32,
    climb: u32,
}

impl Linker<'_> {
    /// Links the spans of `column` with those of the neighbour column `other` that lies in `direction`.
    #[inline]
    fn link(&mut self, column: Range<usize>, other: Range<usize>, direction: usize) {
        if column.len() == 1 && other.len() == 1 {
            self.link_spans(column.start, other.start, direction);
            return;
        }
        let (mut i, mut n) = (column.start, other.start);
        while i < column.end && n < other.end {
            let [top, other_top] = self.link_spans(i, n, direction);
            // The one whose free space ends first can meet nothing higher up.
            let goes_on = top <= other_top;
            i += usize::from(goes_on);
            n += usize::from(!goes_on);
        }
    }

    /// Links two spans if an agent can step from one to the other; returns where their free spaces end.
    #[inline]
    fn link_spans(&mut self, i: usize, n: usize, direction: usize) -> [u32; 2] {
        let [(y, top), (other_y, other_top)] = [i, n].map(|i| {
            let (y, clearance) = (u32::from(self.y[i]), u32::from(self.clearance[i]));
            // Under the open sky, far up.
            (y, y + if clearance == u32::from(u16::MAX) { 1 << 20 } else { clearance })
        });
        let fits = top.min(other_top).saturating_sub(y.max(other_y)) >= self.height;
        if fits && y.abs_diff(other_y) <= self.climb {
            self.neighbours[i][direction] = n as u32;
            self.neighbours[n][(direction + 2) % 4] = i as u32;
        }
        [top, other_top]
    }
}
