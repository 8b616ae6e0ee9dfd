//! The shortest path through the cells around a corridor: over hills, rectangles of a few cells each are too coarse for
//! lengths.
//!
//! ```text
//!      . . r r . . .         The tube of a corridor: the cells of its nodes (c) near the path, and of the nodes beside them (r).
//!      s c c r c c e         It is searched cell by cell, in eight directions; then stops are left out where a straight
//!      . . c c c r .         line is as good (`lines.rs`).
//! ```
//!
//! Within a node all eight steps are legal, and links give the straight steps from node to node; only diagonals around
//! a corner of several nodes are read from the world. So this searches what plain A* would search, but in a strip along
//! the path: the work grows only with the length of the path.
//!
//! Cost: O(n log n) in the cells of the strip, which extends at most about [`ASIDE`] on either side of the path.
//!
//! Sources: own work.

mod lines;

use super::costs::BlockCosts;
use super::crossing::row_of;
use super::ground::Ground;
use super::marks::Marks;
use super::node::{FORTH, NodeLink, UP};
use super::search::Leg;
use super::store::Store;
use super::touched::Touched;
use super::{BlockSource, Cell};
use crate::math::OpenList;
use crate::math::index::NONE;
use glam::Vec3;

/// Width of the tube on either side of the path, in cells.
const ASIDE: i32 = 8;
/// Factor by which the remaining cost is overestimated: breaks the many ties on open surfaces.
const EAGERNESS: f32 = 1.01;
/// Additional cost of a block of rise: of paths equally long in eight directions, straight lines shorten the more level
/// one.
const LEVELLER: f32 = 0.01;

/// A standing point of the tube.
#[derive(Clone, Copy, Debug)]
struct Place {
    cell: Cell,
    /// For each side, the cell that a straight step leads to; [`NOWHERE`] if none does.
    beside: [u32; 4],
    /// For each quarter, the cell across the corner, once it is computed.
    corners: [u32; 4],
    part: u32,
    /// Cost of a metre here.
    dear: f32,
    /// The best path here: its cost, and the cell before.
    cost: f32,
    from: u32,
    closed: bool,
    has_corners: bool,
    /// Whether it may be left, but not entered.
    barred: bool,
    /// Cached state of the faces of each quarter, two bits each.
    faces: u8,
}

/// A place fits in one cache line.
const _: () = assert!(size_of::<Place>() == 64);

/// The index of the first place, a dummy. It leads nowhere and is never entered, so neighbours can be followed without
/// testing whether they exist.
const NOWHERE: u32 = 0;

impl Place {
    const NOWHERE: Self = Self {
        cell: Cell::new(0, 0, 0),
        beside: [NOWHERE; 4],
        corners: [NOWHERE; 4],
        part: NONE,
        dear: 1.0,
        cost: 0.0,
        from: NOWHERE,
        closed: true,
        has_corners: true,
        barred: true,
        faces: 0,
    };
}

/// The part of a node in the tube.
#[derive(Clone, Copy, Debug)]
struct Part {
    node: u32,
    low: [i32; 2],
    high: [i32; 2],
    /// Index of its first cell.
    first: u32,
}

impl Part {
    /// Number of cells along x.
    fn width(&self) -> u32 {
        (self.high[0] - self.low[0] + 1) as u32
    }

    /// Whether it covers a coordinate on an axis.
    fn has(&self, axis: usize, at: i32) -> bool {
        self.low[axis] <= at && at <= self.high[axis]
    }

    /// The index of a cell in it.
    fn place(&self, [x, z]: [i32; 2]) -> u32 {
        self.first + (z - self.low[1]) as u32 * self.width() + (x - self.low[0]) as u32
    }
}

/// Memory of tubes.
#[derive(Clone, Debug, Default)]
pub(super) struct Tube {
    parts: Vec<Part>,
    part_of: Marks,
    places: Vec<Place>,
    open: OpenList,
    /// The path: its stops, and for each the cheapest path to it along stops.
    chain: Vec<u32>,
    best: Vec<(f32, u32)>,
}

/// The input of a tube.
pub(super) struct TubeSource<'a, S: ?Sized> {
    pub(super) store: &'a Store,
    pub(super) ground: &'a Ground<'a, S>,
    pub(super) costs: &'a BlockCosts,
    /// The patches whose links may be followed.
    pub(super) connected: &'a Marks,
}

