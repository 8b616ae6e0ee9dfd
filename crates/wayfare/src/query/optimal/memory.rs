//! The memory of an optimal search: nodes and roots in growing lists, and what is known about each corner.
//!
//! A *root* is a place where the path bends (or begins), with the length of the path to it. Only the best root of each
//! corner counts: a path that reaches a corner by a longer route than another is not part of a shortest path. So each
//! fan of each touched tile has an entry that names its root; a node whose root has been replaced is skipped.
//!
//! Entries are valid only if they carry the stamp of the current search, so starting a search clears nothing, and
//! memory grows only with the tiles touched.
//!
//! Cost: two dependent loads per lookup. A second search allocates nothing.
//!
//! Sources: root history: Cui, Harabor, Grastien, 2017.

use super::cone::Bound;
use crate::graph::{Arena, Linked};
use crate::math::index::NONE;
use crate::mesh::{NavMesh, Tile};
use glam::Vec2;

/// What is seen from a root through the portal by which a polygon is entered.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Node {
    /// The corners that bound the cone, where its bounds have any.
    pub(super) left: Vec2,
    pub(super) right: Vec2,
    /// The node before; [`NONE`] for the first.
    pub(super) parent: u32,
    pub(super) root: u32,
    /// The corner of the edge by which the polygon is entered, in the polygon itself; for [`Via::Inside`] the polygon.
    pub(super) entry: u32,
    /// The page of the tile.
    pub(super) page: u32,
    pub(super) bounds: [Bound; 2],
    pub(super) via: Via,
}

const _: () = assert!(size_of::<Node>() == 44);

impl Node {
    /// Whether the root lies in the polygon.
    #[inline]
    pub(super) fn is_inside(&self) -> bool {
        matches!(self.via, Via::Inside | Via::Connection(_))
    }
}

impl Linked for Node {
    #[inline]
    fn parent(&self) -> u32 {
        self.parent
    }
}

/// How a polygon is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Via {
    /// Over an edge from a polygon of the same tile.
    Edge,
    /// Over the link with this number among those of the tile, which leads back.
    Link(u32),
    /// Not at all: the root lies in it.
    Inside,
    /// The root lies in it, at the end of an off-mesh connection: twice its index, plus the end at which it was
    /// entered.
    Connection(u32),
}

/// A place where a path bends or begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) at: Vec2,
    /// Where the root before is.
    pub(super) before: Vec2,
    /// Length of the path to here, metres on the plane.
    pub(super) length: f64,
    /// The entry that knows of it; [`NONE`] if none.
    pub(super) key: u32,
    /// The root before; [`NONE`] for the start.
    pub(super) parent: u32,
}

impl Root {
    /// Whether it is no corner but a place within a polygon.
    #[inline]
    pub(super) fn is_inside(&self) -> bool {
        self.at == self.before
    }
}

/// What is known about the fan of a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    stamp: u32,
    /// Its root, or one of those below.
    root: u32,
    /// Length of the shortest path to it found so far, whether or not a path may bend there.
    reach: f64,
}

impl Known {
    const BLANK: Self = Self { stamp: 0, root: NONE, reach: f64::INFINITY };
    /// Not examined yet.
    const NOT_LOOKED: u32 = NONE;
    /// The filter closes no polygon of the fan; whether a path may bend here has not been examined yet.
    pub(super) const WHOLE: u32 = NONE - 3;
    /// Walkable all around: no path bends here.
    pub(super) const NO_BEND: u32 = NONE - 1;
    /// The filter closes polygons of the fan, which may part it: what is known stands at the parts.
    pub(super) const PARTED: u32 = NONE - 2;
}

/// The part of the entries that belongs to one tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) slot: u32,
    /// First entry: one for each fan, then two for each link.
    known: u32,
    fans: u32,
    /// The number of the goal's polygon among the tile's, by which edges into dead ends are told.
    pub(super) goal: u32,
    /// First of what lies beyond each link.
    beyond: u32,
    /// First entry of the parts of fans that the filter has parted, by the least corner of the part; [`NONE`] before
    /// there is one.
    parts: u32,
}

impl Page {
    /// The entry of a fan.
    #[inline]
    pub(super) fn fan(&self, fan: u32) -> u32 {
        self.known + fan
    }

    /// The entry of an end of a link: 0 for its `a`, 1 for its `b`.
    pub(super) fn link_end(&self, link: u32, end: u32) -> u32 {
        self.known + self.fans + 2 * link + end
    }

    /// The place of what lies beyond a link.
    #[inline]
    pub(super) fn beyond(&self, link: u32) -> usize {
        (self.beyond + link) as usize
    }
}

/// Where a link leads, once it was followed: the page, the corner at which the edge begins there, and the link that
/// leads back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beyond {
    stamp: u32,
    pub(super) page: u32,
    pub(super) entry: u32,
    pub(super) back: u32,
}

/// The memory of an optimal search; a part of [`SearchScratch`](crate::query::SearchScratch).
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct OptimalMemory {
    pub(super) nodes: Arena<Node>,
    pub(super) roots: Vec<Root>,
    pub(super) pages: Vec<Page>,
    /// Page of each slot; it counts if the page names the slot back.
    page_of: Vec<u32>,
    known: Vec<Known>,
    used_known: u32,
    beyond: Vec<Beyond>,
    used_beyond: u32,
    stamp: u32,
    /// First entry of the off-mesh connections, two for each.
    connections: Option<u32>,
}

