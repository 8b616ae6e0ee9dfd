//! Phase 8: velocities change no faster than agents can, and places follow.
//!
//! Cost: a few operations an agent.
//!
//! Sources: Mikko Mononen, "Oh, it moves!", Digesting Duck, August 2010.

use super::hot::finite;
use super::parallel::for_each2;
use super::step::seconds;
use super::{Crowd, steering};
use glam::Vec3;

/// Slower than this, m/s, is standing still.
const STANDING: f32 = 1e-4;

impl Crowd {
    /// Sets each agent's velocity and where it is about to be.
    pub fn integrate(&mut self, dt: f32) {
        let dt = seconds(dt);
        let Self { agents, hot, pool, .. } = self;
        let (position, present, held, avoiding) = (&hot.position, &hot.present, &hot.held, &hot.avoiding);
        for_each2((&mut hot.velocity, &mut hot.next), pool, |i, (velocity, next), _| {
            *next = position[i];
            let agent = &agents[i];
            if !present[i] || held[i] || agent.link.is_some() {
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
            *next += *velocity * dt;
        });
    }
}
