//! Where a link that takes off at a place may land.
//!
//! A ray runs outwards over the columns. Every piece of ground that an agent can stand on there is held against the
//! limits of each kind, nearest first; the first to which the way through the air is free is the link's other end.
//!
//! ```text
//!     ____x . . . . . . . . . .          x: take-off      o: ground at the foot: a drop, or a climb back up
//!         |                 ____                          a: over a gap, about as high: a jump across
//!         |        ____    | a                            d: over a gap, lower: a jump down
//!    _____|_o_____| d  |___|
//! ```
//!
//! The limits are those of `rules.rs`, held against the very place where the link would end. The way is free if the
//! agent's body, moved along the flight, meets nothing solid: neither in the flight itself nor in those beside it that
//! the width of the passage asks for. Near both ends steps up to the climb are no obstacle, since the ground there may
//! be uneven.
//!
//! Cost: O(cells of the ray), and for each landing tried O(slices × cells under the body × lanes).
//!
//! Sources: samples along edges and tests of trajectories are Mikko Mononen's, as of [`links`](super::links).

use super::flight::Flight;
use super::ground::LinkGround;
use super::rules::{Limits, Rules, Way};
use super::take_off::TakeOff;
use crate::input::{LinkKind, LinkSettings, VoxelSettings};
use glam::DVec2;

/// Where a link lands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing {
    /// Place on the plane, in cells of the level.
    pub(super) at: DVec2,
    /// Spans at both ends: of the take-off and of the landing.
    pub(super) spans: [u32; 2],
}

/// What is found by one search of each kind, in the order of [`LinkKind::ALL`].
pub(super) type Found = [Option<Landing>; LinkKind::ALL.len()];

/// The rules of all kinds, and the size of the agent's body.
#[derive(Clone, Debug)]
pub(super) struct LinkSearch {
    rules: Rules,
    height: f64,
    /// The cells under the body, as steps from its middle.
    body: Vec<DVec2>,
    reach: f64,
    /// How far above and below a take-off landings of any kind lie, at most.
    tallest: f64,
}

impl LinkSearch {
    pub(super) fn new(links: &LinkSettings, voxel: &VoxelSettings) -> Self {
        let rules = Rules::new(links, voxel);
        let most = |of: fn(&Limits) -> f64| rules.limits.iter().map(of).fold(0.0, f64::max);
        Self {
            height: f64::from(voxel.agent_height_vx),
            body: body(f64::from(voxel.agent_radius_vx)),
            reach: most(|l| l.gap) + 2.0 * rules.inset + most(|l| f64::from(l.lanes)),
            tallest: most(|l| l.height),
            rules,
        }
    }

    /// How far from a take-off it looks, in cells.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// Looks for the landing of each kind.
    pub(super) fn find(&self, ground: &LinkGround<'_>, place: &TakeOff) -> Found {
        let mut found = [None; LinkKind::ALL.len()];
        let Some(start) = self.take_off(ground, place) else { return found };
        let y = ground.height(start);
        let edge = self.edge(ground, place, y);
        let mut last_cell = None;
        for step in 1..=(self.reach * 2.0) as u32 {
            let distance = f64::from(step) * 0.5;
            let cell = ground.cell(place.ahead(distance));
            if cell == core::mem::replace(&mut last_cell, cell) {
                continue;
            }
            for span in cell.into_iter().flat_map(|cell| ground.standing(cell, y, self.tallest)) {
                for (length, span) in self.landings(ground, place, distance, span) {
                    let way = Way::new(ground, place, [y, ground.height(span)], [edge, length]);
                    let mut is_allowed = false;
                    for limits in &self.rules.limits {
                        let slot = &mut found[limits.kind as usize];
                        if slot.is_none() && self.rules.allow(limits, &way) {
                            is_allowed = true;
                            let landing = Landing { at: place.ahead(length), spans: [start, span] };
                            *slot = self.is_clear(&way, limits).then_some(landing);
                        }
                    }
                    if is_allowed {
                        break;
                    }
                }
            }
        }
        found
    }

    /// The ground right behind a place.
    fn take_off(&self, ground: &LinkGround<'_>, place: &TakeOff) -> Option<u32> {
        // Simplified outlines may lie a little off the ground they stand for.
        let inside = |back: f64| ground.standing_near(place.ahead(-back), place.y, self.height);
        inside(0.5).or_else(|| inside(1.5))
    }

    /// How far outwards the ground of a take-off at height `y` goes on, whether one can stand on it or not.
    fn edge(&self, ground: &LinkGround<'_>, place: &TakeOff, y: f64) -> f64 {
        let holds = |d: &f64| ground.has_top_near(place.ahead(*d), y, self.rules.climb);
        let distances = (0..).map(|k| f64::from(k) * 0.5).take_while(|d| *d < self.reach);
        distances.take_while(holds).last().unwrap_or(0.0)
    }

    /// Where to land on the ground that begins at a distance: a cell farther, if it goes on, since outlines are not
    /// exact; or else right there.
    fn landings(
        &self,
        ground: &LinkGround<'_>,
        place: &TakeOff,
        distance: f64,
        span: u32,
    ) -> impl Iterator<Item = (f64, u32)> {
        let farther = distance + 1.0;
        let next = ground.standing_near(place.ahead(farther), ground.height(span), self.rules.climb);
        next.map(|next| (farther, next)).into_iter().chain([(distance, span)])
    }

    /// Whether the passage is free over its whole width.
    fn is_clear(&self, way: &Way<'_>, limits: &Limits) -> bool {
        let Way { ground, place, heights: [from, to], length: distance, .. } = *way;
        let is_jump = matches!(limits.kind, LinkKind::JumpDown | LinkKind::JumpAcross);
        let flight = Flight { distance, from, to, rise: is_jump.then_some(limits.rise) };
        let aside = DVec2::new(-place.outward.y, place.outward.x);
        let lanes = limits.lanes as i32;
        (-lanes..=lanes).all(|lane| {
            let start = place.at + aside * f64::from(lane);
            let lands = |at: DVec2, y: f64| ground.standing_near(at, y, self.rules.climb).is_some();
            let stands =
                lane == 0 || (lands(start - place.outward * 0.5, from) && lands(start + place.outward * distance, to));
            stands && self.flies(ground, [start, place.outward], &flight)
        })
    }

    /// Whether the body meets nothing along a flight.
    fn flies(&self, ground: &LinkGround<'_>, [start, outward]: [DVec2; 2], flight: &Flight) -> bool {
        flight.slices().all(|slice| {
            let near_end = slice.along.min(flight.distance - slice.along) <= self.rules.inset;
            let low = slice.low + if near_end { self.rules.climb } else { 0.0 };
            let middle = start + outward * slice.along;
            let low = low.floor();
            let high = slice.high.ceil() + self.height;
            self.body.iter().all(|&step| ground.is_free(middle + step, low, high))
        })
    }
}

/// The cells nearer than `radius` to the middle of a body.
fn body(radius: f64) -> Vec<DVec2> {
    let most = radius.ceil() as i32;
    let around = (-most..=most).flat_map(|z| (-most..=most).map(move |x| DVec2::new(f64::from(x), f64::from(z))));
    // The middle one is always under it.
    around.filter(|step| step.length_squared() < (radius * radius).max(0.25)).collect()
}
