//! The level that a mesh was baked from, for tiles whose triangles change.

use crate::failure::Result;
use crate::input;
use crate::options::{Areas, BakeOptions, UpAxis};
use crate::terminal::Terminal;
use clap::Args;
use std::path::PathBuf;
use wayfare::bake::TilePlan;
use wayfare::dynamic::ObjectLevel;

/// `--level`, and how its files are to be read.
#[derive(Args, Debug)]
pub(in crate::commands) struct LevelOptions {
    /// What the mesh was baked from, files or scene:NAME: for `geometry` and `invalidate`
    #[arg(long, value_name = "LEVEL", num_args = 1..)]
    level: Vec<String>,
    /// Which axis of the level's files points up, if it was given to `wayfare bake`
    #[arg(long, value_name = "AXIS", requires = "level")]
    up: Option<UpAxis>,
    /// Factor of the level's coordinates, if it was given to `wayfare bake`
    #[arg(long, value_name = "FACTOR", requires = "level")]
    scale: Option<f32>,
    /// Area types of the level, if they were given to `wayfare bake`
    #[arg(long, value_name = "FILE", requires = "level")]
    areas: Option<PathBuf>,
}

impl LevelOptions {
    /// The level by tile, if it was given.
    pub(super) fn read(&self, plan: &TilePlan) -> Result<Option<ObjectLevel>> {
        if self.level.is_empty() {
            return Ok(None);
        }
        let options = BakeOptions { up: self.up, scale: self.scale, ..BakeOptions::default() };
        let areas = Areas::read(self.areas.as_deref())?;
        let level = input::Level::load(&self.level, &options, &areas, Terminal::new(true))?.imported;
        Ok(Some(ObjectLevel::new(level.level(), plan)))
    }
}
