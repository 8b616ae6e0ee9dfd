//! The memory of a search: it belongs to the caller, is used again for every query, and is never cleared.
//!
//! A search reaches few of the mesh's polygons, so its nodes stand in one growing list in the order of their discovery, and a page of
//! 32-bit entries for each tile that it touches says which node, if any, a polygon has. Entries are left over from earlier
//! searches and hold anything; an entry counts only if the node it names exists in *this* search and names the entry back.
//! So beginning a search is setting three lengths to zero, however large the mesh, and memory follows what is touched.
//!
//! ```text
//!   tile 7 ──> page ──> entries [ . 3 . . 0 ]          nodes [n0 | n1 | n2 | n3 | …]
//!                                   └──────────────────────────────────────┘ n3 names this entry: valid
//! ```
//!
//! On a mesh of several tiles a polygon has four entries, by the side of the tile over which it is entered: what is entered from another side
//! leads to other costs beyond, and with one node a polygon small tiles lose paths. Ways in from the same tile share the entry
//! of one side. (One entry for every portal was measured, too: a quarter more nodes, and paths no shorter.)
//!
//! Cost: a look-up is two dependent loads. The second query allocates nothing.
//!
//! Sources: Preston Briggs and Linda Torczon, "An Efficient Representation for Sparse Sets", 1993; nodes by side of the tile are Detour's.

use super::optimal::{OptimalMemory, OptimalPath};
use crate::math::OpenList;
use crate::math::funnel::Corner;
use crate::math::index::NONE;
use crate::mesh::{NavMesh, Tile};
use crate::tile::Side;
use glam::Vec3;

/// Reusable memory for queries. One for each thread that asks; any query on any mesh may use it.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    pub(super) nodes: Nodes,
    pub(super) open: OpenList,
    pub(super) corners: Vec<Corner>,
    /// Nodes in the order in which they are to be looked at, where that is the order of discovery.
    pub(super) queue: Vec<u32>,
    /// Corners of polygons, one polygon after the other, and where each ends.
    pub(super) verts: Vec<Vec3>,
    pub(super) ends: Vec<u32>,
    pub(super) optimal: OptimalMemory,
    /// The path that an optimal search compares with its own.
    pub(super) other: OptimalPath,
}

impl SearchScratch {
    /// Memory that is allocated when it is first needed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// A way into a polygon that a search has found.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Node {
    /// Where the polygon is entered.
    pub(super) pos: Vec3,
    /// Cost from the start to here.
    pub(super) cost: f32,
    /// Cost of the best way over here that is known, as it stands in the open list; other entries there are outdated.
    pub(super) total: f32,
    /// The node before, [`NONE`] for the start.
    pub(super) parent: u32,
    /// How it was entered from there: see [`Via`].
    pub(super) via: Via,
    /// The polygon, by index in its tile.
    pub(super) poly: u32,
    /// Slot of the tile.
    pub(super) slot: u32,
    /// The entry that names this node.
    entry: u32,
}

impl Node {
    /// The node before, or `own` for the first.
    pub(super) fn parent_or(&self, own: u32) -> u32 {
        if self.parent == NONE { own } else { self.parent }
    }
}

/// How a polygon was entered: the number of the half-edge in the search graph of the tile before, or of the link among
/// the links of that tile; into and out of a connection, the end at which it was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Via(u32);

impl Via {
    const LINK: u32 = 1 << 31;
    /// Not from another polygon.
    pub(super) const START: Self = Self(NONE);

    pub(super) fn edge(number: usize) -> Self {
        Self(number as u32)
    }

    pub(super) fn link(number: usize) -> Self {
        Self(number as u32 | Self::LINK)
    }

    pub(super) fn connection(end: u32) -> Self {
        Self(end)
    }

    /// The end at which a connection was entered.
    pub(super) fn end(self) -> u32 {
        self.0
    }

    /// The link's number, if it was a link; the half-edge's otherwise.
    pub(super) fn as_link(self) -> Result<usize, usize> {
        if self.0 & Self::LINK != 0 { Ok((self.0 & !Self::LINK) as usize) } else { Err(self.0 as usize) }
    }
}

/// The part of the entries that belongs to one tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) slot: u32,
    /// Entries a polygon.
    stride: u32,
    first: u32,
}

impl Page {
    /// The entry for ways into `poly` over a side of the tile before, or from within the tile.
    #[inline]
    pub(super) fn entry(&self, poly: u32, side: Option<Side>) -> u32 {
        let kind = match side {
            None | Some(Side::XMax) => 0,
            Some(Side::ZMax) => 1,
            Some(Side::XMin) => 2,
            Some(Side::ZMin) => 3,
        };
        self.first + poly * self.stride + kind
    }
}

