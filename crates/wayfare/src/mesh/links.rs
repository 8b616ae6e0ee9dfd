//! The links of a tile to polygons of other tiles: a side table, updated as neighbours are added and removed.
//!
//! ```text
//!   border edge number    0    1    2
//!   first               [ 0 .  2 .  2 . 3 ]
//!   links               [l l]      [l]        sorted by edge, then by target
//! ```
//!
//! The order depends only on what is linked, not on the order in which tiles were added: a saved mesh and a live one
//! agree.

use super::PolyRef;
use super::once::once;
use crate::math::steps::count;
use crate::tile::DeadEnds;
use glam::Vec3;
use std::sync::OnceLock;

/// A link over a border edge to a polygon of another tile.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Link {
    /// The polygon on the other side.
    pub to: PolyRef,
    /// First corner of the edge, as an index into [`TileData::corners`](crate::tile::TileData::corners).
    pub edge: u32,
    /// The border edge of that polygon, by its number in
    /// [`TileData::border_edges`](crate::tile::TileData::border_edges) of its tile.
    pub there: u32,
    /// The end of the portal nearer to that corner. Both tiles hold the same bits.
    pub a: Vec3,
    /// The other end.
    pub b: Vec3,
}

const _: () = assert!(size_of::<Link>() == 40);

/// An off-mesh connection that can be entered from a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(C)]
pub struct ConnectionLink {
    /// The polygon, by its index in the tile.
    pub poly: u32,
    /// The end at which the connection is entered: 0 its start, 1 its end.
    pub end: u32,
    /// The connection.
    pub to: PolyRef,
}

/// All links of a tile.
#[derive(Clone, Debug, Default)]
pub struct TileLinks {
    /// First link of each border edge, and their number; empty without links.
    first: Vec<u32>,
    links: Vec<Link>,
    connections: Vec<ConnectionLink>,
    /// A bit for each polygon, set if a connection can be entered there. Searches read it for every polygon.
    entered: Vec<u64>,
    /// For each connection, the number of its polygon among the dead ends, in order; derived on first use.
    entrances: OnceLock<Vec<u32>>,
}

impl PartialEq for TileLinks {
    fn eq(&self, other: &Self) -> bool {
        (&self.first, &self.links, &self.connections) == (&other.first, &other.links, &other.connections)
    }
}

impl TileLinks {
    /// How many bytes they take on the heap.
    pub(crate) fn bytes(&self) -> usize {
        let links = size_of_val(&*self.first) + size_of_val(&*self.links) + size_of_val(&*self.connections);
        let entrances = self.entrances.get().map_or(0, |entrances| size_of_val(&**entrances));
        links + size_of_val(&*self.entered) + entrances
    }

    /// Sets the links, given in any order, each with the number of its border edge. `border_edges` is how many there
    /// are. Connections are kept.
    #[cfg(test)]
    pub(crate) fn set_links(&mut self, border_edges: usize, numbered: &mut [(u32, Link)]) {
        self.links.clear();
        self.first.clear();
        self.add_links(border_edges, numbered);
    }

    /// Adds links to the existing ones: given in any order, each with the number of its border edge. `border_edges` is
    /// how many there are.
    pub(crate) fn add_links(&mut self, border_edges: usize, numbered: &mut [(u32, Link)]) {
        let Some(&(_, any)) = numbered.first() else { return };
        // Stable: several links over one edge to one polygon keep their order along the edge.
        numbered.sort_by_key(|(number, link)| (*number, link.to));
        // Border edges are numbered in the order of their corners.
        let place = |link: &Link| (link.edge, link.to);
        let mut old = self.links.len();
        let mut new = numbered.len();
        self.links.resize(old + new, any);
        // From the last one down: links before all new ones stay in place.
        while let Some((_, link)) = new.checked_sub(1).map(|last| numbered[last]) {
            if old > 0 && place(&self.links[old - 1]) > place(&link) {
                self.links[old + new - 1] = self.links[old - 1];
                old -= 1;
            } else {
                self.links[old + new - 1] = link;
                new -= 1;
            }
        }
        if self.first.is_empty() {
            self.first = vec![0; border_edges + 1];
        }
        let mut before = 0;
        for (number, first) in (0u32..).zip(&mut self.first) {
            before += numbered[before..].iter().take_while(|(new, _)| *new < number).count();
            *first += before as u32;
        }
    }

    /// Whether any link leads to the tile in a slot.
    pub(crate) fn lead_to(&self, slot: u32) -> bool {
        self.links.iter().any(|link| link.to.slot().get() == slot)
    }

