//! Velocity obstacles as convex regions: the velocities that lead to a collision within a horizon.
//!
//! ```text
//!    \                 /     left and right: tangents of the disc of both radii, seen from the agent
//!     \               /
//!      \   ( p/τ )   /       the disc, as near as it is at the horizon τ
//!     left         right     shoulders: where the tangents touch it
//!         `.     .'
//!           `tip'            the spike: instead of the round end, or the butt end of ClearPath, a point that reaches
//!             .              some of the way to the apex
//!            apex
//! ```
//!
//! With a round or blunt end, an agent that meets another head-on does not react until the end reaches its velocity,
//! and then abruptly. The spike is met early and pushes gently to one side or the other. If one side is made wider,
//! left and right differ, which decides the side on which to pass.
//!
//! For reciprocity the region is scaled, around the current velocity, by the agent's share of the avoidance.
//!
//! Cost: constant for each neighbour and wall.
//!
//! Sources: Paolo Fiorini, Zvi Shiller, "Motion planning in dynamic environments using velocity obstacles", 1998;
//! Stephen Guy et al., "ClearPath", 2009; Mikko Mononen, "Geometric vs. Sampling", Digesting Duck, March 2010.

use super::agent::{AgentState, Neighbour, Wall};
use glam::Vec2;

/// A straight piece of a region's border. The region lies on the side opposite to `outward`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub(super) from: Vec2,
    /// Unit vector.
    pub(super) along: Vec2,
    /// Infinite for a leg.
    pub(super) length: f32,
    /// Unit normal that leaves the region.
    pub(super) outward: Vec2,
}

/// A convex region of velocities: a spike with two infinite legs.
#[derive(Clone, Copy, Debug)]
pub(super) struct VelocityObstacle {
    /// Left leg, left side of the spike, right side of the spike, right leg.
    pub(super) edges: [Edge; 4],
}

/// The tip of a region and how it opens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wedge {
    pub(super) tip: Vec2,
    /// The shoulders.
    pub(super) left: Vec2,
    pub(super) right: Vec2,
    /// Unit directions of the legs.
    pub(super) left_leg: Vec2,
    pub(super) right_leg: Vec2,
}

impl VelocityObstacle {
    pub(super) fn new(wedge: &Wedge) -> Self {
        let edge = |from: Vec2, along: Vec2, length: f32, outward: Vec2| Edge { from, along, length, outward };
        let side = |from: Vec2, to: Vec2, turn: fn(Vec2) -> Vec2| {
            let along = (to - from).normalize_or_zero();
            edge(from, along, from.distance(to), turn(along))
        };
        Self {
            edges: [
                edge(wedge.left, wedge.left_leg, f32::INFINITY, wedge.left_leg.perp()),
                side(wedge.tip, wedge.left, Vec2::perp),
                side(wedge.tip, wedge.right, |v| -v.perp()),
                edge(wedge.right, wedge.right_leg, f32::INFINITY, -wedge.right_leg.perp()),
            ],
        }
    }

    /// The velocities behind the border through `through` with this outward normal.
    fn half_plane(through: Vec2, outward: Vec2) -> Self {
        Self::new(&Wedge {
            tip: through,
            left: through,
            right: through,
            left_leg: -outward.perp(),
            right_leg: outward.perp(),
        })
    }

    /// The outline, with legs of this length: left leg, left shoulder, tip, right shoulder, right leg.
    pub(super) fn outline(&self, leg: f32) -> [Vec2; 5] {
        let [left, side, _, right] = self.edges;
        [left.from + left.along * leg, left.from, side.from, right.from, right.from + right.along * leg]
    }

    /// Whether `v` is inside by more than `margin`.
    pub(super) fn contains(&self, v: Vec2, margin: f32) -> bool {
        self.edges.iter().all(|e| e.length == 0.0 || e.outward.dot(v - e.from) < -margin)
    }

    /// The interval of t in which the line `from + t × along` is inside by more than `margin`; empty if its start is
    /// not less than its end.
    pub(super) fn cover(&self, from: Vec2, along: Vec2, margin: f32) -> (f32, f32) {
        let mut enter = f32::NEG_INFINITY;
        let mut leave = f32::INFINITY;
        for edge in self.edges.iter().filter(|e| e.length > 0.0) {
            let height = edge.outward.dot(from - edge.from) + margin;
            let climb = edge.outward.dot(along);
            if climb.abs() < 1e-6 {
                if height >= 0.0 {
                    return (0.0, 0.0);
                }
            } else if climb < 0.0 {
                enter = enter.max(-height / climb);
            } else {
                leave = leave.min(-height / climb);
            }
        }
        (enter, leave)
    }
}

