//! Where a corridor leaves the tiles in which it is searched.
//!
//! ```text
//!        |  p1  |       |        The straight path from the agent to the goal, through all portals that are still to
//!     S--|--..  |   __--|--G     be crossed. The search within the tiles leads to where it crosses the border of the
//!        |    ``|-''    |        last tile.
//! ```
//!
//! Cost: linear in the portals, and in the links over the border.
//!
//! Sources: Mikko Mononen, "Sketch for Hierarchical Pathfinding Using Detour", Digesting Duck, March 2010.

use super::abstract_search::AbstractStep;
use super::tile_access::{TileAccess, inside_of};
use crate::math::funnel::{Corner, Portal, string_pull_by};
use crate::math::index::TileSlot;
use crate::math::segment;
use crate::query::{PolyPoint, QueryFilter};
use glam::Vec3;

/// The position at which the straight path from `start` to `end` through all steps crosses step `at`.
pub(super) fn crossing(
    (start, end): (Vec3, Vec3),
    steps: &[AbstractStep],
    at: usize,
    corners: &mut Vec<Corner>,
) -> Vec3 {
    let portal = |i: usize| Portal { left: steps[i].ends[0], right: steps[i].ends[1] };
    string_pull_by(start, end, steps.len(), portal, corners);
    let [left, right] = steps[at].ends;
    let after = corners.iter().skip(1).position(|corner| corner.portal as usize >= at);
    let Some(after) = after.map(|before| before + 1) else { return (left + right) * 0.5 };
    let corner = corners[after];
    if corner.portal as usize == at {
        return corner.point;
    }
    let line = segment::line_crossing(corners[after - 1].point, corner.point, left, right);
    let along = line.map_or(0.5, |(_, along)| along.clamp(0.0, 1.0) as f32);
    segment::at(left, right, along)
}

/// The position just beyond the border, on a polygon of the next tile, at which the corridor ends: of all links between
/// the two portals, the point nearest to `wanted`. `None` if no link connects the portals.
pub(super) fn arrival<W: TileAccess + ?Sized, F: QueryFilter + ?Sized>(
    world: &mut W,
    [from, to]: [&AbstractStep; 2],
    wanted: Vec3,
    filter: &F,
) -> Option<PolyPoint> {
    if let Some(connection) = to.connection {
        let connection = world.mesh().connection(connection).ok()?;
        let passages = [0, 1].into_iter().filter_map(|end| connection.passage(end));
        let here = passages.filter(|[entrance, _]| entrance.poly.slot().get() == from.node.slot);
        // Both ends may be on the same tile.
        let [_, exit] = here.min_by(|a, b| a[0].point.distance(wanted).total_cmp(&b[0].point.distance(wanted)))?;
        return Some(exit);
    }
    let here = inside_of(world, from.node.slot)?;
    let there = inside_of(world, to.node.slot)?;
    let mesh = world.mesh();
    let tile = mesh.tile_in(TileSlot::new(from.node.slot))?;
    let borders = (0..).zip(&here.portal_of_border).filter(|(_, portal)| **portal == from.node.portal);
    let mut best: Option<(f32, PolyPoint)> = None;
    for link in borders.flat_map(|(border, _)| tile.links().of_border(border)) {
        if link.to.slot().get() != to.node.slot || there.portal_of(link.there) != to.node.portal {
            continue;
        }
        let point = segment::closest_point(wanted, link.a, link.b);
        let distance = point.distance_squared(wanted);
        let is_open = || mesh.state(link.to).is_ok_and(|state| filter.passes(link.to, state));
        if best.is_none_or(|(least, _)| distance < least) && is_open() {
            best = Some((distance, PolyPoint { poly: link.to, point }));
        }
    }
    best.map(|(_, place)| place)
}
