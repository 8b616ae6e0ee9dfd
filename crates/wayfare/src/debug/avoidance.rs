//! Draws what an agent of a crowd sees and avoids, and velocities.
//!
//! ```text
//!   on the ground: walls, neighbours, velocities      on a board: each velocity is a place, zero in the middle
//! ```
//!
//! Sources: the pictures in Mikko Mononen's posts on velocity obstacles, Digesting Duck, 2010.

use super::{DebugSink, Role};
use crate::crowd::Sight;
use glam::{Vec2, Vec3};

/// Draws what an agent sees, at a height: the walls, a line to each neighbour, everybody's velocity and, as path 0, the
/// velocity that it wants.
pub fn draw_sight(sight: &Sight, y: f32, sink: &mut impl DebugSink) {
    let ground = |p: Vec2| Vec3::new(p.x, y, p.y);
    for wall in &sight.walls {
        sink.line(&[wall.a, wall.b].map(ground), Role::Wall);
    }
    let own = sight.agent.position;
    for other in &sight.neighbours {
        sink.line(&[own, other.position].map(ground), Role::SearchTree);
        sink.line(&[other.position, other.position + other.velocity].map(ground), Role::OneWayConnection);
    }
    sink.line(&[own, own + sight.agent.velocity].map(ground), Role::OneWayConnection);
    sink.line(&[own, own + sight.agent.desired].map(ground), Role::Path(0));
}

/// Where velocities are drawn: zero at `middle`, a metre per second as `scale` metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityBoard {
    /// The place of velocity zero, metres.
    pub middle: Vec3,
    /// Metres for each m/s.
    pub scale: f32,
}

impl VelocityBoard {
    /// Where a velocity is drawn.
    #[must_use]
    pub fn at(&self, velocity: Vec2) -> Vec3 {
        self.middle + Vec3::new(velocity.x, 0.0, velocity.y) * self.scale
    }
}

/// Draws forbidden velocities: the outlines that [`ClearPath::regions`](crate::avoid::ClearPath::regions) and
/// [`Hrvo::regions`](crate::avoid::Hrvo::regions) give.
pub fn draw_velocity_obstacles(outlines: &[[Vec2; 5]], board: &VelocityBoard, sink: &mut impl DebugSink) {
    for outline in outlines {
        let corners = outline.map(|velocity| board.at(velocity));
        sink.polygon(&corners, Role::Solid);
        sink.line(&corners, Role::Wall);
    }
}

/// Draws velocities with their penalties, as [`Sampled::penalties`](crate::avoid::Sampled::penalties) gives them: the
/// cheapest as value 0, the most expensive as value 1.
pub fn draw_penalties(samples: &[(Vec2, f32)], board: &VelocityBoard, sink: &mut impl DebugSink) {
    let finite = samples.iter().map(|sample| sample.1).filter(|penalty| penalty.is_finite());
    let (least, most) = finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    for &(velocity, penalty) in samples {
        let value = (penalty - least) / (most - least).max(f32::MIN_POSITIVE);
        sink.point(board.at(velocity), Role::Value(if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::avoid::{AgentState, Avoidance, Neighbour, Wall};
    use crate::debug::ShapeList;

    #[test]
    fn all_that_is_seen_is_drawn() {
        let agent = AgentState {
            position: Vec2::ZERO,
            velocity: Vec2::X,
            desired: Vec2::Y,
            radius: 0.5,
            max_speed: 2.0,
            wall_distance: 0.0,
        };
        let other = Neighbour { position: Vec2::ONE, velocity: Vec2::X, desired: Vec2::X, radius: 0.5, share: 0.5 };
        let wall = Wall { a: Vec2::X, b: Vec2::Y };
        let sight = Sight { agent, neighbours: vec![other; 2], walls: vec![wall], method: Avoidance::None };
        let mut list = ShapeList::new();
        draw_sight(&sight, 3.0, &mut list);
        assert_eq!(list.shapes().len(), 1 + 2 * 2 + 2);
        assert_eq!(list.points(&list.shapes()[0]), [Vec3::new(1.0, 3.0, 0.0), Vec3::new(0.0, 3.0, 1.0)]);
    }

    #[test]
    fn penalties_become_values_from_the_cheapest_to_the_most_expensive() {
        let board = VelocityBoard { middle: Vec3::ONE, scale: 2.0 };
        let mut list = ShapeList::new();
        draw_penalties(&[(Vec2::X, 3.0), (Vec2::Y, 5.0), (Vec2::ZERO, f32::INFINITY)], &board, &mut list);
        let roles: Vec<Role> = list.shapes().iter().map(|shape| shape.role).collect();
        assert_eq!(roles, [0.0, 1.0, 1.0].map(Role::Value));
        assert_eq!(list.points(&list.shapes()[0]), [Vec3::new(3.0, 1.0, 1.0)]);
        draw_velocity_obstacles(&[[Vec2::ZERO; 5]], &board, &mut list);
        assert_eq!(list.shapes().len(), 5);
    }
}
