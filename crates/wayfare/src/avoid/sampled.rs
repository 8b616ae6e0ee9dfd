//! Full sampling: velocities on a square grid. Slow and smooth; the reference for the adaptive pattern.
//!
//! Cost: grid² samples.
//!
//! Sources: Mikko Mononen, "Custom hRVO" and "Geometric vs. Sampling", Digesting Duck, March 2010.

use super::agent::{Surroundings, capped};
use super::penalty::Judge;
use super::sample_weights::SampleWeights;
use super::{AvoidScratch, Avoider};
use crate::math::lanes::{Level, dispatch};
use fearless_simd::Simd;
use glam::Vec2;

/// Full sampling and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampled {
    /// Velocities along one side of the grid, 2…129. Default 33.
    pub grid: u32,
    /// The grid is centered on this fraction of the desired velocity, 0…1, and extends to the greatest speed. Default
    /// 0.4.
    pub velocity_bias: f32,
    /// The weights of the penalty.
    pub weights: SampleWeights,
}

impl Default for Sampled {
    fn default() -> Self {
        Self { grid: 33, velocity_bias: 0.4, weights: SampleWeights::default() }
    }
}

impl Sampled {
    /// The velocities that [`velocity`](Avoider::velocity) tries, each with its penalty, for drawing; replaced on every
    /// call.
    pub fn penalties(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch, out: &mut Vec<(Vec2, f32)>) {
        out.clear();
        self.best_at(Level::new(), around, scratch);
        out.extend(scratch.candidates.all());
    }

    /// Evaluates the whole grid; returns the best velocity.
    fn best_at(&self, level: Level, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        dispatch!(level, simd => self.best_of(simd, around, scratch))
    }

    #[inline(always)]
    fn best_of<S: Simd>(&self, simd: S, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        let AvoidScratch { obstacles, candidates, .. } = scratch;
        candidates.clear();
        let Some(agent) = &obstacles.prepare(simd, around, &self.weights) else { return Vec2::ZERO };
        let desired = agent.desired;
        let bias = self.velocity_bias.clamp(0.0, 1.0);
        let reach = agent.max_speed * (1.0 - bias);
        let grid = self.grid.clamp(2, 129);
        let step = 2.0 * reach / (grid - 1) as f32;
        let low = desired * bias - Vec2::splat(reach);
        candidates.push(desired);
        candidates.push(Vec2::ZERO);
        for row in 0..grid {
            for column in 0..grid {
                let v = low + Vec2::new(column as f32, row as f32) * step;
                if v.length_squared() <= agent.max_speed * agent.max_speed {
                    candidates.push(v);
                }
            }
        }
        Judge::new(obstacles, agent, &self.weights).best(simd, candidates).0
    }
}

impl Avoider for Sampled {
    fn velocity(&self, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
        capped(self.best_at(Level::new(), around, scratch), around.agent.max_speed)
    }
}
