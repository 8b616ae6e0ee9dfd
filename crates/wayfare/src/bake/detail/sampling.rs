//! Samples the surface for the detail mesh: along the edges of polygons, and on a grid inside them.
//!
//! ```text
//!   a--x-----x---b     x: edge samples, equally spaced from the lesser end to the greater
//!    \  o   o   /      o: inner samples at cell centers, at least half a step away from the edges
//!     \   o    /
//!      \------/
//! ```
//!
//! A region may lie beside itself without touching, as a winding ramp does: then a sample on the edge may hit the wrong
//! arm of it. So a sample that is off the straight line between the ends is compared with the surface inside the
//! polygon, followed to the edge from span to span; the height nearer to the line counts.
//!
//! An edge keeps only the samples it needs to stay within the error bound: first the one farthest from the straight
//! line, then likewise on both sides of it.
//!
//! Inner samples lie on the multiples of the step in the *level's* grid, so that they do not depend on the tile.
//!
//! Cost: O(samples × spans per column); for an edge that keeps k of n samples O(k n).
//!
//! Sources: the samples are Recast's (Mikko Mononen, 2009–2010); the choice along edges is D. Douglas and T. Peucker,
//! 1973.

use super::heights::{Floor, Ground, Trail};
use crate::bake::cell_point::Point;

/// A sample along an edge: the number of `steps` from the first end to the second, and its height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EdgeSample {
    pub(super) step: u32,
    pub(super) y: i32,
}

/// An edge from its lower to its higher end, in cells.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    pub(super) ends: [[i32; 3]; 2],
    /// The region in which heights are looked up.
    pub(super) region: u32,
    /// Whether the neighbouring tile has the same edge, and so must find the same heights.
    pub(super) border: bool,
    /// The unit vector into the polygon.
    pub(super) inwards: [f64; 2],
}

/// The number of steps of at most `spacing` cells from one end of an edge to the other.
pub(super) fn steps_between([a, b]: [[i32; 3]; 2], spacing: f64) -> u32 {
    let dx = f64::from(b[0]) - f64::from(a[0]);
    let dz = f64::from(b[2]) - f64::from(a[2]);
    (1.0 + ((dx * dx + dz * dz).sqrt() / spacing).floor()) as u32
}

impl Edge {
    /// The height of the surface at a position on the edge.
    fn height(&self, trail: &mut Trail<'_>, x: &Stepper, z: &Stepper) -> Option<i32> {
        let cell = [x.cell as i32, z.cell as i32];
        if !self.border {
            if let Some(y) = trail.height_in(cell) {
                return Some(y);
            }
            // On a grid line both sides are equally good, so prefer one that is of the region itself.
            for (dx, dz) in [(1, 0), (0, 1), (1, 1)] {
                if (dx == 1 && x.rest != 0) || (dz == 1 && z.rest != 0) {
                    continue;
                }
                if let Some(y) = trail.height_in([cell[0] - dx, cell[1] - dz]) {
                    return Some(y);
                }
            }
        }
        trail.height(cell)
    }

    fn floor(&self) -> Floor {
        Floor { region: self.region, near_y: self.ends[0][1] }
    }
}

impl Edge {
    /// The height of the surface inside the polygon, followed to a position on the edge, that is nearest to `line`, if
    /// it is nearer than `y`.
    #[cold]
    fn height_from_inside(&self, trail: &Trail<'_>, [x, z]: [&Stepper; 2], y: i32, line: f64) -> i32 {
        let mut best = y;
        for cells in [0.75, 1.75, 2.75] {
            let inside = [(x, 0), (z, 1)].map(|(along, axis)| (along.at() + self.inwards[axis] * cells).floor() as i32);
            let Some(found) = trail.height_seen_from(inside, [x.cell as i32, z.cell as i32]) else {
                continue;
            };
            if (f64::from(found) - line).abs() < (f64::from(best) - line).abs() {
                best = found;
            }
        }
        best
    }
}

/// Goes from one whole number to another in n equal steps, exactly: `cell + rest / n`.
struct Stepper {
    cell: i64,
    rest: i64,
    step: [i64; 2],
    n: i64,
}

impl Stepper {
    fn new(from: i32, to: i32, n: u32) -> Self {
        let way = i64::from(to) - i64::from(from);
        let n = i64::from(n);
        Self { cell: i64::from(from), rest: 0, step: [way.div_euclid(n), way.rem_euclid(n)], n }
    }

