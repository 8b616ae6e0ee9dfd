//! The complete content of a `.way` file: a mesh, and the data kept beside it.

use super::read::read_file;
use super::section::{Sections, TileSections};
use super::write::{BesideMesh, write_file};
use super::{ReadError, digest_of};
use crate::mesh::{BakeCache, NavMesh};
use crate::tile::TileKeys;

/// A mesh, and the data that a file keeps beside it. If you only need the mesh, use [`NavMesh::from_bytes`].
///
/// ```
/// use wayfare::format::WayFile;
/// use wayfare::mesh::NavMesh;
/// # use wayfare::Vec3;
/// # use wayfare::tile::{TileCoord, TileKeys, TileLayout};
/// # let mesh = NavMesh::new(TileLayout { origin: Vec3::ZERO, tile_width: 1.0, tile_depth: 1.0 });
/// # let keys: TileKeys = [(TileCoord::default(), 7)].into_iter().collect();
/// let bytes = WayFile::new(mesh, keys).to_bytes();
///
/// let file = WayFile::from_bytes(&bytes)?;
/// // Baked from the same input: the tile need not be baked again, and is empty.
/// assert_eq!(file.cache.unchanged_tile(TileCoord::default(), 7), Some(None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WayFile {
    /// The mesh, which may be changed.
    pub mesh: NavMesh,
    /// The tiles that a later bake can reuse. Nothing is saved for tiles that were added or removed since the bake.
    pub cache: BakeCache,
    /// Data that other modules keep beside the mesh. The keys of the cache are not included: they have a section of
    /// their own, [`TileKeys::SECTION`].
    pub sections: Sections,
    /// Data that other modules keep beside each tile. It stays when the tile changes or is removed, until it is set or
    /// removed.
    pub tile_sections: TileSections,
}

impl WayFile {
    /// A mesh baked from the input that `keys` identify.
    #[must_use]
    pub fn new(mesh: NavMesh, keys: TileKeys) -> Self {
        let sections = Sections::EMPTY;
        let tile_sections = TileSections::EMPTY;
        Self { cache: BakeCache::new(&mesh, keys), mesh, sections, tile_sections }
    }

    /// Reads a `.way` file like [`NavMesh::from_bytes`], together with the data kept beside the mesh.
    ///
    /// # Errors
    /// [`ReadError`] for anything but exactly what [`to_bytes`](Self::to_bytes) wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        let (mesh, directory) = read_file(bytes)?;
        let mut sections = Sections::EMPTY;
        let mut tile_sections = TileSections::EMPTY;
        for entry in directory.all_sections() {
            let of = entry.coord.map_or(&mut sections, |coord| tile_sections.get_mut(coord));
            of.set(&entry.name, entry.version, entry.range.of(bytes).to_vec());
        }
        let keys = take_keys(&mut sections)?;
        Ok(Self { sections, tile_sections, ..Self::new(mesh, keys) })
    }

    /// The bytes of a `.way` file. The same mesh with the same data gives the same bytes, on every platform.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let keys = &self.cache.keys_of(&self.mesh);
        write_file(&self.mesh, BesideMesh { keys, sections: &self.sections, tile_sections: &self.tile_sections })
    }

    /// The XXH3-64 of the file's [bytes](Self::to_bytes) in hexadecimal.
    #[must_use]
    pub fn digest(&self) -> String {
        digest_of(&self.to_bytes())
    }
}

fn take_keys(sections: &mut Sections) -> Result<TileKeys, ReadError> {
    let Some(section) = sections.remove(TileKeys::SECTION) else { return Ok(TileKeys::EMPTY) };
    let name = TileKeys::SECTION;
    let version = section.version;
    let known = TileKeys::SECTION_VERSION;
    if version != known {
        return Err(ReadError::SectionVersion { name, version, known });
    }
    TileKeys::from_section(&section.bytes).ok_or(ReadError::Section { section: "list of keys" })
}

impl From<NavMesh> for WayFile {
    /// A mesh with nothing beside it.
    fn from(mesh: NavMesh) -> Self {
        Self::new(mesh, TileKeys::EMPTY)
    }
}
