//! The lab: prototypes that show how navigation works, and the host that runs, compares, records and replays them.
//!
//! A prototype is one file in `src/prototypes/` with one type that implements [`Prototype`]; the file is all it takes
//! to have it in the list. It updates itself in ticks of the same length, draws a [`Canvas`] of plain shapes, describes
//! its own [parameters](Params), and knows neither windows nor clocks. A [`Session`](host::Session) runs one, a
//! [`Pair`](host::Pair) two on the same input.
//!
//! ```text
//!   pointer, keys ─► Input ─┐                      ┌─► Canvas  ─► the app's 3D view, or a picture
//!   sliders ─────► values ──┴─► Session: Prototype ├─► figures ─► compared side by side
//!                               (each tick)        └─► report  ─► log, violations, tests
//! ```

#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(feature = "app")]
pub mod app;
pub mod canvas;
pub mod host;
pub mod input;
pub mod kit;
pub mod palette;
pub mod params;
pub mod picture;
mod prototype;
pub mod view;
pub mod workbench;

pub use canvas::{Canvas, Ink};
pub use input::Input;
pub use params::Params;
pub use prototype::{
    Category, Clock, Digest, Entry, Figure, Figures, Instance, Meta, Phases, Prototype, Remark, Report, Setup, Severity,
};

/// What a prototype's file begins with: `use crate::prelude::*;`.
pub mod prelude {
    pub use crate::canvas::{Canvas, Ink, Pen};
    pub use crate::input::{Input, Key, Ray};
    pub use crate::params::Params;
    pub use crate::prototype::{Category, Digest, Figures, Meta, Phases, Prototype, Report, Setup};
    pub use wayfare::{Vec2, Vec3};
}

mod prototypes {
    use crate::prototype::Entry;
    include!(concat!(env!("OUT_DIR"), "/prototypes.rs"));
}
