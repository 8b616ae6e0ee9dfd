//! Joins parts of a world that were baked separately, and puts tiles from one store into another.
//!
//! Cost: each tile is read, checked and written once; none is kept in memory.

use crate::open;
use std::path::{Path, PathBuf};
use wayfare::format::{ReadError, StoreEntry, StoreError, StoreRecord, WorldDifference, WorldStore};
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
    let fits = |store: &dyn WorldStore| store.head().difference(first.head()).map_or(Ok(()), differ_in);
    parts.iter().try_for_each(|part| fits(part))?;
    let mut store = crate::open_to_write(target, first.head())?;
    fits(&store)?;
    for part in &parts {
        let added = add(part, &mut store);
        // What was added before an error stays.
        let committed = store.commit();
        added.and(committed)?;
    }
    write_default_levels(&mut store)?;
    store.finish().map(|_| ())
}

/// Puts the tiles of a store into another, in place of those that are there. `is_whole`: the other then has the same
/// tiles and the same head; otherwise it keeps those that `from` does not have, and must be of the same world or
/// without tiles.
///
/// # Errors
/// [`StoreError::OtherWorld`]; [`StoreError::Broken`] for a broken tile; otherwise as for
/// [`write`](WorldStore::write). A store in one file then stays as it was.
pub fn put(from: &dyn WorldStore, store: &mut dyn WorldStore, is_whole: bool) -> Result<(), StoreError> {
    if is_whole || store.index().is_empty() {
        if store.head() != from.head() {
            store.set_world(from.head())?;
        }
        store.remove_where(&|coord| from.index().get(coord).is_none())?;
    } else {
        store.head().difference(from.head()).map_or(Ok(()), differ_in)?;
    }
    for entry in from.index().iter() {
        // A tile that is broken on disk has the entry of a whole one.
        let is_there = |old: &StoreEntry| (old.key, old.digest) == (entry.key, entry.digest);
        if !store.index().get(entry.coord).is_some_and(is_there) || store.read_tile(entry.coord).is_err() {
            store.write(&whole_record(from, entry)?)?;
        }
    }
    store.commit()
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
    let record = StoreRecord::from_bytes(store.read_bytes(coord, 0..entry.length)?);
    let record = record.and_then(|record| record.check_layout(store.head().layout())).map_err(broken)?;
    let found = record.entry();
    if (found.coord, found.digest) != (coord, entry.digest) {
        return Err(broken(ReadError::Place { coord: found.coord }));
    }
    Ok(record)
}

fn differ_in(what: WorldDifference) -> Result<(), StoreError> {
    Err(StoreError::OtherWorld(what))
}

fn differ(TileCoord { x, z, .. }: TileCoord) -> StoreError {
    StoreError::Failed(format!(
        "two of the stores have different tiles at column {x}, row {z}: bake one of them again from the same input"
    ))
}
