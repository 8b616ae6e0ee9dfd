//! Over hills the string on the plane is not the shortest: where a corridor is crossed is chosen anew, by what the ground costs.
//!
//! ```text
//!      string:  s ---/\---/\--- e        For each row a few places beside the string are tried, and the cheapest sequence of them is
//!      relaxed: s --.______.--- e        found; then, of these stops, those are left out that a straight line can spare
//!                   around the bumps     at no cost.
//! ```
//!
//! All lines are measured as they lie over the ground. Every straight line between stops crosses all rows between them within the
//! row, so it stays in the corridor.
//!
//! Cost: for each link up to 9 × 9 short lines, and for each stop up to [`LOOK_AHEAD`] longer ones.
//!
//! Sources: dynamic programming over the funnel's portals is own work; the string is that of `straight.rs`.

use super::store::Store;
use super::straight::{Piece, Stop};
use crate::math::index::NONE;
use core::ops::Range;
use glam::Vec3;

/// How many places on either side of the string are tried.
const ASIDE: i32 = 4;
/// How many stops a straight line may spare.
const LOOK_AHEAD: usize = 12;

/// A place that the way may cross a row at, and the cheapest way there.
#[derive(Clone, Copy, Debug)]
struct Choice {
    stop: Stop,
    height: f32,
    cost: f32,
    from: u32,
}

/// Memory of relaxing.
#[derive(Clone, Debug, Default)]
pub(super) struct Relaxer {
    choices: Vec<Choice>,
    chain: Vec<Stop>,
    heights: Vec<f32>,
    best: Vec<(f32, u32)>,
    /// Where the last row's choices begin.
    last_row: usize,
}

impl Relaxer {
    /// Replaces the stops of a pulled string by cheaper ones.
    pub(super) fn relax(&mut self, store: &Store, piece: &Piece, stops: &mut Vec<Stop>) {
        let Some(&end) = stops.last() else { return };
        let string: f32 = stops.windows(2).map(|w| length(store, piece, w[0], w[1])).sum();
        self.choose(store, piece, stops);
        self.trace(store, piece, Stop { row: piece.rows.len() as i32, ..end });
        self.spare(store, piece);
        let found = self.best.last().map_or(f32::INFINITY, |b| b.0);
        if found < string {
            stops.clear();
            let mut at = self.chain.len() - 1;
            loop {
                stops.push(self.chain[at]);
                if at == 0 {
                    break;
                }
                at = self.best[at].1 as usize;
            }
            stops.reverse();
        }
    }

    /// For each row, the places beside the string with the cheapest way to each.
    fn choose(&mut self, store: &Store, piece: &Piece, string: &[Stop]) {
        self.choices.clear();
        let start = string[0];
        let height = piece.height(store, 0, start.at) as f32;
        self.choices.push(Choice { stop: start, height, cost: 0.0, from: NONE });
        let (mut segment, mut before) = (0, 0..1);
        for (r, row) in piece.rows.iter().enumerate() {
            if r % 2 == 0 {
                before = self.spread(store, piece, r / 2, before);
            }
            while segment + 2 < string.len() && string[segment + 1].row < r as i32 {
                segment += 1;
            }
            let middle = crossing(string[segment].at, string[segment + 1].at, row.axis(), row.line);
            let first = self.choices.len();
            // A string that only touches the row may cross its line beyond its ends.
            let middle = middle.clamp(row.low, row.high);
            for across in row.low.max(middle - ASIDE)..=row.high.min(middle + ASIDE) {
                let stop = Stop { at: row.point(across), row: r as i32 };
                let choice = self.cheapest(store, piece, before.clone(), stop);
                self.choices.push(choice);
            }
            before = first..self.choices.len();
        }
        let last = self.spread(store, piece, piece.nodes.len() - 1, before);
        self.last_row = last.start;
    }

    /// The cheapest way to a place on a row, from one of the choices `before` it.
    fn cheapest(&self, store: &Store, piece: &Piece, before: Range<usize>, stop: Stop) -> Choice {
        let arrives = stop.row % 2 == 1;
        let node = stop.node(piece.nodes.len() - 1);
        let height = piece.height(store, node, stop.at) as f32;
        let mut choice = Choice { stop, height, cost: f32::INFINITY, from: NONE };
        for i in before {
            let old = self.choices[i];
            let bound = old.cost + direct(old.stop, old.height, stop, height);
            // Between the two rows of a link one step leads aside at most; more is another choice's.
            let far = arrives && (0..2).any(|k| (old.stop.at[k] - stop.at[k]).abs() > 1);
            if far || bound >= choice.cost {
                continue;
            }
            let cost = if arrives { bound } else { old.cost + length(store, piece, old.stop, stop) };
            if cost < choice.cost {
                (choice.cost, choice.from) = (cost, i as u32);
            }
        }
        choice
    }

    /// Over ground that is not level straight lines are not the best: spreads the choices over all places of a node, step by step.
    fn spread(&mut self, store: &Store, piece: &Piece, k: usize, before: Range<usize>) -> Range<usize> {
        let node = store.nodes[piece.nodes[k] as usize];
        if node.flat {
            return before;
        }
        let (w, d) = (usize::from(node.width), usize::from(node.depth));
        let first = self.choices.len();
        let row = self.choices[before.start].stop.row;
        for z in node.z..=node.last_z() {
            for x in node.x..=node.last_x() {
                let height = store.height(piece.nodes[k], x, z) as f32;
                let stop = Stop { at: [x, z], row };
                self.choices.push(Choice { stop, height, cost: f32::INFINITY, from: NONE });
            }
        }
        for i in before {
            let Choice { stop, cost, .. } = self.choices[i];
            let place = (stop.at[1] - node.z) as usize * w + (stop.at[0] - node.x) as usize;
            let here = &mut self.choices[first + place];
            if cost < here.cost {
                (here.cost, here.from) = (cost, i as u32);
            }
        }
        // Forwards and backwards over the places until nothing gets cheaper: a node is small.
        let mut changed = true;
        while changed {
            changed = false;
            for i in (0..w * d).chain((0..w * d).rev()) {
                changed |= self.relax_place(first, i, [w, d]);
            }
        }
        first..self.choices.len()
    }

