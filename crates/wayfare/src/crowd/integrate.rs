//! Phase 8: limits accelerations and moves the agents.
//!
//! Cost: a few operations per agent.
//!
//! Sources: Mikko Mononen, "Oh, it moves!", Digesting Duck, August 2010.

use super::agent::Agent;
use super::hot::finite;
use super::parallel::for_each2;
use super::step::seconds;
use super::{Crowd, steering};
use crate::corridor::CornerAt;
use crate::math::plane;
use glam::Vec3;

/// Slower than this, m/s, counts as standing still.
const STANDING: f32 = 1e-4;

impl Crowd {
    /// Sets each agent's velocity and next position.
    pub fn integrate(&mut self, dt: f32) {
        let dt = seconds(dt);
        let Self { agents, hot, pool, .. } = self;
        let position = &hot.position;
        let present = &hot.present;
        let held = &hot.held;
        let avoiding = &hot.avoiding;
        for_each2((&mut hot.velocity, &mut hot.next), pool, |i, (velocity, next), _| {
            *next = position[i];
            let agent = &agents[i];
            if !present[i] || held[i] || !agent.is_on_ground() {
                *velocity = Vec3::ZERO;
                return;
            }
            if !Self::drives(&agent.params) {
                return;
            }
            *velocity = steering::accelerate(*velocity, finite(avoiding[i]), agent.params.max_acceleration * dt);
            if velocity.length_squared() < STANDING * STANDING {
                *velocity = Vec3::ZERO;
            }
            let step = *velocity * dt;
            *next += step * agent.part_to_end(position[i], step);
        });
    }
}

impl Agent {
    /// The fraction of a step after which it is level with the end of its path and can only go straight there: in a
    /// long tick it would walk past the end, and back in the next.
    fn part_to_end(&self, position: Vec3, step: Vec3) -> f32 {
        let [corner] = self.corners[..] else { return 1.0 };
        let to_end = plane::xz(corner.point - position);
        let along = plane::xz(step).dot(to_end);
        let whole = to_end.length_squared();
        if corner.at == CornerAt::End && along > whole { whole / along } else { 1.0 }
    }
}
