//! Checks a path after the mesh has changed: which polygon is the first that can no longer be walked, and why.
//!
//! ```text
//!   ● [ A ][ B ][ ? ][ D ] ● end        C is gone, 7.5 m ahead
//! ```
//!
//! Cost: a look-up for each polygon, and for each off-mesh connection the polygons at its ends.
//!
//! Sources: Mikko Mononen, "On Navigation Robustness", Digesting Duck, September 2010.

use super::{PolyPath, QueryFilter, portal_between};
use crate::math::funnel::Portal;
use crate::math::plane;
use crate::mesh::{NavMesh, PolyRef, StaleReason};
use glam::Vec3;

/// Where a path or a corridor is broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Broken {
    /// Index of the polygon in the path.
    pub step: u32,
    /// The polygon.
    pub poly: PolyRef,
    /// What is wrong with it.
    pub by: BrokenBy,
    /// The walking distance to it, over the middles of the portals: metres, 0 for the first polygon.
    pub ahead: f32,
}

/// The reason why a path is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrokenBy {
    /// The polygon or connection is no longer in the mesh.
    Gone(StaleReason),
    /// It exists, but the filter blocks it: a door was closed.
    Closed,
    /// It exists, but cannot be entered from the polygon before: an off-mesh connection is attached to other polygons.
    Apart,
    /// It can be walked now, but its tile was [announced](NavMesh::announce) to be replaced or removed.
    Soon,
}

impl PolyPath {
    /// The first polygon of the path that is no longer in `mesh`, that `filter` no longer passes, or that cannot be
    /// entered from the one before; `None` if the whole path can still be walked. An agent that stands on a closed
    /// polygon may leave it, so the first polygon is never [`BrokenBy::Closed`].
    ///
    /// A path that is not broken may no longer be the best one: finding that out takes a search.
    ///
    /// ```
    /// use wayfare::area::PolyFlags;
    /// use wayfare::input::{AgentSettings, TriMesh};
    /// use wayfare::mesh::NavMesh;
    /// use wayfare::query::{BrokenBy, DefaultFilter, PathRequest, SearchScratch, find_nearest, find_path};
    /// use wayfare::Vec3;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 20.0], [20.0, 0.0, 20.0], [20.0, 0.0, 0.0]].map(Vec3::from);
    /// let level = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    /// let mut mesh = NavMesh::bake(&level, &AgentSettings::default()).unwrap();
    /// let filter = DefaultFilter::default();
    /// let place = |x, z| find_nearest(&mesh, Vec3::new(x, 0.0, z), Vec3::ONE, &filter).unwrap().place();
    /// let request = PathRequest::new(place(2.0, 2.0), place(18.0, 18.0));
    /// let path = find_path(&mesh, &request, &filter, &mut SearchScratch::new()).unwrap();
    /// assert_eq!(path.check(&mesh, &filter), None);
    ///
    /// // A door is closed: nobody comes into the last polygon any more.
    /// let last = *path.polys.last().unwrap();
    /// mesh.set_flags(last, PolyFlags::NONE).unwrap();
    /// if let Some(broken) = path.check(&mesh, &filter) {
    ///     assert_eq!((broken.poly, broken.by), (last, BrokenBy::Closed));
    ///     println!("walk on for {} m, and search anew from there", broken.ahead);
    /// }
    /// ```
    #[must_use]
    pub fn check<F: QueryFilter + ?Sized>(&self, mesh: &NavMesh, filter: &F) -> Option<Broken> {
        first_broken(mesh, (&self.polys, &self.portals), self.start, filter)
    }

    /// The distance to the end of the path, over the middles of the portals.
    pub(crate) fn length_over_portals(&self) -> f32 {
        length_over_portals(self.start, &self.portals, self.end)
    }
}

