//! One polygon of a mesh, to be looked at.

use super::{PolyRef, PolyState, Portal, Tile};
use crate::area::{AreaId, PolyFlags};
use glam::Vec3;

/// A polygon that was found by its reference. Borrows the mesh; looking costs nothing.
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

    /// Area type and flags now.
    #[must_use]
    pub fn state(self) -> PolyState {
        self.tile.state(self.poly)
    }

    /// Area type now.
    #[must_use]
    pub fn area(self) -> AreaId {
        self.state().area
    }

    /// Flags now.
    #[must_use]
    pub fn flags(self) -> PolyFlags {
        self.state().flags
    }

    /// Every way out of it over its edges, in the order of its corners.
    pub fn portals(self) -> impl Iterator<Item = Portal> + 'a {
        self.tile.portals(self.poly)
    }
}
