//! Attaches start and goal to the abstract graph: how far away the portals of their area are.
//!
//! Cost: a flood of the area within the tile, and a straight path to each of its portals.
//!
//! Sources: Adi Botea, Martin Müller, Jonathan Schaeffer, "Near Optimal Hierarchical Path-Finding" (HPA*), 2004.

use super::abstract_task::Attached;
use super::area_flood::AreaFlood;
use super::tile_access::{TileAccess, inside_of};
use crate::math::index::TileSlot;
use crate::query::PolyPoint;

/// Attaches a position on a tile that is in memory. `None` if the graph has no part for the tile.
pub(super) fn attach<W: TileAccess + ?Sized>(
    world: &mut W,
    place: PolyPoint,
    flood: &mut AreaFlood,
) -> Option<Attached> {
    let slot = place.poly.slot().get();
    let poly = place.poly.poly().get();
    let inside = inside_of(world, slot)?;
    let area = inside.areas.of_poly(poly);
    let (part, mesh) = world.graph_tile_and_mesh(slot);
    let data = mesh.tile_in(TileSlot::new(slot))?.data();
    flood.run(data, &inside.areas, (poly, place.point), core::iter::empty());
    let lengths = part?.graph.portals().iter().zip(&inside.polys_of_portal).map(|(portal, polys)| {
        let side = portal.areas.iter().position(|&other| other == area)?;
        flood.length_to(data, (polys[side], portal.middle))
    });
    let lengths = lengths.map(|length| length.unwrap_or(f32::INFINITY)).collect();
    Some(Attached { slot, at: place.point, area, lengths })
}

/// The length of the path, within one area, from the position that was attached last to another one; infinite if that
/// is in another area.
pub(super) fn direct<W: TileAccess + ?Sized>(world: &W, from: &Attached, to: PolyPoint, flood: &mut AreaFlood) -> f32 {
    let there = world.mesh().tile_in(to.poly.slot()).filter(|_| to.poly.slot().get() == from.slot);
    let length = there.and_then(|tile| flood.length_to(tile.data(), (to.poly.poly().get(), to.point)));
    length.unwrap_or(f32::INFINITY)
}
