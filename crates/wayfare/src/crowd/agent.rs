//! An agent's record: the part of it that only its own phases touch.

use super::boundary::Boundary;
use super::local_path::LocalPath;
use super::{AgentParams, EventKind};
use crate::corridor::{ConnectionCrossing, CorridorCorner, PathCorridor};
use crate::math::index::{slot_from_bits, slot_to_bits};
use crate::mesh::PolyRef;
use crate::query::PolyPoint;
use glam::{Vec2, Vec3};

/// Identifies an agent of a crowd. The id of a removed agent is invalid for ever, even if another takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

impl AgentId {
    /// The id as a number, to store it or to pass it to another language; never 0.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        slot_to_bits(self.index, self.generation)
    }

    /// The id of a number from [`to_bits`](Self::to_bits). `None` for numbers that it never returns, such as 0. For any
    /// other number, the agent may be gone, or may never have existed.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        match slot_from_bits(bits) {
            Some((index, generation)) => Some(Self { index, generation }),
            None => None,
        }
    }

    /// Its index in the crowd's arrays.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Where an agent should go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// Nowhere: it stands still, and steps aside for others.
    #[default]
    None,
    /// To a position. While the mesh has no surface there, it is the nearest position within the crowd's
    /// [reach](super::CrowdSettings::reach).
    Point(PolyPoint),
    /// To a moving position: the end of its path is moved along, and a new path is searched only if that is not enough.
    Moving(PolyPoint),
    /// To another agent, wherever it is. If that agent is removed, the target is given up: it becomes `None`, and
    /// [`EventKind::GaveUp`](super::EventKind::GaveUp) reports it.
    Agent(AgentId),
    /// With this velocity, m/s in the horizontal plane, wherever that leads.
    Velocity(Vec3),
}

/// Status of an agent's path to its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetStatus {
    /// There is no target, or none that needs a path.
    #[default]
    None,
    /// A path was requested and is not yet found; the previous path is followed in the meantime.
    Waiting,
    /// The path leads to the target.
    Complete,
    /// The path leads as near to the target as was found.
    Partial,
    /// The target was reached, or as nearly as other agents that rest there allow. The agent moves on to a free
    /// position nearer to it, if there is one, then rests; it gives way in either case.
    Arrived,
    /// The target cannot be reached.
    Unreachable,
    /// There is no longer a surface under the agent.
    Lost,
}

impl TargetStatus {
    /// Its name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Waiting => "waiting",
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::Arrived => "arrived",
            Self::Unreachable => "unreachable",
            Self::Lost => "lost",
        }
    }
}

/// An off-mesh connection that an agent is crossing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnConnection {
    /// The connection, and the points where it is entered and left.
    pub crossing: ConnectionCrossing,
    /// Where the agent was when it entered: it starts from there.
    pub entered_at: Vec3,
    /// How far it has come, 0…1.
    pub progress: f32,
}

/// The data that only the agent's own phases read and write: one record per agent, used by one phase after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Agent {
    pub(super) params: AgentParams,
    pub(super) corridor: PathCorridor,
    pub(super) corners: Vec<CorridorCorner>,
    pub(super) boundary: Boundary,
    pub(super) local: LocalPath,
    pub(super) target: Target,
    /// The point of the target as it was given: it may have been moved to another surface since.
    pub(super) sent_to: Vec3,
    pub(super) target_status: TargetStatus,
    /// Whether a limit ended the search that found a partial path: continuing from its end may lead farther.
    pub(super) cut_short: bool,
    /// The polygon of the target when it was last unreachable, until it is reachable.
    pub(super) refused: Option<PolyRef>,
    pub(super) on_connection: Option<OnConnection>,
    /// Where the game has put the agent since the last tick.
    pub(super) placed: Option<Vec3>,
    /// Whether it was put here since the last tick, by being added or moved: if it overlaps others, it is separated
    /// from them at once.
    pub(super) is_fresh: bool,
    /// When it last searched for a better topology: crowd time in seconds.
    pub(super) optimised: f64,
    /// When it may request a path again: tick of the crowd.
    pub(super) not_before: u64,
    pub(super) detour: Detour,
    /// How much the cost of its path has changed since it was found.
    pub(super) cost_drift: f32,
    /// Whether costs have changed since the search for its path began.
    pub(super) asks_again: bool,
    pub(super) progress: AgentProgress,
    /// Events raised since they were last collected.
    pub(super) raised: Vec<EventKind>,
}

