//! Picks random points around a position, uniform by area, that can be reached from there.
//!
//! Randomness comes from the caller's [`Rng`] alone: the same seed gives the same points on every platform.
//!
//! Cost: the polygons around the position, each clipped to the square around the circle.
//!
//! Sources: none needed.

use super::{AroundRequest, PolyPoint, QueryFilter, SearchScratch, polys_around_into};
use crate::graph::SearchObserver;
use crate::math::Rng;
use crate::mesh::{NavMesh, PolyRef, StaleRef};

/// A random point within `radius` metres of a position, strictly inside the circle, that can be reached without leaving
/// the circle. `None` if the radius is not above zero, or the position is not finite.
///
/// # Errors
/// [`StaleRef`].
pub fn random_point_in_circle<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    place: PolyPoint,
    radius: f32,
    filter: &F,
    scratch: &mut SearchScratch<O>,
    rng: &mut Rng,
) -> Result<Option<PolyPoint>, StaleRef> {
    let mut circle = core::mem::take(&mut scratch.memory.circle);
    let around = polys_around_into(mesh, &AroundRequest::circle(place, radius), filter, scratch, &mut circle.reached);
    let drawn = around.and_then(|()| match radius > 0.0 && place.point.is_finite() {
        true => circle.draw(mesh, place, radius, rng).map(Some),
        false => Ok(None),
    });
    scratch.memory.circle = circle;
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};

    #[test]
    fn points_in_a_circle_are_strictly_inside_it_and_uniform() {
        let mesh = mesh(&[((0, 0), "aaaa\naaaa\naaaa\naaaa")]);
        let (place, filter, mut rng) = (at(&mesh, (1.0, 2.0)).unwrap(), DefaultFilter::default(), Rng::new(1));
        let mut scratch = SearchScratch::new();
        let mut ask = |radius| random_point_in_circle(&mesh, place, radius, &filter, &mut scratch, &mut rng).unwrap();
        let mut left = 0;
        for _ in 0..2_000 {
            let p = ask(1.5).unwrap().point;
            assert!(p.distance(place.point) < 1.5);
            left += u32::from(p.x < 1.0);
        }
        // Left of the middle a segment of the circle is cut off by the mesh's edge: 44.5 % of the rest is there.
        assert!((840..940).contains(&left), "{left}");
        for radius in [1e-3, 0.1, 9.0] {
            assert!(ask(radius).is_some_and(|p| p.point.distance(place.point) < radius));
        }
        assert_eq!((ask(0.0), ask(f32::NAN)), (None, None));
        let nowhere = PolyPoint { point: glam::Vec3::NAN, ..place };
        assert_eq!(random_point_in_circle(&mesh, nowhere, 1.0, &filter, &mut scratch, &mut rng), Ok(None));
    }
}