    fn at(&self) -> f64 {
        self.cell as f64 + self.rest as f64 / self.n as f64
    }

    fn advance(&mut self) {
        self.cell += self.step[0];
        self.rest += self.step[1];
        if self.rest >= self.n {
            self.cell += 1;
            self.rest -= self.n;
        }
    }
}

/// Working memory of [`sample_edge`].
#[derive(Default)]
pub(super) struct EdgeScratch {
    heights: Vec<Option<i32>>,
    pieces: Vec<[u32; 2]>,
}

/// Appends to `out` the samples that the edge needs to stay within `max_error` cell heights of the surface, in order.
pub(super) fn sample_edge(
    edge: &Edge,
    ground: &Ground<'_>,
    [spacing, max_error]: [f64; 2],
    scratch: &mut EdgeScratch,
    out: &mut Vec<EdgeSample>,
) {
    let n = steps_between(edge.ends, spacing);
    if n < 2 {
        return;
    }
    let [from, to] = edge.ends;
    let mut x = Stepper::new(from[0], to[0], n);
    let mut z = Stepper::new(from[2], to[2], n);
    scratch.heights.clear();
    scratch.heights.push(Some(from[1]));
    let slope = f64::from(to[1] - from[1]) / f64::from(n);
    let mut trail = ground.trail(edge.floor(), [from[0], from[2]]);
    for k in 1..n {
        x.advance();
        z.advance();
        let line = f64::from(from[1]) + slope * f64::from(k);
        scratch.heights.push(edge.height(&mut trail, &x, &z).map(|y| {
            let is_off = (f64::from(y) - line).abs() > max_error;
            if is_off { edge.height_from_inside(&trail, [&x, &z], y, line) } else { y }
        }));
    }
    scratch.heights.push(Some(to[1]));
    let first = out.len();
    scratch.pieces.clear();
    scratch.pieces.push([0, n]);
    while let Some([from, to]) = scratch.pieces.pop() {
        let Some(k) = furthest_off(&scratch.heights, from, to, max_error) else { continue };
        if let Some(y) = scratch.heights[k as usize] {
            out.push(EdgeSample { step: k, y });
            scratch.pieces.extend([[from, k], [k, to]]);
        }
    }
    out[first..].sort_unstable_by_key(|s| s.step);
}

/// The height farthest from the straight line from one height to another, if its distance is more than `max_error`.
fn furthest_off(heights: &[Option<i32>], from: u32, to: u32, max_error: f64) -> Option<u32> {
    let a = heights[from as usize]?;
    let b = heights[to as usize]?;
    let slope = (f64::from(b) - f64::from(a)) / f64::from(to - from);
    let mut worst = (max_error, None);
    for k in from + 1..to {
        let Some(y) = heights[k as usize] else { continue };
        let error = (f64::from(y) - f64::from(a) - slope * f64::from(k - from)).abs();
        if error > worst.0 {
            worst = (error, Some(k));
        }
    }
    worst.1
}

/// A convex polygon whose inner samples are needed.
pub(super) struct InnerSamples<'a> {
    /// Corners in cells, wound up.
    pub(super) ring: &'a [Point],
    /// Step of the sampling grid in cells.
    pub(super) step: i32,
    /// Number of the tile's first column and row in the level's grid.
    pub(super) origin: Point,
}

/// An edge moved inwards: where it cuts a row, as `at + slope × row`. The polygon is towards greater x, or towards
/// lesser.
#[derive(Clone, Copy)]
pub(super) struct Bound {
    at: f64,
    slope: f64,
    greater: bool,
}

