//! The world of `wayfare blocks`: a `.vox` file or a built-in scene, as blocks in memory; and edits to it.

use crate::failure::{Failure, Result};
use crate::options::json_lines;
use serde::Deserialize;
use std::fs;
use std::path::Path;
use wayfare::blocks::{Block, BlockBox, BlockSource, Cell, DenseBlocks};
use wayfare_io::{Palette, read_vox};
use wayfare_scenes::SceneError;

/// Prefix of built-in scenes.
const SCENE: &str = "scene:";

/// Reads or builds a world.
pub(super) fn read(world: &str, palette: Palette<'_>) -> Result<DenseBlocks> {
    if let Some(spec) = world.strip_prefix(SCENE) {
        let blocks = wayfare_scenes::block_world(spec).map_err(|e| match e {
            // The others are levels of triangles.
            SceneError::UnknownScene { name, .. } => {
                Failure::new(format_args!("there is no scene \"{name}\" made of blocks; \"blocks\" is"))
            }
            other => Failure::new(other),
        })?;
        let (side, height) = (blocks.size as i32, blocks.height as i32);
        let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(side - 1, height - 1, side - 1));
        return DenseBlocks::from_fn(bounds, |x, y, z| blocks.block(x, y, z)).map_err(Failure::new);
    }
    if !world.to_ascii_lowercase().ends_with(".vox") {
        return Err(Failure::about(world, "a block world is a .vox file or scene:blocks"));
    }
    let bytes = fs::read(world).map_err(|e| Failure::io(world, &e))?;
    read_vox(&bytes, palette).map_err(|e| Failure::about(world, e))
}

/// A line of an edits file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    at: [i32; 3],
    solid: bool,
}

/// A change of one block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    pub(super) cell: Cell,
    pub(super) block: Block,
}

/// Reads edits; each must be in the world, or in an adjacent cell where it has no effect.
pub(super) fn read_edits(file: &Path, world: &DenseBlocks) -> Result<Vec<Edit>> {
    let bounds = world.bounds().unwrap_or(BlockBox::of(Cell::new(0, 0, 0)));
    let mut edits = Vec::new();
    for (number, line) in json_lines::read::<Line>(file, "{\"at\": [x,y,z], \"solid\": true}, in whole numbers")? {
        let cell = Cell::from(line.at);
        if line.solid && !bounds.contains(cell) {
            let [x, y, z] = line.at;
            let BlockBox { min, max } = bounds;
            let what = format!(
                "block {x},{y},{z} lies outside of the world, whose blocks are {},{},{} to {},{},{}: to build there, \
                 give the scene a larger size or height, or the model in the .vox file a larger size",
                min.x, min.y, min.z, max.x, max.y, max.z
            );
            return Err(json_lines::wrong(file, number, what));
        }
        edits.push(Edit { cell, block: if line.solid { Block::Solid } else { Block::Air } });
    }
    Ok(edits)
}
