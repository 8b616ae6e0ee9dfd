//! Which place on a portal stands for it in a corridor search: what a request chooses.

/// Where a corridor search places the node of a portal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NodePlacement {
    /// At its middle.
    #[default]
    Middle,
    /// At the point nearest to the node before.
    Nearest,
    /// Where the straight line from the node before to the goal crosses it; else at its point nearest to the goal.
    Visible,
}
