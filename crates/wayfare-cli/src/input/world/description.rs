//! `WORLD.toml`: a world of many files, instances, height maps and generated scenes, which need not fit in memory
//! together.
//!
//! ```toml
//! bounds = [0, -10, 0, 4000, 300, 4000]   # what is baked; around everything unless given
//!
//! [[part]]
//! file = "harbour.glb"                    # beside this file; any kind of level
//! at = [120, 0, 80]                       # where its origin comes to lie, metres
//! turn = 90                               # degrees about the y axis, from x towards z
//! scale = 0.01
//!
//! [[part]]
//! file = "house.obj"                      # read once
//! instances = [{ at = [10, 0, 4] }, { at = [30, 0, 4], turn = 45 }]
//!
//! [[part]]
//! file = "hills_0_0.png"
//! pixel-size = 2.0
//! pixel-height = 0.01
//!
//! [[part]]
//! scene = "continent?km=2"                # made tile by tile
//! at = [4000, 0, 0]
//! ```

use super::parts::Parts;
use super::world_input::{WorldInput, check_unscaled, generated};
use crate::failure::{Failure, Result};
use crate::options::{Areas, BakeOptions, one_line};
use crate::terminal::Terminal;
use serde::Deserialize;
use std::path::Path;
use wayfare::Vec3;
use wayfare::math::Aabb;
use wayfare_io::Placement;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    bounds: Option<[f32; 6]>,
    #[serde(default)]
    part: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Part {
    file: Option<String>,
    scene: Option<String>,
    at: Option<[f64; 3]>,
    turn: Option<f64>,
    scale: Option<f64>,
    pixel_size: Option<f32>,
    pixel_height: Option<f32>,
    instances: Option<Vec<Instance>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Instance {
    at: [f64; 3],
    #[serde(default)]
    turn: f64,
    #[serde(default = "one")]
    scale: f64,
}

fn one() -> f64 {
    1.0
}

/// Reads a description, and all its files one after the other into a temporary file.
pub(super) fn load(path: &Path, options: &BakeOptions, areas: &Areas, terminal: Terminal) -> Result<WorldInput> {
    let about = |e: String| Failure::about(path.display(), e);
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io(path.display(), &e))?;
    let Description { bounds, part: list } = toml::from_str(&text).map_err(|e| about(one_line(&e, &text)))?;
    if list.is_empty() {
        return Err(about("has no [[part]]: name a file or a scene in one, as in file = \"level.obj\"".into()));
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut parts = Parts::new(areas)?;
    let bar = terminal.bar("reading", list.len() as u64);
    for (number, part) in (1..).zip(&list) {
        let name = format!("{}: part {number}", path.display());
        add(&mut parts, part, folder, options).map_err(|e| e.within(name))?;
        bar.set(number, list.len() as u64);
    }
    drop(bar);
    let bounds = bounds.map(|[a, b, c, d, e, f]| Aabb { min: Vec3::new(a, b, c), max: Vec3::new(d, e, f) });
    if bounds.is_some_and(|b| !b.min.is_finite() || !b.max.is_finite() || !b.min.cmple(b.max).all()) {
        return Err(about("bounds must be six numbers: the low corner, then the high corner".into()));
    }
    parts.finish(bounds)
}

fn add(parts: &mut Parts<'_>, part: &Part, folder: &Path, options: &BakeOptions) -> Result<()> {
    let source = match (&part.file, &part.scene) {
        (Some(file), None) => folder.join(file).to_string_lossy().into_owned(),
        (None, Some(scene)) => format!("scene:{scene}"),
        _ => return Err(Failure::new("needs either file = \"…\" or scene = \"…\"")),
    };
    if part.instances.is_some() && (part.at.is_some() || part.turn.is_some() || part.scale.is_some()) {
        return Err(Failure::new(
            "has instances, each with a place of its own: leave out at, turn and scale beside them",
        ));
    }
    let alone = [Instance {
        at: part.at.unwrap_or_default(),
        turn: part.turn.unwrap_or(0.0),
        scale: part.scale.unwrap_or(1.0),
    }];
    let instances = part.instances.as_deref().unwrap_or(&alone);
    let place = |i: &Instance| Placement::new(i.at, i.turn, i.scale).map_err(Failure::new);
    let placements = instances.iter().map(place).collect::<Result<Vec<_>>>()?;
    if let Some(world) = generated(&source) {
        let world = world?;
        check_unscaled(options)?;
        return match placements[..] {
            [one] if one.is_moved_only() => {
                parts.add_generated(world, one);
                Ok(())
            }
            _ => Err(Failure::new("a generated world can be moved, once, but not turned or scaled")),
        };
    }
    let options = BakeOptions {
        pixel_size: part.pixel_size.or(options.pixel_size),
        pixel_height: part.pixel_height.or(options.pixel_height),
        bounds: None,
        ..options.clone()
    };
    parts.add_file(&source, &options, &placements)
}
