//! How far the nearest wall is.
//!
//! From the polygon of the place outwards, nearest portals first: the walls of each polygon shrink the radius, and portals beyond the
//! radius are not crossed. When the nearest open portal is farther away than the nearest wall, that wall is the answer.
//!
//! ```text
//!   |     .--.           only walls that can be seen by walking towards them count:
//!   |    ( p  )   |      those of other floors do not
//! ```
//!
//! Cost: the polygons within the distance to the wall.
//!
//! Sources: Mikko Mononen, "Detour Distance To Wall", 2009; nearest-first is ours.

use super::flood::{Around, Beyond};
use super::walls::WallSegment;
use super::{PolyPoint, QueryFilter, SearchScratch, flood};
use crate::math::{plane, segment};
use crate::mesh::{NavMesh, StaleRef};
use glam::Vec3;

/// The nearest wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestWall {
    /// Distance on the plane, metres.
    pub distance: f32,
    /// The point of the wall that is nearest.
    pub point: Vec3,
    /// The direction from there to the place asked about, on the plane; where that is on the wall, the direction away from the wall. Length one.
    pub normal: Vec3,
    /// The stretch of wall.
    pub wall: WallSegment,
}

/// The nearest wall around a place, by ways that pass the filter; `None` if there is none within `max_radius` metres.
///
/// # Errors
/// [`StaleRef`].
pub fn find_distance_to_wall<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    place: PolyPoint,
    max_radius: f32,
    filter: &F,
    scratch: &mut SearchScratch,
) -> Result<Option<NearestWall>, StaleRef> {
    let center = place.point;
    let first = flood::begin(mesh, place.poly, center, scratch)?;
    let SearchScratch { nodes, open, .. } = scratch;
    let mut radius_squared = if max_radius > 0.0 { max_radius * max_radius } else { 0.0 };
    let mut nearest: Option<(WallSegment, Vec3)> = None;
    open.push(0.0, first);
    while let Some((distance_squared, index)) = open.pop() {
        if distance_squared > radius_squared {
            break;
        }
        let Some(tile) = flood::tile_of(mesh, nodes, index) else { continue };
        let poly = nodes.get(index).poly;
        // Ways out may be found before a wall that shrinks the radius: they are looked at again when their turn comes.
        flood::for_each_edge(mesh, (tile, poly), filter, |around| match around {
            Around::Wall(wall) if segment::is_within(center, wall.start, wall.end, radius_squared) => {
                let point = segment::closest_point(center, wall.start, wall.end);
                let distance_squared = plane::distance_squared(center, point);
                if distance_squared < radius_squared || (nearest.is_none() && distance_squared <= radius_squared) {
                    radius_squared = distance_squared;
                    nearest = Some((wall, point));
                }
            }
            Around::Way(way) if segment::is_within(center, way.a, way.b, radius_squared) => {
                let beyond = Beyond::of(&way, nodes);
                if beyond.known.is_none() {
                    let distance_squared = segment::point_distance_squared(center, way.a, way.b);
                    open.push(distance_squared, flood::add(nodes, &beyond, index, center, distance_squared));
                }
            }
            _ => {}
        });
    }
    Ok(nearest.map(|(wall, point)| {
        let away = Vec3::new(center.x - point.x, 0.0, center.z - point.z);
        let normal = away.try_normalize().unwrap_or_else(|| segment::inward_normal(wall.start, wall.end));
        NearestWall { distance: radius_squared.sqrt(), point, normal, wall }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};

    fn ask(mesh: &NavMesh, place: (f32, f32), radius: f32) -> Option<NearestWall> {
        let place = at(mesh, place).unwrap();
        find_distance_to_wall(mesh, place, radius, &DefaultFilter::default(), &mut SearchScratch::new()).unwrap()
    }

    #[test]
    fn the_nearest_wall_may_be_some_polygons_away() {
        let mesh = mesh(&[((0, 0), "aaaaa\naaaaa\naaaaa\naaaaa"), ((1, 0), "a....\na....\na....\na....")]);
        let wall = ask(&mesh, (4.5, 2.25), 9.0).unwrap();
        assert_eq!((wall.distance, wall.point, wall.normal), (1.5, Vec3::new(6.0, 0.0, 2.25), Vec3::NEG_X));
        assert_eq!(ask(&mesh, (4.5, 2.25), 1.4), None);
        let on_it = ask(&mesh, (0.0, 1.25), 9.0).unwrap();
        assert_eq!((on_it.distance, on_it.normal), (0.0, Vec3::X));
    }

    #[test]
    fn walls_behind_walls_do_not_count() {
        let mesh = mesh(&[((0, 0), "aaaaaaa\naaa.aaa\naaaaaaa")]);
        let wall = ask(&mesh, (2.75, 0.5), 9.0).unwrap();
        assert_eq!(wall.distance, 0.5);
    }
}
