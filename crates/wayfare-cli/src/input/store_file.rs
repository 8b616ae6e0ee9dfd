//! Reads a tile store of the command line as a mesh.

use super::ending;
use crate::failure::{Failure, Result};
use crate::terminal::Terminal;
use std::path::Path;
use wayfare::format::{StoreError, StoreHead, StoreRecord, TileSections, WayFile, WorldStore, load_store};
use wayfare::hierarchy::{LevelSize, TileGraph, read_levels};
use wayfare_store::{Store, StoreForm, is_store};

/// The extension of packed stores.
const ENDING: &str = "wayworld";
/// How many broken tiles are listed individually.
const NAMED: usize = 3;

/// Whether there is, or will be, a store at a path: either one exists, or the name says so.
pub(crate) fn is_store_path(path: &Path) -> bool {
    ending(path) == ENDING || StoreForm::of(path) == StoreForm::Folder || is_store(path)
}

/// Opens a store to read it.
pub(crate) fn open(path: &Path) -> Result<Store> {
    if !path.exists() {
        return Err(Failure::about(path.display(), "there is no such file or folder"));
    }
    wayfare_store::open(path).map_err(|e| failure(path, &e))
}

/// The failure for an error of a store, with its name.
pub(crate) fn failure(path: &Path, error: &StoreError) -> Failure {
    let name = path.display().to_string();
    let text = error.to_string();
    // System errors already contain the name of the file.
    if text.starts_with(&name) { Failure::new(text) } else { Failure::about(name, text) }
}

/// The summary of a store whose tiles were read.
#[derive(Debug, Default)]
pub(crate) struct StoreRead {
    name: String,
    /// Tiles that are broken or missing.
    pub(crate) events: Vec<StoreError>,
    /// Entries, including places without a walkable surface.
    pub(crate) entries: usize,
    /// Size of its tiles and of the data kept beside them, in bytes.
    pub(crate) bytes: u64,
    /// Bytes of the abstract graph: of its parts, which are among them, and of the levels above, which are in the head.
    pub(crate) graph_bytes: u64,
    /// Levels of the abstract graph: that of the tiles, and those above.
    pub(crate) levels: usize,
    /// The size of each level above the tiles, from the lowest.
    pub(crate) level_sizes: Vec<LevelSize>,
}

impl StoreRead {
    /// Reads all tiles of a store; returns its size as well.
    pub(super) fn load(path: &Path) -> Result<(WayFile, u64, Self)> {
        let store = open(path)?;
        let size = store.size(path).map_err(|e| failure(path, &e))?;
        let (file, events) = load_store(&store).map_err(|e| failure(path, &e))?;
        let index = store.index();
        let mut read = Self {
            name: path.display().to_string(),
            events,
            entries: index.len(),
            bytes: index.iter().map(|entry| entry.length).sum(),
            graph_bytes: index.iter().map(|entry| u64::from(entry.graph_bytes)).sum(),
            levels: 0,
            level_sizes: Vec::new(),
        };
        if read.graph_bytes > 0 {
            read.level_sizes = read_levels(&store).iter().flat_map(|levels| levels.sizes()).collect();
            let bytes = file.sections.get(StoreHead::LEVELS_SECTION).map_or(0, |section| section.bytes.len() as u64);
            (read.levels, read.graph_bytes) = (1 + read.level_sizes.len(), read.graph_bytes + bytes);
        }
        Ok((file, size, read))
    }

    /// Reports broken tiles, which are left out.
    pub(crate) fn warn(&self) {
        let terminal = Terminal::new(false);
        for event in self.events.iter().take(NAMED) {
            terminal.warn(format_args!("{}: {event}", self.name));
        }
        if self.events.len() > NAMED {
            terminal.warn(format_args!("{}: {} more tiles are broken", self.name, self.events.len() - NAMED));
        }
    }
}

/// Number of nodes in the parts of the abstract graph kept beside the tiles.
pub(crate) fn graph_nodes(sections: &TileSections) -> u64 {
    let parts = sections.iter().filter_map(|(_, sections)| sections.get(StoreRecord::GRAPH_SECTION));
    let nodes = |bytes: &[u8]| TileGraph::from_bytes(bytes).map_or(0, |part| part.portals().len() as u64);
    parts.map(|section| nodes(&section.bytes)).sum()
}