impl InnerSamples<'_> {
    /// Calls `visit` with each cell whose centre is sampled, row by row.
    pub(super) fn for_each(&self, bounds: &mut Vec<Bound>, mut visit: impl FnMut(i32, i32)) {
        let low = self.ring.iter().fold([i32::MAX; 2], |l, p| [l[0].min(p[0]), l[1].min(p[1])]);
        let high = self.ring.iter().fold([i32::MIN; 2], |h, p| [h[0].max(p[0]), h[1].max(p[1])]);
        if high[0] - low[0] < self.step || high[1] - low[1] < self.step {
            return;
        }
        let [first_row, last_row] = self.bounds(bounds);
        let mut z = self.first_multiple(low[1], self.origin[1]);
        while z < high[1] {
            let row = f64::from(z) + 0.5;
            if row >= first_row && row <= last_row {
                let (from, to) = row_between(bounds, row);
                let mut x = self.first_multiple(low[0].max(from), self.origin[0]);
                while x < high[0] && x <= to {
                    visit(x, z);
                    x += self.step;
                }
            }
            z += self.step;
        }
    }

    /// The first cell from `low` on whose number in the level is a multiple of the step.
    fn first_multiple(&self, low: i32, origin: i32) -> i32 {
        low + (-(low + origin)).rem_euclid(self.step)
    }

    /// The polygon's edges moved inwards by half a step; returns the rows between those that run along rows.
    fn bounds(&self, out: &mut Vec<Bound>) -> [f64; 2] {
        out.clear();
        let margin = f64::from(self.step) * 0.5;
        let mut rows = [f64::MIN, f64::MAX];
        let Some(&last) = self.ring.last() else { return rows };
        let mut from = last;
        for &to in self.ring {
            let a = core::mem::replace(&mut from, to);
            let ax = f64::from(a[0]);
            let az = f64::from(a[1]);
            let dx = f64::from(to[0] - a[0]);
            let dz = f64::from(to[1] - a[1]);
            // Inside by the margin: dz (x - ax) - dx (z - az) >= margin × length.
            if dz != 0.0 {
                let slope = dx / dz;
                let at = ax - slope * az + margin * (dx * dx + dz * dz).sqrt() / dz;
                out.push(Bound { at, slope, greater: dz > 0.0 });
            } else if dx > 0.0 {
                rows[1] = rows[1].min(az - margin);
            } else {
                rows[0] = rows[0].max(az + margin);
            }
        }
        rows
    }
}

/// The first and last cell of a row whose centres are within all bounds; inverted if there is none.
fn row_between(bounds: &[Bound], row: f64) -> (i32, i32) {
    let mut from = f64::MIN;
    let mut to = f64::MAX;
    for b in bounds {
        let x = b.at + b.slope * row;
        if b.greater {
            from = from.max(x);
        } else {
            to = to.min(x);
        }
    }
    // Casts saturate.
    ((from - 0.5).ceil() as i32, (to - 0.5).floor() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::test_ground::ground;

    fn samples(heights: &'static [u16], ends: [[i32; 3]; 2], max_error: f64) -> Vec<(u32, i32)> {
        let (field, regions) = ground(heights.len() as u32, 1, |x, _| vec![heights[x as usize]]);
        let ground = Ground::new(&field, &regions, 1.3);
        let edge = Edge { ends, region: 1, border: false, inwards: [0.0, 1.0] };
        let mut out = Vec::new();
        sample_edge(&edge, &ground, [1.0, max_error], &mut EdgeScratch::default(), &mut out);
        out.iter().map(|s| (s.step, s.y)).collect()
    }

    #[test]
    fn an_edge_keeps_what_its_error_bound_asks_for() {
        const BUMP: &[u16] = &[0, 0, 0, 3, 4, 3, 0, 0, 0];
        let ends = [[0, 0, 0], [9, 0, 0]];
        // Ten steps of 0.9 cells; the top first, then the feet.
        assert_eq!(samples(BUMP, ends, 4.0), []);
        assert_eq!(samples(BUMP, ends, 2.5), [(5, 4)]);
        assert!(samples(BUMP, ends, 0.5).len() > 3);
    }

    #[test]
    fn inner_samples_keep_their_distance() {
        let ring = [[0, 0], [0, 12], [24, 12], [24, 0]];
        let mut found = Vec::new();
        InnerSamples { ring: &ring, step: 6, origin: [0, 0] }.for_each(&mut Vec::new(), |x, z| found.push([x, z]));
        assert_eq!(found, [[6, 6], [12, 6], [18, 6]]);
        found.clear();
        // The same surface as part of a tile that begins at column 2 of the level.
        let ring = ring.map(|[x, z]| [x - 2, z]);
        InnerSamples { ring: &ring, step: 6, origin: [2, 0] }.for_each(&mut Vec::new(), |x, z| found.push([x + 2, z]));
        assert_eq!(found, [[6, 6], [12, 6], [18, 6]]);
    }
}
