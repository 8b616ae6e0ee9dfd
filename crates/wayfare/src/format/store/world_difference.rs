//! Why tiles of two stores do not belong into one.

use glam::Vec3;

/// What differs between the heads of two stores, so that their tiles do not make one world. Of two numbers, the first
/// is that of the store that was asked.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldDifference {
    /// The tiles have different sizes.
    #[error("their tiles are {} m and {} m wide", sides[0], sides[1])]
    TileSize {
        /// Width, or depth where only that differs, metres.
        sides: [f32; 2],
    },
    /// The tiles are counted from different corners.
    #[error("their tiles are counted from different corners, {} and {}, which are those of the bounds", origins[0], origins[1])]
    Origin {
        /// The corners.
        origins: [Vec3; 2],
    },
    /// The tiles are baked for different agents, or with cells of different sizes.
    #[error("their tiles are baked for different values of {what}, {} m and {} m", values[0], values[1])]
    BakedFor {
        /// What differs.
        what: &'static str,
        /// Its values, metres.
        values: [f32; 2],
    },
    /// Off-mesh connections, area types or sections of the whole mesh differ.
    #[error("their off-mesh connections or the names and costs of their area types differ")]
    Rest,
}