/// Which side of a neighbour's region is widened, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Widen {
    /// The leg on the wrong side is turned outwards by this angle, radians.
    Angle(f32),
    /// On the wrong side the region is that of a neighbour that does not give way: the hybrid of both.
    Hybrid,
}

/// Parameters of the regions.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObstacleShape {
    pub(super) horizon: f32,
    pub(super) wall_horizon: f32,
    pub(super) overlap_time: f32,
    /// How far the spike extends from the disc to the apex, 0…1.
    pub(super) spike: f32,
    pub(super) widen: Widen,
}

/// The region of a neighbour.
pub(super) fn of_neighbour(agent: &AgentState, other: &Neighbour, shape: &ObstacleShape) -> VelocityObstacle {
    let p = other.position - agent.position;
    let share = other.bounded_share();
    let radius = agent.radius + other.radius;
    let distance = p.length();
    let relative = agent.velocity - other.velocity;
    // The velocity at which the pair, each changing its share, would no longer approach each other.
    let apex = agent.velocity - relative * share;
    if distance <= radius {
        let away = if distance > 0.0 { -p / distance } else { Vec2::X };
        let part = (radius - distance) / shape.overlap_time * share;
        return VelocityObstacle::half_plane(apex + away * part, away);
    }
    let leg = (distance * distance - radius * radius).sqrt();
    let along = |side: f32| Vec2::new(p.x * leg - p.y * side, p.x * side + p.y * leg) / (distance * distance);
    let mut left_leg = along(radius);
    let mut right_leg = along(-radius);
    // Both pass on the side they are heading for; head-on, both on the same side.
    let bound = agent.desired - other.desired;
    let passes_left = p.perp_dot(bound) >= -1e-3 * distance * bound.length();
    let mut base = apex;
    match shape.widen {
        Widen::Angle(angle) => {
            let turn = |v: Vec2, angle: f32| Vec2::new(v.x - angle * v.y, v.y + angle * v.x).normalize_or(v);
            if passes_left {
                right_leg = turn(right_leg, -angle);
            } else {
                left_leg = turn(left_leg, angle);
            }
        }
        Widen::Hybrid => {
            let (kept, widened) = if passes_left { (left_leg, right_leg) } else { (right_leg, left_leg) };
            // The intersection of the kept leg through the reciprocal apex and the widened leg through the other's
            // velocity.
            let cross = kept.perp_dot(widened);
            if cross.abs() > 1e-4 {
                base = apex + kept * ((other.velocity - apex).perp_dot(widened) / cross);
            }
        }
    }
    let reach = match shape.widen {
        Widen::Angle(_) => share,
        // Between a neighbour that gives way and one that does not, the same for any share: if it began nearer to the
        // apex, the region would extend far beyond the horizon for those with the least share.
        Widen::Hybrid => 0.5,
    } / shape.horizon;
    VelocityObstacle::new(&Wedge {
        tip: base + p * ((1.0 - radius / distance) * reach * (1.0 - shape.spike)),
        left: base + left_leg * (leg * reach),
        right: base + right_leg * (leg * reach),
        left_leg,
        right_leg,
    })
}

/// The region of a wall relative to the agent; `None` if it cannot be reached within the horizon.
pub(super) fn of_wall(agent: &AgentState, wall: &Wall, shape: &ObstacleShape) -> Option<VelocityObstacle> {
    let keep = agent.wall_distance.max(0.0);
    let nearest = wall.nearest(Vec2::ZERO);
    let distance = nearest.length();
    if distance.is_nan() || distance > keep + agent.max_speed * shape.wall_horizon {
        return None;
    }
    let facing = wall.normal_towards(Vec2::ZERO);
    if distance <= keep + 1e-3 {
        let outward = if distance > 1e-3 { -nearest / distance } else { facing };
        return (outward != Vec2::ZERO).then(|| VelocityObstacle::half_plane(Vec2::ZERO, outward));
    }
    let Wall { a, b } = *wall;
    let (left, right) = if a.perp_dot(b) > 0.0 { (b, a) } else { (a, b) };
    let tangent = |end: Vec2, side: f32| {
        let leg = (end.length_squared() - side * side).max(0.0).sqrt();
        let along = Vec2::new(end.x * leg - end.y * side, end.x * side + end.y * leg).normalize_or(Vec2::X);
        (along, along * (leg / shape.wall_horizon))
    };
    let (left_leg, left) = tangent(left, keep);
    let (right_leg, right) = tangent(right, -keep);
    let tip = nearest * ((distance - keep) / distance / shape.wall_horizon);
    Some(VelocityObstacle::new(&Wedge { tip, left, right, left_leg, right_leg }))
}
