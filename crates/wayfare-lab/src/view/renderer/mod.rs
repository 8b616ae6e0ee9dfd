//! Draws batches with depth into a texture: the same in a window, in a web page and in tests without a display.

mod body_mesh;
mod gpu_batch;
mod pipelines;
mod targets;
mod view_renderer;

pub use view_renderer::{Frame, Renderer};
