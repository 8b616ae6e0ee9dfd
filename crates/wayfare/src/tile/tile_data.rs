//! The records of a tile's lists, and look-ups by polygon.

use crate::area::{AreaId, PolyFlags};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;

/// A side of a tile, in the order of the voxel directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Side {
    /// Towards smaller x.
    XMin = 0,
    /// Towards greater z.
    ZMax = 1,
    /// Towards greater x.
    XMax = 2,
    /// Towards smaller z.
    ZMin = 3,
}

impl Side {
    /// All sides, by number.
    pub const ALL: [Self; 4] = [Self::XMin, Self::ZMax, Self::XMax, Self::ZMin];

    /// The side that faces this one in the neighbouring tile.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// The step to the neighbouring tile, as (dx, dz).
    #[must_use]
    pub const fn step(self) -> (i32, i32) {
        match self {
            Self::XMin => (-1, 0),
            Self::ZMax => (0, 1),
            Self::XMax => (1, 0),
            Self::ZMin => (0, -1),
        }
    }

    /// Whether it lies across x, so that z goes along it.
    #[inline]
    pub(crate) const fn is_x(self) -> bool {
        matches!(self, Self::XMin | Self::XMax)
    }

    /// How far an edge from `a` to `b` runs along this side with its polygon inside, and how far it deviates from it.
    pub(crate) fn run(self, a: Vec3, b: Vec3) -> [f32; 2] {
        match self {
            Self::XMin => [b.z - a.z, b.x - a.x],
            Self::ZMax => [b.x - a.x, b.z - a.z],
            Self::XMax => [a.z - b.z, b.x - a.x],
            Self::ZMin => [a.x - b.x, b.z - a.z],
        }
    }
}

/// What is on the other side of a polygon's edge: nothing, a polygon of the same tile, or another tile. Packed in 32
/// bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct EdgeNeighbour(u32);

impl EdgeNeighbour {
    /// A wall or a drop.
    pub const WALL: Self = Self(u32::MAX);
    const BORDER: u32 = 1 << 31;

    /// The polygon with this index in the same tile.
    #[must_use]
    pub const fn poly(index: u32) -> Self {
        debug_assert!(index < Self::BORDER);
        Self(index)
    }

    /// Whatever the tile on the other side of `side` has there.
    #[must_use]
    pub const fn border(side: Side) -> Self {
        Self(Self::BORDER | side as u32)
    }

    /// The neighbouring polygon in the same tile, if any.
    #[must_use]
    pub const fn as_poly(self) -> Option<u32> {
        if self.0 < Self::BORDER { Some(self.0) } else { None }
    }

    /// The side of the tile on which the edge lies, if it is a border edge.
    #[must_use]
    pub const fn as_border(self) -> Option<Side> {
        if self.0 >= Self::BORDER && self.0 < Self::BORDER + 4 { Some(Side::ALL[(self.0 & 3) as usize]) } else { None }
    }

    /// Whether the edge lies on a side of the tile.
    pub(crate) const fn is_border(self) -> bool {
        self.0 >= Self::BORDER && self.0 < Self::BORDER + 4
    }

    /// Whether there is nothing on the other side.
    #[must_use]
    pub const fn is_wall(self) -> bool {
        self.0 == u32::MAX
    }

    /// The packed form, as tile files store it.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// From the packed form; `None` for invalid bits.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits < Self::BORDER + 4 || bits == u32::MAX { Some(Self(bits)) } else { None }
    }
}

impl core::fmt::Debug for EdgeNeighbour {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match (self.as_poly(), self.as_border()) {
            (Some(poly), _) => write!(f, "p{poly}"),
            (_, Some(side)) => write!(f, "{side:?}"),
            _ => f.write_str("wall"),
        }
    }
}

/// A convex polygon: a range of the tile's corner lists, with the flags and area type for crossing it.
#[derive(Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Poly {
    /// First corner in [`TileData::corners`](super::TileData::corners) and
    /// [`TileData::neighbours`](super::TileData::neighbours).
    pub first: u32,
    /// Number of corners, 3 or more; collinear ones are allowed.
    pub count: u16,
    /// Abilities that an agent needs to cross it.
    pub flags: PolyFlags,
    /// Area type.
    pub area: AreaId,
    /// Zero.
    pub(crate) reserved: [u8; 3],
}

