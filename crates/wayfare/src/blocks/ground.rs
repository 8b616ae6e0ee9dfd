//! The movement rules of a block world: where an agent can stand, and which steps it can make.
//!
//! ```text
//!        climbing one:                 dropping one:
//!        . . a' .   the head needs     . a . .     the head needs room
//!        . a  # #   room above a       # # b .     above b
//!        # #  # #                      # # # #
//! ```
//!
//! Feet can be in a cell if the block below supports them (or the cell is a ladder, or the surface of water) and
//! `height` blocks are free. A step leads to one of the four neighbouring columns, up to `climb` up or `drop` down;
//! both columns must be free from their feet up to the higher head. A diagonal step cuts no corner: both pairs of
//! straight steps around it must be open, and the body must fit at the higher end. A wider body is treated as a point,
//! in a world where a cell is free if all cells under the body are.
//!
//! So legal positions form a complex: standing points are its corners, straight steps its edges, and squares of four
//! standing points between which all steps are legal its faces. An upright box of the agent's size can be anywhere on
//! edges and faces.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014 (climbing one block, dropping one); grid A*
//! without corner cutting is common knowledge.

use super::{Block, BlockAgent, BlockSource, Cell};
use crate::area::AreaId;

/// The four straight directions along (x, z): −x, +x, −z, +z.
pub(super) const SIDES: [[i32; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// No standing point is farther from the origin than this along any axis, which keeps sums of coordinates within `i32`.
pub(super) const FARTHEST: u32 = 1 << 30;

/// Whether a cell is within that distance of the origin.
#[inline]
pub(super) fn is_near(c: Cell) -> bool {
    [c.x, c.y, c.z].iter().all(|v| v.unsigned_abs() <= FARTHEST)
}

/// A world as one agent experiences it.
pub(super) struct Ground<'a, S: ?Sized> {
    pub(super) source: &'a S,
    height: i32,
    width: i32,
    climb: i32,
    drop: i32,
}

/// Some levels of one column from `low` on, one bit each, read once for all steps to it. Levels beyond are read one by
/// one.
struct Column<'a, 'b, S: ?Sized> {
    pub(super) ground: &'b Ground<'a, S>,
    pub(super) x: i32,
    pub(super) z: i32,
    pub(super) low: i32,
    pub(super) count: i32,
    /// Bits from `count` on are undefined.
    pub(super) free: u32,
    pub(super) holds: u32,
}

impl<'a, 'b, S: BlockSource + ?Sized> Column<'a, 'b, S> {
    /// Reads a column of the world.
    #[inline]
    pub(super) fn new(ground: &'b Ground<'a, S>, x: i32, z: i32, low: i32, count: i32) -> Self {
        let count = if ground.width == 1 { count.min(32) } else { 0 };
        let mut free = 0;
        let mut holds = 0;
        let mut below = if count > 0 { ground.source.block(x, low - 1, z) } else { Block::Air };
        for i in 0..count {
            let block = ground.source.block(x, low + i, z);
            let above = || if block == Block::Water { ground.source.block(x, low + i + 1, z) } else { Block::Air };
            let hold = Block::holds(below, block, above());
            free |= u32::from(block.lets_through()) << i;
            holds |= u32::from(hold) << i;
            below = block;
        }
        Self { ground, x, z, low, count, free, holds }
    }

    #[inline]
    pub(super) fn is_free(&self, y: i32) -> bool {
        let i = y - self.low;
        if i < self.count { self.free >> i & 1 != 0 } else { self.ground.free(self.x, y, self.z) }
    }

    #[inline]
    fn holds(&self, y: i32) -> bool {
        let i = y - self.low;
        if i < self.count { self.holds >> i & 1 != 0 } else { self.ground.holds(self.x, y, self.z) }
    }

    /// Whether the body fits with its feet at a level.
    #[inline]
    fn fits(&self, y: i32) -> bool {
        let i = y - self.low;
        let height = self.ground.height;
        if i + height <= self.count && height < 32 {
            let body = (1u32 << height) - 1;
            return self.free >> i & body == body;
        }
        (y..y + self.ground.height).all(|y| self.is_free(y))
    }
}

/// A straight step: its end, and the directions in which it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) to: Cell,
    pub(super) forth: bool,
    pub(super) back: bool,
}

