//! The input of a world's bake, queried box by box.

use super::SourceError;
use crate::area::AreaId;
use crate::input::{HeightMap, Level, MarkedVolume, TriMesh};
use crate::math::Aabb;
use crate::mesh::OffMeshConnection;
use glam::Vec3;
use std::borrow::Cow;

/// A world that returns what lies in a box. It need not keep anything in memory: a generator creates what is requested.
///
/// ```
/// use wayfare::Vec3;
/// use wayfare::area::AreaId;
/// use wayfare::format::{MemoryStore, WorldStore};
/// use wayfare::context::{Budget, Context};
/// use wayfare::math::Aabb;
/// use wayfare::world::{SourceError, WorldBake, WorldPiece, WorldSettings, WorldSource};
///
/// /// Plains of 64 by 64 metres, made of squares of 8.
/// struct Plains;
///
/// impl WorldSource for Plains {
///     fn bounds(&self) -> Aabb {
///         Aabb { min: Vec3::ZERO, max: Vec3::new(64.0, 1.0, 64.0) }
///     }
///
///     fn piece(&self, bounds: &Aabb) -> Result<WorldPiece<'_>, SourceError> {
///         // Row by row, whichever box is asked: so a triangle comes before another in every answer or in none.
///         let squares = (0..64).map(|i| Vec3::new((i % 8) as f32, 0.0, (i / 8) as f32) * 8.0);
///         let triangles = squares.flat_map(|a| {
///             let [b, c, d] = [[0.0, 8.0], [8.0, 8.0], [8.0, 0.0]].map(|[x, z]| a + Vec3::new(x, 0.0, z));
///             [([a, b, c], AreaId::WALKABLE), ([a, c, d], AreaId::WALKABLE)]
///         });
///         Ok(WorldPiece::of_triangles(triangles, bounds))
///     }
/// }
///
/// let settings = WorldSettings::default();
/// let mut bake = WorldBake::new(&Plains, &settings)?;
/// let mut store = MemoryStore::new(bake.head().clone());
/// while !bake.step(Budget::unlimited(), &mut store, &Context::default())?.is_finished() {}
/// assert_eq!(store.index().tile_count(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WorldSource: Sync {
    /// The box around the whole world. Nothing outside it is baked; tiles are counted from its low corner.
    fn bounds(&self) -> Aabb;

    /// Everything that touches a box as seen from above, at any height. Returning more only costs time.
    ///
    /// The answer for a place must not depend on the box: always the same triangles, to the bit, in the same order
    /// among each other. The same holds for volumes.
    ///
    /// # Errors
    /// [`SourceError`] if it cannot be read or created.
    fn piece(&self, bounds: &Aabb) -> Result<WorldPiece<'_>, SourceError>;

    /// Volumes of the whole world, as far as they are known: those that lie outside its bounds are reported. The tiles
    /// are baked with those of their [pieces](Self::piece).
    fn volumes(&self) -> &[MarkedVolume] {
        &[]
    }

    /// Off-mesh connections of the whole world.
    fn connections(&self) -> &[OffMeshConnection] {
        &[]
    }
}

/// What lies in a box of a world.
#[derive(Clone, Debug)]
pub struct WorldPiece<'a> {
    /// Triangles.
    pub mesh: TriMesh,
    /// Terrain in addition to them.
    pub terrain: Option<&'a HeightMap>,
    /// Volumes that change area types.
    pub volumes: Cow<'a, [MarkedVolume]>,
}

impl WorldPiece<'_> {
    /// Nothing.
    pub const EMPTY: Self = Self { mesh: TriMesh::EMPTY, terrain: None, volumes: Cow::Borrowed(&[]) };

    /// The triangles among these that touch a box as seen from above. Degenerate ones are left out, as
    /// [`TriMesh::new`] does.
    #[must_use]
    pub fn of_triangles(triangles: impl IntoIterator<Item = ([Vec3; 3], AreaId)>, bounds: &Aabb) -> Self {
        let mesh = TriMesh::of_triangles(triangles.into_iter().filter(|(corners, _)| touches(*corners, bounds)));
        Self { mesh, ..Self::EMPTY }
    }

    /// The same as a level to bake.
    #[must_use]
    pub fn level(&self) -> Level<'_> {
        Level { mesh: &self.mesh, terrain: self.terrain, volumes: &self.volumes }
    }
}

/// Whether a triangle's box touches another, seen from above.
pub(super) fn touches([a, b, c]: [Vec3; 3], bounds: &Aabb) -> bool {
    let low = a.min(b).min(c);
    let high = a.max(b).max(c);
    low.x <= bounds.max.x && high.x >= bounds.min.x && low.z <= bounds.max.z && high.z >= bounds.min.z
}
