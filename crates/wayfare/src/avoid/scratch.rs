//! Working memory of the avoidance methods, reused between calls.

use super::candidates::Candidates;
use super::clip_polygon::ClipPolygons;
use super::free_boundary::BoundaryScratch;
use super::half_plane::HalfPlane;
use super::obstacles::PreparedObstacles;
use super::orca_lanes::OrcaLanes;
use super::pedestrian::Seen;
use super::ring_pattern::RingPattern;

/// Working memory for one thread. Its content never changes a result.
#[derive(Clone, Debug, Default)]
pub struct AvoidScratch {
    /// Sampling methods: the prepared obstacles.
    pub(super) obstacles: PreparedObstacles,
    /// Adaptive sampling: the last pattern of rings, on the unit circle.
    pub(super) pattern: RingPattern,
    /// Sampling methods: the candidates and their penalties.
    pub(super) candidates: Candidates,
    /// ORCA: the half-planes, walls first, then neighbours.
    pub(super) planes: Vec<HalfPlane>,
    /// ORCA: the half-planes of the relaxed problem.
    pub(super) relaxed: Vec<HalfPlane>,
    /// ORCA for eight agents at once.
    pub(super) lanes: OrcaLanes,
    /// ORCA by clipping: the polygon of admissible velocities.
    pub(super) polygons: ClipPolygons,
    /// The pedestrian method: the neighbours that an agent heeds.
    pub(super) people: Vec<Seen>,
    /// ClearPath and HRVO.
    pub(super) boundary: BoundaryScratch,
}
