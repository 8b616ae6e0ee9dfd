//! Replaces the steps of a path through a tube by straight lines.
//!
//! ```text
//!      s . . .        s . . .       A path in eight directions has stops where it turns or its slope changes. Straight lines
//!      . o . .    →   . . . .       between nearby stops are tried and followed face by face: a face is the square
//!      . . o .        . . . .       of four cells between which all steps are legal. Then the cheapest path along stops
//!      . . e .        . . e .       and lines is taken.
//! ```
//!
//! Cost: O(stops), each with a bounded number of lines before it.
//!
//! Sources: own work. The faces are those of `ground.rs`.

use super::{NOWHERE, Place, Tube};
use crate::blocks::ground::Ground;
use crate::blocks::touched::Touched;
use crate::blocks::{BlockSource, Cell};
use crate::math::index::NONE;
use glam::Vec3;

/// Greatest number of stops that a straight line may leave out.
const LOOK_AHEAD: usize = 12;
/// After this many lines in a row that were not walkable or no better, longer ones are not tried.
const MISSES: u32 = 3;
/// How much more a line may cost than the stops that it replaces, in metres.
const SLACK: f32 = 1e-4;

/// Two bits of [`Place::faces`]: straight lines may cross the face, or not.
const OPEN: u8 = 0b10;
const SHUT: u8 = 0b01;

/// The sides of each quarter: along x, along z.
const QUARTERS: [[usize; 2]; 4] = [[0, 2], [0, 3], [1, 2], [1, 3]];

impl Tube {
    /// Lists the stops of the path: its ends, and where it turns or its slope changes.
    pub(super) fn trace(&mut self, end: u32) {
        self.chain.clear();
        let mut at = end;
        let mut last = None;
        while at != NOWHERE {
            let Place { cell, dear, from, .. } = self.places[at as usize];
            let step = (from != NOWHERE).then(|| {
                let p = &self.places[from as usize];
                ([cell.x - p.cell.x, cell.y - p.cell.y, cell.z - p.cell.z], [dear.to_bits(), p.dear.to_bits()])
            });
            if last.is_none() || step != last {
                self.chain.push(at);
            }
            (last, at) = (step, from);
        }
        self.chain.reverse();
    }

