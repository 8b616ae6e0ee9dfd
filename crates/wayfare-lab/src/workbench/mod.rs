//! The workbench: a level, its bake with every product in between, and tools that ask and change the mesh.
//!
//! Nothing here knows a window. The app shows the panels that [`Workbench`] and its tools describe, and draws their
//! canvases; tests press the same buttons.
//!
//! ```text
//!   scene or file ─► LoadedLevel ─► Task: BakeJob ─► Stage { mesh, report, volumes, … }
//!                                                      ▲ clicks, panels │
//!                                                     tools ◄───────────┘─► Canvas
//! ```

pub mod baking;
mod bench;
pub mod controls;
mod inspect;
mod layers;
pub mod level;
pub mod log;
mod problems;
mod product_view;
mod products;
mod settings_panel;
mod stage;
pub mod task;
#[cfg(test)]
pub(crate) mod testing;
mod times;
mod tool;
pub mod tools;

pub use bench::Workbench;
pub use controls::{Controls, Listing, Script};
pub use layers::{Layer, Layers};
pub use products::Product;
pub use stage::{Stage, World};
pub use tool::{Click, Tool};
