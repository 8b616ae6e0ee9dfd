//! The border of the union of velocity obstacles, and the best velocity on it.
//!
//! ```text
//!   ----.      .-----.       If the wanted velocity is inside a region, the nearest free one lies on a border. Along
//!        \ ___/  o    \      each straight piece the parts inside other regions are cut out; in what is left, the point
//!         X    \       \     nearest to the wanted velocity, the ends, and the point nearest to the current one
//!   _____/ *    \______/     are tried.
//! ```
//!
//! Where nothing is free within the greatest speed, the farthest obstacles are given up until something is; how many
//! must go is found by halving.
//!
//! The pieces of border are taken in the order of the least that a velocity on them costs, so that a few are looked at,
//! not all.
//!
//! Cost: O(obstacles × pieces looked at) for one pass, times log(obstacles) where obstacles must be given up.
//!
//! Sources: Stephen Guy, Jatin Chhugani et al., "ClearPath: highly parallel collision avoidance for multi-agent
//! simulation", 2009; Mikko Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010.

use super::agent::{Surroundings, Turn, capped};
use super::velocity_obstacle::{self, Edge, Shape, VelocityObstacle};
use glam::Vec2;

/// By how much a velocity must be inside a region to count as inside, m/s: borders that touch leave no false gaps, and
/// a velocity on a border is outside.
const MARGIN: f32 = 1e-3;

/// What velocity is wanted.
#[derive(Clone, Copy, Debug)]
struct Wish {
    desired: Vec2,
    current: Vec2,
    max_speed: f32,
    /// How much a change of the current velocity counts against leaving the desired one, 0 for not at all.
    steadiness: f32,
}

impl Wish {
    fn cost(&self, v: Vec2) -> f32 {
        let away = v.distance(self.desired);
        if self.steadiness > 0.0 { away + self.steadiness * v.distance(self.current) } else { away }
    }
}

/// A straight piece of border that may hold the best velocity.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// No velocity on it costs less.
    least: f32,
    /// Its number among all edges, four an obstacle.
    number: usize,
    edge: Edge,
    /// Where it is no faster than the greatest speed.
    low: f32,
    high: f32,
}

/// Memory for one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundaryScratch {
    /// What is around: walls first, then neighbours.
    obstacles: Vec<VelocityObstacle>,
    border: BorderScratch,
}

/// Memory for one pass along the borders.
#[derive(Clone, Debug, Default)]
struct BorderScratch {
    pieces: Vec<Piece>,
    /// The covered parts of one piece.
    covers: Vec<(f32, f32)>,
}

/// The regions of everything around, and how many of them are walls', which come first.
pub(super) fn regions(around: &Surroundings<'_>, shape: &Shape, out: &mut Vec<VelocityObstacle>) -> usize {
    out.clear();
    let agent = &around.agent;
    if !agent.can_move() {
        return 0;
    }
    let sane = |seconds: f32| if seconds > 1e-3 { seconds } else { 1e-3 };
    let shape = Shape {
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

/// The best velocity outside the regions of everything around.
pub(super) fn velocity_outside(
    around: &Surroundings<'_>,
    shape: &Shape,
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

/// The outlines of these regions, to be drawn.
pub(super) fn outlines(around: &Surroundings<'_>, shape: &Shape, leg: f32, out: &mut Vec<[Vec2; 5]>) {
    let mut found = Vec::new();
    regions(around, shape, &mut found);
    out.clear();
    out.extend(found.iter().map(|region| region.outline(leg)));
}

/// The best velocity outside all `obstacles`; where there is none, outside as many of the first ones as possible. The
/// first `hard` are never given up: if they leave nothing, the answer is to stand still.
fn best_velocity(wish: &Wish, obstacles: &[VelocityObstacle], hard: usize, scratch: &mut BorderScratch) -> Vec2 {
    if let Some(v) = best_outside(wish, obstacles, scratch) {
        return v;
    }
    // `kept` obstacles leave something, `failing` do not.
    let Some(mut best) = best_outside(wish, &obstacles[..hard], scratch) else { return Vec2::ZERO };
    let (mut kept, mut failing) = (hard, obstacles.len());
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
        Some(Piece { least: nearest.distance(wish.desired), number, edge, low, high })
    }));
    // The promising ones first: most of the others then need not be looked at closely.
    pieces.sort_unstable_by(|a, b| a.least.total_cmp(&b.least).then(a.number.cmp(&b.number)));
    let mut best: Option<(f32, Vec2)> = None;
    for Piece { least, number, edge, low, high } in pieces {
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

/// Collects what the other obstacles cover of an edge; false as soon as one of them covers all of it.
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

/// Calls `visit` with the parts of `low`…`high` that none of the sorted intervals covers.
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
