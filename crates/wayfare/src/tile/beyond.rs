//! What lies on the other side of a polygon's edge, as one number.

use super::Side;

/// Number of edges that walks process together. Only the first this many of a polygon can be named as the facing edge.
pub(super) const EDGES: usize = 7;

/// What lies on the other side of an edge. All ones: a wall. Highest bit set: a border edge. Otherwise 20 bits for the
/// polygon, above them three for the facing edge and one for a dead end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Beyond(u32);

impl Beyond {
    /// Polygon `poly` of the same tile, whose edge number `twin` runs between the same vertices.
    pub(super) fn poly(poly: u32, twin: u32) -> Self {
        Self(poly | twin.min(Self::NO_TWIN) << Self::TWIN_SHIFT)
    }

    const POLY: u32 = (1 << 20) - 1;
    const TWIN_SHIFT: u32 = 20;
    /// Facing edge unknown: there is no exact one, or it is not among the first that a walk processes.
    pub(super) const NO_TWIN: u32 = EDGES as u32;

    const DEAD_END: u32 = 1 << 30;

    /// Nothing: a wall.
    pub(crate) const WALL: Self = Self(u32::MAX);
    /// Set for edges on the tile's border: below it two bits for the side, then the number of the border edge.
    const BORDER: u32 = 1 << 31;
    const SIDE_SHIFT: u32 = 29;
    const NUMBER: u32 = (1 << Self::SIDE_SHIFT) - 1;

    pub(super) const fn border(side: Side, number: u32) -> Self {
        Self(Self::BORDER | (side as u32) << Self::SIDE_SHIFT | number)
    }

    /// The polygon of the same tile on the other side of the edge.
    #[inline]
    pub(crate) const fn as_poly(self) -> Option<u32> {
        if self.0 & Self::BORDER == 0 { Some(self.0 & Self::POLY) } else { None }
    }

    /// Which edge of the [neighbouring polygon](Self::as_poly) runs between the same two vertices, counted from that
    /// polygon's first; `None` if none of its first seven does.
    #[inline]
    pub(crate) const fn twin(self) -> Option<u32> {
        let twin = (self.0 & !Self::DEAD_END) >> Self::TWIN_SHIFT;
        if twin < Self::NO_TWIN { Some(twin) } else { None }
    }

    /// The number of the border edge, if the edge lies on the tile's border.
    #[inline]
    pub(crate) const fn as_border(self) -> Option<u32> {
        if self.0 & Self::BORDER != 0 && self.0 != u32::MAX { Some(self.0 & Self::NUMBER) } else { None }
    }

    /// The side of the tile on which the edge lies, if it lies on one.
    #[inline]
    pub(crate) const fn side(self) -> Option<Side> {
        if self.as_border().is_some() { Some(Side::ALL[(self.0 >> Self::SIDE_SHIFT & 3) as usize]) } else { None }
    }

    /// The same, marked as a dead end.
    #[inline]
    pub(super) const fn with_dead_end(self) -> Self {
        Self(self.0 | Self::DEAD_END)
    }

    /// Whether it leads only to polygons of this tile from which there is no other exit.
    #[inline]
    pub(crate) const fn is_dead_end(self) -> bool {
        self.0 & (Self::BORDER | Self::DEAD_END) == Self::DEAD_END
    }
}
