//! Joins holes to the outline around them, so that a region is one closed path.
//!
//! A bridge is laid from a hole's leftmost corner to the nearest outline corner visible from it; the path then follows
//! the bridge, goes around the hole, and back:
//!
//! ```text
//!   o-----------------o
//!   |      .-o-.      |
//!   o======o   |      |      the bridge is walked twice, once each way
//!   |      '-o-'      |
//!   o-----------------o
//! ```
//!
//! Holes are taken from left to right. Then the outline and the holes joined so far always have a corner visible from
//! the leftmost corner, so a bridge exists whenever outlines are simple. Bridges must not touch any corner on their
//! way; visibility is decided exactly, in integers.
//!
//! Corners and edges are found in a grid; the path is a linked list whose corners carry numbers that increase along it.
//!
//! Cost: about constant for each corner of a hole and each candidate that is tried, usually one or two per hole;
//! testing all corners for every hole, as Recast does, would cost the square of the holes.
//!
//! Sources: David Eberly, "Triangulation by Ear Clipping", 2002 (leftmost corners); Mikko Mononen, Recast, 2014
//! (nearest visible corner).

use super::crossings::{is_inside_edge, turn};
use super::rings::RingCorner;
use crate::bake::ContourVert;
use crate::bake::cell_point::cross_properly;
use crate::bake::corner_grid::CornerGrid;
use crate::math::index::NONE;
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// A hole: a range of the corners of all holes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole {
    pub(super) first: u32,
    pub(super) count: u32,
    /// Its leftmost corner, counted within the hole.
    leftmost: u32,
    at: RingCorner,
}

/// An outline to which holes are joined.
#[derive(Clone, Debug, Default)]
pub(super) struct HoleJoiner {
    /// The path: initially the outline.
    pub(super) path: Vec<ContourVert>,
    /// Corners of all holes.
    pub(super) corners: Vec<ContourVert>,
    pub(super) holes: Vec<Hole>,
    /// The path while holes are joined to it.
    nodes: Vec<HoleNode>,
    edges: Vec<HoleEdge>,
    grid: CornerGrid,
    /// Corners that are added to the path with a hole.
    added: Vec<ContourVert>,
    /// Corners of the path by distance and position, while the nearest is searched.
    near: BinaryHeap<Reverse<(i64, u64, u32)>>,
}

/// A corner of the path, linked to those before and after it.
#[derive(Clone, Copy, Debug)]
struct HoleNode {
    vert: ContourVert,
    before: u32,
    after: u32,
    /// Increases along the path; there is room between consecutive values.
    place: u64,
}

/// An edge that no bridge may cross.
#[derive(Clone, Copy, Debug)]
struct HoleEdge {
    a: RingCorner,
    b: RingCorner,
    /// The hole that it belongs to, [`NONE`] for the outline and for bridges.
    hole: u32,
}

const fn at(vert: &ContourVert) -> RingCorner {
    [vert.x, vert.z]
}

/// Room between the places of two neighbours on the path.
const ROOM: u64 = 1 << 32;

impl HoleJoiner {
    pub(super) fn clear(&mut self) {
        self.path.clear();
        self.corners.clear();
        self.holes.clear();
    }

    /// Adds a hole made of the corners from `first` to the end of `corners`.
    pub(super) fn add_hole(&mut self, first: usize) {
        let corners = &self.corners[first..];
        let Some(leftmost) = (0..corners.len()).min_by_key(|&k| (at(&corners[k]), k)) else { return };
        let place = at(&corners[leftmost]);
        let first = first as u32;
        let count = corners.len() as u32;
        self.holes.push(Hole { first, count, leftmost: leftmost as u32, at: place });
    }

    /// Joins all holes to the path; calls `dropped` with a corner of each that cannot be joined.
    pub(super) fn join_all(&mut self, region: u32, mut dropped: impl FnMut(ContourVert)) {
        if self.holes.is_empty() {
            return;
        }
        self.holes.sort_unstable_by_key(|hole| (hole.at, hole.first));
        self.index();
        for k in 0..self.holes.len() {
            match self.find_bridge(k) {
                Some((from, to)) => self.lay_bridge(self.holes[k], from, to, region),
                None => {
                    let hole = &mut self.holes[k];
                    dropped(self.corners[(hole.first + hole.leftmost) as usize]);
                    // It must not be an obstacle to the others.
                    hole.count = 0;
                }
            }
        }
        self.path.clear();
        let mut node = 0;
        loop {
            let HoleNode { vert, after, .. } = self.nodes[node as usize];
            self.path.push(vert);
            if after == 0 {
                break;
            }
            node = after;
        }
    }

