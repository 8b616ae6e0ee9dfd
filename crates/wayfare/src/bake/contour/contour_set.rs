//! The outlines of regions.

use crate::area::AreaId;
use crate::voxel::Grid;

/// A corner of a contour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContourVert {
    /// Column line, counted from the low side of the tile proper (border cells are not counted).
    pub x: i32,
    /// Height in cell heights above the lowest point of the level.
    pub y: i32,
    /// Row line, counted from the low side of the tile proper.
    pub z: i32,
    /// The region on the other side of the edge from this vertex to the next; 0 for a wall.
    /// [`ContourVert::TILE_BORDER`] marks edges on a tile's border and [`ContourVert::AREA_BORDER`] edges between two
    /// area types.
    pub neighbour: u32,
}

impl ContourVert {
    /// The edge lies on the border of the tile: another tile is on the other side.
    pub const TILE_BORDER: u32 = 1 << 31;
    /// The edge separates two area types.
    pub const AREA_BORDER: u32 = 1 << 30;
    /// The region number within `neighbour`.
    pub const REGION_MASK: u32 = (1 << 30) - 1;
}

/// One closed outline, with its holes joined to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contour {
    /// First vertex in [`ContourSet::verts`].
    pub first: u32,
    /// Number of vertices, 3 or more.
    pub count: u32,
    /// Region inside.
    pub region: u32,
    /// Area type inside.
    pub area: AreaId,
}

/// Simplified outlines of all regions. The winding makes their normal point up.
#[derive(Clone, Debug)]
pub struct ContourSet {
    /// The tile proper, without border cells: vertex coordinates count from it.
    pub grid: Grid,
    /// All outlines, in order of region.
    pub contours: Vec<Contour>,
    /// Vertices of all outlines.
    pub verts: Vec<ContourVert>,
    /// Vertices before simplification, over all outlines: for the report.
    pub raw_vert_count: u32,
    /// How far outlines may deviate from the edge of the voxels, in cells.
    pub max_error: f32,
}
