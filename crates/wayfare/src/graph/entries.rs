//! Finds the node, if any, of a key of a search space: entries in pages, validated by a stamp.
//!
//! A search reaches only a small part of its space, so entries are stored in pages, one for each part of the space that
//! a search has touched: a tile, for example. Pages and entries remain from earlier searches; each carries the number
//! of the search that wrote it and is valid only in that one. So beginning a search only increments a number, however
//! large the space, and memory grows with what is touched: when pages of parts that are no longer searched take more
//! than those of the last search, and more than some megabytes, all are dropped.
//!
//! ```text
//!   page 7, search 9 ──> entries, kind 0 [ . 9:3 . 8:1 9:0 ]  kind 1 [ . . . 9:4 . ]      nodes [n0 | n1 | n2 | n3 | n4]
//! ```
//!
//! A key may have several entries, one for each kind of entry into it. Those of one kind are stored together.
//!
//! Cost: a look-up is two dependent loads. The second search allocates nothing.
//!
//! Sources: time stamps instead of clearing are folklore.

/// The entries of one part of the space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    first: u32,
    size: PageSize,
    /// The last search that touched it.
    stamp: u32,
}

/// How many entries a page has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PageSize {
    /// How many keys.
    pub(crate) keys: u32,
    /// How many entries each of them has.
    pub(crate) kinds: u32,
}

impl PageSize {
    fn entries(self) -> usize {
        self.keys as usize * self.kinds as usize
    }
}

impl Page {
    const NONE: Self = Self { first: 0, size: PageSize { keys: 0, kinds: 0 }, stamp: 0 };

    /// An entry of a key.
    #[inline]
    pub(crate) fn entry(&self, key: u32, kind: u32) -> u32 {
        self.first + kind * self.size.keys + key
    }

    /// The key and the kind of an entry.
    #[inline]
    pub(crate) fn key_and_kind(&self, entry: u32) -> (u32, u32) {
        let at = entry - self.first;
        // There are few kinds, and no division is needed for the first.
        if at < self.size.keys { (at, 0) } else { (at % self.size.keys, at / self.size.keys) }
    }

    /// All entries of a key.
    pub(crate) fn entries(self, key: u32) -> impl Iterator<Item = u32> {
        (0..self.size.kinds).map(move |kind| self.entry(key, kind))
    }
}

/// The node of an entry.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The search that wrote it.
    stamp: u32,
    /// The node, with [`CLOSED`] if it has been expanded.
    node: u32,
}

const CLOSED: u32 = 1 << 31;

/// What a search knows about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// No node yet.
    New,
    /// This node, not expanded yet.
    Open(u32),
    /// A node that was expanded.
    Closed,
}

/// Entries that are always kept: 8 MB.
const KEPT_ENTRIES: usize = 1 << 20;

/// The entries of all pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    pages: Vec<Page>,
    /// A page without a number, for keys that belong to no part.
    apart: Option<Page>,
    entries: Vec<Entry>,
    /// How many of the entries belong to pages that this search has touched.
    touched: usize,
    /// The number of this search.
    stamp: u32,
}

