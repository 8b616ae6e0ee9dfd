//! Builds the compact heightfield: open spans instead of solid ones, with the neighbours of each span resolved.
//!
//! Open spans are the tops of walkable solid spans. Two spans of neighbouring cells are linked if an agent can step
//! from one to the other: their free spaces overlap by at least its height, and their floors differ by at most its
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
//! Since the climb is never above the height, a span matches at most one span of a neighbouring column, so links are
//! symmetric. Both columns are sorted by height, so the pairs are found by walking them upwards together; only links
//! towards -x and -z are searched, the opposite ones are the same pairs.
//!
//! Open areas, where eight consecutive columns have one span each, are copied and linked a block at a time, in vectors.
//! So are several floors above each other, where eight columns have as many spans as their neighbours: then the spans
//! of one floor have a constant distance in memory.
//!
//! Cost: linear in spans. Sources: Mikko Mononen, Recast (`rcBuildCompactHeightfield`), 2009.

use super::{CompactHeightfield, Grid, Heightfield};
use crate::area::AreaId;
use crate::input::VoxelSettings;
use crate::math::index::NONE;
use crate::math::lanes::{Level, dispatch};
use core::mem::swap;
use core::ops::Range;

/// Builds the compact heightfield of the walkable spans. `border` cells on each side belong to the tile's neighbours.
#[must_use]
pub fn compact(field: &Heightfield, border: u32, settings: &VoxelSettings) -> CompactHeightfield {
    let mut out = CompactHeightfield::empty(Grid { width: 0, depth: 0, ..field.grid });
    compact_into(field, border, settings, &mut out);
    out
}

/// Like [`compact`], reusing memory: replaces the content of `out`. Needs no further memory.
pub fn compact_into(field: &Heightfield, border: u32, settings: &VoxelSettings, out: &mut CompactHeightfield) {
    take_ground_into(field, &Window { grid: field.grid, border, at_drop: false }, out);
    link_cells(settings.agent_height_vx, settings.agent_climb_vx, out);
}

/// A part of a solid field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Its cells, all of which are in the field.
    pub(crate) grid: Grid,
    /// Cells on each side that belong to the tile's neighbours.
    pub(crate) border: u32,
    /// Whether its outermost cells are left empty: what lies outside is unknown, so it may be a drop.
    pub(crate) at_drop: bool,
}

/// Copies the walkable spans of a part of a field, to be linked by [`link_rows`]. Returns how many solid spans it has.
pub(crate) fn take_ground_into(field: &Heightfield, window: &Window, out: &mut CompactHeightfield) -> usize {
    out.grid = window.grid;
    out.border = window.border;
    let solid = take_ground(field, window, out);
    out.begin_links();
    solid
}

/// Columns of one span that are copied or linked at once.
const BLOCK: usize = 8;

/// Whether each of the first `N` columns has one span: the first begins at `first`, and each ends where `ends` says.
#[inline(always)]
pub(crate) fn are_single<const N: usize>(ends: &[u32]) -> bool {
    have_each::<N>(ends, 1)
}

/// Whether each of the first `N` columns has this many spans.
#[inline(always)]
fn have_each<const N: usize>(ends: &[u32], count: u32) -> bool {
    ends.get(..=N).is_some_and(|ends| {
        let first = ends[0];
        // Usually the total number of spans decides.
        ends[N] - first == N as u32 * count
            && ends.iter().zip(0..).fold(true, |all, (&end, k)| all & (end == first + k * count))
    })
}

/// Copies the walkable spans. Every span is written to the next free slot, and the slot is kept if the span is
/// walkable, since which ones are is unpredictable.
fn take_ground(field: &Heightfield, window: &Window, out: &mut CompactHeightfield) -> usize {
    let grid = &window.grid;
    let left = (grid.x - field.grid.x) as u32;
    let above = (grid.z - field.grid.z) as u32;
    // Where the columns of a row of the window end, after the start of the first.
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
        let ends = row(z);
        if window.at_drop && (z == 0 || z + 1 == grid.depth) {
            out.columns.extend(ends[1..].iter().map(|_| taken as u32));
            continue;
        }
        let width = ends.len() - 1;
        let is_rim = |x: usize| window.at_drop && (x == 0 || x + 1 == width);
        let mut x = 0;
        while x < width {
            // Open area: copies a block of tops unchanged.
            if are_single::<BLOCK>(&ends[x..]) && !is_rim(x) && !is_rim(x + BLOCK - 1) {
                let from = ends[x] as usize..ends[x + BLOCK] as usize;
                let to = taken..taken + BLOCK;
                let areas = &field.area[from.clone()];
                if !areas.iter().fold(false, |any, area| any | area.is_null()) {
                    out.y[to.clone()].copy_from_slice(&field.max[from]);
                    out.clearance[to.clone()].fill(u16::MAX);
                    out.area[to].copy_from_slice(areas);
                    out.columns.extend((1..=BLOCK).map(|k| (taken + k) as u32));
                    taken += BLOCK;
                    x += BLOCK;
                    continue;
                }
            }
            let column = ends[x] as usize..ends[x + 1] as usize;
            let bottoms = &field.min[column.clone()];
            let tops = &field.max[column.clone()];
            if let (Some((_, ceilings)), Some((&highest, floors))) = (bottoms.split_first(), tops.split_last())
                && !is_rim(x)
            {
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
            out.columns.push(taken as u32);
            x += 1;
        }
    }
    out.y.truncate(taken);
    out.clearance.truncate(taken);
    out.area.truncate(taken);
    solid
}