/// The nodes of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    list: Vec<Node>,
    pages: Vec<Page>,
    /// Page of each slot; as with the entries, only a page that names the slot back counts.
    page_of: Vec<u32>,
    entries: Vec<u32>,
    used: usize,
    /// First entry of the off-mesh connections, two for each.
    off_mesh: Option<u32>,
}

impl Nodes {
    /// Forgets all nodes.
    pub(super) fn begin(&mut self, mesh: &NavMesh) {
        self.list.clear();
        self.pages.clear();
        self.used = 0;
        self.off_mesh = None;
        if self.page_of.len() < mesh.slot_count() as usize {
            self.page_of.resize(mesh.slot_count() as usize, 0);
        }
    }

    /// The page of a tile of the mesh that [`begin`](Self::begin) was told.
    #[inline]
    pub(super) fn page(&mut self, tile: &Tile) -> Page {
        let slot = tile.slot().get();
        match self.pages.get(self.page_of[slot as usize] as usize) {
            Some(page) if page.slot == slot => *page,
            _ => self.new_page(tile),
        }
    }

    #[cold]
    fn new_page(&mut self, tile: &Tile) -> Page {
        let slot = tile.slot().get();
        let stride = if tile.graph().border().is_empty() { 1 } else { 4 };
        let page = Page { slot, stride, first: self.used as u32 };
        self.page_of[slot as usize] = self.pages.len() as u32;
        self.pages.push(page);
        self.used += tile.poly_count() as usize * stride as usize;
        if self.entries.len() < self.used {
            self.entries.resize(self.used, 0);
        }
        page
    }

    /// The entry of an off-mesh connection, entered at one of its ends.
    pub(super) fn off_mesh_entry(&mut self, mesh: &NavMesh, index: u32, end: u32) -> u32 {
        let first = *self.off_mesh.get_or_insert_with(|| {
            let first = self.used as u32;
            self.used += 2 * mesh.connection_slots() as usize;
            if self.entries.len() < self.used {
                self.entries.resize(self.used, 0);
            }
            first
        });
        first + 2 * index + end
    }

    /// The node of an entry, if it has one.
    #[inline]
    pub(super) fn find(&self, entry: u32) -> Option<u32> {
        let index = self.entries[entry as usize];
        match self.list.get(index as usize) {
            Some(node) if node.entry == entry => Some(index),
            _ => None,
        }
    }

    /// Of the nodes of a polygon the one that costs least.
    pub(super) fn cheapest_of(&self, tile: &Tile, poly: u32) -> Option<u32> {
        let slot = tile.slot().get();
        let page = self.pages.get(*self.page_of.get(slot as usize)? as usize).filter(|page| page.slot == slot)?;
        let entries = (0..page.stride).map(|kind| page.first + poly * page.stride + kind);
        let cost = |&index: &u32| (self.get(index).cost.to_bits(), index);
        entries.filter_map(|entry| self.find(entry)).min_by_key(cost)
    }

    /// Adds a node for an entry that has none.
    #[inline]
    pub(super) fn add(&mut self, entry: u32, slot: u32, poly: u32, pos: Vec3) -> u32 {
        let index = self.list.len() as u32;
        self.entries[entry as usize] = index;
        self.list.push(Node { pos, cost: 0.0, total: 0.0, parent: NONE, via: Via::START, poly, slot, entry });
        index
    }

    #[inline]
    pub(super) fn get(&self, index: u32) -> &Node {
        &self.list[index as usize]
    }

    #[inline]
    pub(super) fn get_mut(&mut self, index: u32) -> &mut Node {
        &mut self.list[index as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::{TileCoord, TileLayout, sketch::sketch};

    #[test]
    fn nodes_of_an_earlier_search_are_forgotten() {
        let layout = TileLayout { origin: Vec3::ZERO, tile_width: 4.0, tile_depth: 1.0 };
        let mesh = NavMesh::from_tiles(layout, vec![sketch(TileCoord::default(), "aaaa")]).unwrap();
        let tile = mesh.tiles().next().unwrap();
        let mut nodes = Nodes::default();
        for round in 0..3 {
            nodes.begin(&mesh);
            let page = nodes.page(tile);
            for poly in [2, round] {
                let entry = page.entry(poly, None);
                if nodes.find(entry).is_none() {
                    nodes.add(entry, 0, poly, Vec3::ZERO);
                }
            }
            let known: Vec<bool> = (0..4).map(|poly| nodes.find(page.entry(poly, None)).is_some()).collect();
            assert_eq!(known, [round == 0, round == 1, true, false]);
        }
    }
}
