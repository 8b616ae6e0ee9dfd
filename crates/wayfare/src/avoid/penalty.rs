//! The penalty of a velocity, by which the sampling methods choose.
//!
//! ```text
//! penalty =  desired × |v - v_desired| / v_max      deviation from the desired velocity
//!          + current × |v - v_now| / v_max          change of the current velocity
//!          + side    × mean over neighbours         passing on the wrong side, 0…1
//!          + impact  × 1 / (0.1 + t / horizon)      t: the first collision, at most the horizon
//! ```
//!
//! Terms of neighbours are scaled by the [burden](super::Surroundings): less for an agent that others give way to. A
//! small change of its own velocity separates it from them as much as a large one of theirs. If a collision cost the
//! same for both, it would swerve first, since that costs it little, and those that should give way would have nothing
//! left to do. With the scaling both see the same sum in their own units. The side term is scaled by the square of the
//! burden: it requires the same relative speed of everybody, and choosing the side is itself part of giving way.
//!
//! Nothing is forbidden, only expensive. So there is always a result, and a risk is taken if everything else is worse.
//! Towards a neighbour the velocity that counts is the relative one when the agent makes its share of the change
//! (reciprocal velocity obstacles).
//!
//! Eight velocities are evaluated at once, one per lane, and none is abandoned early: on a modern machine that is
//! cheaper than finding out which ones could be. [Neighbours](super::discs) and [walls](super::lines) are prepared in
//! lanes too, and three vectors of eight velocities share each load of them. The operations and their order are the
//! same on every machine, and so are the bits.
//!
//! Cost: O(velocities × (neighbours + walls)).
//!
//! Sources: Paolo Fiorini, Zvi Shiller, "Motion planning in dynamic environments using velocity obstacles", 1998; Jur
//! van den Berg, Ming Lin, Dinesh Manocha, "Reciprocal velocity obstacles for real-time multi-agent navigation", 2008;
//! Mikko Mononen, "Custom hRVO", Digesting Duck, March 2010.

use super::agent::AgentState;
use super::candidates::{Candidates, Eight};
use super::discs::wrong_side;
use super::obstacles::PreparedObstacles;
use super::sample_weights::SampleWeights;
use crate::math::lanes::{Pair, at_lane, dot, greatest, next_bit, pair};
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, u32x8};
use glam::Vec2;

/// What is the same for all velocities of one agent.
pub(super) struct Judge<'a> {
    obstacles: &'a PreparedObstacles,
    desired: Vec2,
    current: Vec2,
    /// The weights, each divided by what its term is divided by.
    per_desired: f32,
    per_current: f32,
    per_side: f32,
    impact: f32,
    /// The weight of collisions with neighbours, and a constant that makes no collision with neighbours cost as much as
    /// none with walls.
    impact_of_others: f32,
    even: f32,
    /// One over four times the greatest speed, s/m: scales an approach.
    per_approach: f32,
}

impl<'a> Judge<'a> {
    pub(super) fn new(obstacles: &'a PreparedObstacles, agent: &AgentState, weights: &SampleWeights) -> Self {
        let per_speed = 1.0 / agent.max_speed;
        let burden = obstacles.burden;
        let impact_of_others = weights.impact * burden;
        Self {
            obstacles,
            desired: agent.goal_velocity(),
            current: agent.velocity,
            per_desired: weights.desired * per_speed,
            per_current: weights.current * per_speed,
            // `wrong_side` returns twice the value.
            per_side: 0.5 * weights.side * burden * burden / obstacles.count.max(1) as f32,
            impact: weights.impact,
            impact_of_others,
            even: (weights.impact - impact_of_others) / (1.0 + SOONEST),
            per_approach: 0.25 * per_speed,
        }
    }