impl<'a, S: BlockSource + ?Sized> Ground<'a, S> {
    pub(super) fn new(source: &'a S, agent: BlockAgent) -> Self {
        // No step is longer than the world is high; levels beyond need not be read.
        let most = source.bounds().map_or(u64::MAX, |bounds| bounds.size()[1]);
        let step = |blocks: u32| u64::from(blocks).min(most) as i32;
        Self {
            source,
            height: agent.height as i32,
            width: agent.width as i32,
            climb: step(agent.climb),
            drop: step(agent.drop),
        }
    }

    /// Whether `holds` is true for any block under the body, moved by `dy`.
    #[inline]
    fn any(&self, x: i32, y: i32, z: i32, holds: impl Fn(Block) -> bool) -> bool {
        if self.width == 1 {
            return holds(self.source.block(x, y, z));
        }
        (z..z + self.width).any(|z| (x..x + self.width).any(|x| holds(self.source.block(x, y, z))))
    }

    /// Whether one level of the body fits.
    #[inline]
    fn free(&self, x: i32, y: i32, z: i32) -> bool {
        !self.any(x, y, z, |b| !b.lets_through())
    }

    fn free_between(&self, x: i32, z: i32, mut levels: core::ops::Range<i32>) -> bool {
        levels.all(|y| self.free(x, y, z))
    }

    /// Whether feet are supported in a free cell.
    #[inline]
    fn holds(&self, x: i32, y: i32, z: i32) -> bool {
        if self.width == 1 {
            let at = |y: i32| self.source.block(x, y, z);
            return match at(y) {
                Block::Water => at(y + 1) != Block::Water,
                Block::Ladder => true,
                _ => at(y - 1).carries(),
            };
        }
        let swims = self.any(x, y, z, |b| b == Block::Water);
        if swims && self.any(x, y + 1, z, |b| b == Block::Water) {
            return false;
        }
        swims || self.any(x, y - 1, z, Block::carries) || self.any(x, y, z, |b| b == Block::Ladder)
    }

    /// Whether an agent can stand with its feet in this cell.
    #[inline]
    pub(super) fn stands(&self, c: Cell) -> bool {
        is_near(c) && self.holds(c.x, c.y, c.z) && self.free_between(c.x, c.z, c.y..c.y + self.height)
    }

    /// The area of a standing point: the first under the body that is not the default one.
    pub(super) fn area(&self, c: Cell) -> AreaId {
        if self.width == 1 {
            return self.source.area(c.x, c.y, c.z);
        }
        let areas = (c.z..c.z + self.width)
            .flat_map(|z| (c.x..c.x + self.width).map(move |x| (x, z)))
            .map(|(x, z)| self.source.area(x, c.y, z));
        areas.into_iter().find(|&a| a != AreaId::WALKABLE).unwrap_or(AreaId::WALKABLE)
    }

    /// Width of the body in columns, along x and z.
    #[inline]
    pub(super) fn width(&self) -> i32 {
        self.width
    }

    /// Height of the body in levels.
    #[inline]
    pub(super) fn height(&self) -> i32 {
        self.height
    }

    /// The greatest rise of a step that goes both ways.
    #[inline]
    pub(super) fn reach_both_ways(&self) -> i32 {
        self.climb.min(self.drop)
    }

    /// The greatest rise or fall of a step in either direction.
    pub(super) fn reach(&self) -> i32 {
        self.climb.max(self.drop)
    }

    /// The greatest rise or fall of any step, ladders included: they lead one block up and down, whatever the agent
    /// climbs.
    #[inline]
    pub(super) fn reach_of_any(&self) -> i32 {
        self.reach().max(1)
    }

