//! The polygons of a neighbourhood, of which no two lie above each other.
//!
//! Cost: a test of two rectangles for each pair, and a separating axis test where they meet.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010.

use crate::math::{plane, polygon};
use crate::mesh::{PolyRef, Tile};
use glam::{Vec2, Vec3};

/// Overlaps thinner than this do not count, metres.
const SLACK: f32 = 1e-4;

/// Where the corners of a polygon end in a list, and the rectangle around them.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenOutline {
    end: u32,
    low: Vec2,
    high: Vec2,
}

impl TakenOutline {
    fn of(verts: &[Vec3], end: usize) -> Self {
        let unbounded = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let points = verts.iter().map(|&p| plane::xz(p));
        let (low, high) = points.fold(unbounded, |(low, high), p| (low.min(p), high.max(p)));
        Self { end: end as u32, low, high }
    }

    #[inline]
    fn may_overlap(&self, other: &Self) -> bool {
        self.low.cmplt(other.high).all() && other.low.cmplt(self.high).all()
    }
}

/// The polygons taken so far, and their corners one after the other.
pub(super) struct TakenPolys<'a> {
    found: &'a mut Vec<PolyRef>,
    verts: &'a mut Vec<Vec3>,
    outlines: &'a mut Vec<TakenOutline>,
}

impl<'a> TakenPolys<'a> {
    pub(super) fn new(
        found: &'a mut Vec<PolyRef>,
        verts: &'a mut Vec<Vec3>,
        outlines: &'a mut Vec<TakenOutline>,
    ) -> Self {
        verts.clear();
        outlines.clear();
        Self { found, verts, outlines }
    }

    /// Takes a polygon unless it overlaps another. Returns whether it was taken.
    #[inline]
    pub(super) fn take(&mut self, tile: &Tile, poly: u32) -> bool {
        let start = self.verts.len();
        self.verts.extend(tile.data().points_of(poly));
        let (taken, candidate) = self.verts.split_at(start);
        let outline = TakenOutline::of(candidate, self.verts.len());
        let mut from = 0;
        let overlaps = self.found.iter().zip(self.outlines.iter()).any(|(&other, near)| {
            let range = core::mem::replace(&mut from, near.end as usize)..near.end as usize;
            outline.may_overlap(near)
                && polygon::overlap(candidate, &taken[range], SLACK)
                && !tile.portals(poly).any(|p| p.to == other)
        });
        if overlaps {
            self.verts.truncate(start);
            return false;
        }
        self.found.push(tile.reference(poly));
        self.outlines.push(outline);
        true
    }
}
