//! The memory of a search: it belongs to the caller, is used again for every query, and is never cleared.
//!
//! A search reaches few of the mesh's polygons, so its nodes stand in one growing list in the order of their discovery,
//! and a page of entries for each tile that it touches says which node, if any, a polygon has. Pages and entries are
//! left over from earlier searches; each carries the number of the search that wrote it and counts in that one only. So
//! beginning a search is raising a number, however large the mesh, and memory follows what is touched: when pages of
//! tiles that are no longer searched take more than those of the last search, and more than some megabytes, all are
//! dropped.
//!
//! ```text
//!   tile 7 ──> page, search 9 ──> entries [ . 9:3 . 8:1 9:0 ]      nodes [n0 | n1 | n2 | n3 | …]
//! ```
//!
//! On a mesh of several tiles a polygon has four entries, by the side of the tile over which it is entered: what is
//! entered from another side leads to other costs beyond, and with one node a polygon small tiles lose paths. Ways in
//! from the same tile share the entry of one side. (One entry for every portal was measured, too: a quarter more nodes,
//! and paths no shorter.) The entries of a page stand side by side: those for ways within the tile, which are most, are
//! close together. Ground that is reached over an off-mesh connection has an entry for each of them.
//!
//! Cost: a look-up is two dependent loads. The second query allocates nothing.
//!
//! Sources: time stamps instead of clearing are folklore; nodes by side of the tile are Detour's.

use super::circle_ground::CircleGround;
use super::goal_point::GoalPoint;
use super::optimal::{OptimalMemory, OptimalPath};
use crate::math::OpenList;
use crate::math::funnel::Corner;
use crate::math::index::NONE;
use crate::mesh::{NavMesh, PolyRef, Tile};
use crate::tile::Side;
use glam::Vec3;

/// Reusable memory for queries. One for each thread that asks; any query on any mesh may use it.
#[derive(Clone, Debug, Default)]
pub struct SearchScratch {
    pub(super) nodes: Nodes,
    pub(super) open: OpenList,
    pub(super) corners: Vec<Corner>,
    /// Nodes in the order in which they are to be looked at, where that is the order of discovery; or components.
    pub(super) queue: Vec<u32>,
    /// Corners of polygons, one polygon after the other, and where each ends.
    pub(super) verts: Vec<Vec3>,
    pub(super) ends: Vec<u32>,
    pub(super) circle: CircleGround,
    /// The goals of a search for the nearest of many, and a polygon that is cut.
    pub(super) places: Vec<GoalPoint>,
    pub(super) clip: [Vec<Vec3>; 2],
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
    /// Its entry. (Not read with the place: what was written number by number must not be read as one vector.)
    entry: u32,
    /// Cost from the start to here.
    pub(super) cost: f32,
    /// Cost of the best way over here that is known, as it stands in the open list; other entries there are outdated.
    pub(super) total: f32,
    /// The node before, [`NONE`] for the start.
    pub(super) parent: u32,
    /// How it was entered from there: see [`Via`].
    pub(super) via: Via,
    /// The polygon or connection.
    pub(super) of: PolyRef,
}

impl Node {
    /// A node that nothing is known of but its place.
    #[inline]
    pub(super) fn at(entry: u32, of: PolyRef, pos: Vec3) -> Self {
        Self { pos, cost: 0.0, total: 0.0, parent: NONE, via: Via::START, entry, of }
    }

    /// Slot of the tile; that of connections for those.
    #[inline]
    pub(super) fn slot(&self) -> u32 {
        self.of.slot().get()
    }

    /// The tile; none for connections.
    #[inline]
    pub(super) fn tile<'a>(&self, mesh: &'a NavMesh) -> Option<&'a Tile> {
        mesh.tile_in(self.of.slot())
    }

    /// The polygon, by index in its tile; or the connection's index.
    #[inline]
    pub(super) fn poly(&self) -> u32 {
        self.of.poly().get()
    }

    /// Its entry.
    pub(super) fn entry(&self) -> u32 {
        self.entry
    }
}

