//! Finds where a link that takes off at a position may land.
//!
//! A ray runs outwards over the columns. Every walkable surface there is tested against the limits of each kind,
//! nearest first; the first with a free flight is the link's other end.
//!
//! ```text
//!     ____x . . . . . . . . . .          x: take-off      o: surface at the foot: a drop, or a climb back up
//!         |                 ____                          a: over a gap, about as high: a jump across
//!         |        ____    | a                            d: over a gap, lower: a jump down
//!    _____|_o_____| d  |___|
//! ```
//!
//! The limits are those of `rules.rs`, applied to the exact position where the link would end. The flight is free if
//! the agent's body, moved along it, touches nothing solid: neither in the flight itself nor in the parallel ones that
//! the width of the passage requires. Near both ends, steps up to the climb are no obstacle, since the surface there
//! may be uneven.
//!
//! Cost: O(cells of the ray), and for each landing tried O(slices × cells under the body × lanes).
//!
//! Sources: samples along edges and tests of trajectories are Mikko Mononen's, as in [`links`](super::links).

use super::flight::Flight;
use super::ground::LinkGround;
use super::rules::{Limits, LinkLine, Rules};
use super::take_off::TakeOff;
use crate::input::{LinkKind, LinkSettings, VoxelSettings};
use glam::DVec2;

/// Where a link lands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing {
    /// Horizontal position, in cells of the level.
    pub(super) at: DVec2,
    /// Spans at both ends: at the take-off and at the landing.
    pub(super) spans: [u32; 2],
}

/// The result of one search for each kind, in the order of [`LinkKind::ALL`].
pub(super) type Found = [Option<Landing>; LinkKind::ALL.len()];

/// The rules of all kinds, and the size of the agent's body.
#[derive(Clone, Debug)]
pub(super) struct LinkSearch {
    rules: Rules,
    height: f64,
    /// The cells under the body, relative to its centre.
    body: Vec<DVec2>,
    reach: f64,
    /// The largest height difference between a take-off and landings of any kind.
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

    /// How far from a take-off it searches, in cells.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// Searches the landing of each kind.
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
                    let line = LinkLine::new(ground, place, [y, ground.height(span)], [edge, length]);
                    let mut is_allowed = false;
                    for limits in &self.rules.limits {
                        let slot = &mut found[limits.kind as usize];
                        if slot.is_none() && self.rules.allow(limits, &line) {
                            is_allowed = true;
                            let landing = Landing { at: place.ahead(length), spans: [start, span] };
                            *slot = self.is_clear(&line, limits).then_some(landing);
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

    /// The surface right behind a position.
    fn take_off(&self, ground: &LinkGround<'_>, place: &TakeOff) -> Option<u32> {
        // Simplified outlines may lie slightly beside the surface they represent.
        let inside = |back: f64| ground.standing_near(place.ahead(-back), place.y, self.height);
        inside(0.5).or_else(|| inside(1.5))
    }

    /// How far outwards the surface of a take-off at height `y` continues, whether or not one can stand on it.
    fn edge(&self, ground: &LinkGround<'_>, place: &TakeOff, y: f64) -> f64 {
        let holds = |d: &f64| ground.has_top_near(place.ahead(*d), y, self.rules.climb);
        let distances = (0..).map(|k| f64::from(k) * 0.5).take_while(|d| *d < self.reach);
        distances.take_while(holds).last().unwrap_or(0.0)
    }

    /// Where to land on a surface that begins at a distance: one cell farther, if it continues, since outlines are not
    /// exact; otherwise right there.
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
    fn is_clear(&self, line: &LinkLine<'_>, limits: &Limits) -> bool {
        let LinkLine { ground, place, heights: [from, to], length: distance, .. } = *line;
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

    /// Whether the body touches nothing along a flight.
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

/// The cells nearer than `radius` to the centre of a body.
fn body(radius: f64) -> Vec<DVec2> {
    let most = radius.ceil() as i32;
    let around = (-most..=most).flat_map(|z| (-most..=most).map(move |x| DVec2::new(f64::from(x), f64::from(z))));
    // The central one is always under it.
    around.filter(|step| step.length_squared() < (radius * radius).max(0.25)).collect()
}
