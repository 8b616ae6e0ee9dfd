//! Nodes of searches on a mesh: which entries a polygon or connection has.
//!
//! Each tile has a page. On a mesh of several tiles a polygon has four entries, one for each side of the tile over
//! which it can be entered: entering from another side leads to other costs further on, and with one node per polygon,
//! small tiles lose paths. Entering from the same tile uses the entry of one of the sides. (One entry for every portal
//! was measured too: a quarter more nodes, and paths no shorter.) Entries of one side are stored together, so those
//! used within the tile, which are most, are close to each other. A polygon at the end of an off-mesh connection has an
//! additional entry for each connection.
//!
//! ```text
//!   tile 7 ──> page ──> [ within the tile, or over XMax: p0 p1 p2 … | ZMin: p0 p1 … | XMin: … | ZMax: … ]
//! ```
//!
//! Cost: see [`Entries`](crate::graph::Entries).
//!
//! Sources: nodes by side of the tile are Detour's.

use super::via::Via;
use crate::graph::{Node, NodeStore, Page, PageSize};
use crate::math::index::TileSlot;
use crate::mesh::{NavMesh, PolyRef, Tile};
use crate::tile::Side;

/// The nodes of a search on a mesh.
pub(super) type Nodes = NodeStore<PolyRef>;

impl Node<PolyRef> {
    /// Slot of the tile; for connections, that of all connections.
    #[inline]
    pub(super) fn slot(&self) -> u32 {
        self.of.slot().get()
    }

    /// The tile; none for connections.
    #[inline]
    pub(super) fn tile<'a>(&self, mesh: &'a NavMesh) -> Option<&'a Tile> {
        mesh.tile_in(self.of.slot())
    }

    /// The polygon's index in its tile, or the connection's index.
    #[inline]
    pub(super) fn poly(&self) -> u32 {
        self.of.poly().get()
    }

    /// How it was entered from the previous node.
    #[inline]
    pub(super) fn via(&self) -> Via {
        Via(self.via)
    }
}

impl Page {
    /// The entry of `poly` when entered over a side of the previous tile, or from within the tile.
    #[inline]
    pub(super) fn entry_of(&self, poly: u32, side: Option<Side>) -> u32 {
        // Entered from the sides XMin, ZMax, XMax, ZMin, by number; entries from within the tile use that of XMax.
        self.entry(poly, side.map_or(0, |side| (side as u32 + 2) % 4))
    }
}

impl NodeStore<PolyRef> {
    /// The page of a tile of the mesh on which the search began.
    #[inline]
    pub(super) fn page(&mut self, tile: &Tile) -> Page {
        self.entries.page(tile.slot().get(), |old| {
            // The tile itself is not read if its page already has all kinds.
            let kinds = if old.kinds < 4 && tile.data().border_edges().is_empty() { 1 } else { 4 };
            PageSize { keys: tile.poly_count(), kinds }
        })
    }

    /// The page of the tile in a slot. The tile is not looked up if the search has visited it.
    #[inline]
    pub(super) fn page_in(&mut self, mesh: &NavMesh, slot: TileSlot) -> Option<Page> {
        if let Some(page) = self.entries.touched_page(slot.get()) {
            return Some(page);
        }
        mesh.tile_in(slot).map(|tile| self.page(tile))
    }

    /// The entries of an off-mesh connection entered at one of its ends: that of the connection, and that of the
    /// polygon at the other end. An agent that arrives there is in the middle of a polygon, and can leave it
    /// differently than one that enters over an edge.
    pub(super) fn off_mesh_entries(&mut self, mesh: &NavMesh, index: u32, end: u32) -> [u32; 2] {
        let page = self.entries.page_apart(PageSize { keys: mesh.connection_slots(), kinds: 4 });
        [page.entry(index, 2 * end), page.entry(index, 2 * end + 1)]
    }

    /// All nodes of a polygon; `exits` are those of its search.
    pub(super) fn all_of(&self, exits: &Exits, tile: &Tile, poly: u32) -> impl Iterator<Item = u32> {
        let page = self.entries.touched_page(tile.slot().get()).into_iter();
        let entries = page.flat_map(move |page| page.entries(poly));
        entries.filter_map(|entry| self.entries.find(entry)).chain(exits.of(tile.reference(poly)))
    }

    /// The cheapest of the nodes of a polygon.
    pub(super) fn cheapest_of(&self, exits: &Exits, tile: &Tile, poly: u32) -> Option<u32> {
        self.all_of(exits, tile, poly).min_by_key(|&node| (self.get(node).cost.to_bits(), node))
    }
}

/// The polygons at which off-mesh connections were left: polygon and node.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits {
    list: Vec<(PolyRef, u32)>,
    /// The first this many are sorted.
    sorted: usize,
}

impl Exits {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.sorted = 0;
    }

    pub(super) fn push(&mut self, poly: PolyRef, node: u32) {
        self.list.push((poly, node));
    }

    /// Sorts them, so that [`of`](Self::of) can use binary search.
    pub(super) fn sort(&mut self) {
        self.list.sort_unstable();
        self.sorted = self.list.len();
    }

    /// The nodes of a polygon.
    fn of(&self, poly: PolyRef) -> impl Iterator<Item = u32> {
        let (sorted, others) = self.list.split_at(self.sorted);
        let first = sorted.partition_point(|(of, _)| *of < poly);
        let here = sorted[first..].iter().take_while(move |(of, _)| *of == poly);
        here.chain(others.iter().filter(move |(of, _)| *of == poly)).map(|(_, node)| *node)
    }
}
