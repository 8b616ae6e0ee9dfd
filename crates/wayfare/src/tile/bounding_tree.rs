//! Which polygons of a tile overlap a box: a tree of boxes, eight to a node, that needs no pointers.
//!
//! The polygons are put in the order of a space-filling curve through their middles, so that neighbours in the order are
//! neighbours in space. Every eight of them form a node, every eight nodes a node of the level above, up to one root.
//! Since all levels are packed, the children of node `i` are simply `8i … 8i+7` of the level below.
//!
//! ```text
//!   level 2              [ 0 ]
//!   level 1      [ 0 ][ 1 ] … [ 7 ]
//!   level 0   [0]…[7][8]…                each holds the boxes of up to eight polygons
//! ```
//!
//! Boxes in the tree are 16-bit steps of the tile's own box, rounded outwards, in planes of eight lanes: one node is 96
//! bytes, and testing it is twelve vector instructions. Rounding outwards only ever lets too much through, so each polygon
//! that arrives at the bottom is tested once more against its exact box: the answer is exact, at the tile's low corner too.
//!
//! Cost: building is a radix sort, O(n); a query visits O(log n + hits) nodes.
//!
//! Sources: Kamel and Faloutsos, "On Packing R-trees", 1993 (packing along a curve); Morton, 1966 (the curve); wide nodes
//! with quantised boxes as in ray tracing, e.g. Wald, Benthin and Boulos, 2008.

use super::TileData;
use crate::math::Aabb;
use glam::Vec3;

const WIDTH: usize = 8;
/// Enough for 8^8 polygons; a tile has at most 2^20.
const MAX_LEVELS: usize = 8;

/// Eight boxes, plane by plane: low x, y, z, then high x, y, z. Empty lanes are inverted and match nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Node {
    low: [[u16; WIDTH]; 3],
    high: [[u16; WIDTH]; 3],
}

/// Steps along each axis of the tile's box; less than 2^16 so that moving outwards stays in range.
const STEPS: f32 = 65_533.0;

const EMPTY: Node = Node { low: [[u16::MAX; WIDTH]; 3], high: [[0; WIDTH]; 3] };

/// A bounding tree over the polygons of one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundingTree {
    bounds: Aabb,
    scale: Vec3,
    nodes: Vec<Node>,
    /// First node of each level, from the polygons upwards.
    levels: Vec<u32>,
    /// Polygon of each leaf.
    polys: Vec<u32>,
    /// Exact box of each polygon.
    boxes: Vec<Aabb>,
}

impl BoundingTree {
    /// Builds it over the polygons of `tile` and their detail vertices. `tile` must be [valid](TileData::validate).
    #[must_use]
    pub fn of(tile: &TileData) -> Self {
        let boxes = poly_boxes(tile);
        let bounds = boxes.iter().fold(Aabb::EMPTY, |all, &b| all.union(b));
        let size = bounds.size();
        let step = |extent: f32| if extent > 0.0 { STEPS / extent } else { 0.0 };
        let mut tree = Self {
            bounds,
            scale: Vec3::new(step(size.x), step(size.y), step(size.z)),
            nodes: Vec::with_capacity(boxes.len() / 7 + 2),
            levels: Vec::new(),
            polys: curve_order(&boxes, bounds),
            boxes,
        };
        tree.pack();
        tree
    }

