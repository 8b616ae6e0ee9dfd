//! Why an overlay, or what is painted on it, is refused.
//!
//! Sources: none needed.

/// Why a call on an overlay was refused. The overlay is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverlayError {
    /// A setting is out of range.
    #[error("{name} is {value}: give a finite number of metres, 0.001 or above")]
    Setting {
        /// The setting.
        name: &'static str,
        /// The value passed.
        value: f32,
    },
    /// A cost or a weight is negative or not finite. With a negative one, a search's estimate would be too high, and
    /// paths not the cheapest.
    #[error(
        "a cost or weight of {cost} cannot be laid over a mesh: use a finite number, zero or above; where something is to be cheap, make everything else cost more"
    )]
    Cost {
        /// The value passed.
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
    /// There is no room for the shape's cells.
    #[error(transparent)]
    Full(#[from] OverlayFull),
}

/// An overlay has no room for a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{needed} cells would be held, and at most {most} are: let some decay, clear the overlay, or raise max_cells")]
pub struct OverlayFull {
    /// The number of cells that would be in memory.
    pub needed: u32,
    /// The maximum: [`OverlaySettings::max_cells`](super::OverlaySettings::max_cells).
    pub most: u32,
}
