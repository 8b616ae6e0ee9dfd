//! Convex hulls in space: needed for volumes made of points, and by nothing else in the library.
//!
//! [`quickhull`] grows the hull; it decides by [`exact`], merges its triangles to faces by [`faces`], and leaves points
//! on one plane to [`flat`].

mod exact;
mod faces;
mod flat;
mod quickhull;

pub use quickhull::{Hull3, SolidHull, convex_hull3};