    fn pack(&mut self) {
        if self.boxes.is_empty() {
            return;
        }
        self.levels.push(0);
        for eight in self.polys.chunks(WIDTH) {
            // Transposed first, so that quantising runs over eight lanes at once.
            let (mut low, mut high) = ([[f32::NAN; WIDTH]; 3], [[f32::NAN; WIDTH]; 3]);
            for (lane, &poly) in eight.iter().enumerate() {
                let b = &self.boxes[poly as usize];
                for (axis, (from, to)) in b.min.to_array().into_iter().zip(b.max.to_array()).enumerate() {
                    (low[axis][lane], high[axis][lane]) = (from, to);
                }
            }
            let mut node = EMPTY;
            for axis in 0..3 {
                let (origin, scale) = (self.bounds.min[axis], self.scale[axis]);
                node.low[axis] = low[axis].map(|v| steps((v - origin) * scale, -1));
                node.high[axis] = high[axis].map(|v| steps((v - origin) * scale, 1));
            }
            for lane in eight.len()..WIDTH {
                for axis in 0..3 {
                    (node.low[axis][lane], node.high[axis][lane]) = (u16::MAX, 0);
                }
            }
            self.nodes.push(node);
        }
        let mut level = 0..self.nodes.len();
        while level.len() > 1 {
            self.levels.push(level.end as u32);
            for first in level.clone().step_by(WIDTH) {
                let mut node = EMPTY;
                for (lane, child) in self.nodes[first..level.end.min(first + WIDTH)].iter().enumerate() {
                    for axis in 0..3 {
                        node.low[axis][lane] = child.low[axis].iter().fold(u16::MAX, |a, &b| a.min(b));
                        node.high[axis][lane] = child.high[axis].iter().fold(0, |a, &b| a.max(b));
                    }
                }
                self.nodes.push(node);
            }
            level = level.end..self.nodes.len();
        }
    }

    /// Steps of the tile's box.
    fn steps(&self, p: Vec3, outwards: i32) -> [u16; 3] {
        ((p - self.bounds.min) * self.scale).to_array().map(|v| steps(v, outwards))
    }

    /// The exact box of a polygon and its detail vertices.
    #[must_use]
    #[inline]
    pub fn box_of(&self, poly: u32) -> &Aabb {
        &self.boxes[poly as usize]
    }

    /// The exact box around all polygons and their detail vertices; [`Aabb::EMPTY`] without polygons.
    #[must_use]
    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Calls `visit` with each polygon whose box overlaps or touches `query`, and with that box. The order depends on the
    /// tile alone.
    pub fn polys_in_box(&self, query: &Aabb, mut visit: impl FnMut(u32, &Aabb)) {
        if !self.bounds.overlaps(query) {
            return;
        }
        let (low, high) =
            (self.steps(query.min.max(self.bounds.min), -1), self.steps(query.max.min(self.bounds.max), 1));
        // Levels are few and nodes hold eight children: the path down fits a fixed stack of one pending mask a level.
        let mut pending = [(0u32, 0u8); MAX_LEVELS];
        let mut level = self.levels.len() - 1;
        pending[level] = (0, self.hits(self.levels[level], &low, &high));
        loop {
            let (node, mask) = &mut pending[level];
            if *mask == 0 {
                level += 1;
                if level == self.levels.len() {
                    return;
                }
                continue;
            }
            let child = *node * WIDTH as u32 + mask.trailing_zeros();
            *mask &= *mask - 1;
            if level == 0 {
                let poly = self.polys[child as usize];
                let exact = &self.boxes[poly as usize];
                if exact.overlaps(query) {
                    visit(poly, exact);
                }
            } else {
                level -= 1;
                pending[level] = (child, self.hits(self.levels[level] + child, &low, &high));
            }
        }
    }

    /// Which of a node's eight boxes overlap the query, as bits.
    #[inline]
    fn hits(&self, node: u32, low: &[u16; 3], high: &[u16; 3]) -> u8 {
        let node = &self.nodes[node as usize];
        let mut miss = [false; WIDTH];
        for axis in 0..3 {
            for ((miss, &from), &to) in miss.iter_mut().zip(&node.low[axis]).zip(&node.high[axis]) {
                *miss |= (from > high[axis]) | (to < low[axis]);
            }
        }
        miss.iter().enumerate().fold(0, |bits, (lane, &m)| bits | (u8::from(!m) << lane))
    }
}

/// Steps of the tile's box, moved outwards by one so that rounding never loses a polygon.
#[inline]
fn steps(at: f32, outwards: i32) -> u16 {
    (at.clamp(0.0, STEPS) as i32 + outwards).clamp(0, i32::from(u16::MAX) - 1) as u16
}

