//! Floods the polygons around a position: shared by moves, wall distance, circles and neighbourhoods.
//!
//! Each polygon is visited once, over portals that the caller chooses to cross and in the caller's order: a search
//! space for the kernel in [`graph`](crate::graph), whose nodes remember from where each was first reached.
//!
//! Cost: linear in the portals of the polygons visited.
//!
//! Sources: breadth- and best-first search; the local searches that share it follow Mikko Mononen, "Finding Local 2D
//! Neighborhood of Navmesh" and "Constrained Movement Along Navmesh pt. 3", Digesting Duck, July 2010.

use super::mesh_nodes::Nodes;
use super::wall_segment::{WallSegment, gaps};
use super::{PolyPoint, QueryFilter};
use crate::context::Budget;
use crate::graph::{self, Course, Fringe, Known, Node, Order, SearchLimits, SearchObserver, SearchSpace};
use crate::mesh::{Link, NavMesh, PolyRef, StaleRef, Tile};
use crate::tile::{OutlineBlock, bits};
use glam::Vec3;

/// Begins a flood at a position.
pub(super) fn begin<Q: Order, O: SearchObserver<PolyRef>>(
    mesh: &NavMesh,
    place: PolyPoint,
    fringe: &mut Fringe<'_, PolyRef, Q, O>,
) -> Result<(), StaleRef> {
    let (tile, index) = mesh.locate(place.poly)?;
    fringe.nodes.begin(mesh.slot_count());
    let entry = fringe.nodes.page(tile).entry_of(index, None);
    fringe.begin(Node::at(entry, place.poly, place.point), 0.0);
    Ok(())
}

/// Floods a space from a position, without limits.
pub(super) fn run<S: SearchSpace<Key = PolyRef>, Q: Order, O: SearchObserver<PolyRef>>(
    (mesh, place): (&NavMesh, PolyPoint),
    space: &mut S,
    (nodes, open, observer): (&mut Nodes, &mut Q, &mut O),
) -> Result<(), StaleRef> {
    let mut course = Course::within(SearchLimits::default());
    let mut fringe = Fringe { nodes, open, observer, course: &mut course };
    begin(mesh, place, &mut fringe)?;
    graph::run(space, &mut fringe, &mut Budget::unlimited());
    Ok(())
}

/// An adjacent polygon, with the portal that leads into it.
#[derive(Clone, Copy)]
pub(super) struct Adjacent<'a> {
    pub(super) tile: &'a Tile,
    pub(super) poly: u32,
    pub(super) to: PolyRef,
    pub(super) a: Vec3,
    pub(super) b: Vec3,
}

impl Adjacent<'_> {
    /// Whether the polygon on the other side passes.
    #[inline]
    pub(super) fn passes<F: QueryFilter + ?Sized>(&self, filter: &F) -> bool {
        filter.passes(self.to, self.tile.state(self.poly))
    }

    /// The entry of the polygon on the other side: floods have one for each polygon, wherever it is entered.
    #[inline]
    pub(super) fn entry(&self, nodes: &mut Nodes) -> u32 {
        nodes.page(self.tile).entry_of(self.poly, None)
    }

    /// The node of the polygon on the other side: on the portal, at its middle if there is an observer.
    #[inline]
    pub(super) fn node<O: SearchObserver<PolyRef>>(&self, entry: u32, observer: &O) -> Node<PolyRef> {
        Node::at(entry, self.to, if observer.is_watching() { (self.a + self.b) * 0.5 } else { self.a })
    }
}

