//! Holes are joined to the outline around them, so that a region is one closed path.
//!
//! From a hole's leftmost corner a bridge is laid to the nearest outline corner that it can see; the path then goes over
//! the bridge, around the hole, and back:
//!
//! ```text
//!   o-----------------o
//!   |      .-o-.      |
//!   o======o   |      |      the bridge is walked twice, once each way
//!   |      '-o-'      |
//!   o-----------------o
//! ```
//!
//! Holes are taken from left to right. Then the outline and the holes that were joined before always hold a corner that the
//! leftmost corner can see, so a bridge exists wherever outlines are simple. Bridges may not touch any corner on their
//! way; sight is decided exactly, in integers.
//!
//! Cost: O(corners) for each candidate that is tried, mostly one or two a hole.
//!
//! Sources: David Eberly, "Triangulation by Ear Clipping", 2002 (leftmost corners); Mikko Mononen, Recast, 2014 (nearest
//! visible corner).

use super::ContourVert;
use super::crossings::{cross_properly, is_inside_edge, turn};
use super::rings::Corner;

/// A hole: a range of the corners of all holes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole {
    pub(super) first: u32,
    pub(super) count: u32,
    /// Its leftmost corner, counted within the hole.
    leftmost: u32,
    at: Corner,
}

/// An outline that takes up holes.
#[derive(Clone, Debug, Default)]
pub(super) struct HoleJoiner {
    /// The path: the outline at first.
    pub(super) path: Vec<ContourVert>,
    /// Corners of all holes.
    pub(super) corners: Vec<ContourVert>,
    pub(super) holes: Vec<Hole>,
}

const fn at(vert: &ContourVert) -> Corner {
    [vert.x, vert.z]
}

impl HoleJoiner {
    pub(super) fn clear(&mut self) {
        self.path.clear();
        self.corners.clear();
        self.holes.clear();
    }

    /// Adds a hole made of the corners from `first` to the end of `corners`.
    pub(super) fn add_hole(&mut self, first: usize) {
        let corners = &self.corners[first..];
        let Some(leftmost) = (0..corners.len()).min_by_key(|&k| (at(&corners[k]), k)) else { return };
        let place = at(&corners[leftmost]);
        let (first, count) = (first as u32, corners.len() as u32);
        self.holes.push(Hole { first, count, leftmost: leftmost as u32, at: place });
    }

    /// Joins all holes to the path; calls `dropped` with a corner of each that cannot be joined.
    pub(super) fn join_all(&mut self, region: u32, mut dropped: impl FnMut(ContourVert)) {
        self.holes.sort_unstable_by_key(|hole| (hole.at, hole.first));
        for k in 0..self.holes.len() {
            match self.find_bridge(k) {
                Some((from, to)) => self.lay_bridge(self.holes[k], from, to, region),
                None => dropped(self.corners[(self.holes[k].first + self.holes[k].leftmost) as usize]),
            }
        }
    }

    fn hole_corners(&self, hole: Hole) -> &[ContourVert] {
        &self.corners[hole.first as usize..(hole.first + hole.count) as usize]
    }

    /// The place in the path and in the hole `k` between which a bridge can be laid.
    fn find_bridge(&self, k: usize) -> Option<(usize, usize)> {
        let hole = self.holes[k];
        (0..hole.count as usize).find_map(|turned| {
            let to = (hole.leftmost as usize + turned) % hole.count as usize;
            self.nearest_in_sight(k, to).map(|from| (from, to))
        })
    }

    /// The nearest corner of the path that corner `to` of hole `k` can see.
    fn nearest_in_sight(&self, k: usize, to: usize) -> Option<usize> {
        let corners = self.hole_corners(self.holes[k]);
        let target = at(&corners[to]);
        let distance = |p: Corner| {
            let (dx, dz) = (i64::from(p[0] - target[0]), i64::from(p[1] - target[1]));
            dx * dx + dz * dz
        };
        // Candidates in order of distance, each found by looking for the next beyond the last.
        let mut last = None;
        loop {
            let mut best: Option<(i64, usize)> = None;
            for (place, vert) in self.path.iter().enumerate() {
                let key = (distance(at(vert)), place);
                if last.is_none_or(|l| key > l) && best.is_none_or(|b| key < b) && self.opens_to(place, target) {
                    best = Some(key);
                }
            }
            let (_, place) = best?;
            let start = at(&self.path[place]);
            if start == target || (opens_to(corners, to, start) && self.is_clear(k, start, target)) {
                return Some(place);
            }
            last = best;
        }
    }

    fn opens_to(&self, place: usize, p: Corner) -> bool {
        opens_to(&self.path, place, p)
    }

    /// Whether no edge of the path or of the holes from `k` on stands between two corners.
    fn is_clear(&self, k: usize, from: Corner, to: Corner) -> bool {
        is_clear_of(&self.path, from, to)
            && self.holes[k..].iter().all(|&hole| is_clear_of(self.hole_corners(hole), from, to))
    }

    /// Puts the hole into the path, after its corner `from`, beginning and ending at the hole's corner `to`.
    fn lay_bridge(&mut self, hole: Hole, from: usize, to: usize, region: u32) {
        let (count, old) = (hole.count as usize, self.path.len());
        let first = hole.first as usize;
        let is_touching = at(&self.path[from]) == at(&self.corners[first + to]);
        // The hole, its corner `to` again, and the corner `from` again; where they are one corner, the hole only.
        let added = if is_touching { count } else { count + 2 };
        self.path.resize(old + added, self.path[from]);
        self.path.copy_within(from + 1..old, from + 1 + added);
        let back = self.path[from];
        for k in 0..count {
            self.path[from + 1 + k] = self.corners[first + (to + k) % count];
        }
        if is_touching {
            // from → hole … → to, which is from: its edge goes on where the path went on.
            let around = self.path[from + 1];
            self.path[from + 1..=from + count].rotate_left(1);
            self.path[from] = around;
            self.path[from + count] = back;
        } else {
            self.path[from].neighbour = region;
            self.path[from + 1 + count] = ContourVert { neighbour: region, ..self.corners[first + to] };
            self.path[from + 2 + count] = back;
        }
    }
}

/// Whether `p` lies on the region's side of the two edges at a corner of a closed path.
fn opens_to(path: &[ContourVert], place: usize, p: Corner) -> bool {
    let n = path.len();
    let (before, here, after) = (at(&path[(place + n - 1) % n]), at(&path[place]), at(&path[(place + 1) % n]));
    if here == p {
        return true;
    }
    let (in_turn, out_turn) = (turn(before, here, p), turn(here, after, p));
    if turn(before, here, after) < 0 { in_turn < 0 && out_turn < 0 } else { in_turn < 0 || out_turn < 0 }
}

/// Whether the line between two corners crosses no edge of a closed path and meets none of its corners on the way.
fn is_clear_of(path: &[ContourVert], from: Corner, to: Corner) -> bool {
    let Some(last) = path.last() else { return true };
    let mut a = at(last);
    let (low, high) = ([0, 1].map(|k| from[k].min(to[k])), [0, 1].map(|k| from[k].max(to[k])));
    path.iter().all(|vert| {
        let b = at(vert);
        // Most edges are far away.
        if (0..2).any(|k| a[k].max(b[k]) < low[k] || a[k].min(b[k]) > high[k]) {
            a = b;
            return true;
        }
        let blocked = cross_properly(from, to, a, b)
            || is_inside_edge(from, to, b)
            || is_inside_edge(a, b, from)
            || is_inside_edge(a, b, to)
            || (a.min(b) == from.min(to) && a.max(b) == from.max(to));
        a = b;
        !blocked
    })
}
