//! How an answer came out. Answers are not errors: "no path" is a good answer to a good question.
//!
//! Sources: Mikko Mononen, "Detour Return Codes Take 2", Digesting Duck, November 2010 — which brought the status word;
//! a typed status beside the answer says the same without bit tests.

use core::fmt;

/// How complete a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathStatus {
    /// The path reaches the goal.
    Complete,
    /// The goal was not reached; the path leads to the place found that is nearest to it.
    Partial,
    /// There is no path: the start or the goal has no ground.
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

/// A limit that cut an answer short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LimitHit {
    /// The search was not allowed to open more nodes.
    Nodes,
    /// The search was not allowed to go farther or to cost more.
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
