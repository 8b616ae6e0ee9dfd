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
    /// Exact box of each leaf.
    boxes: Vec<Aabb>,
}

impl BoundingTree {
    /// Builds it over the polygons of `tile` and their detail vertices. `tile` must be [valid](TileData::validate).
    #[must_use]
    pub fn of(tile: &TileData) -> Self {
        let boxes: Vec<Aabb> = (0..tile.polys.len() as u32).map(|poly| poly_box(tile, poly)).collect();
        let bounds = boxes.iter().fold(Aabb::EMPTY, |all, &b| all.union(b));
        let polys = curve_order(&boxes, bounds);
        let boxes: Vec<Aabb> = polys.iter().map(|&p| boxes[p as usize]).collect();
        let size = bounds.size();
        let step = |extent: f32| if extent > 0.0 { STEPS / extent } else { 0.0 };
        let mut tree = Self {
            bounds,
            scale: Vec3::new(step(size.x), step(size.y), step(size.z)),
            nodes: Vec::with_capacity(boxes.len() / 7 + 2),
            levels: Vec::new(),
            polys,
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
        for eight in self.boxes.chunks(WIDTH) {
            let mut node = EMPTY;
            for (lane, b) in eight.iter().enumerate() {
                let (low, high) = (self.steps(b.min, -1), self.steps(b.max, 1));
                for axis in 0..3 {
                    node.low[axis][lane] = low[axis];
                    node.high[axis][lane] = high[axis];
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

    /// Steps of the tile's box, moved outwards by one so that rounding never loses a polygon.
    fn steps(&self, p: Vec3, outwards: i32) -> [u16; 3] {
        let at = ((p - self.bounds.min) * self.scale).to_array();
        at.map(|v| (v as i32).saturating_add(outwards).clamp(0, i32::from(u16::MAX) - 1) as u16)
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
                let exact = &self.boxes[child as usize];
                if exact.overlaps(query) {
                    visit(self.polys[child as usize], exact);
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

/// Steps along each axis of the tile's box; less than 2^16 so that moving outwards stays in range.
const STEPS: f32 = 65_533.0;

/// The box around a polygon and its detail vertices.
fn poly_box(tile: &TileData, poly: u32) -> Aabb {
    let mut all = Aabb::around(tile.points_of(poly));
    if let Some(detail) = tile.details.get(poly as usize) {
        let first = detail.first_vert as usize;
        for &v in &tile.detail_verts[first..first + detail.vert_count as usize] {
            all.grow(v);
        }
    }
    all
}

/// The polygons in the order of a Morton curve through the middles of their boxes: ten bits an axis, ties by index.
fn curve_order(boxes: &[Aabb], bounds: Aabb) -> Vec<u32> {
    let size = bounds.size();
    // The same step along all axes keeps nodes compact: a flat tile has few levels of height.
    let extent = size.x.max(size.y).max(size.z);
    let scale = if extent > 0.0 { 1023.0 / extent } else { 0.0 };
    let mut keyed: Vec<(u32, u32)> = boxes
        .iter()
        .zip(0..)
        .map(|(b, index)| {
            let at = ((b.min + b.max) * 0.5 - bounds.min) * scale;
            (spread(at.x as u32) | spread(at.z as u32) << 1 | spread(at.y as u32) << 2, index)
        })
        .collect();
    if keyed.len() <= 64 {
        keyed.sort_unstable();
    } else {
        radix_sort(&mut keyed);
    }
    keyed.into_iter().map(|(_, index)| index).collect()
}

/// Sorts by 30-bit key in three stable passes of ten bits.
fn radix_sort(keyed: &mut Vec<(u32, u32)>) {
    let mut other = vec![(0, 0); keyed.len()];
    for shift in [0, 10, 20] {
        let digit = |key: u32| (key >> shift & 1023) as usize;
        let mut start = vec![0u32; 1025];
        for &(key, _) in keyed.iter() {
            start[digit(key) + 1] += 1;
        }
        for d in 1..1024 {
            start[d] += start[d - 1];
        }
        for &item in keyed.iter() {
            let place = &mut start[digit(item.0)];
            other[*place as usize] = item;
            *place += 1;
        }
        core::mem::swap(keyed, &mut other);
    }
}

/// Moves the low ten bits three apart.
fn spread(v: u32) -> u32 {
    let v = v.min(1023);
    let v = (v | v << 16) & 0x0300_00ff;
    let v = (v | v << 8) & 0x0300_f00f;
    let v = (v | v << 4) & 0x030c_30c3;
    (v | v << 2) & 0x0924_9249
}
