//! The parameter type for positions in queries: a point in space, or a position on the mesh.

use super::{Nearest, PolyPoint, QueryFilter, find_nearest};
use crate::mesh::{NavMesh, StaleRef};
use glam::Vec3;

/// A position for a [`NavQuery`](super::NavQuery). A `Vec3`, or anything that converts to one, is looked up on the
/// mesh; a [`PolyPoint`] is used as it is, which saves the look-up and stays on its floor. Only whether its polygon
/// exists is checked, not whether the point is on it: do not take one from outside, such as from a client, without
/// [`closest_point_on_poly`](super::closest_point_on_poly), or take the point alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueryPoint {
    /// A point in space: the nearest polygon that passes the filter is used.
    Anywhere(Vec3),
    /// A point of a polygon.
    On(PolyPoint),
}

impl<T: Into<Vec3>> From<T> for QueryPoint {
    fn from(point: T) -> Self {
        Self::Anywhere(point.into())
    }
}

impl From<PolyPoint> for QueryPoint {
    fn from(place: PolyPoint) -> Self {
        Self::On(place)
    }
}

impl From<Nearest> for QueryPoint {
    fn from(nearest: Nearest) -> Self {
        Self::On(nearest.place())
    }
}

impl QueryPoint {
    /// The point in either case.
    #[must_use]
    pub fn point(self) -> Vec3 {
        match self {
            Self::Anywhere(point) => point,
            Self::On(place) => place.point,
        }
    }

    /// The position on the mesh; `None` if no polygon is near.
    pub(super) fn place<F: QueryFilter + ?Sized>(
        self,
        mesh: &NavMesh,
        reach: Vec3,
        filter: &F,
    ) -> Result<Option<PolyPoint>, StaleRef> {
        match self {
            Self::Anywhere(point) => Ok(find_nearest(mesh, point, reach, filter).map(|nearest| nearest.place())),
            Self::On(place) => mesh.locate(place.poly).map(|_| Some(place)),
        }
    }
}
