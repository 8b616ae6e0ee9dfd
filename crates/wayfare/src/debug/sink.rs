//! The sink that receives drawings, and the roles of their shapes.
//!
//! Sources: separating what is drawn from how it looks follows Recast's `duDebugDraw` (Mikko Mononen, 2009); roles
//! instead of colours leave the looks to the renderer.

use crate::area::AreaId;
use glam::Vec3;

/// What a shape represents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Role {
    /// A surface of an area type.
    Ground(AreaId),
    /// A surface of a region; consecutive numbers should look different.
    Region(u32),
    /// A surface with a value, as a fraction of the greatest: 0…1.
    Value(f32),
    /// The top of something solid that is not walkable.
    Solid,
    /// A surface that is not walkable, by the reason.
    #[cfg(feature = "bake")]
    Unwalkable(crate::bake::Reason),
    /// An edge with nothing walkable beyond it.
    Wall,
    /// An edge between two polygons of a tile.
    InnerEdge,
    /// An edge between polygons of two tiles.
    TileEdge,
    /// An edge of a detail triangle.
    DetailEdge,
    /// The outline of a tile.
    TileOutline,
    /// A two-way off-mesh connection: a jump, a ladder, a teleport.
    Connection,
    /// A one-way off-mesh connection, from the first point of its line to the last.
    OneWayConnection,
    /// The path with this number.
    Path(u32),
    /// The path with this number, which does not reach its goal.
    PartialPath(u32),
    /// A corner of the path with this number.
    Corner(u32),
    /// The start of the path with this number.
    Start(u32),
    /// The goal of the path with this number.
    Goal(u32),
    /// The trail of the agent with this number: where it has walked.
    Trail(u32),
    /// The position of the agent with this number, which has not reached its goal.
    Stranded(u32),
    /// From a node of a search to the node that it was entered from.
    SearchTree,
    /// A node that a search has found and not expanded.
    OpenNode,
    /// A node that a search has expanded.
    ClosedNode,
    /// The outline of a cluster of tiles on this level of an abstract graph, from 1.
    Cluster(u32),
    /// An entrance of a cluster; the highest level on which it is one.
    Entrance(u32),
    /// A position that needs attention.
    Mark,
}

/// Receives drawings, shape by shape. World coordinates: metres, +Y up.
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
    /// A filled polygon; convex and roughly flat if it represents a surface.
    fn polygon(&mut self, corners: &[Vec3], role: Role);
    /// A line through `points`.
    fn line(&mut self, points: &[Vec3], role: Role);
    /// A single point.
    fn point(&mut self, at: Vec3, role: Role);
    /// Text at a point. Ignored unless the sink can write.
    fn label(&mut self, at: Vec3, text: &str, role: Role) {
        let _ = (at, text, role);
    }
}
