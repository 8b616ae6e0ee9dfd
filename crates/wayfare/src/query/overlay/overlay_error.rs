//! Why an overlay, or what is painted on it, is refused.
//!
//! Sources: none needed.

/// Something that cannot be done with an overlay. It is then as it was.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverlayError {
    /// A setting is out of range.
    #[error("{name} is {value}: give a finite number of metres, 0.001 or above")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What was given.
        value: f32,
    },
    /// A cost or a weight is below zero or not finite: then a search's estimate of the rest would be too high, and
    /// paths not the cheapest.
    #[error(
        "a cost or weight of {cost} cannot be laid over a mesh: use a finite number, zero or above; where something is to be cheap, make everything else cost more"
    )]
    Cost {
        /// What was given.
        cost: f32,
    },
    /// The shape cannot be painted.
    #[error("the shape {problem}")]
    Shape {
        /// Why.
        problem: &'static str,
    },
    /// The shape has more cells than an overlay could ever hold.
    #[error(
        "the shape has about {cells} cells, and at most {most} are held: paint a smaller one, or make cells larger"
    )]
    TooLarge {
        /// How many cells the box around it has.
        cells: u64,
        /// How many there may be.
        most: u32,
    },
    /// There is no room for its cells.
    #[error(transparent)]
    Full(#[from] OverlayFull),
}

/// An overlay has no room for what was to be painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{needed} cells would be held, and at most {most} are: let some decay, clear the overlay, or raise max_cells")]
pub struct OverlayFull {
    /// How many cells would be held.
    pub needed: u32,
    /// How many may be.
    pub most: u32,
}
