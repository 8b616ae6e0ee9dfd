//! The outline of one polygon as walks read it: corners in lanes, seven edges at a time, and what is on the other side
//! of each.
//!
//! ```text
//!    b-------c            x     [ a  b  c  d  a … ]     eight lanes; the end of the last edge is written once more
//!    |   p   |  q         z     [ a  b  c  d  a … ]
//!    a-------d            beyond [ab bc cd da . . . | 4]
//! ```
//!
//! `p` is over the polygon: on or to the right of every edge. `q` is to the left of c→d, at a distance that no point of
//! the polygon can be nearer than. Over which edge a point is outside, and which edges are near, is unpredictable for
//! the processor. So all edges are tested in vectors, and the result is a number with a bit for each. Sides are
//! computed in f32 with a bound on the rounding error; closer cases are decided exactly, corner by corner.
//!
//! Polygons with more than seven edges, which are rare, continue in further blocks.
//!
//! Cost: some forty instructions for seven edges, two cache lines.
//!
//! Sources: Jonathan Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
//! 1997 (the bound).

use super::beyond::{Beyond, EDGES};
use super::eight::least_of_eight;
use crate::math::predicates::{FILTER_F32, orient_xz};
use glam::Vec3;
use wide::{CmpEq, CmpGe, CmpGt, CmpLe, CmpLt, f32x8};

/// Corners of a block: one more than edges, since the last edge needs its end.
const LANES: usize = EDGES + 1;

/// Up to seven edges of a polygon, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct OutlineBlock {
    x: [f32; LANES],
    z: [f32; LANES],
    beyond: [Beyond; EDGES],
    /// The number of edges, in three bits; above them the block in which the polygon continues, 0 for none.
    rest: u32,
    y: [f32; LANES],
}

const _: () = assert!(size_of::<OutlineBlock>() == 128);

/// An edge of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OutlineEdge {
    pub(crate) start: Vec3,
    pub(crate) end: Vec3,
    pub(crate) beyond: Beyond,
}

/// An edge that leads somewhere, where it is stored: most searches read only what is beyond it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenEdge<'a> {
    block: &'a OutlineBlock,
    k: usize,
}

impl OpenEdge<'_> {
    #[inline]
    pub(crate) fn beyond(self) -> Beyond {
        self.block.beyond(self.k)
    }

    #[inline]
    pub(crate) fn middle(self) -> Vec3 {
        self.block.middle(self.k)
    }

    #[inline]
    pub(crate) fn ends(self) -> [Vec3; 2] {
        [self.block.corner(self.k), self.block.corner(self.k + 1)]
    }
}

/// The position of a point relative to a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Directly above or below it, including its outline. Exact.
    Over,
    /// Beside it.
    Beside,
    /// Beside it, and farther away than requested.
    Farther,
}

/// A point in the plane, in all lanes.
#[derive(Clone, Copy)]
struct PointLanes {
    x: f32x8,
    z: f32x8,
}

impl PointLanes {
    #[inline(always)]
    fn of(p: Vec3) -> Self {
        Self { x: f32x8::splat(p.x), z: f32x8::splat(p.z) }
    }
}

/// On which side of edges a point lies, as bits. A point in neither set lies on the edge, or so near that the side must
/// be [settled](Self::settled).
#[derive(Clone, Copy)]
struct Sides {
    left: u32,
    right: u32,
}

impl Sides {
    /// From `left - right`, the two products of the predicate, if rounding allows.
    #[inline(always)]
    fn of(left: f32x8, right: f32x8) -> (Self, f32x8, f32x8) {
        let det = left - right;
        let slack = (left.abs() + right.abs()) * f32x8::splat(FILTER_F32.0) + f32x8::splat(FILTER_F32.1);
        let sides = Self { left: det.cmp_gt(slack).move_mask() as u32, right: det.cmp_lt(-slack).move_mask() as u32 };
        (sides, det, slack)
    }

