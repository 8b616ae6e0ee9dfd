//! What speaks against a velocity: the measure by which the sampling methods choose.
//!
//! ```text
//! penalty =  desired × |v - v_desired| / v_max      how far from what is wanted
//!          + current × |v - v_now| / v_max          how abrupt
//!          + side    × mean over neighbours         passing on the wrong side, 0…1
//!          + impact  × 1 / (0.1 + t / horizon)      t: the first collision, at most the horizon
//! ```
//!
//! What speaks of neighbours counts by the [burden](super::Surroundings): less for an agent that others give way to.
//! By its own change of velocity it would part from them as much as they do by a greater one; were the price of a
//! collision the same for both, it would swerve first, since that costs it little, and nothing would be left to do
//! for those who are to give way. So both see the same sum, each in its own coin. The side counts by the square: it
//! asks for the same relative speed of everybody, and to choose it is itself a part of giving way.
//!
//! Nothing is forbidden, only dear; so there is always an answer, and a risk is taken where all else is worse. Towards
//! a neighbour the velocity that counts is the relative one if the agent makes its share of the change (reciprocal
//! velocity obstacles).
//!
//! Eight velocities are judged at once, one a lane, and none is given up early: on a modern machine that is cheaper
//! than to find out which ones could be. [Neighbours](super::discs) and [walls](super::lines) are prepared in lanes
//! too, and three times eight velocities share what is fetched of each. The operations and their order are the same on
//! every machine, so are the bits.
//!
//! Cost: O(velocities × (neighbours + walls)).
//!
//! Sources: Paolo Fiorini, Zvi Shiller, "Motion planning in dynamic environments using velocity obstacles", 1998; Jur
//! van den Berg, Ming Lin, Dinesh Manocha, "Reciprocal velocity obstacles for real-time multi-agent navigation", 2008;
//! Mikko Mononen, "Custom hRVO", Digesting Duck, March 2010.

use super::agent::AgentState;
use super::candidates::{Candidates, Eight};
use super::discs::wrong_side;
use super::lanes::{Pair, at_lane, dot, greatest, next_bit, pair};
use super::obstacles::Obstacles;
use fearless_simd::prelude::*;
use fearless_simd::{f32x8, u32x8};
use glam::Vec2;

/// How the parts of the penalty are weighed, and how far ahead is looked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleWeights {
    /// Against leaving the desired velocity. Default 2.
    pub desired: f32,
    /// Against changing the current velocity. Default 0.75. Larger is smoother, and slower to react.
    pub current: f32,
    /// Against passing a neighbour on the unusual side. Default 1. It is what makes two agents that meet choose
    /// different ways.
    pub side: f32,
    /// Against collisions, the nearer the more. Default 2.5.
    pub impact: f32,
    /// Collisions with neighbours later than this do not count, seconds, above 0. Default 2.5.
    pub horizon: f32,
    /// The same for walls. Default 1.25: agents go closer by walls than by one another.
    pub wall_horizon: f32,
    /// The desired velocity is turned to the right by this angle, radians, while somebody is near: by less where the
    /// agent's mean share of the avoiding is less than half. Default 0.1. Lets crowds turn about a common center
    /// instead of blocking there.
    pub keep_right: f32,
}

impl Default for SampleWeights {
    fn default() -> Self {
        Self { desired: 2.0, current: 0.75, side: 1.0, impact: 2.5, horizon: 2.5, wall_horizon: 1.25, keep_right: 0.1 }
    }
}

/// What is the same for all velocities of one agent.
pub(super) struct Judge<'a> {
    obstacles: &'a Obstacles,
    desired: Vec2,
    current: Vec2,
    /// The weights, each by what it is multiplied with.
    per_desired: f32,
    per_current: f32,
    per_side: f32,
    impact: f32,
    /// The weight of collisions with neighbours, and what is added so that none at all counts as much as none with
    /// walls.
    impact_of_others: f32,
    even: f32,
    /// Of an approach by four times the greatest speed, the part for each m/s.
    per_approach: f32,
}