impl Tube {
    /// Finds the shortest path through the tube of a corridor without ladders. Passes every point but the first to
    /// `each`, and adds the nodes that the path touches.
    pub(super) fn lay<S: BlockSource + ?Sized>(
        &mut self,
        source: &TubeSource<'_, S>,
        legs: &[Leg],
        [from, to]: [Cell; 2],
        touched: &mut Touched,
        mut each: impl FnMut(Vec3),
    ) {
        self.gather(source, legs, to);
        let ends = [(legs.first(), from), (legs.last(), to)].map(|(leg, c)| {
            let part = leg.and_then(|leg| self.part_of.get(leg.node)).map(|k| &self.parts[k as usize]);
            part.filter(|part| part.has(0, c.x) && part.has(1, c.z)).map_or(NOWHERE, |part| part.place([c.x, c.z]))
        });
        if ends.contains(&NOWHERE) || !self.search(source.ground, ends) {
            return;
        }
        self.trace(ends[1]);
        self.spare(source.ground);
        self.touch(ends[0], touched);
        for i in 1..self.chain.len() {
            let [a, b] = [self.chain[i - 1], self.chain[i]];
            self.walk(source.ground, a, b, |tube, p, place| {
                each(p);
                tube.touch(place, touched);
            });
        }
    }

    /// Lists the cells of the tube and their neighbours.
    fn gather<S: BlockSource + ?Sized>(&mut self, source: &TubeSource<'_, S>, legs: &[Leg], end: Cell) {
        let store = source.store;
        self.parts.clear();
        self.part_of.clear();
        self.places.clear();
        self.places.push(Place::NOWHERE);
        for (i, leg) in legs.iter().enumerate() {
            let out = legs.get(i + 1).map_or(end, |next| next.entry);
            let low = [leg.entry.x.min(out.x) - ASIDE, leg.entry.z.min(out.z) - ASIDE];
            let high = [leg.entry.x.max(out.x) + ASIDE, leg.entry.z.max(out.z) + ASIDE];
            self.add(source, leg.node, [low, high], false);
        }
        for (i, leg) in legs.iter().enumerate() {
            if source.connected.get(store.nodes[leg.node as usize].patch).is_none() {
                continue;
            }
            let Part { low, high, .. } = self.parts[i];
            for link in store.links(leg.node) {
                let patch = store.nodes[link.to as usize].patch;
                if link.side < UP && self.part_of.get(link.to).is_none() && source.connected.get(patch).is_some() {
                    self.add(source, link.to, [low.map(|v| v - ASIDE), high.map(|v| v + ASIDE)], true);
                }
            }
        }
        // The corridor's own links first: if several cells above each other are adjacent to one, they determine the
        // right one.
        for leg in legs {
            if let (Some(link), Some(part)) = (leg.out, self.part_of.get(leg.node)) {
                self.join(store, part, link);
            }
        }
        for part in 0..self.parts.len() as u32 {
            let node = self.parts[part as usize].node;
            if source.connected.get(store.nodes[node as usize].patch).is_some() {
                store.links(node).iter().for_each(|&link| self.join(store, part, link));
            }
        }
    }

    /// Adds the part of a node, in the corridor or beside it, that lies between two (x, z).
    fn add<S: BlockSource + ?Sized>(
        &mut self,
        source: &TubeSource<'_, S>,
        slot: u32,
        [low, high]: [[i32; 2]; 2],
        is_beside: bool,
    ) {
        let node = &source.store.nodes[slot as usize];
        let cost = source.costs.of(node.area);
        if cost.is_none() && is_beside {
            return;
        }
        let dear = cost.unwrap_or(1.0);
        let barred = cost.is_none();
        let low = [low[0].max(node.x), low[1].max(node.z)];
        let high = [high[0].min(node.last_x()), high[1].min(node.last_z())];
        if low[0] > high[0] || low[1] > high[1] || self.part_of.get(slot).is_some() {
            return;
        }
        let first = self.places.len() as u32;
        let part = self.parts.len() as u32;
        self.part_of.set(slot, part);
        self.parts.push(Part { node: slot, low, high, first });
        let width = (high[0] - low[0] + 1) as u32;
        let heights = source.store.heights(slot);
        let blank =
            Place { part, dear, barred, cost: f32::INFINITY, closed: false, has_corners: false, ..Place::NOWHERE };
        let mut at = first;
        for z in low[1]..=high[1] {
            let north = if z > low[1] { at - width } else { NOWHERE };
            let south = if z < high[1] { at + width } else { NOWHERE };
            for x in low[0]..=high[0] {
                let along = |is: bool, place: u32| if is { place } else { NOWHERE };
                let [north, south] = [north, south].map(|row| along(row != NOWHERE, row + (x - low[0]) as u32));
                let beside = [along(x > low[0], at - 1), along(x < high[0], at + 1), north, south];
                self.places.push(Place { cell: Cell::new(x, heights.at(x, z), z), beside, ..blank });
                at += 1;
            }
        }
    }

