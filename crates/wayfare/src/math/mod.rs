//! All that knows nothing of navigation.

mod aabb;
pub mod funnel;
mod heap;
mod hull2;
pub mod index;
pub mod ops;
pub mod plane;
pub mod polygon;
pub mod predicates;
mod rng;
pub mod segment;

pub use aabb::Aabb;
pub use heap::OpenList;
pub use hull2::{convex_hull, convex_hull_into};
pub use rng::Rng;
