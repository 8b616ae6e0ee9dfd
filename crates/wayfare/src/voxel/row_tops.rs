//! Records the heights at which the ranges of a row's columns end, for finding out whether one can climb from range to
//! range.
//!
//! Runs are recorded as they come, with their ranges among those of the band; most levels need no more. If so many
//! triangles overlap that the ranges would take more memory than the level itself, the records are condensed to the
//! tops of each column, without duplicates.
//!
//! A range is 32 bits, with its top in the lower 16.
//!
//! Cost: a run is one entry; condensing sorts tops, in n log n, but few different ones. Sources: own work.

/// A run of cells in a row that one triangle covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellRun {
    /// First column in the rectangle.
    pub(super) x: u32,
    /// Number of cells, at least one.
    pub(super) len: u32,
    /// The index of its first range among those of the band.
    pub(super) first: u64,
    /// Whether its cells have one range each, or all share the first.
    pub(super) is_uniform: bool,
}

impl CellRun {
    /// The top of its range in column `x`, which it covers.
    #[inline]
    fn top(&self, x: u32, ranges: &[u32]) -> u32 {
        ranges[(self.first + u64::from(if self.is_uniform { 0 } else { x - self.x })) as usize] & 0xffff
    }

    /// Its ranges.
    fn own<'a>(&self, ranges: &'a [u32]) -> &'a [u32] {
        &ranges[self.first as usize..][..if self.is_uniform { 1 } else { self.len as usize }]
    }
}

/// The tops of a row's columns.
#[derive(Debug, Default)]
pub(super) struct RowTops {
    runs: Vec<CellRun>,
    /// Those of triangles within one cell: column (from bit 16 on) and top (16 bits).
    cells: Vec<u64>,
    /// Condensed: column (from bit 16) and top (16 bits), each pair once, sorted.
    condensed: Vec<u64>,
}

/// How many tops may be added to the condensed ones before duplicates are removed.
const ROOM: usize = 1 << 16;

impl RowTops {
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.cells.clear();
        self.condensed.clear();
    }

    /// Records a run.
    #[inline(always)]
    pub(super) fn push(&mut self, run: CellRun) {
        self.runs.push(run);
    }

    /// Records the top of a triangle within one cell.
    #[inline(always)]
    pub(super) fn push_cell(&mut self, x: u32, top: u32) {
        self.cells.push(cell_top(x, top));
    }

    /// Condenses the records, so that runs and their ranges are no longer needed.
    #[cold]
    pub(super) fn condense(&mut self, ranges: &[u32]) {
        let Self { runs, cells, condensed } = self;
        condensed.append(cells);
        // Equal triangles have equal runs, which are dropped before they are expanded to cells.
        let shape = |run: &CellRun| (run.x, run.len, run.is_uniform, run.top(run.x, ranges));
        runs.sort_unstable_by_key(shape);
        runs.dedup_by(|a, b| shape(a) == shape(b) && a.own(ranges) == b.own(ranges));
        let mut most = 2 * condensed.len() + ROOM;
        for run in runs.drain(..) {
            condensed.extend((run.x..run.x + run.len).map(|x| cell_top(x, run.top(x, ranges))));
            if condensed.len() > most {
                sort_and_drop_doubles(condensed);
                most = 2 * condensed.len() + ROOM;
            }
        }
        sort_and_drop_doubles(condensed);
    }

    /// Calls `visit` with the tops in certain columns, in any order, with the index of the column in the list. `next`:
    /// for each column up to the last in the list, the index of the first that is not before it.
    pub(super) fn each_in(&self, columns: &[u32], next: &[u32], ranges: &[u32], mut visit: impl FnMut(usize, u32)) {
        for run in &self.runs {
            let Some(&first) = next.get(run.x as usize) else { continue };
            let rest = &columns[first as usize..];
            for (place, &x) in (first as usize..).zip(rest).take_while(|(_, x)| **x < run.x + run.len) {
                visit(place, run.top(x, ranges));
            }
        }
        for &top in &self.cells {
            let x = (top >> 16) as u32;
            let Some(&first) = next.get(x as usize) else { continue };
            let rest = &columns[first as usize..];
            for (place, _) in (first as usize..).zip(rest).take_while(|(_, column)| **column == x) {
                visit(place, top as u32 & 0xffff);
            }
        }
        let mut rest = &self.condensed[..];
        // The list may contain a column several times, for several spans.
        for (place, &x) in columns.iter().enumerate() {
            rest = &rest[rest.partition_point(|&top| top >> 16 < u64::from(x))..];
            let own = rest.iter().take_while(|&&top| top >> 16 == u64::from(x));
            own.for_each(|&top| visit(place, top as u32 & 0xffff));
        }
    }
}

/// A top in condensed form.
fn cell_top(x: u32, top: u32) -> u64 {
    u64::from(x) << 16 | u64::from(top)
}

fn sort_and_drop_doubles(tops: &mut Vec<u64>) {
    tops.sort_unstable();
    tops.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn condensed_or_not_the_tops_are_the_same() {
        let ranges: Vec<u32> = vec![3, 5, 9, 5, 7];
        let run = |x, len, first, is_uniform| CellRun { x, len, first, is_uniform };
        let mut tops = RowTops::default();
        for _ in 0..3 {
            [run(2, 3, 0, false), run(0, 6, 3, true), run(4, 2, 3, false)].into_iter().for_each(|run| tops.push(run));
        }
        let columns = [3, 3, 4];
        let next = [0, 0, 0, 0, 2];
        let told = |tops: &RowTops, ranges: &[u32]| {
            let mut told = Vec::new();
            tops.each_in(&columns, &next, ranges, |place, top| told.push((place, top)));
            told.sort_unstable();
            told.dedup();
            told
        };
        let before = told(&tops, &ranges);
        assert_eq!(before, [(0, 5), (1, 5), (2, 5), (2, 9)]);
        tops.condense(&ranges);
        assert_eq!(told(&tops, &[]), before);
        assert!(tops.runs.is_empty());
        tops.push(run(3, 1, 4, true));
        assert_eq!(told(&tops, &ranges).len(), 6, "and more may come");
        tops.condense(&ranges);
        assert_eq!(tops.condensed.len(), 10);
        tops.push_cell(4, 11);
        tops.push_cell(9, 12);
        let before = told(&tops, &[]);
        assert_eq!(before.last(), Some(&(2, 11)));
        tops.condense(&[]);
        assert_eq!(told(&tops, &[]), before);
    }
}
