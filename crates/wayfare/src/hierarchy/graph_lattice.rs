//! The lattice on which all positions of a tile's part of the graph lie, so that they take few bytes and are the same
//! in memory as in a store.
//!
//! ```text
//!   +--+--+--+--+      the step is a power of two: about an eight-thousandth of the tile's extent, far less than an
//!   |  |  |  |  |      agent's radius
//!   +--p--+--+--+
//! ```
//!
//! Runs along a side of the tile are extended to the next lattice points, so those that meet at a border still meet. A
//! length is stored as its excess over the straight line, rounded up.
//!
//! Cost: negligible.
//!
//! Sources: none needed.

use super::graph_portal::GraphPortal;
use crate::math::Aabb;
use crate::tile::Side;
use glam::Vec3;

/// The most steps from one end of a tile to the other: their numbers take two bytes.
const MOST_STEPS: f32 = 8000.0;
/// The least step as a fraction of the coordinates, well above what rounding can distinguish.
const FINEST: f32 = 1.0 / (1 << 21) as f32;
/// How many steps make a unit of length.
const LENGTH_STEPS: f32 = 4.0;

/// The positions of a tile by number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct GraphLattice {
    /// The low corner of the tile's vertices.
    pub(super) origin: Vec3,
    /// The exponent of the step: metres are that power of two.
    pub(super) exponent: i8,
    /// The numbers of the high corner.
    pub(super) far: [i32; 3],
}

/// How a number between two lattice points is rounded.
#[derive(Clone, Copy)]
enum Rounding {
    Nearest,
    Down,
    Up,
}

impl GraphLattice {
    /// The possible exponents: beyond them steps or tiles would not be finite.
    pub(super) const EXPONENTS: core::ops::RangeInclusive<i8> = -64..=64;

    /// The lattice of a tile with this extent.
    pub(super) fn of(extent: Aabb) -> Self {
        if !(extent.min.is_finite() && extent.max.is_finite()) {
            return Self::default();
        }
        let size = (extent.max - extent.min).max_element();
        let least = (size / MOST_STEPS).max(extent.min.abs().max(extent.max.abs()).max_element() * FINEST);
        let fits = |exponent: &i8| step_of(*exponent) >= least;
        let exponent = Self::EXPONENTS.into_iter().find(fits).unwrap_or(*Self::EXPONENTS.end());
        let lattice = Self { origin: extent.min, exponent, far: [0; 3] };
        Self { far: lattice.numbers(extent.max), ..lattice }
    }

    /// Metres from one point to the next.
    pub(super) fn step(&self) -> f32 {
        step_of(self.exponent)
    }

    /// The position with these numbers.
    pub(super) fn place(&self, numbers: [i32; 3]) -> Vec3 {
        self.origin + Vec3::from(numbers.map(|number| number as f32)) * self.step()
    }

    /// The numbers of the nearest point.
    pub(super) fn numbers(&self, place: Vec3) -> [i32; 3] {
        [0, 1, 2].map(|axis| self.number(axis, place[axis], Rounding::Nearest))
    }

    /// A height by its number.
    pub(super) fn height(&self, number: i32) -> f32 {
        self.place([0, number, 0]).y
    }

    /// The number of the nearest height.
    pub(super) fn height_number(&self, height: f32) -> i32 {
        self.number(1, height, Rounding::Nearest)
    }

    fn number(&self, axis: usize, value: f32, round: Rounding) -> i32 {
        let steps = (value - self.origin[axis]) / self.step();
        (match round {
            Rounding::Nearest => steps.round(),
            Rounding::Down => steps.floor(),
            Rounding::Up => steps.ceil(),
        }) as i32
    }