    /// Decides those of the lanes `all` that rounding leaves undecided.
    #[inline(always)]
    fn settled(self, all: u32, exact: impl Fn(usize) -> f64) -> Self {
        let open = all & !(self.left | self.right);
        if open == 0 { self } else { self.settle(open, exact) }
    }

    #[cold]
    fn settle(mut self, open: u32, exact: impl Fn(usize) -> f64) -> Self {
        for lane in bits(open) {
            let side = exact(lane);
            self.left |= u32::from(side > 0.0) << lane;
            self.right |= u32::from(side < 0.0) << lane;
        }
        self
    }
}

/// The numbers of the bits that are set, from the lowest up.
#[inline]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let lowest = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lowest
        })
    })
}

impl OutlineBlock {
    /// A block of edges that begin at `corners`, the last of which ends at `end`; the polygon continues in block number
    /// `next`, unless that is 0.
    pub(super) fn new(corners: impl ExactSizeIterator<Item = (Vec3, Beyond)>, end: Vec3, next: u32) -> Self {
        let count = corners.len() as u32;
        let mut block = Self {
            x: [end.x; LANES],
            z: [end.z; LANES],
            beyond: [Beyond::WALL; EDGES],
            rest: count | next << 3,
            y: [end.y; LANES],
        };
        for (k, (corner, beyond)) in corners.take(EDGES).enumerate() {
            (block.x[k], block.y[k], block.z[k], block.beyond[k]) = (corner.x, corner.y, corner.z, beyond);
        }
        block
    }

    /// How many edges a block holds.
    pub(super) const EDGES: usize = EDGES;

    /// How many.
    #[inline]
    pub(crate) fn count(&self) -> usize {
        (self.rest & 7) as usize
    }

    /// Its edges, as bits.
    #[inline]
    pub(crate) fn edges(&self) -> u32 {
        (1 << self.count()) - 1
    }

    /// Those of its edges that lead somewhere, as bits.
    #[inline]
    pub(crate) fn ways(&self) -> u32 {
        // A loop of fixed length over what lies side by side becomes vectors.
        self.beyond.iter().enumerate().fold(0, |ways, (k, &beyond)| ways | u32::from(beyond != Beyond::WALL) << k)
    }

    /// The corner at which edge number `k` begins and the edge before it ends.
    #[inline]
    pub(crate) fn corner(&self, k: usize) -> Vec3 {
        Vec3::new(self.x[k % LANES], self.y[k % LANES], self.z[k % LANES])
    }

    /// What is on the other side of edge number `k`.
    #[inline]
    pub(crate) fn beyond(&self, k: usize) -> Beyond {
        self.beyond[k % LANES % EDGES]
    }

    /// The middle of edge number `k`.
    #[inline]
    pub(crate) fn middle(&self, k: usize) -> Vec3 {
        (self.corner(k) + self.corner(k + 1)) * 0.5
    }

    /// Edge number `k`, below the number of its edges.
    #[inline]
    pub(crate) fn edge(&self, k: usize) -> OutlineEdge {
        OutlineEdge { start: self.corner(k), end: self.corner(k + 1), beyond: self.beyond(k) }
    }

    #[inline(always)]
    fn starts(&self) -> PointLanes {
        PointLanes { x: f32x8::new(self.x), z: f32x8::new(self.z) }
    }

    #[inline(always)]
    fn ends(&self) -> PointLanes {
        let moved = |v: &[f32; LANES]| f32x8::new([v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[7]]);
        PointLanes { x: moved(&self.x), z: moved(&self.z) }
    }

    /// On which side of its edges a point lies.
    #[inline(always)]
    fn sides_of(&self, p: Vec3) -> (Sides, f32x8, f32x8) {
        let a = self.starts();
        let b = self.ends();
        let at = PointLanes::of(p);
        let ax = a.x - at.x;
        let az = a.z - at.z;
        let bx = b.x - at.x;
        let bz = b.z - at.z;
        Sides::of(ax * bz, az * bx)
    }

