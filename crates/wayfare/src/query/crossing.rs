//! One step of a path, as a filter sees it.
//!
//! ```text
//!    .----------.-----------.----------.
//!    |  before  |   poly    |   next   |      from: where the path enters the polygon, or begins
//!    |        from ──────> to          |      to:   where the path leaves it, or ends
//!    '----------'-----------'----------'
//! ```
//!
//! Nothing is looked up before a filter asks for it, so a filter that needs only the polygon pays only for that.
//!
//! Sources: Mikko Mononen, "Proposal for Custom Cost and Polygon Filter for Detour", Digesting Duck, August 2010.

use crate::math::funnel::Portal;
use crate::mesh::{NavMesh, PolyRef, PolyState};
use glam::Vec3;

/// The straight line `from` → `to` over one polygon or off-mesh connection, with the polygons before and after it on
/// the path. Searches pass one to the filter for every step they consider: see
/// [`QueryFilter::cost`](super::QueryFilter::cost).
#[derive(Clone, Copy, Debug)]
pub struct Crossing<'a> {
    /// Where the path enters the polygon, or begins.
    pub from: Vec3,
    /// Where the path leaves the polygon, or ends.
    pub to: Vec3,
    /// The polygon, or the off-mesh connection.
    pub poly: PolyRef,
    /// Its flags and area type.
    pub state: PolyState,
    /// The polygon from which this one is entered. `None` where the path begins here, and when a polygon is evaluated
    /// by itself.
    pub before: Option<PolyRef>,
    /// The polygon that is entered next. `None` where the path ends here, and when a polygon is evaluated by itself.
    pub next: Option<PolyRef>,
    /// The mesh that contains them.
    pub mesh: &'a NavMesh,
}

/// The crossings of a path over these polygons, joined by these portals, between two positions: over the middles of the
/// portals, as a search measures. Polygons that are no longer in the mesh are left out.
pub(crate) fn crossings<'a>(
    mesh: &'a NavMesh,
    (polys, portals): (&'a [PolyRef], &'a [Portal]),
    [start, end]: [Vec3; 2],
) -> impl Iterator<Item = Crossing<'a>> {
    let mut from = start;
    polys.iter().enumerate().filter_map(move |(step, &poly)| {
        let to = portals.get(step).map_or(end, Portal::middle);
        let ends = [core::mem::replace(&mut from, to), to];
        let before = step.checked_sub(1).map(|before| polys[before]);
        let state = mesh.state(poly).ok()?;
        Some(Crossing::over(mesh, poly, state, ends).between(before, polys.get(step + 1).copied()))
    })
}

impl<'a> Crossing<'a> {
    /// A straight line over a polygon by itself, without polygons before and after.
    #[must_use]
    #[inline]
    pub fn over(mesh: &'a NavMesh, poly: PolyRef, state: PolyState, [from, to]: [Vec3; 2]) -> Self {
        Self { from, to, poly, state, before: None, next: None, mesh }
    }

    /// The cost of one metre over a polygon by itself: shows whether it can be crossed at all, and which of two is
    /// cheaper.
    #[must_use]
    #[inline]
    pub(crate) fn metre(mesh: &'a NavMesh, poly: PolyRef, state: PolyState) -> Self {
        Self::over(mesh, poly, state, [Vec3::ZERO, Vec3::X])
    }

    /// The same crossing between two other polygons.
    #[must_use]
    #[inline]
    pub fn between(self, before: Option<PolyRef>, next: Option<PolyRef>) -> Self {
        Self { before, next, ..self }
    }

    /// The same crossing in the opposite direction.
    #[must_use]
    #[inline]
    pub fn reversed(self) -> Self {
        Self { from: self.to, to: self.from, before: self.next, next: self.before, ..self }
    }

    /// Its length, metres.
    #[must_use]
    #[inline]
    pub fn length(&self) -> f32 {
        self.from.distance(self.to)
    }

    /// How much higher it ends than it begins, metres; negative if it leads down.
    #[must_use]
    #[inline]
    pub fn rise(&self) -> f32 {
        self.to.y - self.from.y
    }

    /// Flags and area type of the polygon before.
    #[must_use]
    pub fn before_state(&self) -> Option<PolyState> {
        self.mesh.state(self.before?).ok()
    }

    /// Flags and area type of the next polygon.
    #[must_use]
    pub fn next_state(&self) -> Option<PolyState> {
        self.mesh.state(self.next?).ok()
    }
}
