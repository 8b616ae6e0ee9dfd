//! Wayfare's built-in levels: each is defined once here and used by tests, benchmarks, the program (`scene:NAME`
//! wherever a file is accepted) and the lab.
//!
//! A scene has a name, a seed and parameters, written like `stairs?steps=12&seed=3`. It provides triangles, the
//! settings for baking them, and errands: pairs of positions for which it is known whether one can be reached from the
//! other.
//!
//! ```
//! let scene = wayfare_scenes::scene("stairs?steps=12")?;
//! let mesh = scene.mesh()?;
//! assert!(mesh.tris().len() > 12 && mesh.report().not_finite == 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same spec gives the same bits on every platform: randomness comes from the seed alone, and sines and cosines
//! from [`wayfare::math::ops`].

mod clouds;
mod continent;
mod kit;
mod lively_yard;
mod noise;
mod parse;
mod plays;
mod random;
mod scene;
mod scenes;
mod trials;
mod walk_figures;

pub use clouds::{Cloud, clouds};
pub use continent::Continent;
pub use lively_yard::{LivelyYard, lively_yard};
pub use parse::{Param, Params, SceneError};
pub use plays::{PLAYS, Play};
pub use random::Rng;
pub use scene::{Errand, Scene, SceneInfo};
pub use scenes::{Blocks, Harbour, all};
pub use trials::{CrowdTrial, TrialAgent, crowd_trials};
pub use walk_figures::{Trip, Walk, WalkFigures};

/// Builds the scene described by `spec`: `NAME` or `NAME?key=value&key=value`.
///
/// Omitted keys have their defaults; every scene takes `seed`.
///
/// # Errors
/// An unknown name or key, a value that is not a number or out of range: the message lists what is allowed.
pub fn scene(spec: &str) -> Result<Scene, SceneError> {
    let (info, params) = parse::parse(spec, all())?;
    let mut scene = (info.build)(&params);
    scene.spec = params.spec(info.name);
    Ok(scene)
}

/// The world described by `spec`, if it can be generated piece by piece: `continent` or `continent?km=8`. `None` for
/// all other scenes.
///
/// # Errors
/// Like [`scene`].
pub fn world(spec: &str) -> Result<Option<Continent>, SceneError> {
    let (info, params) = parse::parse(spec, all())?;
    Ok((info.name == "continent").then(|| Continent::of(&params)))
}

/// The blocks of a block scene: `blocks` or `blocks?key=value`.
///
/// # Errors
/// Like [`scene`]; also for a scene that is not made of blocks.
pub fn block_world(spec: &str) -> Result<Blocks, SceneError> {
    let (info, params) = parse::parse(spec, all())?;
    if info.name == "blocks" { Ok(Blocks::of(&params)) } else { Err(SceneError::NotOfBlocks { scene: info.name }) }
}
