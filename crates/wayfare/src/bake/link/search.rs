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
//! The gap is the part of the ray without solid ground at the take-off's height (from the near side) or the landing's
//! (from the far side). The way is free if the agent's body, moved along the flight, meets nothing solid: neither in
//! the flight itself nor in those beside it that the width of the passage asks for. Near both ends steps up to the
//! climb are no obstacle, since the ground there may be uneven.
//!
//! Cost: O(cells of the ray), and for each landing tried O(slices × cells under the body × lanes).
//!
//! Sources: Mikko Mononen's samples and trajectory tests (2011); limits by gap and height are ours.

use super::flight::Flight;
use super::ground::LinkGround;
use super::take_off::TakeOff;
use crate::input::{LinkKind, LinkRule, LinkSettings, VoxelSettings};
use glam::DVec2;

/// What is found by one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Landing {
    /// Place on the plane, in cells of the level.
    pub(super) at: DVec2,
    /// Spans at both ends: of the take-off and of the landing.
    pub(super) spans: [u32; 2],
}

/// The limits of one kind in voxel units.
#[derive(Clone, Copy, Debug)]
struct Limits {
    kind: LinkKind,
    height: f64,
    gap: f64,
    rise: f64,
    /// Lanes on each side of the middle one, a cell apart.
    lanes: u32,
}

/// The limits of all kinds, and the size of the agent's body.
#[derive(Clone, Debug)]
pub(super) struct LinkSearch {
    limits: Vec<Limits>,
    climb: f64,
    height: f64,
    /// The cells under the body, as steps from its middle.
    body: Vec<DVec2>,
    /// How far from an edge ground that can be stood on begins, at most.
    inset: f64,
    reach: f64,
    /// How far above and below a take-off landings of any kind lie, at most.
    tallest: f64,
}

impl LinkSearch {
    pub(super) fn new(links: &LinkSettings, voxel: &VoxelSettings) -> Self {
        // To the nearest cell, so that what is exactly as high or wide as the limit is within it.
        let cells = |metres: f32| f64::from(metres / voxel.cell_size) + 0.5;
        let heights = |metres: f32| f64::from(metres / voxel.cell_height) + 0.5;
        let radius = f64::from(voxel.agent_radius_vx);
        // One cell for the ledge, and what outlines may have been simplified.
        let inset = radius + 1.0 + f64::from(voxel.edge_max_error).min(4.0).ceil();
        let limits_of = |kind: LinkKind| {
            links.rule(kind).map(|rule: &LinkRule| Limits {
                kind,
                height: heights(rule.max_height),
                gap: cells(rule.max_distance),
                rise: f64::from(rule.rise / voxel.cell_height),
                lanes: (f64::from(rule.width / voxel.cell_size) * 0.5 - radius).max(0.0).ceil() as u32,
            })
        };
        let limits: Vec<Limits> = LinkKind::ALL.into_iter().filter_map(limits_of).collect();
        let widest = limits.iter().map(|l| l.gap).fold(0.0, f64::max);
        let lanes = limits.iter().map(|l| l.lanes).max().unwrap_or(0);
        Self {
            climb: f64::from(voxel.agent_climb_vx),
            height: f64::from(voxel.agent_height_vx),
            body: body(radius),
            inset,
            reach: widest + 2.0 * inset + f64::from(lanes),
            tallest: limits.iter().map(|l| l.height).fold(0.0, f64::max),
            limits,
        }
    }

    /// How far from a take-off it looks, in cells.
    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// Looks for the landing of each kind, in the order of [`LinkKind::ALL`].
    pub(super) fn find(&self, ground: &LinkGround<'_>, place: &TakeOff) -> [Option<Landing>; LinkKind::ALL.len()] {
        let mut found = [None; LinkKind::ALL.len()];
        let Some(start) = self.take_off(ground, place) else { return found };
        let y = ground.height(start);
        let edge_end = self.support_end(ground, place, y);
        let mut last_cell = None;
        for step in 1..=(self.reach * 2.0) as u32 {
            let distance = f64::from(step) * 0.5;
            let at = place.at + place.outward * distance;
            let cell = ground.cell(at);
            if cell == core::mem::replace(&mut last_cell, cell) {
                continue;
            }
            for span in cell.into_iter().flat_map(|cell| ground.standing(cell, y, self.tallest)) {
                let gap = self.gap(ground, place, [edge_end, distance], ground.height(span));
                for limits in &self.limits {
                    let slot = &mut found[limits.kind as usize];
                    if slot.is_some() || !self.fits(limits, ground.height(span) - y, gap) {
                        continue;
                    }
                    let landing = self.land(ground, place, distance, span);
                    if self.is_clear(ground, place, [start, landing.1], landing.0, limits) {
                        let at = place.at + place.outward * landing.0;
                        *slot = Some(Landing { at, spans: [start, landing.1] });
                    }
                }
            }
        }
        found
    }

