//! The events of a tick.

use super::AgentId;
use crate::corridor::ConnectionCrossing;
use crate::query::Broken;
use glam::Vec3;

/// An event of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdEvent {
    /// The agent.
    pub agent: AgentId,
    /// What happened.
    pub kind: EventKind,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// A path was found, and whether it leads to the target itself.
    PathFound {
        /// Whether it leads to the target; if not, it leads as near as was found.
        complete: bool,
    },
    /// No path leads to the target. Reported once, even if the target moves on, until there is a path or the agent is
    /// given another target.
    Unreachable,
    /// The path is broken: the mesh has changed, and where it was rebuilt, no short way leads on. A new path has been
    /// requested.
    PathLost(Broken),
    /// The path will be broken: it crosses a tile that is [announced](crate::mesh::NavMesh::announce) to be replaced or
    /// removed. Reported once for each announcement, and for each path that is found over such a tile. The agent walks
    /// on.
    PathBreaksSoon(Broken),
    /// The surface under the agent is gone, for example under a new obstacle, and the agent was put on the nearest one:
    /// on its own floor if there is one within the crowd's [reach](super::CrowdSettings::reach). It keeps its target.
    Displaced {
        /// Where it was.
        from: Vec3,
        /// Where it is now.
        to: Vec3,
    },
    /// There is no surface near the agent: none within the crowd's [reach](super::CrowdSettings::reach).
    SurfaceLost,
    /// It has arrived at its target.
    Arrived,
    /// It has come no nearer to its target for the length of its patience; or it stands where its path ends before a
    /// target that does not move and no search leads nearer, which is reported once.
    Blocked {
        /// How many patience intervals have passed in a row.
        spells: u32,
    },
    /// Obstacles that [the game has set](super::Crowd::set_obstacles) are on its line to its next corner, and no local
    /// path leads around them. Reported once, until the line is free or there is a local path.
    Obstructed {
        /// The number of the nearest; [`Crowd::obstructed_by`](super::Crowd::obstructed_by) lists all.
        by: u32,
    },
    /// It gave up its target, and now has none: it was blocked for
    /// [`Recovery::give_up_after`](super::Recovery::give_up_after) patience intervals, or the agent that it followed
    /// was removed, regardless of that number.
    GaveUp,
    /// It entered an off-mesh connection.
    ConnectionEntered(ConnectionCrossing),
    /// It left an off-mesh connection.
    ConnectionLeft(ConnectionCrossing),
}
