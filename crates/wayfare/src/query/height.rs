//! Heights of the surface, and the points of a polygon nearest to a point.
//!
//! Cost: linear in the polygon's corners and detail triangles.
//!
//! Sources: detail meshes are Mikko Mononen's, Recast, 2009.

use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use crate::tile::SurfacePoint;
use glam::Vec3;

/// The height of a polygon's surface directly above or below `point`; `None` if the point is not over the polygon.
///
/// # Errors
/// [`StaleRef`].
pub fn poly_height(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<Option<f32>, StaleRef> {
    let (tile, index) = mesh.locate(poly)?;
    Ok(tile.data().height_at(index, point))
}

/// The point of a polygon's surface nearest to `point`: directly above or below it if the point is over the polygon,
/// otherwise on the polygon's outline.
///
/// # Errors
/// [`StaleRef`].
pub fn closest_point_on_poly(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<SurfacePoint, StaleRef> {
    let (tile, index) = mesh.locate(poly)?;
    Ok(tile.data().closest_point(index, point))
}

/// The point of a polygon nearest to `point` in the horizontal plane, using only the polygon's corners: `point` itself
/// if it is over the polygon, otherwise the nearest point of an edge, at the height of that edge. Faster than
/// [`closest_point_on_poly`], and ignores the detail mesh.
///
/// # Errors
/// [`StaleRef`].
pub fn closest_point_on_boundary(mesh: &NavMesh, poly: PolyRef, point: Vec3) -> Result<Vec3, StaleRef> {
    let (tile, index) = mesh.locate(poly)?;
    if tile.data().is_over(index, point) {
        return Ok(point);
    }
    let nearest = tile.outline(index).nearest_edge(point);
    let on_edge = nearest.map(|(edge, _)| segment::closest_point(point, edge.start, edge.end));
    // For a point so far away that distances overflow, any point of the outline will do.
    let place = on_edge.filter(|on| on.is_finite()).or_else(|| tile.data().points_of(index).next());
    Ok(place.unwrap_or(point))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::test_sketch::Drawing;

    /// A square of two metres at height 0, with a tip of a metre in its middle that only the detail knows.
    fn tent() -> (NavMesh, PolyRef) {
        let square = Drawing::of_polygons(&[[[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]]]);
        let tile = square.alone().edited(|tile| {
            tile.raise_peak(Vec3::new(1.0, 1.0, 1.0));
            tile.fit_bounds();
        });
        let mesh = NavMesh::from_tile(tile).unwrap();
        let poly = mesh.tiles().next().unwrap().reference(0);
        (mesh, poly)
    }

    #[test]
    fn heights_are_those_of_the_detail_and_boundaries_those_of_the_corners() {
        let (mesh, poly) = tent();
        let (over, beside) = (Vec3::new(0.5, 7.0, 1.0), Vec3::new(-1.0, 7.0, 1.0));
        assert_eq!((poly_height(&mesh, poly, over), poly_height(&mesh, poly, beside)), (Ok(Some(0.5)), Ok(None)));
        let on_ground = |point| closest_point_on_poly(&mesh, poly, point).unwrap().point;
        assert_eq!((on_ground(over), on_ground(beside)), (Vec3::new(0.5, 0.5, 1.0), Vec3::new(0.0, 0.0, 1.0)));
        let on_boundary = |point| closest_point_on_boundary(&mesh, poly, point).unwrap();
        assert_eq!((on_boundary(over), on_boundary(beside)), (over, Vec3::new(0.0, 0.0, 1.0)));
    }

    #[test]
    fn a_polygon_that_is_gone_is_stale() {
        let (mut mesh, poly) = tent();
        mesh.remove_tile(poly.tile().unwrap()).unwrap();
        assert!(poly_height(&mesh, poly, Vec3::ONE).is_err());
        assert!(closest_point_on_poly(&mesh, poly, Vec3::ONE).is_err());
        assert!(closest_point_on_boundary(&mesh, poly, Vec3::ONE).is_err());
    }
}
