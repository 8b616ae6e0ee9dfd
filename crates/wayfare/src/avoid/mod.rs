//! Local avoidance: from an agent's desired velocity, its neighbours and the walls near it to a velocity that avoids
//! them.
//!
//! Nothing here depends on meshes, paths or crowds. All methods implement one trait, [`Avoider`]; [`Avoidance`] holds
//! any of them by value, so each agent can have its own and change it at any time.
//!
//! ```
//! use wayfare::Vec2;
//! use wayfare::avoid::{AgentState, Avoidance, Avoider, AvoidScratch, Neighbour, Surroundings};
//!
//! let walker = AgentState {
//!     position: Vec2::ZERO,
//!     velocity: Vec2::X,
//!     desired: Vec2::X,
//!     radius: 0.5,
//!     max_speed: 1.5,
//!     wall_distance: 0.5,
//! };
//! let oncoming = Neighbour {
//!     position: Vec2::new(3.0, 0.0),
//!     velocity: -Vec2::X,
//!     desired: -Vec2::X,
//!     radius: 0.5,
//!     share: 0.5,
//! };
//! let around = Surroundings { agent: walker, neighbours: &[oncoming], walls: &[] };
//! let mut scratch = AvoidScratch::default();
//! for name in Avoidance::NAMES.iter().skip(1) {
//!     let v = Avoidance::by_name(name).unwrap().velocity(&around, &mut scratch);
//!     assert!(v.y.abs() > 0.05, "{name} steps aside: {v}");
//! }
//! ```

mod adaptive;
mod agent;
mod avoidance;
mod avoider;
mod candidates;
mod clear_path;
mod clip_polygon;
mod discs;
mod free_boundary;
#[cfg(test)]
mod geometric_tests;
mod half_plane;
mod hrvo;
mod linear_program;
mod lines;
mod nearest_lanes;
mod obstacles;
mod orca;
mod orca_lanes;
mod pedestrian;
mod penalty;
#[cfg(test)]
mod penalty_tests;
mod proximity_grid;
mod ring_pattern;
mod sample_weights;
mod sampled;
mod scratch;
#[cfg(test)]
mod tests;
mod velocity_obstacle;

pub use adaptive::Adaptive;
pub use agent::{AgentState, Neighbour, Surroundings, Wall};
pub use avoidance::Avoidance;
pub use avoider::Avoider;
pub use clear_path::ClearPath;
pub use half_plane::HalfPlane;
pub use hrvo::Hrvo;
pub use nearest_lanes::NearestScratch;
pub(crate) use nearest_lanes::{Company, Layers, Standing};
pub use orca::{Orca, OrcaSolver};
pub use pedestrian::Pedestrian;
pub use proximity_grid::{Near, ProximityGrid};
pub use sample_weights::SampleWeights;
pub use sampled::Sampled;
pub use scratch::AvoidScratch;
