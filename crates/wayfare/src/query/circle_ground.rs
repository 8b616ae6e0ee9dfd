//! Collects the surface within the square around a circle, and picks random points of it in the circle.
//!
//! Polygons are clipped to the square. Points that fall outside the circle are rejected and drawn again, so the points
//! are uniform in the circle and strictly inside it.
//!
//! Cost: one pass over the polygons, then a few draws per point.
//!
//! Sources: own work; the points are those of the [sampler](super::point_sampler).

use super::{PointSampler, PolyPoint, ReachedPoly};
use crate::math::{Rng, plane, polygon};
use crate::mesh::{NavMesh, StaleRef};
use glam::Vec3;

/// Draws after which a circle counts as empty. The chance to miss a surface that fills a tenth of the square is 2·10⁻⁶.
const THROWS: u32 = 128;

/// The surface in the square around a circle, in memory that is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct CircleGround {
    /// The polygons that can be reached without leaving the circle.
    pub(super) reached: Vec<ReachedPoly>,
    /// Those with a part in the square, weighted by the area of that part.
    sampler: PointSampler,
    /// The corners of the parts in the square, one polygon after the other, and where each ends.
    verts: Vec<Vec3>,
    ends: Vec<u32>,
    clip: [Vec<Vec3>; 2],
}

impl CircleGround {
    /// A random point within `radius`, above 0, of a position, on the polygons reached from there.
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
        // Almost no surface in the circle: use the position itself.
        Ok(place)
    }

    /// Clips the polygons to the square around the circle.
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