/// Whether an agent is on a detour around something that has broken its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Detour {
    /// It is not.
    #[default]
    None,
    /// Its path was broken, and its new path may be longer.
    Taken,
    /// It is, and by now there may be a shorter path again.
    Reopened,
}

/// Whether an agent is getting nearer to its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AgentProgress {
    /// The shortest remaining distance so far, metres.
    pub(super) nearest: f32,
    /// Seconds since that was reached.
    pub(super) waiting: f32,
    /// Seconds since this was last checked.
    pub(super) since_look: f32,
    /// Patience intervals that have passed since.
    pub(super) spells: u32,
    /// Seconds for which it stood still although it wanted to walk; walking reduces them.
    pub(super) stood: f32,
    /// How near to its target it has come at the end of a partial path, metres.
    pub(super) partial_end: f32,
    /// Whether it was reported that partial paths lead no nearer.
    pub(super) is_told: bool,
    pub(super) settling: Settling,
}

impl Default for AgentProgress {
    fn default() -> Self {
        let [nearest, partial_end] = [f32::INFINITY; 2];
        let settling = Settling::default();
        Self { nearest, waiting: 0.0, since_look: 0.0, spells: 0, stood: 0.0, partial_end, is_told: false, settling }
    }
}

/// How an agent that has arrived finds its final position: see [`gather`](super::gather).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Settling {
    /// The free position to which it moves.
    pub(super) to: Option<Vec2>,
    /// Seconds until it gives that up, or searches for one.
    pub(super) left: f32,
    /// Whether it stood still in the last tick.
    pub(super) is_still: bool,
    /// Its goal when it arrived, updated whenever it came to rest.
    pub(super) goal: Vec3,
}

impl Default for Settling {
    fn default() -> Self {
        Self { to: None, left: 0.0, is_still: false, goal: Vec3::NAN }
    }
}

impl Agent {
    /// Whether it has nowhere to go: it stands still, and steps aside for others.
    pub(super) fn rests(&self) -> bool {
        let idle = matches!(self.target_status, TargetStatus::Arrived | TargetStatus::None | TargetStatus::Unreachable);
        idle && self.on_connection.is_none() && !matches!(self.target, Target::Velocity(_))
    }

    /// Whether there is a surface under it: not on a connection, and not [`TargetStatus::Lost`].
    pub(super) fn is_on_ground(&self) -> bool {
        self.on_connection.is_none() && !self.corridor.polys().is_empty()
    }

    /// Requests a path to its target, if it has one that needs a path.
    pub(super) fn ask_anew(&mut self) {
        self.target_status = match self.target {
            _ if self.corridor.polys().is_empty() => TargetStatus::Lost,
            Target::None | Target::Velocity(_) => TargetStatus::None,
            Target::Point(_) | Target::Moving(_) | Target::Agent(_) => TargetStatus::Waiting,
        };
    }

    /// Requests a path by another filter, if it has one by the last: that path may be blocked, or another be cheaper.
    pub(super) fn ask_by_other_filter(&mut self) {
        if matches!(self.target_status, TargetStatus::Complete | TargetStatus::Partial | TargetStatus::Unreachable) {
            self.target_status = TargetStatus::Waiting;
        }
    }

    /// Leaves the connection that it is crossing, wherever it is, with an event: every entrance has its exit.
    pub(super) fn leave_connection(&mut self) {
        if let Some(on) = self.on_connection.take() {
            self.raised.push(EventKind::ConnectionLeft(on.crossing));
        }
    }

    /// Whether it has corners to go to: those of its path or, once it has arrived, the rest of it.
    pub(super) fn has_corners(&self) -> bool {
        self.follows_path() || self.target_status == TargetStatus::Arrived && self.on_connection.is_none()
    }

    /// Whether it currently walks along its corridor.
    pub(super) fn follows_path(&self) -> bool {
        matches!(self.target_status, TargetStatus::Complete | TargetStatus::Partial | TargetStatus::Waiting)
            && self.on_connection.is_none()
    }
}
