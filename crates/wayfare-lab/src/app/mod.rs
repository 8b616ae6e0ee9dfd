//! The window: panels, menus and views around the workbench and the prototypes. The same code is the web page.

mod address;
mod bars;
mod batches;
mod bench_ui;
mod controls;
mod help;
mod lab_app;
mod last_visit;
mod navigation;
mod open_file;
mod painter;
mod profile_graph;
mod proto_side;
mod proto_ui;
mod save_file;
mod screenshot;
mod style;
mod viewport;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use address::LabAddress;
pub use lab_app::{LabApp, Mode, Start};
