//! The cost of a metre in each area of a tile, computed once per search for each tile that it reaches.
//!
//! Cost: one call of the filter for each area of a tile; then two loads per look-up.
//!
//! Sources: none needed.

use super::graph_tile::{GraphTile, poly_of};
use crate::mesh::{NavMesh, PolyRef, PolyState};
use crate::query::{Crossing, QueryFilter};
use glam::Vec3;

#[derive(Clone, Copy, Debug, Default)]
struct CostPage {
    stamp: u32,
    /// Where the costs of the tile's areas begin.
    first: u32,
}

/// Costs of a metre, by tile and area; infinite where an area is closed.
#[derive(Clone, Debug, Default)]
pub(super) struct AreaCosts {
    /// By slot.
    pages: Vec<CostPage>,
    costs: Vec<f32>,
    stamp: u32,
}

impl AreaCosts {
    /// Clears all costs, for a search with another filter or on a changed mesh, which has `slots` slots.
    pub(super) fn begin(&mut self, slots: u32) {
        self.costs.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.pages.fill(CostPage::default());
            self.stamp = 1;
        }
        if self.pages.len() < slots as usize {
            self.pages.resize(slots as usize, CostPage::default());
        }
    }

    /// The costs of a tile's areas, by index.
    pub(super) fn of<F: QueryFilter + ?Sized>(&mut self, tile: &GraphTile, mesh: &NavMesh, filter: &F) -> &[f32] {
        let areas = tile.graph.areas().len();
        let Some(page) = self.pages.get_mut(tile.tile.slot().index()) else { return &[] };
        if page.stamp != self.stamp {
            *page = CostPage { stamp: self.stamp, first: self.costs.len() as u32 };
            self.costs.extend((0..areas).map(|area| area_cost(mesh, tile, area as u32, filter)));
        }
        let first = page.first as usize;
        self.costs.get(first..first + areas).unwrap_or_default()
    }
}

/// The cost of one of a tile's areas; infinite for none.
#[inline]
pub(super) fn cost_in(costs: &[f32], area: u32) -> f32 {
    costs.get(area as usize).copied().unwrap_or(f32::INFINITY)
}

/// The cost of a metre in an area; infinite if it is closed. A filter that depends on more than area types and flags
/// may close only a part of an area: for such filters every area counts as open, at the least cost.
pub(super) fn area_cost<F: QueryFilter + ?Sized>(mesh: &NavMesh, tile: &GraphTile, area: u32, filter: &F) -> f32 {
    if !filter.is_by_state() {
        return filter.least_cost().max(0.0);
    }
    let Some(area) = tile.graph.areas().get(area as usize) else { return f32::INFINITY };
    let Some(poly) = poly_of(tile.tile, area.poly) else { return f32::INFINITY };
    state_cost(mesh, (poly, area.state), filter)
}

/// The cost of a metre on polygons or connections with a state; `poly` is any one of them.
pub(super) fn state_cost<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    (poly, state): (PolyRef, PolyState),
    filter: &F,
) -> f32 {
    if !filter.passes(poly, state) {
        return f32::INFINITY;
    }
    filter.cost(&Crossing::metre(mesh, poly, state)).max(0.0)
}

/// The cost of crossing an off-mesh connection between two positions; infinite if it is closed.
pub(super) fn connection_cost<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    connection: PolyRef,
    ends: [Vec3; 2],
    filter: &F,
) -> f32 {
    let Ok(state) = mesh.state(connection) else { return f32::INFINITY };
    if !filter.passes(connection, state) {
        return f32::INFINITY;
    }
    filter.cost(&Crossing::over(mesh, connection, state, ends)).max(0.0)
}
