//! The ground at a place: heights, and the points of a polygon nearest to a point.
//!
//! Cost: linear in the polygon's corners and detail triangles.
//!
//! Sources: detail meshes are Mikko Mononen's, Recast, 2009.

use crate::math::polygon;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::tile::SurfacePoint;
use glam::Vec3;

/// The height of the ground of a polygon right above or below `point`; `None` if the point is beside the polygon.
///
/// # Errors
/// [`StaleRef`].
pub fn poly_height(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<Option<f32>, StaleRef> {
    let (tile, index) = mesh.locate(poly)?;
    Ok(tile.data().height_at(index, point))
}

/// The point of a polygon's ground nearest to `point`: right above or below it if the point is over the polygon, on its
/// outline if not.
///
/// # Errors
/// [`StaleRef`].
pub fn closest_point_on_poly(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<SurfacePoint, StaleRef> {
    let (tile, index) = mesh.locate(poly)?;
    Ok(tile.data().closest_point(index, point))
}

/// The point of a polygon nearest to `point` on the plane, by the polygon's corners alone: `point` itself if it is over
/// the polygon, otherwise the nearest point of an edge with the height of that edge. Faster than
/// [`closest_point_on_poly`], and without the detail mesh.
///
/// # Errors
/// [`StaleRef`].
pub fn closest_point_on_boundary(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<Vec3, StaleRef> {
    let (tile, index) = mesh.locate(poly)?;
    if tile.data().is_over(index, point) {
        return Ok(point);
    }
    let verts: Vec<Vec3> = tile.data().points_of(index).collect();
    Ok(polygon::closest_on_border(&verts, point).map_or(point, |on| on.point))
}
