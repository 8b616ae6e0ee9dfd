//! Phase 9: agents that overlap are pushed apart.
//!
//! All pairs of neighbours that overlap are looked at, each agent is moved by the mean of what its pairs ask for, and
//! that a few times over. Of the overlap each takes the part that the priorities say: agents that rest are pushed
//! aside, but not by those that come to the same goal; those that are held are not moved at all, nor is anybody by
//! those that it does not heed. Every round reads the places of the round before, so the order of agents does not
//! matter.
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

/// Of an overlap, the part that a round takes away: more would push back and forth.
const PUSH: f32 = 0.8;

/// An agent as others bump into it: small, since each is read ten times a round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body {
    at: Vec2,
    /// NaN for one that nobody bumps into.
    radius: f32,
    priority: f32,
}

impl Crowd {
    /// Moves overlapping agents apart.
    pub fn resolve(&mut self) {
        let Self { agents, hot, neighbours, pool, .. } = self;
        let Hot { present, held, next, bodies, shift: shifts, radius, priority, arrived, goal, .. } = hot;
        let is_moved = |i: usize| !held[i] && Self::drives(&agents[i].params);
        // Who comes to a group gives way to those that have arrived.
        let joins = |i: usize, j: usize| arrived[j] && !arrived[i] && leads_to(goal, (i, &agents[i]), j);
        bodies.clear();
        bodies.extend((0..next.len()).map(|i| {
            let next = next[i];
            let radius = if agents[i].is_on_ground() { radius[i] } else { f32::NAN };
            Body { at: Vec2::new(next.x, next.z), radius, priority: priority[i] }
        }));
        for _ in 0..self.settings.resolve_rounds {
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
                    // A place or a radius that is NaN or infinite is near nobody.
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

/// Where `i` goes that stands right on top of `j`: each pair has a direction of its own, so that of many in one place
/// no two go the same way.
fn apart_from(i: usize, j: usize) -> Vec2 {
    let mixed = (i.min(j) as u32).wrapping_mul(0x9e37_79b9) ^ (i.max(j) as u32).wrapping_mul(0x85eb_ca6b);
    let angle = mixed as f32 * (core::f32::consts::TAU / u32::MAX as f32);
    let away = Vec2::new(ops::cos(angle), ops::sin(angle));
    if i < j { away } else { -away }
}

/// The part of the giving way that falls to one of priority `own` that meets one of priority `other`.
pub(super) fn share(own: f32, other: f32) -> f32 {
    // Halves: the sum of the greatest priorities is infinite.
    let own = own * 0.5;
    let other = other * 0.5;
    let sum = own + other;
    if sum > 0.0 { other / sum } else { 0.5 }
}
