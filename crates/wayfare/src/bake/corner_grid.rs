//! A grid for finding corners and edges of outlines by position.
//!
//! A square grid over all of them, with about as many squares as corners. A corner is listed in its square, an edge in
//! every square that it passes through. A search for the nearest corners goes around a position square by square; a
//! search for edges between two corners walks along the squares between them; a search for corners in a box visits the
//! squares that it touches.
//!
//! ```text
//!   +---+---+---+---+
//!   |   |   |  .|-' |        two edges that meet share a square: those of an edge are its own rows' stretches,
//!   +---+---+-'-+---+        rounded outwards
//!   |   |.-'|   |   |
//!   +-.-'---+---+---+
//! ```
//!
//! Cost: a constant number of entries per corner; per edge, as many as squares. Sources: own work, based on the uniform
//! grids of ray tracing (Fujimoto, Tanaka, Iwata, "ARTS", 1986).

use super::cell_point::Point;
use crate::math::index::NONE;
use crate::math::steps;

/// Lists of numbers by square.
#[derive(Clone, Debug, Default)]
pub(super) struct CornerGrid {
    low: Point,
    /// Side of a square.
    side: i32,
    /// Squares along both axes.
    size: [i32; 2],
    /// First entry of each square: of corners, of edges.
    corners: Vec<u32>,
    edges: Vec<u32>,
    /// A number, and the next entry of the same square.
    entries: Vec<[u32; 2]>,
}

impl CornerGrid {
    /// An empty grid for `count` corners within a box.
    pub(super) fn reset(&mut self, [low, high]: [Point; 2], count: usize) {
        let extent = [0, 1].map(|k| i64::from(high[k]) - i64::from(low[k]) + 1);
        let area = extent[0] as f64 * extent[1] as f64;
        // For corners along a line, there must not be more squares than corners either.
        let most = extent[0].max(extent[1]) / (count as i64).max(1);
        let side = ((area / count.max(1) as f64).sqrt() as i64).max(most).max(1);
        self.low = low;
        self.side = side.min(i64::from(i32::MAX)) as i32;
        self.size = extent.map(|extent| (extent / side + 1) as i32);
        let squares = self.size[0] as usize * self.size[1] as usize;
        for heads in [&mut self.corners, &mut self.edges] {
            heads.clear();
            heads.resize(squares, NONE);
        }
        self.entries.clear();
    }

    /// The column or row of a coordinate, which may be outside.
    fn place(&self, axis: usize, at: i64) -> i32 {
        let from_low = (at - i64::from(self.low[axis])).div_euclid(i64::from(self.side));
        from_low.clamp(0, i64::from(self.size[axis]) - 1) as i32
    }

    fn square_of(&self, p: Point) -> [i32; 2] {
        [0, 1].map(|axis| self.place(axis, i64::from(p[axis])))
    }

    fn index(&self, [x, z]: [i32; 2]) -> usize {
        z as usize * self.size[0] as usize + x as usize
    }

    /// Lists a corner.
    pub(super) fn add_corner(&mut self, p: Point, number: u32) {
        let square = self.index(self.square_of(p));
        let next = core::mem::replace(&mut self.corners[square], self.entries.len() as u32);
        self.entries.push([number, next]);
    }

    /// Lists an edge.
    pub(super) fn add_edge(&mut self, a: Point, b: Point, number: u32) {
        let (first, last) = self.rows(a, b);
        for row in first..=last {
            for column in self.columns(a, b, row) {
                let square = self.index([column, row]);
                let next = core::mem::replace(&mut self.edges[square], self.entries.len() as u32);
                self.entries.push([number, next]);
            }
        }
    }

    /// Whether `f` holds for every edge in the squares between two corners; edges may be passed twice.
    /// twice.
    pub(super) fn all_edges_along(&self, a: Point, b: Point, mut f: impl FnMut(u32) -> bool) -> bool {
        let (first, last) = self.rows(a, b);
        (first..=last).all(|row| {
            self.columns(a, b, row).all(|column| self.list(self.edges[self.index([column, row])]).all(&mut f))
        })
    }

    /// How many squares a box touches.
    pub(super) fn squares_in(&self, low: Point, high: Point) -> u64 {
        let [x0, z0] = self.square_of(low);
        let [x1, z1] = self.square_of(high);
        (i64::from(x1 - x0 + 1) * i64::from(z1 - z0 + 1)) as u64
    }

    /// Whether `f` holds for any corner in the squares that a box touches.
    pub(super) fn any_corner_in(&self, low: Point, high: Point, mut f: impl FnMut(u32) -> bool) -> bool {
        let [x0, z0] = self.square_of(low);
        let [x1, z1] = self.square_of(high);
        (z0..=z1).any(|z| (x0..=x1).any(|x| self.list(self.corners[self.index([x, z])]).any(&mut f)))
    }

    /// Calls `f` with the corners in the squares `ring` squares around a position. Returns a lower bound of the
    /// distance of all corners not visited by the rings up to this one, or `None` if all were visited.
    pub(super) fn corners_around(&self, p: Point, ring: i32, mut f: impl FnMut(u32)) -> Option<i64> {
        let [x, z] = self.square_of(p);
        let low = [x - ring, z - ring];
        let high = [x + ring, z + ring];
        let inside = |axis: usize, range: [i32; 2]| range[0].max(0)..=range[1].min(self.size[axis] - 1);
        for row in inside(1, [low[1], high[1]]) {
            let is_whole = row == low[1] || row == high[1];
            let step = if is_whole || ring == 0 { 1 } else { 2 * ring as usize };
            for column in (low[0]..=high[0]).step_by(step).filter(|column| (0..self.size[0]).contains(column)) {
                self.list(self.corners[self.index([column, row])]).for_each(&mut f);
            }
        }
        if low.iter().all(|&v| v <= 0) && (0..2).all(|axis| high[axis] >= self.size[axis] - 1) {
            return None;
        }
        // Everything else lies beyond a side of the rings' square that is within the grid.
        let line = |axis: usize, square: i32| i64::from(self.low[axis]) + i64::from(square) * i64::from(self.side);
        let gaps = (0..2).flat_map(|axis| {
            let p = i64::from(p[axis]);
            let below = (low[axis] > 0).then(|| p - (line(axis, low[axis]) - 1));
            let above = (high[axis] < self.size[axis] - 1).then(|| line(axis, high[axis] + 1) - p);
            [below, above]
        });
        gaps.flatten().min()
    }

