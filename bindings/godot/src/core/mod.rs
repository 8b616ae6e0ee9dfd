//! The part below nodes and server: maps, their parts and their agents, without any type of the engine.
//!
//! Nothing here calls Godot, so no signal handler can come in between.

mod agent;
mod job;
mod level;
mod map;
mod state;
mod threads;
mod walk;

pub use agent::{Agent, AgentSettings, Goal, Movement, Report, Status};
pub use level::{Change, Level, Settings};
pub use map::{Map, MapNews, filter_for, link_flags};
pub use state::{Footprint, Id, LinkPart, State, Tick, VolumePart, end, with};
pub use threads::{is_ending, spawn};
pub use walk::AgentEvent;
