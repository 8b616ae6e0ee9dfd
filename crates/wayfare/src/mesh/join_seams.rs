//! Joins tiles of one bake where their seams name each other's heights.
//!
//! Seams are runs of cells along an edge. Where a run of one tile and a run of the other share cells, their heights are
//! compared cell by cell. Consecutive cells that agree make an interval, and each interval makes a joint.
//!
//! ```text
//!   first    edge 5   cells 3 4 5 6    5→5 5→5 5→6 6→6
//!   second   edge 8   cells   4 5 6 7      5→5 6→5 6→7 7→7
//!   agree                     y y n        edges 5/8 are joined along cells 4…5
//! ```
//!
//! Where tiles overlap in layers, or there are many storeys, comparing every pair of runs would take too long. All
//! cells are then sorted by height, and matching cells are found by binary search.
//!
//! Cost: O(n log n) in the seams, plus the joints; with few runs, about eight instructions a cell.
//!
//! Sources: own.

use super::border_span::BorderSpan;
use super::connect::{Facing, JOINT, Joint, along, between, overlap};
use crate::tile::{Effort, Exhausted, SeamCell, SeamHeights, SeamRun, Side, TileData, TileLayout};

/// A seam and the tile, of several, whose edge it lies on.
type TileSeam = (SeamCell, u32);

/// Two edges, here and there, with the first and the last of the cells along which their heights name each other. An
/// edge is stored as its tile in the upper half and its number in the lower.
type Stretch = ([u64; 2], i32, i32);

fn edge_of((seam, tile): &TileSeam) -> u64 {
    u64::from(*tile) << 32 | u64::from(seam.edge)
}

/// Up to this many runs on one side of a border, every pair is compared.
const FEW_RUNS: usize = 48;

impl Facing<'_> {
    pub(super) fn join_seams(
        &self,
        layout: &TileLayout,
        effort: &mut Effort,
        out: &mut Vec<Joint>,
    ) -> Result<(), Exhausted> {
        let opposite = self.side.opposite();
        let mut stretches = Vec::new();
        match (self.first, self.second) {
            ([first], [second])
                if first.seam_runs(self.side).len().max(second.seam_runs(opposite).len()) <= FEW_RUNS =>
            {
                let first = (first.seam_runs(self.side), first.seam_heights());
                let second = (second.seam_runs(opposite), second.seam_heights());
                compare_runs(first, second, &mut stretches);
            }
            _ => {
                let first = seams_of(self.first, self.side);
                let second = seams_of(self.second, opposite);
                compare_cells(&first, &second, effort, &mut stretches)?;
            }
        }
        for stretch in merged(&mut stretches) {
            if let Some(joint) = self.joint_along(layout, stretch) {
                effort.spend(JOINT)?;
                out.push(joint);
            }
        }
        Ok(())
    }

    fn joint_along(&self, layout: &TileLayout, &(edges, from, to): &Stretch) -> Option<Joint> {
        let side = self.side;
        let tiles = edges.map(|edge| (edge >> 32) as u32);
        if !self.may_join(tiles, true) {
            return None;
        }
        let first = self.first[tiles[0] as usize];
        let second = self.second[tiles[1] as usize];
        let [here, there] = edges.map(|edge| edge as u32);
        let cell_size = first.baked_for().cell_size;
        let line = |cell: i32| {
            let origin = if side.is_x() { layout.origin.z } else { layout.origin.x };
            origin + cell as f32 * cell_size
        };
        let span = &BorderSpan::of(first, side, here);
        let other = &BorderSpan::of(second, side.opposite(), there);
        let [low, high] = overlap(side, span, other)?;
        let from = line(from);
        let to = line(to.saturating_add(1));
        let low = if along(side, low) < from { between(side, span, other, from) } else { low };
        let high = if along(side, high) > to { between(side, span, other, to) } else { high };
        (along(side, low) < along(side, high)).then(|| Joint::new(tiles, [(here, span), (there, other)], [low, high]))
    }
}