/// Calls `visit` with every portal of a polygon, edge by edge.
#[inline]
pub(super) fn for_each_adjacent<'a>(
    mesh: &'a NavMesh,
    (tile, poly): (&'a Tile, u32),
    mut visit: impl FnMut(Adjacent<'a>),
) {
    let base = tile.reference(0);
    for edge in tile.outline(poly).edges() {
        if let Some(next) = edge.beyond.as_poly() {
            visit(Adjacent { tile, poly: next, to: base.sibling(next), a: edge.start, b: edge.end });
        } else if let Some(border) = edge.beyond.as_border() {
            for link in tile.links().of_border(border) {
                if let Some(beyond) = mesh.tile_in(link.to.slot()) {
                    visit(Adjacent { tile: beyond, poly: link.to.poly().get(), to: link.to, a: link.a, b: link.b });
                }
            }
        }
    }
}

/// Receives the portals and walls of a polygon.
pub(super) trait Visit<'a> {
    /// Whether an interval of an edge is near enough to consider.
    fn is_near(&self, a: Vec3, b: Vec3) -> bool;

    /// Which edges of a block are near enough to consider, as bits.
    fn near_edges(&mut self, block: &OutlineBlock) -> u32;

    /// A wall segment.
    fn wall(&mut self, wall: WallSegment);

    /// A portal into a polygon that passes the filter.
    fn adjacent(&mut self, adjacent: &Adjacent<'a>);
}

/// Calls `visit` with every portal of a polygon into one that passes, and every wall segment around it, edge by edge.
#[inline]
pub(super) fn for_each_edge<'a, F: QueryFilter + ?Sized>(
    mesh: &'a NavMesh,
    (tile, poly): (&'a Tile, u32),
    filter: &F,
    visit: &mut impl Visit<'a>,
) {
    let base = tile.reference(0);
    for block in tile.outline(poly).blocks() {
        for k in bits(visit.near_edges(block)) {
            let edge = block.edge(k);
            let wall = WallSegment { start: edge.start, end: edge.end };
            if let Some(border) = edge.beyond.as_border() {
                across_border(mesh, tile.links().of_border(border), wall, filter, visit);
                continue;
            }
            let inner = edge.beyond.as_poly();
            let inner = inner.map(|poly| Adjacent { tile, poly, to: base.sibling(poly), a: wall.start, b: wall.end });
            match inner.filter(|adjacent| adjacent.passes(filter)) {
                Some(adjacent) => visit.adjacent(&adjacent),
                None => visit.wall(wall),
            }
        }
    }
}

/// The portals and walls along an edge on the tile's border.
fn across_border<'a, F: QueryFilter + ?Sized>(
    mesh: &'a NavMesh,
    links: &[Link],
    edge: WallSegment,
    filter: &F,
    visit: &mut impl Visit<'a>,
) {
    let over = |link: &Link| {
        let tile = mesh.tile_in(link.to.slot())?;
        let adjacent = Adjacent { tile, poly: link.to.poly().get(), to: link.to, a: link.a, b: link.b };
        adjacent.passes(filter).then_some(adjacent)
    };
    // Usually one link covers the whole edge.
    if let [link] = links
        && (link.a, link.b) == (edge.start, edge.end)
    {
        if visit.is_near(edge.start, edge.end) {
            match over(link) {
                Some(adjacent) => visit.adjacent(&adjacent),
                None => visit.wall(edge),
            }
        }
        return;
    }
    let open = links.iter().filter_map(over);
    gaps(edge, &open.clone().map(|adjacent| [adjacent.a, adjacent.b]), &mut |wall| {
        if visit.is_near(wall.start, wall.end) {
            visit.wall(wall);
        }
    });
    for adjacent in open {
        if visit.is_near(adjacent.a, adjacent.b) {
            visit.adjacent(&adjacent);
        }
    }
}

/// What a flood does with the polygons it visits.
pub(super) trait PolyFlood<'a> {
    /// [`Visit::is_near`].
    #[inline]
    fn is_near(&self, _a: Vec3, _b: Vec3) -> bool {
        true
    }

    /// See [`Visit::near_edges`]. A faster implementation must agree with [`is_near`](Self::is_near) for each edge.
    #[inline]
    fn near_edges(&mut self, block: &OutlineBlock) -> u32 {
        let is_near = |&edge: &usize| self.is_near(block.edge(edge).start, block.edge(edge).end);
        bits(block.edges()).filter(is_near).fold(0, |near, edge| near | 1 << edge)
    }

    /// A wall segment of polygon `node`.
    fn wall(&mut self, node: u32, wall: WallSegment);

    /// Whether to cross a portal that is near.
    #[inline]
    fn crosses(&self, _adjacent: &Adjacent<'a>) -> bool {
        true
    }

    /// The priority of the polygon on the other side of a portal, where the order is not first found, first visited.
    /// `from` is the priority of the polygon before.
    #[inline]
    fn cost(&self, _adjacent: &Adjacent<'a>, from: f32) -> f32 {
        from + 1.0
    }
}

/// Passes the polygon of a node to a flood, and opens its unvisited neighbours.
#[inline]
pub(super) fn expand<'a, F: QueryFilter + ?Sized, Q: Order, O: SearchObserver<PolyRef>>(
    (mesh, filter): (&'a NavMesh, &F),
    flood: &mut impl PolyFlood<'a>,
    fringe: &mut Fringe<'_, PolyRef, Q, O>,
    (number, node): (u32, Node<PolyRef>),
) {
    if let Some(tile) = node.tile(mesh) {
        let mut at = AtNode { flood, fringe, number, cost: node.cost };
        for_each_edge(mesh, (tile, node.poly()), filter, &mut at);
    }
}

/// A flood at a polygon.
struct AtNode<'n, 's, V, Q, O> {
    flood: &'n mut V,
    fringe: &'n mut Fringe<'s, PolyRef, Q, O>,
    number: u32,
    cost: f32,
}

impl<'a, V: PolyFlood<'a>, Q: Order, O: SearchObserver<PolyRef>> Visit<'a> for AtNode<'_, '_, V, Q, O> {
    #[inline]
    fn is_near(&self, a: Vec3, b: Vec3) -> bool {
        self.flood.is_near(a, b)
    }

    #[inline]
    fn near_edges(&mut self, block: &OutlineBlock) -> u32 {
        self.flood.near_edges(block)
    }

    #[inline]
    fn wall(&mut self, wall: WallSegment) {
        self.flood.wall(self.number, wall);
    }

    #[inline]
    fn adjacent(&mut self, adjacent: &Adjacent<'a>) {
        if self.flood.crosses(adjacent) {
            let entry = adjacent.entry(self.fringe.nodes);
            if self.fringe.nodes.entries.known(entry) == Known::New {
                let cost = self.flood.cost(adjacent, self.cost);
                self.fringe.open_unlimited(adjacent.node(entry, self.fringe.observer), self.number, cost);
            }
        }
    }
}

/// Appends the polygons from the first to node `last`.
pub(super) fn write_polys(nodes: &Nodes, last: u32, polys: &mut Vec<PolyRef>) {
    let begin = polys.len();
    polys.extend(nodes.trail(last).map(|node| node.of));
    polys[begin..].reverse();
}
