//! Joins parts of a world that were baked separately.
//!
//! Cost: each tile is read, checked and written once; none is kept in memory.

use crate::open;
use std::path::{Path, PathBuf};
use wayfare::format::{ReadError, StoreEntry, StoreError, StoreRecord, WorldStore};
use wayfare::hierarchy::write_default_levels;
use wayfare::tile::TileCoord;

/// Joins the tiles of these stores in one store, which is created or added to. If several have the same tile, its
/// content must be the same in all.
///
/// # Errors
/// [`StoreError::OtherWorld`] if they are not parts of one world; [`StoreError::Broken`] for a broken tile; otherwise
/// as for [`open_to_write`](crate::open_to_write). Tiles joined before the error stay.
pub fn join(parts: &[PathBuf], target: &Path) -> Result<(), StoreError> {
    let parts = parts.iter().map(|part| open(part)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = parts.first() else { return Ok(()) };
    if parts.iter().any(|part| !part.head().is_same_world(first.head())) {
        return Err(StoreError::OtherWorld);
    }
    let mut store = crate::open_to_write(target, first.head())?;
    if !store.head().is_same_world(first.head()) {
        return Err(StoreError::OtherWorld);
    }
    for part in &parts {
        let added = add(part, &mut store);
        // What was added before an error stays.
        let committed = store.commit();
        added.and(committed)?;
    }
    write_default_levels(&mut store)?;
    store.finish().map(|_| ())
}

/// Adds the tiles of a part.
fn add(part: &dyn WorldStore, store: &mut dyn WorldStore) -> Result<(), StoreError> {
    for entry in part.index().iter() {
        match store.index().get(entry.coord) {
            Some(there) if there.content == entry.content && there.key == entry.key => {}
            Some(_) => return Err(differ(entry.coord)),
            None => store.write(&whole_record(part, entry)?)?,
        }
    }
    Ok(())
}

/// A record as it was written.
pub(crate) fn whole_record(store: &dyn WorldStore, entry: &StoreEntry) -> Result<StoreRecord, StoreError> {
    let coord = entry.coord;
    let broken = |why| store.broken(coord, why);
    let record = StoreRecord::from_bytes(store.read_bytes(coord, 0..entry.length)?).map_err(broken)?;
    let found = record.entry();
    if (found.coord, found.digest) != (coord, entry.digest) {
        return Err(broken(ReadError::Place { coord: found.coord }));
    }
    Ok(record)
}

fn differ(TileCoord { x, z, .. }: TileCoord) -> StoreError {
    StoreError::Failed(format!(
        "two of the stores have different tiles at column {x}, row {z}: bake one of them again from the same input"
    ))
}