    /// The ground right behind a place.
    fn take_off(&self, ground: &LinkGround<'_>, place: &TakeOff) -> Option<u32> {
        // Simplified outlines may lie a little off the ground they stand for.
        let inside = |back: f64| ground.standing_near(place.at - place.outward * back, place.y, self.height);
        inside(0.5).or_else(|| inside(1.5))
    }

    /// How far outwards the ground of a take-off at height `y` goes on, whether one can stand on it or not.
    fn support_end(&self, ground: &LinkGround<'_>, place: &TakeOff, y: f64) -> f64 {
        let holds = |d: &f64| ground.has_top_near(place.at + place.outward * *d, y, self.climb);
        let distances = (0..).map(|k| f64::from(k) * 0.5).take_while(|d| *d < self.reach);
        distances.take_while(holds).last().unwrap_or(0.0)
    }

    /// Cells without ground between the edge of the near ground and that of a landing at height `y`.
    fn gap(&self, ground: &LinkGround<'_>, place: &TakeOff, [near, landing]: [f64; 2], y: f64) -> f64 {
        let mut far = landing;
        while far > near && ground.has_top_near(place.at + place.outward * far, y, self.climb) {
            far -= 0.5;
        }
        (far - near).max(0.0)
    }

    /// Whether a landing so much higher and beyond such a gap is one of this kind.
    fn fits(&self, limits: &Limits, up: f64, gap: f64) -> bool {
        let is_lower = -up > self.climb && -up <= limits.height;
        // A narrower gap is closed by the size of cells.
        let is_gap = gap >= 1.0;
        gap <= limits.gap.max(1.0)
            && match limits.kind {
                LinkKind::Drop | LinkKind::Climb => is_lower,
                LinkKind::JumpDown => is_lower && is_gap && !self.is_across(up, gap) && !self.is_drop(up, gap),
                LinkKind::JumpAcross => up.abs() <= limits.height && is_gap,
            }
    }

    fn is_across(&self, up: f64, gap: f64) -> bool {
        self.limits_of(LinkKind::JumpAcross).is_some_and(|l| up.abs() <= l.height && gap <= l.gap)
    }

    fn is_drop(&self, up: f64, gap: f64) -> bool {
        self.limits_of(LinkKind::Drop).is_some_and(|l| -up <= l.height && gap <= l.gap.max(1.0))
    }

    fn limits_of(&self, kind: LinkKind) -> Option<&Limits> {
        self.limits.iter().find(|l| l.kind == kind)
    }

    /// The place to land: a cell farther than where the ground begins, if it goes on, since outlines are not exact.
    fn land(&self, ground: &LinkGround<'_>, place: &TakeOff, distance: f64, span: u32) -> (f64, u32) {
        let farther = distance + 1.0;
        let at = place.at + place.outward * farther;
        match ground.standing_near(at, ground.height(span), self.climb) {
            Some(next) => (farther, next),
            None => (distance, span),
        }
    }

    /// Whether the passage is free over its whole width.
    fn is_clear(
        &self,
        ground: &LinkGround<'_>,
        place: &TakeOff,
        spans: [u32; 2],
        distance: f64,
        limits: &Limits,
    ) -> bool {
        let [from, to] = spans.map(|span| ground.height(span));
        let is_jump = matches!(limits.kind, LinkKind::JumpDown | LinkKind::JumpAcross);
        let flight = Flight { distance, from, to, rise: is_jump.then_some(limits.rise) };
        let aside = DVec2::new(-place.outward.y, place.outward.x);
        let lanes = limits.lanes as i32;
        (-lanes..=lanes).all(|lane| {
            let start = place.at + aside * f64::from(lane);
            let lands = |at: DVec2, y: f64| ground.standing_near(at, y, self.climb).is_some();
            let stands =
                lane == 0 || (lands(start - place.outward * 0.5, from) && lands(start + place.outward * distance, to));
            stands && self.flies(ground, [start, place.outward], &flight)
        })
    }

    /// Whether the body meets nothing along a flight.
    fn flies(&self, ground: &LinkGround<'_>, [start, outward]: [DVec2; 2], flight: &Flight) -> bool {
        flight.slices().all(|slice| {
            let near_end = slice.along.min(flight.distance - slice.along) <= self.inset;
            let low = slice.low + if near_end { self.climb } else { 0.0 };
            let middle = start + outward * slice.along;
            let (low, high) = (low.floor(), slice.high.ceil() + self.height);
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
