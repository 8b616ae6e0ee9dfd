//! Loads all tiles of a store, for worlds that fit in memory.

use super::{StoreError, StoredTile, WorldStore};
use crate::format::{ReadError, TileSections, WayFile};
use crate::mesh::AddTileError;
use crate::tile::{Effort, TileCoord, TileKeys};

/// Reads all tiles of a store into one mesh, row by row, in the order of a bake in memory. Missing or broken tiles are
/// left out; the list says what is wrong with them.
///
/// # Errors
/// [`StoreError`] if the head cannot be read, or if tiles that are sound individually do not form a mesh.
pub fn load_store(store: &dyn WorldStore) -> Result<(WayFile, Vec<StoreError>), StoreError> {
    let mut mesh = store.head().mesh().map_err(StoreError::Head)?;
    let mut events = Vec::new();
    let mut keys = Vec::new();
    let mut tile_sections = TileSections::EMPTY;
    let mut coords: Vec<(TileCoord, u64)> = store.index().iter().map(|entry| (entry.coord, entry.length)).collect();
    coords.sort_unstable_by_key(|(coord, _)| (coord.z, coord.x, coord.layer));
    let bytes: u64 = coords.iter().map(|(_, length)| length).sum();
    let mut effort = Effort::for_bytes(usize::try_from(bytes).unwrap_or(usize::MAX));
    let mut slot = 0;
    for (coord, _) in coords {
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
        let Some(tile) = tile else { continue };
        let add = |error: AddTileError| StoreError::Broken { coord, why: ReadError::Tile { slot, error } };
        mesh.check_layout().map_err(add)?;
        mesh.check_slot(slot, 1, u32::MAX).map_err(add)?;
        mesh.place(slot, 1, tile);
        slot += 1;
    }
    let linked = mesh.link_all(&mut effort).map_err(|(slot, error)| ReadError::Tile { slot, error });
    let connected = |index, error| ReadError::Connection { index, error };
    let linked =
        linked.and_then(|()| mesh.link_connections(&mut effort).map_err(|(index, error)| connected(index, error)));
    linked.map_err(|error| StoreError::Failed(error.to_string()))?;
    let sections = store.head().sections().map_err(StoreError::Head)?;
    let keys: TileKeys = keys.into_iter().collect();
    Ok((WayFile { sections, tile_sections, ..WayFile::new(mesh, keys) }, events))
}
