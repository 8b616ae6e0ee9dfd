//! A flood over the polygons around a place: what move, wall distance, circles and neighbourhoods share.
//!
//! Polygons are visited once each, over portals that the caller finds worth crossing. Each remembers from where it was first reached, so the
//! way back can be told. [`Nodes`](super::scratch) do the bookkeeping; nodes that are known are not visited again.
//!
//! Cost: linear in the portals of the polygons visited.
//!
//! Sources: breadth- and best-first search; the local searches that share it are Mikko Mononen's, Digesting Duck, July 2010.

use super::scratch::{Nodes, Via};
use super::walls::{WallSegment, gaps};
use super::{QueryFilter, SearchScratch};
use crate::math::index::NONE;
use crate::math::index::TileSlot;
use crate::mesh::{NavMesh, PolyRef, Portal, StaleRef, Tile};
use glam::Vec3;

/// Begins a flood at a polygon: forgets earlier nodes and adds the first.
pub(super) fn begin(mesh: &NavMesh, poly: PolyRef, pos: Vec3, scratch: &mut SearchScratch) -> Result<u32, StaleRef> {
    let (tile, index) = mesh.locate(poly)?;
    scratch.nodes.begin(mesh);
    scratch.open.clear();
    let page = scratch.nodes.page(tile);
    Ok(scratch.nodes.add(page.entry(index, None), page.slot, index, pos))
}

/// The tile of a node.
#[inline]
pub(super) fn tile_of<'a>(mesh: &'a NavMesh, nodes: &Nodes, index: u32) -> Option<&'a Tile> {
    mesh.tile(TileSlot::new(nodes.get(index).slot))
}

/// The polygon beyond a portal, with what is known of it.
#[derive(Clone, Copy)]
pub(super) struct Beyond<'a> {
    pub(super) tile: &'a Tile,
    pub(super) poly: u32,
    pub(super) entry: u32,
    pub(super) known: Option<u32>,
}

/// Looks beyond a portal; `None` if what is there does not pass the filter.
#[inline]
pub(super) fn look<'a, F: QueryFilter + ?Sized>(
    mesh: &'a NavMesh,
    portal: &Portal,
    filter: &F,
    nodes: &mut Nodes,
) -> Option<Beyond<'a>> {
    let (tile, poly) = (mesh.tile(portal.to.slot())?, portal.to.poly().get());
    if !filter.passes(portal.to, tile.state(poly)) {
        return None;
    }
    let entry = nodes.page(tile).entry(poly, None);
    Some(Beyond { tile, poly, entry, known: nodes.find(entry) })
}

/// Calls `visit` with every way out of a polygon and every stretch of wall around it, edge by edge.
#[inline]
pub(super) fn for_each_edge<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    (tile, poly): (&Tile, u32),
    filter: &F,
    mut visit: impl FnMut(Around),
) {
    let (data, graph, base) = (tile.data(), tile.graph(), tile.reference(0));
    let range = data.corner_range(poly);
    let (corners, neighbours) = (&data.corners[range.clone()], &data.neighbours[range.clone()]);
    let mut half_edge = graph.range_of(poly).start;
    let Some(&first) = corners.first() else { return };
    let mut a = data.verts[first as usize];
    for (k, neighbour) in neighbours.iter().enumerate() {
        let b = data.verts[corners[if k + 1 == corners.len() { 0 } else { k + 1 }] as usize];
        let from = core::mem::replace(&mut a, b);
        if neighbour.is_wall() {
            visit(Around::Wall(WallSegment { start: from, end: b }));
            continue;
        }
        let edge = &graph.edges()[half_edge];
        half_edge += 1;
        let Some(border) = edge.as_border() else {
            if filter.passes(base.sibling(edge.next), tile.state(edge.next)) {
                let corner = (range.start + k) as u32;
                visit(Around::Way(Portal { to: base.sibling(edge.next), edge: corner, a: from, b }));
            } else {
                visit(Around::Wall(WallSegment { start: from, end: b }));
            }
            continue;
        };
        let links = tile.links().of_border(border);
        let open = links.iter().filter(|link| mesh.state(link.to).is_ok_and(|state| filter.passes(link.to, state)));
        gaps(WallSegment { start: from, end: b }, &open.clone().map(|l| [l.a, l.b]), &mut |wall| {
            visit(Around::Wall(wall));
        });
        for link in open {
            visit(Around::Way(Portal { to: link.to, edge: link.edge, a: link.a, b: link.b }));
        }
    }
}

/// What lies along an edge.
pub(super) enum Around {
    /// A stretch of wall.
    Wall(WallSegment),
    /// A way into a polygon that passes the filter.
    Way(Portal),
}

/// Looks at the polygon beyond a portal that is known to pass the filter.
#[inline]
pub(super) fn reach<'a>(mesh: &'a NavMesh, to: PolyRef, nodes: &mut Nodes) -> Option<Beyond<'a>> {
    let (tile, poly) = (mesh.tile(to.slot())?, to.poly().get());
    let entry = nodes.page(tile).entry(poly, None);
    Some(Beyond { tile, poly, entry, known: nodes.find(entry) })
}

/// Adds the polygon beyond a portal.
#[inline]
pub(super) fn add(nodes: &mut Nodes, beyond: &Beyond<'_>, parent: u32, pos: Vec3, cost: f32) -> u32 {
    let index = nodes.add(beyond.entry, beyond.tile.slot().get(), beyond.poly, pos);
    let node = nodes.get_mut(index);
    (node.parent, node.via, node.cost, node.total) = (parent, Via::START, cost, cost);
    index
}

/// Appends the polygons from the first to node `last`.
pub(super) fn write_polys(mesh: &NavMesh, nodes: &Nodes, last: u32, polys: &mut Vec<PolyRef>) {
    let begin = polys.len();
    let mut index = last;
    while index != NONE {
        let Some(tile) = tile_of(mesh, nodes, index) else { break };
        polys.push(tile.reference(nodes.get(index).poly));
        index = nodes.get(index).parent;
    }
    polys[begin..].reverse();
}
