//! All that knows nothing of navigation.

mod aabb;
pub mod index;
pub mod ops;
pub mod plane;

pub use aabb::Aabb;
