//! The places around a corridor, and the shortest way through them: over hills, rectangles of a few places each are too
//! coarse for lengths.
//!
//! ```text
//!      . . r r . . .         The tube of a corridor: the places of its nodes (c) about the way, and of the nodes beside them (r).
//!      s c c r c c e         It is searched place by place, in eight directions; then stops are left out where a straight
//!      . . c c c r .         line is as good.
//! ```
//!
//! Within a node all eight steps are legal, and links tell which straight steps lead from node to node; only diagonals
//! around a corner of several nodes are looked up in the world. So what is searched is what plain A* would search, but
//! in a strip along the way: the work grows with the length of the way alone.
//!
//! Cost: O(n log n) in the places of the strip, at most some [`ASIDE`] on either side of the way.
//!
//! Sources: own work. The faces that straight lines are laid over are those of `ground.rs`.

use super::costs::BlockCosts;
use super::ground::Ground;
use super::marks::Marks;
use super::node::{FORTH, Link, UP};
use super::search::{Leg, row_of};
use super::store::Store;
use super::straight::Touched;
use super::{BlockSource, Cell};
use crate::math::OpenList;
use crate::math::index::NONE;
use glam::Vec3;

/// How many places beside the way belong to the tube.
const ASIDE: i32 = 8;
/// How many stops a straight line may spare.
const LOOK_AHEAD: usize = 12;
/// After so many lines in a row that were not walkable, or no better, none that spares more stops is tried.
const MISSES: u32 = 3;
/// By how much the rest is overrated: breaks the many ties of open ground.
const EAGERNESS: f32 = 1.01;
/// What a block of rise costs besides its length: of ways that are equally long in eight directions, a straight line
/// shortens the leveller.
const LEVELLER: f32 = 0.01;
/// What a line may cost more than the stops that it spares, in metres.
const SLACK: f32 = 1e-4;

/// A standing point of the tube.
#[derive(Clone, Copy, Debug)]
struct Place {
    cell: Cell,
    /// For each side the place that a straight step leads to.
    beside: [u32; 4],
    /// For each quarter the place across the corner, once it is known.
    corners: [u32; 4],
    part: u32,
    /// What a metre costs here.
    dear: f32,
    /// The best way here: its cost, and the place before.
    cost: f32,
    from: u32,
    closed: bool,
    has_corners: bool,
    /// It may be left, but not entered.
    barred: bool,
    /// What is known of the faces of each quarter, two bits each.
    faces: u8,
}

/// Two bits of [`Place::faces`]: straight lines cross the face, or do not.
const OPEN: u8 = 0b10;
const SHUT: u8 = 0b01;

/// A place lies in one line of a cache.
const _: () = assert!(size_of::<Place>() == 64);

/// The sides between which a quarter lies: along x, along z.
const QUARTERS: [[usize; 2]; 4] = [[0, 2], [0, 3], [1, 2], [1, 3]];

/// The part of a node that belongs to the tube.
#[derive(Clone, Copy, Debug)]
struct Part {
    node: u32,
    low: [i32; 2],
    high: [i32; 2],
    /// Its first place.
    first: u32,
}

impl Part {
    fn place(&self, [x, z]: [i32; 2]) -> u32 {
        let inside = self.low[0] <= x && x <= self.high[0] && self.low[1] <= z && z <= self.high[1];
        let width = self.high[0] - self.low[0] + 1;
        if inside { self.first + ((z - self.low[1]) * width + x - self.low[0]) as u32 } else { NONE }
    }
}

/// Memory of tubes.
#[derive(Clone, Debug, Default)]
pub(super) struct Tube {
    parts: Vec<Part>,
    part_of: Marks,
    places: Vec<Place>,
    open: OpenList,
    /// The way: its stops, and for each the cheapest way there along stops.
    chain: Vec<u32>,
    best: Vec<(f32, u32)>,
}

/// What a tube is made of.
pub(super) struct TubeSource<'a, S: ?Sized> {
    pub(super) store: &'a Store,
    pub(super) ground: &'a Ground<'a, S>,
    pub(super) costs: &'a BlockCosts,
    /// The patches whose links may be followed.
    pub(super) connected: &'a Marks,
}

