//! Kinds of blocks, cells, and boxes of blocks.

use crate::area::AreaId;

/// The kind of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Block {
    /// Empty: agents pass through it and cannot stand on it.
    #[default]
    Air,
    /// Stone, wood, leaves: agents stand on it and cannot pass through it.
    Solid,
    /// Agents swim on its surface, with their feet in the topmost water block. Deeper blocks cannot be entered.
    Water,
    /// Agents pass through it, climb up and down in it, and stand on it.
    Ladder,
    /// Agents pass through it. Its area says that it must be opened; a search can refuse that area or raise its cost.
    Door,
    /// Lava, thorns: agents cannot enter it or stand on it.
    Hazard,
}

impl Block {
    /// Area of a standing point in water.
    pub const WATER_AREA: AreaId = AreaId::from_low_bits(1);
    /// Area of a standing point in a door.
    pub const DOOR_AREA: AreaId = AreaId::from_low_bits(3);
    /// Area of a standing point on a ladder.
    pub const LADDER_AREA: AreaId = AreaId::from_low_bits(5);

    /// Whether a body can be in this block.
    #[must_use]
    #[inline]
    pub const fn lets_through(self) -> bool {
        !matches!(self, Self::Solid | Self::Hazard)
    }

    /// Whether agents can stand on top of this block.
    #[must_use]
    #[inline]
    pub const fn carries(self) -> bool {
        matches!(self, Self::Solid | Self::Ladder)
    }

    /// Whether feet can be in the middle one of three blocks above each other: supported by the one below, on a ladder,
    /// or on the surface of water.
    #[inline]
    pub(super) const fn holds(below: Self, at: Self, above: Self) -> bool {
        match at {
            Self::Water => !matches!(above, Self::Water),
            Self::Ladder => true,
            _ => below.carries(),
        }
    }

    /// The area of a standing point whose feet are in this block.
    #[must_use]
    #[inline]
    pub const fn area(self) -> AreaId {
        match self {
            Self::Water => Self::WATER_AREA,
            Self::Door => Self::DOOR_AREA,
            Self::Ladder => Self::LADDER_AREA,
            _ => AreaId::WALKABLE,
        }
    }
}

/// The position of a block, or of the feet of a standing agent: block (x, y, z) extends from (x, y, z) to (x + 1, y +
/// 1, z + 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Along x.
    pub x: i32,
    /// Along y, upwards.
    pub y: i32,
    /// Along z.
    pub z: i32,
}

impl Cell {
    /// The block at (x, y, z).
    #[must_use]
    #[inline]
    pub const fn new(x: i32, y: i32, z: i32) -> Self {
        Self { x, y, z }
    }
}

impl From<[i32; 3]> for Cell {
    fn from([x, y, z]: [i32; 3]) -> Self {
        Self { x, y, z }
    }
}

/// A box of blocks, both corners included. It is empty if `max` is less than `min` along any axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockBox {
    /// The block with the least coordinates.
    pub min: Cell,
    /// The block with the greatest coordinates.
    pub max: Cell,
}

impl BlockBox {
    /// The box spanned by two blocks, which may be any opposite corners.
    #[must_use]
    pub fn new(a: Cell, b: Cell) -> Self {
        let min = Cell::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z));
        Self { min, max: Cell::new(a.x.max(b.x), a.y.max(b.y), a.z.max(b.z)) }
    }

    /// The box of one block.
    #[must_use]
    pub const fn of(cell: Cell) -> Self {
        Self { min: cell, max: cell }
    }

    /// Whether the box contains a block.
    #[must_use]
    pub const fn contains(&self, c: Cell) -> bool {
        self.min.x <= c.x
            && c.x <= self.max.x
            && self.min.y <= c.y
            && c.y <= self.max.y
            && self.min.z <= c.z
            && c.z <= self.max.z
    }

    /// The intersection with another box; empty if they have nothing in common.
    pub(super) fn overlap(self, other: Self) -> Self {
        let a = self;
        let b = other;
        Self {
            min: Cell::new(a.min.x.max(b.min.x), a.min.y.max(b.min.y), a.min.z.max(b.min.z)),
            max: Cell::new(a.max.x.min(b.max.x), a.max.y.min(b.max.y), a.max.z.min(b.max.z)),
        }
    }

    /// The cells where feet of bodies `width` blocks wide can be if this box holds all blocks of the world: feet may be
    /// above the topmost blocks, and a wide body may touch the first block with its far corner only.
    pub(super) fn standing_room(self, width: u32) -> Self {
        if self.is_empty() {
            return self;
        }
        let aside = width as i32 - 1;
        let Cell { x, y, z } = self.min;
        let min = Cell::new(x.saturating_sub(aside), y, z.saturating_sub(aside));
        Self { min, max: Cell { y: self.max.y.saturating_add(1), ..self.max } }
    }

    /// Whether the box contains no block.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.max.x < self.min.x || self.max.y < self.min.y || self.max.z < self.min.z
    }

    /// Number of blocks along x, y and z; all 0 if the box is empty.
    #[must_use]
    pub const fn size(&self) -> [u64; 3] {
        if self.is_empty() {
            return [0; 3];
        }
        [
            (self.max.x as i64 - self.min.x as i64 + 1) as u64,
            (self.max.y as i64 - self.min.y as i64 + 1) as u64,
            (self.max.z as i64 - self.min.z as i64 + 1) as u64,
        ]
    }
}
