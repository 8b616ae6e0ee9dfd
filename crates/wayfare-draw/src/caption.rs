//! What stands around a picture: its title, and the keys to what is in it.

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
            n => format!("{}, ", counted(n.into(), "tile")),
        };
        let named = mesh.areas().iter().filter(|info| !info.name.is_empty());
        Self {
            title: format!("{name}: {tiles}{}", counted(polygons, "polygon")),
            area_names: named.map(|info| (info.area.get(), info.name.clone())).collect(),
            ..Self::default()
        }
    }
}

/// "1 tile", "2 tiles", "1,142 tiles".
fn counted(number: u64, what: &str) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + " " + what + if number == 1 { "" } else { "s" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_their_thousands_apart() {
        let texts = [1, 2, 999, 1000, 1_234_567].map(|n| counted(n, "tile"));
        assert_eq!(texts, ["1 tile", "2 tiles", "999 tiles", "1,000 tiles", "1,234,567 tiles"]);
    }
}
