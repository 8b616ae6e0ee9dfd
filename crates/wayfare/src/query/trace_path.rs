//! Writes the path to a node of a search: from each node to the one before, back to the start, and reversed.
//!
//! Cost: one pass over the path, and a look at the edge or link of each portal.
//!
//! Sources: none needed.

use super::mesh_nodes::Nodes;
use super::path::joined;
use super::{PolyPath, portal_between};
use crate::area::PathStatus;
use crate::graph::Node;
use crate::math::funnel::Portal;
use crate::math::index::NONE;
use crate::mesh::{NavMesh, PolyRef, StaleReason, StaleRef};

/// Appends the polygons and portals from the first node to node `last`.
pub(super) fn trace_polys(mesh: &NavMesh, nodes: &Nodes, last: u32, path: &mut PolyPath) {
    for node in nodes.trail(last) {
        path.polys.push(node.of);
        if node.parent != NONE {
            path.portals.push(portal_into(mesh, nodes.get(node.parent), node));
        }
    }
    path.polys.reverse();
    path.portals.reverse();
}

/// Writes the path to a node: polygons, portals and cost; it ends where the node's polygon is entered.
pub(super) fn trace_path_to(mesh: &NavMesh, nodes: &Nodes, node: u32, path: &mut PolyPath) {
    trace_polys(mesh, nodes, node, path);
    (path.cost, path.end) = (nodes.get(node).cost, nodes.get(node).pos);
}

/// Cuts a path before the first polygon that is not in `mesh`, or whose connection has meanwhile been attached to other
/// polygons, and returns the stale reference. The path then ends on the polygon before it, at the last portal, or where
/// it began.
pub(crate) fn cut_where_stale(mesh: &NavMesh, path: &mut PolyPath) -> Option<StaleRef> {
    let (at, stale) = (0..path.polys.len()).find_map(|at| Some((at, stale_at(mesh, &path.polys, at)?)))?;
    // A path cannot end on a connection.
    let ground = path.polys[..at].iter().rposition(|poly| !poly.is_off_mesh());
    let keep = ground.map_or(0, |last| last + 1);
    path.status = if keep == 0 { PathStatus::None } else { PathStatus::Partial };
    let portal = keep.checked_sub(1).and_then(|last| path.portals.get(last));
    path.end = portal.map_or(path.start, Portal::middle);
    path.polys.truncate(keep);
    path.portals.truncate(keep.saturating_sub(1));
    Some(stale)
}

/// The stale reference for a polygon of a path: the polygon itself, or the connection that it is or by which it is
/// entered.
fn stale_at(mesh: &NavMesh, polys: &[PolyRef], at: usize) -> Option<StaleRef> {
    if let Err(stale) = mesh.state(polys[at]) {
        return Some(stale);
    }
    let before = polys[at.checked_sub(1)?];
    let here = polys[at];
    let connection = [here, before].into_iter().find(|poly| poly.is_off_mesh())?;
    let leads_here = portal_between(mesh, before, here).is_ok_and(|portal| portal.is_some());
    (!leads_here).then_some(StaleRef { reference: connection, reason: StaleReason::Relinked })
}

/// The portal by which `node` was entered from `before`; a single point at the ends of connections.
fn portal_into(mesh: &NavMesh, before: &Node<PolyRef>, node: &Node<PolyRef>) -> Portal {
    let point = Portal::point(node.pos);
    if node.slot() == PolyRef::OFF_MESH_SLOT || before.slot() == PolyRef::OFF_MESH_SLOT {
        // The node's own position may be from an earlier entry: ask the connection.
        let entered = node.via().end() as usize;
        let (of, end) = if node.slot() == PolyRef::OFF_MESH_SLOT { (node, entered) } else { (before, entered ^ 1) };
        let place = mesh.connection_by_index(of.poly()).and_then(|connection| *connection.ends().get(end)?);
        return place.map_or(point, |place| Portal::point(place.point));
    }
    let Some(tile) = before.tile(mesh) else { return point };
    let [left, right] = match node.via().as_link() {
        Ok(link) => {
            let link = &tile.links().all()[link];
            joined(tile, before.poly(), link.to, [link.a, link.b])
        }
        Err(number) => match tile.outline(before.poly()).edge(number) {
            Some(edge) => [edge.start, edge.end],
            None => return point,
        },
    };
    Portal { left, right }
}
