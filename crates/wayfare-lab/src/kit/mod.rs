//! What many prototypes need, so that each of them is about one thing only.
//!
//! | file | |
//! |---|---|
//! | [`stage`] | a mesh to stand on: places, paths, drawing |
//! | [`maps`] | small levels drawn as outlines |
//! | [`encounter`] | one agent among others, about to avoid them |
//! | [`board`] | velocities, drawn beside the scene |
//! | [`watch`] | recorded searches, drawn up to a step |
//! | [`Stepper`] | steps that are shown one at a time |
//! | [`troop`] | a crowd on a stage, stepped and drawn |

pub mod board;
pub mod encounter;
mod lift;
pub mod maps;
pub mod stage;
mod stepper;
pub mod troop;
pub mod watch;

pub use board::Board;
pub use encounter::Encounter;
pub use lift::{lift, lifted};
pub use stage::Stage;
pub use stepper::Stepper;
pub use troop::Troop;
