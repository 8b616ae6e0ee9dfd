//! Which neighbours can matter to any velocity of a pattern.
//!
//! All velocities of a pattern lie in a disc, so relative to a neighbour they lie in one too, and what the agent sweeps
//! with all of them is a cone that widens by that disc's radius. A neighbour outside of it is met by none within the
//! horizon, and one that all of them pass on its good side is on nobody's wrong side: neither adds anything to a
//! penalty. The closer a pattern is drawn around the best velocity, the fewer are left.
//!
//! ```text
//!            ___ - - -
//!    agent (_)----->     - -      ( other ) is left out: at no time is it nearer to the middle of the cone than
//!            ‾‾‾ - - -              both radii and as much as the cone has widened by then
//! ```
//!
//! The cone is taken a little too wide, so that rounding leaves nobody out that counts.
//!
//! Cost: some thirty operations for eight neighbours.
//!
//! Sources: own; the quadratic is that of two growing discs, as for a velocity obstacle.

use super::lanes::{bits, dot, load, pair};
use super::obstacles::Discs;
use fearless_simd::prelude::*;
use glam::Vec2;

/// A disc that holds all velocities that are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) center: Vec2,
    pub(super) radius: f32,
}

/// How much wider the cone is taken: of the extent, and of the relative velocity.
const WIDER: f32 = 1.01;
const ASKEW: f32 = 1e-3;

/// The lanes of neighbours that some velocity of the extent may meet, those in touch left out, and of those that some
/// passes on the wrong side.
#[inline(always)]
pub(super) fn concerned<S: Simd>(simd: S, discs: &Discs, extent: Extent, per_horizon: f32) -> (u32, u32) {
    let (reaction, drift) = (load(simd, &discs.reaction), pair(simd, &discs.drift));
    let relative = [reaction * extent.center.x + drift[0], reaction * extent.center.y + drift[1]];
    let spread = reaction * (extent.radius * WIDER) + (relative[0].abs() + relative[1].abs()) * ASKEW;
    let towards = dot(relative, pair(simd, &discs.center));
    // Squared distance less what is swept, over time: gap - 2 b t + a t². What is not a number rules nobody out, nor
    // what is in touch: two of no size in one place meet at once.
    let (gap, radius) = (load(simd, &discs.gap), load(simd, &discs.radius));
    let (a, b) = (dot(relative, relative) - spread * spread, towards + radius * spread);
    let least_outside = b.simd_le(0.0) | b.simd_ge(a) | (b * b).simd_lt(a * gap);
    let missed = gap.simd_gt(0.0) & (a - b - b + gap).simd_gt(0.0) & least_outside;
    let behind = towards * load(simd, &discs.per_towards) + spread * (0.5 * per_horizon) + 0.5;
    let aside = dot(relative, pair(simd, &discs.aside)) + spread * (2.0 * per_horizon);
    let passed = behind.simd_le(0.0) | aside.simd_le(0.0);
    (discs.seen & !discs.inside & !bits(missed), discs.seen & !bits(passed))
}
