//! An agent's record: the part of it that only its own phases touch.

use super::boundary::Boundary;
use super::{AgentParams, EventKind};
use crate::corridor::{ConnectionCrossing, CorridorCorner, PathCorridor};
use crate::mesh::PolyRef;
use crate::query::PolyPoint;
use glam::{Vec2, Vec3};

/// Names an agent of a crowd. The name of one that was removed means nobody, also when its place is taken by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

impl AgentId {
    /// Its place in the crowd's arrays.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Where an agent is to go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// Nowhere: it stands, and steps aside for others.
    #[default]
    None,
    /// To a place.
    Point(PolyPoint),
    /// To a place that moves: the end of its way is moved along, and the path searched anew only if that does not do.
    Moving(PolyPoint),
    /// To wherever another agent is. If that is removed, the target is given up: it becomes `None`, and
    /// [`EventKind::GaveUp`](super::EventKind::GaveUp) tells of it.
    Agent(AgentId),
    /// With this velocity, m/s on the plane, wherever that leads.
    Velocity(Vec3),
}

/// How it stands with an agent's way to its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// There is no target that takes a way.
    #[default]
    None,
    /// A path is wanted and not yet found; an older way is followed meanwhile.
    Waiting,
    /// The way leads to the target.
    Complete,
    /// The way leads as near to the target as was found.
    Partial,
    /// The target was reached, or as much of it as others who rest there leave. The agent goes on to a free place
    /// nearer, if there is one, then rests; it gives way either way.
    Arrived,
    /// The target cannot be reached.
    Unreachable,
    /// There is no ground under the agent any more.
    Lost,
}

/// An off-mesh connection that an agent is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnConnection {
    /// From where to where, and over which connection.
    pub crossing: ConnectionCrossing,
    /// Where the agent was when it entered: it goes on from there.
    pub entered_at: Vec3,
    /// How far it has come, 0…1.
    pub progress: f32,
}

/// What only the agent's own phases read and write: one record an agent, taken in turn by each phase.
#[derive(Clone, Debug, Default)]
pub(super) struct Agent {
    pub(super) params: AgentParams,
    pub(super) corridor: PathCorridor,
    pub(super) corners: Vec<CorridorCorner>,
    pub(super) boundary: Boundary,
    pub(super) target: Target,
    pub(super) way: Way,
    /// Whether a limit has cut the search short that found a partial way: from its end another may lead farther.
    pub(super) cut_short: bool,
    /// Where the target was when last it could not be reached, until it can be.
    pub(super) refused: Option<PolyRef>,
    pub(super) on_connection: Option<OnConnection>,
    /// Where the game has put the agent since the last tick.
    pub(super) placed: Option<Vec3>,
    /// Put here since the last tick, by being added or carried: where it overlaps others it is parted from them at
    /// once.
    pub(super) is_fresh: bool,
    /// When it last looked for a better topology: seconds of the crowd.
    pub(super) optimised: f64,
    /// When it may ask for a path again: ticks of the crowd.
    pub(super) not_before: u64,
    pub(super) detour: Detour,
    /// By how much costs that changed have changed its path's since that was found.
    pub(super) cost_drift: f32,
    /// Whether costs have changed since the search for its path began.
    pub(super) asks_again: bool,
    pub(super) progress: Progress,
    /// What has happened since events were collected.
    pub(super) raised: Vec<EventKind>,
}

/// Whether an agent goes round something that has broken its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Detour {
    /// It does not.
    #[default]
    None,
    /// Its path was broken, and it may have got a longer one.
    Taken,
    /// It was, and by now there may be a shorter one again.
    Reopened,
}

/// Whether an agent gets nearer to its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Progress {
    /// The least distance to go so far, metres.
    pub(super) nearest: f32,
    /// Seconds since that was reached.
    pub(super) waiting: f32,
    /// Seconds since that was last looked at.
    pub(super) since_look: f32,
    /// Spells of patience since then.
    pub(super) spells: u32,
    /// Seconds that it has stood although it wants to walk; walking makes up for them.
    pub(super) stood: f32,
    /// How near to its target it has come at the end of a partial way, metres.
    pub(super) partial_end: f32,
    /// Whether it was told that partial ways lead no nearer.
    pub(super) is_told: bool,
    pub(super) settling: Settling,
}

impl Default for Progress {
    fn default() -> Self {
        let [nearest, partial_end] = [f32::INFINITY; 2];
        let settling = Settling::default();
        Self { nearest, waiting: 0.0, since_look: 0.0, spells: 0, stood: 0.0, partial_end, is_told: false, settling }
    }
}

/// How an agent that has arrived settles: see [`gather`](super::gather).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settling {
    /// The free place to which it rolls.
    pub(super) to: Option<Vec2>,
    /// Seconds until it gives that up, or looks for one.
    pub(super) left: f32,
    /// Whether it has just stood.
    pub(super) is_still: bool,
    /// Where its goal was when it arrived, and whenever it came to rest.
    pub(super) goal: Vec3,
}

impl Default for Settling {
    fn default() -> Self {
        Self { to: None, left: 0.0, is_still: false, goal: Vec3::NAN }
    }
}

impl Agent {
    /// Whether it has nowhere to go: it stands, and steps aside for others.
    pub(super) fn rests(&self) -> bool {
        let idle = matches!(self.way, Way::Arrived | Way::None | Way::Unreachable);
        idle && self.on_connection.is_none() && !matches!(self.target, Target::Velocity(_))
    }

    /// Whether there is ground under it: not on a connection, and not [`Way::Lost`].
    pub(super) fn is_on_ground(&self) -> bool {
        self.on_connection.is_none() && !self.corridor.polys().is_empty()
    }

    /// Wants a path to its target, if it has one that takes a way.
    pub(super) fn ask_anew(&mut self) {
        self.way = match self.target {
            _ if self.corridor.polys().is_empty() => Way::Lost,
            Target::None | Target::Velocity(_) => Way::None,
            Target::Point(_) | Target::Moving(_) | Target::Agent(_) => Way::Waiting,
        };
    }

    /// Asks by another filter, if it has an answer by the last: its way may be closed by that, or another be cheaper.
    pub(super) fn ask_by_other_filter(&mut self) {
        if matches!(self.way, Way::Complete | Way::Partial | Way::Unreachable) {
            self.way = Way::Waiting;
        }
    }

    /// Leaves the connection that it is on, wherever that has got it, and is told so: every entrance has its exit.
    pub(super) fn leave_connection(&mut self) {
        if let Some(on) = self.on_connection.take() {
            self.raised.push(EventKind::ConnectionLeft(on.crossing));
        }
    }

    /// Whether it has corners to go to: those of its way, or, once it has arrived, what is left of that.
    pub(super) fn has_corners(&self) -> bool {
        self.follows_way() || self.way == Way::Arrived && self.on_connection.is_none()
    }

    /// Whether it walks by its corridor now.
    pub(super) fn follows_way(&self) -> bool {
        matches!(self.way, Way::Complete | Way::Partial | Way::Waiting) && self.on_connection.is_none()
    }
}
