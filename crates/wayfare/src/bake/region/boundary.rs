//! Walking around regions along the edges of their spans.
//!
//! A boundary edge is a span and a direction in which the neighbour is missing or belongs to another region. Each has
//! exactly one successor, found by keeping the other side on the left (the page shows z downwards):
//!
//! ```text
//!    convex          straight         concave
//!   . . . .          . . . .          . B A .
//!   . . .→+          . →→→ .          . →↑. .       A, the region walked around, lies to the right of the walk;
//!   . A A ↓          A A A A          A A A A       B is another region, a hole, or a wall
//! ```
//!
//! (Where two spans of a region lie side by side without being connected, the walk turns back along the slit between
//! them.)
//!
//! Cost: one to four loads per edge.
//!
//! Sources: the boundary walk of Mikko Mononen, Recast, 2009; square tracing goes back to Azriel Rosenfeld, 1970.

use super::regions::is_inner;
use crate::math::index::NONE;
use core::ops::Range;

/// An edge of a span: the side of `span` in direction `dir`. The walk runs along it with the span on its right: up z on
/// the low-x side (0), up x on the high-z side (1), down z on the high-x side (2), down x on the low-z side (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::bake) struct Edge {
    pub(in crate::bake) span: u32,
    pub(in crate::bake) dir: u8,
}

/// Regions over resolved neighbours, accessed by edges.
#[derive(Clone, Copy)]
pub(in crate::bake) struct Boundary<'a> {
    pub(in crate::bake) links: &'a [[u32; 4]],
    pub(in crate::bake) region: &'a [u32],
}

impl Boundary<'_> {
    #[inline]
    pub(in crate::bake) fn region(&self, span: u32) -> u32 {
        self.region[span as usize]
    }

    /// The span on the other side of an edge, or `NONE`.
    #[inline]
    pub(in crate::bake) fn beyond(&self, edge: Edge) -> u32 {
        self.links[edge.span as usize][usize::from(edge.dir & 3)]
    }

    /// The region on the other side of an edge; 0 if there is none.
    #[inline]
    pub(in crate::bake) fn region_beyond(&self, edge: Edge) -> u32 {
        self.region.get(self.beyond(edge) as usize).copied().unwrap_or(0)
    }

    /// The same edge seen from the span on the other side, which must exist.
    #[inline]
    pub(in crate::bake) fn twin(&self, edge: Edge) -> Edge {
        Edge { span: self.beyond(edge), dir: (edge.dir + 2) & 3 }
    }

    /// The edge that follows a boundary edge of its region.
    #[inline]
    pub(in crate::bake) fn successor(&self, edge: Edge) -> Edge {
        let own = self.region(edge.span);
        let mut at = Edge { span: edge.span, dir: (edge.dir + 1) & 3 };
        // Turn right from each span that is entered; at most once around the corner.
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
    ///
    /// Each pair of neighbours is compared once, from its lower side: the links are symmetric.
    pub(in crate::bake) fn mark_edges(&self, marks: &mut Vec<u8>) {
        marks.clear();
        marks.resize(self.links.len(), 0);
        self.mark_edges_of(0..self.links.len(), marks);
    }

    /// The same for some spans, given marks of 0 for all; all spans must be taken, in order.
    pub(in crate::bake) fn mark_edges_of(&self, spans: Range<usize>, marks: &mut [u8]) {
        let regions = self.region;
        let links = &self.links[spans.clone()];
        let own = &regions[spans.clone()];
        for (span, (links, &own)) in spans.zip(links.iter().zip(own)) {
            let mut bits = u8::from(links[0] == NONE) | u8::from(links[3] == NONE) << 3;
            for dir in [1, 2] {
                let next = links[dir] as usize;
                let Some(&other) = regions.get(next) else {
                    bits |= 1 << dir;
                    continue;
                };
                if other != own {
                    bits |= 1 << dir;
                    if is_inner(other) {
                        marks[next] |= 1 << (dir ^ 2);
                    }
                }
            }
            if bits != 0 && is_inner(own) {
                marks[span] |= bits;
            }
        }
    }

    /// Whether the other region also has `edge` and its successor `next` consecutively, so that both sides agree that
    /// nothing ends at the corner between them. Both edges must have that same region on the other side.
    #[inline]
    pub(in crate::bake) fn is_smooth_beyond(&self, edge: Edge, next: Edge) -> bool {
        self.successor(self.twin(next)) == self.twin(edge)
    }
}

/// The first marked edge at or after the span `from`, which is advanced to its span. Skips eight spans at a time.
pub(in crate::bake) fn next_edge(marks: &[u8], from: &mut usize) -> Option<Edge> {
    while let Some(eight) = marks[*from..].first_chunk::<8>() {
        if u64::from_le_bytes(*eight) != 0 {
            break;
        }
        *from += 8;
    }
    let span = *from + marks[*from..].iter().position(|&m| m != 0)?;
    *from = span;
    Some(Edge { span: span as u32, dir: marks[span].trailing_zeros() as u8 })
}
