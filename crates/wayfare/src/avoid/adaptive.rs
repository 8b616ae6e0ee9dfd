//! Adaptive sampling: velocities on rings that narrow down on the best one.
//!
//! A coarse pattern over all velocities is evaluated, then a pattern half as wide around the best of them, and so on: a
//! few dozen samples come close to what a grid of a thousand finds. The pattern points along the desired velocity, so
//! this velocity is itself a sample and an agent with no neighbours moves steadily. Zero velocity is tried as well;
//! without it, agents at a bottleneck push and swerve instead of waiting.
//!
//! Cost: depth × (divisions × rings + 1) samples.
//!
//! Sources: Mikko Mononen, "Path Following Performance pt. 2" and "RVO Sample Pattern", Digesting Duck, August and
//! October 2010.

use super::agent::{AgentState, Surroundings, capped};
use super::candidates::{Candidates, Laid};
use super::penalty::Judge;
use super::sample_weights::SampleWeights;
use super::{AvoidScratch, Avoider};
use crate::math::lanes::{Level, dispatch};
use fearless_simd::Simd;
use glam::Vec2;

/// Adaptive sampling and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Points on each ring, 1…64. Default 7.
    pub divisions: u32,
    /// Rings, 1…16. Default 3.
    pub rings: u32,
    /// Number of times the pattern is placed around the best velocity so far, each time half as wide, 1…16. Default 3.
    pub depth: u32,
    /// The first pattern is centered on this fraction of the desired velocity, 0…1, and extends to the greatest speed.
    /// Default 0.2: agents in a jam must find the velocities that give way, sideways and backwards. (Detour uses 0.5,
    /// and pushes through.)
    pub velocity_bias: f32,
    /// The weights of the penalty.
    pub weights: SampleWeights,
}

impl Default for Adaptive {
    /// The highest quality.
    fn default() -> Self {
        Self::quality(3)
    }
}

impl Adaptive {
    /// Detour's presets: 0 is the cheapest, 3 (and above) the best.
    #[must_use]
    pub fn quality(level: u32) -> Self {
        let (divisions, rings, depth) = match level {
            0 => (5, 2, 1),
            1 => (5, 2, 2),
            2 => (7, 2, 3),
            _ => (7, 3, 3),
        };
        Self { divisions, rings, depth, velocity_bias: 0.2, weights: SampleWeights::default() }
    }

    /// The velocities that [`velocity`](Avoider::velocity) tries, each with its penalty, for drawing: one list for each
    /// placement of the pattern.
    pub fn penalties(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch, out: &mut Vec<Vec<(Vec2, f32)>>) {
        out.clear();
        self.best_at(Level::new(), around, scratch, |tried| out.push(tried.all().collect()));
    }

    /// The best velocity and its penalty. Calls `visit` with the candidates.
    fn best_at(
        &self,
        level: Level,
        around: &Surroundings<'_>,
        scratch: &mut AvoidScratch,
        visit: impl FnMut(&Candidates),
    ) -> (Vec2, f32) {
        // Dispatch once for all vector code, so that values passed between its parts stay in registers.
        dispatch!(level, simd => self.best_of(simd, around, scratch, visit))
    }

    #[inline(always)]
    fn best_of<S: Simd>(
        &self,
        simd: S,
        around: &Surroundings<'_>,
        scratch: &mut AvoidScratch,
        mut visit: impl FnMut(&Candidates),
    ) -> (Vec2, f32) {
        let AvoidScratch { obstacles, pattern, candidates, .. } = scratch;
        let Some(agent) = &obstacles.prepare(simd, around, &self.weights) else { return (Vec2::ZERO, f32::INFINITY) };
        let desired = agent.desired;
        pattern.set(self.divisions.clamp(1, 64), self.rings.clamp(1, 16));
        let ahead = heading(agent);
        let bias = self.velocity_bias.clamp(0.0, 1.0);
        let mut center = desired * bias;
        let mut reach = agent.max_speed * (1.0 - bias);
        let mut best = (Vec2::ZERO, f32::INFINITY);
        let judge = Judge::new(obstacles, agent, &self.weights);
        for round in 0..self.depth.clamp(1, 16) {
            let also = (round == 0).then_some(desired);
            let laid = Laid { center, along: ahead * reach, max_speed: agent.max_speed, also };
            candidates.lay(simd, pattern, &laid);
            let found = judge.best(simd, candidates);
            visit(candidates);
            if found.1 < best.1 {
                best = found;
            }
            center = best.0;
            reach *= 0.5;
        }
        (capped(best.0, agent.max_speed), best.1)
    }

    #[cfg(test)]
    pub(super) fn least_penalty(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> f32 {
        self.best_at(Level::new(), around, scratch, |_| ()).1
    }
}

/// The direction of the pattern: that of the desired velocity, else of the current one.
fn heading(agent: &AgentState) -> Vec2 {
    let current = || agent.velocity.try_normalize().unwrap_or(Vec2::X);
    agent.desired.try_normalize().unwrap_or_else(current)
}

impl Avoider for Adaptive {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        self.best_at(Level::new(), around, scratch, |_| ()).0
    }
}
