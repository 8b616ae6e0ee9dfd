//! The status of an answer. An answer is not an error: "no path" is a valid result of a valid query.
//!
//! Sources: Mikko Mononen, "Detour Return Codes Take 2", Digesting Duck, November 2010 — which introduced the status
//! word; a typed status beside the answer carries the same information without bit tests.

use core::fmt;

/// Whether a path reaches its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathStatus {
    /// The path reaches the goal.
    Complete,
    /// The goal was not reached. The path ends at the reached point nearest to the goal.
    Partial,
    /// There is no path: the start or the goal is not on the mesh.
    None,
}

impl fmt::Display for PathStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Complete => "complete",
            Self::Partial => "partial",
            Self::None => "none",
        })
    }
}

/// A limit that cut a search short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LimitHit {
    /// The limit on opened nodes.
    Nodes,
    /// The limit on distance or cost.
    Distance,
}

impl fmt::Display for LimitHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "nodes",
            Self::Distance => "distance",
        })
    }
}
