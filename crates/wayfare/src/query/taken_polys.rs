//! The polygons of a neighbourhood, of which no two lie above each other.
//!
//! Cost: a test of two rectangles for each pair, and a separating axis test where they meet.
//!
//! Sources: Mikko Mononen, "Finding Local 2D Neighborhood of Navmesh", Digesting Duck, July 2010.

use crate::math::polygon;
use crate::mesh::{PolyRef, Tile};
use glam::Vec3;

/// Overlaps thinner than this do not count, metres.
const SLACK: f32 = 1e-4;

/// Where the corners of a polygon end in a list, and their least and greatest coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenOutline {
    end: u32,
    extent: [Vec3; 2],
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
        let outline = TakenOutline { end: self.verts.len() as u32, extent: polygon::extent(candidate) };
        let mut from = 0;
        let overlaps = self.found.iter().zip(self.outlines.iter()).any(|(&other, near)| {
            let range = core::mem::replace(&mut from, near.end as usize)..near.end as usize;
            polygon::extents_overlap(outline.extent, near.extent)
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
