//! Costs that change over time, laid over a mesh: danger, fire, crowding, places where others died.
//!
//! An overlay belongs to positions, not to polygons: it holds the additional cost of a metre in cells of the world. So
//! it survives replaced tiles, keeps floors apart, and copies no tile. Painted costs add up and decay with time. The
//! filter [`Overlaid`] reads it.
//!
//! ```text
//!    paint: disc, box, polygon          [ cells ]  ── decay by ticks          filter: area costs
//!                └──── adds up ────────────^                                     + weight × overlay along each crossing
//! ```
//!
//! | file | |
//! |---|---|
//! | [`cost_overlay`] | the overlay: painted, read, decaying |
//! | [`cells`] | its cells, and the walk along a segment |
//! | [`shapes`] | which cells a shape covers |
//! | [`overlaid`] | the filter |
//! | [`bytes`] | saved and loaded |
//! | [`overlay_error`] | why an overlay or a shape is refused |

mod bytes;
mod cells;
mod cost_overlay;
mod overlaid;
mod overlay_error;
mod shapes;
#[cfg(test)]
mod tests;

pub use bytes::OverlayReadError;
pub use cost_overlay::{CostOverlay, OverlaySettings};
pub use overlaid::Overlaid;
pub use overlay_error::{OverlayError, OverlayFull};
pub use shapes::OverlayShape;
