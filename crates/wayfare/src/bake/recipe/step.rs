//! The steps from triangles to a tile, and the doors between them.
//!
//! ```text
//!   Triangles ─ rasterize ─ Solid ─ filter ─ Filtered ─ compact ─ Open ─ mark, erode, mark ─ Eroded ─ … ─ Tile
//! ```
//!
//! There is a door after each product that is worth returning to. Solid spans before the filters can still take more
//! triangles, and are the same for all agents with the same slope and climb; filtered ones can be divided into tiles;
//! open spans can be stored compactly, and obstacles marked on them; eroded, they are where an agent's centre may be.

use crate::bake::Stage;

/// A step of the recipe. Several may belong to one [`Stage`] of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BakeStep {
    /// Triangles become solid spans; triangles too steep to walk on become unwalkable ones.
    Rasterize,
    /// Finds spans on which no agent can stand: under low ceilings, beside drops. Curbs are kept walkable.
    Filter,
    /// Keeps only the open spans, with their neighbours.
    Compact,
    /// Marks the volumes that apply before erosion.
    MarkBefore,
    /// Keeps the agent's centre a radius away from every edge.
    Erode,
    /// Marks the volumes that apply after erosion.
    MarkAfter,
    /// Computes distances to the nearest edge, if the partition needs them.
    Distance,
    /// Divides the surface into regions that do not lie over or under themselves.
    Regions,
    /// Traces the outlines of regions.
    Contours,
    /// Turns outlines into convex polygons.
    Polygons,
    /// Gives polygons triangles that follow the surface.
    Detail,
    /// Converts voxel units to metres, and records the steps across the border for the neighbours.
    Tile,
}

impl BakeStep {
    /// All steps, in order.
    pub const ALL: [Self; 12] = [
        Self::Rasterize,
        Self::Filter,
        Self::Compact,
        Self::MarkBefore,
        Self::Erode,
        Self::MarkAfter,
        Self::Distance,
        Self::Regions,
        Self::Contours,
        Self::Polygons,
        Self::Detail,
        Self::Tile,
    ];

    /// The stage to which its time is added.
    #[must_use]
    pub const fn stage(self) -> Stage {
        match self {
            Self::Rasterize => Stage::Rasterize,
            Self::Filter => Stage::Filter,
            Self::Compact => Stage::Compact,
            Self::MarkBefore | Self::Erode | Self::MarkAfter => Stage::Erode,
            Self::Distance => Stage::Distance,
            Self::Regions => Stage::Regions,
            Self::Contours => Stage::Contours,
            Self::Polygons => Stage::Polygons,
            Self::Detail => Stage::Detail,
            Self::Tile => Stage::Tile,
        }
    }
}

/// A point at which the recipe can be entered with an existing product, or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Door {
    /// Only the triangles exist.
    Triangles,
    /// Solid spans as they were rasterised: [`Products::heightfield`](super::Products::heightfield).
    Solid,
    /// Solid spans after the filters: the same field. It may be larger than the tile, which is then cut out of it.
    Filtered,
    /// Open spans without any marks: [`Products::compact`](super::Products::compact).
    Open,
    /// Open spans after volumes and erosion: the same field.
    Eroded,
    /// The finished tile.
    Tile,
}

impl Door {
    /// The number of the first step after the door, in [`BakeStep::ALL`].
    pub(super) const fn first_step(self) -> usize {
        match self {
            Self::Triangles => 0,
            Self::Solid => BakeStep::Filter as usize,
            Self::Filtered => BakeStep::Compact as usize,
            Self::Open => BakeStep::MarkBefore as usize,
            Self::Eroded => BakeStep::Distance as usize,
            Self::Tile => BakeStep::ALL.len(),
        }
    }
}