    /// Drops the links to the tile in a slot.
    pub(crate) fn drop_links_to(&mut self, slot: u32) {
        let mut kept = 0;
        let mut start = 0;
        for number in 0..self.first.len().saturating_sub(1) {
            let end = self.first[number + 1] as usize;
            self.first[number] = kept as u32;
            for at in start..end {
                let link = self.links[at];
                if link.to.slot().get() != slot {
                    self.links[kept] = link;
                    kept += 1;
                }
            }
            start = end;
        }
        self.links.truncate(kept);
        match self.first.last_mut() {
            Some(last) if kept > 0 => *last = kept as u32,
            _ => self.first.clear(),
        }
    }

    /// Adds or removes a connection.
    pub(crate) fn set_connection(&mut self, link: ConnectionLink, present: bool) {
        self.entrances.take();
        count(self.connections.len() / 64);
        match self.connections.binary_search(&link) {
            Ok(at) if !present => {
                self.connections.remove(at);
            }
            Err(at) if present => self.connections.insert(at, link),
            _ => {}
        }
        let word = link.poly as usize / 64;
        let bit = 1 << (link.poly % 64);
        if self.entered.len() <= word {
            self.entered.resize(word + 1, 0);
        }
        let is_entered = self.connections.binary_search_by_key(&link.poly, |c| c.poly).is_ok();
        self.entered[word] = self.entered[word] & !bit | if is_entered { bit } else { 0 };
    }

    /// Sets all connections, given in order, of a tile that has none.
    pub(crate) fn set_connections(&mut self, connections: Vec<ConnectionLink>) {
        self.entrances.take();
        let words = connections.last().map_or(0, |last| last.poly as usize / 64 + 1);
        self.entered = vec![0; words];
        connections.iter().for_each(|link| self.entered[link.poly as usize / 64] |= 1 << (link.poly % 64));
        self.connections = connections;
    }

    /// The off-mesh connections that can be entered from a polygon and are attached at both ends.
    #[must_use]
    #[inline]
    pub fn connections_of(&self, poly: u32) -> &[ConnectionLink] {
        let is_entered = self.entered.get(poly as usize / 64).is_some_and(|bits| bits >> (poly % 64) & 1 != 0);
        if !is_entered {
            return &[];
        }
        let start = self.connections.partition_point(|c| c.poly < poly);
        let count = self.connections[start..].partition_point(|c| c.poly == poly);
        &self.connections[start..start + count]
    }

    /// All off-mesh connections that can be entered from polygons of the tile, by polygon.
    #[must_use]
    #[inline]
    pub fn connections(&self) -> &[ConnectionLink] {
        &self.connections
    }

    /// The numbers of the polygons from which connections can be entered, in order.
    #[inline]
    pub(crate) fn entrances(&self, dead_ends: &DeadEnds) -> &[u32] {
        if self.connections.is_empty() {
            return &[];
        }
        let entrances: &Vec<u32> = once(&self.entrances, || {
            let mut numbers: Vec<u32> = self.connections.iter().map(|c| dead_ends.number_of(c.poly)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        });
        entrances
    }

    /// The links over the edge that begins at a corner, an index into
    /// [`TileData::corners`](crate::tile::TileData::corners); empty for edges within the tile.
    #[must_use]
    pub fn of_edge(&self, corner: u32) -> &[Link] {
        let first = self.links.partition_point(|link| link.edge < corner);
        let count = self.links[first..].partition_point(|link| link.edge == corner);
        &self.links[first..first + count]
    }

    /// The links over a border edge, by its number in [`TileData::border_edges`](crate::tile::TileData::border_edges).
    #[must_use]
    #[inline]
    pub fn of_border(&self, number: u32) -> &[Link] {
        &self.links[self.range_of_border(number)]
    }

    /// Whether a link leads over a border edge to a polygon.
    pub(crate) fn leads_over(&self, number: u32, to: PolyRef) -> bool {
        self.of_border(number).binary_search_by_key(&to, |link| link.to).is_ok()
    }

    /// The links over a border edge to a polygon.
    pub(crate) fn over_to(&self, number: u32, to: PolyRef) -> &[Link] {
        let links = self.of_border(number);
        let start = links.partition_point(|link| link.to < to);
        let count = links[start..].partition_point(|link| link.to == to);
        &links[start..start + count]
    }

    /// The links over a border edge, as a range of [`all`](Self::all).
    #[must_use]
    #[inline]
    pub fn range_of_border(&self, number: u32) -> core::ops::Range<usize> {
        // A tile without links has no list.
        match self.first.get(number as usize..) {
            Some([start, end, ..]) => *start as usize..*end as usize,
            _ => 0..0,
        }
    }

    /// All links.
    #[must_use]
    #[inline]
    pub fn all(&self) -> &[Link] {
        &self.links
    }

    /// All links, each with the number of its border edge.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, Link)> + '_ {
        (0u32..).zip(self.first.windows(2)).flat_map(|(number, range)| {
            self.links[range[0] as usize..range[1] as usize].iter().map(move |link| (number, *link))
        })
    }
}