/// How much shorter a path must be, relatively, to rule out another: rounding must not make two paths of one.
pub(super) const NOT_WORSE: f64 = 1.0 - 1e-11;

impl OptimalMemory {
    /// Forgets the search before.
    pub(super) fn begin(&mut self, mesh: &NavMesh) {
        self.nodes.clear();
        self.roots.clear();
        self.pages.clear();
        (self.used_known, self.used_beyond, self.connections) = (0, 0, None);
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            // After 2^32 searches old stamps would look new.
            self.known.clear();
            self.beyond.clear();
            self.stamp = 1;
        }
        if self.page_of.len() < mesh.slot_count() as usize {
            self.page_of.resize(mesh.slot_count() as usize, 0);
        }
    }

    /// The page of a tile, if it was touched; otherwise a new one, with the goal's number among its polygons.
    pub(super) fn page(&mut self, tile: &Tile, goal: impl FnOnce() -> u32) -> u32 {
        let slot = tile.slot().get();
        let index = self.page_of[slot as usize];
        if self.pages.get(index as usize).is_some_and(|page| page.slot == slot) {
            return index;
        }
        let sight = tile.sight();
        let known = self.used_known;
        let beyond = self.used_beyond;
        let page = Page { slot, known, fans: sight.fans(), goal: goal(), beyond, parts: NONE };
        let links = tile.links().all().len() as u32;
        self.used_known += sight.fans() + 2 * links;
        self.used_beyond += links;
        self.grow();
        let index = self.pages.len() as u32;
        self.page_of[slot as usize] = index;
        self.pages.push(page);
        index
    }

    /// The page of a slot, if its tile was touched.
    pub(super) fn touched(&self, slot: u32) -> Option<&Page> {
        let &index = self.page_of.get(slot as usize)?;
        self.pages.get(index as usize).filter(|page| page.slot == slot)
    }

    /// The entry of a part of a fan: the page's, by the least of its corners.
    pub(super) fn part(&mut self, page: u32, corners: usize, least: u32) -> u32 {
        let page = &mut self.pages[page as usize];
        if page.parts == NONE {
            page.parts = self.used_known;
            self.used_known += corners as u32;
        }
        let key = page.parts + least;
        self.grow();
        key
    }

    fn grow(&mut self) {
        if self.known.len() < self.used_known as usize {
            self.known.resize(self.used_known as usize, Known::BLANK);
        }
        if self.beyond.len() < self.used_beyond as usize {
            self.beyond.resize(self.used_beyond as usize, Beyond { stamp: 0, page: NONE, entry: NONE, back: NONE });
        }
    }

    /// The entry of an off-mesh connection, entered at one of its ends.
    pub(super) fn connection(&mut self, mesh: &NavMesh, index: u32, end: u32) -> u32 {
        let first = *self.connections.get_or_insert_with(|| {
            let first = self.used_known;
            self.used_known += 2 * mesh.connection_slots();
            first
        });
        self.grow();
        first + 2 * index + end
    }

    /// What is known at an entry: a root, [`Known::NO_BEND`], [`Known::PARTED`] or nothing.
    #[inline]
    pub(super) fn known(&self, key: u32) -> Option<u32> {
        let known = &self.known[key as usize];
        (known.stamp == self.stamp && known.root != Known::NOT_LOOKED).then_some(known.root)
    }

    #[inline]
    pub(super) fn set_known(&mut self, key: u32, root: u32) {
        let known = &mut self.known[key as usize];
        let reach = if known.stamp == self.stamp { known.reach } else { f64::INFINITY };
        *known = Known { stamp: self.stamp, root, reach };
    }

    /// The length of the shortest path to a corner found so far; infinite if there is none. It counts where the filter
    /// does not part the fan.
    #[inline]
    pub(super) fn reach(&self, key: u32) -> f64 {
        let known = &self.known[key as usize];
        if known.stamp == self.stamp { known.reach } else { f64::INFINITY }
    }

    /// Records a path to a corner, and returns the length of the shortest so far.
    #[inline]
    pub(super) fn reach_by(&mut self, key: u32, length: f64) -> f64 {
        let known = &mut self.known[key as usize];
        if known.stamp != self.stamp {
            *known = Known { stamp: self.stamp, root: Known::NOT_LOOKED, reach: length };
        } else if length < known.reach {
            known.reach = length;
        }
        known.reach
    }

    /// Adds a root.
    pub(super) fn add_root(&mut self, root: Root) -> u32 {
        self.roots.push(root);
        self.roots.len() as u32 - 1
    }

    /// Whether a shorter path to the corner of a root has been found since.
    #[inline]
    pub(super) fn is_outdated(&self, index: u32, root: &Root) -> bool {
        root.key != NONE && {
            let known = &self.known[root.key as usize];
            known.root != index || known.reach < root.length * NOT_WORSE
        }
    }

    /// Where a link leads, if it was followed before.
    #[inline]
    pub(super) fn beyond(&self, at: usize) -> Option<Beyond> {
        Some(self.beyond[at]).filter(|beyond| beyond.stamp == self.stamp)
    }

    pub(super) fn set_beyond(&mut self, at: usize, page: u32, entry: u32, back: u32) -> Beyond {
        self.beyond[at] = Beyond { stamp: self.stamp, page, entry, back };
        self.beyond[at]
    }
}
