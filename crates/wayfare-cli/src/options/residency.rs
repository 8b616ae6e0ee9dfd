//! `--resident-tiles N`: limits how much of a store is in memory.

use crate::failure::{Failure, Result};
use crate::input::store_file::is_store_path;
use clap::Args;
use std::path::Path;

/// The limit.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Residency {
    /// Maximum number of a store's tiles in memory: only hierarchical paths can be found so
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    resident_tiles: Option<u32>,
}

impl Residency {
    /// Maximum number of tiles in memory; no limit by default.
    pub(crate) fn tiles(self) -> usize {
        self.resident_tiles.map_or(usize::MAX, |tiles| tiles as usize)
    }

    /// Whether there is a limit.
    pub(crate) fn is_given(self) -> bool {
        self.resident_tiles.is_some()
    }

    /// Refuses a limit for something that needs all tiles in memory: `what` it is, and what to change.
    pub(crate) fn check_partial(self, what: Option<&str>) -> Result<()> {
        match what {
            Some(what) if self.resident_tiles.is_some() => {
                Err(Failure::new(format_args!("--resident-tiles cannot hold: {what}, or leave out --resident-tiles")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a limit for a mesh that is entirely in memory anyway.
    pub(crate) fn check(self, mesh: &Path) -> Result<()> {
        if self.resident_tiles.is_some() && !is_store_path(mesh) {
            return Err(Failure::new(format_args!(
                "--resident-tiles bounds how much of a store is in memory, but {} is none: bake with -o NAME.wayworld",
                mesh.display()
            )));
        }
        Ok(())
    }
}
