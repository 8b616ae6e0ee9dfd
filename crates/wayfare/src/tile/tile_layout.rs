//! The layout of the tiles of a mesh: places by column and row, and the rectangles that belong to them.

use crate::math::Aabb;
use crate::math::rounding::slack;
use core::ops::RangeInclusive;
use glam::{Vec2, Vec3};

/// A tile's place in a mesh: column, row, and layer if several tiles lie above each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileCoord {
    /// Column.
    pub x: i32,
    /// Row.
    pub z: i32,
    /// Layer, 0 for the first.
    pub layer: u32,
}

/// A range of columns and rows of tiles, from the lowest to the highest; empty if one of the ranges is inverted, as for
/// an inverted box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlaceRange {
    low: (i32, i32),
    high: (i32, i32),
}

impl PlaceRange {
    /// No column and no row.
    pub(crate) const NONE: Self = Self { low: (0, 0), high: (-1, -1) };

    #[inline]
    pub(crate) fn columns(self) -> RangeInclusive<i32> {
        self.low.0..=self.high.0
    }

    #[inline]
    pub(crate) fn rows(self) -> RangeInclusive<i32> {
        self.low.1..=self.high.1
    }

    /// The number of places: columns times rows.
    #[inline]
    pub(crate) fn count(self) -> u64 {
        let extent = |low: i32, high: i32| (i64::from(high) - i64::from(low) + 1).max(0) as u64;
        extent(self.low.0, self.high.0).saturating_mul(extent(self.low.1, self.high.1))
    }
}

/// How the world is divided into tiles: columns and rows of equal rectangles from an origin. All numbers must be finite
/// and sizes 0 or more: files with others are refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileLayout {
    /// Low corner of tile (0, 0).
    pub origin: Vec3,
    /// Width of a tile along x, metres.
    pub tile_width: f32,
    /// Depth of a tile along z, metres.
    pub tile_depth: f32,
}

impl TileLayout {
    /// The first invalid number, if there is one: its name and value.
    pub(crate) fn senseless(&self) -> Option<(&'static str, f32)> {
        let places = ["origin x", "origin y", "origin z"].into_iter().zip(self.origin.to_array());
        let sizes = [("tile width", self.tile_width), ("tile depth", self.tile_depth)];
        let endless = places.chain(sizes).find(|(_, value)| !value.is_finite());
        endless.or(sizes.into_iter().find(|(_, size)| *size < 0.0))
    }

    /// Column and row of the tile whose rectangle contains `point`, clamped to the range of i32.
    #[must_use]
    pub fn column_row(&self, point: Vec3) -> (i32, i32) {
        let at = point - self.origin;
        (floor(at.x / self.tile_width), floor(at.z / self.tile_depth))
    }

    /// The corner (x, z) of the tiles at a column and a row, towards smaller coordinates; that of the next column and
    /// row is the opposite corner. Tiles that share a corner get the same bits.
    #[must_use]
    #[inline]
    pub fn corner(&self, x: i32, z: i32) -> Vec2 {
        Vec2::new(self.origin.x + x as f32 * self.tile_width, self.origin.z + z as f32 * self.tile_depth)
    }

    /// The places under a box. `None` if the layout's tiles have no size.
    #[inline]
    pub(crate) fn places_under(&self, low: Vec3, high: Vec3) -> Option<PlaceRange> {
        let places = PlaceRange { low: self.column_row(low), high: self.column_row(high) };
        (self.tile_width > 0.0 && self.tile_depth > 0.0).then_some(places)
    }

    /// How far `bounds` extends beyond the rectangle of the tile at `coord`, along x or z; 0 if it does not.
    pub(crate) fn overhang(&self, coord: TileCoord, bounds: &Aabb) -> f32 {
        if bounds.is_empty() {
            return 0.0;
        }
        let low = self.corner(coord.x, coord.z);
        let x = (low.x - bounds.min.x).max(bounds.max.x - low.x - self.tile_width);
        let z = (low.y - bounds.min.z).max(bounds.max.z - low.y - self.tile_depth);
        x.max(z).max(0.0)
    }

    /// How far `bounds` lies outside the rectangle of the tile at `coord`, along x or z; 0 if they touch within the
    /// precision of f32, and if tiles have no size.
    pub(crate) fn gap(&self, coord: TileCoord, bounds: &Aabb) -> f32 {
        if bounds.is_empty() || self.tile_width <= 0.0 || self.tile_depth <= 0.0 {
            return 0.0;
        }
        let low = self.corner(coord.x, coord.z);
        let high = self.corner(coord.x.saturating_add(1), coord.z.saturating_add(1));
        let x = (low.x - bounds.max.x).max(bounds.min.x - high.x);
        let z = (low.y - bounds.max.z).max(bounds.min.z - high.y);
        let far = low.abs().max(high.abs()).max_element();
        let gap = x.max(z);
        if gap > slack(far, 8.0) { gap } else { 0.0 }
    }
}

/// The greatest integer not above a number, clamped to i32. (`f32::floor` is a function call on machines without an
/// instruction for it, and this runs before every query.)
#[inline]
fn floor(v: f32) -> i32 {
    let whole = v as i32;
    whole.saturating_sub(i32::from(v < whole as f32))
}
