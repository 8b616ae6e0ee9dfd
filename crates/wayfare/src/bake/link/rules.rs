//! What each kind of link asks of its ends and of the ground under its way: the one place that says so.
//!
//! ```text
//!   take-off    edge             edge: how far the ground of the take-off goes on     gap: from edge to foot
//!      x_________|
//!                |       landing
//!                | ______x__    foot: where the ground of the landing begins
//!                |/
//! ```
//!
//! Ground goes on where something solid ends no farther than the climb above or below its height, whether one can stand
//! there or not.
//!
//! - **Every link** has ends whose heights differ by no more than its kind allows, where ground is at both ends as they
//!   are given out, and a gap no wider than its kind allows. Limits are taken to the nearest cell.
//! - **Drops and climbs** are straight: the edge is as near to the take-off as erosion and outlines explain, the
//!   landing to the foot, and nowhere on the way is the ground deeper below the landing than the climb. So they cross
//!   no ditch, and lead to no slope on the other side of one.
//! - **Jumps** cross a gap of at least a cell, which may be of any depth. Jumps down lead where no drop and no jump
//!   across does.
//!
//! Cost: O(cells of the way).
//!
//! Sources: limits by gap and height are ours.

use super::ground::{LinkGround, stretches};
use super::take_off::TakeOff;
use crate::input::{LinkKind, LinkRule, LinkSettings, VoxelSettings};
use core::cell::OnceCell;

/// A gap of less than so many cells may be one only by their size.
const NARROW: f64 = 1.0;

/// The limits of one kind in voxel units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) kind: LinkKind,
    pub(super) height: f64,
    pub(super) gap: f64,
    pub(super) rise: f64,
    /// Lanes on each side of the middle one, a cell apart.
    pub(super) lanes: u32,
}

/// The limits of all kinds, and what they mean for an agent.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// In the order of [`LinkKind::ALL`].
    pub(super) limits: Vec<Limits>,
    /// How high an agent steps.
    pub(super) climb: f64,
    /// How far behind an edge the border of the mesh is, at most.
    pub(super) inset: f64,
    /// How far from the foot of an edge a straight link lands, at most.
    straight: f64,
}

/// A way from a take-off outwards. Cells along the plane, cell heights up.
pub(super) struct Way<'a> {
    pub(super) ground: &'a LinkGround<'a>,
    pub(super) place: &'a TakeOff,
    /// Heights of the take-off and of the landing.
    pub(super) heights: [f64; 2],
    /// Where the landing is.
    pub(super) length: f64,
    edge: f64,
    /// Looked for by the first who asks.
    foot: OnceCell<f64>,
}

impl<'a> Way<'a> {
    /// A way between two heights over an edge to a landing, which are so far from the take-off.
    pub(super) fn new(
        ground: &'a LinkGround<'_>,
        place: &'a TakeOff,
        heights: [f64; 2],
        [edge, length]: [f64; 2],
    ) -> Self {
        Self { ground, place, heights, length, edge, foot: OnceCell::new() }
    }

    fn up(&self) -> f64 {
        self.heights[1] - self.heights[0]
    }

    /// Where the ground of the landing begins, seen from the edge.
    fn foot(&self, climb: f64) -> f64 {
        let holds = |along: f64| self.ground.has_top_near(self.place.ahead(along), self.heights[1], climb);
        *self.foot.get_or_init(|| {
            let mut foot = self.length;
            while foot > self.edge && holds(foot) {
                foot -= 0.5;
            }
            foot
        })
    }

    /// Whether the ground anywhere under it is deeper below the landing than the climb.
    fn is_over_ditch(&self, climb: f64) -> bool {
        let [from, to] = self.heights;
        let holds = |along: f64| self.ground.has_top(self.place.ahead(along), to - climb, from + climb);
        !stretches(self.place.at, self.place.outward, self.length).all(holds)
    }
}

impl Rules {
    pub(super) fn new(links: &LinkSettings, voxel: &VoxelSettings) -> Self {
        // To the nearest cell, so that what is exactly as high or wide as the limit is within it.
        let cells = |metres: f32| f64::from(metres / voxel.cell_size) + 0.5;
        let heights = |metres: f32| f64::from(metres / voxel.cell_height) + 0.5;
        let radius = f64::from(voxel.agent_radius_vx);
        let limits_of = |kind: LinkKind| {
            links.rule(kind).map(|rule: &LinkRule| Limits {
                kind,
                height: heights(rule.max_height),
                gap: cells(rule.max_distance),
                rise: f64::from(rule.rise / voxel.cell_height),
                lanes: (f64::from(rule.width / voxel.cell_size) * 0.5 - radius).max(0.0).ceil() as u32,
            })
        };
        Self {
            limits: LinkKind::ALL.into_iter().filter_map(limits_of).collect(),
            climb: f64::from(voxel.agent_climb_vx),
            // One cell for the ledge, and what outlines may have been simplified.
            inset: radius + 1.0 + f64::from(voxel.edge_max_error).min(4.0).ceil(),
            // One cell for what erosion rounds up, one to be clear of the border, and the half from place to place.
            straight: radius + 2.5,
        }
    }

    /// Whether a way is one of a kind.
    pub(super) fn allow(&self, limits: &Limits, way: &Way<'_>) -> bool {
        let is_drop = || self.is_of(LinkKind::Drop, way) && !way.is_over_ditch(self.climb);
        self.is_within(limits, way)
            && match limits.kind {
                LinkKind::Drop | LinkKind::Climb => self.is_straight(way) && !way.is_over_ditch(self.climb),
                LinkKind::JumpDown => self.is_gap(way) && !self.is_of(LinkKind::JumpAcross, way) && !is_drop(),
                LinkKind::JumpAcross => self.is_gap(way),
            }
    }

    /// Whether height and gap are within limits.
    fn is_within(&self, limits: &Limits, way: &Way<'_>) -> bool {
        let is_lower = || -way.up() > self.climb;
        way.up().abs() <= limits.height
            && (limits.kind == LinkKind::JumpAcross || is_lower())
            && self.gap(way) <= limits.gap.max(NARROW)
    }

    /// Whether a kind that is looked for has height and gap within its limits.
    fn is_of(&self, kind: LinkKind, way: &Way<'_>) -> bool {
        self.limits.iter().any(|limits| limits.kind == kind && self.is_within(limits, way))
    }

    /// Cells without ground of the take-off or of the landing.
    fn gap(&self, way: &Way<'_>) -> f64 {
        (way.foot(self.climb) - way.edge).max(0.0)
    }

    fn is_gap(&self, way: &Way<'_>) -> bool {
        self.gap(way) >= NARROW
    }

    fn is_straight(&self, way: &Way<'_>) -> bool {
        way.edge <= self.inset && way.length - way.foot(self.climb) <= self.straight
    }
}