/// The distance from a start to an end, over the middles of the portals between.
pub(crate) fn length_over_portals(start: Vec3, portals: &[Portal], end: Vec3) -> f32 {
    let last = portals.last().map_or(start, Portal::middle);
    distance_along(start, portals) + plane::distance(last, end)
}

/// The first broken polygon among polygons joined by these portals, for a path that begins at `start`.
pub(crate) fn first_broken<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    (polys, portals): (&[PolyRef], &[Portal]),
    start: Vec3,
    filter: &F,
) -> Option<Broken> {
    let (step, by) = (0..polys.len()).find_map(|step| Some((step, breach(mesh, polys, step, filter)?)))?;
    let ahead = distance_along(start, &portals[..step.min(portals.len())]);
    Some(Broken { step: step as u32, poly: polys[step], by, ahead })
}

/// Why a polygon among these can no longer be walked, if it cannot.
pub(crate) fn breach<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    polys: &[PolyRef],
    step: usize,
    filter: &F,
) -> Option<BrokenBy> {
    let poly = polys[step];
    match mesh.state(poly) {
        Err(stale) => return Some(BrokenBy::Gone(stale.reason)),
        // An agent that stands on a closed polygon may leave it.
        Ok(state) if step > 0 && !filter.passes(poly, state) => return Some(BrokenBy::Closed),
        Ok(_) => {}
    }
    if !poly.is_off_mesh() {
        return None;
    }
    let leads = |from: PolyRef, to: PolyRef| matches!(portal_between(mesh, from, to), Ok(Some(_)));
    let before = *polys.get(step.checked_sub(1)?)?;
    let goes_on = leads(before, poly) && polys.get(step + 1).is_none_or(|&next| leads(poly, next));
    (!goes_on).then_some(BrokenBy::Apart)
}

pub(super) fn distance_along(start: Vec3, portals: &[Portal]) -> f32 {
    let mut at = start;
    let mut sum = 0.0;
    for portal in portals {
        let middle = portal.middle();
        sum += plane::distance(at, middle);
        at = middle;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PolyFlags;
    use crate::math::index::TileSlot;
    use crate::query::test_maps::{at, mesh};
    use crate::query::{DefaultFilter, PathRequest, SearchScratch, find_path};

    #[test]
    fn the_first_polygon_that_is_closed_or_gone_is_named() {
        let mut mesh = mesh(&[((0, 0), "aaaa"), ((1, 0), "aaaa")]);
        let filter = DefaultFilter::default();
        let ask = PathRequest::new(at(&mesh, (0.5, 0.5)).unwrap(), at(&mesh, (7.5, 0.5)).unwrap());
        let path = find_path(&mesh, &ask, &filter, &mut SearchScratch::new()).unwrap();
        assert_eq!((path.polys.len(), path.check(&mesh, &filter)), (8, None));
        assert_eq!(PolyPath::default().check(&mesh, &filter), None);
        // An agent on a closed polygon may leave it.
        mesh.set_flags(path.polys[0], PolyFlags::NONE).unwrap();
        assert_eq!(path.check(&mesh, &filter), None);
        mesh.set_flags(path.polys[6], PolyFlags::NONE).unwrap();
        let closed = path.check(&mesh, &filter).unwrap();
        assert_eq!((closed.step, closed.poly, closed.by, closed.ahead), (6, path.polys[6], BrokenBy::Closed, 5.5));
        // Another tile at the same place has other polygons.
        let tile = mesh.remove_tile(mesh.tile_in(TileSlot::new(1)).unwrap().tile_ref()).unwrap();
        let gone = path.check(&mesh, &filter).unwrap();
        assert_eq!((gone.step, gone.by, gone.ahead), (4, BrokenBy::Gone(StaleReason::Removed), 3.5));
        mesh.add_tile(tile).unwrap();
        let gone = path.check(&mesh, &filter).unwrap();
        assert_eq!((gone.step, gone.by), (4, BrokenBy::Gone(StaleReason::Replaced)));
    }
}