    /// Moves a portal to lattice points.
    pub(super) fn snap(&self, portal: &mut GraphPortal) {
        let near = |place: Vec3| self.place(self.numbers(place));
        let Some(side) = portal.side else {
            portal.ends = portal.ends.map(near);
            let [a, b] = portal.ends.map(|end| end.y);
            portal.heights = [a.min(b), a.max(b)];
            portal.middle = near(portal.middle);
            return;
        };
        let along = along(side);
        let grown = |end: usize| {
            let here = portal.ends[end];
            let there = portal.ends[1 - end];
            let outwards = |axis: usize| match here[axis].total_cmp(&there[axis]) {
                core::cmp::Ordering::Less => Rounding::Down,
                core::cmp::Ordering::Equal if end == 0 => Rounding::Down,
                _ => Rounding::Up,
            };
            let mut numbers = self.numbers(here);
            for axis in [1, along] {
                numbers[axis] = self.number(axis, here[axis], outwards(axis));
            }
            self.place(numbers)
        };
        let ends = [grown(0), grown(1)];
        let [low, high] = portal.heights;
        let heights = [self.number(1, low, Rounding::Down), self.number(1, high, Rounding::Up)];
        let [a, b] = ends.map(|end| self.height_number(end.y));
        portal.heights = [heights[0].min(a).min(b), heights[1].max(a).max(b)].map(|number| self.height(number));
        portal.ends = ends;
        portal.middle = near(portal.middle);
        // Most runs are straight in height too: then the middle need not be stored.
        let halfway = self.halfway(ends);
        let middle = self.numbers(portal.middle);
        if (0..3).all(|axis| middle[axis].abs_diff(halfway[axis]) <= 1) {
            portal.middle = self.place(halfway);
        }
    }

    /// The point halfway between two.
    pub(super) fn halfway(&self, ends: [Vec3; 2]) -> [i32; 3] {
        let [a, b] = ends.map(|end| self.numbers(end));
        [0, 1, 2].map(|axis| (i64::from(a[axis]) + i64::from(b[axis])).div_euclid(2) as i32)
    }

    /// How many units longer than the straight line a path is.
    pub(super) fn excess(&self, straight: f32, length: f32) -> u32 {
        let units = (length - straight) / (self.step() * LENGTH_STEPS);
        // A length that was rounded before stays the same.
        (units - 1e-2).ceil().max(0.0) as u32
    }

    /// The length of a path with this excess over the straight line.
    pub(super) fn length(&self, straight: f32, excess: u32) -> f32 {
        straight + excess as f32 * (self.step() * LENGTH_STEPS)
    }
}

/// The axis along a side.
pub(super) fn along(side: Side) -> usize {
    if side.is_x() { 2 } else { 0 }
}

fn step_of(exponent: i8) -> f32 {
    let factor = if exponent < 0 { 0.5 } else { 2.0 };
    (0..exponent.unsigned_abs()).fold(1.0, |step, _| step * factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    #[test]
    fn points_and_lengths_stay_where_they_are() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let corner = Vec3::new(rng.unit() - 0.5, rng.unit(), rng.unit() - 0.5) * 1e5;
            let size = Vec3::new(rng.unit(), rng.unit() * 0.3, rng.unit()) * 100.0 + 0.1;
            let lattice = GraphLattice::of(Aabb { min: corner, max: corner + size });
            assert!(lattice.step() <= (size.max_element() / 4000.0).max(0.15), "{lattice:?}");
            for _ in 0..20 {
                let place = corner + size * Vec3::new(rng.unit(), rng.unit(), rng.unit());
                let numbers = lattice.numbers(place);
                let snapped = lattice.place(numbers);
                assert!(snapped.distance(place) <= lattice.step());
                assert_eq!(lattice.numbers(snapped), numbers);
                let straight = rng.unit() * 90.0;
                let length = straight * (1.0 + rng.unit());
                let excess = lattice.excess(straight, length);
                let kept = lattice.length(straight, excess);
                let unit = LENGTH_STEPS * lattice.step();
                assert!(kept >= length - unit * 0.02 && kept - length <= unit * 1.02);
                assert_eq!(lattice.excess(straight, kept), excess);
            }
        }
        assert_eq!(GraphLattice::of(Aabb::EMPTY), GraphLattice::default());
    }
}
