//! How a search entered a polygon, as a number.
//!
//! Sources: none needed.

/// How a polygon was entered: the number of the edge in the previous polygon, or of the link
/// among that tile's links; for a connection, the end at which it was entered. If nobody needs the portals afterwards,
/// the edges over which the search will continue, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Via(pub(super) u32);

impl Via {
    const LINK: u32 = 1 << 31;

    pub(super) fn edge(number: u32) -> Self {
        Self(number)
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

    /// The edges over which the search will continue.
    pub(super) fn edges_onwards(self) -> u32 {
        self.0
    }

    /// The end at which a connection was entered.
    pub(super) fn end(self) -> u32 {
        self.0
    }

    /// The link's number, if it was a link; the edge's otherwise.
    pub(super) fn as_link(self) -> Result<usize, u32> {
        if self.0 & Self::LINK != 0 { Ok((self.0 & !Self::LINK) as usize) } else { Err(self.0) }
    }
}
