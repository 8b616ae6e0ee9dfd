//! Crowds: many agents that avoid each other, moved in named phases.
//!
//! A tick is a sequence of phases, each a function that can be called separately, replaced, or observed;
//! [`Crowd::step`] calls them all:
//!
//! ```text
//!   validate ─> plan ─> neighbours ─> corners ─> connections ─> steer ─> avoid ─> integrate ─> resolve ─> constrain
//!   the mesh    paths   who is near   where to   off the mesh   how I    how all  velocity,    overlaps   on the mesh,
//!   changed?                          go next                   would    can      place        parted     there? stuck?
//! ```
//!
//! The crowd stores positions and velocities as arrays over all agents, and everything else in one record per agent. It
//! owns no mesh: each tick is given one, and detects changes itself. Paths come from a
//! [`Planner`](crate::plan::Planner), through a [queue](crate::plan::PathQueue) with a budget. With the feature `rayon`
//! the phases run on the threads of the pool from which they are called; the result is the same, bit for bit, for any
//! number of threads.
//!
//! Sources: Mikko Mononen, "My Summer of Code 2010", "Crowd Manager Progress", "On Navigation Robustness", Digesting
//! Duck, August to October 2010.

mod agent;
mod arrived_or_blocked;
mod avoidance;
#[cfg(test)]
mod bad_input_tests;
mod boundary;
#[cfg(test)]
mod change_tests;
mod changed_ground;
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
mod floor_walls;
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
mod local_path;
#[cfg(test)]
mod local_path_tests;
mod loose_obstacles;
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
mod walk_around;

pub use agent::{AgentId, OnConnection, Target, TargetStatus};
pub use avoidance::Sight;
pub use crowd_data::{Crowd, CrowdError, CrowdSettings};
pub use events::{CrowdEvent, EventKind};
pub use flow_field::{FlowField, FlowPlanner};
pub use formation::{Formation, Slot};
pub use params::{AgentParams, Driver, ParamsError, Recovery, Style, WhenUnreachable};
pub use pedestrians::Pedestrians;
pub use profile::{Phase, Profile};
pub use save::CrowdReadError;
