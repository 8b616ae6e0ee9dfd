//! Phase 9: pushes overlapping agents apart.
//!
//! In each of a few rounds, all overlapping pairs of neighbours are examined, and each agent is moved by the mean of
//! what its pairs require. The priorities decide which part of the overlap each agent takes: resting agents are pushed
//! aside, but not by those with the same goal; held agents are not moved at all, and no agent is moved by those that it
//! ignores. Every round reads the positions of the round before, so the order of agents does not matter.
//!
//! ```text
//!   (  a (   ) b  )   ->   ( a )( b )
//! ```
//!
//! Cost: rounds × neighbours.
//!
//! Sources: Mikko Mononen, "Oh, it moves!" (the collision handling), Digesting Duck, August 2010; averaging as in
//! Müller et al., "Position Based Dynamics", 2007.

use super::Crowd;
use super::destination::leads_to;
use super::hot::Hot;
use super::parallel::for_each;
use crate::math::ops;
use glam::Vec2;

/// The fraction of an overlap that a round removes: more would oscillate.
const PUSH: f32 = 0.8;

/// More rounds than any crowd needs: one in which agents have no room to get apart would not end for hours.
const MOST_ROUNDS: u32 = 1000;

/// The body of an agent as others collide with it: small, since each is read ten times per round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    at: Vec2,
    /// NaN for an agent that nobody collides with.
    radius: f32,
    priority: f32,
}

impl Crowd {
    /// Moves overlapping agents apart.
    pub fn resolve(&mut self) {
        let Self { agents, hot, neighbours, pool, .. } = self;
        let Hot { present, held, next, bodies, shift: shifts, radius, priority, arrived, goal, .. } = hot;
        let is_moved = |i: usize| !held[i] && Self::drives(&agents[i].params);
        // An agent that joins a group gives way to those that have arrived.
        let joins = |i: usize, j: usize| arrived[j] && !arrived[i] && leads_to(goal, (i, &agents[i]), j);
        bodies.clear();
        bodies.extend((0..next.len()).map(|i| {
            let next = next[i];
            let radius = if agents[i].is_on_ground() { radius[i] } else { f32::NAN };
            Body { at: Vec2::new(next.x, next.z), radius, priority: priority[i] }
        }));
        for _ in 0..self.settings.resolve_rounds.min(MOST_ROUNDS) {
            let any = core::sync::atomic::AtomicBool::new(false);
            for_each(shifts, pool, |i, shift, _| {
                *shift = Vec2::ZERO;
                let own = bodies[i];
                let mut sum = Vec2::ZERO;
                let mut count = 0.0_f32;
                for &other in neighbours.of(i) {
                    let j = other as usize;
                    let Some(body) = bodies.get(j) else { continue };
                    let apart = own.at - body.at;
                    let reach = own.radius + body.radius;
                    let squared = apart.length_squared();
                    // A position or a radius that is NaN or infinite is near nobody.
                    let overlaps = squared < reach * reach;
                    if !overlaps {
                        continue;
                    }
                    let distance = squared.sqrt();
                    let away = if distance > 1e-4 { apart / distance } else { apart_from(i, j) };
                    let share = if !is_moved(j) || !neighbours.heeds(j, i) || joins(i, j) {
                        1.0
                    } else if joins(j, i) {
                        continue;
                    } else {
                        share(own.priority, body.priority)
                    };
                    sum += away * ((reach - distance) * share * PUSH);
                    count += 1.0;
                }
                if count > 0.0 && present[i] && is_moved(i) {
                    // Two that push from one side push harder than one, but not twice as hard.
                    *shift = sum / count.sqrt();
                    any.store(true, core::sync::atomic::Ordering::Relaxed);
                }
            });
            if !any.into_inner() {
                break;
            }
            for (body, shift) in bodies.iter_mut().zip(&*shifts) {
                body.at += *shift;
            }
        }
        for (next, body) in next.iter_mut().zip(&*bodies) {
            (next.x, next.z) = (body.at.x, body.at.y);
        }
    }
}

/// The direction in which `i` moves if it stands exactly on top of `j`: each pair has its own direction, so that of
/// many in one place no two go the same way.
fn apart_from(i: usize, j: usize) -> Vec2 {
    let mixed = (i.min(j) as u32).wrapping_mul(0x9e37_79b9) ^ (i.max(j) as u32).wrapping_mul(0x85eb_ca6b);
    let angle = mixed as f32 * (core::f32::consts::TAU / u32::MAX as f32);
    let away = Vec2::new(ops::cos(angle), ops::sin(angle));
    if i < j { away } else { -away }
}

/// The fraction of an overlap that an agent of priority `own` takes when it meets one of priority `other`.
pub(super) fn share(own: f32, other: f32) -> f32 {
    // Halved first: the sum of the largest priorities would be infinite.
    let own = own * 0.5;
    let other = other * 0.5;
    let sum = own + other;
    if sum > 0.0 { other / sum } else { 0.5 }
}