    #[inline(always)]
    fn settled(&self, sides: Sides, p: Vec3) -> Sides {
        sides.settled(self.edges(), |k| orient_xz(self.corner(k), self.corner(k + 1), p))
    }

    /// The squared horizontal distance of a point from each of its edges: bit for bit the result of
    /// [`point_distance_squared`](crate::math::segment::point_distance_squared).
    #[inline(always)]
    pub(crate) fn distances_to(&self, p: Vec3) -> EdgeDistances {
        let a = self.starts();
        let b = self.ends();
        let at = PointLanes::of(p);
        let dx = b.x - a.x;
        let dz = b.z - a.z;
        let length_squared = dx * dx + dz * dz;
        let along = (at.x - a.x) * dx + (at.z - a.z) * dz;
        let zero = f32x8::ZERO;
        let one = f32x8::ONE;
        let t = (along / length_squared.fast_max(f32x8::splat(f32::MIN_POSITIVE))).fast_max(zero).fast_min(one);
        let is_end = t.cmp_ge(one);
        let x = is_end.blend(b.x, a.x + dx * t) - at.x;
        let z = is_end.blend(b.z, a.z + dz * t) - at.z;
        EdgeDistances(x * x + z * z)
    }

    /// The edges whose squared horizontal distance to a point is at most `distance_squared`, as bits.
    #[inline(always)]
    pub(crate) fn edges_within(&self, p: Vec3, distance_squared: f32) -> u32 {
        self.distances_to(p).within(distance_squared) & self.edges()
    }
}

/// Squared distances of a point from the edges of a block; lanes beyond the last edge have no meaning.
#[derive(Clone, Copy)]
pub(crate) struct EdgeDistances(f32x8);

impl EdgeDistances {
    /// Which are not above a bound, as bits.
    #[inline(always)]
    pub(crate) fn within(self, distance_squared: f32) -> u32 {
        self.0.cmp_le(f32x8::splat(distance_squared)).move_mask() as u32
    }

    /// The smallest among the selected lanes, and the first edge that has it; `None` if none is selected, or all are
    /// NaN.
    #[inline(always)]
    pub(crate) fn least_of(self, edges: u32) -> Option<(usize, f32)> {
        let lanes = |k: usize| f32::from_bits(if edges >> k & 1 != 0 { 0 } else { f32::INFINITY.to_bits() });
        let named = self.0.fast_max(f32x8::new(core::array::from_fn(lanes)));
        let least = least_of_eight(&named.to_array());
        let edge = (named.cmp_eq(f32x8::splat(least)).move_mask() as u32 & edges).trailing_zeros();
        (edge < u32::BITS).then_some((edge as usize, least))
    }
}

/// Whether a point's horizontal position is finite.
#[inline]
fn is_number(p: Vec3) -> bool {
    p.x.is_finite() && p.z.is_finite()
}

/// The edges around a polygon, in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline<'a> {
    blocks: &'a [OutlineBlock],
    first: u32,
}

impl<'a> Outline<'a> {
    /// The outline that begins in block `first`.
    #[inline]
    pub(super) fn new(blocks: &'a [OutlineBlock], first: u32) -> Self {
        Self { blocks, first }
    }

