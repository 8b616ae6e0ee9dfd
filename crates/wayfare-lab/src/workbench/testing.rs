//! What tests of tools share.

use super::baking;
use super::level::LoadedLevel;
use super::stage::Stage;
use std::sync::Arc;

/// A scene, baked in tiles.
pub(crate) fn baked_stage(scene: &str) -> Stage {
    let level = LoadedLevel::of_scene(scene).unwrap();
    let mut stage = Stage::default();
    stage.settings = wayfare::input::BakeSettings { tile_size: 48, ..level.settings };
    let baked = baking::start(level.input(&[]), stage.settings).wait().unwrap().unwrap();
    stage.level = Some(Arc::new(level));
    stage.take(*baked);
    stage
}
