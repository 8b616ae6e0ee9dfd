//! Geometry and arithmetic that do not depend on navigation.

mod aabb;
mod box_grid;
pub(crate) mod bytes;
pub(crate) mod disjoint_sets;
pub(crate) mod envelope;
mod frame;
pub mod funnel;
#[cfg(test)]
mod funnel_tests;
#[cfg(any(feature = "bake", feature = "outlines"))]
pub(crate) mod half_edges;
mod heap;
mod hull2;
mod hull2_chain;
mod hull3;
pub mod index;
pub(crate) mod lanes;
pub mod ops;
pub mod plane;
pub mod polygon;
pub mod predicates;
mod rng;
pub(crate) mod rounding;
pub mod segment;
pub(crate) mod steps;

pub use aabb::Aabb;
pub use box_grid::BoxGrid;
pub use frame::{Frame, FrameError, Handedness, UpAxis};
pub use heap::OpenList;
pub use hull2::{convex_hull, convex_hull_into};
pub use hull2_chain::hull_chain;
pub use hull3::{Hull3, SolidHull, convex_hull3};
pub use rng::Rng;
