//! What fills a place of the world, and boxes of places.

use crate::area::AreaId;

/// What fills one block of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Block {
    /// Nothing: walked through, does not carry.
    #[default]
    Air,
    /// Stone, wood, leaves: carries, and stops whoever walks into it.
    Solid,
    /// Swum on: its surface carries a swimmer whose feet are in the topmost block of it; deeper blocks are not entered
    /// on foot.
    Water,
    /// Walked through and climbed up and down; its top carries.
    Ladder,
    /// Walked through. That somebody must open it is said by its area, which a search can refuse or make dear.
    Door,
    /// Lava, thorns: neither entered nor stood on.
    Hazard,
}

impl Block {
    /// Area of a standing point in water.
    pub const WATER_AREA: AreaId = AreaId::from_low_bits(1);
    /// Area of a standing point in a door.
    pub const DOOR_AREA: AreaId = AreaId::from_low_bits(3);
    /// Area of a standing point on a ladder.
    pub const LADDER_AREA: AreaId = AreaId::from_low_bits(5);

    /// Whether a body fits where this is.
    #[must_use]
    #[inline]
    pub const fn lets_through(self) -> bool {
        !matches!(self, Self::Solid | Self::Hazard)
    }

    /// Whether feet can rest on top of it.
    #[must_use]
    #[inline]
    pub const fn carries(self) -> bool {
        matches!(self, Self::Solid | Self::Ladder)
    }

    /// Whether feet find hold in the middle one of three blocks over each other: on the one below, on a ladder, or on
    /// the surface of water.
    #[inline]
    pub(super) const fn holds(below: Self, at: Self, above: Self) -> bool {
        match at {
            Self::Water => !matches!(above, Self::Water),
            Self::Ladder => true,
            _ => below.carries(),
        }
    }

    /// The area of a standing point whose feet are in it.
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

/// The place of one block, or of the feet of somebody who stands: block (x, y, z) reaches from (x, y, z) to (x + 1, y +
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
    /// The least block.
    pub min: Cell,
    /// The greatest block.
    pub max: Cell,
}

impl BlockBox {
    /// The box between two blocks, whichever corners they are.
    #[must_use]
    pub fn new(a: Cell, b: Cell) -> Self {
        let min = Cell::new(a.x.min(b.x), a.y.min(b.y), a.z.min(b.z));
        Self { min, max: Cell::new(a.x.max(b.x), a.y.max(b.y), a.z.max(b.z)) }
    }

    /// One block.
    #[must_use]
    pub const fn of(cell: Cell) -> Self {
        Self { min: cell, max: cell }
    }

    /// Whether a block is in it.
    #[must_use]
    pub const fn contains(&self, c: Cell) -> bool {
        self.min.x <= c.x
            && c.x <= self.max.x
            && self.min.y <= c.y
            && c.y <= self.max.y
            && self.min.z <= c.z
            && c.z <= self.max.z
    }

    /// What it has in common with another; empty if that is nothing.
    pub(super) fn overlap(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            min: Cell::new(a.min.x.max(b.min.x), a.min.y.max(b.min.y), a.min.z.max(b.min.z)),
            max: Cell::new(a.max.x.min(b.max.x), a.max.y.min(b.max.y), a.max.z.min(b.max.z)),
        }
    }

    /// Where the feet of bodies `width` blocks wide can be if these are the blocks of the world: they rest on the
    /// topmost blocks too, and a wide body with its far corner on the first.
    pub(super) fn standing_room(self, width: u32) -> Self {
        if self.is_empty() {
            return self;
        }
        let aside = width as i32 - 1;
        let Cell { x, y, z } = self.min;
        let min = Cell::new(x.saturating_sub(aside), y, z.saturating_sub(aside));
        Self { min, max: Cell { y: self.max.y.saturating_add(1), ..self.max } }
    }

    /// Whether no block is in it.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.max.x < self.min.x || self.max.y < self.min.y || self.max.z < self.min.z
    }

    /// Blocks along x, y and z; all 0 if it is empty.
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
