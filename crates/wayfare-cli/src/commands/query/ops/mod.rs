//! The ops of a batch. Each query is parsed once ([`question`]: reading, snapping to the mesh), may be run any number
//! of times (which `--bench` measures), and is answered at the end.

mod around;
mod clearances;
mod graphs;
mod place;
mod question;
mod random;
mod walk;

pub(super) use question::{Question, Shared, question};
