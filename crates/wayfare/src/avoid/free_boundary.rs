//! The best velocity on the border of the union of velocity obstacles.
//!
//! ```text
//!   ----.      .-----.       If the desired velocity is inside a region, the nearest free one lies on a border. Along
//!        \ ___/  o    \      each straight piece the parts inside other regions are cut out; in what is left, the
//! point
//!         X    \       \     nearest to the desired velocity, the ends, and the point nearest to the current one
//!   _____/ *    \______/     are tried.
//! ```
//!
//! If nothing is free within the greatest speed, the farthest obstacles are given up until something is. How many to
//! give up is found by bisection.
//!
//! The pieces of the border are visited in order of the least cost of a velocity on them, so only a few are visited.
//!
//! Cost: O(obstacles × visited pieces) for one pass, times log(obstacles) if obstacles must be given up.
//!
//! Sources: Stephen Guy, Jatin Chhugani et al., "ClearPath: highly parallel collision avoidance for multi-agent
//! simulation", 2009; Mikko Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010.

use super::agent::{Surroundings, Turn, capped};
use super::velocity_obstacle::{self, Edge, ObstacleShape, VelocityObstacle};
use glam::Vec2;

/// How far inside a region a velocity must be to count as inside, m/s: borders that touch leave no false gaps, and a
/// velocity on a border is outside.
const MARGIN: f32 = 1e-3;

/// The velocity that the agent wants.
#[derive(Clone, Copy, Debug)]
struct Wish {
    desired: Vec2,
    current: Vec2,
    max_speed: f32,
    /// Weight of the change from the current velocity, relative to the deviation from the desired one; 0 ignores it.
    steadiness: f32,
}

impl Wish {
    fn cost(&self, v: Vec2) -> f32 {
        let away = v.distance(self.desired);
        if self.steadiness > 0.0 { away + self.steadiness * v.distance(self.current) } else { away }
    }
}

/// A straight piece of the border that may hold the best velocity.
#[derive(Clone, Copy, Debug)]
struct BorderPiece {
    /// Lower bound of the cost of velocities on it.
    least: f32,
    /// Its index among all edges, four per obstacle.
    number: usize,
    edge: Edge,
    /// The interval in which it is within the greatest speed.
    low: f32,
    high: f32,
}

/// Memory for one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundaryScratch {
    /// The obstacles: walls first, then neighbours.
    obstacles: Vec<VelocityObstacle>,
    border: BorderScratch,
}

/// Memory for one search of the borders.
#[derive(Clone, Debug, Default)]
struct BorderScratch {
    pieces: Vec<BorderPiece>,
    /// The covered intervals of one piece.
    covers: Vec<(f32, f32)>,
}

/// Fills `out` with the regions of all obstacles and returns how many of them belong to walls, which come first.
pub(super) fn regions(around: &Surroundings<'_>, shape: &ObstacleShape, out: &mut Vec<VelocityObstacle>) -> usize {
    out.clear();
    let agent = &around.agent;
    if !agent.can_move() {
        return 0;
    }
    let sane = |seconds: f32| if seconds > 1e-3 { seconds } else { 1e-3 };
    let shape = ObstacleShape {
        horizon: sane(shape.horizon),
        wall_horizon: sane(shape.wall_horizon),
        overlap_time: sane(shape.overlap_time),
        spike: shape.spike.clamp(0.0, 1.0),
        ..*shape
    };
    out.extend(around.walls_from_agent().filter_map(|wall| velocity_obstacle::of_wall(agent, &wall, &shape)));
    let hard = out.len();
    out.extend(around.seen().map(|other| velocity_obstacle::of_neighbour(agent, other, &shape)));
    hard
}

/// The best velocity outside the regions of all obstacles.
pub(super) fn velocity_outside(
    around: &Surroundings<'_>,
    shape: &ObstacleShape,
    (steadiness, keep_right): (f32, f32),
    scratch: &mut BoundaryScratch,
) -> Vec2 {
    let agent = &around.agent;
    if !agent.can_move() {
        return Vec2::ZERO;
    }
    let BoundaryScratch { obstacles, border } = scratch;
    let hard = regions(around, shape, obstacles);
    let wish = Wish {
        desired: around.keeping_right(Turn::right(keep_right, around.burden())),
        current: capped(agent.velocity, agent.max_speed),
        max_speed: agent.max_speed,
        steadiness: steadiness.max(0.0),
    };
    capped(best_velocity(&wish, obstacles, hard, border), agent.max_speed)
}

/// The outlines of these regions, for drawing.
pub(super) fn outlines(around: &Surroundings<'_>, shape: &ObstacleShape, leg: f32, out: &mut Vec<[Vec2; 5]>) {
    let mut found = Vec::new();
    regions(around, shape, &mut found);
    out.clear();
    out.extend(found.iter().map(|region| region.outline(leg)));
}

