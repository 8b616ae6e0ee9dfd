//! The data of other agents that phases read: one array for each quantity, indexed by agent.
//!
//! | array | read by the loop over neighbours of |
//! |---|---|
//! | `position`, `height` | neighbours |
//! | `seen`: the place, velocities, radius and priority | avoid |
//! | `bodies`: the next place, radius and priority | resolve |
//! | `arrived`, `rests`, `goal` | steer, avoid, constrain |

use super::avoidance::Seen;
use super::destination::Destination;
use super::resolve::Body;
use crate::avoid::Standing;
use glam::{Vec2, Vec3};

/// The arrays. All have the same length; indices without an agent are not `present`.
#[derive(Clone, Debug, Default)]
pub(super) struct Hot {
    pub(super) present: Vec<bool>,
    /// Whether it stands still in any case: paused, or without a surface.
    pub(super) held: Vec<bool>,
    pub(super) position: Vec<Vec3>,
    pub(super) velocity: Vec<Vec3>,
    /// The velocity that steering wants.
    pub(super) desired: Vec<Vec3>,
    /// The velocity that avoidance chose.
    pub(super) avoiding: Vec<Vec3>,
    /// What others see of the agent while velocities are chosen.
    pub(super) seen: Vec<Seen>,
    /// The next position of the agent.
    pub(super) next: Vec<Vec3>,
    /// The same in the plane while overlaps are resolved, and by how much a round moves it.
    pub(super) bodies: Vec<Body>,
    pub(super) shift: Vec<Vec2>,
    /// The radius that others currently see: less than the agent's own while it squeezes through.
    pub(super) radius: Vec<f32>,
    pub(super) height: Vec<f32>,
    /// The priority that others currently see.
    pub(super) priority: Vec<f32>,
    /// Whether it has nowhere to go, or has arrived there.
    pub(super) arrived: Vec<bool>,
    /// Whether it also stands still, and has found no nearer position.
    pub(super) rests: Vec<bool>,
    /// Where it is going, or has arrived.
    pub(super) goal: Vec<Destination>,
}

impl Hot {
    pub(super) fn len(&self) -> usize {
        self.present.len()
    }

    /// Where an agent stands.
    #[inline]
    pub(super) fn standing(&self, agent: u32) -> Standing {
        Standing { feet: self.position[agent as usize].y, height: self.height[agent as usize] }
    }

    /// Makes room for one more agent.
    pub(super) fn grow(&mut self) {
        self.present.push(false);
        self.held.push(false);
        self.arrived.push(false);
        self.rests.push(false);
        self.goal.push(Destination::default());
        for array in [&mut self.position, &mut self.velocity, &mut self.desired, &mut self.avoiding, &mut self.next] {
            array.push(Vec3::ZERO);
        }
        self.shift.push(Vec2::ZERO);
        for array in [&mut self.radius, &mut self.height, &mut self.priority] {
            array.push(0.0);
        }
    }

    /// Puts an agent at a position. It stands there, and others see nothing of where it was going or rested before.
    pub(super) fn put(&mut self, i: usize, at: Vec3) {
        (self.position[i], self.next[i]) = (at, at);
        (self.velocity[i], self.desired[i], self.avoiding[i]) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        (self.arrived[i], self.rests[i], self.goal[i]) = (false, false, Destination::default());
    }
}

/// A velocity given by the game, with a square that is finite, too; zero if it is NaN or infinite.
pub(super) fn finite(velocity: Vec3) -> Vec3 {
    const MOST: Vec3 = Vec3::splat(1e18);
    if velocity.is_finite() { velocity.clamp(-MOST, MOST) } else { Vec3::ZERO }
}