/// How a polygon was entered: the number of the half-edge in the search graph of the tile before, or of the link among
/// the links of that tile; into and out of a connection, the end at which it was entered. Where nobody asks for the
/// portals afterwards, the edges over which the search will go on, as bits.
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

    pub(super) fn onwards(edges: u32) -> Self {
        Self(edges)
    }

    /// The edges over which the search will go on.
    pub(super) fn edges_onwards(self) -> u32 {
        self.0
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
    first: u32,
    /// How many polygons it has entries for.
    polys: u32,
    /// How many of them a polygon has.
    kinds: u32,
    /// The last search that touched it.
    stamp: u32,
}

impl Page {
    const NONE: Self = Self { first: 0, polys: 0, kinds: 0, stamp: 0 };

    /// The entry for ways into `poly` over a side of the tile before, or from within the tile.
    #[inline]
    pub(super) fn entry(&self, poly: u32, side: Option<Side>) -> u32 {
        // Ways from the sides XMin, ZMax, XMax, ZMin, by number; those within the tile share the entry of XMax.
        let kind = side.map_or(0, |side| (side as u32 + 2) % 4);
        self.first + kind * self.polys + poly
    }
}

/// Which node a way into a polygon has.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The search that wrote it.
    stamp: u32,
    /// The node, with [`CLOSED`] if it has been expanded.
    node: u32,
}

const CLOSED: u32 = 1 << 31;

/// What a search knows of a way into a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Nothing.
    New,
    /// This node, not expanded yet.
    Open(u32),
    /// A node that was expanded.
    Closed,
}

/// Entries that are kept without asking what they are good for: 8 MB.
const KEPT_ENTRIES: usize = 1 << 20;

/// The nodes of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    list: Vec<Node>,
    /// By slot.
    pages: Vec<Page>,
    /// Of the off-mesh connections: four entries each.
    connections: Option<Page>,
    entries: Vec<Entry>,
    /// The ground at whose middle connections were left: polygon and node, the first so many sorted.
    exits: Vec<(PolyRef, u32)>,
    sorted_exits: usize,
    /// How many of the entries belong to pages that this search has touched.
    touched: usize,
    /// The number of this search.
    stamp: u32,
}

impl Nodes {
    /// Forgets all nodes.
    #[inline]
    pub(super) fn begin(&mut self, mesh: &NavMesh) {
        self.list.clear();
        self.exits.clear();
        self.sorted_exits = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.entries.len() > KEPT_ENTRIES.max(2 * self.touched) {
            self.drop_pages();
        }
        self.touched = 0;
        if self.pages.len() < mesh.slot_count() as usize {
            self.pages.resize(mesh.slot_count() as usize, Page::NONE);
        }
    }

    #[cold]
    fn drop_pages(&mut self) {
        self.pages.fill(Page::NONE);
        self.entries.clear();
        (self.connections, self.stamp) = (None, 1);
    }

    /// The page of a tile of the mesh that [`begin`](Self::begin) was told.
    #[inline]
    pub(super) fn page(&mut self, tile: &Tile) -> Page {
        let page = &self.pages[tile.slot().index()];
        if page.stamp == self.stamp { *page } else { self.touch(tile) }
    }

    /// The page of a slot, if this search has touched it.
    #[inline]
    pub(super) fn touched_page(&self, slot: u32) -> Option<Page> {
        self.pages.get(slot as usize).copied().filter(|page| page.stamp == self.stamp)
    }

    /// The first time that this search comes to a tile.
    #[cold]
    fn touch(&mut self, tile: &Tile) -> Page {
        let index = tile.slot().index();
        let old = self.pages[index];
        // The tile itself is not read where a page has all kinds already.
        let kinds = if old.kinds < 4 && tile.data().border_edges().is_empty() { 1 } else { 4 };
        let page = self.with_room(old, tile.poly_count(), kinds);
        self.pages[index] = page;
        page
    }

    /// A page with entries for so many polygons, of so many kinds: the old one, or a new one if that is too small.
    fn with_room(&mut self, old: Page, polys: u32, kinds: u32) -> Page {
        let mut page = Page { stamp: self.stamp, ..old };
        if old.polys < polys || old.kinds < kinds {
            page = Page { first: self.entries.len() as u32, polys, kinds, stamp: self.stamp };
            let room = self.entries.len() + polys as usize * kinds as usize;
            self.entries.resize(room, Entry { stamp: 0, node: 0 });
        }
        self.touched += page.polys as usize * page.kinds as usize;
        page
    }