/// The parts of the border that no other region covers, within the greatest speed, for drawing: the only velocities
/// that are looked at besides the desired one.
pub(super) fn free_border(around: &Surroundings<'_>, shape: &ObstacleShape, out: &mut Vec<[Vec2; 2]>) {
    let mut obstacles = Vec::new();
    regions(around, shape, &mut obstacles);
    out.clear();
    let mut covers = Vec::new();
    for (own, obstacle) in obstacles.iter().enumerate() {
        for edge in obstacle.edges.iter().filter(|edge| edge.length > 0.0) {
            let Some((low, high)) = within_speed(edge, around.agent.max_speed) else { continue };
            if cut(&obstacles, own, edge, (low, high), &mut covers) {
                covers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
                each_gap(&covers, low, high, |from, to| out.push([from, to].map(|t| edge.from + edge.along * t)));
            }
        }
    }
}

/// The best velocity outside all `obstacles`; if there is none, outside as many of the first ones as possible. The
/// first `hard` are never given up: if they leave nothing, the result is zero.
fn best_velocity(wish: &Wish, obstacles: &[VelocityObstacle], hard: usize, scratch: &mut BorderScratch) -> Vec2 {
    if let Some(v) = best_outside(wish, obstacles, scratch) {
        return v;
    }
    // `kept` obstacles leave a free velocity, `failing` do not.
    let Some(mut best) = best_outside(wish, &obstacles[..hard], scratch) else { return Vec2::ZERO };
    let mut kept = hard;
    let mut failing = obstacles.len();
    while failing - kept > 1 {
        let middle = kept + (failing - kept) / 2;
        match best_outside(wish, &obstacles[..middle], scratch) {
            Some(v) => (kept, best) = (middle, v),
            None => failing = middle,
        }
    }
    best
}

fn best_outside(wish: &Wish, obstacles: &[VelocityObstacle], scratch: &mut BorderScratch) -> Option<Vec2> {
    if !obstacles.iter().any(|o| o.contains(wish.desired, MARGIN)) {
        return Some(wish.desired);
    }
    let BorderScratch { pieces, covers } = scratch;
    pieces.clear();
    let edges = obstacles.iter().flat_map(|obstacle| obstacle.edges).enumerate();
    pieces.extend(edges.filter(|(_, edge)| edge.length > 0.0).filter_map(|(number, edge)| {
        let (low, high) = within_speed(&edge, wish.max_speed)?;
        let nearest = edge.from + edge.along * edge.along.dot(wish.desired - edge.from).clamp(low, high);
        Some(BorderPiece { least: nearest.distance(wish.desired), number, edge, low, high })
    }));
    // The most promising first: most of the others need not be examined then.
    pieces.sort_unstable_by(|a, b| a.least.total_cmp(&b.least).then(a.number.cmp(&b.number)));
    let mut best: Option<(f32, Vec2)> = None;
    for BorderPiece { least, number, edge, low, high } in pieces {
        if best.is_some_and(|(cost, _)| *least >= cost) {
            break;
        }
        if !cut(obstacles, *number / 4, edge, (*low, *high), covers) {
            continue;
        }
        covers.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        each_gap(covers, *low, *high, |low, high| best = better(best, wish, edge, (low, high)));
    }
    best.map(|(_, v)| v)
}

/// Collects the intervals of an edge that other obstacles cover; false as soon as one of them covers all of it.
fn cut(
    obstacles: &[VelocityObstacle],
    own: usize,
    edge: &Edge,
    (low, high): (f32, f32),
    covers: &mut Vec<(f32, f32)>,
) -> bool {
    covers.clear();
    for (_, other) in obstacles.iter().enumerate().filter(|(other, _)| *other != own) {
        let cover = other.cover(edge.from, edge.along, MARGIN);
        if cover.0 < low && cover.1 > high {
            return false;
        }
        if cover.0 < cover.1 && cover.0 < high && cover.1 > low {
            covers.push(cover);
        }
    }
    true
}

/// Calls `visit` with the parts of `low`…`high` not covered by any of the sorted intervals.
fn each_gap(covers: &[(f32, f32)], mut low: f32, high: f32, mut visit: impl FnMut(f32, f32)) {
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

/// The part of an edge within `max_speed`.
fn within_speed(edge: &Edge, max_speed: f32) -> Option<(f32, f32)> {
    let middle = -edge.along.dot(edge.from);
    let half2 = max_speed * max_speed - (edge.from + edge.along * middle).length_squared();
    let half = if half2 >= 0.0 { half2.sqrt() } else { return None };
    let low = (middle - half).max(0.0);
    let high = (middle + half).min(edge.length);
    (low <= high).then_some((low, high))
}

/// The best velocity on a free part of an edge, if it beats `best`.
fn better(best: Option<(f32, Vec2)>, wish: &Wish, edge: &Edge, (low, high): (f32, f32)) -> Option<(f32, Vec2)> {
    let foot = |v: Vec2| edge.along.dot(v - edge.from).clamp(low, high);
    let mut best = best;
    let wanted = foot(wish.desired);
    let tries = [wanted, low, high, foot(wish.current)];
    // Without steadiness the foot of the perpendicular is the best.
    for &t in &tries[..if wish.steadiness > 0.0 { 4 } else { 1 }] {
        let v = edge.from + edge.along * t;
        let cost = wish.cost(v);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, v));
        }
    }
    best
}
