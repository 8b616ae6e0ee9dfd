//! A tree of boxes that finds the polygons of a tile overlapping a box: eight children per node, without pointers.
//!
//! The polygons are sorted so that neighbours in the order are neighbours in space, [along a curve](super::poly_order).
//! Every eight of them form a node, every eight nodes a node of the level above, up to the root. Since all levels are
//! full, the children of node `i` are simply `8i … 8i+7` of the level below.
//!
//! ```text
//!   level 1      [ 0 ][ 1 ][ 2 ]         the root, of three nodes
//!   level 0   [0]…[7][8]…                each holds the boxes of up to eight polygons
//! ```
//!
//! A node stores its boxes as planes of eight lanes, so that testing all eight takes a few vector instructions per
//! axis. (16-bit steps of the tile's own box take half the memory, but converting them into metres took longer than the
//! tests.)
//!
//! Cost: building is a radix sort, O(n); a query visits O(log n + hits) nodes; some 30 bytes a polygon.
//!
//! Sources: Kamel and Faloutsos, "On Packing R-trees", 1993 (packing along a curve); wide nodes as in ray tracing, e.g.
//! Wald, Benthin and Boulos, 2008.

use super::box_lanes::{BoxLanes, poly_box_lanes};
use super::poly_order::poly_order;
use super::{Islands, TileData};
use crate::math::Aabb;
use crate::math::steps::count;
use glam::Vec3;
use wide::f32x4;

pub(super) const WIDTH: usize = 8;
/// Enough for 8^8 polygons; a tile has at most 2^20.
pub(super) const MAX_LEVELS: usize = 8;

/// Minimum number of polygons of an island that gets nodes of its own.
const LARGE: u32 = 2 * WIDTH as u32;

/// Eight boxes, plane by plane: low x, y, z, then high x, y, z. Empty lanes are inverted and match nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(super) struct Node {
    pub(super) low: [[f32; WIDTH]; 3],
    pub(super) high: [[f32; WIDTH]; 3],
}

const EMPTY: Node = Node { low: [[f32::INFINITY; WIDTH]; 3], high: [[f32::NEG_INFINITY; WIDTH]; 3] };

impl Node {
    #[inline]
    fn set(&mut self, lane: usize, b: BoxLanes) {
        let low = b.low.to_array();
        let high = b.high.to_array();
        for axis in 0..3 {
            (self.low[axis][lane], self.high[axis][lane]) = (low[axis], high[axis]);
        }
    }

    /// The box in a lane.
    #[inline]
    pub(super) fn get(&self, lane: usize) -> Aabb {
        let corner = |planes: &[[f32; WIDTH]; 3]| Vec3::new(planes[0][lane], planes[1][lane], planes[2][lane]);
        Aabb { min: corner(&self.low), max: corner(&self.high) }
    }

    /// How many lanes hold a box.
    pub(super) fn used(&self) -> usize {
        self.low[0].iter().filter(|low| low.is_finite()).count()
    }

    /// The box around all.
    fn around(&self) -> BoxLanes {
        let least = |plane: &[f32; WIDTH]| plane.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a });
        let most = |plane: &[f32; WIDTH]| plane.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a });
        let corner = |[x, y, z]: [f32; 3]| f32x4::new([x, y, z, 0.0]);
        BoxLanes { low: corner(self.low.each_ref().map(least)), high: corner(self.high.each_ref().map(most)) }
    }

    /// Which of the boxes overlap or touch another, as bits.
    #[inline]
    fn hits(&self, query: &Aabb) -> u8 {
        let low = query.min.to_array();
        let high = query.max.to_array();
        let mut bits = 0;
        for lane in 0..WIDTH {
            let touches = |axis: usize| (self.low[axis][lane] <= high[axis]) & (self.high[axis][lane] >= low[axis]);
            bits |= u8::from(touches(0) & touches(1) & touches(2)) << lane;
        }
        bits
    }
}

/// A bounding tree over the polygons of one tile.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundingTree {
    bounds: Aabb,
    nodes: Vec<Node>,
    /// First node of each level, from the polygons upwards, and how many levels there are.
    levels: [u32; MAX_LEVELS],
    height: usize,
    /// Polygon of each leaf.
    polys: Vec<u32>,
}

impl BoundingTree {
    /// Builds it over the polygons of `tile` and their detail vertices.
    #[must_use]
    pub fn of(tile: &TileData) -> Self {
        let islands = Self::may_have_large_islands(tile).then(|| Islands::of(tile));
        Self::with_islands(tile, islands.as_ref())
    }

