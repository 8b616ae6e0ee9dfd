//! A position on the mesh: where queries begin, what they return, and where connections are attached.

use super::PolyRef;
use glam::Vec3;

/// A position on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolyPoint {
    /// The polygon.
    pub poly: PolyRef,
    /// A point on it.
    pub point: Vec3,
}
