//! A flood over the polygons around a place: what move, wall distance, circles and neighbourhoods share.
//!
//! Polygons are visited once each, over portals that the caller finds worth crossing. Each remembers from where it was
//! first reached, so the way back can be told. [`Nodes`](super::scratch) do the bookkeeping; nodes that are known are
//! not visited again.
//!
//! Cost: linear in the portals of the polygons visited.
//!
//! Sources: breadth- and best-first search; the local searches that share it follow Mikko Mononen, "Finding Local 2D
//! Neighborhood of Navmesh" and "Constrained Movement Along Navmesh pt. 3", Digesting Duck, July 2010.

use super::scratch::{Nodes, Via};
use super::wall_segment::{WallSegment, gaps};
use super::{QueryFilter, SearchScratch};
use crate::math::index::NONE;
use crate::mesh::{Link, NavMesh, PolyRef, StaleRef, Tile};
use crate::tile::{OutlineBlock, bits};
use glam::Vec3;

/// Begins a flood at a polygon: forgets earlier nodes and adds the first.
pub(super) fn begin(mesh: &NavMesh, poly: PolyRef, pos: Vec3, scratch: &mut SearchScratch) -> Result<u32, StaleRef> {
    let (tile, index) = mesh.locate(poly)?;
    scratch.nodes.begin(mesh);
    scratch.open.clear();
    let page = scratch.nodes.page(tile);
    Ok(scratch.nodes.add(page.entry(index, None), poly, pos))
}

/// The tile of a node.
#[inline]
pub(super) fn tile_of<'a>(mesh: &'a NavMesh, nodes: &Nodes, index: u32) -> Option<&'a Tile> {
    nodes.get(index).tile(mesh)
}

/// The polygon beyond a portal, with what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Beyond {
    to: PolyRef,
    entry: u32,
    pub(super) known: Option<u32>,
}

impl Beyond {
    /// What is known of the polygon beyond a way.
    #[inline]
    pub(super) fn of(way: &Way<'_>, nodes: &mut Nodes) -> Self {
        let entry = nodes.page(way.tile).entry(way.poly, None);
        Self { to: way.to, entry, known: nodes.find(entry) }
    }
}

/// A way over an edge into another polygon: the part of the edge that leads there.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    pub(super) tile: &'a Tile,
    pub(super) poly: u32,
    pub(super) to: PolyRef,
    pub(super) a: Vec3,
    pub(super) b: Vec3,
}

impl Way<'_> {
    /// Whether the polygon beyond passes.
    #[inline]
    pub(super) fn passes<F: QueryFilter + ?Sized>(&self, filter: &F) -> bool {
        filter.passes(self.to, self.tile.state(self.poly))
    }
}

/// Calls `visit` with every way out of a polygon, edge by edge.
#[inline]
pub(super) fn for_each_way<'a>(mesh: &'a NavMesh, (tile, poly): (&'a Tile, u32), mut visit: impl FnMut(Way<'a>)) {
    let base = tile.reference(0);
    for edge in tile.outline(poly).edges() {
        if let Some(next) = edge.beyond.as_poly() {
            visit(Way { tile, poly: next, to: base.sibling(next), a: edge.start, b: edge.end });
        } else if let Some(border) = edge.beyond.as_border() {
            for link in tile.links().of_border(border) {
                if let Some(beyond) = mesh.tile_in(link.to.slot()) {
                    visit(Way { tile: beyond, poly: link.to.poly().get(), to: link.to, a: link.a, b: link.b });
                }
            }
        }
    }
}

/// What is done with the ways out of a polygon and the walls around it.
pub(super) trait Visit<'a> {
    /// Whether a stretch of an edge is near enough to be looked at.
    #[inline]
    fn is_near(&self, _a: Vec3, _b: Vec3) -> bool {
        true
    }

    /// Which edges of a block are near enough to be looked at, as bits. Whoever tells that faster than
    /// [`is_near`](Self::is_near) of each must tell the same.
    #[inline]
    fn near_edges(&mut self, block: &OutlineBlock) -> u32 {
        let is_near = |&edge: &usize| self.is_near(block.edge(edge).start, block.edge(edge).end);
        bits(block.edges()).filter(is_near).fold(0, |near, edge| near | 1 << edge)
    }

    /// A stretch of wall.
    fn wall(&mut self, wall: WallSegment);

    /// A way into a polygon that passes the filter.
    fn way(&mut self, way: &Way<'a>);
}

/// Shows `visit` every way out of a polygon into one that passes and every stretch of wall around it, edge by edge.
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
            let inner = inner.map(|poly| Way { tile, poly, to: base.sibling(poly), a: wall.start, b: wall.end });
            match inner.filter(|way| way.passes(filter)) {
                Some(way) => visit.way(&way),
                None => visit.wall(wall),
            }
        }
    }
}

/// The ways and walls along an edge on the tile's border.
fn across_border<'a, F: QueryFilter + ?Sized>(
    mesh: &'a NavMesh,
    links: &[Link],
    edge: WallSegment,
    filter: &F,
    visit: &mut impl Visit<'a>,
) {
    let way_over = |link: &Link| {
        let tile = mesh.tile_in(link.to.slot())?;
        let way = Way { tile, poly: link.to.poly().get(), to: link.to, a: link.a, b: link.b };
        way.passes(filter).then_some(way)
    };
    // Mostly one link leads over the whole edge.
    if let [link] = links
        && (link.a, link.b) == (edge.start, edge.end)
    {
        if visit.is_near(edge.start, edge.end) {
            match way_over(link) {
                Some(way) => visit.way(&way),
                None => visit.wall(edge),
            }
        }
        return;
    }
    let open = links.iter().filter_map(way_over);
    gaps(edge, &open.clone().map(|way| [way.a, way.b]), &mut |wall| {
        if visit.is_near(wall.start, wall.end) {
            visit.wall(wall);
        }
    });
    for way in open {
        if visit.is_near(way.a, way.b) {
            visit.way(&way);
        }
    }
}

/// Adds the polygon beyond a portal.
#[inline]
pub(super) fn add(nodes: &mut Nodes, beyond: &Beyond, parent: u32, pos: Vec3, cost: f32) -> u32 {
    let index = nodes.add(beyond.entry, beyond.to, pos);
    let node = nodes.get_mut(index);
    (node.parent, node.via, node.cost, node.total) = (parent, Via::START, cost, cost);
    index
}

/// Appends the polygons from the first to node `last`.
pub(super) fn write_polys(nodes: &Nodes, last: u32, polys: &mut Vec<PolyRef>) {
    let begin = polys.len();
    let mut index = last;
    while index != NONE {
        polys.push(nodes.get(index).of);
        index = nodes.get(index).parent;
    }
    polys[begin..].reverse();
}
