//! Walking around regions along the edges of their spans.
//!
//! A boundary edge is a span and a direction in which the neighbour is missing or belongs to another region. Each has
//! exactly one successor, found by keeping the foreign side on the left hand (the page shows z downwards):
//!
//! ```text
//!    convex          straight         concave
//!   . . . .          . . . .          . B A .
//!   . . .→+          . →→→ .          . →↑. .       A, the region walked around, lies to the right of the walk;
//!   . A A ↓          A A A A          A A A A       B is another region, a hole, or a wall
//! ```
//!
//! (Where two spans of a region lie side by side without connection, the walk turns back along the slit between them.)
//!
//! Cost: one to four loads an edge.
//!
//! Sources: the boundary walk of Mikko Mononen, Recast, 2009; square tracing goes back to Azriel Rosenfeld, 1970.

use crate::math::index::NONE;

/// An edge of a span: the side of `span` in direction `dir`. The walk runs along it with the span on its right: up z on
/// the low-x side (0), up x on the high-z side (1), down z on the high-x side (2), down x on the low-z side (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) span: u32,
    pub(super) dir: u8,
}

/// Regions over resolved neighbours, seen by their edges.
#[derive(Clone, Copy)]
pub(super) struct Boundary<'a> {
    pub(super) links: &'a [[u32; 4]],
    pub(super) region: &'a [u32],
}

impl Boundary<'_> {
    #[inline]
    pub(super) fn region(&self, span: u32) -> u32 {
        self.region[span as usize]
    }

    /// The span beyond an edge, or `NONE`.
    #[inline]
    pub(super) fn beyond(&self, edge: Edge) -> u32 {
        self.links[edge.span as usize][usize::from(edge.dir & 3)]
    }

    /// The region beyond an edge; 0 where there is none.
    #[inline]
    pub(super) fn region_beyond(&self, edge: Edge) -> u32 {
        self.region.get(self.beyond(edge) as usize).copied().unwrap_or(0)
    }

    /// The same edge seen from the span beyond, which must exist.
    #[inline]
    pub(super) fn twin(&self, edge: Edge) -> Edge {
        Edge { span: self.beyond(edge), dir: (edge.dir + 2) & 3 }
    }

    /// The edge that follows a boundary edge of its region.
    #[inline]
    pub(super) fn successor(&self, edge: Edge) -> Edge {
        let own = self.region(edge.span);
        let mut at = Edge { span: edge.span, dir: (edge.dir + 1) & 3 };
        // A turn to the right from each span that is entered; at most once around the corner.
        for _ in 0..3 {
            let next = self.beyond(at);
            if next == NONE || self.region(next) != own {
                break;
            }
            at = Edge { span: next, dir: (at.dir + 3) & 3 };
        }
        at
    }

    /// One bit for each direction in which a span of an inner region has a boundary edge.
    pub(super) fn mark_edges(&self, is_inner: impl Fn(u32) -> bool, marks: &mut Vec<u8>) {
        marks.clear();
        marks.extend(self.links.iter().zip(self.region).map(|(around, &own)| {
            if !is_inner(own) {
                return 0;
            }
            let mut bits = 0;
            for (dir, &next) in around.iter().enumerate() {
                bits |= u8::from(self.region.get(next as usize) != Some(&own)) << dir;
            }
            bits
        }));
    }

    /// Whether the region beyond sees `edge` and its successor `next` one after the other as well, so that both sides
    /// agree that nothing ends at the corner between them. Both edges must have that same region beyond.
    #[inline]
    pub(super) fn is_smooth_beyond(&self, edge: Edge, next: Edge) -> bool {
        self.successor(self.twin(next)) == self.twin(edge)
    }
}