    fn list(&self, first: u32) -> impl Iterator<Item = u32> {
        let mut entry = first;
        core::iter::from_fn(move || {
            steps::count(1);
            let &[number, next] = self.entries.get(entry as usize)?;
            entry = next;
            Some(number)
        })
    }

    /// First and last row of squares of an edge.
    fn rows(&self, a: Point, b: Point) -> (i32, i32) {
        let row = |z: i32| self.place(1, i64::from(z));
        (row(a[1].min(b[1])), row(a[1].max(b[1])))
    }

    /// The columns of squares that an edge crosses in a row of squares, rounded outwards.
    fn columns(&self, a: Point, b: Point, row: i32) -> core::ops::RangeInclusive<i32> {
        let (a, b) = if a[1] <= b[1] { (a, b) } else { (b, a) };
        let [ax, az, bx, bz] = [a[0], a[1], b[0], b[1]].map(i64::from);
        let x_at = |z: i64| if bz == az { [ax, bx] } else { [ax + ((bx - ax) * (z - az)).div_euclid(bz - az); 2] };
        let begin = i64::from(self.low[1]) + i64::from(row) * i64::from(self.side);
        let (from, to) = (x_at(begin.clamp(az, bz)), x_at((begin + i64::from(self.side)).clamp(az, bz)));
        // The true position is up to one beyond the value that was rounded down.
        let low = from[0].min(from[1]).min(to[0]).min(to[1]);
        let high = from[0].max(from[1]).max(to[0]).max(to[1]) + 1;
        self.place(0, low)..=self.place(0, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::cell_point::cross_properly;
    use crate::math::Rng;

    fn random(rng: &mut Rng, below: i32) -> i32 {
        rng.below(below as u32) as i32
    }

    #[test]
    fn nearest_corners_are_those_of_looking_at_all() {
        let mut rng = Rng::new(1);
        for (width, depth, count) in [(100, 100, 50), (1000, 3, 200), (1, 1, 3), (20, 400, 999)] {
            let corners: Vec<Point> =
                (0..count).map(|_| [random(&mut rng, width) - 40, random(&mut rng, depth) - 7]).collect();
            let mut grid = CornerGrid::default();
            grid.reset([[-40, -7], [width - 41, depth - 8]], count);
            corners.iter().zip(0..).for_each(|(&p, k)| grid.add_corner(p, k));
            for _ in 0..50 {
                let p = [random(&mut rng, width) - 40, random(&mut rng, depth) - 7];
                let distance = |k: u32| {
                    let d = [0, 1].map(|axis| i64::from(corners[k as usize][axis] - p[axis]));
                    d[0] * d[0] + d[1] * d[1]
                };
                let mut seen = Vec::new();
                let mut ring = 0;
                loop {
                    let rest = grid.corners_around(p, ring, |k| seen.push(k));
                    let Some(rest) = rest else { break };
                    let unseen = (0..count as u32).filter(|k| !seen.contains(k));
                    assert!(unseen.map(distance).all(|d| d >= rest * rest), "ring {ring} around {p:?}");
                    ring += 1;
                }
                seen.sort_unstable();
                assert!(seen.iter().copied().eq(0..count as u32), "each corner once");
            }
        }
    }

    #[test]
    fn a_box_has_all_of_its_corners() {
        let mut rng = Rng::new(3);
        let mut point = || [random(&mut rng, 90) - 30, random(&mut rng, 40)];
        let corners: Vec<Point> = (0..300).map(|_| point()).collect();
        let mut grid = CornerGrid::default();
        grid.reset([[-30, 0], [59, 39]], corners.len());
        corners.iter().zip(0..).for_each(|(&p, k)| grid.add_corner(p, k));
        for _ in 0..200 {
            let a = point();
            let b = point();
            let low = [a[0].min(b[0]), a[1].min(b[1])];
            let high = [a[0].max(b[0]), a[1].max(b[1])];
            let is_in = |k: &u32| (0..2).all(|axis| (low[axis]..=high[axis]).contains(&corners[*k as usize][axis]));
            let mut found = Vec::new();
            assert!(!grid.any_corner_in(low, high, |k| {
                found.push(k);
                false
            }));
            found.retain(is_in);
            found.sort_unstable();
            assert!(found.into_iter().eq((0..corners.len() as u32).filter(is_in)), "{low:?} to {high:?}");
        }
    }

    #[test]
    fn edges_that_meet_share_a_square() {
        let mut rng = Rng::new(2);
        let mut corner = || [random(&mut rng, 60), random(&mut rng, 60)];
        for _ in 0..2000 {
            let a = corner();
            let b = corner();
            let c = corner();
            let d = corner();
            let mut grid = CornerGrid::default();
            grid.reset([[0, 0], [59, 59]], 100);
            grid.add_edge(a, b, 7);
            let meet = cross_properly(a, b, c, d) || a == c || b == d;
            let found = !grid.all_edges_along(c, d, |_| false);
            assert!(found || !meet, "{a:?} {b:?} {c:?} {d:?}");
        }
    }
}