    /// Enters the steps of a link of a part's node.
    #[inline]
    fn join(&mut self, store: &Store, part: u32, link: NodeLink) {
        if link.side >= UP || link.ways & FORTH == 0 {
            return;
        }
        let Some(there) = self.part_of.get(link.to) else { return };
        let [here, there] = [part, there].map(|k| &self.parts[k as usize]);
        let row = row_of(store, here.node, link);
        let axis = row.axis();
        let far = row.next();
        // Only what both parts have in common.
        let along = 1 - axis;
        let low = row.low.max(here.low[along]).max(there.low[along]);
        let high = row.high.min(here.high[along]).min(there.high[along]);
        if low > high || !here.has(axis, row.line) || !there.has(axis, far.line) {
            return;
        }
        let a = here.place(row.point(low));
        let b = there.place(far.point(low));
        let strides = [here, there].map(|part| if along == 0 { 1 } else { part.width() });
        for i in 0..(high - low + 1) as u32 {
            let beside = &mut self.places[(a + i * strides[0]) as usize].beside[row.side];
            if *beside == NOWHERE {
                *beside = b + i * strides[1];
            }
        }
    }

    /// A* from one cell to another; returns whether it arrives.
    fn search<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, [start, end]: [u32; 2]) -> bool {
        self.open.clear();
        let goal = self.places[end as usize].cell;
        self.places[start as usize].cost = 0.0;
        self.open.push(0.0, start);
        while let Some((_, at)) = self.open.pop() {
            if at == end {
                return true;
            }
            if self.places[at as usize].closed {
                continue;
            }
            self.places[at as usize].closed = true;
            let corners = self.corners(at);
            let a = self.places[at as usize];
            for to in a.beside {
                self.offer(&a, [at, to], 1, goal, |_| true);
            }
            for to in corners {
                self.offer(&a, [at, to], 2, goal, |tube| tube.cuts(ground, at, to));
            }
        }
        false
    }

    /// The cells across the four corners of a cell, where both pairs of straight steps lead to the same one.
    fn corners(&mut self, at: u32) -> [u32; 4] {
        let Place { beside: [west, east, north, south], corners, has_corners, .. } = self.places[at as usize];
        if has_corners {
            return corners;
        }
        let beyond = |k: u32, sides: [usize; 2]| sides.map(|side| self.places[k as usize].beside[side]);
        let west = beyond(west, [2, 3]);
        let east = beyond(east, [2, 3]);
        let north = beyond(north, [0, 1]);
        let south = beyond(south, [0, 1]);
        let same = |by_x: u32, by_z: u32| if by_x == by_z { by_x } else { NOWHERE };
        // In the order of [`QUARTERS`].
        let found =
            [same(west[0], north[0]), same(west[1], south[0]), same(east[0], north[1]), same(east[1], south[1])];
        let place = &mut self.places[at as usize];
        (place.corners, place.has_corners) = (found, true);
        found
    }

    /// Whether the diagonal to a cell across a corner is legal.
    fn cuts<S: BlockSource + ?Sized>(&self, ground: &Ground<'_, S>, at: u32, corner: u32) -> bool {
        let a = &self.places[at as usize];
        let d = &self.places[corner as usize];
        a.part == d.part || a.cell.y == d.cell.y || ground.diagonal_fits(a.cell, d.cell)
    }

    /// Stores the path to `to` through `at` if it is legal and better than the best so far; `squared` is the square of
    /// their distance in the plane.
    #[inline]
    fn offer(&mut self, a: &Place, [at, to]: [u32; 2], squared: i32, goal: Cell, is_legal: impl FnOnce(&Self) -> bool) {
        let b = &self.places[to as usize];
        // No step is shorter than a metre.
        if b.closed || b.cost <= a.cost + 1.0 || b.barred && !a.barred {
            return;
        }
        let rise = (a.cell.y - b.cell.y).abs() as f32;
        let length = (squared as f32 + rise * rise).sqrt();
        let cost = a.cost + (length + LEVELLER * rise) * (a.dear + b.dear) * 0.5;
        if cost < b.cost && is_legal(self) {
            let place = &mut self.places[to as usize];
            (place.cost, place.from) = (cost, at);
            let estimate = cost + EAGERNESS * octile(place.cell, goal);
            self.open.push(estimate, to);
        }
    }
}

/// Lower bound of the length of a path in eight directions.
fn octile(a: Cell, b: Cell) -> f32 {
    let [x, y, z] = [a.x - b.x, a.y - b.y, a.z - b.z].map(|v| v.abs() as f32);
    let flat = x.max(z) + (core::f32::consts::SQRT_2 - 1.0) * x.min(z);
    (flat * flat + y * y).sqrt()
}
