//! The steps from triangles to a tile, and the doors between them.
//!
//! ```text
//!   Triangles ─ rasterize ─ Solid ─ filter ─ Filtered ─ compact ─ Open ─ mark, erode, mark ─ Eroded ─ … ─ Tile
//! ```
//!
//! A door stands where a product is whole that is worth coming back to. What is solid before the filters can still get
//! more triangles, and is the same for all agents of one slope and climb; filtered, it can be cut into tiles; open
//! ground can be kept small, and obstacles be marked on it; eroded, it is where an agent's center may be.

use crate::bake::Stage;

/// A step of the recipe. Several may belong to one [`Stage`] of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BakeStep {
    /// Triangles become solid spans; triangles too steep to walk on become unwalkable ones.
    Rasterize,
    /// Spans that nobody can stand on are found: under low ceilings, beside drops. Curbs are let through.
    Filter,
    /// Only the open ground is kept, with its neighbours.
    Compact,
    /// Volumes that are marked before erosion take their ground.
    MarkBefore,
    /// The agent's center stays a radius away from every edge.
    Erode,
    /// Volumes that are marked after erosion paint theirs.
    MarkAfter,
    /// Distances to the nearest edge, where the partition needs them.
    Distance,
    /// The ground is cut into regions that do not lie over or under themselves.
    Regions,
    /// Regions become outlines.
    Contours,
    /// Outlines become convex polygons.
    Polygons,
    /// Polygons get triangles that follow the ground.
    Detail,
    /// Voxel units become metres; the steps across the border are recorded for the neighbours.
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

    /// The stage whose time it counts to.
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

/// Where the recipe can be entered with a product that is there, or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Door {
    /// Nothing is there but the triangles.
    Triangles,
    /// Solid spans as they were rasterised: [`Products::heightfield`](super::Products::heightfield).
    Solid,
    /// Solid spans after the filters: the same field. It may be larger than the tile, which is then cut out of it.
    Filtered,
    /// Open ground on which nothing is marked: [`Products::compact`](super::Products::compact).
    Open,
    /// Open ground after volumes and erosion: the same field.
    Eroded,
    /// The finished tile.
    Tile,
}

impl Door {
    /// The number of the first step behind the door, in [`BakeStep::ALL`].
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
