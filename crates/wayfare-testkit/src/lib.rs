//! What the tests of all packages share. Never published.
//!
//! * [`oracle`]: slow and obvious answers to compare the fast ones with.
//! * [`property`]: runs a check over seeded random input; a failure prints the line that replays it.
//! * [`golden`]: compares text with a file under `testdata/goldens`; `cargo xtask bless` rewrites the files.
//! * [`golden_texts`]: what those files hold, on any platform.
//! * [`levels`]: scenes, baked, and the lines that stand for them in goldens.
//! * [`polys`], [`random_place`], [`along`]: places on a mesh to ask about, places along a path.
//! * [`changing`]: a level under obstacles, beside what a bake with the same shapes gives.
//! * [`mod@docking`]: a ship that docks, is boarded, and sails.
//! * [`walkers`]: agents without a mesh, for the avoidance methods.
//! * [`data`]: levels, meshes and answers of other toolkits, where they are present.
//! * [`digest`]: size and hash of bytes.

pub mod changing;
pub mod data;
mod digest;
pub mod docking;
pub mod fuzz;
mod golden;
pub mod golden_texts;
pub mod levels;
#[cfg(doctest)]
pub mod manual;
pub mod oracle;
mod places;
mod property;
#[path = "../../wayfare/src/format/way/seal.rs"]
mod seal;
pub mod walkers;

pub use digest::digest;
pub use golden::golden;
pub use places::{along, polys, random_place};
pub use property::property;
pub use wayfare_scenes::Rng;
