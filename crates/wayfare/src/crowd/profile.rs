//! How long the phases of a tick took, measured with the caller's clock.

use core::time::Duration;

/// The phases of a tick, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Repairs paths that a mesh change has broken.
    Validate,
    /// Searches paths and follows moving targets.
    Plan,
    /// Finds which agents are near each other.
    Neighbours,
    /// Finds the next corners of every path, and the walls around.
    Corners,
    /// Enters, crosses and leaves off-mesh connections.
    Connections,
    /// Computes the velocity that each agent wants.
    Steer,
    /// Chooses velocities that avoid collisions.
    Avoid,
    /// Limits accelerations and moves the agents.
    Integrate,
    /// Separates overlapping agents.
    Resolve,
    /// Puts all agents back on the mesh; detects arrived and stuck agents.
    Constrain,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 10] = [
        Self::Validate,
        Self::Plan,
        Self::Neighbours,
        Self::Corners,
        Self::Connections,
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
            Self::Connections => "connections",
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
        self.times.iter().fold(Duration::ZERO, |sum, time| sum.saturating_add(*time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Clock, Context};
    use crate::crowd::Crowd;
    use crate::crowd::tests::{DT, at, field, small};
    use crate::plan::AStarPlanner;
    use core::sync::atomic::{AtomicU64, Ordering};

    /// A clock that goes on by a millisecond whenever it is looked at.
    struct Ticking(AtomicU64);

    impl Clock for Ticking {
        fn now(&self) -> Duration {
            Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
        }
    }

    #[test]
    fn phases_are_timed_in_a_step_and_by_hand() {
        let (mesh, mut crowd, mut planner) = (field(4), Crowd::default(), AStarPlanner::new());
        let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
        crowd.go_to(&mesh, agent, at(3.5, 3.5)).unwrap();
        let clock = Ticking(AtomicU64::new(0));
        let context = Context { clock: Some(&clock), ..Context::default() };
        let millis = |crowd: &Crowd| Phase::ALL.map(|phase| crowd.profile().time(phase).as_millis());
        crowd.step(&mesh, DT, &mut planner, &context);
        assert_eq!(millis(&crowd), [1; 10]);

        // A game that avoids by itself, and has its own clock for that.
        crowd.begin(DT);
        for phase in Phase::ALL {
            if phase == Phase::Avoid {
                crowd.spend(phase, Duration::from_millis(5));
                assert_eq!(crowd.profile().total(), Duration::from_millis(11), "readable in the middle of a tick");
            } else {
                crowd.run(phase, &mesh, DT, &mut planner, &context);
            }
        }
        crowd.finish();
        assert_eq!(millis(&crowd), [1, 1, 1, 1, 1, 1, 5, 1, 1, 1]);
        crowd.step(&mesh, DT, &mut planner, &Context::default());
        assert_eq!(crowd.profile().total(), Duration::ZERO, "no clock, no times, and none of the tick before");
    }
}
