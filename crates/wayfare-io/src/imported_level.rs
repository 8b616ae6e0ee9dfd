//! A level as its files describe it, ready to be baked.

use crate::gset::GsetSettings;
use crate::origin::Origins;
use crate::soup::TriangleSoup;
use wayfare::input::{HeightMap, InputReport, Level, MarkedVolume, TriMesh};
use wayfare::math::Aabb;
use wayfare::mesh::OffMeshConnection;

/// A level that was read: what is baked, and what its files say besides.
#[derive(Clone, Debug)]
pub struct ImportedLevel {
    /// Its triangles, with area types.
    pub mesh: TriMesh,
    /// Its surface where it is given by heights.
    pub terrain: Option<HeightMap>,
    /// Volumes that change the area types within them, in the order in which they are marked.
    pub volumes: Vec<MarkedVolume>,
    /// Off-mesh connections, to be added to the mesh that is baked.
    pub connections: Vec<OffMeshConnection>,
    /// How its files say that it should be baked.
    pub settings: Option<GsetSettings>,
    /// The box that its files say should be baked.
    pub bounds: Option<Aabb>,
    /// What was wrong with triangles, and left out.
    pub report: InputReport,
    /// Which files and objects the triangles come from.
    pub origins: Origins,
    /// How much there was before anything was left out.
    pub size: LevelSize,
    /// A corner that lies far from all others, in words: it may be a slip that makes the level far too large.
    pub stray: Option<String>,
    /// What the readers left out or noticed, for people.
    pub remarks: Vec<String>,
}

impl ImportedLevel {
    /// What a bake takes.
    #[must_use]
    pub fn level(&self) -> Level<'_> {
        Level { mesh: &self.mesh, terrain: self.terrain.as_ref(), volumes: &self.volumes }
    }
}

/// How much a level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelSize {
    /// Vertices, those of a height map among them.
    pub vertices: usize,
    /// Triangles, two for each square of a height map among them.
    pub triangles: usize,
}

impl LevelSize {
    pub(crate) fn of(soup: &TriangleSoup, terrain: Option<&HeightMap>) -> Self {
        let points = terrain.map_or(0, |map| map.columns() as usize * map.rows() as usize);
        let squares = terrain.map_or(0, |map| (map.columns() as usize - 1) * (map.rows() as usize - 1));
        Self { vertices: soup.verts.len() + points, triangles: soup.tris.len() + 2 * squares }
    }
}
