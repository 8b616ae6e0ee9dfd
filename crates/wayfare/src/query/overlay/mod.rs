//! Costs that change: danger, fire, crowding, the fear of where others died, laid over a mesh.
//!
//! An overlay belongs to places, not to polygons: it holds what a metre costs in addition, in cells of the world. So it
//! outlives tiles that are replaced, tells storeys apart, and no tile is copied for it. It is painted, adds up, and
//! decays by ticks. A filter reads it: [`Overlaid`].
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
//! | [`overlay_error`] | why something is refused |

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
