//! The surface of a polygon: its height at a position, and the point on it nearest to a point in space.
//!
//! A polygon is not flat: its detail triangles follow the surface; without them it is the fan around its first corner.
//! A point is *over* a polygon by the exact planar test that all queries share, so two polygons that share an edge
//! leave no gap; its height is that of the triangle under it.
//!
//! ```text
//!   a------b------c      outline edges: of a triangle's edges, those on the polygon's own outline
//!   | \   /  \    |
//!   |  \ /     \  |
//!   f---e-------d
//! ```
//!
//! Cost: linear in the polygon's corners and triangles.
//!
//! Sources: Mikko Mononen's detail meshes in Recast, 2009; what "nearest" means follows Detour.

use super::poly_outline::OutlineBlock;
use super::{DetailRange, DetailTri, TileData, TileLists};
use crate::math::{plane, predicates::orient_xz, segment};
use glam::Vec3;

/// The point of a polygon nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The point, on the surface.
    pub point: Vec3,
    /// Whether the given point is directly above or below the polygon.
    pub over: bool,
}

impl<'a> TileLists<'a> {
    /// Like [`TileData::triangles_of`].
    pub(super) fn triangles_of(self, poly: u32) -> impl Iterator<Item = ([Vec3; 3], u16)> + 'a {
        let range = self.detail_of(poly);
        let corners = self.polys.get(poly as usize).and_then(|poly| self.corners.get(poly.range())).unwrap_or_default();
        let tris = &self.detail_tris[range.first_tri as usize..][..range.tri_count as usize];
        let extra = &self.detail_verts[range.first_vert as usize..][..range.vert_count as usize];
        let corner = move |k: usize| self.verts[corners[k] as usize];
        let vertex = move |v: u16| {
            if (v as usize) < corners.len() { corner(v as usize) } else { extra[v as usize - corners.len()] }
        };
        let detail = tris.iter().map(move |t| (t.verts.map(vertex), t.outline));
        let last = corners.len().saturating_sub(1);
        let fan = (1..if tris.is_empty() { last } else { 1 }).map(move |k| {
            let outline = u16::from(k == 1) | 2 | u16::from(k + 1 == last) << 2;
            ([corner(0), corner(k), corner(k + 1)], outline)
        });
        detail.chain(fan)
    }

    /// Like [`TileData::detail_of`].
    pub(super) fn detail_of(self, poly: u32) -> DetailRange {
        self.details.get(poly as usize).copied().unwrap_or_default()
    }
}