    /// Evaluates all candidates. Returns the best (of equal ones the first) and its penalty, which is infinite if there
    /// is none.
    #[inline(always)]
    pub(super) fn best<S: Simd>(&self, simd: S, candidates: &mut Candidates) -> (Vec2, f32) {
        let mut best = Best { penalty: f32x8::splat(simd, f32::INFINITY), number: u32x8::splat(simd, 0) };
        let mut number = 0;
        // Three vectors at a time, the size of most patterns, so that the data of a neighbour is loaded once.
        for eights in candidates.eights.chunks_mut(3) {
            match eights {
                [a] => self.judge(simd, [a], number, &mut best),
                [a, b] => self.judge(simd, [a, b], number, &mut best),
                [a, b, c] => self.judge(simd, [a, b, c], number, &mut best),
                _ => {}
            }
            number += 3;
        }
        let (penalties, numbers): ([f32; 8], [u32; 8]) = (best.penalty.into(), best.number.into());
        // As integers in the same order, with the index in the low bits: the least is found without a branch.
        let mut least = i64::MAX;
        for (lane, (&penalty, &number)) in penalties.iter().zip(&numbers).enumerate() {
            let bits = penalty.to_bits() as i32;
            let ordered = bits ^ ((bits >> 31) as u32 >> 1) as i32;
            least = least.min(i64::from(ordered) << 32 | i64::from(number * 8 + lane as u32));
        }
        let eight = least as u32 as usize / 8;
        let lane = least as usize % 8;
        match candidates.eights.get(eight) {
            Some(eight) if eight.penalty[lane] < f32::INFINITY => (at_lane(&eight.v, lane), eight.penalty[lane]),
            _ => (Vec2::ZERO, f32::INFINITY),
        }
    }

    /// Evaluates `N` vectors of eight velocities; `number` is the index of the first.
    #[inline(always)]
    fn judge<S: Simd, const N: usize>(&self, simd: S, eights: [&mut Eight; N], number: u32, best: &mut Best<S>) {
        let mut v: [Pair<S>; N] = [[f32x8::splat(simd, 0.0); 2]; N];
        for (v, eight) in v.iter_mut().zip(&eights) {
            *v = pair(simd, &eight.v);
        }
        // Collisions beyond the horizon count as at the horizon. Nothing here is NaN except unused lanes and the
        // urgency of misses, which `greatest` drops.
        let one = f32x8::splat(simd, 1.0);
        let mut urgency = [one; N];
        let mut side = [f32x8::splat(simd, 0.0); N];
        let PreparedObstacles { discs, lines, ends, .. } = self.obstacles;
        for eight in discs {
            for lane in 0..eight.count.min(8) {
                for k in 0..N {
                    let motion = eight.motion(v[k], lane);
                    side[k] += wrong_side(motion);
                    urgency[k] = eight.sooner(motion, lane, urgency[k]);
                }
            }
            let mut inside = eight.inside;
            while inside != 0 {
                let lane = next_bit(&mut inside) % 8;
                for k in 0..N {
                    let motion = eight.motion(v[k], lane);
                    urgency[k] = greatest(eight.urgency_inside(simd, motion, lane, self.per_approach), urgency[k]);
                }
            }
        }
        // Usually neighbours and walls have the same weight, and one division is enough.
        let mut others = [f32x8::splat(simd, 0.0); N];
        if self.impact_of_others != self.impact {
            for k in 0..N {
                others[k] = price(simd, self.impact_of_others, urgency[k]) + self.even;
                urgency[k] = one;
            }
        }
        for line in lines {
            for k in 0..N {
                urgency[k] = line.sooner(v[k], urgency[k]);
            }
        }
        for eight in ends {
            for lane in 0..eight.count.min(8) {
                for k in 0..N {
                    urgency[k] = eight.sooner(eight.motion(v[k], lane), lane, urgency[k]);
                }
            }
        }
        // A loop, not a closure over an array: closures are compiled without the machine's vector instructions.
        for (k, eight) in eights.into_iter().enumerate() {
            let sum = distance(v[k], self.desired) * self.per_desired
                + distance(v[k], self.current) * self.per_current
                + side[k] * self.per_side
                + greatest(price(simd, self.impact, urgency[k]), others[k]);
            eight.penalty = sum.into();
            let better = sum.simd_lt(best.penalty);
            best.penalty = better.select(sum, best.penalty);
            best.number = better.select(u32x8::splat(simd, number + k as u32), best.number);
        }
    }
}

/// Earlier collisions count as after this fraction of the horizon.
const SOONEST: f32 = 0.1;

/// The penalty of a collision with this urgency.
#[inline(always)]
fn price<S: Simd>(simd: S, impact: f32, urgency: f32x8<S>) -> f32x8<S> {
    f32x8::splat(simd, impact) / (f32x8::splat(simd, 1.0) / urgency + SOONEST)
}

/// The least penalty so far in every lane, and the index of the eight that it is in.
struct Best<S: Simd> {
    penalty: f32x8<S>,
    number: u32x8<S>,
}

#[inline(always)]
fn distance<S: Simd>(v: Pair<S>, from: Vec2) -> f32x8<S> {
    let to = [v[0] - from.x, v[1] - from.y];
    dot(to, to).sqrt()
}
