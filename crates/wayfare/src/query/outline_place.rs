//! Finds the position on a polygon nearest to a point, as the end of a path that does not reach the point: directly
//! below or above it, or the horizontally nearest point of the polygon's outline, at the height of the edge, like all
//! path points.
//!
//! Cost: linear in the polygon's corners, seven at a time.

use crate::math::segment;
use crate::mesh::Tile;
use crate::tile::Place;
use glam::Vec3;

/// The position and its squared distance in space; `None` if that is not below `bound`.
#[inline]
pub(super) fn place_near(tile: &Tile, poly: u32, p: Vec3, bound: f32) -> Option<(f32, Vec3)> {
    let outline = tile.outline(poly);
    let place = match outline.place_of(p, bound) {
        Place::Farther => return None,
        Place::Over => tile.place_at(poly, p, true),
        Place::Beside => {
            let (edge, _) = outline.nearest_edge(p)?;
            segment::closest_point(p, edge.start, edge.end)
        }
    };
    let distance = place.distance_squared(p);
    (distance <= bound).then_some((distance, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::plane::distance_squared;
    use crate::query::test_maps::mesh;

    #[test]
    fn outline_and_ground_agree_about_what_is_over_a_polygon() {
        let mesh = mesh(&[((0, 0), "a")]);
        let tile = mesh.tiles().next().unwrap();
        let outline = tile.outline(0);
        let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -1.0, 0.0, 0.5, 1.0, 2.0];
        for p in odd.iter().flat_map(|&x| odd.map(|z| Vec3::new(x, 0.0, z))) {
            let over = (0.0..=1.0).contains(&p.x) && (0.0..=1.0).contains(&p.z);
            assert_eq!((outline.is_over(p), tile.data().is_over(0, p)), (over, over), "{p}");
            let reach = distance_squared(p, Vec3::new(0.5, 0.0, 0.5));
            assert_eq!(outline.place_of(p, reach) == Place::Over, over, "{p}");
        }
    }
}
