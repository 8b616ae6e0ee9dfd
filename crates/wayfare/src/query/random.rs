//! Random points on the mesh, uniform by area.
//!
//! A polygon is chosen with a chance that is its share of the area, then a point in it, uniformly. For points around a
//! place, the polygons are first cut to the square around the circle; what falls outside the circle is thrown again, so
//! the points are uniform in the part of the circle that can be reached, and strictly inside it.
//!
//! Randomness comes from the caller's [`Rng`] alone: the same seed gives the same points on every platform.
//!
//! Cost: a sampler is built in one pass over its polygons; a point costs a binary search in them.
//!
//! Sources: Greg Turk, "Generating random points in triangles", Graphics Gems, 1990.

use super::{PolyPoint, QueryFilter, ReachedPoly, SearchScratch, polys_around_circle_into};
use crate::math::{Rng, plane, polygon};
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use glam::Vec3;

/// Gives random points on a set of polygons. Built once for any number of points.
#[derive(Clone, Debug, Default)]
pub struct PointSampler {
    polys: Vec<PolyRef>,
    /// Sum of the areas up to and with each polygon.
    sums: Vec<f64>,
}

impl PointSampler {
    /// Over all polygons of a mesh that pass a filter.
    #[must_use]
    pub fn on_mesh<F: QueryFilter + ?Sized>(mesh: &NavMesh, filter: &F) -> Self {
        let (mut sampler, mut verts) = (Self::default(), Vec::new());
        for tile in mesh.tiles() {
            for poly in 0..tile.poly_count() {
                let reference = tile.reference(poly);
                if filter.passes(reference, tile.state(poly)) {
                    verts.clear();
                    verts.extend(tile.data().points_of(poly));
                    sampler.push(reference, &verts);
                }
            }
        }
        sampler
    }

    /// Over some polygons.
    ///
    /// # Errors
    /// [`StaleRef`] of the first that is not in the mesh.
    pub fn on_polys(mesh: &NavMesh, polys: &[PolyRef]) -> Result<Self, StaleRef> {
        let (mut sampler, mut verts) = (Self::default(), Vec::new());
        for &reference in polys {
            verts.clear();
            verts.extend(mesh.poly(reference)?.points());
            sampler.push(reference, &verts);
        }
        Ok(sampler)
    }

    fn push(&mut self, poly: PolyRef, verts: &[Vec3]) {
        let area = f64::from(polygon::area(verts));
        if area > 0.0 {
            self.polys.push(poly);
            self.sums.push(self.area() + area);
        }
    }

    /// The area of all its polygons on the plane, square metres.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// A random polygon, by area; `None` if there is none.
    fn choose(&self, rng: &mut Rng) -> Option<usize> {
        // All bits that an f64 holds: on large levels small polygons lie between the steps of fewer.
        let at = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * self.area();
        let chosen = self.sums.partition_point(|&sum| sum <= at);
        (!self.sums.is_empty()).then(|| chosen.min(self.sums.len() - 1))
    }

    /// A random point on the ground of its polygons; `None` if it has none with any area.
    ///
    /// # Errors
    /// [`StaleRef`] if the polygon it fell on is not in the mesh.
    pub fn sample(&self, mesh: &NavMesh, rng: &mut Rng) -> Result<Option<PolyPoint>, StaleRef> {
        let Some(chosen) = self.choose(rng) else { return Ok(None) };
        let (tile, poly) = mesh.locate(self.polys[chosen])?;
        let point = polygon::random_point_of(tile.data().points_of(poly), [rng.unit(), rng.unit()]);
        Ok(point.map(|p| PolyPoint { poly: self.polys[chosen], point: tile.data().closest_point(poly, p).point }))
    }
}

/// A random point within `radius` metres of a place, strictly inside the circle, on ground that can be reached without
/// leaving it. `None` if the radius is not above zero.
///
/// # Errors
/// [`StaleRef`].
pub fn random_point_in_circle<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    place: PolyPoint,
    radius: f32,
    filter: &F,
    rng: &mut Rng,
    scratch: &mut SearchScratch,
) -> Result<Option<PolyPoint>, StaleRef> {
    let mut circle = core::mem::take(&mut scratch.circle);
    let drawn = circle.draw(mesh, place, radius, (filter, rng), scratch);
    scratch.circle = circle;
    drawn
}

/// Throws after which a circle counts as having no ground. The chance to miss ground that fills a tenth of the square
/// is 2·10⁻⁶.
const THROWS: u32 = 128;

