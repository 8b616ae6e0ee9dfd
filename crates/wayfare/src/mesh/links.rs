//! The links of a tile to polygons of other tiles: a side table, patched as neighbours come and go.
//!
//! ```text
//!   border edge number    0    1    2
//!   first               [ 0 .  2 .  2 . 3 ]
//!   links               [l l]      [l]        sorted by edge, then by target
//! ```
//!
//! The order depends only on what is linked, not on the order in which tiles came: a saved mesh and a live one agree.

use super::PolyRef;
use glam::Vec3;

/// A link over a border edge to a polygon of another tile.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Link {
    /// The polygon beyond.
    pub to: PolyRef,
    /// First corner of the edge, as an index into [`TileData::corners`](crate::tile::TileData::corners).
    pub edge: u32,
    /// End of the shared part of the edge nearer to that corner. Both tiles hold the same bits.
    pub a: Vec3,
    /// The other end.
    pub b: Vec3,
}

const _: () = assert!(size_of::<Link>() == 40);

/// All links of a tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileLinks {
    first: Vec<u32>,
    links: Vec<Link>,
}

impl TileLinks {
    /// No links, for a tile with so many border edges.
    pub(crate) fn none(border_edges: usize) -> Self {
        Self { first: vec![0; border_edges + 1], links: Vec::new() }
    }

    /// From links in any order, each with the number of its border edge.
    pub(crate) fn new(border_edges: usize, mut numbered: Vec<(u32, Link)>) -> Self {
        // Stable: several links over one edge to one polygon keep their order along the edge.
        numbered.sort_by_key(|(number, link)| (*number, link.to));
        let mut first = vec![0; border_edges + 1];
        for (number, _) in &numbered {
            first[*number as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        Self { first, links: numbered.into_iter().map(|(_, link)| link).collect() }
    }

    /// The links over a border edge, by its number in [`SearchGraph::border`](crate::tile::SearchGraph::border).
    #[must_use]
    #[inline]
    pub fn of_border(&self, number: u32) -> &[Link] {
        &self.links[self.first[number as usize] as usize..self.first[number as usize + 1] as usize]
    }

    /// All links.
    #[must_use]
    #[inline]
    pub fn all(&self) -> &[Link] {
        &self.links
    }

    /// All links with the numbers of their border edges.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, Link)> + '_ {
        (0u32..).zip(self.first.windows(2)).flat_map(|(number, range)| {
            self.links[range[0] as usize..range[1] as usize].iter().map(move |link| (number, *link))
        })
    }
}
