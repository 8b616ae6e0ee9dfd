//! An array whose copies share what did not change.
//!
//! Pages of 128 elements lie behind counted pointers, and so does the list of pages. Cloning copies one pointer. The
//! first write to a clone copies the list of pages (sixteen bytes and a count for 128 elements) and the one page that
//! changes. Pages that hold only the fill value are empty, so that an element at a high index costs no memory for those
//! before it.
//!
//! ```text
//!   clone A ──> [ * * * * ]      clone B ──> [ * * * * ]
//!                 | | | |                      | | | |
//!                 v v v └──> page 3 <──────────|─|─|─┘
//!                 …   └────> page 2      page 2' <─┘ written through B
//! ```
//!
//! Sources: Driscoll, Sarnak, Sleator and Tarjan, "Making Data Structures Persistent", 1989 (path copying).

use std::sync::Arc;

const PAGE: usize = 128;
/// Initial capacity of a page: most meshes are small.
const FIRST: usize = 8;

/// A persistent array. Elements that were never written have the fill value.
#[derive(Clone, Debug)]
pub(crate) struct Paged<T> {
    /// Each page is only as long as its last written element requires; empty if none was written.
    pages: Arc<[Arc<[T]>]>,
    fill: T,
    len: u32,
}

impl<T: Clone> Paged<T> {
    /// `len` times the fill value.
    pub(crate) fn filled(fill: T, len: u32) -> Self {
        let pages = vec![Arc::default(); (len as usize).div_ceil(PAGE)].into();
        Self { pages, fill, len }
    }

    /// How many elements it has.
    pub(crate) fn len(&self) -> u32 {
        self.len
    }

    /// An element, if there is one.
    #[inline]
    pub(crate) fn get(&self, index: u32) -> Option<&T> {
        let page = self.pages.get(index as usize / PAGE)?;
        Some(page.get(index as usize % PAGE).unwrap_or(&self.fill))
    }

    /// An element for writing. The array grows if necessary.
    pub(crate) fn write(&mut self, index: u32) -> &mut T {
        if index >= self.len {
            self.len = index + 1;
            let have = self.pages.len();
            let want = (self.len as usize).div_ceil(PAGE);
            if want > have {
                // Room to grow by an eighth, so that appending one by one copies the list of pages rarely.
                let want = want + want / 8;
                let more = core::iter::repeat_n(Arc::default(), want - have);
                self.pages = self.pages.iter().cloned().chain(more).collect();
            }
        }
        let page = &mut Arc::make_mut(&mut self.pages)[index as usize / PAGE];
        let place = index as usize % PAGE;
        if place >= page.len() {
            let room = if place < FIRST { FIRST } else { PAGE };
            let more = core::iter::repeat_n(&self.fill, room - page.len());
            *page = page.iter().chain(more).cloned().collect();
        }
        &mut Arc::make_mut(page)[place]
    }

    /// Whether nothing has been written since one was cloned from the other, so that they share all memory. May return
    /// `false` for equal arrays, never `true` for different ones.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pages, &other.pages) && self.len == other.len
    }

    /// All elements with their index, skipping pages that were never written.
    pub(crate) fn iter_written(&self) -> impl Iterator<Item = (u32, &T)> {
        let len = self.len as usize;
        self.pages.iter().enumerate().flat_map(move |(p, page)| {
            let used = page.iter().take(len.saturating_sub(p * PAGE));
            used.enumerate().map(move |(i, t)| ((p * PAGE + i) as u32, t))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clone_keeps_what_it_saw() {
        let mut a = Paged::filled(0, 0);
        for i in 0..1000 {
            *a.write(i) = i;
        }
        let before = a.clone();
        *a.write(500) = 7;
        *a.write(100_000) = 1;
        assert_eq!((before.get(500), a.get(500), a.get(501)), (Some(&500), Some(&7), Some(&501)));
        assert_eq!((before.len(), a.len(), a.get(99_999)), (1000, 100_001, Some(&0)));
        assert!((0..1000).all(|i| before.get(i) == Some(&i)));
        let shared = a.pages.iter().zip(before.pages.iter()).filter(|(x, y)| Arc::ptr_eq(x, y)).count();
        assert!(shared >= 7, "only the written page is copied: {shared} of 8 shared");
        assert_eq!(a.iter_written().filter(|(_, v)| **v != 0).count(), 1000);
    }
}