/// Like [`compact_into`], in the memory of the solid field, which is left with that of `out` and with no cells. This
/// way an untiled bake avoids the first access to a third of its memory.
pub fn compact_in_place(field: &mut Heightfield, border: u32, settings: &VoxelSettings, out: &mut CompactHeightfield) {
    take_ground_in_place(field, border, out);
    link_cells(settings.agent_height_vx, settings.agent_climb_vx, out);
}

/// Like [`take_ground_into`], in the memory of the solid field.
pub(crate) fn take_ground_in_place(field: &mut Heightfield, border: u32, out: &mut CompactHeightfield) {
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
    out.begin_links();
}

/// Drops the unwalkable spans from a field whose `y` are the tops and whose `clearance` are the bottoms of solid spans,
/// and converts bottoms to clearances. Every span is moved to the next free slot, and the slot is kept if the span is
/// walkable, since which ones are is unpredictable.
fn keep_ground(field: &mut CompactHeightfield) {
    let CompactHeightfield { columns, y, clearance, area, .. } = field;
    let len = y.len().min(clearance.len()).min(area.len());
    let y = &mut y[..len];
    let clearance = &mut clearance[..len];
    let area = &mut area[..len];
    let mut start = 0;
    let mut taken = 0;
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

impl CompactHeightfield {
    /// Makes room for links, initially none.
    pub(super) fn begin_links(&mut self) {
        self.neighbours.clear();
        self.neighbours.resize(self.y.len(), [NONE; 4]);
    }
}

/// Links the spans of some rows with each other and with those of the previous row.
pub(crate) fn link_rows(settings: &VoxelSettings, rows: Range<u32>, out: &mut CompactHeightfield) {
    link_some([settings.agent_height_vx, settings.agent_climb_vx], rows, out);
}

/// Finds all links of a field without any.
pub(super) fn link_cells(height: u32, climb: u32, out: &mut CompactHeightfield) {
    link_some([height, climb], 0..out.grid.depth, out);
}

fn link_some(steps: [u32; 2], rows: Range<u32>, out: &mut CompactHeightfield) {
    let [height, climb] = steps.map(|cells| u16::try_from(cells).unwrap_or(u16::MAX));
    let linker = Linker { y: &out.y, clearance: &out.clearance, neighbours: &mut out.neighbours, height, climb };
    // The loops over blocks are compiled to vector instructions, the widest that the machine has.
    dispatch!(Level::new(), _simd => linker.link_rows(&out.grid, &out.columns, rows));
}

/// The data needed to link two columns.
struct Linker<'a> {
    y: &'a [u16],
    clearance: &'a [u16],
    neighbours: &'a mut [[u32; 4]],
    height: u16,
    climb: u16,
}

