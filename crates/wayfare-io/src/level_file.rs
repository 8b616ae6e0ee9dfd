//! A level of one file, in one call.

use crate::{Files, ImportedLevel, LevelFormat, LevelReader, ReadError, ReadOptions};
use wayfare::input::TriMeshError;

/// Why a level was not read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// The ending of its name is that of no level.
    #[error(
        "{name} is no kind of level known here: give an .obj, .glb, .gltf, .stl, .ply, .png (16-bit height map) or .gset file"
    )]
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
    /// There is nothing to bake in it.
    #[error("{name}: {error}")]
    Triangles {
        /// Its name.
        name: String,
        /// What is wrong with its triangles.
        #[source]
        error: TriMeshError,
    },
}

/// Reads a level of one file, with the [defaults](ReadOptions::default); the format is told by the ending of its name.
/// `files` finds what the file names, such as the buffers of a `.gltf`.
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
