//! Runs prototypes: forwards and back, one by one or in pairs, recorded and replayed.
//!
//! | file | |
//! |---|---|
//! | [`catalog`] | the list, by category, with search |
//! | [`session`] | one running prototype |
//! | [`pair`] | two on the same input, figures compared |
//! | [`recording`] | what was done, tick by tick |
//! | [`replay`] | from a recording to the state at a tick |
//! | [`checkpoints`] | states to go back to |
//! | [`case_file`] | a recording with what is expected of it: "save as test" |
//! | [`determinism`] | twice the same, or at which tick not |
//! | [`profiler`] | the times of the last ticks, and spikes |
//! | [`log`] | what prototypes had to say, and when |
//! | [`handles`] | points that are dragged |
//! | [`address`] | a state as a short text |
//! | [`saved`] | parameters between runs |

pub mod address;
pub mod case_file;
pub mod catalog;
mod checkpoints;
pub mod determinism;
pub mod handles;
pub mod log;
pub mod pair;
pub mod profiler;
pub mod recording;
mod replay;
pub mod saved;
pub mod session;

pub use catalog::{all, find};
pub use pair::Pair;
pub use recording::Recording;
pub use session::{LabError, Session};

/// The length of a tick, seconds.
pub const TICK: f32 = 1.0 / 60.0;
