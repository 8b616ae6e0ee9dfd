//! What a search over the abstract graph is asked.
//!
//! Sources: none needed.

use super::closed_parts::ClosedParts;
use glam::Vec3;

/// Where a path begins or ends, and how far the portals of its tile are.
#[derive(Clone, Debug, Default)]
pub(super) struct Attached {
    pub(super) slot: u32,
    pub(super) at: Vec3,
    /// The area it is in.
    pub(super) area: u32,
    /// The length of the path to each portal of the tile; infinite to those of other areas.
    pub(super) lengths: Vec<f32>,
}

/// What is searched.
pub(super) struct AbstractTask<'a> {
    pub(super) start: &'a Attached,
    pub(super) goal: &'a Attached,
    /// The length of a path inside the area that both are in; infinite if they are in two.
    pub(super) direct: f32,
    pub(super) closed: &'a ClosedParts,
    /// Whether clusters may be crossed as a whole.
    pub(super) by_clusters: bool,
}

/// The keys of the start and the goal on the page that stands apart.
pub(super) const START: u32 = 0;
pub(super) const GOAL: u32 = 1;
