//! Grows walls by the radius and returns the result as outlines.
//!
//! A wall, with the surface on its right, covers the strip beside it. Where the next wall turns away, the disc rolls
//! around the corner and covers a sector; where a wall ends without a successor, it covers a quarter disc at that end.
//!
//! ```text
//!        ______________
//!       |    strip     |‾-.        wall 1 runs to the corner v, wall 2 goes on from it
//!       +==== wall 1 ==v    \
//!                      ‖ sector
//!                      ‖----|
//!               wall 2 ‖    |
//! ```
//!
//! All outlines have the same winding, so their union is the area of non-zero winding.
//!
//! Cost: n log n in the walls, which are sorted by start and by end to look up the next wall at each corner. Sources:
//! see [the module](super).

use super::plan_grid::{Outline, PlanGrid, PlanPoint, area2, offset};
use crate::math::ops;

/// The angle covered by one straight piece of an arc, radians: 15 degrees.
pub(super) const ARC_STEP: f32 = core::f32::consts::PI / 12.0;

/// Replaces `blocked` by the outlines of everything within `radius` (in parts of units) of `walls`, on the side of the
/// surface. Sorts `walls`.
pub(super) fn inflate(walls: &mut Vec<[PlanPoint; 2]>, (radius, grid): (f64, PlanGrid), blocked: &mut Vec<Outline>) {
    let disc = Disc { radius, shortest: LEAST_PIECE * f64::from(grid.parts()) };
    blocked.clear();
    walls.retain(|[a, b]| a != b);
    walls.sort_unstable_by_key(|[a, b]| [a.x, a.y, b.x, b.y]);
    walls.dedup();
    for &[a, b] in walls.iter() {
        let n = normal(a, b).map(|v| v * radius);
        push(vec![a, b, beside(b, n), beside(a, n)], blocked);
    }
    let mut ends: Vec<PlanPoint> = walls.iter().map(|wall| wall[1]).collect();
    ends.sort_unstable_by_key(|p| [p.x, p.y]);
    for &[a, b] in walls.iter() {
        match next_of(walls, &ends, b) {
            Some([_, c]) => disc.corner(b, [normal(a, b), normal(b, c)], blocked),
            None => disc.sector(b, normal(a, b), QUARTER, blocked),
        }
        if next_of(walls, &ends, a).is_none() {
            let n = normal(a, b);
            // From the backward direction along the wall around to its side.
            disc.sector(a, [n[1], -n[0]], QUARTER, blocked);
        }
    }
}

/// The shortest piece of an arc, units: shorter ones would be lost by rounding.
const LEAST_PIECE: f64 = 8.0;
const QUARTER: f64 = core::f64::consts::FRAC_PI_2;

/// The wall that continues at `at`, if exactly one wall begins there and exactly one ends. Both lists are sorted.
fn next_of(walls: &[[PlanPoint; 2]], ends: &[PlanPoint], at: PlanPoint) -> Option<[PlanPoint; 2]> {
    let next = only(walls, at, |wall| wall[0])?;
    only(ends, at, |&end| end).map(|_| next)
}

/// The only element at a position in a list sorted by position; none if there are several.
fn only<T: Copy>(sorted: &[T], at: PlanPoint, place: impl Fn(&T) -> PlanPoint) -> Option<T> {
    let from = sorted.partition_point(|other| [place(other).x, place(other).y] < [at.x, at.y]);
    let mut here = sorted[from..].iter().take_while(|&other| place(other) == at);
    let found = here.next()?;
    here.next().is_none().then_some(*found)
}

/// The unit vector from a wall a→b towards its surface.
fn normal(a: PlanPoint, b: PlanPoint) -> [f64; 2] {
    let [dx, dz] = offset(a, b).map(|v| v as f64);
    let length = (dx * dx + dz * dz).sqrt();
    [dz / length, -dx / length]
}

/// The disc that is rolled around the ends of walls.
#[derive(Clone, Copy)]
struct Disc {
    radius: f64,
    /// The shortest piece of its outline.
    shortest: f64,
}

