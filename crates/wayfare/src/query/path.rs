//! A path over polygons: the result of a search.

use super::{NodePlacement, PolyPoint, SearchLimits};
use crate::area::{LimitHit, PathStatus};
use crate::math::funnel::Portal;
use crate::mesh::{NavMesh, PolyRef, StaleRef, Tile};
use glam::Vec3;

/// Parameters of a path search. `P` is the [rule for placing nodes](super::PlaceNodes): one of the library's, or [your
/// own](PathRequest::placed_by).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathRequest<P = NodePlacement> {
    /// Where the path begins. There is no path from a point that is not finite: [`PathStatus::None`], no polygons.
    pub start: PolyPoint,
    /// Where it should end. A point that is not finite is never reached.
    pub goal: PolyPoint,
    /// Limits of the search.
    pub limits: SearchLimits,
    /// Where the search places its nodes on the portals. Default: [`NodePlacement::Middle`].
    pub placement: P,
}

impl PathRequest {
    /// From `start` to `goal`, without limits.
    #[must_use]
    pub fn new(start: PolyPoint, goal: PolyPoint) -> Self {
        Self { start, goal, limits: SearchLimits::default(), placement: NodePlacement::default() }
    }
}

impl<P> PathRequest<P> {
    /// The same request with another rule for placing nodes.
    #[must_use]
    pub fn placed_by<Q>(self, placement: Q) -> PathRequest<Q> {
        PathRequest { start: self.start, goal: self.goal, limits: self.limits, placement }
    }
}

/// The polygons from a start to a goal, and the portals between them.
#[derive(Debug, PartialEq)]
pub struct PolyPath {
    /// Whether the goal was reached.
    pub status: PathStatus,
    /// The limit that cut the search short, if any.
    pub limit: Option<LimitHit>,
    /// The polygons, starting with that of the start.
    pub polys: Vec<PolyRef>,
    /// The portals between them; one less than polygons.
    pub portals: Vec<Portal>,
    /// Where the path begins.
    pub start: Vec3,
    /// Where it ends: the goal, or for a partial path the point of its last polygon nearest to the goal.
    pub end: Vec3,
    /// Cost by the filter, over the middles of the portals: an upper estimate of the cost of the straight path. The
    /// cost of a partial path is counted up to where its last polygon is entered, or up to its end if that was known
    /// before the search ([`NavMesh::keep_components_for`](crate::mesh::NavMesh::keep_components_for), goals in other
    /// components); that of a path that was cut because polygons are gone, up to where it originally led.
    pub cost: f32,
    /// How many nodes the search opened.
    pub nodes: u32,
}

impl Clone for PolyPath {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Reuses the memory of the lists.
    fn clone_from(&mut self, other: &Self) {
        let Self { status, limit, ref polys, ref portals, start, end, cost, nodes } = *other;
        self.polys.clone_from(polys);
        self.portals.clone_from(portals);
        (self.status, self.limit) = (status, limit);
        (self.start, self.end) = (start, end);
        (self.cost, self.nodes) = (cost, nodes);
    }
}

impl Default for PolyPath {
    fn default() -> Self {
        Self {
            status: PathStatus::None,
            limit: None,
            polys: Vec::new(),
            portals: Vec::new(),
            start: Vec3::ZERO,
            end: Vec3::ZERO,
            cost: 0.0,
            nodes: 0,
        }
    }
}

impl PolyPath {
    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        let mut polys = core::mem::take(&mut self.polys);
        let mut portals = core::mem::take(&mut self.portals);
        polys.clear();
        portals.clear();
        *self = Self { polys, portals, ..Self::default() };
    }

    /// A path along polygons and off-mesh connections that the caller already has. Each must have a portal to the next:
    /// the first one that [`portal_between`] finds is used. This allows a stored list of polygons, or one from
    /// elsewhere, to be followed and straightened.
    ///
    /// # Errors
    /// [`CorridorError`] if two consecutive polygons do not touch, a connection does not lead from one to the other, or
    /// a reference is stale.
    pub fn along(mesh: &NavMesh, polys: &[PolyRef], start: Vec3, end: Vec3) -> Result<Self, CorridorError> {
        let mut path = Self { status: PathStatus::Complete, start, end, ..Self::default() };
        for &poly in polys {
            mesh.state(poly)?;
        }
        for (step, pair) in polys.windows(2).enumerate() {
            let portal = portal_between(mesh, pair[0], pair[1])?.ok_or(CorridorError::Gap { step: step as u32 })?;
            path.portals.push(portal);
        }
        path.polys.extend_from_slice(polys);
        if polys.is_empty() {
            path.status = PathStatus::None;
        }
        Ok(path)
    }
}

/// The first portal from polygon `from` into its neighbour `to`, as seen in that direction; `None` if they do not
/// touch. Into and out of an off-mesh connection it is a single point, the end at which the connection is entered or
/// left.
///
/// # Errors
/// [`StaleRef`] if `from` is stale, or a connection.
pub fn portal_between(mesh: &NavMesh, from: PolyRef, to: PolyRef) -> Result<Option<Portal>, StaleRef> {
    if from.is_off_mesh() {
        let connection = mesh.connection(from)?;
        let exits = [0, 1].into_iter().filter_map(|end| Some(connection.passage(end)?[1]));
        return Ok(exits.filter(|exit| exit.poly == to).map(|exit| Portal::point(exit.point)).next());
    }
    if to.is_off_mesh() {
        let entered = mesh.connection(to)?.passage_from(from);
        return Ok(entered.map(|[entrance, _]| Portal::point(entrance.point)));
    }
    let (tile, poly) = mesh.locate(from)?;
    let portal = tile.portals(poly).find(|p| p.to == to);
    let whole = portal.map(|p| joined(tile, poly, to, [p.a, p.b]));
    Ok(whole.map(|[left, right]| Portal { left, right }))
}

/// The full line between polygons of two tiles to which a portal belongs. Where a corner of one polygon lies on the
/// edge of the other, that line is divided into several links, and a straight path need not bend there; between two
/// convex polygons the links lie on one line.
pub(super) fn joined(tile: &Tile, poly: u32, to: PolyRef, [mut a, mut b]: [Vec3; 2]) -> [Vec3; 2] {
    let meets = |p: Vec3, q: Vec3| p.x == q.x && p.z == q.z;
    // Edges are ordered around the polygon, but that order may begin in the middle of the line.
    for _ in 0..2 {
        let mut count = 0;
        let borders = tile.outline(poly).open_edges().filter_map(|(_, edge)| edge.beyond().as_border());
        for border in borders {
            for other in tile.links().of_border(border).iter().filter(|other| other.to == to) {
                a = if meets(other.b, a) { other.a } else { a };
                b = if meets(other.a, b) { other.b } else { b };
                count += 1;
            }
        }
        if count < 2 {
            break;
        }
    }
    [a, b]
}

/// A list of polygons that is not a corridor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CorridorError {
    /// A reference is stale.
    #[error(transparent)]
    Stale(#[from] StaleRef),
    /// Two consecutive polygons do not touch.
    #[error("polygons {step} and {} of the corridor do not touch: search a path between them", step + 1)]
    Gap {
        /// Index of the first of the two.
        step: u32,
    },
}
