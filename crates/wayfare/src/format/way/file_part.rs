//! The parts of a `.way` file, as named in errors.

use crate::tile::TileCoord;
use core::fmt;

/// A part of a `.way` file that has a checksum of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilePart {
    /// The directory, which says where everything else is.
    Directory,
    /// The parts of the mesh other than tiles: off-mesh connections, area types, empty slots.
    Mesh,
    /// A tile.
    Tile {
        /// Its column, row and layer.
        coord: TileCoord,
    },
    /// A section.
    Section {
        /// Its name.
        name: String,
        /// The place of the tile that it belongs to; `None` for the mesh.
        coord: Option<TileCoord>,
    },
}

impl fmt::Display for FilePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory => f.write_str("the file's directory"),
            Self::Mesh => f.write_str("the file's list of connections and area types"),
            Self::Tile { coord } => write!(f, "the tile{}", OfCoord(*coord)),
            Self::Section { name, coord: None } => write!(f, "the section {name:?} of the mesh"),
            Self::Section { name, coord: Some(coord) } => {
                write!(f, "the section {name:?} of the tile{}", OfCoord(*coord))
            }
        }
    }
}

struct OfCoord(TileCoord);

impl fmt::Display for OfCoord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileCoord { x, z, layer } = self.0;
        write!(f, " at column {x}, row {z}, layer {layer}")
    }
}
