//! Where drawings go, and what their parts stand for.
//!
//! Sources: the separation of what is drawn from how is that of Recast's `duDebugDraw` (Mikko Mononen, 2009); roles in
//! place of colours leave the looks to the renderer.

use crate::area::AreaId;
use glam::Vec3;

/// What a shape stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Role {
    /// Ground of an area type.
    Ground(AreaId),
    /// Ground of a region; neighbouring numbers should look different.
    Region(u32),
    /// Ground with a value, 0…1 of the greatest.
    Value(f32),
    /// The top of something solid that cannot be stood on.
    Solid,
    /// An edge beyond which there is nothing to walk on.
    Wall,
    /// An edge between two polygons of a tile.
    InnerEdge,
    /// An edge between two polygons of two tiles.
    TileEdge,
    /// An edge of a detail triangle.
    DetailEdge,
    /// The outline of a tile.
    TileOutline,
    /// A connection off the mesh that leads both ways: a jump, a ladder, a teleport.
    Connection,
    /// A connection off the mesh that leads from the first point of its line to the last, and not back.
    OneWayConnection,
    /// The path with this number.
    Path(u32),
    /// The path with this number, which does not reach its goal.
    PartialPath(u32),
    /// A corner of the path with this number.
    Corner(u32),
    /// Where the path with this number starts.
    Start(u32),
    /// Where the path with this number should lead.
    Goal(u32),
    /// Where the agent with this number has walked.
    Trail(u32),
    /// Where the agent with this number is, which has not come to its goal.
    Stranded(u32),
    /// A place that something is to be said about.
    Mark,
}

/// Takes drawings, shape by shape. World coordinates: metres, +Y up.
///
/// ```
/// use wayfare::debug::{DebugSink, Role};
///
/// /// Counts walls.
/// struct Walls(usize);
/// impl DebugSink for Walls {
///     fn polygon(&mut self, _: &[wayfare::Vec3], _: Role) {}
///     fn line(&mut self, _: &[wayfare::Vec3], role: Role) {
///         self.0 += usize::from(role == Role::Wall);
///     }
///     fn point(&mut self, _: wayfare::Vec3, _: Role) {}
/// }
/// ```
pub trait DebugSink {
    /// A filled polygon; convex and roughly flat where it stands for ground.
    fn polygon(&mut self, corners: &[Vec3], role: Role);
    /// A line through `points`.
    fn line(&mut self, points: &[Vec3], role: Role);
    /// A single place.
    fn point(&mut self, at: Vec3, role: Role);
    /// Words at a place. Ignored unless the sink can write.
    fn label(&mut self, at: Vec3, text: &str, role: Role) {
        let _ = (at, text, role);
    }
}
