//! How long the phases of a tick took, by the caller's clock.

use core::time::Duration;

/// The phases of a tick, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Ways that a change of the mesh has broken are mended.
    Validate,
    /// Paths are searched, moving targets followed.
    Plan,
    /// Which agents are near one another.
    Neighbours,
    /// The next corners of every way, and the walls around.
    Corners,
    /// Off-mesh connections are entered, walked and left.
    Links,
    /// The velocity that each would like.
    Steer,
    /// The velocity at which they do not collide.
    Avoid,
    /// Velocities change no faster than agents can; places follow.
    Integrate,
    /// Those that overlap are pushed apart.
    Resolve,
    /// All are put back on the mesh; some have arrived, some are stuck.
    Constrain,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 10] = [
        Self::Validate,
        Self::Plan,
        Self::Neighbours,
        Self::Corners,
        Self::Links,
        Self::Steer,
        Self::Avoid,
        Self::Integrate,
        Self::Resolve,
        Self::Constrain,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Validate => "validate",
            Self::Plan => "plan",
            Self::Neighbours => "neighbours",
            Self::Corners => "corners",
            Self::Links => "links",
            Self::Steer => "steer",
            Self::Avoid => "avoid",
            Self::Integrate => "integrate",
            Self::Resolve => "resolve",
            Self::Constrain => "constrain",
        }
    }
}

/// What a tick did and how long its phases took. Times are zero without a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    pub(super) times: [Duration; Phase::ALL.len()],
    /// Paths found.
    pub paths: u32,
    /// Nodes that path searches opened.
    pub nodes: u64,
    /// Agents still waiting for a path.
    pub waiting: u32,
}

impl Profile {
    /// How long a phase took.
    #[must_use]
    pub fn time(&self, phase: Phase) -> Duration {
        self.times[phase as usize]
    }

    /// How long all phases took.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.times.iter().sum()
    }
}
