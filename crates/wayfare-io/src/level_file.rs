//! Reads a level from a single file, in one call.

use crate::plain_words::NO_LEVEL;
use crate::{Files, ImportedLevel, LevelFormat, LevelReader, ReadError, ReadOptions};
use wayfare::input::TriMeshError;

/// Why a level could not be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// The extension of its name is not that of a level format.
    #[error("{name} {}", NO_LEVEL)]
    UnknownFormat {
        /// Its name.
        name: String,
    },
    /// The file could not be read.
    #[error("{name}: {error}")]
    Read {
        /// Its name.
        name: String,
        /// What is wrong with it.
        #[source]
        error: ReadError,
    },
    /// It has nothing to bake.
    #[error("{name}: {error}")]
    Triangles {
        /// Its name.
        name: String,
        /// What is wrong with its triangles.
        #[source]
        error: TriMeshError,
    },
}

/// Reads a level from a single file, with the [defaults](ReadOptions::default); the extension of its name selects the
/// format. `files` provides the files it refers to, such as the buffers of a `.gltf`.
///
/// # Errors
/// [`LevelError`].
pub fn read_level(name: &str, bytes: &[u8], files: &mut dyn Files) -> Result<ImportedLevel, LevelError> {
    let own = || name.to_owned();
    let format = LevelFormat::of_name(name).ok_or_else(|| LevelError::UnknownFormat { name: own() })?;
    let mut reader = LevelReader::new(ReadOptions::default());
    reader.add(name, format, bytes, files).map_err(|error| LevelError::Read { name: own(), error })?;
    reader.finish(|_| None).map_err(|error| LevelError::Triangles { name: own(), error })
}