    /// Whether a rise is legal.
    #[inline]
    fn rise_is_legal(&self, rise: i32) -> bool {
        -self.drop <= rise && rise <= self.climb
    }

    /// The step from a standing point to another next to it that is open, within [`Self::reach`].
    #[inline]
    pub(super) fn step(&self, a: Cell, to: Cell) -> Step {
        Step { to, forth: self.rise_is_legal(to.y - a.y), back: self.rise_is_legal(a.y - to.y) }
    }

    /// Calls `found` for every step from `a` to the column on `side`: level first, then downwards, then upwards.
    #[inline]
    pub(super) fn steps(&self, a: Cell, side: usize, mut found: impl FnMut(Step)) {
        let [dx, dz] = SIDES[side];
        let x = a.x + dx;
        let z = a.z + dz;
        let reach = self.reach();
        let column = Column::new(self, x, z, a.y - reach, 2 * reach + self.height);
        let mut offer = |y: i32| {
            let to = Cell::new(x, y, z);
            if is_near(to) {
                found(self.step(a, to));
            }
        };
        if column.fits(a.y) {
            if column.holds(a.y) {
                offer(a.y);
            }
            for y in (a.y - reach..a.y).rev() {
                if !column.is_free(y) {
                    break;
                }
                if column.holds(y) {
                    offer(y);
                }
            }
        }
        for y in a.y + 1..=a.y + reach {
            if !self.free(a.x, y + self.height - 1, a.z) {
                break;
            }
            if column.holds(y) && column.fits(y) {
                offer(y);
            }
        }
    }

    /// The cell one block up a ladder, if there is one.
    pub(super) fn rung_above(&self, a: Cell) -> Option<Cell> {
        let above = Cell::new(a.x, a.y + 1, a.z);
        (self.any(a.x, a.y, a.z, |b| b == Block::Ladder) && self.stands(above)).then_some(above)
    }

    /// The cell one block down a ladder, if there is one.
    pub(super) fn rung_below(&self, a: Cell) -> Option<Cell> {
        let below = Cell::new(a.x, a.y - 1, a.z);
        let climbs = self.any(below.x, below.y, below.z, |b| b == Block::Ladder);
        (climbs && self.stands(below) && self.stands(a)).then_some(below)
    }

    /// Whether all steps across a square of four standing points, two on each side, are legal from this side to that
    /// (`forth`), and back. Straight steps must be legal.
    #[inline]
    pub(super) fn square_opens(&self, here: [Cell; 2], there: [Cell; 2]) -> (bool, bool) {
        let y = here[0].y;
        let level = here[1].y == y && there[0].y == y && there[1].y == y;
        if level { (true, true) } else { self.uneven_square_opens(here, there) }
    }

    fn uneven_square_opens(&self, here: [Cell; 2], there: [Cell; 2]) -> (bool, bool) {
        let all = [here[0], here[1], there[0], there[1]];
        let top = all.iter().map(|c| c.y).max().unwrap_or(0);
        let clear = || all.iter().all(|c| self.free_between(c.x, c.z, c.y + self.height..top + self.height));
        let rises = |from: [Cell; 2], to: [Cell; 2]| {
            self.rise_is_legal(to[1].y - from[0].y) && self.rise_is_legal(to[0].y - from[1].y)
        };
        let forth = rises(here, there);
        let back = rises(there, here);
        if (forth || back) && clear() { (forth, back) } else { (false, false) }
    }

    /// Whether a body that has climbed or dropped fits on a diagonal: both columns are free up to the higher head, and
    /// the rise is legal.
    pub(super) fn diagonal_fits(&self, a: Cell, c: Cell) -> bool {
        let top = a.y.max(c.y) + self.height;
        self.rise_is_legal(c.y - a.y)
            && self.free_between(a.x, a.z, a.y + self.height..top)
            && self.free_between(c.x, c.z, c.y + self.height..top)
    }
}