impl core::fmt::Debug for Poly {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { first, count, flags, area, .. } = self;
        write!(f, "Poly {{ first: {first}, count: {count}, flags: {flags:?}, area: {area:?} }}")
    }
}

impl Poly {
    /// A polygon of `count` corners from `first` on.
    #[must_use]
    pub const fn new(first: u32, count: u16, flags: PolyFlags, area: AreaId) -> Self {
        Self { first, count, flags, area, reserved: [0; 3] }
    }

    /// Its corners as a range of [`TileData::corners`](super::TileData::corners) and
    /// [`TileData::neighbours`](super::TileData::neighbours).
    #[must_use]
    #[inline]
    pub const fn range(&self) -> core::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// The detail triangles of one polygon. Vertex indices of its triangles count the polygon's own corners first, then its
/// extra vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct DetailRange {
    /// First extra vertex in [`TileData::detail_verts`](super::TileData::detail_verts).
    pub first_vert: u32,
    /// First triangle in [`TileData::detail_tris`](super::TileData::detail_tris).
    pub first_tri: u32,
    /// Number of extra vertices.
    pub vert_count: u16,
    /// Number of triangles; 0 means that the polygon is triangulated as a fan.
    pub tri_count: u16,
}

/// A detail triangle: three vertices, and which of its edges lie on the polygon's outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct DetailTri {
    /// Vertices, numbered as described in [`DetailRange`]. The winding makes the normal point up.
    pub verts: [u16; 3],
    /// Bit k is set if the edge from vertex k to the next lies on the outline of the polygon.
    pub outline: u16,
}

/// One step across a tile's border: the surface in a border cell of this tile and the surface it leads to in the cell
/// on the other side.
///
/// The bake knows, on both sides of a border, which spans are connected. Two tiles of one bake are linked where a seam
/// of one equals the other's with `here` and `there` exchanged: exactly where the eroded surface is connected, and
/// nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct SeamCell {
    /// The border edge of a polygon it belongs to, as an index into [`TileData::corners`](super::TileData::corners).
    pub edge: u32,
    /// The cell's number along the border in the *level's* grid: its row on an x side, its column on a z side.
    pub cell: i32,
    /// Height of the surface on this side, in cell heights above the lowest point of the level.
    pub here: u16,
    /// Height of the surface on the other side, by the same count.
    pub there: u16,
}

/// What a tile was made for. 0 where its maker did not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct BakedFor {
    /// Radius of the agents: the distance of the tile's surface from walls, metres. A bake that erodes whole cells
    /// stores the rounded radius, which may be more than was requested.
    pub radius: f32,
    /// Height of the agents, metres.
    pub height: f32,
    /// Highest step of the agents, metres; the largest height difference over which borders are connected.
    pub climb: f32,
    /// Side of the cells counted in [`seams`](super::TileData::seams), from the origin of the mesh's layout, metres; 0
    /// for tiles that were not baked.
    pub cell_size: f32,
    /// Height of the cells, metres; 0 for tiles that were not baked.
    pub cell_height: f32,
}

impl BakedFor {
    /// All zeros.
    pub const NOTHING: Self = Self { radius: 0.0, height: 0.0, climb: 0.0, cell_size: 0.0, cell_height: 0.0 };
}

/// An edge on the tile's border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct BorderEdge {
    /// The polygon it belongs to.
    pub poly: u32,
    /// Its first corner, as an index into [`TileData::corners`](super::TileData::corners).
    pub corner: u32,
    /// For sorting all edges by side and along each side: the number of the edge at this position of that order.
    pub(super) sorted: u32,
}

/// Consecutive cells along a border edge, each of which leads across the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SeamRun {
    /// The first cell's number along the border in the level's grid.
    pub(crate) cell: i32,
    /// The number of the border edge.
    pub(crate) edge: u32,
    /// Number of cells, 1 or more.
    pub(crate) count: u32,
    /// The first cell's index in the list of all heights.
    pub(crate) first: u32,
}

/// The heights of a cell of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct SeamHeights {
    /// Of the surface on this side, in cell heights above the lowest point of the level.
    pub(crate) here: u16,
    /// Of the surface on the other side.
    pub(crate) there: u16,
}

impl SeamRun {
    /// The cell behind the last.
    pub(crate) fn end(&self) -> i64 {
        i64::from(self.cell) + i64::from(self.count)
    }
}