    /// The blocks, one for most polygons.
    #[inline]
    pub(crate) fn blocks(self) -> impl Iterator<Item = &'a OutlineBlock> + Clone {
        let block = |at: u32| self.blocks.get(at as usize);
        core::iter::successors(block(self.first), move |last| {
            let next = last.rest >> 3;
            if next == 0 { None } else { block(next) }
        })
    }

    /// Every edge.
    #[inline]
    pub(crate) fn edges(self) -> impl Iterator<Item = OutlineEdge> + Clone + 'a {
        self.blocks().flat_map(|block| (0..block.count()).map(|k| block.edge(k)))
    }

    /// Every edge that leads somewhere, with its number in the polygon: its block, and its number there.
    #[inline]
    pub(crate) fn open_edges(self) -> impl Iterator<Item = (u32, OpenEdge<'a>)> + Clone {
        (0u32..).zip(self.blocks()).flat_map(|(number, block)| {
            let edge = move |k: usize| (number * EDGES as u32 + k as u32, OpenEdge { block, k });
            (0..block.count()).filter(|&k| block.beyond(k) != Beyond::WALL).map(edge)
        })
    }

    /// Calls `visit` with each of the [`open_edges`](Self::open_edges). With the iterator, a path search takes a tenth
    /// more instructions.
    #[inline(always)]
    pub(crate) fn for_each_open_edge(self, mut visit: impl FnMut(u32, OpenEdge<'a>)) {
        let mut first = 0;
        let mut next = self.first;
        while let Some(block) = self.blocks.get(next as usize) {
            for k in 0..block.count() {
                if block.beyond(k) != Beyond::WALL {
                    visit(first + k as u32, OpenEdge { block, k });
                }
            }
            (first, next) = (first + EDGES as u32, block.rest >> 3);
            if next == 0 {
                return;
            }
        }
    }

    /// Edge number `number` of the polygon.
    #[inline]
    pub(crate) fn edge(self, number: u32) -> Option<OutlineEdge> {
        let k = number as usize % EDGES;
        let block = self.blocks().nth(number as usize / EDGES)?;
        (k < block.count()).then(|| block.edge(k))
    }

    /// Whether `p` is directly above or below the polygon, including its outline. Exact; a point that is NaN or
    /// infinite is over nothing.
    #[inline]
    pub(crate) fn is_over(self, p: Vec3) -> bool {
        self.blocks().all(|block| {
            let (sides, ..) = block.sides_of(p);
            let is_outside = |sides: Sides| sides.left & block.edges() != 0;
            !is_outside(sides) && !is_outside(block.settled(sides, p))
        }) && is_number(p)
    }

    /// The position of `p` relative to the polygon, for callers that ignore polygons farther away horizontally than the
    /// root of `distance_squared`. A result of [`Beside`](Place::Beside) may still be farther.
    #[inline]
    pub(crate) fn place_of(self, p: Vec3, distance_squared: f32) -> Place {
        if !is_number(p) {
            return Place::Farther;
        }
        let mut place = Place::Over;
        for block in self.blocks() {
            let (sides, det, slack) = block.sides_of(p);
            let outside = sides.left & block.edges();
            if outside != 0 {
                let a = block.starts();
                let b = block.ends();
                let dx = b.x - a.x;
                let dz = b.z - a.z;
                // Slightly more, so that rounding never rejects a nearer one.
                let reach = f32x8::splat(distance_squared * 1.0001) * (dx * dx + dz * dz);
                let least = det - slack;
                if (least * least).cmp_gt(reach).move_mask() as u32 & outside != 0 {
                    return Place::Farther;
                }
                place = Place::Beside;
            } else if block.settled(sides, p).left & block.edges() != 0 {
                place = Place::Beside;
            }
        }
        place
    }

    /// The block of a polygon with a single one.
    #[inline]
    pub(crate) fn only_block(self) -> Option<&'a OutlineBlock> {
        self.blocks.get(self.first as usize).filter(|block| block.rest >> 3 == 0)
    }

    /// The edge nearest to a point horizontally, and its squared distance.
    #[inline]
    pub(crate) fn nearest_edge(self, p: Vec3) -> Option<(OutlineEdge, f32)> {
        let mut nearest = None;
        let mut least = f32::INFINITY;
        for block in self.blocks() {
            let distances = block.distances_to(p).0.to_array();
            for (k, &distance) in distances.iter().enumerate().take(block.count()) {
                if distance < least {
                    (least, nearest) = (distance, Some((block, k)));
                }
            }
        }
        nearest.map(|(block, k)| (block.edge(k), least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Rng, segment};
    use crate::tile::test_sketch::single_polygon;
    use crate::tile::{EdgeTable, TileData};

    /// A tile of one convex polygon, its corners on a grid; often with enough corners to take several blocks.
    fn polygon(rng: &mut Rng, corners: u32) -> TileData {
        let far = [0.0, 1000.0][rng.below(2) as usize];
        let at = |k: u32| {
            let angle = -f64::from(k) / f64::from(corners) * core::f64::consts::TAU;
            let [x, z] = [angle.cos(), angle.sin()].map(|v| far + (v * 1024.0).round() as f32 / 64.0);
            Vec3::new(x, k as f32, z)
        };
        single_polygon((0..corners).map(at).collect())
    }

    #[test]
    fn lanes_say_what_is_said_edge_by_edge() {
        let mut rng = Rng::new(3);
        let mut over = 0;
        let mut on_edges = 0;
        for round in 0..3000 {
            let corners = 3 + rng.below(20);
            let tile = polygon(&mut rng, corners);
            let table = EdgeTable::of(&tile);
            let outline = table.outline_of(0);
            let edges: Vec<OutlineEdge> = outline.edges().collect();
            let ends = (0..corners as usize).map(|k| [tile.verts()[k], tile.verts()[(k + 1) % corners as usize]]);
            assert!(edges.iter().map(|e| [e.start, e.end]).eq(ends), "{corners} corners");
            let mut coordinate = || tile.verts()[0].x - 32.0 + rng.below(200) as f32 / 4.0;
            let mut p = Vec3::new(coordinate(), 0.0, coordinate());
            if round % 3 == 0 {
                // Exactly on an edge.
                let edge = edges[rng.below(corners) as usize];
                p = (edge.start + edge.end) * 0.5;
            }
            let sides = || edges.iter().map(|e| orient_xz(e.start, e.end, p));
            let is_over = sides().all(|side| side <= 0.0);
            over += u32::from(is_over);
            on_edges += u32::from(is_over && sides().any(|side| side == 0.0));
            assert_eq!((outline.is_over(p), tile.is_over(0, p)), (is_over, is_over), "round {round}: {p}");

            let distances: Vec<f32> =
                edges.iter().map(|e| segment::point_distance_squared(p, e.start, e.end)).collect();
            let least = distances.iter().copied().fold(f32::INFINITY, f32::min);
            let (edge, distance) = outline.nearest_edge(p).unwrap();
            let own = segment::point_distance_squared(p, edge.start, edge.end);
            assert_eq!((own, distance), (least, least), "round {round}");
            for (block, own) in outline.blocks().zip(distances.chunks(EDGES)) {
                let chosen = rng.below(1 << EDGES) & block.edges();
                let nearest = bits(chosen).map(|k| (own[k], k)).min_by(|a, b| a.0.total_cmp(&b.0));
                let least_of = block.distances_to(p).least_of(chosen);
                assert_eq!(least_of, nearest.map(|(least, k)| (k, least)), "round {round}");
            }
            assert_eq!(outline.place_of(p, f32::INFINITY) == Place::Over, is_over);
            if !is_over {
                // Points a kilometre out are rounded to a tenth of a millimetre.
                let reach = least.sqrt() + 2e-4;
                assert_eq!(outline.place_of(p, reach * reach), Place::Beside, "round {round}");
            }
            let reach = least * 2.0 + 0.01;
            let near: Vec<bool> = outline
                .blocks()
                .flat_map(|block| (0..block.count()).map(move |k| block.edges_within(p, reach) >> k & 1 != 0))
                .collect();
            assert!(
                near.iter().zip(&distances).all(|(&near, &d)| near == (d <= reach) || (d - reach).abs() < reach * 1e-5)
            );
        }
        assert!(over > 500 && on_edges > 20, "{over} {on_edges}");
    }

    #[test]
    fn far_beside_is_told() {
        let mut rng = Rng::new(5);
        let tile = polygon(&mut rng, 12);
        let table = EdgeTable::of(&tile);
        let p = tile.verts()[0] + Vec3::new(100.0, 0.0, 0.0);
        assert_eq!(table.outline_of(0).place_of(p, 50.0), Place::Farther);
        assert_eq!(table.outline_of(0).place_of(Vec3::NAN, 50.0), Place::Farther);
    }
}
