//! Keys of tiles: a hash of what each was baked from.

use super::TileCoord;
use crate::math::bytes::{Reader, Truncated, Writer};

/// For each tile of a bake, including those without a walkable surface, a hash of everything that it was baked from.
/// With equal keys, baking again would give the same tile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileKeys(Vec<(TileCoord, u64)>);

impl TileKeys {
    /// No keys.
    pub const EMPTY: Self = Self(Vec::new());

    /// The name of the section of a `.way` file that holds them.
    pub const SECTION: &str = "build.keys";
    pub(crate) const SECTION_VERSION: u32 = 1;

    /// The bytes of the section: column, row, layer and key of each, in order.
    pub(crate) fn to_section(&self) -> Vec<u8> {
        let mut out = Writer::default();
        for (coord, key) in self.iter() {
            out.i32(coord.x);
            out.i32(coord.z);
            out.u32(coord.layer);
            out.u64(key);
        }
        out.bytes
    }

    /// Reads a section written by [`to_section`](Self::to_section) with at least one key; `None` for anything else.
    pub(crate) fn from_section(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let mut list = Vec::with_capacity(bytes.len() / 20);
        while !reader.is_empty() {
            let mut record =
                || Ok((TileCoord { x: reader.i32()?, z: reader.i32()?, layer: reader.u32()? }, reader.u64()?));
            let Ok(key) = record().map_err(|_: Truncated| ()) else { return None };
            list.push(key);
        }
        let keys: Self = list.iter().copied().collect();
        // Written in order, each once.
        (!list.is_empty() && keys.iter().eq(list)).then_some(keys)
    }

    /// The key of a tile.
    #[must_use]
    pub fn get(&self, coord: TileCoord) -> Option<u64> {
        self.0.binary_search_by_key(&order(coord), |&(c, _)| order(c)).ok().map(|i| self.0[i].1)
    }

    /// All of them, row by row.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (TileCoord, u64)> {
        self.0.iter().copied()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// If there are several keys for one tile, the last is kept.
impl FromIterator<(TileCoord, u64)> for TileKeys {
    fn from_iter<T: IntoIterator<Item = (TileCoord, u64)>>(keys: T) -> Self {
        let mut keys: Vec<_> = keys.into_iter().collect();
        keys.sort_by_key(|&(coord, _)| order(coord));
        keys.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                *kept = *later;
            }
            same
        });
        Self(keys)
    }
}

fn order(coord: TileCoord) -> (i32, i32, u32) {
    (coord.z, coord.x, coord.layer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_by_place() {
        let at = |x, z| TileCoord { x, z, layer: 0 };
        let keys: TileKeys = [(at(1, 0), 5), (at(-1, 0), 7), (at(0, -1), 9), (at(1, 0), 6)].into_iter().collect();
        assert_eq!(keys.iter().map(|k| k.1).collect::<Vec<_>>(), [9, 7, 6]);
        assert_eq!((keys.get(at(1, 0)), keys.get(at(0, 0))), (Some(6), None));
    }
}
