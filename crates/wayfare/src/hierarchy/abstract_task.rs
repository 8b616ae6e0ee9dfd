//! The task of a search over the abstract graph.
//!
//! Sources: none needed.

use super::closed_parts::ClosedParts;
use glam::Vec3;

/// The start or the goal of a path, and how far away the portals of its tile are.
#[derive(Clone, Debug, Default)]
pub(super) struct Attached {
    pub(super) slot: u32,
    pub(super) at: Vec3,
    /// The area that contains it.
    pub(super) area: u32,
    /// The length of the path to each portal of the tile; infinite for portals of other areas.
    pub(super) lengths: Vec<f32>,
}

/// What to search for.
pub(super) struct AbstractTask<'a> {
    pub(super) start: &'a Attached,
    pub(super) goal: &'a Attached,
    /// The length of the path within the area that contains both; infinite if they are in different areas.
    pub(super) direct: f32,
    pub(super) closed: &'a ClosedParts,
    /// Whether clusters may be crossed as a whole.
    pub(super) by_clusters: bool,
}

/// The keys of the start and the goal, on a page of their own.
pub(super) const START: u32 = 0;
pub(super) const GOAL: u32 = 1;
