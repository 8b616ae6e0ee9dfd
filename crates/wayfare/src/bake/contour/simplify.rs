//! Simplifies outlines: keeps as few corners as the error bound allows.
//!
//! Between two joints a wall keeps its farthest corner if that is farther from the straight line than the bound, and
//! then repeats this on both sides of it:
//!
//! ```text
//!        .-*-.
//!     .-'     '-.          * farthest from the line a–b: kept; then a–* and *–b are looked at
//!   a ............. b
//! ```
//!
//! The boundary between two regions of one area type is not a wall and becomes straight, unless it surrounds one of
//! them completely. Walls longer than a limit are then halved until they are not.
//!
//! A boundary between two regions is simplified twice, once from each side and in opposite directions. Both must give
//! the same corners: distances are exact integers, and both sides walk the line from its lexicographically smaller end.
//!
//! Cost: O(n log n) for n raw corners of ordinary outlines, O(n²) at worst.
//!
//! Sources: David Douglas and Thomas Peucker, 1973; Urs Ramer, 1972; Mikko Mononen, Recast, 2009 (what is kept and
//! halved).

use super::rings::{RawVert, RingCorner};
use crate::bake::ContourVert;

/// How closely outlines follow the cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourSettings {
    /// How far a simplified wall may deviate from the cells' edge, in cells. 0 keeps every corner.
    pub max_error: f32,
    /// Longest edge along walls, in cells; longer ones are halved. 0: no limit.
    pub max_edge_len: u32,
}

/// A ring of raw corners, and the simplification of its sections.
pub(super) struct Simplifier<'a> {
    pub(super) ring: &'a [RawVert],
    pub(super) settings: ContourSettings,
    /// Ends of sections that are still to be processed.
    pub(super) pending: &'a mut Vec<u32>,
}

impl Simplifier<'_> {
    /// Appends the indices of the kept corners to `kept`, in order.
    pub(super) fn run(&mut self, kept: &mut Vec<u32>) {
        let count = self.ring.len() as u32;
        let is_joint = |k: &u32| self.ring[*k as usize].is_joint;
        let Some(first) = (0..count).find(is_joint) else {
            let [low, high] = self.extremes();
            self.simplify(low, high, true, kept);
            self.simplify(high, low, true, kept);
            return;
        };
        let mut from = first;
        loop {
            let mut to = from;
            loop {
                to = self.after(to);
                if self.ring[to as usize].is_joint {
                    break;
                }
            }
            let vert = self.ring[from as usize];
            let is_closed = vert.at == self.ring[to as usize].at;
            let is_bent = vert.is_wall() || vert.beyond & ContourVert::AREA_BORDER != 0;
            let is_border = vert.beyond & ContourVert::TILE_BORDER != 0;
            self.simplify(from, to, !is_border && (is_bent || is_closed), kept);
            from = to;
            if from == first {
                return;
            }
        }
    }

    const fn after(&self, k: u32) -> u32 {
        if k as usize + 1 == self.ring.len() { 0 } else { k + 1 }
    }

    const fn before(&self, k: u32) -> u32 {
        if k == 0 { self.ring.len() as u32 - 1 } else { k - 1 }
    }

    /// The lexicographically smallest and greatest corner.
    fn extremes(&self) -> [u32; 2] {
        let mut low = 0;
        let mut high = 0;
        for (k, vert) in self.ring.iter().enumerate() {
            if vert.at < self.ring[low].at {
                low = k;
            }
            if vert.at > self.ring[high].at {
                high = k;
            }
        }
        [low as u32, high as u32]
    }

    /// Keeps `from` and the necessary corners before `to`.
    fn simplify(&mut self, mut from: u32, to: u32, is_bent: bool, kept: &mut Vec<u32>) {
        let bound = f64::from(self.settings.max_error) * f64::from(self.settings.max_error);
        kept.push(from);
        self.pending.clear();
        self.pending.push(to);
        while let Some(&end) = self.pending.last() {
            let farthest = if is_bent { self.farthest(from, end, bound) } else { None };
            if let Some(farthest) = farthest {
                self.pending.push(farthest);
                continue;
            }
            self.halve(from, end, kept);
            self.pending.pop();
            if !self.pending.is_empty() {
                kept.push(end);
            }
            from = end;
        }
    }

    /// The corner between `from` and `to` that is farthest from the line between them, if its squared distance is above
    /// `bound`.
    pub(super) fn farthest(&self, from: u32, to: u32, bound: f64) -> Option<u32> {
        let (start, end, forward) = self.in_order(from, to);
        let a = self.ring[start as usize].at;
        let b = self.ring[end as usize].at;
        let ax = i64::from(a[0]);
        let az = i64::from(a[1]);
        let dx = i64::from(b[0]) - ax;
        let dz = i64::from(b[1]) - az;
        let length2 = dx * dx + dz * dz;
        // Squared distances, times the squared length of the line if it has one.
        let scale = length2.max(1) as f64;
        let mut best = bound * scale;
        let mut farthest = None;
        let mut k = start;
        loop {
            k = if forward { self.after(k) } else { self.before(k) };
            if k == end {
                return farthest;
            }
            let [x, z] = self.ring[k as usize].at;
            let px = i64::from(x) - ax;
            let pz = i64::from(z) - az;
            let along = px * dx + pz * dz;
            let distance = if along <= 0 {
                (px * px + pz * pz) as f64 * scale
            } else if along >= length2 {
                ((px - dx) * (px - dx) + (pz - dz) * (pz - dz)) as f64 * scale
            } else {
                let across = (px * dz - pz * dx) as f64;
                across * across
            };
            if distance > best {
                (best, farthest) = (distance, Some(k));
            }
        }
    }

    /// The ends of a section in the order in which both sides walk it, and whether that is along the ring.
    fn in_order(&self, from: u32, to: u32) -> (u32, u32, bool) {
        let at = |k: u32| self.ring[k as usize].at;
        // If both ends are the same corner, the first step decides.
        let key = |end: u32, step: u32| -> (RingCorner, RingCorner) { (at(end), at(step)) };
        let forward = key(from, self.after(from)) <= key(to, self.before(to));
        if forward { (from, to, true) } else { (to, from, false) }
    }

    /// Corners between two positions in the ring.
    pub(super) const fn steps(&self, from: u32, to: u32) -> u32 {
        if to > from { to - from } else { to + self.ring.len() as u32 - from }
    }

    /// The middle of a section, the same from both sides.
    pub(super) fn middle(&self, from: u32, to: u32) -> u32 {
        let steps = self.steps(from, to);
        let half = if self.in_order(from, to).2 { steps / 2 } else { steps.div_ceil(2) };
        (from + half) % self.ring.len() as u32
    }

    /// Keeps enough corners that no wall between `from` and `to` is longer than the limit.
    fn halve(&mut self, mut from: u32, to: u32, kept: &mut Vec<u32>) {
        let limit = i64::from(self.settings.max_edge_len);
        if limit == 0 || !self.ring[from as usize].is_wall() {
            return;
        }
        let bottom = self.pending.len();
        self.pending.push(to);
        while self.pending.len() > bottom {
            let end = self.pending[self.pending.len() - 1];
            let a = self.ring[from as usize].at;
            let b = self.ring[end as usize].at;
            let dx = i64::from(b[0] - a[0]);
            let dz = i64::from(b[1] - a[1]);
            if dx * dx + dz * dz > limit * limit && self.steps(from, end) > 1 {
                self.pending.push(self.middle(from, end));
                continue;
            }
            self.pending.pop();
            if self.pending.len() > bottom {
                kept.push(end);
            }
            from = end;
        }
    }
}
