//! Finds the border edges of two tiles that touch, and the interval along which they touch.
//!
//! Tiles of one bake know where each of their border cells leads ([`SeamCell`](crate::tile::SeamCell)): a cell of one
//! tile and a cell of the other are joined if each names the other's height as the surface on the far side. A run of
//! joined cells along the same two edges makes one link. So exactly those cells are linked that are connected in the
//! eroded surface.
//!
//! ```text
//!    tile A      |      tile B
//!    edge e      |  b   edge f           cells 3…6 of the border: here/there of A = there/here of B
//!        a ------+---- b
//!    here 12     |  there 13
//! ```
//!
//! Tiles from other sources are joined by geometry: both edges must lie on the same line (within a tenth of a
//! millimetre, or the precision of f32 far from the origin), overlap by more than that, and have heights that cross, or
//! differ by at most the smaller climb of the two tiles at an end of the overlap.
//!
//! Everything is symmetric: swapping the tiles gives the same intervals, bit for bit. So the portals of A into B and of
//! B into A agree, and a corner where four tiles meet is a single point. Where tiles overlap in layers, all tiles at
//! one place are joined to all at the next in one pass. Cost: a sweep along the border plus the joints found; more
//! joints than sound tiles can have is an error.
//!
//! Sources: overlapping slabs are Detour's (`findConnectingPolys`); the exact rule by seam cells is ours, since slabs
//! link over up to twice the climb.

use super::border_span::BorderSpan;
use crate::math::rounding;
use crate::tile::{Effort, Exhausted, Side, TileData, TileLayout};
use glam::Vec3;

/// An interval along which an edge of one tile touches an edge of another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Joint {
    /// The tiles, by their indices in the first and in the second list.
    pub(crate) tiles: [u32; 2],
    /// Number of the border edge in the first tile.
    pub(crate) here: u32,
    /// Number of the border edge in the second tile.
    pub(crate) there: u32,
    /// The end with the smaller coordinate along the side, and the other.
    low: Vec3,
    high: Vec3,
    /// Whether the corners run from low to high: of the first tile's polygon, and of the second's.
    rising: [bool; 2],
}

impl Joint {
    /// The ends, in the order of the first tile's polygon.
    pub(crate) fn ends(&self) -> [Vec3; 2] {
        if self.rising[0] { [self.low, self.high] } else { [self.high, self.low] }
    }

    /// The same joint from the second tile's point of view.
    pub(crate) fn reversed(self) -> Self {
        let [first, second] = self.rising;
        let [one, other] = self.tiles;
        Self { tiles: [other, one], here: self.there, there: self.here, rising: [second, first], ..self }
    }
}

/// Appends every joint over `side` of a tile of the first list with the opposite side of a tile of the second. A tile
/// is never joined to itself.
pub(crate) fn join(
    layout: &TileLayout,
    side: Side,
    first: &[&TileData],
    second: &[&TileData],
    effort: &mut Effort,
    out: &mut Vec<Joint>,
) -> Result<(), Exhausted> {
    let have = |tiles: &[&TileData], side: Side| tiles.iter().any(|tile| tile.border_along(side).len() > 0);
    if !have(first, side) || !have(second, side.opposite()) {
        return Ok(());
    }
    let facing = Facing { side, first, second };
    let [by_seams, by_edges] = facing.ways();
    if by_seams {
        facing.join_seams(layout, effort, out)?;
    }
    if by_edges { facing.join_edges(effort, out) } else { Ok(()) }
}

/// Whether two tiles are from the same bake, so that their seams decide where they touch.
fn have_seams(first: &TileData, second: &TileData) -> bool {
    let sizes = [first, second].map(|tile| tile.baked_for().cell_size);
    sizes[0] > 0.0 && sizes[0].to_bits() == sizes[1].to_bits()
}

/// Tiles on both sides of a border.
pub(super) struct Facing<'a> {
    /// The side of the first tiles on which the border is.
    pub(super) side: Side,
    pub(super) first: &'a [&'a TileData],
    pub(super) second: &'a [&'a TileData],
}

