//! The trait of all avoidance methods.

use super::{AvoidScratch, Surroundings};
use glam::Vec2;

/// Chooses velocities that avoid neighbours and walls.
pub trait Avoider: Send + Sync {
    /// The velocity for one agent: finite, and no faster than its `max_speed`. Depends only on the arguments; `scratch`
    /// is memory that is reused between calls.
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2;

    /// The velocities of many agents: bit for bit those of single calls, but faster for methods that work on several
    /// agents at once. `out[i]` is the velocity for `many[i]`; agents beyond the length of either are skipped.
    fn velocities(&self, many: &[Surroundings<'_>], out: &mut [Vec2], scratch: &mut AvoidScratch) {
        for (around, out) in many.iter().zip(out) {
            *out = self.velocity(around, scratch);
        }
    }
}
