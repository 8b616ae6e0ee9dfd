//! Parameters of agents that are set together, by a name.

use clap::ValueEnum;
use wayfare::crowd::{AgentParams, Pedestrians};

/// What agents are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// People, each at a speed of their own, fitted to what was measured
    Pedestrian,
}

impl Preset {
    /// Its name, as it is given and reported.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pedestrian => "pedestrian",
        }
    }

    /// What its agents have in common: all but their speed.
    pub(crate) fn agent(self) -> AgentParams {
        match self {
            Self::Pedestrian => AgentParams::pedestrian(),
        }
    }

    /// Its agents, without end.
    pub(crate) fn agents(self, seed: u64) -> Pedestrians {
        match self {
            Self::Pedestrian => Pedestrians::new(seed),
        }
    }
}
