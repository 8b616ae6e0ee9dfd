//! The border edges of a tile, in the order in which they are numbered and in order along each side.
//!
//! Cost: sorting the border edges.
//!
//! Sources: own.

use crate::tile::{SeamCell, Side, TileData, each_in_order};
use core::ops::Range;
use glam::Vec3;

/// A border edge: an interval along its side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BorderSpan {
    /// The polygon it belongs to.
    pub(crate) poly: u32,
    /// Its first corner.
    pub(crate) corner: u32,
    /// The end with the smaller coordinate along the side, and the other.
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// Whether the polygon's corners run from low to high.
    pub(super) rising: bool,
    side: Side,
    /// Of all edges, side by side in order along each: the number of the one whose place there is this one's number.
    sorted: u32,
}

/// The border edges of a tile: by number, and side by side in order along each.
#[derive(Clone, Debug, Default)]
pub(crate) struct BorderIndex {
    edges: Vec<BorderSpan>,
    sides: [Range<u32>; 4],
    seams: [Range<u32>; 4],
}

impl BorderIndex {
    pub(crate) fn of(tile: &TileData) -> Self {
        let count = tile.neighbours.iter().filter(|n| n.is_border()).count();
        if count == 0 {
            return Self::default();
        }
        // Each corner is written, and one that does not count is overwritten: which do cannot be foreseen.
        let low = Vec3::ZERO;
        let high = Vec3::ZERO;
        let none = BorderSpan { poly: 0, corner: 0, low, high, rising: true, side: Side::XMin, sorted: 0 };
        let mut edges = vec![none; count + 1];
        let mut found = 0;
        for (corner, neighbour) in (0u32..).zip(&tile.neighbours) {
            edges[found].corner = corner;
            found += usize::from(neighbour.is_border());
        }
        edges.truncate(count);
        let mut keys = Vec::with_capacity(count);
        let mut counts = [0; 4];
        for (number, edge) in (0u32..).zip(&mut edges) {
            let Some(side) = tile.neighbours[edge.corner as usize].as_border() else { continue };
            edge.poly = tile.poly_at(edge.corner as usize);
            let ends = tile.edge(edge.poly, edge.corner);
            // Looked up instead of chosen: neither the side nor the direction can be foreseen.
            let along = ends.map(|end| end.to_array()[if side_is_x(side) { 2 } else { 0 }]);
            edge.side = side;
            edge.rising = along[0] <= along[1];
            let low = usize::from(!edge.rising);
            let high = usize::from(edge.rising);
            (edge.low, edge.high) = (ends[low], ends[high]);
            // A tile has less than 2^29 edges.
            let place = u64::from(total_order(along[low]));
            keys.push((side as u64) << 61 | place << 29 | u64::from(number));
            counts[side as usize] += 1;
        }
        each_in_order(&mut keys, |place, key| edges[place].sorted = (key & ((1 << 29) - 1)) as u32);
        let mut end = 0;
        let sides = counts.map(|count| {
            end += count;
            end - count..end
        });
        Self { edges, sides, seams: seams_by_side(tile) }
    }

    /// How many border edges there are.
    pub(crate) fn len(&self) -> usize {
        self.edges.len()
    }

    /// The border edge that begins at a corner, with its number.
    pub(super) fn at_corner(&self, corner: u32) -> Option<(u32, &BorderSpan)> {
        let number = self.edges.binary_search_by_key(&corner, |edge| edge.corner).ok()?;
        Some((number as u32, &self.edges[number]))
    }

    /// A border edge, by its number.
    pub(crate) fn edge(&self, number: u32) -> &BorderSpan {
        &self.edges[number as usize]
    }

    /// The number of the edge at a place of the order side by side, and the edge.
    pub(super) fn sorted(&self, place: u32) -> (u32, &BorderSpan) {
        let number = self.edges[place as usize].sorted;
        (number, self.edge(number))
    }

    /// The places of the edges of a side.
    pub(super) fn side(&self, side: Side) -> Range<u32> {
        self.sides[side as usize].clone()
    }

    pub(super) fn seams<'a>(&self, side: Side, tile: &'a TileData) -> &'a [SeamCell] {
        let range = &self.seams[side as usize];
        &tile.seams[range.start as usize..range.end as usize]
    }
}

/// Numbers that are in the order of [`f32::total_cmp`].
fn total_order(v: f32) -> u32 {
    let bits = v.to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}

/// The seams of each side, by which they are sorted.
fn seams_by_side(tile: &TileData) -> [Range<u32>; 4] {
    let side_of = |seam: &SeamCell| tile.neighbours[seam.edge as usize].as_border().map_or(4, |side| side as u8);
    let mut end = 0;
    Side::ALL.map(|side| {
        let start = end;
        end += tile.seams[start as usize..].partition_point(|seam| side_of(seam) <= side as u8) as u32;
        start..end
    })
}

/// Whether a side lies across x, so that z goes along it.
pub(super) fn side_is_x(side: Side) -> bool {
    matches!(side, Side::XMin | Side::XMax)
}