impl TileData {
    /// The triangles that make up the surface of polygon `poly`, normals up, each with a bit for every edge (from
    /// vertex k to the next) on the polygon's outline. None if there is no such polygon.
    pub fn triangles_of(&self, poly: u32) -> impl Iterator<Item = ([Vec3; 3], u16)> + '_ {
        self.lists().triangles_of(poly)
    }

    /// Whether `point` is directly above or below polygon `poly`, including its outline; `false` if there is no such
    /// polygon.
    #[must_use]
    #[inline]
    pub fn is_over(&self, poly: u32, point: Vec3) -> bool {
        let corners = self.corners_of(poly);
        let Some(&last) = corners.last() else { return false };
        let mut from = self.verts()[last as usize];
        corners.iter().all(|&v| {
            let to = self.verts()[v as usize];
            let from = core::mem::replace(&mut from, to);
            orient_xz(from, to, point) <= 0.0
        })
    }

    /// The height of polygon `poly` at the position of `point`; `None` if the point is not over the polygon.
    #[must_use]
    pub fn height_at(&self, poly: u32, point: Vec3) -> Option<f32> {
        self.is_over(poly, point).then(|| self.height_under(poly, point))
    }

    /// The height of polygon `poly` at the position of a point that is over it.
    pub(crate) fn height_under(&self, poly: u32, point: Vec3) -> f32 {
        self.ground_of(poly).height_under(point)
    }

    /// The point on the surface of polygon `poly` nearest to `point`: directly below or above it, or the horizontally
    /// nearest point of the outline.
    ///
    /// # Panics
    /// If there is no such polygon.
    #[must_use]
    pub fn closest_point(&self, poly: u32, point: Vec3) -> SurfacePoint {
        match self.height_at(poly, point) {
            Some(y) => SurfacePoint { point: Vec3::new(point.x, y, point.z), over: true },
            None => SurfacePoint { point: self.closest_on_outline(poly, point), over: false },
        }
    }

    /// The point on the detailed outline of polygon `poly` that is horizontally nearest to `point`.
    ///
    /// # Panics
    /// If there is no such polygon.
    #[must_use]
    pub fn closest_on_outline(&self, poly: u32, point: Vec3) -> Vec3 {
        self.ground_of(poly).closest_on_outline(point)
    }

    fn ground_of(&self, poly: u32) -> Ground<'_, impl Fn(usize) -> Vec3> {
        let corners = self.corners_of(poly);
        self.ground_between(poly, corners.len(), |k| self.verts()[corners[k] as usize])
    }

    /// The surface of polygon `poly`, all of whose corners are in `block`: without reading corner lists and vertices.
    #[inline]
    pub(crate) fn ground_in<'a>(&'a self, poly: u32, block: &'a OutlineBlock) -> Ground<'a, impl Fn(usize) -> Vec3> {
        self.ground_between(poly, block.count(), |k| block.corner(k))
    }

    /// The surface of polygon `poly`, whose corners are given by index.
    #[inline]
    fn ground_between<C: Fn(usize) -> Vec3>(&self, poly: u32, corner_count: usize, corner: C) -> Ground<'_, C> {
        let range = self.detail_of(poly);
        Ground {
            corner,
            corner_count,
            extra: &self.detail_verts()[range.first_vert as usize..][..range.vert_count as usize],
            tris: &self.detail_tris()[range.first_tri as usize..][..range.tri_count as usize],
        }
    }
}

/// The surface of one polygon: its corners, the vertices between them and the triangles over both.
pub(crate) struct Ground<'a, C> {
    corner: C,
    corner_count: usize,
    extra: &'a [Vec3],
    tris: &'a [DetailTri],
}

impl<C: Fn(usize) -> Vec3> Ground<'_, C> {
    /// The height at the position of a point that is over the polygon.
    pub(crate) fn height_under(&self, point: Vec3) -> f32 {
        // If triangles overlap by rounding, the first counts; if they leave a crack, the nearest edge of the outline.
        let detail = self.tris.iter().find_map(|t| height_in_triangle(|k| self.vertex(t.verts[k]), point));
        let corner_of_fan = |k: usize, v: usize| (self.corner)(if v == 0 { 0 } else { k + v - 1 });
        let fan = || (1..self.fan_end()).find_map(|k| height_in_triangle(|v| corner_of_fan(k, v), point));
        detail.or_else(fan).unwrap_or_else(|| self.closest_on_outline(point).y)
    }

    /// The horizontally nearest point of the detailed outline.
    pub(crate) fn closest_on_outline(&self, point: Vec3) -> Vec3 {
        // For a point so far away that its distance exceeds f32, any point of the outline will do.
        let mut nearest = NearestPoint { to: point, distance: f32::INFINITY, point: (self.corner)(0) };
        for tri in self.tris.iter().filter(|t| t.outline != 0) {
            let [a, b, c] = tri.verts.map(|v| self.vertex(v));
            for (k, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
                if tri.outline >> k & 1 != 0 {
                    nearest.consider(from, to);
                }
            }
        }
        // Without triangles, or if none is marked as outline (by another tool): the polygon's own.
        if nearest.distance == f32::INFINITY {
            let mut from = (self.corner)(self.corner_count - 1);
            for k in 0..self.corner_count {
                let to = (self.corner)(k);
                nearest.consider(core::mem::replace(&mut from, to), to);
            }
        }
        nearest.point
    }

    #[inline]
    fn vertex(&self, v: u16) -> Vec3 {
        let v = v as usize;
        if v < self.corner_count { (self.corner)(v) } else { self.extra[v - self.corner_count] }
    }

    /// The end of the fan that replaces missing triangles: triangle `k`, from 1 to before this, has the corners 0, `k`
    /// and the next.
    fn fan_end(&self) -> usize {
        if self.tris.is_empty() { self.corner_count - 1 } else { 1 }
    }
}

