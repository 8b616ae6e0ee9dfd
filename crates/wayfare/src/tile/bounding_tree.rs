//! Which polygons of a tile overlap a box: a tree of boxes, eight to a node, that needs no pointers.
//!
//! The polygons are put in the order of a space-filling curve through their middles, so that neighbours in the order
//! are neighbours in space. Every eight of them form a node, every eight nodes a node of the level above, up to the
//! root. Since all levels are packed, the children of node `i` are simply `8i … 8i+7` of the level below.
//!
//! ```text
//!   level 1      [ 0 ][ 1 ][ 2 ]         the root, of three nodes
//!   level 0   [0]…[7][8]…                each holds the boxes of up to eight polygons
//! ```
//!
//! A node holds its boxes in planes of eight lanes, so that testing all eight is a few vector instructions an axis.
//! (16-bit steps of the tile's own box take half the memory, but turning them into metres took more time than the
//! tests.)
//!
//! Cost: building is a radix sort, O(n); a query visits O(log n + hits) nodes; some 30 bytes a polygon. Which island is
//! under which box is named for whoever asks for the ground of one, besides.
//!
//! Sources: Kamel and Faloutsos, "On Packing R-trees", 1993 (packing along a curve); Morton, 1966 (the curve); wide
//! nodes as in ray tracing, e.g. Wald, Benthin and Boulos, 2008.

use super::few::{each_in_order, each_of_few};
use super::{Islands, Poly, TileData};
use crate::math::Aabb;
use glam::Vec3;
use wide::f32x4;

