//! What a store is baked from: a level in memory, a generated scene, or the description of a world.

mod description;
mod parts;
mod spill;

use super::Level;
use super::level::is_scene;
use crate::failure::{Failure, Result};
use crate::options::{Areas, BakeOptions};
use crate::output::stats;
use crate::terminal::Terminal;
use std::path::Path;
use wayfare::world::{LevelSource, WorldSource};

/// The input of a bake into a store.
pub(crate) enum WorldInput {
    /// A level that is in memory as a whole.
    Level(Box<Level>),
    /// A world that says what lies in a box.
    World {
        source: Box<dyn WorldSource>,
        /// Vertices and triangles, as far as they are known.
        size: [usize; 2],
    },
}

/// Whether an argument names the description of a world.
fn is_world(source: &str) -> bool {
    !is_scene(source) && super::ending(Path::new(source)) == "toml"
}

/// The world that a scene makes when it is asked; `None` of scenes that are levels.
fn generated(source: &str) -> Option<Result<Box<dyn WorldSource>>> {
    let world = wayfare_scenes::world(source.strip_prefix("scene:")?).transpose()?;
    Some(world.map(|world| Box::new(world) as _).map_err(|e| Failure::about(source, e)))
}

impl WorldInput {
    /// Reads what can be read at once: a level as a whole, the files of a world one after the other.
    pub(crate) fn load(sources: &[String], options: &BakeOptions, areas: &Areas, terminal: Terminal) -> Result<Self> {
        match sources {
            [only] if is_world(only) => description::load(Path::new(only), options, areas, terminal),
            [only] if is_scene(only) => match generated(only) {
                Some(source) => Ok(Self::World { source: source?, size: [0; 2] }),
                None => Self::level(sources, options, areas, terminal),
            },
            _ => Self::level(sources, options, areas, terminal),
        }
    }

    fn level(sources: &[String], options: &BakeOptions, areas: &Areas, terminal: Terminal) -> Result<Self> {
        Level::load(sources, options, areas, terminal).map(|level| Self::Level(Box::new(level)))
    }

    /// How it says that it should be baked.
    pub(crate) fn hints(&self) -> BakeOptions {
        self.as_level().map(|level| level.hints.clone()).unwrap_or_default()
    }

    /// The level, if it is one.
    pub(crate) fn as_level(&self) -> Option<&Level> {
        match self {
            Self::Level(level) => Some(level),
            Self::World { .. } => None,
        }
    }

    /// How much it is.
    pub(crate) fn size(&self) -> stats::Input {
        match self {
            Self::Level(level) => stats::Input::of(level),
            Self::World { source, size: [vertices, triangles] } => {
                stats::Input { vertices: *vertices, triangles: *triangles, bounds: source.bounds() }
            }
        }
    }

    /// Calls `work` with the world.
    pub(crate) fn with_source<R>(&self, work: impl FnOnce(&dyn WorldSource) -> R) -> R {
        match self {
            Self::Level(level) => work(&LevelSource::new(level.input(), None, &level.imported.connections)),
            Self::World { source, .. } => work(source.as_ref()),
        }
    }
}