    /// Lists the corners of the path and all edges.
    fn index(&mut self) {
        let Self { path, corners, holes, nodes, edges, grid, .. } = self;
        let all = || path.iter().chain(corners.iter()).map(at);
        let axis = |k: usize| all().fold([i32::MAX, i32::MIN], |[low, high], p| [low.min(p[k]), high.max(p[k])]);
        let [x, z] = [axis(0), axis(1)];
        grid.reset([[x[0], z[0]], [x[1], z[1]]], path.len() + corners.len());
        let count = path.len() as u32;
        nodes.clear();
        nodes.extend(path.iter().zip(0..).map(|(&vert, k)| HoleNode {
            vert,
            before: (k + count - 1) % count,
            after: (k + 1) % count,
            place: u64::from(k) * ROOM,
        }));
        edges.clear();
        let ring = |corners: &[ContourVert], hole: u32, edges: &mut Vec<HoleEdge>| {
            let after = corners.iter().cycle().skip(1);
            edges.extend(corners.iter().zip(after).map(|(a, b)| HoleEdge { a: at(a), b: at(b), hole }));
        };
        ring(path, NONE, edges);
        for (hole, k) in holes.iter().zip(0..) {
            ring(&corners[hole.first as usize..(hole.first + hole.count) as usize], k, edges);
        }
        path.iter().zip(0..).for_each(|(vert, node)| grid.add_corner(at(vert), node));
        edges.iter().zip(0..).for_each(|(edge, number)| grid.add_edge(edge.a, edge.b, number));
    }

    fn hole_corners(&self, hole: Hole) -> &[ContourVert] {
        &self.corners[hole.first as usize..(hole.first + hole.count) as usize]
    }

    /// The node of the path and the corner of hole `k` between which a bridge can be laid.
    fn find_bridge(&mut self, k: usize) -> Option<(u32, usize)> {
        let hole = self.holes[k];
        (0..hole.count as usize).find_map(|turned| {
            let to = (hole.leftmost as usize + turned) % hole.count as usize;
            self.nearest_in_sight(k, to).map(|from| (from, to))
        })
    }

    /// The nearest corner of the path visible from corner `to` of hole `k`; of several, the first on the path.
    fn nearest_in_sight(&mut self, k: usize, to: usize) -> Option<u32> {
        let mut near = core::mem::take(&mut self.near);
        near.clear();
        let corners = self.hole_corners(self.holes[k]);
        let target = at(&corners[to]);
        let after = at(&corners[(to + 1) % corners.len()]);
        let distance = |p: RingCorner| {
            let dx = i64::from(p[0] - target[0]);
            let dz = i64::from(p[1] - target[1]);
            dx * dx + dz * dz
        };
        let mut ring = 0;
        let mut found = None;
        while found.is_none() {
            let rest = self.grid.corners_around(target, ring, |node| {
                if self.opens_to(node, target, after) {
                    let HoleNode { vert, place, .. } = &self.nodes[node as usize];
                    near.push(Reverse((distance(at(vert)), *place, node)));
                }
            });
            // Anything farther away must wait for the next ring of squares.
            while let Some(&Reverse((d, _, node))) = near.peek()
                && rest.is_none_or(|rest| d < rest * rest)
            {
                near.pop();
                if self.sees(k, to, at(&self.nodes[node as usize].vert)) {
                    found = Some(node);
                    break;
                }
            }
            if rest.is_none() {
                break;
            }
            ring += 1;
        }
        self.near = near;
        found
    }

    /// Whether the path's corner opens towards a corner `p` of a hole. If both are at the same position, the hole must
    /// lie within its angle: the path may pass there more than once. `next` is the corner of the hole after `p`.
    fn opens_to(&self, node: u32, p: RingCorner, next: RingCorner) -> bool {
        let HoleNode { vert, before, after, .. } = &self.nodes[node as usize];
        let [before, after] = [*before, *after].map(|node| at(&self.nodes[node as usize].vert));
        opens_to([before, at(vert), after], if at(vert) == p { next } else { p })
    }

    /// Whether corner `to` of hole `k` opens towards `start`, with no edge of the path or of a hole in between.
    fn sees(&self, k: usize, to: usize, start: RingCorner) -> bool {
        let corners = self.hole_corners(self.holes[k]);
        let n = corners.len();
        let around = [(to + n - 1) % n, to, (to + 1) % n].map(|k| at(&corners[k]));
        let target = around[1];
        start == target
            || (opens_to(around, start)
                && self.grid.all_edges_along(start, target, |edge| {
                    let edge = self.edges[edge as usize];
                    self.holes.get(edge.hole as usize).is_some_and(|hole| hole.count == 0)
                        || is_clear_of(edge, start, target)
                }))
    }

