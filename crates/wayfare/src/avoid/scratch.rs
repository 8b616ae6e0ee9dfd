//! Memory of the avoidance methods, kept between calls so that none allocates twice.

use super::candidates::Candidates;
use super::clip_polygon::ClipPolygons;
use super::free_boundary::BoundaryScratch;
use super::half_plane::HalfPlane;
use super::obstacles::Obstacles;
use super::orca_lanes::OrcaLanes;
use super::pedestrian::Seen;
use super::ring_pattern::RingPattern;

/// Working memory for one thread. Its content never changes an answer.
#[derive(Clone, Debug, Default)]
pub struct AvoidScratch {
    /// Of the sampling methods: what they look at, in their own form.
    pub(super) obstacles: Obstacles,
    /// The last pattern of rings, on the unit circle.
    pub(super) pattern: RingPattern,
    /// Velocities that are tried, and what speaks against them.
    pub(super) candidates: Candidates,
    /// Of ORCA: walls first, then neighbours.
    pub(super) planes: Vec<HalfPlane>,
    /// The half-planes of the relaxed problem.
    pub(super) relaxed: Vec<HalfPlane>,
    /// Of ORCA for eight agents at once.
    pub(super) lanes: OrcaLanes,
    /// The polygon of admissible velocities.
    pub(super) polygons: ClipPolygons,
    /// Of those who walk like people: whom an agent heeds.
    pub(super) people: Vec<Seen>,
    /// Of ClearPath and HRVO.
    pub(super) boundary: BoundaryScratch,
}
