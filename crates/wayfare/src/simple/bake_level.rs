//! A level into a mesh in one call.

use crate::bake::{BakeError, bake_tiles};
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
    /// A tile that was baked could not be added to the mesh.
    #[error(transparent)]
    Tile(#[from] AddTileError),
}

impl NavMesh {
    /// Bakes a level (a mesh, a height map, or a [`Level`] with volumes) for an agent, with [`BakeSettings::for_agent`]
    /// and as one tile. A level on which the agent can stand nowhere gives a mesh without polygons.
    ///
    /// For other settings, warnings, progress or several tiles, call [`bake_tiles`] and [`NavMesh::from_tiles`], which
    /// is all that this does.
    ///
    /// # Errors
    /// [`BakeLevelError`].
    pub fn bake<'a>(level: impl Into<Level<'a>>, agent: &AgentSettings) -> Result<Self, BakeLevelError> {
        let (baked, _) = bake_tiles(level, &BakeSettings::for_agent(*agent), &Context::default())?;
        Ok(Self::from_tiles(baked.layout, baked.tiles)?)
    }
}
