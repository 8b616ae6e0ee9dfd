//! Observes what a search does.
//!
//! ```text
//!   began ──> opened 0 ──> closed 0 ──> opened 1 (parent 0) ──> opened 2 (parent 0) ──> closed 2 ──> improved 1 …
//! ```
//!
//! Cost: none without an observer: searches are compiled for their observer, and that of `()` does nothing.
//!
//! Sources: the events are those of the visitors of graph libraries (Boost Graph Library, Siek, Lee, Lumsdaine, 2002).

use glam::Vec3;

/// A node of a search, as an observer sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchNode<K> {
    /// Its number among the nodes of this search, in the order of discovery, from 0.
    pub number: u32,
    /// The node from which it is entered on the cheapest path so far; `None` for that of the start.
    pub parent: Option<u32>,
    /// What it represents: in searches on a mesh, the polygon or off-mesh connection that is entered. One polygon may
    /// have several nodes.
    pub of: K,
    /// Where it is entered. In an optimal search: the middle of the portal.
    pub at: Vec3,
    /// Cost from the start to here, on the cheapest path so far. In searches without costs, the quantity that orders
    /// them: distance or squared distance from the given position, or the number of portals in between. In an optimal
    /// search, the horizontal length in metres up to the last corner.
    pub cost: f32,
    /// That plus the estimate of the rest: nodes are expanded in this order.
    pub total: f32,
}

/// What a node of a search in any direction sees: the ground between its root, where the path bends, and the part of a
/// portal that is seen from there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SightCone {
    /// Where the path to the node bends last, or begins. As high as the portal.
    pub root: Vec3,
    /// The left end of what is seen of the portal.
    pub left: Vec3,
    /// The right end.
    pub right: Vec3,
}

/// Looks at what searches do. Give one to a scratch,
/// [`SearchScratch::observed_by`](crate::query::SearchScratch::observed_by), or to a session,
/// [`NavQuery::observed_by`](crate::query::NavQuery::observed_by); every search that uses it then reports its nodes.
/// `K` is what nodes represent: [`PolyRef`](crate::mesh::PolyRef) in searches on a mesh.
///
/// A query may run several searches, or none: whether a goal can be reached is often decided without one, and an
/// optimal search is not begun if the straight line is free. A search over polygons that does not reach its goal may
/// expand nodes a second time, to look into dead ends for the position nearest to it.
pub trait SearchObserver<K> {
    /// A search begins. Its nodes are numbered from 0.
    fn began(&mut self) {}

    /// A node was found.
    fn opened(&mut self, node: &SearchNode<K>) {
        let _ = node;
    }

    /// What a node sees that was just opened; of searches in any direction alone, and not where its root lies in the
    /// polygon.
    fn saw(&mut self, number: u32, cone: &SightCone) {
        let _ = (number, cone);
    }

    /// A cheaper path to an open node was found: it has another parent.
    fn improved(&mut self, node: &SearchNode<K>) {
        let _ = node;
    }

    /// A node is about to be expanded.
    fn closed(&mut self, number: u32) {
        let _ = number;
    }

    /// Whether it observes at all. If not, what only it would see is not computed.
    #[inline]
    fn is_watching(&self) -> bool {
        true
    }
}

/// No observer.
impl<K> SearchObserver<K> for () {
    #[inline]
    fn is_watching(&self) -> bool {
        false
    }
}

impl<K, O: SearchObserver<K> + ?Sized> SearchObserver<K> for &mut O {
    fn began(&mut self) {
        (**self).began();
    }

    fn opened(&mut self, node: &SearchNode<K>) {
        (**self).opened(node);
    }

    fn saw(&mut self, number: u32, cone: &SightCone) {
        (**self).saw(number, cone);
    }

    fn improved(&mut self, node: &SearchNode<K>) {
        (**self).improved(node);
    }

    fn closed(&mut self, number: u32) {
        (**self).closed(number);
    }

    fn is_watching(&self) -> bool {
        (**self).is_watching()
    }
}