impl Facing<'_> {
    /// Whether any pair is joined by seams, and any by geometry.
    fn ways(&self) -> [bool; 2] {
        if let ([first], [second]) = (self.first, self.second) {
            let seams = have_seams(first, second);
            return [seams, !seams];
        }
        let any = self.first[0];
        let alike = self.first.iter().chain(self.second).all(|tile| have_seams(any, tile));
        [true, !alike]
    }

    /// Whether two tiles may be joined by this method.
    pub(super) fn may_join(&self, [first, second]: [u32; 2], by_seams: bool) -> bool {
        let first = self.first[first as usize];
        let second = self.second[second as usize];
        !core::ptr::eq(first, second) && have_seams(first, second) == by_seams
    }
}

/// The effort counted for a joint: many steps, since it takes memory.
pub(super) const JOINT: usize = 512;

impl Joint {
    pub(super) fn new(
        tiles: [u32; 2],
        [(here, span), (there, other)]: [(u32, &BorderSpan); 2],
        ends: [Vec3; 2],
    ) -> Self {
        let [low, high] = ends;
        Self { tiles, here, there, low, high, rising: [span.rising, other.rising] }
    }
}

/// The ends of the interval that two edges on the same line share. Each end is a vertex of one of them.
pub(super) fn overlap(side: Side, s: &BorderSpan, o: &BorderSpan) -> Option<[Vec3; 2]> {
    let low = outermost(side, s.low, o.low, true);
    let high = outermost(side, s.high, o.high, false);
    let least = slack(along(side, low)).max(slack(along(side, high)));
    let apart = (across(side, s.low) - across(side, o.low)).abs();
    // Uses both, so that the result does not depend on the order.
    let close = apart <= slack(across(side, s.low)).max(slack(across(side, o.low)));
    (close && along(side, high) - along(side, low) > least).then_some([low, high])
}

/// Of two vertices, the one farther along the side (`greater`) or less far. At equal distance the lower one, so that
/// the choice does not depend on their order.
fn outermost(side: Side, p: Vec3, q: Vec3, greater: bool) -> Vec3 {
    let x = along(side, p);
    let y = along(side, q);
    if x != y {
        return if (x < y) != greater { p } else { q };
    }
    let order = if greater { y.total_cmp(&x) } else { x.total_cmp(&y) };
    let order = order.then(p.y.total_cmp(&q.y)).then(across(side, p).total_cmp(&across(side, q)));
    if order.is_le() { p } else { q }
}

/// The point at `at` along the side, half way between the two edges.
pub(super) fn between(side: Side, s: &BorderSpan, o: &BorderSpan, at: f32) -> Vec3 {
    let y = (height(side, s, at) + height(side, o, at)) * 0.5;
    let line = (across(side, s.low) + across(side, o.low)) * 0.5;
    if side.is_x() { Vec3::new(line, y, at) } else { Vec3::new(at, y, line) }
}

/// Whether the heights of two edges cross over a stretch, or come within `climb` at one of its ends.
pub(super) fn reachable(side: Side, [s, o]: [&BorderSpan; 2], ends: [Vec3; 2], climb: f32) -> bool {
    let apart = |end: Vec3| height(side, s, along(side, end)) - height(side, o, along(side, end));
    let low = apart(ends[0]);
    let high = apart(ends[1]);
    (low < 0.0) != (high < 0.0) || low.abs().min(high.abs()) <= climb
}

/// Height of an edge at a coordinate along the side.
pub(super) fn height(side: Side, span: &BorderSpan, at: f32) -> f32 {
    let from = along(side, span.low);
    let to = along(side, span.high);
    let t = if to > from { ((at - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
    span.low.y + (span.high.y - span.low.y) * t
}

/// The coordinate that grows along a side.
pub(super) fn along(side: Side, p: Vec3) -> f32 {
    if side.is_x() { p.z } else { p.x }
}

/// The coordinate that all points of a side share.
pub(super) fn across(side: Side, p: Vec3) -> f32 {
    if side.is_x() { p.x } else { p.z }
}

/// How far apart two coordinates may be and still count as one.
fn slack(at: f32) -> f32 {
    rounding::slack(at, 4.0)
}
