//! Tiles of one bake are joined where their seams name each other's heights.
//!
//! Both lists of seams are in the order of their cells, then of their heights: where a cell has many, those that may
//! face one are found by halving. Cells that follow each other along the same two edges make a run, and each run a
//! joint.
//!
//! ```text
//!   first   (cell 3, 5 → 5) (3, 9 → 8) (4, 5 → 5) …        second  (3, 5 → 5) (3, 8 → 9) (4, 5 → 5) …
//!   runs    5/5: cells 3…4   9/8: cell 3                    of storeys, several go on side by side
//! ```
//!
//! Cost: O(n log n) in the seams, and the joints.
//!
//! Sources: own.

use super::border_index::side_is_x;
use super::connect::{Facing, JOINT, Joint, along, between, overlap};
use super::tile::TileGeometry;
use crate::tile::{Effort, Exhausted, SeamCell, Side, TileLayout};

/// A seam of one of several tiles.
trait Seam: Copy {
    fn cell(&self) -> &SeamCell;
    /// The tile, in the upper half, and the corner at which the edge begins.
    fn edge(&self) -> u64;
}

impl Seam for SeamCell {
    #[inline]
    fn cell(&self) -> &SeamCell {
        self
    }

    #[inline]
    fn edge(&self) -> u64 {
        u64::from(self.edge)
    }
}

impl Seam for (SeamCell, u32) {
    fn cell(&self) -> &SeamCell {
        &self.0
    }

    fn edge(&self) -> u64 {
        u64::from(self.1) << 32 | u64::from(self.0.edge)
    }
}

/// Two edges, here and there, with the first and the last of the cells along which their heights name each other.
type Run = ([u64; 2], i32, i32);

impl Facing<'_> {
    pub(super) fn join_seams(
        &self,
        layout: &TileLayout,
        effort: &mut Effort,
        out: &mut Vec<Joint>,
    ) -> Result<(), Exhausted> {
        let opposite = self.side.opposite();
        let runs = match (self.first, self.second) {
            ([first], [second]) => {
                let first = first.border.seams(self.side, &first.data);
                let second = second.border.seams(opposite, &second.data);
                joined_runs(first, second, effort)?
            }
            _ => joined_runs(&seams_of(self.first, self.side), &seams_of(self.second, opposite), effort)?,
        };
        for run in runs {
            if let Some(joint) = self.joint_along(layout, &run) {
                effort.spend(JOINT)?;
                out.push(joint);
            }
        }
        Ok(())
    }

    fn joint_along(&self, layout: &TileLayout, &(edges, from, to): &Run) -> Option<Joint> {
        let side = self.side;
        let tiles = edges.map(|edge| (edge >> 32) as u32);
        if !self.may_join(tiles, true) {
            return None;
        }
        let first = self.first[tiles[0] as usize];
        let second = self.second[tiles[1] as usize];
        let corners = edges.map(|edge| edge as u32);
        let line = |cell: i32| {
            let origin = if side_is_x(side) { layout.origin.z } else { layout.origin.x };
            origin + cell as f32 * first.data.cell_size
        };
        let here = first.border.at_corner(corners[0])?;
        let there = second.border.at_corner(corners[1])?;
        let span = here.1;
        let other = there.1;
        let [low, high] = overlap(side, span, other)?;
        let from = line(from);
        let to = line(to.saturating_add(1));
        let low = if along(side, low) < from { between(side, span, other, from) } else { low };
        let high = if along(side, high) > to { between(side, span, other, to) } else { high };
        (along(side, low) < along(side, high)).then(|| Joint::new(tiles, [here, there], [low, high]))
    }
}

/// The seams of several tiles, sorted as those of one are.
fn seams_of(tiles: &[&TileGeometry], side: Side) -> Vec<(SeamCell, u32)> {
    let of_tile = |(tile, number): (&&TileGeometry, u32)| {
        tile.border.seams(side, &tile.data).iter().map(move |seam| (*seam, number)).collect::<Vec<_>>()
    };
    let mut seams: Vec<_> = tiles.iter().zip(0..).flat_map(of_tile).collect();
    seams.sort_unstable_by_key(|(seam, tile)| (seam.cell, seam.here, seam.there, *tile, seam.edge));
    seams
}

/// Of many seams those that name the heights of one in its cell.
#[cold]
fn facing<'a, S: Seam>(second: &'a [S], seam: &SeamCell, effort: &mut Effort) -> Result<&'a [S], Exhausted> {
    let place = |other: &S| (other.cell().cell, other.cell().here, other.cell().there);
    let wanted = (seam.cell, seam.there, seam.here);
    let from = second.partition_point(|other| place(other) < wanted);
    let count = second[from..].partition_point(|other| place(other) == wanted);
    effort.spend(PAIR * count)?;
    Ok(&second[from..from + count])
}

