//! The border of the union of velocity obstacles, and the best velocity on it.
//!
//! ```text
//!   ----.      .-----.       If the wanted velocity is inside a region, the nearest free one lies on a border. Along
//!        \ ___/  o    \      each straight piece the parts inside other regions are cut out; in what is left, the point
//!         X    \       \     nearest to the wanted velocity, the ends, and the point nearest to the current one
//!   _____/ *    \______/     are tried.
//! ```
//!
//! Where nothing is free within the greatest speed, the farthest obstacles are given up until something is; how many must go
//! is found by halving.
//!
//! Cost: O(obstacles²) for one pass, times log(obstacles) where obstacles must be given up.
//!
//! Sources: Stephen Guy, Jatin Chhugani et al., "ClearPath: highly parallel collision avoidance for multi-agent simulation", 2009; Mikko
//! Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010.

use super::velocity_obstacle::{Edge, VelocityObstacle};
use glam::Vec2;

/// By how much a velocity must be inside a region to count as inside, m/s: borders that touch leave no false gaps, and a velocity on
/// a border is outside.
const MARGIN: f32 = 1e-3;

/// What velocity is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub(super) desired: Vec2,
    pub(super) current: Vec2,
    pub(super) max_speed: f32,
    /// How much a change of the current velocity counts against leaving the desired one, 0 for not at all.
    pub(super) steadiness: f32,
}

impl Wish {
    fn cost(&self, v: Vec2) -> f32 {
        let away = v.distance(self.desired);
        if self.steadiness > 0.0 { away + self.steadiness * v.distance(self.current) } else { away }
    }
}

/// Memory for the covered parts of one edge.
pub(super) type Covers = Vec<(f32, f32)>;

/// The best velocity outside all `obstacles`; where there is none, outside as many of the first ones as possible. The first `hard` are
/// never given up: if they leave nothing, the answer is to stand still.
pub(super) fn best_velocity(wish: &Wish, obstacles: &[VelocityObstacle], hard: usize, covers: &mut Covers) -> Vec2 {
    if let Some(v) = best_outside(wish, obstacles, covers) {
        return v;
    }
    // `kept` obstacles leave something, `failing` do not.
    let Some(mut best) = best_outside(wish, &obstacles[..hard], covers) else { return Vec2::ZERO };
    let (mut kept, mut failing) = (hard, obstacles.len());
    while failing - kept > 1 {
        let middle = kept + (failing - kept) / 2;
        match best_outside(wish, &obstacles[..middle], covers) {
            Some(v) => (kept, best) = (middle, v),
            None => failing = middle,
        }
    }
    best
}

fn best_outside(wish: &Wish, obstacles: &[VelocityObstacle], covers: &mut Covers) -> Option<Vec2> {
    if !obstacles.iter().any(|o| o.contains(wish.desired, MARGIN)) {
        return Some(wish.desired);
    }
    let mut best: Option<(f32, Vec2)> = None;
    for (i, obstacle) in obstacles.iter().enumerate() {
        for edge in obstacle.edges.iter().filter(|e| e.length > 0.0) {
            let Some((low, high)) = within_speed(edge, wish.max_speed) else { continue };
            // What cannot beat the best so far need not be looked at closely.
            let nearest = edge.from + edge.along * edge.along.dot(wish.desired - edge.from).clamp(low, high);
            if best.is_some_and(|(cost, _)| nearest.distance(wish.desired) >= cost) {
                continue;
            }
            covers.clear();
            let others = obstacles.iter().enumerate().filter(|(j, _)| *j != i);
            covers.extend(others.map(|(_, o)| o.cover(edge.from, edge.along, MARGIN)).filter(|c| c.0 < c.1));
            covers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            each_gap(covers, low, high, |low, high| best = better(best, wish, edge, (low, high)));
        }
    }
    best.map(|(_, v)| v)
}

/// Calls `visit` with the parts of `low`…`high` that none of the sorted intervals covers.
fn each_gap(covers: &Covers, mut low: f32, high: f32, mut visit: impl FnMut(f32, f32)) {
    for cover in covers {
        if cover.0 >= high {
            break;
        }
        if cover.0 >= low {
            visit(low, cover.0);
        }
        low = low.max(cover.1);
    }
    if low <= high {
        visit(low, high);
    }
}

/// The part of an edge that is no faster than `max_speed`.
fn within_speed(edge: &Edge, max_speed: f32) -> Option<(f32, f32)> {
    let middle = -edge.along.dot(edge.from);
    let half2 = max_speed * max_speed - (edge.from + edge.along * middle).length_squared();
    let half = if half2 >= 0.0 { half2.sqrt() } else { return None };
    let (low, high) = ((middle - half).max(0.0), (middle + half).min(edge.length));
    (low <= high).then_some((low, high))
}

/// The best of a free part of an edge, if it beats `best`.
fn better(best: Option<(f32, Vec2)>, wish: &Wish, edge: &Edge, (low, high): (f32, f32)) -> Option<(f32, Vec2)> {
    let foot = |v: Vec2| edge.along.dot(v - edge.from).clamp(low, high);
    let mut best = best;
    let wanted = foot(wish.desired);
    let tries = [wanted, low, high, foot(wish.current)];
    // Without steadiness the foot is the best there is.
    for &t in &tries[..if wish.steadiness > 0.0 { 4 } else { 1 }] {
        let v = edge.from + edge.along * t;
        let cost = wish.cost(v);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, v));
        }
    }
    best
}
