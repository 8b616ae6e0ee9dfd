//! Look-ups by polygon in the lists of a tile.
//!
//! Sources: none needed.

use super::{DetailRange, EdgeNeighbour, Poly, TileData};
use glam::Vec3;

impl TileData {
    /// The corners of polygon `poly` as a range of [`corners`](Self::corners) and [`neighbours`](Self::neighbours);
    /// empty if there is no such polygon.
    #[must_use]
    #[inline]
    pub fn corner_range(&self, poly: u32) -> core::ops::Range<usize> {
        self.polys().get(poly as usize).map_or(0..0, Poly::range)
    }

    /// The vertex of every corner of polygon `poly`, in order; none if there is no such polygon.
    #[must_use]
    #[inline]
    pub fn corners_of(&self, poly: u32) -> &[u32] {
        self.corners().get(self.corner_range(poly)).unwrap_or_default()
    }

    /// What is on the other side of every edge of polygon `poly`, in order; empty if there is no such polygon.
    #[must_use]
    #[inline]
    pub fn neighbours_of(&self, poly: u32) -> &[EdgeNeighbour] {
        self.neighbours().get(self.corner_range(poly)).unwrap_or_default()
    }

    /// The corner points of polygon `poly`, in order; none if there is no such polygon.
    #[inline]
    pub fn points_of(&self, poly: u32) -> impl ExactSizeIterator<Item = Vec3> + DoubleEndedIterator + Clone + '_ {
        let verts = self.verts();
        self.corners_of(poly).iter().map(|&v| verts[v as usize])
    }

    /// The detail of polygon `poly`; without triangles if the polygon is triangulated as a fan.
    #[must_use]
    #[inline]
    pub fn detail_of(&self, poly: u32) -> DetailRange {
        self.details().get(poly as usize).copied().unwrap_or_default()
    }

    /// The mean of the corners of polygon `poly`: inside it, since it is convex. NaN if there is no such polygon.
    #[must_use]
    pub fn center_of(&self, poly: u32) -> Vec3 {
        let points = self.points_of(poly);
        let count = points.len() as f32;
        points.fold(Vec3::ZERO, |sum, p| sum + p) / count
    }

    /// The two ends of the edge that begins at corner `corner` (an index into [`corners`](Self::corners)) of polygon
    /// `poly`.
    ///
    /// # Panics
    /// If the polygon has no such corner.
    #[must_use]
    #[inline]
    pub fn edge(&self, poly: u32, corner: u32) -> [Vec3; 2] {
        let range = self.corner_range(poly);
        let next = if corner as usize + 1 == range.end { range.start } else { corner as usize + 1 };
        let corners = self.corners();
        let verts = self.verts();
        [corner as usize, next].map(|corner| verts[corners[corner] as usize])
    }
}
