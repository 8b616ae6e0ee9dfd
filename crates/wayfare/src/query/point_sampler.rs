//! Picks random points on a set of polygons, uniform by area.
//!
//! A polygon is chosen with a probability proportional to its area, then a point in it, uniformly.
//!
//! Cost: building takes one pass over the polygons; a point takes a binary search in them.
//!
//! Sources: Greg Turk, "Generating random points in triangles", Graphics Gems, 1990.

use super::{PolyPoint, QueryFilter};
use crate::math::{Rng, polygon};
use crate::mesh::{NavMesh, PolyRef, StaleRef};
use glam::Vec3;

/// Picks random points on a set of polygons. Built once for any number of points.
#[derive(Clone, Debug, Default)]
pub struct PointSampler {
    polys: Vec<PolyRef>,
    /// Sum of the areas up to and including each polygon.
    sums: Vec<f64>,
}

impl PointSampler {
    /// Covers all polygons of a mesh that pass a filter.
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

    /// Covers the given polygons.
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

    /// Removes its polygons, keeping its memory.
    pub(super) fn clear(&mut self) {
        self.polys.clear();
        self.sums.clear();
    }

    /// Adds a polygon, or part of one, with these corners. Returns whether it has any area: if not, it is left out.
    pub(super) fn push(&mut self, poly: PolyRef, verts: &[Vec3]) -> bool {
        let area = f64::from(polygon::area(verts));
        if area > 0.0 {
            self.polys.push(poly);
            self.sums.push(self.area() + area);
        }
        area > 0.0
    }

    /// The total horizontal area of its polygons, square metres.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// The index of a random polygon, by area; `None` if there is none.
    pub(super) fn choose(&self, rng: &mut Rng) -> Option<usize> {
        // Uses all bits of an f64: on large levels, fewer would skip small polygons.
        let at = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * self.area();
        let chosen = self.sums.partition_point(|&sum| sum <= at);
        (!self.sums.is_empty()).then(|| chosen.min(self.sums.len() - 1))
    }

    /// The polygon with an index.
    pub(super) fn poly(&self, number: usize) -> PolyRef {
        self.polys[number]
    }

    /// A random point on the surface of its polygons; `None` if none has any area.
    ///
    /// # Errors
    /// [`StaleRef`] if the chosen polygon is not in the mesh.
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