    /// Inserts the hole into the path, after its corner `from`, beginning and ending at the hole's corner `to`.
    fn lay_bridge(&mut self, hole: Hole, from: u32, to: usize, region: u32) {
        let first = hole.first as usize;
        let count = hole.count as usize;
        let back = self.nodes[from as usize].vert;
        let landing = self.corners[first + to];
        self.added.clear();
        self.added.extend((0..count).map(|k| self.corners[first + (to + k) % count]));
        if at(&back) == at(&landing) {
            // from → hole … → to, which is from: its edge continues where the path continued.
            self.nodes[from as usize].vert = landing;
            self.added.remove(0);
        } else {
            self.nodes[from as usize].vert.neighbour = region;
            self.added.push(ContourVert { neighbour: region, ..landing });
            let a = at(&back);
            let b = at(&landing);
            self.grid.add_edge(a, b, self.edges.len() as u32);
            self.edges.push(HoleEdge { a, b, hole: NONE });
        }
        self.added.push(back);
        self.insert(from);
    }

    /// Inserts the added corners into the path after a node.
    fn insert(&mut self, from: u32) {
        let parts = self.added.len() as u64 + 1;
        let (begin, end, room) = loop {
            let HoleNode { place, after, .. } = self.nodes[from as usize];
            let end = if after == 0 { place + ROOM * parts } else { self.nodes[after as usize].place };
            let room = (end - place) / parts;
            if room > 0 {
                break (place, after, room);
            }
            self.spread();
        };
        let mut before = from;
        for (&vert, k) in self.added.iter().zip(1..) {
            let node = self.nodes.len() as u32;
            self.nodes.push(HoleNode { vert, before, after: end, place: begin + k * room });
            self.nodes[before as usize].after = node;
            self.grid.add_corner(at(&vert), node);
            before = node;
        }
        self.nodes[end as usize].before = before;
    }

    /// Renumbers all corners of the path with room between them.
    fn spread(&mut self) {
        // More than the corners of any hole.
        let room = u64::MAX / 4 / self.nodes.len() as u64;
        let mut node = 0;
        let mut place = 0;
        loop {
            self.nodes[node as usize].place = place;
            place += room;
            node = self.nodes[node as usize].after;
            if node == 0 {
                break;
            }
        }
    }
}

/// Whether `p` lies on the region's side of the two edges at a corner of a closed path.
fn opens_to([before, here, after]: [RingCorner; 3], p: RingCorner) -> bool {
    if here == p {
        return true;
    }
    let in_turn = turn(before, here, p);
    let out_turn = turn(here, after, p);
    if turn(before, here, after) < 0 { in_turn < 0 && out_turn < 0 } else { in_turn < 0 || out_turn < 0 }
}