    /// Tries the eight steps into a place of a node.
    fn relax_place(&mut self, first: usize, i: usize, [w, d]: [usize; 2]) -> bool {
        let (x, z) = (i % w, i / w);
        let mut here = self.choices[first + i];
        let old = here.cost;
        for nz in z.saturating_sub(1)..=(z + 1).min(d - 1) {
            for nx in x.saturating_sub(1)..=(x + 1).min(w - 1) {
                let j = first + nz * w + nx;
                let from = &self.choices[j];
                let cost = from.cost + direct(from.stop, from.height, here.stop, here.height);
                // A hair's difference is rounding, and would go round in circles.
                if cost < here.cost - 1e-4 {
                    (here.cost, here.from) = (cost, j as u32);
                }
            }
        }
        self.choices[first + i] = here;
        here.cost < old
    }

    /// Lists the cheapest sequence of stops.
    fn trace(&mut self, store: &Store, piece: &Piece, end: Stop) {
        let mut best = (f32::INFINITY, NONE);
        for i in self.last_row..self.choices.len() {
            let c = &self.choices[i];
            if c.cost + direct(c.stop, c.height, end, c.height) < best.0 {
                let cost = c.cost + length(store, piece, c.stop, end);
                if cost < best.0 {
                    best = (cost, i as u32);
                }
            }
        }
        self.chain.clear();
        self.chain.push(end);
        let mut at = best.1;
        while at != NONE {
            let Choice { stop, from, .. } = self.choices[at as usize];
            if self.chain.last() != Some(&stop) {
                self.chain.push(stop);
            }
            at = from;
        }
        self.chain.reverse();
    }

    /// The cheapest way along the chain that may leave stops out.
    fn spare(&mut self, store: &Store, piece: &Piece) {
        let Self { chain, best, heights, .. } = self;
        let last = piece.nodes.len() - 1;
        heights.clear();
        heights.extend(chain.iter().map(|s| piece.height(store, s.node(last), s.at) as f32));
        best.clear();
        best.push((0.0, NONE));
        for j in 1..chain.len() {
            let mut found = (best[j - 1].0 + length(store, piece, chain[j - 1], chain[j]), j as u32 - 1);
            for i in (j.saturating_sub(LOOK_AHEAD)..j - 1).rev() {
                let bound = best[i].0 + direct(chain[i], heights[i], chain[j], heights[j]);
                // A line that spares stops is worth as much as the stops.
                if bound < found.0 + 1e-4 && stays_inside(piece, chain[i], chain[j]) {
                    let cost = best[i].0 + length(store, piece, chain[i], chain[j]);
                    if cost < found.0 + 1e-4 {
                        found = (cost.min(found.0 + 1e-4), i as u32);
                    }
                }
            }
            best.push(found);
        }
    }
}

/// The straight line in space.
fn direct(a: Stop, y0: f32, b: Stop, y1: f32) -> f32 {
    let d = |k: usize| (b.at[k] - a.at[k]) as f32;
    (d(0) * d(0) + d(1) * d(1) + (y1 - y0) * (y1 - y0)).sqrt()
}

/// The length of a straight line as it lies over the ground.
fn length(store: &Store, piece: &Piece, a: Stop, b: Stop) -> f32 {
    let node = a.node(piece.nodes.len() - 1);
    let mut at = Vec3::new(a.at[0] as f32, piece.height(store, node, a.at) as f32, a.at[1] as f32);
    let mut sum = 0.0;
    piece.lay(store, a, b, |p| {
        sum += at.distance(p);
        at = p;
    });
    sum
}

/// Where a line between two places comes nearest to a line of middles, rounded.
fn crossing(a: [i32; 2], b: [i32; 2], axis: usize, line: i32) -> i32 {
    let run = i64::from(b[axis] - a[axis]);
    if run == 0 {
        return b[1 - axis];
    }
    let along = i64::from(line - a[axis]);
    (i64::from(a[1 - axis]) + (2 * i64::from(b[1 - axis] - a[1 - axis]) * along + run).div_euclid(2 * run)) as i32
}

/// Whether a straight line crosses every row between two stops within the row.
fn stays_inside(piece: &Piece, a: Stop, b: Stop) -> bool {
    (a.row + 1..=b.row.min(piece.rows.len() as i32 - 1)).all(|r| {
        let row = &piece.rows[r as usize];
        let (axis, across) = (row.axis(), 1 - row.axis());
        let run = i64::from(b.at[axis] - a.at[axis]);
        // It must go the way that the row is crossed in.
        let forwards = if row.side.is_multiple_of(2) { run < 0 } else { run > 0 };
        // at = a + (b - a) × (line - a) / run, within low…high; both sides times |run|.
        let at = i64::from(b.at[across] - a.at[across]) * i64::from(row.line - a.at[axis]) * run.signum();
        let end = |v: i32| i64::from(v - a.at[across]) * run.abs();
        let t = i64::from(row.line - a.at[axis]) * run.signum();
        forwards && (0..=run.abs()).contains(&t) && end(row.low) <= at && at <= end(row.high)
    })
}
