//! Half-planes of admissible velocities: the constraint that ORCA derives from one neighbour or one wall.
//!
//! Relative to the agent, the velocities that lead to a collision within the horizon τ form a cone with a round tip,
//! the velocity obstacle. The shortest vector `u` out of it, of which the agent takes its share, and the border there
//! give the half-plane:
//!
//! ```text
//!         \   collision  /            n: outward normal at the border point nearest to the relative velocity
//!          \   * v_rel  /             admissible: v · n >= v_agent · n + share · |u|
//!           \  |u      /
//!            '-v-.__.-'   <- tip: circle of radius R/τ around p/τ
//!              n
//!                 .       <- apex: relative velocity 0
//! ```
//!
//! For a wall the cone's tip is a segment instead of a point, grown by the distance to keep, and the share is 1.
//!
//! Cost: constant for each. For neighbours without branches that depend on geometry, so that it can be done in lanes.
//!
//! Sources: Jur van den Berg, Stephen Guy, Ming Lin, Dinesh Manocha, "Reciprocal n-body collision avoidance", 2011; the
//! cases of a neighbour and of a wall (tip, corners, legs) follow the authors' RVO2 Library.

use super::agent::{AgentState, Neighbour, Wall};
use glam::Vec2;

/// The velocities `v` with `v · normal >= offset`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HalfPlane {
    /// Unit vector into the admissible half.
    pub normal: Vec2,
    /// Position of the border along the normal, m/s.
    pub offset: f32,
}

impl HalfPlane {
    /// How far `v` is from being admissible, m/s; 0 or less if it is.
    #[must_use]
    pub fn violation(&self, v: Vec2) -> f32 {
        self.offset - self.normal.dot(v)
    }
}

/// Horizons in seconds, all above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Horizons {
    pub(super) moving: f32,
    pub(super) walls: f32,
    pub(super) overlap: f32,
}

/// The half-plane for a neighbour.
pub(super) fn of_neighbour(agent: &AgentState, other: &Neighbour, horizons: &Horizons) -> HalfPlane {
    let p = other.position - agent.position;
    let v = agent.velocity - other.velocity;
    let radius = agent.radius + other.radius;
    let distance2 = p.x * p.x + p.y * p.y;
    let radius2 = radius * radius;
    let overlapping = distance2 <= radius2;
    // From the center of the tip to the relative velocity. Agents that overlap already separate within a shorter time.
    let inverse_horizon = 1.0 / if overlapping { horizons.overlap } else { horizons.moving };
    let w = Vec2::new(v.x - p.x * inverse_horizon, v.y - p.y * inverse_horizon);
    let along = w.x * p.x + w.y * p.y;
    let w2 = w.x * w.x + w.y * w.y;
    let (normal, way_out) = if overlapping || (along < 0.0 && along * along > radius2 * w2) {
        let length = w2.sqrt();
        let normal = if length > 0.0 { w / length } else { away(p, distance2) };
        (normal, radius * inverse_horizon - length)
    } else {
        let leg = (distance2 - radius2).sqrt();
        // The nearer leg of the cone; head-on the left one, which the other agent chooses too.
        let leg = if p.x * w.y - p.y * w.x >= 0.0 { leg } else { -leg };
        let normal = Vec2::new(-(p.x * radius) - p.y * leg, p.x * leg - p.y * radius) / distance2;
        (normal, -(v.x * normal.x + v.y * normal.y))
    };
    let own = agent.velocity.x * normal.x + agent.velocity.y * normal.y;
    HalfPlane { normal, offset: own + other.bounded_share() * way_out }
}

/// Direction away from a neighbour at `p`; arbitrary if both are at the same position.
fn away(p: Vec2, distance2: f32) -> Vec2 {
    if distance2 > 0.0 { p / -distance2.sqrt() } else { Vec2::X }
}

/// The half-plane for a wall relative to the agent; `None` if the wall is too far away to be reached within the
/// horizon.
pub(super) fn of_wall(agent: &AgentState, wall: &Wall, horizons: &Horizons) -> Option<HalfPlane> {
    let keep = agent.wall_distance.max(0.0);
    let nearest = wall.nearest(Vec2::ZERO);
    let distance2 = nearest.length_squared();
    let reach = keep + agent.max_speed * horizons.walls;
    if distance2.is_nan() || distance2 > reach * reach {
        return None;
    }
    if distance2 <= keep * keep || distance2 <= 1e-6 {
        // In contact: do not approach further.
        let facing = wall.normal_towards(Vec2::ZERO);
        let normal = if distance2 > 1e-6 { nearest / -distance2.sqrt() } else { facing };
        return (normal != Vec2::ZERO).then_some(HalfPlane { normal, offset: 0.0 });
    }
    Some(border_of_wall_cone(wall.a, wall.b, keep, agent.velocity, horizons.walls))
}

/// The border of a wall's velocity obstacle at the point nearest to `v`: its flat end, one of the round corners, or a
/// leg.
fn border_of_wall_cone(a: Vec2, b: Vec2, keep: f32, v: Vec2, horizon: f32) -> HalfPlane {
    // `left` is the end on the left of an agent that faces the wall.
    let (left, right) = if a.perp_dot(b) > 0.0 { (b, a) } else { (a, b) };
    let left_leg = tangent(left, keep);
    let right_leg = tangent(right, -keep);
    let left_tip = left / horizon;
    let right_tip = right / horizon;
    let cut = right_tip - left_tip;
    let along_cut = if cut.length_squared() > 0.0 { (v - left_tip).dot(cut) / cut.length_squared() } else { 0.5 };
    let along_left = (v - left_tip).dot(left_leg);
    let along_right = (v - right_tip).dot(right_leg);
    let round = |tip: Vec2| {
        let normal = (v - tip).try_normalize().unwrap_or_else(|| -tip.normalize_or(Vec2::X));
        HalfPlane { normal, offset: normal.dot(tip) + keep / horizon }
    };
    if along_cut < 0.0 && along_left < 0.0 {
        return round(left_tip);
    }
    if along_cut > 1.0 && along_right < 0.0 {
        return round(right_tip);
    }
    let flat = |normal: Vec2, through: Vec2| HalfPlane { normal, offset: normal.dot(through) + keep / horizon };
    // Of the straight parts beside `v`, the nearest.
    let mut best = (f32::INFINITY, flat(-left_tip.normalize_or(Vec2::X), left_tip));
    let mut offer = |beside: bool, plane: HalfPlane| {
        let distance = plane.violation(v).abs();
        if beside && distance < best.0 {
            best = (distance, plane);
        }
    };
    let facing = Vec2::new(-cut.y, cut.x).normalize_or_zero();
    let facing = if facing.dot(left_tip) > 0.0 { -facing } else { facing };
    offer((0.0..=1.0).contains(&along_cut) && facing != Vec2::ZERO, flat(facing, left_tip));
    offer(along_left >= 0.0, flat(left_leg.perp(), left_tip));
    offer(along_right >= 0.0, flat(-right_leg.perp(), right_tip));
    best.1
}

/// Unit direction from the origin along the tangent of the circle of radius |`side`| around `p`, on its left for a positive
/// `side`, on its right for a negative one.
fn tangent(p: Vec2, side: f32) -> Vec2 {
    let distance2 = p.length_squared();
    let leg = (distance2 - side * side).max(0.0).sqrt();
    Vec2::new(p.x * leg - p.y * side, p.x * side + p.y * leg).normalize_or(Vec2::X)
}