/// Whether the line between two corners does not cross an edge, touches neither of its ends, and is not the edge
/// itself.
fn is_clear_of(HoleEdge { a, b, .. }: HoleEdge, from: RingCorner, to: RingCorner) -> bool {
    // Most edges are far away.
    let is_apart = |k: usize| a[k].max(b[k]) < from[k].min(to[k]) || a[k].min(b[k]) > from[k].max(to[k]);
    is_apart(0)
        || is_apart(1)
        || !(cross_properly(from, to, a, b)
            || is_inside_edge(from, to, a)
            || is_inside_edge(from, to, b)
            || is_inside_edge(a, b, from)
            || is_inside_edge(a, b, to)
            || (a.min(b) == from.min(to) && a.max(b) == from.max(to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    const REGION: u32 = 9;

    fn vert([x, z]: RingCorner) -> ContourVert {
        ContourVert { x, y: 0, z, neighbour: 0 }
    }

    /// An outline around a square, and holes that are diamonds or squares around places.
    fn joiner(side: i32, holes: &[(RingCorner, i32, bool)]) -> HoleJoiner {
        let mut joiner = HoleJoiner::default();
        joiner.path.extend([[0, 0], [0, side], [side, side], [side, 0]].map(vert));
        for &([x, z], r, is_diamond) in holes {
            let first = joiner.corners.len();
            let corners = match is_diamond {
                true => [[x - r, z], [x, z - r], [x + r, z], [x, z + r]],
                false => [[x - r, z - r], [x + r, z - r], [x + r, z + r], [x - r, z + r]],
            };
            joiner.corners.extend(corners.map(vert));
            joiner.add_hole(first);
        }
        joiner
    }

    fn area2(path: &[ContourVert]) -> i64 {
        (0..path.len()).map(|k| turn([0, 0], at(&path[k]), at(&path[(k + 1) % path.len()]))).sum()
    }

    /// The same by looking at all corners and all edges for every hole.
    fn join_slowly(joiner: &HoleJoiner) -> Vec<ContourVert> {
        let mut path = joiner.path.clone();
        let mut holes = joiner.holes.clone();
        holes.sort_unstable_by_key(|hole| (hole.at, hole.first));
        let ring = |hole: &Hole| joiner.corners[hole.first as usize..][..hole.count as usize].to_vec();
        let around = |path: &[ContourVert], k: usize| {
            let n = path.len();
            [(k + n - 1) % n, k, (k + 1) % n].map(|k| at(&path[k]))
        };
        for k in 0..holes.len() {
            let hole = ring(&holes[k]);
            let bridge = (0..hole.len()).find_map(|turned| {
                let to = (holes[k].leftmost as usize + turned) % hole.len();
                let target = at(&hole[to]);
                let mut all: Vec<usize> =
                    (0..path.len()).filter(|&from| opens_to(around(&path, from), target)).collect();
                all.sort_by_key(|&from| {
                    let d = [0, 1].map(|k| i64::from(at(&path[from])[k] - target[k]));
                    d[0] * d[0] + d[1] * d[1]
                });
                let is_clear = |start: RingCorner| {
                    let rings = core::iter::once(path.clone()).chain(holes[k..].iter().map(ring));
                    let mut edges = rings
                        .flat_map(|r| (0..r.len()).map(|i| [at(&r[i]), at(&r[(i + 1) % r.len()])]).collect::<Vec<_>>());
                    edges.all(|[a, b]| is_clear_of(HoleEdge { a, b, hole: NONE }, start, target))
                };
                let sees = |from: &usize| {
                    let start = at(&path[*from]);
                    start == target || (opens_to(around(&hole, to), start) && is_clear(start))
                };
                all.into_iter().find(sees).map(|from| (from, to))
            });
            let Some((from, to)) = bridge else { continue };
            let mut turned: Vec<_> = hole[to..].iter().chain(&hole[..to]).copied().collect();
            let back = path[from];
            if at(&back) == at(&turned[0]) {
                path[from] = turned.remove(0);
                turned.push(back);
            } else {
                path[from].neighbour = REGION;
                turned.extend([ContourVert { neighbour: REGION, ..turned[0] }, back]);
            }
            path.splice(from + 1..from + 1, turned);
        }
        path
    }

    #[test]
    fn bridges_are_those_of_looking_at_everything() {
        let mut rng = Rng::new(5);
        let mut random = |below: u32| rng.below(below) as i32;
        let mut touching = 0;
        for round in 0..60 {
            // Holes in a lattice of squares, up to as large as their square: then neighbours meet at corners.
            let columns = 1 + round % 9;
            let holes: Vec<_> = (0..columns * columns)
                .filter_map(|k| {
                    let place = [3 + k % columns * 4 + 2, 3 + k / columns * 4 + 2];
                    (random(4) > 0).then(|| (place, 1 + random(2), true))
                })
                .collect();
            let mut joiner = joiner(columns * 4 + 6, &holes);
            let expected = join_slowly(&joiner);
            let before = joiner.path.len() + joiner.corners.len() + 2 * joiner.holes.len();
            joiner.join_all(REGION, |at| panic!("dropped at {at:?}"));
            assert_eq!(joiner.path, expected, "round {round}");
            touching += (before - joiner.path.len()) / 2;
        }
        assert!(touching > 20, "{touching}");
    }

    #[test]
    fn many_thousands_of_holes_are_joined() {
        let columns = 200;
        let mut holes = Vec::new();
        for k in 0..columns * columns {
            let jitter = (k * 7919 % 5, k * 31 % 7 % 5);
            holes.push(([k % columns * 16 + 8 + jitter.0, k / columns * 16 + 8 + jitter.1], 2 + k % 3, k % 2 == 0));
        }
        let mut joiner = joiner(columns * 16 + 4, &holes);
        let ground = area2(&joiner.path) + joiner.corners.chunks(4).map(area2).sum::<i64>();
        joiner.join_all(REGION, |at| panic!("dropped at {at:?}"));
        assert_eq!(joiner.path.len(), 4 + 6 * holes.len());
        assert_eq!(area2(&joiner.path), ground);
    }
}
