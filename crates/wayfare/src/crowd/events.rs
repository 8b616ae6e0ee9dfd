//! What happened to whom in a tick.

use super::AgentId;
use crate::corridor::ConnectionCrossing;
use crate::query::Broken;
use glam::Vec3;

/// Something that happened to an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrowdEvent {
    /// The agent.
    pub agent: AgentId,
    /// What happened.
    pub kind: EventKind,
}

/// What can happen to an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventKind {
    /// A path was found, and whether it leads to the target itself.
    PathFound {
        /// It does; if not, it leads as near as was found.
        complete: bool,
    },
    /// No way leads to the target. Told once, also if the target moves on, until there is a way or the agent is sent
    /// elsewhere.
    Unreachable,
    /// The way is broken: the mesh has changed. A new path has been asked for.
    PathLost(Broken),
    /// The path will be broken: it crosses a tile that is [announced](crate::mesh::NavMesh::announce) to be replaced or
    /// removed. Told once for each announcement, and of each path that is found over such a tile. The agent walks on.
    PathBreaksSoon(Broken),
    /// The surface under the agent is gone, under a new obstacle, and it was put on the nearest that is left: on its
    /// own floor, if there is some within the crowd's [reach](super::CrowdSettings::reach). It keeps its target.
    Displaced {
        /// Where it was.
        from: Vec3,
        /// Where it is now.
        to: Vec3,
    },
    /// There is no surface left near the agent: none within the crowd's [reach](super::CrowdSettings::reach).
    GroundLost,
    /// It has come to its target.
    Arrived,
    /// It has got no nearer to its target for a spell of its patience; or it stands where its way ends short of the
    /// target and no search leads nearer, which is told once.
    Blocked {
        /// How many spells in a row this makes.
        spells: u32,
    },
    /// It gave its target up, and has none now: it was blocked for
    /// [`Recovery::give_up_after`](super::Recovery::give_up_after) spells, or the agent that it followed was removed,
    /// whatever that number is.
    GaveUp,
    /// It entered an off-mesh connection.
    ConnectionEntered(ConnectionCrossing),
    /// It left an off-mesh connection.
    ConnectionLeft(ConnectionCrossing),
}
