//! Volumes that nothing passes, in the way of links.
//!
//! Volumes change area types and are not solid, so the heightfield in which flights are tested does not have them. A
//! link is dropped if, anywhere along it, the agent's body would be inside the outline of a volume that makes surfaces
//! not walkable, at any height that the link passes. Volumes that rise no higher above the link's lower end than the
//! agent climbs are passed over: water, for example.
//!
//! Cost: for each link, the volumes near its tile, and the samples along it for those that it passes.
//!
//! Sources: none needed.

use crate::area::AreaId;
use crate::input::{AgentSettings, MarkedVolume};
use crate::math::Aabb;
use glam::{Vec2, Vec3};

/// Whether a place lies within the outline of a volume.
type IsInside<'a> = Box<dyn Fn(Vec2) -> bool + 'a>;

/// The volumes near a tile that nothing passes.
pub(super) struct Blocks<'a> {
    volumes: Vec<(Aabb, IsInside<'a>)>,
    agent: AgentSettings,
    /// Distance of samples along a link.
    step: f32,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(volumes: &'a [MarkedVolume], near: &Aabb, agent: &AgentSettings, step: f32) -> Self {
        let blocking = volumes.iter().filter(|marked| marked.area == AreaId::NULL);
        let boxes = blocking.map(|marked| (marked.volume.bounds(), marked));
        let near = boxes.filter(|(bounds, _)| bounds.overlaps(near));
        let volumes = near.map(|(bounds, marked)| (bounds, Box::new(marked.volume.outline()) as _)).collect();
        Self { volumes, agent: *agent, step }
    }

    /// Whether one is in the way from one position to another, for a body that rises above the higher of them.
    pub(super) fn are_in_way(&self, from: Vec3, to: Vec3, rise: f32) -> bool {
        let AgentSettings { radius, height, max_climb, .. } = self.agent;
        let wide = Vec3::new(radius, 0.0, radius);
        let low = from.min(to) - wide + Vec3::Y * max_climb;
        let high = from.max(to) + wide + Vec3::Y * (rise + height);
        let passed = Aabb { min: low, max: high };
        let across = Vec2::new(to.x - from.x, to.z - from.z);
        let length = across.length();
        // Just less than the radius: a body that touches a volume passes it.
        let aside = if length > 0.0 { Vec2::new(-across.y, across.x) * (0.9 * radius / length) } else { Vec2::ZERO };
        let samples = (length / self.step).ceil() as u32;
        let start = Vec2::new(from.x, from.z);
        let along = move |i: u32| start + across * (i as f32 / samples.max(1) as f32);
        self.volumes.iter().filter(|(bounds, _)| bounds.overlaps(&passed)).any(|(_, holds)| {
            (0..=samples).any(|i| [-1.0, 0.0, 1.0].iter().any(|&side| holds(along(i) + aside * side)))
        })
    }
}
