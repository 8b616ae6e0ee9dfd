//! The level: all geometry that a bake is made from.

use super::{HeightMap, MarkedVolume, TriMesh};
use crate::math::Aabb;

/// The input of a bake: triangles, terrain and marked volumes. A triangle mesh or a height map alone converts with
/// `into()`, so a function that takes a level also takes `&mesh`.
///
/// ```
/// use wayfare::area::AreaId;
/// use wayfare::bake::bake_tiles;
/// use wayfare::context::Context;
/// use wayfare::input::{BakeSettings, Level, MarkedVolume, TriMesh, Volume};
///
/// // A floor of ten by ten metres, with a pond in the middle.
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [10.0, 0.0, 10.0], [10.0, 0.0, 0.0]].map(Into::into);
/// let floor = TriMesh::new(corners.to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let pond = Volume::Cylinder { base: [5.0, -1.0, 5.0].into(), radius: 2.0, height: 2.0 };
/// let volumes = [MarkedVolume::paint(pond, AreaId::new(1)?)];
///
/// let level = Level { volumes: &volumes, ..Level::from(&floor) };
/// let (baked, _) = bake_tiles(level, &BakeSettings::default(), &Context::default())?;
/// assert!(baked.tiles[0].polys().iter().any(|poly| poly.area.get() == 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Level<'a> {
    /// The triangles; [`TriMesh::EMPTY`] if there are none.
    pub mesh: &'a TriMesh,
    /// Terrain in addition to the triangles.
    pub terrain: Option<&'a HeightMap>,
    /// Volumes that change the area type of the surfaces inside them, in the order in which they are marked.
    pub volumes: &'a [MarkedVolume],
}

impl Level<'_> {
    /// The box around all triangles and terrain. Volumes do not count, since they add no surface.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.terrain.map_or(Aabb::EMPTY, HeightMap::bounds).union(self.mesh.bounds())
    }
}

impl<'a> From<&'a TriMesh> for Level<'a> {
    fn from(mesh: &'a TriMesh) -> Self {
        Self { mesh, terrain: None, volumes: &[] }
    }
}

impl<'a> From<&'a HeightMap> for Level<'a> {
    fn from(terrain: &'a HeightMap) -> Self {
        Self { mesh: &NO_TRIANGLES, terrain: Some(terrain), volumes: &[] }
    }
}

static NO_TRIANGLES: TriMesh = TriMesh::EMPTY;