/// The ground in the square around a circle, in memory that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct CircleGround {
    reached: Vec<ReachedPoly>,
    /// Polygons of which something lies in the square, and how large that is.
    sampler: PointSampler,
    clip: [Vec<Vec3>; 2],
}

impl CircleGround {
    /// A random point. What lies in the square of each polygon is left in the scratch's lists of corners.
    fn draw<F: QueryFilter + ?Sized>(
        &mut self,
        mesh: &NavMesh,
        place: PolyPoint,
        radius: f32,
        (filter, rng): (&F, &mut Rng),
        scratch: &mut SearchScratch,
    ) -> Result<Option<PolyPoint>, StaleRef> {
        polys_around_circle_into(mesh, place, radius, filter, scratch, &mut self.reached)?;
        if radius.is_nan() || radius <= 0.0 {
            return Ok(None);
        }
        self.cut(mesh, (place.point, radius), scratch)?;
        for _ in 0..THROWS {
            let Some(chosen) = self.sampler.choose(rng) else { break };
            let start = chosen.checked_sub(1).map_or(0, |before| scratch.ends[before] as usize);
            let piece = &scratch.verts[start..scratch.ends[chosen] as usize];
            let Some(p) = polygon::random_point(piece, [rng.unit(), rng.unit()]) else { continue };
            let poly = self.sampler.polys[chosen];
            let (tile, index) = mesh.locate(poly)?;
            let point = tile.data().closest_point(index, p).point;
            if plane::distance_squared(point, place.point) < radius * radius {
                return Ok(Some(PolyPoint { poly, point }));
            }
        }
        // Next to no ground in the circle: the place itself is there.
        Ok(Some(place))
    }

    /// Cuts the polygons to the square around the circle.
    fn cut(
        &mut self,
        mesh: &NavMesh,
        (center, radius): (Vec3, f32),
        scratch: &mut SearchScratch,
    ) -> Result<(), StaleRef> {
        self.sampler.polys.clear();
        self.sampler.sums.clear();
        scratch.verts.clear();
        scratch.ends.clear();
        let (low, high) = (center - Vec3::splat(radius), center + Vec3::splat(radius));
        let [piece, other] = &mut self.clip;
        for reached in &self.reached {
            piece.clear();
            piece.extend(mesh.poly(reached.poly)?.points());
            for axis in [0, 2] {
                polygon::clip_half_space_into(piece, axis, low[axis], true, other);
                polygon::clip_half_space_into(other, axis, high[axis], false, piece);
            }
            let before = self.sampler.polys.len();
            self.sampler.push(reached.poly, piece);
            if self.sampler.polys.len() > before {
                scratch.verts.extend_from_slice(piece);
                scratch.ends.push(scratch.verts.len() as u32);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::PolyFlags;
    use crate::query::DefaultFilter;
    use crate::query::test_maps::{at, mesh};

    #[test]
    fn points_spread_by_area_over_what_passes() {
        let mut mesh = mesh(&[((0, 0), "aaa."), ((1, 0), "a...")]);
        let closed = at(&mesh, (1.5, 0.5)).unwrap().poly;
        mesh.set_flags(closed, PolyFlags::NONE).unwrap();
        let sampler = PointSampler::on_mesh(&mesh, &DefaultFilter::default());
        assert_eq!(sampler.area(), 3.0);
        let (mut rng, mut counts) = (Rng::new(3), [0; 3]);
        for _ in 0..3_000 {
            let p = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
            assert!(mesh.locate(p.poly).map(|(t, i)| t.data().is_over(i, p.point)).unwrap());
            counts[(p.point.x / 2.0) as usize] += 1;
        }
        assert!(counts.iter().all(|n| (880..1120).contains(n)), "{counts:?}");
        let one = PointSampler::on_polys(&mesh, &[closed]).unwrap().sample(&mesh, &mut rng).unwrap().unwrap();
        assert_eq!(one.poly, closed);
        assert!(PointSampler::default().sample(&mesh, &mut rng).unwrap().is_none());
    }

    #[test]
    fn points_in_a_circle_are_strictly_inside_it_and_uniform() {
        let mesh = mesh(&[((0, 0), "aaaa\naaaa\naaaa\naaaa")]);
        let (place, filter, mut rng) = (at(&mesh, (1.0, 2.0)).unwrap(), DefaultFilter::default(), Rng::new(1));
        let mut scratch = SearchScratch::new();
        let mut ask = |radius| random_point_in_circle(&mesh, place, radius, &filter, &mut rng, &mut scratch).unwrap();
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
    }
}
