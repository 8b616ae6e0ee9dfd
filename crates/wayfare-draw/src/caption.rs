//! What stands around a picture: its title, and the keys to what is in it.

use crate::counted::counted;
use crate::samples::Sample;
use std::collections::BTreeMap;
use wayfare::mesh::NavMesh;

/// What is written around a picture.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// Above the picture.
    pub title: String,
    /// What the paths are, by number, for the key below the picture.
    pub paths: Vec<String>,
    /// Names of area types, for the legend.
    pub area_names: BTreeMap<u8, String>,
    /// What fills, edges and marks mean, where they do not mean what they do in a mesh.
    pub samples: &'static [Sample],
}

impl Caption {
    /// `dungeon.way: 12 tiles, 345 polygons`, and what the mesh calls its area types.
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
