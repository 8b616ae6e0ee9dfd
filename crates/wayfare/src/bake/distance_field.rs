//! How far each span is from the nearest edge of walkable ground.

/// Distances over a compact heightfield, in its span order: 2 a straight step, 3 a diagonal one.
#[derive(Clone, Debug, Default)]
pub struct DistanceField {
    /// Distance of each span to the nearest edge.
    pub distance: Vec<u16>,
    /// The greatest distance, before blurring.
    pub max: u16,
}
