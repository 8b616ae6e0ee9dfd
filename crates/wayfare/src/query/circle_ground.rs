//! The ground within the square around a circle, and random points of it in the circle.
//!
//! Polygons are cut to the square; what falls outside the circle is thrown again, so the points are uniform in the
//! circle, and strictly inside it.
//!
//! Cost: one pass over the polygons, then for a point a few throws.
//!
//! Sources: own work; the points are those of the [sampler](super::point_sampler).

use super::{PointSampler, PolyPoint, ReachedPoly};
use crate::math::{Rng, plane, polygon};
use crate::mesh::{NavMesh, StaleRef};
use glam::Vec3;

/// Throws after which a circle counts as having no ground. The chance to miss ground that fills a tenth of the square
/// is 2·10⁻⁶.
const THROWS: u32 = 128;

/// The ground in the square around a circle, in memory that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct CircleGround {
    /// The polygons that can be reached without leaving the circle.
    pub(super) reached: Vec<ReachedPoly>,
    /// Those of which something lies in the square, and how large that is.
    sampler: PointSampler,
    /// The corners of what lies in the square, one polygon after the other, and where each ends.
    verts: Vec<Vec3>,
    ends: Vec<u32>,
    clip: [Vec<Vec3>; 2],
}

impl CircleGround {
    /// A random point within `radius`, above 0, of a place, on what was reached from there.
    pub(super) fn draw(
        &mut self,
        mesh: &NavMesh,
        place: PolyPoint,
        radius: f32,
        rng: &mut Rng,
    ) -> Result<PolyPoint, StaleRef> {
        self.cut(mesh, place.point, radius)?;
        for _ in 0..THROWS {
            let Some(chosen) = self.sampler.choose(rng) else { break };
            let start = chosen.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            let piece = &self.verts[start..self.ends[chosen] as usize];
            let Some(p) = polygon::random_point(piece, [rng.unit(), rng.unit()]) else { continue };
            let poly = self.sampler.poly(chosen);
            let (tile, index) = mesh.locate(poly)?;
            let point = tile.data().closest_point(index, p).point;
            if plane::distance_squared(point, place.point) < radius * radius {
                return Ok(PolyPoint { poly, point });
            }
        }
        // Next to no ground in the circle: the place itself is there.
        Ok(place)
    }

    /// Cuts the polygons to the square around the circle.
    fn cut(&mut self, mesh: &NavMesh, center: Vec3, radius: f32) -> Result<(), StaleRef> {
        self.sampler.clear();
        self.verts.clear();
        self.ends.clear();
        let low = center - Vec3::splat(radius);
        let high = center + Vec3::splat(radius);
        let [piece, other] = &mut self.clip;
        for reached in &self.reached {
            piece.clear();
            piece.extend(mesh.poly(reached.poly)?.points());
            for axis in [0, 2] {
                polygon::clip_half_space_into(piece, axis, low[axis], true, other);
                polygon::clip_half_space_into(other, axis, high[axis], false, piece);
            }
            if self.sampler.push(reached.poly, piece) {
                self.verts.extend_from_slice(piece);
                self.ends.push(self.verts.len() as u32);
            }
        }
        Ok(())
    }
}
