//! Seams as they are stored: adjacent cells along one edge form a run, with both heights of each cell.
//!
//! ```text
//!   edge 2   cells 5 6 7 8      run { edge 2, from cell 5, 4 cells }    heights 12→12 12→13 13→13 13→13
//! ```
//!
//! A run takes 16 bytes plus four for each cell, while a list of [`SeamCell`]s takes twelve for each; and two runs that
//! face each other are compared in a few vector operations.
//!
//! Cost: a pass over the cells. Sources: own.

use super::border::{BorderList, side_range};
use super::{SeamCell, SeamHeights, SeamRun, Side, TileData, TileError};

/// The runs of one tile: by side, first cell and edge.
#[derive(Clone, Debug, Default)]
pub(super) struct SeamRuns {
    pub(super) runs: Vec<SeamRun>,
    pub(super) heights: Vec<SeamHeights>,
    /// Number of runs on each side and those before it.
    pub(super) sides: [u32; 4],
    /// Cells with their edges and sides.
    cells: Vec<(u32, SeamCell)>,
    found: Vec<(Side, SeamRun)>,
}

impl SeamRuns {
    /// Joins cells into runs. They must have been [checked](super::TileLists::check_seams), and `border` must be that
    /// of their tile.
    pub(super) fn join(&mut self, seams: &[SeamCell], border: &BorderList) {
        self.runs.clear();
        self.heights.clear();
        self.cells.clear();
        self.found.clear();
        self.sides = [0; 4];
        let number = |corner: u32| border.edges.partition_point(|edge| edge.corner < corner) as u32;
        let mut last = (0, number(0));
        for seam in seams {
            // Many in a row belong to one edge.
            if seam.edge != last.0 {
                last = (seam.edge, number(seam.edge));
            }
            self.cells.push((last.1, *seam));
        }
        // For one edge in the order of the cells: stable, so that several heights in one cell keep their order.
        self.cells.sort_by_key(|(edge, seam)| (*edge, seam.cell));
        self.join_cells();
        self.sort_runs(border);
    }

    /// Runs in the order of edges; `first` is the index in `cells`.
    fn join_cells(&mut self) {
        for (place, &(edge, seam)) in (0u32..).zip(&self.cells) {
            match self.found.last_mut() {
                Some((_, run)) if run.edge == edge && run.cell.checked_add_unsigned(run.count) == Some(seam.cell) => {
                    run.count += 1;
                }
                _ => self.found.push((Side::XMin, SeamRun { cell: seam.cell, edge, count: 1, first: place })),
            }
        }
    }

    fn sort_runs(&mut self, border: &BorderList) {
        for (side, run) in &mut self.found {
            *side = border.side_of.get(run.edge as usize).copied().unwrap_or(Side::XMin);
        }
        self.found.sort_by_key(|(side, run)| (*side as u8, *run));
        for &(side, run) in &self.found {
            let cells = &self.cells[run.first as usize..][..run.count as usize];
            self.runs.push(SeamRun { first: self.heights.len() as u32, ..run });
            self.heights.extend(cells.iter().map(|(_, seam)| SeamHeights { here: seam.here, there: seam.there }));
            self.sides[side as usize] += 1;
        }
        for side in 1..4 {
            self.sides[side] += self.sides[side - 1];
        }
    }
}

impl TileData {
    /// Checks that the runs of seams match the border edges and the heights. Everything else must have been checked.
    pub(super) fn check_seam_runs(&self) -> Result<(), TileError> {
        let runs = self.all_seam_runs();
        let edges = self.border_edges();
        let order = |seam: usize| TileError::SeamOrder { seam: seam as u32 };
        if !runs.is_empty() && self.baked_for().cell_size <= 0.0 {
            return Err(order(0));
        }
        let mut first = 0u64;
        let mut least = (0, i32::MIN, 0);
        let mut sides = [0; 4];
        for (seam, run) in runs.iter().enumerate() {
            let Some(side) = edges.get(run.edge as usize).and_then(|edge| self.side_of(edge)) else {
                return Err(TileError::SeamEdge { seam: seam as u32, corner: run.edge });
            };
            let place = (side as u8, run.cell, run.edge);
            let last = run.count.checked_sub(1).and_then(|more| run.cell.checked_add_unsigned(more));
            if place < least || last.is_none() || u64::from(run.first) != first {
                return Err(order(seam));
            }
            least = place;
            first += u64::from(run.count);
            sides[side as usize] += 1;
        }
        for side in 1..4 {
            sides[side] += sides[side - 1];
        }
        let have = self.seam_heights().len();
        if first != have as u64 {
            return Err(TileError::Count { what: "heights of seams", have, want: first as usize });
        }
        if sides != self.head().seam_sides {
            return Err(TileError::Block { what: "number of seams of a side", value: runs.len() as u32 });
        }
        Ok(())
    }

    /// The runs of seams on a side, by their first cells.
    pub(crate) fn seam_runs(&self, side: Side) -> &[SeamRun] {
        &self.all_seam_runs()[side_range(&self.head().seam_sides, side)]
    }

    /// The steps across a side of the border, sorted by cell, both heights and edge, where the edge is given by its
    /// number.
    pub(crate) fn seam_cells(&self, side: Side) -> Vec<SeamCell> {
        let heights = self.seam_heights();
        let cells = |run: &SeamRun| {
            let SeamRun { cell, edge, count, first } = *run;
            let of_run = &heights[first as usize..][..count as usize];
            of_run.iter().enumerate().map(move |(k, &SeamHeights { here, there })| SeamCell {
                edge,
                cell: cell.wrapping_add(k as i32),
                here,
                there,
            })
        };
        let mut seams: Vec<SeamCell> = self.seam_runs(side).iter().flat_map(cells).collect();
        seams.sort_unstable_by_key(|seam| (seam.cell, seam.here, seam.there, seam.edge));
        seams
    }

    /// Steps across the border, sorted by side, cell, both heights and edge; none for tiles that were not baked, which
    /// are connected by the geometry of their border edges instead.
    #[must_use]
    pub fn seams(&self) -> Vec<SeamCell> {
        let edges = self.border_edges();
        let with_corner = |seam: SeamCell| SeamCell { edge: edges[seam.edge as usize].corner, ..seam };
        Side::ALL.into_iter().flat_map(|side| self.seam_cells(side)).map(with_corner).collect()
    }
}
