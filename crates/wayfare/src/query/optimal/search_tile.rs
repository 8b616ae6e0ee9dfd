//! What an optimal search reads of the mesh: the tiles it has touched, the places where a path may bend, and what the
//! filter closes.

use super::memory::{Page, Via};
use crate::mesh::{NavMesh, PolyRef, PolyState, Tile};
use crate::query::{Crossing, QueryFilter};
use crate::tile::{SightCorner, SightGraph};
use glam::Vec2;

/// A place to begin or to end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) slot: u32,
    pub(super) poly: u32,
    pub(super) at: Vec2,
}

/// What a filter closes.
pub(super) struct Barrier<'s, 'm, F: ?Sized> {
    mesh: &'m NavMesh,
    pub(super) filter: &'s F,
    /// Whether a polygon that passes may still have an infinite cost.
    by_cost: bool,
}

impl<'s, 'm, F: QueryFilter + ?Sized> Barrier<'s, 'm, F> {
    pub(super) fn of(mesh: &'m NavMesh, filter: &'s F) -> Self {
        Self { mesh, filter, by_cost: filter.most_cost() == f32::INFINITY }
    }

    /// Whether the filter lets agents pass, at a finite cost.
    #[inline]
    pub(super) fn passes(&self, poly: PolyRef, state: PolyState) -> bool {
        self.filter.passes(poly, state)
            && (!self.by_cost || self.filter.cost(&Crossing::metre(self.mesh, poly, state)) < f32::INFINITY)
    }
}

/// A touched tile.
#[derive(Clone, Copy)]
pub(super) struct SearchTile<'m> {
    pub(super) tile: &'m Tile,
    pub(super) sight: &'m SightGraph,
    pub(super) corners: &'m [SightCorner],
    pub(super) page: Page,
    pub(super) page_index: u32,
}

/// A place around which a path may bend.
#[derive(Clone, Copy)]
pub(super) struct Bend {
    pub(super) at: Vec2,
    pub(super) key: u32,
    /// The corner at the place; at an end of a link within an edge the one at which that edge begins.
    pub(super) corner: u32,
    /// Whether the place lies within an edge, at the end of a link.
    pub(super) is_within_edge: bool,
}

/// An exit of a polygon: from `a` on the left to `b` on the right.
pub(super) struct Exit {
    pub(super) a: Bend,
    pub(super) b: Bend,
    pub(super) entry: u32,
    pub(super) page: u32,
    pub(super) via: Via,
}
