//! Random points on a set of polygons, uniform by area.
//!
//! A polygon is chosen with a chance that is its share of the area, then a point in it, uniformly.
//!
//! Cost: a sampler is built in one pass over its polygons; a point costs a binary search in them.
//!
//! Sources: Greg Turk, "Generating random points in triangles", Graphics Gems, 1990.

use super::{PolyPoint, QueryFilter};
use crate::math::{Rng, polygon};
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
        let mut sampler = Self::default();
        let mut verts = Vec::new();
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
        let mut sampler = Self::default();
        let mut verts = Vec::new();
        for &reference in polys {
            verts.clear();
            verts.extend(mesh.poly(reference)?.points());
            sampler.push(reference, &verts);
        }
        Ok(sampler)
    }

    /// Forgets its polygons and keeps its memory.
    pub(super) fn clear(&mut self) {
        self.polys.clear();
        self.sums.clear();
    }

    /// Adds a polygon with these corners, or the part of one. Whether it has any area: without, it is left out.
    pub(super) fn push(&mut self, poly: PolyRef, verts: &[Vec3]) -> bool {
        let area = f64::from(polygon::area(verts));
        if area > 0.0 {
            self.polys.push(poly);
            self.sums.push(self.area() + area);
        }
        area > 0.0
    }

    /// The area of all its polygons on the plane, square metres.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// The number of a random polygon, by area; `None` if there is none.
    pub(super) fn choose(&self, rng: &mut Rng) -> Option<usize> {
        // All bits that an f64 holds: on large levels small polygons lie between the steps of fewer.
        let at = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * self.area();
        let chosen = self.sums.partition_point(|&sum| sum <= at);
        (!self.sums.is_empty()).then(|| chosen.min(self.sums.len() - 1))
    }

    /// The polygon with a number.
    pub(super) fn poly(&self, number: usize) -> PolyRef {
        self.polys[number]
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
}
