//! Phase 9: agents that overlap are pushed apart.
//!
//! All pairs of neighbours that overlap are looked at, each agent is moved by the mean of what its pairs ask for, and
//! that a few times over. Of the overlap each takes the part that the priorities say: agents that rest are pushed
//! aside, those that are held are not moved at all. Every round reads the places of the round before, so the order of
//! agents does not matter.
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
use super::hot::Hot;
use super::parallel::for_each;
use glam::Vec3;

/// Of an overlap, the part that a round takes away: more would push back and forth.
const PUSH: f32 = 0.8;

impl Crowd {
    /// Moves overlapping agents apart.
    pub fn resolve(&mut self) {
        for _ in 0..self.settings.resolve_rounds {
            let Self { agents, hot, neighbours, pool, .. } = self;
            let Hot { present, held, next, shift, radius, priority, .. } = hot;
            let any = core::sync::atomic::AtomicBool::new(false);
            for_each(shift, pool, |i, shift, _| {
                *shift = Vec3::ZERO;
                if !present[i] || held[i] || agents[i].link.is_some() || !Self::drives(&agents[i].params) {
                    return;
                }
                let (mut sum, mut count) = (Vec3::ZERO, 0.0_f32);
                for &other in neighbours.of(i) {
                    let j = other as usize;
                    let (dx, dz) = (next[i].x - next[j].x, next[i].z - next[j].z);
                    let (squared, reach) = (dx * dx + dz * dz, radius[i] + radius[j]);
                    // A place that is NaN or infinite is near nobody.
                    let overlaps = squared < reach * reach;
                    if !overlaps || agents[j].link.is_some() {
                        continue;
                    }
                    let distance = squared.sqrt();
                    let away = if distance > 1e-4 {
                        Vec3::new(dx / distance, 0.0, dz / distance)
                    } else if i < j {
                        // Right on top of each other: one to either side.
                        Vec3::X
                    } else {
                        -Vec3::X
                    };
                    let fixed = held[j] || !Self::drives(&agents[j].params);
                    let share = if fixed { 1.0 } else { share(priority[i], priority[j]) };
                    sum += away * ((reach - distance) * share * PUSH);
                    count += 1.0;
                }
                if count > 0.0 {
                    // Two that push from one side push harder than one, but not twice as hard.
                    *shift = sum / count.sqrt();
                    any.store(true, core::sync::atomic::Ordering::Relaxed);
                }
            });
            if !any.into_inner() {
                break;
            }
            for (next, shift) in next.iter_mut().zip(shift) {
                *next += *shift;
            }
        }
    }
}

/// The part of the giving way that falls to one of priority `own` that meets one of priority `other`.
pub(super) fn share(own: f32, other: f32) -> f32 {
    let sum = own + other;
    if sum > 0.0 { other / sum } else { 0.5 }
}
