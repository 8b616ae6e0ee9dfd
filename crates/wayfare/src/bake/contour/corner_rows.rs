//! Lists the raw corners of a tile's outlines by row, to find one from the other side of a boundary.
//!
//! Cost: linear in the corners to sort, in the corners of a row to query. Sources: counting sort.

use super::rings::Rings;
use crate::math::steps;

/// A raw corner, and the region whose outline it is of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CornerOf {
    pub(super) region: u32,
    pub(super) vert: u32,
}

/// Lists of corners by row.
#[derive(Clone, Debug, Default)]
pub(super) struct CornerRows {
    low: i32,
    /// Where each row's corners begin, and where the last one's end.
    first: Vec<u32>,
    corners: Vec<CornerOf>,
}

impl CornerRows {
    pub(super) fn clear(&mut self) {
        self.first.clear();
        self.corners.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Sorts all raw corners into rows.
    pub(super) fn index(&mut self, rings: &Rings) {
        self.clear();
        let z = || rings.verts.iter().map(|vert| vert.at[1]);
        let (low, high) = z().fold((i32::MAX, i32::MIN), |(low, high), z| (low.min(z), high.max(z)));
        self.low = low;
        self.first.resize((i64::from(high) - i64::from(low)).max(0) as usize + 3, 0);
        z().for_each(|z| self.first[(z - low) as usize + 2] += 1);
        for row in 1..self.first.len() {
            self.first[row] += self.first[row - 1];
        }
        self.corners.resize(rings.verts.len(), CornerOf::default());
        for ring in &rings.rings {
            for vert in ring.raw() {
                let place = &mut self.first[(rings.verts[vert].at[1] - low) as usize + 1];
                self.corners[*place as usize] = CornerOf { region: ring.region, vert: vert as u32 };
                *place += 1;
            }
        }
    }

    /// The corners of a row.
    pub(super) fn at(&self, z: i32) -> &[CornerOf] {
        let row = usize::try_from(i64::from(z) - i64::from(self.low)).ok();
        let bounds = row.and_then(|row| self.first.get(row..row + 2));
        let list = bounds.map_or(&[][..], |b| &self.corners[b[0] as usize..b[1] as usize]);
        steps::count(list.len());
        list
    }
}