/// The seams of several tiles, sorted like those of one.
fn seams_of(tiles: &[&TileData], side: Side) -> Vec<TileSeam> {
    let of_tile = |(tile, number): (&&TileData, u32)| {
        tile.seam_cells(side).into_iter().map(move |seam| (seam, number)).collect::<Vec<_>>()
    };
    let mut seams: Vec<_> = tiles.iter().zip(0..).flat_map(of_tile).collect();
    seams.sort_unstable_by_key(|(seam, tile)| (seam.cell, seam.here, seam.there, *tile, seam.edge));
    seams
}

/// Runs, and the heights of all of them.
type Runs<'a> = (&'a [SeamRun], &'a [SeamHeights]);

/// Finds the intervals of two tiles by comparing each run with every run that may share cells with it.
fn compare_runs((first, here): Runs<'_>, (mut second, there): Runs<'_>, out: &mut Vec<Stretch>) {
    for own in first {
        // Runs that end earlier can be dropped if all before them can; later ones begin too late.
        while let [ended, rest @ ..] = second
            && ended.end() <= i64::from(own.cell)
        {
            second = rest;
        }
        for other in second.iter().take_while(|other| i64::from(other.cell) < own.end()) {
            let from = own.cell.max(other.cell);
            // A run that ends earlier may follow one that does not.
            let shared = own.end().min(other.end()) - i64::from(from);
            if shared <= 0 {
                continue;
            }
            let shared = shared as usize;
            let place = |run: &SeamRun| run.first as usize + from.abs_diff(run.cell) as usize;
            let own_heights = &here[place(own)..][..shared];
            let other_heights = &there[place(other)..][..shared];
            let edges = [u64::from(own.edge), u64::from(other.edge)];
            compare_heights((own_heights, other_heights), (edges, from), out);
        }
    }
}

/// Finds the intervals of two edges, starting at a cell.
fn compare_heights(
    (own, others): (&[SeamHeights], &[SeamHeights]),
    (edges, from): ([u64; 2], i32),
    out: &mut Vec<Stretch>,
) {
    let mut begin = None;
    let cell = |k: usize| from.wrapping_add(k as i32);
    for (k, (own, other)) in own.iter().zip(others).enumerate() {
        let agrees = own.here == other.there && own.there == other.here;
        match begin {
            None if agrees => begin = Some(k),
            Some(first) if !agrees => {
                out.push((edges, cell(first), cell(k - 1)));
                begin = None;
            }
            _ => {}
        }
    }
    if let Some(first) = begin {
        out.push((edges, cell(first), cell(own.len() - 1)));
    }
}

/// Among many seams, those that name the heights of one in its cell.
#[cold]
fn facing<'a>(second: &'a [TileSeam], seam: &SeamCell, effort: &mut Effort) -> Result<&'a [TileSeam], Exhausted> {
    let place = |(other, _): &TileSeam| (other.cell, other.here, other.there);
    let wanted = (seam.cell, seam.there, seam.here);
    let from = second.partition_point(|other| place(other) < wanted);
    let count = second[from..].partition_point(|other| place(other) == wanted);
    effort.spend(PAIR * count)?;
    Ok(&second[from..from + count])
}

/// The effort counted for a pair of seams that face each other. There can be more pairs than seams, and they are
/// sorted.
const PAIR: usize = 32;

/// Up to this many seams in a cell, or intervals that may continue, are searched one by one.
const FEW: usize = 4;

/// Extends the interval along two edges by a cell, or begins a new one.
fn go_on(stretches: &mut Vec<Stretch>, edges: [u64; 2], cell: i32) {
    let goes_on = |stretch: &&mut Stretch| stretch.0 == edges && stretch.2.saturating_add(1) >= cell;
    match stretches.iter_mut().rev().take(FEW).find(goes_on) {
        Some(stretch) => stretch.2 = cell,
        None => stretches.push((edges, cell, cell)),
    }
}

/// Finds the intervals of two sorted lists, cell by cell.
fn compare_cells(
    first: &[TileSeam],
    mut second: &[TileSeam],
    effort: &mut Effort,
    out: &mut Vec<Stretch>,
) -> Result<(), Exhausted> {
    for own in first {
        let seam = &own.0;
        while let [other, rest @ ..] = second
            && other.0.cell < seam.cell
        {
            second = rest;
        }
        let is_crowded = second.get(FEW).is_some_and(|other| other.0.cell == seam.cell);
        for other in if is_crowded { facing(second, seam, effort)? } else { second } {
            let there = &other.0;
            if there.cell != seam.cell {
                break;
            }
            if (there.here, there.there) == (seam.there, seam.here) {
                go_on(out, [edge_of(own), edge_of(other)], seam.cell);
            }
        }
    }
    Ok(())
}

