//! A place on the mesh: what questions begin at, what they answer with, and where connections meet the ground.

use super::PolyRef;
use glam::Vec3;

/// A place on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolyPoint {
    /// The polygon.
    pub poly: PolyRef,
    /// A point on it.
    pub point: Vec3,
}