impl Entries {
    /// Removes all nodes, for a space of `pages` pages.
    #[inline]
    pub(crate) fn begin(&mut self, pages: u32) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 || self.entries.len() > KEPT_ENTRIES.max(2 * self.touched) {
            self.drop_pages();
        }
        self.touched = 0;
        if self.pages.len() < pages as usize {
            self.pages.resize(pages as usize, Page::NONE);
        }
    }

    #[cold]
    fn drop_pages(&mut self) {
        self.pages.fill(Page::NONE);
        self.entries.clear();
        (self.apart, self.stamp) = (None, 1);
    }

    /// The page with a number, if this search has touched it.
    #[inline]
    pub(crate) fn touched_page(&self, number: u32) -> Option<Page> {
        self.pages.get(number as usize).copied().filter(|page| page.stamp == self.stamp)
    }

    /// The page with a number, which must be below the number given to [`begin`](Self::begin). The first time this
    /// search touches it, `size` is called with its previous size and returns the required one.
    #[inline]
    pub(crate) fn page(&mut self, number: u32, size: impl FnOnce(PageSize) -> PageSize) -> Page {
        let page = self.pages[number as usize];
        if page.stamp == self.stamp { page } else { self.touch(number, size) }
    }

    #[cold]
    fn touch(&mut self, number: u32, size: impl FnOnce(PageSize) -> PageSize) -> Page {
        let old = self.pages[number as usize];
        let page = self.with_room(old, size(old.size));
        self.pages[number as usize] = page;
        page
    }

    /// The page without a number, with room for `size` entries.
    pub(crate) fn page_apart(&mut self, size: PageSize) -> Page {
        let page = self.apart.unwrap_or(Page::NONE);
        if page.stamp == self.stamp && page.size.keys >= size.keys {
            return page;
        }
        let page = self.with_room(page, size);
        self.apart = Some(page);
        page
    }

    /// The old page, or a new one if that is too small.
    fn with_room(&mut self, old: Page, size: PageSize) -> Page {
        let mut page = Page { stamp: self.stamp, ..old };
        if old.size.keys < size.keys || old.size.kinds < size.kinds {
            page = Page { first: self.entries.len() as u32, size, stamp: self.stamp };
            let room = self.entries.len() + size.entries();
            self.entries.resize(room, Entry { stamp: 0, node: 0 });
        }
        self.touched += page.size.entries();
        page
    }

    /// What is known about an entry.
    #[inline]
    pub(crate) fn known(&self, entry: u32) -> Known {
        let entry = self.entries[entry as usize];
        match entry.node {
            _ if entry.stamp != self.stamp => Known::New,
            node if node & CLOSED != 0 => Known::Closed,
            node => Known::Open(node),
        }
    }

    /// The node of an entry, open or closed, if it has one.
    #[inline]
    pub(crate) fn find(&self, entry: u32) -> Option<u32> {
        let entry = self.entries[entry as usize];
        (entry.stamp == self.stamp).then_some(entry.node & !CLOSED)
    }

    /// Sets the node of an entry.
    #[inline]
    pub(super) fn set(&mut self, entry: u32, node: u32) {
        self.entries[entry as usize] = Entry { stamp: self.stamp, node };
    }

    /// Marks the node of an entry as expanded.
    #[inline]
    pub(super) fn close(&mut self, entry: u32) {
        self.entries[entry as usize].node |= CLOSED;
    }

    /// Whether it was expanded.
    pub(super) fn is_closed(&self, entry: u32) -> bool {
        self.entries[entry as usize].node & CLOSED != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_an_earlier_search_are_forgotten() {
        let mut entries = Entries::default();
        for round in 0..3 {
            entries.begin(1);
            let page = entries.page(0, |_| PageSize { keys: 4, kinds: 1 });
            for (node, key) in [2, round].into_iter().enumerate() {
                entries.set(page.entry(key, 0), node as u32);
            }
            let known: Vec<bool> = (0..4).map(|key| entries.find(page.entry(key, 0)).is_some()).collect();
            assert_eq!(known, [round == 0, round == 1, true, false]);
        }
    }

    #[test]
    fn a_page_that_is_too_small_is_made_anew() {
        let mut entries = Entries::default();
        for size in [PageSize { keys: 2, kinds: 1 }, PageSize { keys: 2, kinds: 4 }, PageSize { keys: 9, kinds: 1 }] {
            entries.begin(3);
            assert!(entries.touched_page(2).is_none());
            let page = entries.page(2, |_| size);
            let apart = entries.page_apart(size);
            let mine: Vec<u32> = page.entries(size.keys - 1).collect();
            assert!(apart.entries(0).all(|entry| !mine.contains(&entry) && entries.known(entry) == Known::New));
            assert_eq!(mine.len(), size.kinds as usize);
            entries.set(mine[0], 5);
            assert_eq!(entries.known(mine[0]), Known::Open(5));
            entries.close(mine[0]);
            assert_eq!((entries.known(mine[0]), entries.find(mine[0])), (Known::Closed, Some(5)));
        }
    }
}
