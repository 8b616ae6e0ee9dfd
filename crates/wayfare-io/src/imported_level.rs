//! A level as its files describe it, ready to be baked.

use crate::gset::GsetSettings;
use crate::origin::Origins;
use crate::soup::TriangleSoup;
use wayfare::input::{HeightMap, Level, MarkedVolume, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;

/// A level that was read: its geometry, and everything else in its files.
#[derive(Clone, Debug)]
pub struct ImportedLevel {
    /// Its triangles, with area types.
    pub mesh: TriMesh,
    /// Its terrain, if it is given by heights.
    pub terrain: Option<HeightMap>,
    /// Volumes that change the area types inside them, in the order in which they are marked.
    pub volumes: Vec<MarkedVolume>,
    /// Off-mesh connections, to be added to the baked mesh.
    pub connections: Vec<OffMeshConnection>,
    /// The bake settings in its files.
    pub settings: Option<GsetSettings>,
    /// The bounds of the bake in its files.
    pub bounds: Option<Aabb>,
    /// The files and objects of its triangles.
    pub origins: Origins,
    /// How much there was before anything was left out.
    pub size: LevelSize,
    /// A description of a corner that lies far from all others, if there is one: it may be a mistake that makes the
    /// level far too large.
    pub stray: Option<String>,
    /// What the readers left out or noticed, as text.
    pub remarks: Vec<String>,
}

impl ImportedLevel {
    /// The input for a bake.
    #[must_use]
    pub fn level(&self) -> Level<'_> {
        Level { mesh: &self.mesh, terrain: self.terrain.as_ref(), volumes: &self.volumes }
    }
}

/// The size of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelSize {
    /// Vertices, including those of a height map.
    pub vertices: usize,
    /// Triangles, including two for each square of a height map.
    pub triangles: usize,
}

impl LevelSize {
    pub(crate) fn of(soup: &TriangleSoup, terrain: Option<&HeightMap>) -> Self {
        let points = terrain.map_or(0, |map| map.columns() as usize * map.rows() as usize);
        let squares = terrain.map_or(0, |map| (map.columns() as usize - 1) * (map.rows() as usize - 1));
        Self { vertices: soup.verts.len() + points, triangles: soup.tris.len() + 2 * squares }
    }
}