/// Lengthens the run along two edges by a cell, or begins one.
#[inline]
fn go_on(runs: &mut Vec<Run>, edges: [u64; 2], cell: i32) {
    // With one storey it is the last.
    match runs.last_mut() {
        Some(run) if run.0 == edges && run.2.saturating_add(1) >= cell => run.2 = cell,
        _ => go_on_elsewhere(runs, edges, cell),
    }
}

#[inline(never)]
fn go_on_elsewhere(runs: &mut Vec<Run>, edges: [u64; 2], cell: i32) {
    let goes_on = |run: &&mut Run| run.0 == edges && run.2.saturating_add(1) >= cell;
    match runs.iter_mut().rev().take(FEW).find(goes_on) {
        Some(run) => run.2 = cell,
        None => runs.push((edges, cell, cell)),
    }
}

/// What a pair of seams takes that name each other.
const PAIR: usize = 32;
/// Of so few seams in a cell all are looked at; and among so many of the last runs the one that goes on is looked for:
/// of few storeys it is there.
const FEW: usize = 4;

/// The runs of cells that are joined, in the order of their edges and along them. Both lists are sorted by cell and
/// heights.
fn joined_runs<S: Seam>(first: &[S], mut second: &[S], effort: &mut Effort) -> Result<Vec<Run>, Exhausted> {
    let mut runs: Vec<Run> = Vec::new();
    for own in first {
        let seam = own.cell();
        // Cells of the second tiles that lie behind.
        while let [other, rest @ ..] = second
            && other.cell().cell < seam.cell
        {
            second = rest;
        }
        let is_crowded = second.get(FEW).is_some_and(|other| other.cell().cell == seam.cell);
        for other in if is_crowded { facing(second, seam, effort)? } else { second } {
            let there = other.cell();
            if there.cell != seam.cell {
                break;
            }
            if (there.here, there.there) == (seam.there, seam.here) {
                go_on(&mut runs, [own.edge(), other.edge()], seam.cell);
            }
        }
    }
    runs.sort_unstable();
    // What many storeys side by side left in pieces.
    runs.dedup_by(|next, run| {
        let goes_on = next.0 == run.0 && run.2.saturating_add(1) >= next.1;
        if goes_on {
            run.2 = run.2.max(next.2);
        }
        goes_on
    });
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use std::collections::BTreeSet;

    /// Some storeys, each with stretches of a few cells per edge, and gaps.
    fn border(rng: &mut Rng, storeys: u32, swapped: bool) -> Vec<SeamCell> {
        let mut seams = Vec::new();
        for storey in 0..storeys {
            let mut edge = rng.below(3) + 10 * storey;
            for cell in -3..20 {
                edge += u32::from(rng.below(4) == 0);
                let heights = [storey as u16 * 9, storey as u16 * 9 + u16::from(rng.below(9) == 0)];
                let [here, there] = if swapped { [heights[1], heights[0]] } else { heights };
                if rng.below(5) > 0 {
                    seams.push(SeamCell { edge, cell, here, there });
                }
            }
        }
        seams.sort_by_key(|seam| (seam.cell, seam.here, seam.there, seam.edge));
        seams
    }

    #[test]
    fn runs_hold_the_cells_that_name_each_other_and_no_two_could_be_one() {
        let mut rng = Rng::new(3);
        for round in 0..200 {
            let storeys = if round % 4 == 0 { 20 } else { 4 };
            let first = border(&mut rng, storeys, false);
            let second = border(&mut rng, storeys, true);
            let pairs = first.iter().flat_map(|seam| second.iter().map(move |other| (seam, other)));
            let facing = pairs.filter(|(s, o)| s.cell == o.cell && s.here == o.there && s.there == o.here);
            let expected: BTreeSet<_> = facing.map(|(s, o)| (s.edge, o.edge, s.cell)).collect();
            let runs = joined_runs(&first, &second, &mut Effort::endless()).unwrap();
            let cells =
                |&([here, there], from, to): &Run| (from..=to).map(move |cell| (here as u32, there as u32, cell));
            assert_eq!(runs.iter().flat_map(cells).collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>());
            assert!(runs.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].2 + 1 < pair[1].1));
            // Of several tiles the same, each edge with its tile.
            let of_tiles = |seams: &[SeamCell]| seams.iter().map(|&seam| (seam, seam.edge / 10)).collect::<Vec<_>>();
            let tiles = joined_runs(&of_tiles(&first), &of_tiles(&second), &mut Effort::endless()).unwrap();
            let tile = |edge: u64| (edge >> 32) as u32;
            let corner = |edge: u64| edge as u32;
            assert!(tiles.iter().all(|run| run.0.into_iter().all(|edge| tile(edge) == corner(edge) / 10)));
            assert!(tiles.iter().map(|run| run.0.map(corner)).eq(runs.iter().map(|run| run.0.map(corner))));
            assert!(tiles.iter().map(|run| (run.1, run.2)).eq(runs.iter().map(|run| (run.1, run.2))));
        }
    }
}
