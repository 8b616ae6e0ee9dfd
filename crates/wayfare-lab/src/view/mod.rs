//! The 3D view: what is drawn (batches, made of canvases), from where (a camera), what a click hits, and the renderer.
//!
//! Only the renderer needs a GPU and the feature `app`; all else can be tested without a window.

mod batch;
mod camera;
mod colour;
mod from_canvas;
mod level_picture;
mod pick;
#[cfg(feature = "app")]
pub mod renderer;

pub use batch::{Batch, Body, LineStroke, PointMark, SurfaceVertex};
pub use camera::Camera;
pub use colour::Colour;
pub use from_canvas::{Looks, TextMark};
pub use level_picture::{draw_level, draw_terrain};
pub use pick::{Hit, Pickable};