impl Tube {
    /// Lays the shortest way through the tube of a corridor without ladders over the ground: gives every point of it
    /// but the first, and the nodes that it touches.
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
            leg.and_then(|leg| self.part_of.get(leg.node)).map_or(NONE, |k| self.parts[k as usize].place([c.x, c.z]))
        });
        if ends.contains(&NONE) || !self.search(source.ground, ends) {
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

    /// Lists the places of the tube and what lies beside each.
    fn gather<S: BlockSource + ?Sized>(&mut self, source: &TubeSource<'_, S>, legs: &[Leg], end: Cell) {
        let store = source.store;
        self.parts.clear();
        self.part_of.clear();
        self.places.clear();
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
        // The corridor's own links first: of several places above each other beside one, they name the one that is
        // wanted.
        for leg in legs {
            if let Some(link) = leg.out {
                self.join(store, leg.node, link);
            }
        }
        for k in 0..self.parts.len() {
            let node = self.parts[k].node;
            if source.connected.get(store.nodes[node as usize].patch).is_some() {
                store.links(node).iter().for_each(|&link| self.join(store, node, link));
            }
        }
    }

    /// Adds the part of a node, of the corridor or beside it, that lies between two places.
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
        let (dear, barred) = (cost.unwrap_or(1.0), cost.is_none());
        let low = [low[0].max(node.x), low[1].max(node.z)];
        let high = [high[0].min(node.last_x()), high[1].min(node.last_z())];
        if low[0] > high[0] || low[1] > high[1] || self.part_of.get(slot).is_some() {
            return;
        }
        let first = self.places.len() as u32;
        let part = self.parts.len() as u32;
        self.part_of.set(slot, part);
        self.parts.push(Part { node: slot, low, high, first });
        let (width, mut at) = ((high[0] - low[0] + 1) as u32, first);
        let heights = source.store.heights(slot);
        for z in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                let to = |is: bool, place: u32| if is { place } else { NONE };
                let beside = [
                    to(x > low[0], at.wrapping_sub(1)),
                    to(x < high[0], at + 1),
                    to(z > low[1], at.wrapping_sub(width)),
                    to(z < high[1], at + width),
                ];
                let cell = Cell::new(x, heights.at(x, z), z);
                self.places.push(Place {
                    cell,
                    beside,
                    corners: [NONE; 4],
                    part,
                    dear,
                    cost: f32::INFINITY,
                    from: NONE,
                    closed: false,
                    has_corners: false,
                    barred,
                    faces: 0,
                });
                at += 1;
            }
        }
    }

    /// Enters the steps of a link.
    fn join(&mut self, store: &Store, node: u32, link: Link) {
        if link.side >= UP || link.ways & FORTH == 0 {
            return;
        }
        let (Some(here), Some(there)) = (self.part_of.get(node), self.part_of.get(link.to)) else { return };
        let (here, there) = (self.parts[here as usize], self.parts[there as usize]);
        let row = row_of(store, node, link);
        let far = row.next();
        // Only what both parts have of it.
        let along = 1 - row.axis();
        let low = row.low.max(here.low[along]).max(there.low[along]);
        let high = row.high.min(here.high[along]).min(there.high[along]);
        let (a, b) = (here.place(row.point(low)), there.place(far.point(low)));
        if low > high || a == NONE || b == NONE {
            return;
        }
        let strides = [here, there].map(|part| if along == 0 { 1 } else { (part.high[0] - part.low[0] + 1) as u32 });
        for i in 0..=(high - low) as u32 {
            let beside = &mut self.places[(a + i * strides[0]) as usize].beside[row.side];
            if *beside == NONE {
                *beside = b + i * strides[1];
            }
        }
    }

    /// A* from one place to another; whether it arrives.
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

    /// The places across the four corners of a place, where both ways around lead to one.
    fn corners(&mut self, at: u32) -> [u32; 4] {
        let Place { beside: [west, east, north, south], corners, has_corners, .. } = self.places[at as usize];
        if has_corners {
            return corners;
        }
        let beyond = |k: u32, sides: [usize; 2]| {
            self.places.get(k as usize).map_or([NONE; 2], |p| [p.beside[sides[0]], p.beside[sides[1]]])
        };
        let (west, east, north, south) =
            (beyond(west, [2, 3]), beyond(east, [2, 3]), beyond(north, [0, 1]), beyond(south, [0, 1]));
        let same = |by_x: u32, by_z: u32| if by_x == by_z { by_x } else { NONE };
        // In the order of [`QUARTERS`].
        let found =
            [same(west[0], north[0]), same(west[1], south[0]), same(east[0], north[1]), same(east[1], south[1])];
        let place = &mut self.places[at as usize];
        (place.corners, place.has_corners) = (found, true);
        found
    }

    /// Whether the diagonal to a place across a corner is legal.
    fn cuts<S: BlockSource + ?Sized>(&self, ground: &Ground<'_, S>, at: u32, corner: u32) -> bool {
        let (a, d) = (&self.places[at as usize], &self.places[corner as usize]);
        a.part == d.part || a.cell.y == d.cell.y || ground.diagonal_fits(a.cell, d.cell)
    }

    /// Keeps the way to a place by way of another, whose distance on the plane has the given square, if it is better
    /// than the one known, and legal.
    #[inline]
    fn offer(&mut self, a: &Place, [at, to]: [u32; 2], squared: i32, goal: Cell, is_legal: impl FnOnce(&Self) -> bool) {
        let Some(b) = self.places.get(to as usize) else { return };
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

    /// Lists the stops of the way: its ends, and where it turns or its slope changes.
    fn trace(&mut self, end: u32) {
        self.chain.clear();
        let mut at = end;
        let mut last = None;
        while at != NONE {
            let Place { cell, dear, from, .. } = self.places[at as usize];
            let step = self.places.get(from as usize).map(|p| {
                ([cell.x - p.cell.x, cell.y - p.cell.y, cell.z - p.cell.z], [dear.to_bits(), p.dear.to_bits()])
            });
            if last.is_none() || step != last {
                self.chain.push(at);
            }
            (last, at) = (step, from);
        }
        self.chain.reverse();
    }

    /// Leaves stops out where a straight line is as good.
    fn spare<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>) {
        self.best.clear();
        self.best.push((0.0, NONE));
        for j in 1..self.chain.len() {
            // The next stop is steps of one kind away.
            let [p, q] = [self.chain[j - 1], self.chain[j]].map(|k| &self.places[k as usize]);
            let step = step_length(p.cell, q.cell) * (p.dear + q.dear) * 0.5;
            let mut found = (self.best[j - 1].0 + step, j as u32 - 1);
            let mut misses = 0;
            for i in (j.saturating_sub(LOOK_AHEAD)..j - 1).rev() {
                let [a, b] = [self.chain[i], self.chain[j]];
                let bound = self.best[i].0 + step_length(self.places[a as usize].cell, self.places[b as usize].cell);
                // A line that spares stops is worth as much as the stops.
                if bound >= found.0 + SLACK {
                    continue;
                }
                match self.length(ground, a, b) {
                    Some(length) if self.best[i].0 + length < found.0 + SLACK => {
                        found = ((self.best[i].0 + length).min(found.0), i as u32);
                        misses = 0;
                    }
                    _ => misses += 1,
                }
                if misses == MISSES {
                    break;
                }
            }
            self.best.push(found);
        }
        let (mut at, mut kept) = (self.chain.len() - 1, self.chain.len());
        while at != NONE as usize {
            kept -= 1;
            self.chain[kept] = self.chain[at];
            at = self.best[at].1 as usize;
        }
        self.chain.drain(..kept);
    }

    /// What a straight line costs; `None` if it cannot be walked.
    fn length<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, a: u32, b: u32) -> Option<f32> {
        let Place { cell, dear, barred, .. } = self.places[a as usize];
        let (mut at, mut sum, mut alike) = (position(cell), 0.0, true);
        let walked = self.walk(ground, a, b, |tube, p, place| {
            sum += at.distance(p);
            at = p;
            let there = &tube.places[place as usize];
            alike &= there.dear == dear && there.barred == barred;
        });
        (walked && alike).then_some(sum * dear)
    }

    /// Walks a straight line over steps or over faces: gives every point where it crosses a line of places, and a place
    /// beside it. `false` if it cannot be walked.
    fn walk<S: BlockSource + ?Sized>(
        &mut self,
        ground: &Ground<'_, S>,
        a: u32,
        b: u32,
        mut each: impl FnMut(&Self, Vec3, u32),
    ) -> bool {
        let (start, end) = (self.places[a as usize].cell, self.places[b as usize].cell);
        let run = [end.x - start.x, end.z - start.z];
        let total = run.map(i32::abs);
        let sides = [usize::from(run[0] > 0), 2 + usize::from(run[1] > 0)];
        let quarter = 2 * sides[0] + sides[1] - 2;
        let mut done = [0; 2];
        let mut at = a;
        while done != total {
            // Which line of places comes next: one across x, one across z, or both where they meet.
            let lines = [(done[0] + 1) * total[1], (done[1] + 1) * total[0]];
            let (to, aside, share) = if let Some(axis) = total.iter().position(|&n| n == 0) {
                let to = self.places[at as usize].beside[sides[1 - axis]];
                if to == NONE {
                    return false;
                }
                done[1 - axis] += 1;
                (to, to, 0.0)
            } else if total[0] == total[1] {
                let to = self.corners(at)[quarter];
                if to == NONE || !self.cuts(ground, at, to) {
                    return false;
                }
                done = done.map(|n| n + 1);
                (to, to, 0.0)
            } else {
                let Some([x, z, both]) = self.face(ground, at, quarter) else { return false };
                if lines[0] == lines[1] {
                    done = [done[0] + 1, done[1] + 1];
                    (both, both, 0.0)
                } else {
                    let axis = usize::from(lines[0] > lines[1]);
                    done[axis] += 1;
                    let across = (done[axis] * total[1 - axis]) as f32 / total[axis] as f32;
                    ([x, z][axis], both, across - done[1 - axis] as f32)
                }
            };
            let [p, q] = [to, aside].map(|k| position(self.places[k as usize].cell));
            each(self, p + (q - p) * share, to);
            at = to;
        }
        at == b
    }

    /// The other places of the face that a line enters at one of its corners: beside it along x, along z, and across.
    /// `None` if there is no face, or steps in it are not legal, or it is not of one area.
    fn face<S: BlockSource + ?Sized>(&mut self, ground: &Ground<'_, S>, at: u32, quarter: usize) -> Option<[u32; 3]> {
        let d = self.corners(at)[quarter];
        if d == NONE {
            return None;
        }
        let Place { beside, faces, .. } = self.places[at as usize];
        let [b, c] = QUARTERS[quarter].map(|side| beside[side]);
        let known = faces >> (2 * quarter) & (OPEN | SHUT);
        if known == 0 {
            let found = if self.is_crossed(ground, [at, b, c, d]) { OPEN } else { SHUT };
            self.places[at as usize].faces |= found << (2 * quarter);
            return (found == OPEN).then_some([b, c, d]);
        }
        (known == OPEN).then_some([b, c, d])
    }

    /// Whether straight lines cross the face of four places.
    fn is_crossed<S: BlockSource + ?Sized>(&self, ground: &Ground<'_, S>, corners: [u32; 4]) -> bool {
        let [p, q, r, s] = corners.map(|k| &self.places[k as usize]);
        let together = [q, r, s].iter().all(|o| o.part == p.part);
        let opens = || {
            let level = [q, r, s].iter().all(|o| o.cell.y == p.cell.y);
            level || ground.square_opens([p.cell, q.cell], [r.cell, s.cell]) == (true, true)
        };
        let alike = [q, r, s].iter().all(|o| o.dear == p.dear && o.barred == p.barred);
        together || alike && opens()
    }

    /// Notes the nodes of a place and of those beside it: together they hold the corners of all faces that the way
    /// crosses.
    fn touch(&self, place: u32, touched: &mut Touched) {
        let Place { beside, .. } = self.places[place as usize];
        let around = beside.iter().chain([&place]).filter_map(|&k| self.places.get(k as usize));
        around.for_each(|p| touched.add(self.parts[p.part as usize].node));
    }
}

/// The length between places of one tube: they are near each other.
#[inline]
fn step_length(a: Cell, b: Cell) -> f32 {
    let [x, y, z] = [a.x - b.x, a.y - b.y, a.z - b.z].map(|v| v as f32);
    (x * x + y * y + z * z).sqrt()
}

fn position(c: Cell) -> Vec3 {
    Vec3::new(c.x as f32, c.y as f32, c.z as f32)
}

/// The length of the shortest way in eight directions, at least.
fn octile(a: Cell, b: Cell) -> f32 {
    let [x, y, z] = [a.x - b.x, a.y - b.y, a.z - b.z].map(|v| v.abs() as f32);
    let flat = x.max(z) + (core::f32::consts::SQRT_2 - 1.0) * x.min(z);
    (flat * flat + y * y).sqrt()
}