    /// Whether the islands of a tile affect its tree.
    pub(crate) fn may_have_large_islands(tile: &TileData) -> bool {
        tile.polys().len() > LARGE as usize
    }

    /// Like [`of`](Self::of), with the islands of the tile if they affect the tree.
    pub(crate) fn with_islands(tile: &TileData, islands: Option<&Islands>) -> Self {
        let boxes: Vec<BoxLanes> = poly_box_lanes(tile).collect();
        let around = boxes.iter().fold(BoxLanes::EMPTY, |all, b| all.with(b.low).with(b.high));
        let polys = poly_order(&boxes, around, islands, LARGE);
        let nodes = Vec::with_capacity(boxes.len() / 7 + 2);
        let mut tree = Self { bounds: around.to_box(), nodes, levels: [0; MAX_LEVELS], height: 0, polys };
        tree.pack(&boxes);
        tree.nodes.shrink_to_fit();
        tree
    }

    fn pack(&mut self, boxes: &[BoxLanes]) {
        if boxes.is_empty() {
            return;
        }
        self.height = 1;
        for eight in self.polys.chunks(WIDTH) {
            let mut node = EMPTY;
            for (lane, &poly) in eight.iter().enumerate() {
                node.set(lane, boxes[poly as usize]);
            }
            self.nodes.push(node);
        }
        let mut level = 0..self.nodes.len();
        while level.len() > 1 {
            self.levels[self.height] = level.end as u32;
            self.height += 1;
            for first in level.clone().step_by(WIDTH) {
                let mut node = EMPTY;
                for (lane, child) in self.nodes[first..level.end.min(first + WIDTH)].iter().enumerate() {
                    node.set(lane, child.around());
                }
                self.nodes.push(node);
            }
            level = level.end..self.nodes.len();
        }
    }

    /// The exact box around all polygons and their detail vertices; [`Aabb::EMPTY`] without polygons.
    #[must_use]
    #[inline]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// How many bytes it takes on the heap.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.polys)
    }

    /// The polygons, in the order of the lowest level.
    pub(super) fn polys(&self) -> &[u32] {
        &self.polys
    }

    /// First node of each level, from the polygons upwards.
    #[inline]
    pub(super) fn levels(&self) -> &[u32] {
        &self.levels[..self.height]
    }

    /// The nodes of all levels.
    #[inline]
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The polygon at an index of the lowest level.
    #[inline]
    pub(super) fn leaf(&self, place: u32) -> u32 {
        self.polys[place as usize]
    }

    /// The box of the polygon at an index of the lowest level.
    #[inline]
    pub(crate) fn box_of_leaf(&self, place: u32) -> Aabb {
        self.nodes[place as usize / WIDTH].get(place as usize % WIDTH)
    }

    /// Calls `visit` with each polygon whose box overlaps or touches `query`, and with that box. The order depends on
    /// the tile alone.
    pub fn polys_in_box(&self, query: &Aabb, mut visit: impl FnMut(u32, &Aabb)) {
        self.find_in_box(query, |poly, bounds| {
            visit(poly, bounds);
            false
        });
    }

    /// Like [`polys_in_box`](Self::polys_in_box), until `visit` reports that it has found what it looks for.
    #[inline(always)]
    pub(super) fn find_in_box(&self, query: &Aabb, mut visit: impl FnMut(u32, &Aabb) -> bool) {
        if self.height == 0 || !self.bounds.overlaps(query) {
            return;
        }
        // An infinite box would touch the empty lanes.
        let query = &Aabb { min: query.min.max(self.bounds.min), max: query.max.min(self.bounds.max) };
        // Levels are few and nodes hold eight children: the path down fits a fixed stack of one pending mask a level.
        let mut pending = [(0u32, 0u8); MAX_LEVELS];
        let top = self.height - 1;
        let mut level = top;
        pending[top] = (0, self.nodes[self.levels[top] as usize].hits(query));
        while level <= top {
            let (node, mask) = &mut pending[level];
            if *mask == 0 {
                level += 1;
                continue;
            }
            let index = *node;
            let lane = mask.trailing_zeros();
            let child = index * WIDTH as u32 + lane;
            *mask &= *mask - 1;
            if level == 0 {
                count(1);
                if visit(self.polys[child as usize], &self.nodes[index as usize].get(lane as usize)) {
                    return;
                }
            } else {
                level -= 1;
                pending[level] = (child, self.nodes[(self.levels[level] + child) as usize].hits(query));
            }
        }
    }
}
