//! A level in memory as a world.

use super::source::touches;
use super::{SourceError, WorldPiece, WorldSource};
use crate::input::{Level, MarkedVolume};
use crate::math::{Aabb, BoxGrid};
use crate::mesh::OffMeshConnection;
use std::borrow::Cow;

/// A level that fits in memory, as a world, for a mesh that may not. The tiles are the same as in a bake of the level.
#[derive(Clone, Debug)]
pub struct LevelSource<'a> {
    level: Level<'a>,
    bounds: Aabb,
    connections: &'a [OffMeshConnection],
    triangles: BoxGrid<Vec<u32>>,
}

/// Side of the smallest cells in which triangles are looked up, metres: at usual sizes, a few tiles wide.
const CELL: f32 = 32.0;

impl<'a> LevelSource<'a> {
    /// A level with off-mesh connections. `bounds`: the part that is baked, if not all of it.
    #[must_use]
    pub fn new(level: impl Into<Level<'a>>, bounds: Option<Aabb>, connections: &'a [OffMeshConnection]) -> Self {
        let level = level.into();
        let bounds = bounds.unwrap_or_else(|| level.bounds());
        let mut triangles: BoxGrid<Vec<u32>> = BoxGrid::new(CELL);
        for triangle in 0..level.mesh.tris().len() {
            triangles.cell_of(&Aabb::around(level.mesh.corners(triangle))).push(triangle as u32);
        }
        Self { level, bounds, connections, triangles }
    }
}

impl WorldSource for LevelSource<'_> {
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn piece(&self, bounds: &Aabb) -> Result<WorldPiece<'_>, SourceError> {
        let mut found: Vec<u32> = self.triangles.under(bounds).flatten().copied().collect();
        found.retain(|&triangle| touches(self.level.mesh.corners(triangle as usize), bounds));
        // In the order of the level.
        found.sort_unstable();
        let corners = found.iter().map(|&i| (self.level.mesh.corners(i as usize), self.level.mesh.areas()[i as usize]));
        let volumes = Cow::Borrowed(self.level.volumes);
        Ok(WorldPiece { terrain: self.level.terrain, volumes, ..WorldPiece::of_triangles(corners, bounds) })
    }

    fn volumes(&self) -> &[MarkedVolume] {
        self.level.volumes
    }

    fn connections(&self) -> &[OffMeshConnection] {
        self.connections
    }
}
