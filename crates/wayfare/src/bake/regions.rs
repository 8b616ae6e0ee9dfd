//! Which region each span belongs to.

/// Set in the id of regions made of a tile's border cells, which belong to its neighbours.
pub const BORDER_REGION: u32 = 1 << 31;

/// A partition of a compact heightfield into regions, in its span order. Each region is connected, does not overlap
/// itself in plan, and has one area type.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// Region of each span; 0 where there is none. Ids 1…`count` are all in use.
    pub id: Vec<u32>,
    /// How many regions there are, border regions not counted.
    pub count: u32,
}
