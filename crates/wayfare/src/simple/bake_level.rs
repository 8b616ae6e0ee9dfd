//! A level into a mesh in one call.

use crate::bake::{BakeError, EmptyBake, bake_tiles};
use crate::context::Context;
use crate::input::{AgentSettings, BakeSettings, Level};
use crate::mesh::{AddTileError, NavMesh};

/// A level that could not be made into a mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BakeLevelError {
    /// It could not be baked.
    #[error(transparent)]
    Bake(#[from] BakeError),
    /// The agent can stand nowhere on it.
    #[error("nothing can be walked on: {0}")]
    NothingWalkable(EmptyBake),
    /// A tile that was baked could not be added to the mesh.
    #[error(transparent)]
    Tile(#[from] AddTileError),
}

impl NavMesh {
    /// Bakes a level (a mesh, a height map, or a [`Level`] with volumes) for an agent, with [`BakeSettings::for_agent`]
    /// and as one tile. A level on which the agent can stand nowhere is an error that says why; [`bake_tiles`] gives no
    /// tile for it and a warning.
    ///
    /// For other settings, warnings, progress or several tiles, call [`bake_tiles`] and [`NavMesh::from_tiles`], which
    /// is all that this does.
    ///
    /// # Errors
    /// [`BakeLevelError`].
    pub fn bake<'a>(level: impl Into<Level<'a>>, agent: &AgentSettings) -> Result<Self, BakeLevelError> {
        let (level, settings) = (level.into(), BakeSettings::for_agent(*agent));
        let (baked, _) = bake_tiles(level, &settings, &Context::default())?;
        if baked.tiles.is_empty() {
            return Err(BakeLevelError::NothingWalkable(EmptyBake::of(level, &settings)));
        }
        Ok(Self::from_tiles(baked.layout, baked.tiles)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::TriMesh;

    #[test]
    fn a_level_without_ground_says_why() {
        let corners = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 9.0]].map(Into::into);
        let (ceiling, _) = TriMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap();
        let error = NavMesh::bake(&ceiling, &AgentSettings::default()).unwrap_err();
        assert_eq!(error, BakeLevelError::NothingWalkable(EmptyBake::FacesDown { triangles: 1 }));
        assert!(error.to_string().starts_with("nothing can be walked on: no triangle faces up"), "{error}");
    }
}