    /// The entries of an off-mesh connection that is entered at one of its ends: that of the connection, and that of
    /// the ground at the other end. Who lands there stands amid a polygon, and has other ways on than those who enter
    /// it over an edge.
    pub(super) fn off_mesh_entries(&mut self, mesh: &NavMesh, index: u32, end: u32) -> [u32; 2] {
        let mut page = self.connections.unwrap_or(Page::NONE);
        if page.stamp != self.stamp || page.polys <= index {
            page = self.with_room(page, mesh.connection_slots(), 4);
            self.connections = Some(page);
        }
        let first = page.first + 4 * index + 2 * end;
        [first, first + 1]
    }

    /// Notes the node of the ground at which a connection was left.
    pub(super) fn note_exit(&mut self, node: u32) {
        self.exits.push((self.get(node).of, node));
    }

    /// Puts those in order: then [`all_of`](Self::all_of) finds them by halving.
    pub(super) fn sort_exits(&mut self) {
        self.exits.sort_unstable();
        self.sorted_exits = self.exits.len();
    }

    /// The nodes of a polygon at which connections were left.
    fn exits_of(&self, poly: PolyRef) -> impl Iterator<Item = u32> {
        let (sorted, others) = self.exits.split_at(self.sorted_exits);
        let first = sorted.partition_point(|(of, _)| *of < poly);
        let here = sorted[first..].iter().take_while(move |(of, _)| *of == poly);
        here.chain(others.iter().filter(move |(of, _)| *of == poly)).map(|(_, node)| *node)
    }

    /// What is known of an entry.
    #[inline]
    pub(super) fn known(&self, entry: u32) -> Known {
        let entry = self.entries[entry as usize];
        match entry.node {
            _ if entry.stamp != self.stamp => Known::New,
            node if node & CLOSED != 0 => Known::Closed,
            node => Known::Open(node),
        }
    }

    /// What a node is of, [`NONE`] for none. Whoever does not use the answer does not pay for it.
    #[inline]
    pub(super) fn of(&self, node: u32) -> Option<PolyRef> {
        self.list.get(node as usize).map(|node| node.of)
    }

    /// The node of an entry, if it has one.
    #[inline]
    pub(super) fn find(&self, entry: u32) -> Option<u32> {
        let entry = self.entries[entry as usize];
        (entry.stamp == self.stamp).then_some(entry.node & !CLOSED)
    }

    /// Notes that a node was expanded.
    #[inline]
    pub(super) fn close(&mut self, node: u32) {
        let entry = self.list[node as usize].entry;
        self.entries[entry as usize].node |= CLOSED;
    }

    /// Whether a node has been expanded.
    pub(super) fn is_closed(&self, node: u32) -> bool {
        self.entries[self.get(node).entry as usize].node & CLOSED != 0
    }

    /// All nodes of a polygon.
    pub(super) fn all_of(&self, tile: &Tile, poly: u32) -> impl Iterator<Item = u32> {
        let pages = self.touched_page(tile.slot().get()).into_iter();
        let entries =
            pages.flat_map(move |page| (0..page.kinds).map(move |kind| page.first + kind * page.polys + poly));
        entries.filter_map(|entry| self.find(entry)).chain(self.exits_of(tile.reference(poly)))
    }

    /// Of the nodes of a polygon the one that costs least.
    pub(super) fn cheapest_of(&self, tile: &Tile, poly: u32) -> Option<u32> {
        self.all_of(tile, poly).min_by_key(|&node| (self.get(node).cost.to_bits(), node))
    }

    /// Adds a node for an entry that has none.
    #[inline]
    pub(super) fn add(&mut self, entry: u32, of: PolyRef, pos: Vec3) -> u32 {
        self.push(Node::at(entry, of, pos))
    }

    /// Adds a node whose entry has none.
    #[inline]
    pub(super) fn push(&mut self, node: Node) -> u32 {
        let index = self.list.len() as u32;
        self.entries[node.entry as usize] = Entry { stamp: self.stamp, node: index };
        self.list.push(node);
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
    use crate::tile::{TileCoord, TileLayout, test_sketch::sketch};

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
                    nodes.add(entry, tile.reference(poly), Vec3::ZERO);
                }
            }
            let known: Vec<bool> = (0..4).map(|poly| nodes.find(page.entry(poly, None)).is_some()).collect();
            assert_eq!(known, [round == 0, round == 1, true, false]);
        }
    }
}
