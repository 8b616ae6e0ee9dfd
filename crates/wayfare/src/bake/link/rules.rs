//! The requirements of each kind of link on its ends and on the surface in between: the only place that defines them.
//!
//! ```text
//!   take-off    edge             edge: how far the take-off's surface continues     gap: from edge to foot
//!      x_________|
//!                |       landing
//!                | ______x__    foot: where the landing's surface begins
//!                |/
//! ```
//!
//! The surface continues where something solid ends at most a climb above or below its height, whether or not one can
//! stand there.
//!
//! - **Every link** has ends whose heights differ by at most what its kind allows, has a surface at both of its final
//!   ends, and has a gap no wider than its kind allows. Limits are rounded to the nearest cell.
//! - **Drops and climbs** are straight: the edge is as near to the take-off as erosion and outlines explain, the
//!   landing to the foot, and nowhere in between is the surface deeper below the landing than the climb. So they cross
//!   no ditch, and lead to no slope on the other side of one.
//! - **Jumps** cross a gap of at least a cell, which may be of any depth. Jumps down are used where neither a drop nor
//!   a jump across fits.
//!
//! Cost: O(cells between the ends).
//!
//! Sources: limits by gap and height are ours.

use super::ground::{LinkGround, stretches};
use super::take_off::TakeOff;
use crate::input::{LinkKind, LinkRule, LinkSettings, VoxelSettings};
use core::cell::OnceCell;

/// A gap of fewer cells than this may exist only because of the cell size.
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

/// The limits of all kinds, applied to an agent.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// In the order of [`LinkKind::ALL`].
    pub(super) limits: Vec<Limits>,
    /// How high an agent steps.
    pub(super) climb: f64,
    /// The largest distance of the mesh's border behind an edge.
    pub(super) inset: f64,
    /// The largest distance from the foot of an edge at which a straight link lands.
    straight: f64,
}

/// A line from a take-off outwards. Horizontal distances in cells, heights in cell heights.
pub(super) struct LinkLine<'a> {
    pub(super) ground: &'a LinkGround<'a>,
    pub(super) place: &'a TakeOff,
    /// Heights of the take-off and of the landing.
    pub(super) heights: [f64; 2],
    /// The distance of the landing.
    pub(super) length: f64,
    edge: f64,
    /// Computed on first use.
    foot: OnceCell<f64>,
}

impl<'a> LinkLine<'a> {
    /// A line between two heights over an edge to a landing, at these distances from the take-off.
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

    /// Where the surface of the landing begins, seen from the edge.
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

    /// Whether the surface anywhere below is deeper below the landing than the climb.
    fn is_over_ditch(&self, climb: f64) -> bool {
        let [from, to] = self.heights;
        let holds = |along: f64| self.ground.has_top(self.place.ahead(along), to - climb, from + climb);
        !stretches(self.place.at, self.place.outward, self.length).all(holds)
    }
}

impl Rules {
    pub(super) fn new(links: &LinkSettings, voxel: &VoxelSettings) -> Self {
        // Rounded to the nearest cell, so that something exactly as high or wide as the limit is within it.
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
            // One cell for the ledge, and the simplification error of outlines.
            inset: radius + 1.0 + f64::from(voxel.edge_max_error).min(4.0).ceil(),
            // One cell for rounding up in the erosion, one to be clear of the border, and half for the sampling.
            straight: radius + 2.5,
        }
    }

    /// Whether a line is a link of this kind.
    pub(super) fn allow(&self, limits: &Limits, line: &LinkLine<'_>) -> bool {
        let is_drop = || self.is_of(LinkKind::Drop, line) && !line.is_over_ditch(self.climb);
        self.is_within(limits, line)
            && match limits.kind {
                LinkKind::Drop | LinkKind::Climb => self.is_straight(line) && !line.is_over_ditch(self.climb),
                LinkKind::JumpDown => self.is_gap(line) && !self.is_of(LinkKind::JumpAcross, line) && !is_drop(),
                LinkKind::JumpAcross => self.is_gap(line),
            }
    }

    /// Whether height and gap are within limits.
    fn is_within(&self, limits: &Limits, line: &LinkLine<'_>) -> bool {
        let is_lower = || -line.up() > self.climb;
        line.up().abs() <= limits.height
            && (limits.kind == LinkKind::JumpAcross || is_lower())
            && self.gap(line) <= limits.gap.max(NARROW)
    }

    /// Whether height and gap are within the limits of any enabled kind.
    fn is_of(&self, kind: LinkKind, line: &LinkLine<'_>) -> bool {
        self.limits.iter().any(|limits| limits.kind == kind && self.is_within(limits, line))
    }

    /// Cells without the surface of the take-off or of the landing.
    fn gap(&self, line: &LinkLine<'_>) -> f64 {
        (line.foot(self.climb) - line.edge).max(0.0)
    }

    fn is_gap(&self, line: &LinkLine<'_>) -> bool {
        self.gap(line) >= NARROW
    }

    fn is_straight(&self, line: &LinkLine<'_>) -> bool {
        line.edge <= self.inset && line.length - line.foot(self.climb) <= self.straight
    }
}