/// The nearest point so far.
struct NearestPoint {
    to: Vec3,
    distance: f32,
    point: Vec3,
}

impl NearestPoint {
    #[inline]
    fn consider(&mut self, from: Vec3, to: Vec3) {
        // Usually decided without a division, with a margin for rounding.
        if !segment::is_within(self.to, from, to, self.distance * 1.0001) {
            return;
        }
        let point = segment::closest_point(self.to, from, to);
        let distance = plane::distance_squared(self.to, point);
        if distance < self.distance {
            (self.distance, self.point) = (distance, point);
        }
    }
}

/// The height of a triangle at a position; `None` beside it or if it is vertical.
#[inline]
fn height_in_triangle(vertex: impl Fn(usize) -> Vec3, point: Vec3) -> Option<f32> {
    let [a, b, c] = [vertex(0), vertex(1), vertex(2)];
    // Beside its box a point is beside it: most triangles are ruled out without a product.
    if is_beside([a.x, b.x, c.x], point.x) || is_beside([a.z, b.z, c.z], point.z) {
        return None;
    }
    if orient_xz(b, c, point) > 0.0 {
        return None;
    }
    let v = orient_xz(c, a, point);
    if v > 0.0 {
        return None;
    }
    let w = orient_xz(a, b, point);
    let area = orient_xz(a, b, c);
    if area == 0.0 || w > 0.0 {
        return None;
    }
    let dy_b = f64::from(b.y) - f64::from(a.y);
    let dy_c = f64::from(c.y) - f64::from(a.y);
    Some((f64::from(a.y) + (dy_b * v + dy_c * w) / area) as f32)
}

/// Whether a coordinate lies below or above all three.
#[inline]
fn is_beside(corners: [f32; 3], at: f32) -> bool {
    corners.iter().all(|&corner| at < corner) | corners.iter().all(|&corner| at > corner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{TileCoord, test_sketch::sketch};

    /// One square from (0, 0) to (1, 1) with a peak of 1 m in its middle.
    fn pyramid() -> TileData {
        sketch(TileCoord::default(), "a").edited(|tile| tile.raise_peak(Vec3::new(0.5, 1.0, 0.5)))
    }

    #[test]
    fn heights_follow_the_detail_triangles() {
        let tile = pyramid();
        let at = |x: f32, z: f32| tile.height_at(0, Vec3::new(x, 9.0, z));
        assert_eq!(at(0.5, 0.5), Some(1.0));
        assert_eq!(at(0.25, 0.5), Some(0.5));
        assert_eq!((at(0.0, 0.0), at(1.0, 0.3), at(1.1, 0.3)), (Some(0.0), Some(0.0), None));
        assert_eq!(sketch(TileCoord::default(), "4").height_at(0, Vec3::new(0.7, 0.0, 0.2)), Some(4.0));
    }

    #[test]
    fn a_point_beside_the_polygon_is_moved_to_its_outline() {
        let tile = pyramid();
        let beside = tile.closest_point(0, Vec3::new(3.0, 2.0, 0.25));
        assert_eq!(beside, SurfacePoint { point: Vec3::new(1.0, 0.0, 0.25), over: false });
        let above = tile.closest_point(0, Vec3::new(0.5, 2.0, 0.25));
        assert_eq!(above, SurfacePoint { point: Vec3::new(0.5, 0.5, 0.25), over: true });
        let flat = sketch(TileCoord::default(), "a");
        assert_eq!(flat.closest_point(0, Vec3::new(-1.0, 0.0, 2.0)).point, Vec3::new(0.0, 0.0, 1.0));
        for far in [Vec3::new(1e30, 0.0, 0.5), Vec3::new(0.5, 0.0, f32::MIN), Vec3::NAN] {
            for tile in [&tile, &flat] {
                let on = tile.closest_on_outline(0, far);
                assert!(on.min_element() >= 0.0 && on.max_element() <= 1.0, "{far}: {on}");
            }
        }
    }
}