pub(super) const WIDTH: usize = 8;
/// Enough for 8^8 polygons; a tile has at most 2^20.
pub(super) const MAX_LEVELS: usize = 8;

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
    fn set(&mut self, lane: usize, b: Lanes) {
        let (low, high) = (b.low.to_array(), b.high.to_array());
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
    fn used(&self) -> usize {
        self.low[0].iter().filter(|low| low.is_finite()).count()
    }

    /// The box around all.
    fn around(&self) -> Lanes {
        let least = |plane: &[f32; WIDTH]| plane.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a });
        let most = |plane: &[f32; WIDTH]| plane.iter().fold(f32::NEG_INFINITY, |a, &b| if b > a { b } else { a });
        let corner = |[x, y, z]: [f32; 3]| f32x4::new([x, y, z, 0.0]);
        Lanes { low: corner(self.low.each_ref().map(least)), high: corner(self.high.each_ref().map(most)) }
    }

    /// Which of the boxes overlap or touch another, as bits.
    #[inline]
    fn hits(&self, query: &Aabb) -> u8 {
        let (low, high) = (query.min.to_array(), query.max.to_array());
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

/// Polygons of an island that has nodes of its own.
const LARGE: u32 = 2 * WIDTH as u32;

/// Under this child there are polygons of several islands, or none.
pub(crate) const MIXED: u32 = u32::MAX;

/// The island of the polygons under each child of each node of a tree, [`MIXED`] for several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IslandsUnder(Vec<[u32; WIDTH]>);

impl IslandsUnder {
    /// Names them.
    pub(crate) fn of(tree: &BoundingTree, islands: &Islands) -> Self {
        // Where there is only one, none is named.
        if islands.count() <= 1 {
            return Self(Vec::new());
        }
        let named = |islands: &mut dyn Iterator<Item = u32>| {
            let mut lanes = [MIXED; WIDTH];
            lanes.iter_mut().zip(islands).for_each(|(lane, island)| *lane = island);
            lanes
        };
        let mut lanes: Vec<[u32; WIDTH]> = Vec::with_capacity(tree.nodes.len());
        for eight in tree.polys.chunks(WIDTH) {
            lanes.push(named(&mut eight.iter().map(|&poly| islands.of_polys()[poly as usize])));
        }
        for level in tree.levels().windows(2) {
            for first in (level[0] as usize..level[1] as usize).step_by(WIDTH) {
                let last = (first + WIDTH).min(level[1] as usize);
                // Unused lanes are mixed; all but the last node of a level have none.
                let used = |child: usize| &lanes[child][..tree.nodes[child].used()];
                let children = named(&mut (first..last).map(|child| common(used(child))));
                lanes.push(children);
            }
        }
        Self(lanes)
    }

    /// Those under the children of a node.
    #[inline]
    pub(crate) fn node(&self, node: u32) -> &[u32; WIDTH] {
        // Which lanes of the last node of a level are used makes no difference: unused ones match nothing.
        self.0.get(node as usize).unwrap_or(&[0; WIDTH])
    }
}

impl BoundingTree {
    /// Builds it over the polygons of `tile` and their detail vertices. `tile` must be [valid](TileData::validate).
    #[must_use]
    pub fn of(tile: &TileData) -> Self {
        let islands = Self::may_have_large_islands(tile).then(|| Islands::of(tile));
        Self::with_islands(tile, islands.as_ref())
    }

    /// Whether the islands of a tile make a difference to its tree.
    pub(crate) fn may_have_large_islands(tile: &TileData) -> bool {
        tile.polys.len() > LARGE as usize
    }

    /// [`of`](Self::of) with the islands of the tile at hand, if they make a difference.
    pub(crate) fn with_islands(tile: &TileData, islands: Option<&Islands>) -> Self {
        let boxes: Vec<Lanes> = poly_lanes(tile).collect();
        let around = boxes.iter().fold(Lanes::EMPTY, |all, b| all.with(b.low).with(b.high));
        let mut polys = curve_order(&boxes, around);
        if let Some(islands) = islands.filter(|islands| islands.count() > 1) {
            polys = island_by_island(&polys, islands);
        }
        let nodes = Vec::with_capacity(boxes.len() / 7 + 2);
        let mut tree = Self { bounds: around.to_box(), nodes, levels: [0; MAX_LEVELS], height: 0, polys };
        tree.pack(&boxes);
        tree
    }

    fn pack(&mut self, boxes: &[Lanes]) {
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

    /// The polygon at a place of the bottom.
    #[inline]
    pub(super) fn leaf(&self, place: u32) -> u32 {
        self.polys[place as usize]
    }

    /// The box of the polygon at a place of the bottom.
    #[inline]
    pub(crate) fn box_of_leaf(&self, place: u32) -> Aabb {
        self.nodes[place as usize / WIDTH].get(place as usize % WIDTH)
    }

    /// Calls `visit` with each polygon whose box overlaps or touches `query`, and with that box. The order depends on
    /// the tile alone.
    pub fn polys_in_box(&self, query: &Aabb, mut visit: impl FnMut(u32, &Aabb)) {
        if self.height == 0 || !self.bounds.overlaps(query) {
            return;
        }
        // A box without end would touch the empty lanes.
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
            let (index, lane) = (*node, mask.trailing_zeros());
            let child = index * WIDTH as u32 + lane;
            *mask &= *mask - 1;
            if level == 0 {
                visit(self.polys[child as usize], &self.nodes[index as usize].get(lane as usize));
            } else {
                level -= 1;
                pending[level] = (child, self.nodes[(self.levels[level] + child) as usize].hits(query));
            }
        }
    }
}

/// The island that all are, or [`MIXED`].
fn common(islands: &[u32]) -> u32 {
    let first = islands.first().copied().unwrap_or(MIXED);
    if islands.iter().all(|&island| island == first) { first } else { MIXED }
}

/// Polygons sorted by island, their order kept: a search for the ground of one need not look at the others. Small
/// islands stay together at the end, for boxes over several that lie far apart would be in everybody's way.
fn island_by_island(polys: &[u32], islands: &Islands) -> Vec<u32> {
    let mut sizes = vec![0u32; islands.count() as usize];
    islands.of_polys().iter().for_each(|&island| sizes[island as usize] += 1);
    // Where the next polygon of each large island goes, and the next of a small one.
    let (mut small, mut next) = (0, sizes.clone());
    for place in next.iter_mut().filter(|size| **size >= LARGE) {
        small += core::mem::replace(place, small);
    }
    let mut sorted = vec![0; polys.len()];
    for &poly in polys {
        let island = islands.of_polys()[poly as usize] as usize;
        let place = if sizes[island] < LARGE { &mut small } else { &mut next[island] };
        sorted[*place as usize] = poly;
        *place += 1;
    }
    sorted
}

/// The box of a polygon, in lanes: x, y, z and one that says nothing.
#[derive(Clone, Copy)]
struct Lanes {
    low: f32x4,
    high: f32x4,
}

impl Lanes {
    const EMPTY: Self = Self { low: f32x4::new([f32::INFINITY; 4]), high: f32x4::new([f32::NEG_INFINITY; 4]) };

    /// With a point in it, which is finite.
    #[inline]
    fn with(self, v: f32x4) -> Self {
        Self { low: self.low.fast_min(v), high: self.high.fast_max(v) }
    }

    fn to_box(self) -> Aabb {
        let corner = |lanes: f32x4| {
            let [x, y, z, _] = lanes.to_array();
            Vec3::new(x, y, z)
        };
        Aabb { min: corner(self.low), max: corner(self.high) }
    }
}

#[inline]
fn lanes(v: Vec3) -> f32x4 {
    f32x4::new([v.x, v.y, v.z, 0.0])
}

/// The box around each polygon and its detail vertices.
pub(super) fn poly_boxes(tile: &TileData) -> Vec<Aabb> {
    poly_lanes(tile).map(Lanes::to_box).collect()
}

fn poly_lanes(tile: &TileData) -> impl Iterator<Item = Lanes> {
    let around = |(index, poly): (usize, &Poly)| {
        let corners = &tile.corners[poly.first as usize..poly.first as usize + poly.count as usize];
        let mut outline = Lanes::EMPTY;
        each_of_few(corners, |v| outline = outline.with(lanes(tile.verts[v as usize])));
        let detail = tile.details.get(index).copied().unwrap_or_default();
        let extra = &tile.detail_verts[detail.first_vert as usize..][..detail.vert_count as usize];
        extra.iter().fold(outline, |all, &v| all.with(lanes(v)))
    };
    tile.polys.iter().enumerate().map(around)
}

/// The polygons in the order of a Morton curve through the middles of their boxes, ties by index: nine bits of x and of
/// z, and four of height beside the highest four of those, since tiles are wide and low.
fn curve_order(boxes: &[Lanes], around: Lanes) -> Vec<u32> {
    let size = around.to_box().size();
    // The same step along all axes keeps nodes compact: a flat tile has few levels of height.
    let extent = size.x.max(size.y).max(size.z);
    let scale = f32x4::splat(if extent > 0.0 { 511.0 / extent } else { 0.0 });
    let (half, most) = (f32x4::splat(0.5), f32x4::splat(511.0));
    let keyed = boxes.iter().zip(0..).map(|(b, index)| {
        let at = ((b.low + b.high) * half - around.low) * scale;
        let steps = at.fast_max(f32x4::ZERO).fast_min(most).fast_trunc_int().to_array();
        // Beyond the numbers that can be added there is no place, but some number.
        let [x, y, z, _] = steps.map(|step| step as u32 & 511);
        let plane = spread(x) | spread(z) << 1;
        // Bits 10 to 17 hold four pairs of x and z; each gets a bit of y above it.
        let key = plane & 0x3ff | pair_with(plane >> 10, y >> 5) << 10;
        u64::from(key) << 32 | index
    });
    let mut keyed: Vec<u64> = keyed.collect();
    match keyed.len() {
        0..=24 => {
            let mut sorted = vec![0; keyed.len()];
            each_in_order(&mut keyed, |place, item| sorted[place] = item as u32);
            return sorted;
        }
        25..=1000 => radix_sort::<256>(&mut keyed, [32, 40, 48]),
        _ => radix_sort::<2048>(&mut keyed, [32, 43]),
    }
    keyed.into_iter().map(|item| item as u32).collect()
}

/// Sorts by the 22 bits above the lower half, in stable passes by digits of so many values that begin at `shifts`.
fn radix_sort<const DIGITS: usize>(keyed: &mut Vec<u64>, shifts: impl IntoIterator<Item = u32>) {
    let mut other = vec![0; keyed.len()];
    let mut start = [0u32; DIGITS];
    for shift in shifts {
        let digit = |item: u64| (item >> shift) as usize % DIGITS;
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