/// Sorts intervals by edge and merges those that touch or overlap.
fn merged(stretches: &mut Vec<Stretch>) -> &[Stretch] {
    stretches.sort_unstable();
    stretches.dedup_by(|next, stretch| {
        let goes_on = next.0 == stretch.0 && stretch.2.saturating_add(1) >= next.1;
        if goes_on {
            stretch.2 = stretch.2.max(next.2);
        }
        goes_on
    });
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;
    use std::collections::BTreeSet;

    /// Seams of a few storeys along a border, in runs of the same edges on both sides but not of the same cells.
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

    /// The runs of seams, in the order of their first cells.
    fn runs(seams: &[SeamCell]) -> (Vec<SeamRun>, Vec<SeamHeights>) {
        let mut cells = seams.to_vec();
        cells.sort_by_key(|seam| (seam.edge, seam.cell));
        let mut groups: Vec<&[SeamCell]> = cells.chunk_by(|a, b| (a.edge, a.cell + 1) == (b.edge, b.cell)).collect();
        groups.sort_by_key(|cells| (cells[0].cell, cells[0].edge));
        let mut out = (Vec::new(), Vec::new());
        for cells in groups {
            let (cell, edge, count, first) = (cells[0].cell, cells[0].edge, cells.len() as u32, out.1.len() as u32);
            out.0.push(SeamRun { cell, edge, count, first });
            out.1.extend(cells.iter().map(|seam| SeamHeights { here: seam.here, there: seam.there }));
        }
        out
    }

    #[test]
    fn stretches_hold_the_cells_that_name_each_other_and_no_two_could_be_one() {
        let mut rng = Rng::new(3);
        for round in 0..200 {
            let storeys = if round % 4 == 0 { 20 } else { 4 };
            let first = border(&mut rng, storeys, false);
            let second = border(&mut rng, storeys, true);
            let pairs = first.iter().flat_map(|seam| second.iter().map(move |other| (seam, other)));
            let facing = pairs.filter(|(s, o)| s.cell == o.cell && s.here == o.there && s.there == o.here);
            let expected: BTreeSet<_> = facing.map(|(s, o)| (s.edge, o.edge, s.cell)).collect();
            let mut found = Vec::new();
            let [own, others] = [&first, &second].map(|seams| runs(seams));
            compare_runs((&own.0, &own.1), (&others.0, &others.1), &mut found);
            let stretches = merged(&mut found);
            let cells =
                |&([here, there], from, to): &Stretch| (from..=to).map(move |cell| (here as u32, there as u32, cell));
            assert_eq!(stretches.iter().flat_map(cells).collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>());
            assert!(stretches.windows(2).all(|pair| pair[0].0 != pair[1].0 || pair[0].2 + 1 < pair[1].1));
            // Cell by cell gives the same, also for several tiles: the tens of an edge's number give its tile.
            let of_tiles = |seams: &[SeamCell], tiles: u32| {
                seams.iter().map(|&seam| (seam, seam.edge / 10 * tiles)).collect::<Vec<_>>()
            };
            for tiles in [0, 1] {
                let mut found = Vec::new();
                let lists = [of_tiles(&first, tiles), of_tiles(&second, tiles)];
                compare_cells(&lists[0], &lists[1], &mut Effort::endless(), &mut found).unwrap();
                let found = merged(&mut found);
                let number = |edge: u64| edge as u32;
                assert!(found.iter().all(|s| s.0.iter().all(|&edge| (edge >> 32) as u32 == number(edge) / 10 * tiles)));
                assert!(found.iter().map(|s| (s.0.map(number), s.1, s.2)).eq(stretches.iter().map(|s| (
                    s.0.map(number),
                    s.1,
                    s.2
                ))));
            }
        }
    }
}
