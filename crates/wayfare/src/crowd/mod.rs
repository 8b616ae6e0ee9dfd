//! Many agents at once, in named phases.
//!
//! A tick is a row of phases, each a function that can be called by itself, replaced, or watched; [`Crowd::step`] calls
//! them all:
//!
//! ```text
//!   validate ─> plan ─> neighbours ─> corners ─> connections ─> steer ─> avoid ─> integrate ─> resolve ─> constrain
//!   the mesh    paths   who is near   where to   off the mesh   how I    how all  velocity,    overlaps   on the mesh,
//!   changed?                          go next                   would    can      place        parted     there? stuck?
//! ```
//!
//! The crowd holds places and velocities as arrays over all agents and everything else in one record an agent. It
//! keeps no mesh: each tick is given one, and notices by itself whether it is another than last time. Paths come from
//! a [`Planner`](crate::plan::Planner), through a [queue](crate::plan::PathQueue) with a budget. With the feature
//! `rayon` the phases run on the threads of the pool that the call is made in; the result is the same bits for any
//! number of threads.
//!
//! Sources: Mikko Mononen, "My Summer of Code 2010", "Crowd Manager Progress", "On Navigation Robustness", Digesting
//! Duck, August to October 2010.

mod agent;
mod avoidance;
#[cfg(test)]
mod bad_input_tests;
mod boundary;
#[cfg(test)]
mod change_tests;
#[cfg(test)]
mod connection_tests;
mod connections;
mod constrain;
mod control;
mod corners;
mod costs;
mod crowd_data;
mod destination;
mod events;
mod flow_field;
mod formation;
#[cfg(test)]
mod formation_tests;
mod gather;
#[cfg(test)]
mod gather_tests;
mod hot;
mod integrate;
#[cfg(test)]
mod layer_tests;
mod mesh_change;
#[cfg(test)]
mod mesh_change_tests;
mod neighbours;
#[cfg(test)]
mod overlap_tests;
mod parallel;
mod params;
#[cfg(test)]
mod params_tests;
mod path_requests;
mod pedestrians;
mod plan;
#[cfg(test)]
mod plan_tests;
mod profile;
mod progress;
mod resolve;
mod save;
mod scratch;
mod steer;
pub mod steering;
mod step;
#[cfg(test)]
mod stuck_tests;
#[cfg(test)]
mod target_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tick_tests;
mod validate;

pub use avoidance::Sight;
pub use agent::{AgentId, OnConnection, Target, Way};
pub use crowd_data::{Crowd, CrowdError, CrowdSettings};
pub use events::{CrowdEvent, EventKind};
pub use flow_field::{FlowField, FlowPlanner};
pub use formation::{Formation, Slot};
pub use params::{AgentParams, Driver, ParamsError, Recovery, Style, WhenUnreachable};
pub use pedestrians::Pedestrians;
pub use profile::{Phase, Profile};
pub use save::CrowdReadError;