/// The box around each polygon and its detail vertices.
fn poly_boxes(tile: &TileData) -> Vec<Aabb> {
    // Plain comparisons, one instruction each: vertices are finite, so nothing need be said about NaN.
    let (less, more) = (|a: f32, b: f32| if b < a { b } else { a }, |a: f32, b: f32| if b > a { b } else { a });
    let grown = |all: Aabb, v: Vec3| Aabb {
        min: Vec3::new(less(all.min.x, v.x), less(all.min.y, v.y), less(all.min.z, v.z)),
        max: Vec3::new(more(all.max.x, v.x), more(all.max.y, v.y), more(all.max.z, v.z)),
    };
    let outlines = tile.polys.iter().map(|poly| {
        let corners = &tile.corners[poly.first as usize..poly.first as usize + poly.count as usize];
        corners.iter().fold(Aabb::EMPTY, |all, &v| grown(all, tile.verts[v as usize]))
    });
    let mut boxes: Vec<Aabb> = outlines.collect();
    for (b, detail) in boxes.iter_mut().zip(&tile.details) {
        let first = detail.first_vert as usize;
        *b = tile.detail_verts[first..first + detail.vert_count as usize].iter().fold(*b, |all, &v| grown(all, v));
    }
    boxes
}

/// The polygons in the order of a Morton curve through the middles of their boxes, ties by index: nine bits of x and of z,
/// and four of height beside the highest four of those, since tiles are wide and low.
fn curve_order(boxes: &[Aabb], bounds: Aabb) -> Vec<u32> {
    let size = bounds.size();
    // The same step along all axes keeps nodes compact: a flat tile has few levels of height.
    let extent = size.x.max(size.y).max(size.z);
    let scale = if extent > 0.0 { 511.0 / extent } else { 0.0 };
    let mut keyed: Vec<u64> = boxes
        .iter()
        .zip(0..)
        .map(|(b, index)| {
            let at = ((b.min + b.max) * 0.5 - bounds.min) * scale;
            let [x, y, z] = at.to_array().map(|v| v.clamp(0.0, 511.0) as u32);
            let plane = spread(x) | spread(z) << 1;
            // Bits 10 to 17 hold four pairs of x and z; each gets a bit of y above it.
            let key = plane & 0x3ff | pair_with(plane >> 10, y >> 5) << 10;
            u64::from(key) << 32 | index
        })
        .collect();
    if keyed.len() <= 128 {
        keyed.sort_unstable();
    } else {
        radix_sort(&mut keyed);
    }
    keyed.into_iter().map(|item| item as u32).collect()
}

/// Sorts by the 22 bits above the lower half, in two stable passes of eleven bits.
fn radix_sort(keyed: &mut Vec<u64>) {
    let mut other = vec![0; keyed.len()];
    let mut start = [0u32; 2048];
    for shift in [32, 43] {
        let digit = |item: u64| (item >> shift & 2047) as usize;
        start.fill(0);
        for &item in keyed.iter() {
            start[digit(item)] += 1;
        }
        let mut sum = 0;
        for place in &mut start {
            sum += core::mem::replace(place, sum);
        }
        for &item in keyed.iter() {
            let place = &mut start[digit(item)];
            other[*place as usize] = item;
            *place += 1;
        }
        core::mem::swap(keyed, &mut other);
    }
}

/// Moves the low nine bits two apart.
fn spread(v: u32) -> u32 {
    let v = (v | v << 8) & 0x00ff_00ff;
    let v = (v | v << 4) & 0x0f0f_0f0f;
    let v = (v | v << 2) & 0x3333_3333;
    (v | v << 1) & 0x5555_5555
}

/// Puts four bits above four pairs of bits, one each.
fn pair_with(pairs: u32, bits: u32) -> u32 {
    (0..4).fold(0, |all, k| all | (pairs >> (2 * k) & 3) << (3 * k) | (bits >> k & 1) << (3 * k + 2))
}
