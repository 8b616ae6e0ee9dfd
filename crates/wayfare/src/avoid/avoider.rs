//! The trait that all methods share.

use super::{AvoidScratch, Surroundings};
use glam::Vec2;

/// Chooses velocities that avoid what is near.
pub trait Avoider: Send + Sync {
    /// The velocity for one agent: finite, and no faster than its `max_speed`. Depends on nothing but the arguments;
    /// `scratch` is memory that is kept between calls.
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2;

    /// The velocities of many agents: the same bits as asking one by one, but methods that work on several agents at
    /// once are faster here. `out[i]` is the answer for `many[i]`; agents beyond the length of either are not asked.
    fn velocities(&self, many: &[Surroundings<'_>], out: &mut [Vec2], scratch: &mut AvoidScratch) {
        for (around, out) in many.iter().zip(out) {
            *out = self.velocity(around, scratch);
        }
    }
}
