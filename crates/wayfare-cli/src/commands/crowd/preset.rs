//! Named presets of agent parameters.

use clap::ValueEnum;
use wayfare::crowd::{AgentParams, Pedestrians};

/// What agents are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// People, each with their own speed, fitted to measurements
    Pedestrian,
}

impl Preset {
    /// The preset's name on the command line and in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pedestrian => "pedestrian",
        }
    }

    /// What its agents have in common: everything except their speed.
    pub(crate) fn agent(self) -> AgentParams {
        match self {
            Self::Pedestrian => AgentParams::pedestrian(),
        }
    }

    /// An endless sequence of its agents.
    pub(crate) fn agents(self, seed: u64) -> Pedestrians {
        match self {
            Self::Pedestrian => Pedestrians::new(seed),
        }
    }
}
