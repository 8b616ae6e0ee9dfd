//! A straight path: start, corners, end.

use crate::mesh::PolyRef;
use glam::Vec3;

/// What happens at a point of a straight path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointKind {
    /// The path starts.
    Start,
    /// It bends to the left around the left end of a portal.
    Left,
    /// It bends to the right around the right end of a portal.
    Right,
    /// An off-mesh connection is entered: its polygon is the connection.
    Enter,
    /// An off-mesh connection is left.
    Leave,
    /// The path crosses a portal without bending; only added by [`add_crossings`](super::add_crossings).
    Crossing,
    /// The path ends.
    End,
}

/// A point of a straight path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StraightPoint {
    /// The position.
    pub point: Vec3,
    /// What happens here.
    pub kind: PointKind,
    /// The polygon or connection that the path enters here; at the end the last one.
    pub poly: PolyRef,
    /// The index of that polygon in the path.
    pub step: u32,
}

/// The shortest line through the portals of a path: start, corners, end.
#[derive(Debug, Default, PartialEq)]
pub struct StraightPath {
    /// The points; empty for a path without polygons.
    pub points: Vec<StraightPoint>,
    /// The sum of the lengths of its segments in space, connections included, metres.
    pub length: f32,
}

impl Clone for StraightPath {
    fn clone(&self) -> Self {
        Self { points: self.points.clone(), length: self.length }
    }

    /// Reuses the memory of the points.
    fn clone_from(&mut self, other: &Self) {
        let Self { points, length } = other;
        self.points.clone_from(points);
        self.length = *length;
    }
}