impl Linker<'_> {
    /// Links the columns of some rows, row by row.
    #[inline(always)]
    fn link_rows(mut self, grid: &Grid, columns: &[u32], rows: Range<u32>) {
        let width = grid.width as usize;
        let row_of = |row: u32| &columns[row as usize * width..][..width + 1];
        let mut row_before = rows.start.checked_sub(1).map_or(&[][..], row_of);
        for row in rows {
            let ends = row_of(row);
            let mut x = 0;
            while x < width {
                // Open area: a block with the column before it, and its counterpart in the next row.
                let across = row_before.get(x..).unwrap_or(&[]);
                if x > 0 && are_single::<BLOCK>(across) && are_single::<{ BLOCK + 1 }>(&ends[x - 1..]) {
                    self.link_block(ends[x] as usize, across[0] as usize);
                    x += BLOCK;
                    continue;
                }
                // Several floors: the same, unless one of them has a step.
                let floors = ends[x + 1] - ends[x];
                let mut until = x + 1;
                if floors > 1
                    && x > 0
                    && have_each::<BLOCK>(across, floors)
                    && have_each::<{ BLOCK + 1 }>(&ends[x - 1..], floors)
                {
                    until = x + BLOCK;
                    if self.link_floors([ends[x], across[0]].map(|span| span as usize), floors as usize) {
                        x = until;
                        continue;
                    }
                }
                while x < until {
                    self.link_column(ends, row_before, x);
                    x += 1;
                }
            }
            row_before = ends;
        }
    }

    /// Links the spans of a column with those of the columns before and across.
    #[inline(always)]
    fn link_column(&mut self, ends: &[u32], row_before: &[u32], x: usize) {
        let column = ends[x] as usize..ends[x + 1] as usize;
        if column.is_empty() {
            return;
        }
        if x > 0 {
            self.link(column.clone(), ends[x - 1] as usize..column.start, 0);
        }
        if let Some(ends) = row_before.get(x..x + 2) {
            self.link(column, ends[0] as usize..ends[1] as usize, 3);
        }
    }

    /// Links the spans of `column` with those of the neighbour column `other` that lies in `direction`.
    #[inline(always)]
    fn link(&mut self, column: Range<usize>, other: Range<usize>, direction: usize) {
        if column.len() == 1 && other.len() == 1 {
            self.link_spans(column.start, other.start, direction);
            return;
        }
        let mut i = column.start;
        let mut n = other.start;
        while i < column.end && n < other.end {
            let (are_linked, [top, other_top]) = self.link_spans(i, n, direction);
            // The one whose free space ends first can match nothing higher up, nor can spans that have matched.
            let goes_on = top <= other_top;
            i += usize::from(are_linked | goes_on);
            n += usize::from(are_linked | !goes_on);
        }
    }

    /// Links the spans of a block, from `i`, each with the one before it and with its counterpart across, from `n`.
    #[inline(always)]
    fn link_block(&mut self, i: usize, n: usize) {
        let before = self.steps(i - 1, i);
        let across = self.steps(n, i);
        let (earlier, own) = self.neighbours.split_at_mut(i - 1);
        let others = earlier.get_mut(n..).and_then(|spans| spans.first_chunk_mut::<BLOCK>());
        let (Some(others), Some(own)) = (others, own.first_chunk_mut::<{ BLOCK + 1 }>()) else { return };
        // All ones if there is no step: no link.
        let link = |is_step: bool, to: usize| to as u32 | u32::from(is_step).wrapping_sub(1);
        for k in 0..BLOCK {
            own[k + 1][0] = link(before[k], i + k - 1);
            own[k][2] = link(before[k], i + k);
            own[k + 1][3] = link(across[k], n + k);
            others[k][1] = link(across[k], i + k);
        }
    }

    /// Links the spans of eight columns that have as many floors as the column before and as the columns across: those
    /// from `i` with their counterparts, which are this many spans before, and from `n`. Does nothing unless an agent
    /// can step from each to both its counterparts. Returns whether it can.
    #[inline(always)]
    fn link_floors(&mut self, [i, n]: [usize; 2], floors: usize) -> bool {
        let count = BLOCK * floors;
        let mut can_step = true;
        for at in (0..count).step_by(BLOCK) {
            let before = self.steps(i - floors + at, i + at);
            let across = self.steps(n + at, i + at);
            can_step &= before.iter().zip(&across).fold(true, |all, (before, across)| all & before & across);
        }
        if !can_step {
            return false;
        }
        let (earlier, own) = self.neighbours.split_at_mut(i - floors);
        let (Some(across), Some(own)) = (earlier.get_mut(n..n + count), own.get_mut(..count + floors)) else {
            return false;
        };
        for (span, links) in (i..).zip(&mut own[..count]) {
            links[2] = span as u32;
        }
        for (k, (links, across)) in own[floors..].iter_mut().zip(across).enumerate() {
            (links[0], links[3]) = ((i + k - floors) as u32, (n + k) as u32);
            across[1] = (i + k) as u32;
        }
        true
    }

    /// From which spans of a block, from `a`, an agent can step to their counterparts, from `b`.
    #[inline(always)]
    fn steps(&self, a: usize, b: usize) -> [bool; BLOCK] {
        let block = |of: usize| -> Option<(&[u16; BLOCK], &[u16; BLOCK])> {
            Some((self.y[of..].first_chunk()?, self.clearance[of..].first_chunk()?))
        };
        let mut steps = [false; BLOCK];
        if let (Some((y, clearance)), Some((other_y, other_clearance))) = (block(a), block(b)) {
            // Compiled to vector instructions.
            for k in 0..BLOCK {
                steps[k] = self.is_step([y[k], other_y[k]], [clearance[k], other_clearance[k]]);
            }
        }
        steps
    }

    /// Whether the free spaces over two floors overlap by an agent's height, and the floors differ by at most its
    /// climb.
    #[inline(always)]
    fn is_step(&self, [y, other_y]: [u16; 2], clearance: [u16; 2]) -> bool {
        let up = other_y.saturating_sub(y);
        let down = y.saturating_sub(other_y);
        // Measured above the higher floor; open sky is high enough for all.
        let has_room =
            |clearance: u16, rise: u16| (clearance == u16::MAX) | (clearance.saturating_sub(rise) >= self.height);
        (up | down <= self.climb) & has_room(clearance[0], up) & has_room(clearance[1], down)
    }

    /// Links two spans if an agent can step from one to the other; returns whether it can, and where their free spaces
    /// end.
    #[inline(always)]
    fn link_spans(&mut self, i: usize, n: usize, direction: usize) -> (bool, [u32; 2]) {
        let [y, clearance] = [self.y, self.clearance].map(|of| [of[i], of[n]]);
        let is_step = self.is_step(y, clearance);
        if is_step {
            self.neighbours[i][direction] = n as u32;
            self.neighbours[n][(direction + 2) % 4] = i as u32;
        }
        let end = |k: usize| u32::from(y[k]) + if clearance[k] == u16::MAX { 1 << 20 } else { u32::from(clearance[k]) };
        (is_step, [end(0), end(1)])
    }
}