impl Disc {
    /// A sector around a corner where two walls with these normals meet, if the walls turn away from the surface.
    fn corner(self, v: PlanPoint, [m, n]: [[f64; 2]; 2], blocked: &mut Vec<Outline>) {
        let turn = m[0] * n[1] - m[1] * n[0] + 0.0;
        let along = m[0] * n[0] + m[1] * n[1];
        if turn > 0.0 || (turn == 0.0 && along < 0.0) {
            let angle = f64::from(ops::atan2(turn as f32, along as f32));
            self.sector(v, m, angle, blocked);
        }
    }

    /// A sector around `v`: from direction `from`, turning from x towards z by `angle`.
    fn sector(self, v: PlanPoint, from: [f64; 2], angle: f64, blocked: &mut Vec<Outline>) {
        let radius = self.radius;
        let round = (angle / f64::from(ARC_STEP)).min(angle * radius / self.shortest);
        let pieces = round.max(angle / QUARTER).ceil().max(1.0);
        let half = (angle / (2.0 * pieces)) as f32;
        let sin = f64::from(ops::sin(half));
        let cos = f64::from(ops::cos(half));
        let turned = |[x, z]: [f64; 2]| [x * cos - z * sin, x * sin + z * cos];
        let mut direction = from;
        let mut outline = vec![v, beside(v, direction.map(|d| d * radius))];
        for _ in 0..pieces as u32 {
            direction = turned(direction);
            // Half way between two points where the outline touches the arc.
            outline.push(beside(v, direction.map(|d| d * (radius / cos))));
            direction = turned(direction);
        }
        outline.push(beside(v, direction.map(|d| d * radius)));
        push(outline, blocked);
    }
}

fn beside(p: PlanPoint, [x, z]: [f64; 2]) -> PlanPoint {
    PlanPoint::new(p.x.saturating_add(x.round() as i32), p.y.saturating_add(z.round() as i32))
}

fn push(mut outline: Outline, blocked: &mut Vec<Outline>) {
    let area = area2(&outline);
    if area < 0 {
        outline.reverse();
    }
    if area != 0 {
        blocked.push(outline);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Aabb;

    fn grid() -> PlanGrid {
        PlanGrid::covering(&Aabb::EMPTY, 1.0)
    }

    /// In hundreds of units.
    fn walls(points: &[(i32, i32)]) -> Vec<[PlanPoint; 2]> {
        points.windows(2).map(|w| [w[0], w[1]].map(|(x, z)| PlanPoint::new(100 * x, 100 * z))).collect()
    }

    /// Whether any outline holds the point.
    fn covers(blocked: &[Outline], x: i32, z: i32) -> bool {
        let inside = |outline: &Outline| {
            let edges = outline.iter().zip(outline.iter().cycle().skip(1));
            edges.into_iter().all(|(&a, &b)| area2(&[a, b, PlanPoint::new(100 * x, 100 * z)]) >= 0)
        };
        blocked.iter().any(inside)
    }

    #[test]
    fn a_strip_beside_the_wall_and_a_sector_where_walls_turn_away() {
        // The surface is to the right: below the first wall (seen with z up), right of the second.
        let mut blocked = Vec::new();
        inflate(&mut walls(&[(0, 0), (1000, 0), (1000, 1000)]), (10_000.0, grid()), &mut blocked);
        assert!(covers(&blocked, 500, -99) && !covers(&blocked, 500, -101) && !covers(&blocked, 500, 50));
        assert!(covers(&blocked, 1099, 500) && !covers(&blocked, 1101, 500));
        // Around the corner: as far as the disc and no farther than its outline.
        assert!(covers(&blocked, 1070, -70) && !covers(&blocked, 1072, -72));
        // Ends without another wall carry quarter discs.
        assert!(covers(&blocked, -70, -70) && covers(&blocked, 1070, 1070) && !covers(&blocked, -72, -72));
    }

    #[test]
    fn no_sector_where_walls_turn_towards_the_ground() {
        let mut blocked = Vec::new();
        inflate(&mut walls(&[(0, 0), (1000, 0), (1000, -1000)]), (10_000.0, grid()), &mut blocked);
        assert_eq!(blocked.len(), 4, "two strips, two ends");
        assert!(covers(&blocked, 990, -990) && covers(&blocked, 500, -50));
    }
}
