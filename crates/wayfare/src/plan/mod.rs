//! Finds paths that are not needed at once: planners, and a queue of requests.
//!
//! ```text
//!   request ──> [ waiting, first come first served ] ──> Planner ──> found at once ─────────────> answer
//!                                                           └──────> search, in slices ─────────> answer
//!                                                                    many in progress, on many threads
//! ```
//!
//! A [`Planner`] decides how a path is found: it looks it up, or has it searched. The [`PathQueue`] holds requests,
//! processes many of them at once within a budget in nodes, and returns the answers. These are the same, and ready in
//! the same step, for any number of threads. A [`Crowd`](../crowd/struct.Crowd.html) uses both for its paths.

mod active;
mod answer;
mod outcome;
mod path_queue;
mod planner;
#[cfg(test)]
mod queue_tests;
mod search_planners;

pub use answer::{PathAnswer, RequestId, RequestState, UnknownRequest};
pub use outcome::PlanOutcome;
pub use path_queue::PathQueue;
pub use planner::{Planned, Planner, SearchKind, SharedFilter};
pub use search_planners::{AStarPlanner, BoundedPlanner, OptimalPlanner};
