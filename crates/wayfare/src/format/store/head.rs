//! The data of a store that concerns the whole mesh.

use super::WorldDifference;
use crate::format::{ReadError, Section, Sections, WayEnd, WayFile, WayStream, WriteError};
use crate::mesh::NavMesh;
use crate::tile::{BakedFor, TileLayout};
use std::sync::Arc;

/// The layout of a store's tiles, and what belongs to no tile: off-mesh connections, area types, sections of the mesh.
/// Its bytes are a `.way` file without tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreHead {
    layout: TileLayout,
    bytes: Arc<[u8]>,
}

impl StoreHead {
    /// The head of a mesh with tiles of this layout.
    ///
    /// # Errors
    /// [`WriteError`] if the layout or a connection has invalid numbers.
    pub fn new(layout: TileLayout, end: WayEnd<'_>) -> Result<Self, WriteError> {
        let mut bytes = Vec::new();
        WayStream::new(layout, 0, &mut bytes).finish(end, &mut bytes)?;
        Ok(Self { layout, bytes: bytes.into() })
    }

    /// Reads the bytes of a head.
    ///
    /// # Errors
    /// [`ReadError`] for anything but a `.way` file without tiles.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let mesh = NavMesh::from_bytes(bytes)?;
        if mesh.tile_count() > 0 {
            return Err(ReadError::Section { section: "head of the store" });
        }
        Ok(Self { layout: mesh.layout(), bytes: bytes.into() })
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The layout of the tiles.
    #[must_use]
    pub fn layout(&self) -> TileLayout {
        self.layout
    }

    /// A mesh without tiles that has the connections and area types; tiles are then added to it.
    ///
    /// # Errors
    /// Never for a head that was [read](Self::read) or made; the type is that of [`NavMesh::from_bytes`].
    pub fn mesh(&self) -> Result<NavMesh, ReadError> {
        NavMesh::from_bytes(&self.bytes)
    }

    /// The same head with another section of the mesh under a name, or without it.
    ///
    /// # Errors
    /// As [`mesh`](Self::mesh).
    pub fn with_section(&self, name: &str, section: Option<Section>) -> Result<Self, ReadError> {
        let mut file = WayFile::from_bytes(&self.bytes)?;
        match section {
            Some(Section { version, bytes }) => file.sections.set(name, version, bytes),
            None => {
                file.sections.remove(name);
            }
        }
        Ok(Self { layout: self.layout, bytes: file.to_bytes().into() })
    }

    /// Whether two heads are of one world: all is the same but what was derived from the tiles.
    #[must_use]
    pub fn is_same_world(&self, other: &Self) -> bool {
        self.difference(other).is_none()
    }

    /// The first difference between the worlds of two heads; `None` if they are of [one](Self::is_same_world).
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<WorldDifference> {
        if self == other {
            return None;
        }
        let layouts = [self.layout, other.layout];
        for sides in [layouts.map(|layout| layout.tile_width), layouts.map(|layout| layout.tile_depth)] {
            if sides[0] != sides[1] {
                return Some(WorldDifference::TileSize { sides });
            }
        }
        let origins = layouts.map(|layout| layout.origin);
        if origins[0] != origins[1] {
            return Some(WorldDifference::Origin { origins });
        }
        if let (Some(own), Some(others)) = (self.baked_for(), other.baked_for()) {
            let differs = named(own).into_iter().zip(named(others)).find(|((_, a), (_, b))| a != b);
            if let Some(((what, a), (_, b))) = differs {
                return Some(WorldDifference::BakedFor { what, values: [a, b] });
            }
        }
        let plain = |head: &Self| head.with_section(Self::LEVELS_SECTION, None);
        let is_same = plain(self).is_ok_and(|head| plain(other).as_ref() == Ok(&head));
        (!is_same).then_some(WorldDifference::Rest)
    }

    /// The section that tells what the tiles are baked for: five numbers of 32 bits.
    pub const BAKED_FOR_SECTION: &str = "world.baked_for";

    /// The same head for tiles that are all baked for this.
    ///
    /// # Errors
    /// As [`mesh`](Self::mesh).
    pub fn with_baked_for(&self, baked_for: BakedFor) -> Result<Self, ReadError> {
        let BakedFor { radius, height, climb, cell_size, cell_height } = baked_for;
        let bytes = [radius, height, climb, cell_size, cell_height].into_iter().flat_map(f32::to_le_bytes).collect();
        self.with_section(Self::BAKED_FOR_SECTION, Some(Section { version: 1, bytes }))
    }

    /// What all tiles are baked for; `None` if the head does not say.
    #[must_use]
    pub fn baked_for(&self) -> Option<BakedFor> {
        let section = self.sections().ok()?.remove(Self::BAKED_FOR_SECTION)?;
        let (numbers, rest) = section.bytes.as_chunks::<4>();
        match numbers {
            &[radius, height, climb, cell_size, cell_height] if rest.is_empty() && section.version == 1 => {
                let [radius, height, climb, cell_size, cell_height] =
                    [radius, height, climb, cell_size, cell_height].map(f32::from_le_bytes);
                Some(BakedFor { radius, height, climb, cell_size, cell_height })
            }
            _ => None,
        }
    }

    /// The section that holds the levels of the abstract graph above the tiles, which are derived from these.
    pub const LEVELS_SECTION: &str = "hierarchy.levels";

    /// The sections of the mesh.
    ///
    /// # Errors
    /// As [`mesh`](Self::mesh).
    pub fn sections(&self) -> Result<Sections, ReadError> {
        WayFile::from_bytes(&self.bytes).map(|file| file.sections)
    }
}

/// What a tile is baked for, by name.
fn named(BakedFor { radius, height, climb, cell_size, cell_height }: BakedFor) -> [(&'static str, f32); 5] {
    [
        ("the agent's radius", radius),
        ("the agent's height", height),
        ("the agent's climb", climb),
        ("the cell size", cell_size),
        ("the cell height", cell_height),
    ]
}
