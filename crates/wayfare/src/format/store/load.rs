//! Loads all tiles of a store, for worlds that fit in memory.

use super::{StoreError, StoredTile, WorldStore};
use crate::format::{ReadError, TileSections, WayFile};
use crate::mesh::AddTileError;
use crate::tile::{Effort, TileCoord, TileKeys};

/// Reads all tiles of a store into one mesh, row by row, in the order of a bake in memory. Missing or broken tiles are
/// left out; the list says what is wrong with them, those that are [not in the index](WorldStore::unlisted) first.
///
/// # Errors
/// [`StoreError`] if the head cannot be read, or if tiles that are sound individually do not form a mesh.
pub fn load_store(store: &dyn WorldStore) -> Result<(WayFile, Vec<StoreError>), StoreError> {
    let mut mesh = store.head().mesh().map_err(StoreError::Head)?;
    let mut events = store.unlisted().to_vec();
    let mut keys = Vec::new();
    let mut tile_sections = TileSections::EMPTY;
    let mut coords: Vec<(TileCoord, bool)> =
        store.index().iter().map(|entry| (entry.coord, entry.has_tile())).collect();
    coords.sort_unstable_by_key(|(coord, _)| (coord.z, coord.x, coord.layer));
    let mut bytes = 0_usize;
    let mut next = 0;
    for (coord, has_tile) in coords {
        // One that is broken keeps its slot, so that references to all others stay right.
        let slot = next;
        next += u32::from(has_tile);
        let StoredTile { key, tile, sections } = match store.read_tile(coord) {
            Ok(stored) => stored,
            Err(event) => {
                events.push(event);
                continue;
            }
        };
        keys.push((coord, key));
        if !sections.is_empty() {
            *tile_sections.get_mut(coord) = sections;
        }
        let Some(tile) = tile.filter(|_| has_tile) else { continue };
        let add = |error: AddTileError| StoreError::Broken { coord, why: ReadError::Tile { slot, error } };
        mesh.check_layout().map_err(add)?;
        mesh.check_slot(slot, 1, u32::MAX).map_err(add)?;
        bytes += tile.data().bytes();
        mesh.place(slot, 1, tile);
    }
    let mut effort = Effort::for_bytes(bytes);
    let linked = mesh.link_all(&mut effort).map_err(|(slot, error)| ReadError::Tile { slot, error });
    let connected = |index, error| ReadError::Connection { index, error };
    let linked =
        linked.and_then(|()| mesh.link_connections(&mut effort).map_err(|(index, error)| connected(index, error)));
    linked.map_err(|error| StoreError::Failed(error.to_string()))?;
    let sections = store.head().sections().map_err(StoreError::Head)?;
    let keys: TileKeys = keys.into_iter().collect();
    Ok((WayFile { sections, tile_sections, ..WayFile::new(mesh, keys) }, events))
}
