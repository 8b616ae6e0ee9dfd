//! The caption of a picture: its title, and the keys to its content.

use crate::counted::counted;
use crate::samples::Sample;
use std::collections::BTreeMap;
use wayfare::mesh::NavMesh;

/// The text around a picture.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// Above the picture.
    pub title: String,
    /// Names of the paths, by number, for the key below the picture.
    pub paths: Vec<String>,
    /// Names of area types, for the legend.
    pub area_names: BTreeMap<u8, String>,
    /// What fills, edges and marks mean, if they do not mean the same as in a mesh.
    pub samples: &'static [Sample],
}

impl Caption {
    /// `dungeon.way: 12 tiles, 345 polygons`, with the mesh's names of area types.
    #[must_use]
    pub fn of(name: &str, mesh: &NavMesh) -> Self {
        let polygons: u64 = mesh.tiles().map(|t| u64::from(t.poly_count())).sum();
        let tiles = match mesh.tile_count() {
            1 => String::new(),
            n => format!("{}, ", counted(n, "tile")),
        };
        let named = mesh.areas().iter().filter(|info| !info.name.is_empty());
        Self {
            title: format!("{name}: {tiles}{}", counted(polygons, "polygon")),
            area_names: named.map(|info| (info.area.get(), info.name.clone())).collect(),
            ..Self::default()
        }
    }
}