    /// Leaves out stops where a straight line is as good.
    pub(super) fn spare<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>) {
        self.best.clear();
        self.best.push((0.0, NONE));
        for j in 1..self.chain.len() {
            // The next stop is steps of one kind away.
            let [p, q] = [self.chain[j - 1], self.chain[j]].map(|k| &self.places[k as usize]);
            let step = step_length(p.cell, q.cell) * (p.dear + q.dear) * 0.5;
            let mut found = (self.best[j - 1].0 + step, j as u32 - 1);
            let mut misses = 0;
            for i in (j.saturating_sub(LOOK_AHEAD)..j - 1).rev() {
                let [a, b] = [self.chain[i], self.chain[j]];
                let bound = self.best[i].0 + step_length(self.places[a as usize].cell, self.places[b as usize].cell);
                // A line that replaces stops may cost as much as they do.
                if bound >= found.0 + SLACK {
                    continue;
                }
                match self.length(ground, a, b) {
                    Some(length) if self.best[i].0 + length < found.0 + SLACK => {
                        found = ((self.best[i].0 + length).min(found.0), i as u32);
                        misses = 0;
                    }
                    _ => misses += 1,
                }
                if misses == MISSES {
                    break;
                }
            }
            self.best.push(found);
        }
        let mut at = self.chain.len() - 1;
        let mut kept = self.chain.len();
        while at != NONE as usize {
            kept -= 1;
            self.chain[kept] = self.chain[at];
            at = self.best[at].1 as usize;
        }
        self.chain.drain(..kept);
    }

    /// The cost of a straight line; `None` if it cannot be walked.
    fn length<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, a: u32, b: u32) -> Option<f32> {
        let Place { cell, dear, barred, .. } = self.places[a as usize];
        let mut at = position(cell);
        let mut sum = 0.0;
        let mut alike = true;
        let walked = self.walk(ground, a, b, |tube, p, place| {
            sum += at.distance(p);
            at = p;
            let there = &tube.places[place as usize];
            alike &= there.dear == dear && there.barred == barred;
        });
        (walked && alike).then_some(sum * dear)
    }

    /// Follows a straight line over steps or faces: passes every point where it crosses a line of cell centres, with a
    /// cell next to it. `false` if it cannot be walked.
    pub(super) fn walk<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        a: u32,
        b: u32,
        mut each: impl FnMut(&Self, Vec3, u32),
    ) -> bool {
        let start = self.places[a as usize].cell;
        let end = self.places[b as usize].cell;
        let run = [end.x - start.x, end.z - start.z];
        let total = run.map(i32::abs);
        let sides = [usize::from(run[0] > 0), 2 + usize::from(run[1] > 0)];
        let quarter = 2 * sides[0] + sides[1] - 2;
        let mut done = [0; 2];
        let mut at = a;
        while done != total {
            // The line of cell centres that comes next: one across x, one across z, or both where they meet.
            let lines = [0, 1].map(|k| i64::from(done[k] + 1) * i64::from(total[1 - k]));
            let (to, aside, share) = if let Some(axis) = total.iter().position(|&n| n == 0) {
                let to = self.places[at as usize].beside[sides[1 - axis]];
                if to == NOWHERE {
                    return false;
                }
                done[1 - axis] += 1;
                (to, to, 0.0)
            } else if total[0] == total[1] {
                let to = self.corners(at)[quarter];
                if to == NOWHERE || !self.cuts(ground, at, to) {
                    return false;
                }
                done = done.map(|n| n + 1);
                (to, to, 0.0)
            } else {
                let Some([x, z, both]) = self.face(ground, at, quarter) else { return false };
                if lines[0] == lines[1] {
                    done = [done[0] + 1, done[1] + 1];
                    (both, both, 0.0)
                } else {
                    let axis = usize::from(lines[0] > lines[1]);
                    done[axis] += 1;
                    let across = (done[axis] * total[1 - axis]) as f32 / total[axis] as f32;
                    ([x, z][axis], both, across - done[1 - axis] as f32)
                }
            };
            let [p, q] = [to, aside].map(|k| position(self.places[k as usize].cell));
            each(self, p + (q - p) * share, to);
            at = to;
        }
        at == b
    }

    /// The other cells of the face that a line enters at one of its corners: beside it along x, along z, and across.
    /// `None` if there is no face, if steps in it are not legal, or if it has more than one area.
    fn face<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, at: u32, quarter: usize) -> Option<[u32; 3]> {
        let d = self.corners(at)[quarter];
        if d == NOWHERE {
            return None;
        }
        let Place { beside, faces, .. } = self.places[at as usize];
        let [b, c] = QUARTERS[quarter].map(|side| beside[side]);
        let known = faces >> (2 * quarter) & (OPEN | SHUT);
        if known == 0 {
            let found = if self.is_crossed(ground, [at, b, c, d]) { OPEN } else { SHUT };
            self.places[at as usize].faces |= found << (2 * quarter);
            return (found == OPEN).then_some([b, c, d]);
        }
        (known == OPEN).then_some([b, c, d])
    }

    /// Whether straight lines may cross the face of four cells.
    fn is_crossed<S: BlockSource + ?Sized>(&self, ground: &Ground<'_, S>, corners: [u32; 4]) -> bool {
        let [p, q, r, s] = corners.map(|k| &self.places[k as usize]);
        let together = [q, r, s].iter().all(|o| o.part == p.part);
        let opens = || {
            let level = [q, r, s].iter().all(|o| o.cell.y == p.cell.y);
            level || ground.square_opens([p.cell, q.cell], [r.cell, s.cell]) == (true, true)
        };
        let alike = [q, r, s].iter().all(|o| o.dear == p.dear && o.barred == p.barred);
        together || alike && opens()
    }

    /// Adds the nodes of a cell and of its neighbours: together they contain the corners of all faces that the path
    /// crosses.
    pub(super) fn touch(&self, place: u32, touched: &mut Touched) {
        let Place { beside, .. } = self.places[place as usize];
        let around = beside.iter().chain([&place]).filter(|&&k| k != NOWHERE).map(|&k| &self.places[k as usize]);
        around.for_each(|p| touched.add(self.parts[p.part as usize].node));
    }
}

/// The distance between cells of one tube, which are near each other.
#[inline]
fn step_length(a: Cell, b: Cell) -> f32 {
    let [x, y, z] = [a.x - b.x, a.y - b.y, a.z - b.z].map(|v| v as f32);
    (x * x + y * y + z * z).sqrt()
}

fn position(c: Cell) -> Vec3 {
    Vec3::new(c.x as f32, c.y as f32, c.z as f32)
}
