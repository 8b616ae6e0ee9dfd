//! Read access to one polygon of a mesh.

use super::{PolyPortal, PolyRef, PolyState, Tile};
use crate::area::{AreaId, PolyFlags};
use glam::Vec3;

/// A polygon found by its reference. Borrows the mesh and costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct PolyView<'a> {
    tile: &'a Tile,
    poly: u32,
}

impl<'a> PolyView<'a> {
    /// `poly` must be a polygon of `tile`.
    pub(crate) fn new(tile: &'a Tile, poly: u32) -> Self {
        Self { tile, poly }
    }

    /// Its reference.
    #[must_use]
    pub fn reference(self) -> PolyRef {
        self.tile.reference(self.poly)
    }

    /// Its tile.
    #[must_use]
    pub fn tile(self) -> &'a Tile {
        self.tile
    }

    /// Its index in the tile.
    #[must_use]
    pub fn index(self) -> u32 {
        self.poly
    }

    /// Its corners, in order; normals point up.
    pub fn points(self) -> impl ExactSizeIterator<Item = Vec3> + DoubleEndedIterator + Clone + 'a {
        self.tile.geometry.data.points_of(self.poly)
    }

    /// The mean of its corners.
    #[must_use]
    pub fn center(self) -> Vec3 {
        self.tile.geometry.data.center_of(self.poly)
    }

    /// Current area type and flags.
    #[must_use]
    pub fn state(self) -> PolyState {
        self.tile.state(self.poly)
    }

    /// Current area type.
    #[must_use]
    pub fn area(self) -> AreaId {
        self.state().area
    }

    /// Current flags.
    #[must_use]
    pub fn flags(self) -> PolyFlags {
        self.state().flags
    }

    /// Every portal out of the polygon over its edges, in the order of its corners.
    pub fn portals(self) -> impl Iterator<Item = PolyPortal> + 'a {
        self.tile.portals(self.poly)
    }
}
