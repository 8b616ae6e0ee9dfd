//! Checkpoints and obstacles as sections of a `.way` file, beside the mesh that they change.
//!
//! Sources: none needed.

use super::{CheckpointBytesError, LevelCheckpoints, ObstacleBytesError, Obstacles};
use crate::format::WayFile;

/// Why the obstacles of a file could not be read.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleFileError {
    /// Its checkpoints cannot be read.
    #[error(transparent)]
    Checkpoints(#[from] CheckpointBytesError),
    /// Its obstacles cannot be read.
    #[error(transparent)]
    Obstacles(#[from] ObstacleBytesError),
    /// Its list of automatic links cannot be read.
    #[error("the file's list of automatic links is damaged: bake the level again")]
    Links,
    /// Its tiles do not lie where those of its checkpoints do.
    #[error("the file's mesh was baked with another layout than its checkpoints: bake the level again")]
    OtherMesh,
}

impl Obstacles {
    /// Reads the checkpoints of a `.way` file, and the obstacles on them if it was saved with some; `None` for a file
    /// without checkpoints, whose tiles cannot be rebuilt.
    ///
    /// # Errors
    /// [`ObstacleFileError`].
    pub fn from_file(file: &WayFile) -> Result<Option<Self>, ObstacleFileError> {
        let Some(layers) = file.sections.get(LevelCheckpoints::SECTION) else { return Ok(None) };
        let layers = LevelCheckpoints::from_bytes(&layers.bytes)?;
        if layers.plan().layout() != file.mesh.layout() {
            return Err(ObstacleFileError::OtherMesh);
        }
        Ok(Some(match file.sections.get(Self::SECTION) {
            Some(stored) => Self::from_bytes(layers, &stored.bytes)?,
            None => Self::new(layers),
        }))
    }

    /// Puts checkpoints and obstacles into a `.way` file, between two steps, with the mesh as it is now.
    pub fn write_to(&self, file: &mut WayFile) {
        let layers = self.checkpoints().to_bytes();
        file.sections.set(LevelCheckpoints::SECTION, LevelCheckpoints::SECTION_VERSION, layers);
        file.sections.set(Self::SECTION, Self::SECTION_VERSION, self.to_bytes());
    }
}