impl<'a> Judge<'a> {
    pub(super) fn new(obstacles: &'a Obstacles, agent: &AgentState, weights: &SampleWeights) -> Self {
        let per_speed = 1.0 / agent.max_speed;
        let burden = obstacles.burden;
        let impact_of_others = weights.impact * burden;
        Self {
            obstacles,
            desired: agent.goal_velocity(),
            current: agent.velocity,
            per_desired: weights.desired * per_speed,
            per_current: weights.current * per_speed,
            // Sides are counted twice.
            per_side: 0.5 * weights.side * burden * burden / obstacles.count.max(1) as f32,
            impact: weights.impact,
            impact_of_others,
            even: (weights.impact - impact_of_others) / (1.0 + SOONEST),
            per_approach: 0.25 * per_speed,
        }
    }

    /// Judges all candidates; the best of them, of equal ones the first, and its penalty, which is infinite if there is
    /// none.
    #[inline(always)]
    pub(super) fn best<S: Simd>(&self, simd: S, candidates: &mut Candidates) -> (Vec2, f32) {
        let mut best = Best { penalty: f32x8::splat(simd, f32::INFINITY), number: u32x8::splat(simd, 0) };
        let mut number = 0;
        // Three vectors at a time, as many as a pattern mostly has: what is known of a neighbour is fetched once.
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
        // As whole numbers in the same order, with the index below: the least is found without a branch.
        let mut least = i64::MAX;
        for (lane, (&penalty, &number)) in penalties.iter().zip(&numbers).enumerate() {
            let bits = penalty.to_bits() as i32;
            let ordered = bits ^ ((bits >> 31) as u32 >> 1) as i32;
            least = least.min(i64::from(ordered) << 32 | i64::from(number * 8 + lane as u32));
        }
        let (eight, lane) = (least as u32 as usize / 8, least as usize % 8);
        match candidates.eights.get(eight) {
            Some(eight) if eight.penalty[lane] < f32::INFINITY => (at_lane(&eight.v, lane), eight.penalty[lane]),
            _ => (Vec2::ZERO, f32::INFINITY),
        }
    }

    /// Judges the `N` eights of which the first has this number.
    #[inline(always)]
    fn judge<S: Simd, const N: usize>(&self, simd: S, eights: [&mut Eight; N], number: u32, best: &mut Best<S>) {
        let mut v: [Pair<S>; N] = [[f32x8::splat(simd, 0.0); 2]; N];
        for (v, eight) in v.iter_mut().zip(&eights) {
            *v = pair(simd, &eight.v);
        }
        // What is met after the horizon is as good as met then. No number here is NaN but those of lanes without a
        // velocity and the urgency of what misses, and of two numbers `greatest` drops that.
        let one = f32x8::splat(simd, 1.0);
        let (mut urgency, mut side) = ([one; N], [f32x8::splat(simd, 0.0); N]);
        let Obstacles { discs, lines, ends, .. } = self.obstacles;
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
        // Mostly all is weighed alike, and nothing to be divided twice.
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
        // No closure over an array: compiled by itself, it would know nothing of the machine's vectors.
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

/// What is met at once counts as if met after this part of the horizon.
const SOONEST: f32 = 0.1;

/// The penalty for what is met so soon.
#[inline(always)]
fn price<S: Simd>(simd: S, impact: f32, urgency: f32x8<S>) -> f32x8<S> {
    f32x8::splat(simd, impact) / (f32x8::splat(simd, 1.0) / urgency + SOONEST)
}

/// The least penalty so far in every lane, and the number of the eight that it is in.
struct Best<S: Simd> {
    penalty: f32x8<S>,
    number: u32x8<S>,
}

#[inline(always)]
fn distance<S: Simd>(v: Pair<S>, from: Vec2) -> f32x8<S> {
    let to = [v[0] - from.x, v[1] - from.y];
    dot(to, to).sqrt()
}
