//! Expands a node: what is visible through the edges of the polygon, and what is reached around the ends of the
//! interval.
//!
//! ```text
//!            b ───────── c          The cone through [l, r] meets the edges of the polygon. What lies within is visible
//!           /·\   seen  /·\         from the root; what lies left of the left ray is visible from l, if l is a corner around
//!          / · \       / · \        which the path may bend; and right of the right ray from r. A ray cuts the edge that
//!         a   · \     /·    d       it leaves by in two: the part beyond it belongs to the bend, up to the ray itself,
//!          \   · [l r]·    /        past which the path would bend to the wrong side.
//!           '────·\ /·────'
//!                root               An edge in line with the root is met at its nearer end and entered by bending there.
//! ```
//!
//! Cost: two determinants a corner, and an estimate for each part that leads somewhere.
//!
//! A part that is reached by a shorter path around an end of its edge leads to no shortest path and is dropped: for
//! each visible corner the length of the shortest path found so far is kept.
//!
//! Sources: Cui, Harabor, Grastien, 2017. Dropping intervals that another path reaches sooner: Shi-Qing Xin, Guo-Jin
//! Wang, "Improving Chen and Han's Algorithm on the Discrete Geodesic Problem", 2009.

use super::cone::{Bound, Cone, ConeSide, Seen};
use super::estimate::{Interval, distance, estimate};
use super::memory::{NOT_WORSE, Node, OptimalMemory, Root, Via};
use super::search_tile::{Barrier, Bend, Exit, Place, SearchTile};
use crate::area::LimitHit;
use crate::graph::{BestFirst, Course, InHand, Order, SearchObserver};
use crate::math::index::{NONE, TileSlot};
use crate::math::plane::xz;
use crate::math::predicates::orient2d;
use crate::mesh::{NavMesh, PolyRef};
use crate::query::{Crossing, QueryFilter};
use core::ops::ControlFlow;
use glam::Vec2;

/// The request and the working memory of a search.
pub(super) struct Expansion<'s, 'm, F: ?Sized, O> {
    pub(super) mesh: &'m NavMesh,
    pub(super) barrier: Barrier<'s, 'm, F>,
    pub(super) start: Place,
    pub(super) goal: Place,
    /// Least cost of a metre.
    pub(super) least: f64,
    /// Whether dead ends may be left out.
    pub(super) prune: bool,
    pub(super) memory: &'s mut OptimalMemory,
    pub(super) open: &'s mut InHand,
    pub(super) observer: &'s mut O,
    pub(super) course: &'s mut Course,
    /// The node that enters the goal's polygon, and the length of its path.
    pub(super) found: Option<(u32, f64)>,
    /// The tile of the last node: mostly that of the next as well.
    pub(super) last: Option<SearchTile<'m>>,
}

impl<F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>> BestFirst for Expansion<'_, '_, F, O> {
    #[inline]
    fn course(&mut self) -> &mut Course {
        self.course
    }

    #[inline]
    fn pop(&mut self) -> Option<(f32, u32)> {
        self.open.pop()
    }

    #[inline]
    fn visit(&mut self, _: f32, number: u32) -> ControlFlow<()> {
        let Some(length) = self.expand(number) else { return ControlFlow::Continue(()) };
        self.found = Some((number, length));
        ControlFlow::Break(())
    }
}

/// A node being expanded, with the roots at the ends of its interval once they are known.
pub(super) struct Passing {
    pub(super) root: u32,
    pub(super) cone: Cone,
    /// Where the path may bend, if it may: left and right.
    pub(super) ends: [Option<Bend>; 2],
    /// `None` while not looked for; then the root, if there is one.
    pub(super) roots: [Option<Option<u32>>; 2],
}

const LEFT: usize = 0;
const RIGHT: usize = 1;

impl<'m, F: QueryFilter + ?Sized, O: SearchObserver<PolyRef>> Expansion<'_, 'm, F, O> {
    /// Opens the node for the start.
    pub(super) fn begin(&mut self) {
        self.memory.begin(self.mesh);
        self.open.clear();
        self.observer.began();
        let Some(tile) = self.mesh.tile_in(TileSlot::new(self.start.slot)) else { return };
        let (page, _) = self.enter(tile);
        let at = self.start.at;
        let root = self.memory.add_root(Root { at, before: at, length: 0.0, key: NONE, parent: NONE });
        self.open_inside(NONE, root, (page, self.start.poly), Via::Inside);
    }

    /// Expands a node. If it enters the goal's polygon, it ends a shortest path, whose length is returned.
    fn expand(&mut self, index: u32) -> Option<f64> {
        let node = *self.memory.nodes.get(index);
        let root = self.memory.roots[node.root as usize];
        if self.memory.is_outdated(node.root, &root) {
            return None;
        }
        self.observer.closed(index);
        let ground = match self.last {
            Some(last) if last.page_index == node.page => last,
            _ => {
                self.last = self.ground(node.page);
                self.last?
            }
        };
        let is_inside = node.is_inside();
        let poly = if is_inside { node.entry } else { ground.sight.poly_of(node.entry) };
        if root.is_inside() && !is_inside && self.is_back_where_it_began(&node, poly) {
            return None;
        }
        if node.parent != NONE && !self.barrier.passes(ground.tile.reference(poly), ground.tile.state(poly)) {
            return None;
        }
        if (ground.page.slot, poly) == (self.goal.slot, self.goal.poly) {
            let goal = self.goal.at;
            let rest = if is_inside { distance(root.at, goal) } else { self.within(&ground, &node, &root, goal) };
            return Some(root.length + rest);
        }
        if !ground.tile.links().connections_of(poly).is_empty() {
            self.take_connections(&ground, poly, (index, &node, &root), is_inside);
        }
        if is_inside {
            self.leave_from_within(&ground, poly, (index, node.root));
        } else {
            self.go_through(&ground, poly, (index, &node, &root));
        }
        None
    }

    /// Whether a root that lies in a polygon has come around a vertex into that polygon again.
    fn is_back_where_it_began(&self, node: &Node, poly: u32) -> bool {
        if !node.bounds.contains(&Bound::Open) {
            return false;
        }
        let mut trail = self.memory.nodes.trail(node.parent);
        trail.find(|other| other.is_inside()).is_some_and(|other| (other.page, other.entry) == (node.page, poly))
    }

    /// All edges are seen from a root within the polygon.
    fn leave_from_within(&mut self, ground: &SearchTile<'m>, poly: u32, (index, root): (u32, u32)) {
        let range = ground.tile.data().corner_range(poly);
        let mut a = range.end - 1;
        for b in range {
            self.each_exit(ground, (a, b), NONE, |this, exit| this.go_around(ground, index, root, exit));
            a = b;
        }
    }

    /// From the edge by which a polygon was entered to all others, from left to right.
    fn go_through(&mut self, ground: &SearchTile<'m>, poly: u32, (index, node, root): (u32, &Node, &Root)) {
        let range = ground.tile.data().corner_range(poly);
        let next = |corner: usize| if corner + 1 == range.end { range.start } else { corner + 1 };
        let entry = node.entry as usize;
        let link = if let Via::Link(number) = node.via { number } else { NONE };
        let side = |k: usize, at: Vec2| ConeSide { bound: node.bounds[k], at };
        let mut passing = Passing {
            root: node.root,
            cone: Cone::new(root.at, root.before, side(LEFT, node.left), side(RIGHT, node.right)),
            ends: [None; 2],
            roots: [None; 2],
        };
        if node.bounds.contains(&Bound::End) {
            let [right, left] = if link == NONE {
                [self.bend_at(ground, entry), self.bend_at(ground, next(entry))]
            } else {
                self.link_ends(ground, (entry, next(entry)), link)
            };
            let end = |k: usize, bend: Bend| (node.bounds[k] == Bound::End).then_some(bend);
            passing.ends = [end(LEFT, left), end(RIGHT, right)];
        }
        let mut a = next(entry);
        // Where the corner that was looked at last is seen; walls are not looked at.
        let mut last = NONE as usize;
        let mut seen = Seen::default();
        while a != entry {
            let b = next(a);
            let corner = &ground.corners[a];
            if !corner.is_wall() && self.leads_on(ground, a as u32) {
                let seen_a = if last == a { seen } else { passing.cone.look(corner.at()) };
                let seen_b = passing.cone.look(ground.corners[b].at());
                (last, seen) = (b, seen_b);
                if let Some(twin) = corner.twin() {
                    let a = self.bend_at(ground, a);
                    let b = self.bend_at(ground, b);
                    let exit = Exit { a, b, entry: twin, page: ground.page_index, via: Via::Edge };
                    self.pass(ground, index, &mut passing, [seen_a, seen_b], |_| Some(exit));
                } else if let Some(border) = corner.border() {
                    for number in ground.tile.links().range_of_border(border) {
                        let ends = self.link_ends(ground, (a, b), number as u32);
                        let look =
                            |end: &Bend, corner| if end.is_within_edge { passing.cone.look(end.at) } else { corner };
                        let seen = [look(&ends[0], seen_a), look(&ends[1], seen_b)];
                        self.pass(ground, index, &mut passing, seen, |this| {
                            this.over_link(ground, a, number as u32, ends)
                        });
                    }
                }
            }
            a = b;
        }
        if link != NONE {
            self.turn_back(ground, (entry, next(entry)), index, &mut passing, link);
        }
    }

    /// Other links over the edge by which the polygon was entered are reached around the ends of the interval.
    fn turn_back(
        &mut self,
        ground: &SearchTile<'m>,
        corners: (usize, usize),
        index: u32,
        passing: &mut Passing,
        link: u32,
    ) {
        let [right, left] = self.link_ends(ground, corners, link);
        let along = left.at - right.at;
        self.each_exit(ground, corners, link, |this, exit| {
            let side = if (exit.a.at - left.at).dot(along) >= 0.0 {
                LEFT
            } else if (exit.b.at - right.at).dot(along) <= 0.0 {
                RIGHT
            } else {
                return;
            };
            // A root that stands on the portal goes along it to its end.
            let end = if side == LEFT { &left } else { &right };
            let root = if this.memory.nodes.get(index).bounds[side] != Bound::Open {
                this.root_at_end(ground, passing, side)
            } else if end.at == passing.cone.root {
                Some(passing.root)
            } else {
                this.bend(ground, end, passing.root)
            };
            if let Some(root) = root {
                this.go_around(ground, index, root, exit);
            }
        });
    }

    /// Expands one exit: what is visible from the root, and what from the ends of the interval. `exit` is not called
    /// if nothing of it is visible from either.
    #[inline]
    fn pass(
        &mut self,
        ground: &SearchTile<'m>,
        index: u32,
        passing: &mut Passing,
        [a, b]: [Seen; 2],
        exit: impl FnOnce(&mut Self) -> Option<Exit>,
    ) {
        if b.left >= 0.0 || a.right <= 0.0 {
            let (side, off) = if b.left >= 0.0 { (LEFT, a.left + b.left) } else { (RIGHT, a.right + b.right) };
            // What lies along the ray itself is seen from the root, whether or not the path may bend at the end.
            let root = if off == 0.0 { Some(passing.root) } else { self.root_at_end(ground, passing, side) };
            if let Some(root) = root
                && let Some(exit) = exit(self)
            {
                self.go_around(ground, index, root, &exit);
            }
            return;
        }
        if let Some(exit) = exit(self) {
            self.go_through_cone(ground, index, passing, &exit, [a, b]);
        }
    }

    /// Expands an exit that the cone meets.
    fn go_through_cone(
        &mut self,
        ground: &SearchTile<'m>,
        index: u32,
        passing: &mut Passing,
        exit: &Exit,
        [a, b]: [Seen; 2],
    ) {
        let mut left = ConeSide::end(exit.a.at);
        let mut low = 0.0;
        if a.left > 0.0 {
            low = a.left / (a.left - b.left);
            left = passing.cone.left.cut();
            if let Some(root) = self.root_at_end(ground, passing, LEFT) {
                self.push(ground, (index, root), exit, [ConeSide::end(exit.a.at), ConeSide::TANGENT], [0.0, low]);
            }
        }
        let mut right = ConeSide::end(exit.b.at);
        let mut high = 1.0;
        if b.right < 0.0 {
            high = a.right / (a.right - b.right);
            right = passing.cone.right.cut();
            if let Some(root) = self.root_at_end(ground, passing, RIGHT) {
                self.push(ground, (index, root), exit, [ConeSide::TANGENT, ConeSide::end(exit.b.at)], [high, 1.0]);
            }
        }
        if passing.cone.is_open() && orient2d(passing.cone.root, exit.a.at, exit.b.at) >= 0.0 {
            return self.go_around(ground, index, passing.root, exit);
        }
        self.push(ground, (index, passing.root), exit, [left, right], [low, high]);
    }

    /// From a root that sees the whole of an exit, or stands in line with it.
    fn go_around(&mut self, ground: &SearchTile<'m>, index: u32, root: u32, exit: &Exit) {
        let at = self.memory.roots[root as usize].at;
        let a = exit.a.at;
        let b = exit.b.at;
        let ends = [ConeSide::end(a), ConeSide::end(b)];
        if orient2d(at, a, b) < 0.0 {
            return self.push(ground, (index, root), exit, ends, [0.0, 1.0]);
        }
        let along = (b - a).as_dvec2();
        let off = (at - a).as_dvec2();
        let place = along.dot(off);
        if a == at {
            if self.turns_on(index, root, b, 1.0) {
                self.push(ground, (index, root), exit, [ConeSide::OPEN, ends[1]], [0.0, 1.0]);
            }
        } else if b == at {
            if self.turns_on(index, root, a, -1.0) {
                self.push(ground, (index, root), exit, [ends[0], ConeSide::OPEN], [0.0, 1.0]);
            }
        } else if (0.0..=along.length_squared()).contains(&place) {
            self.push(ground, (index, root), exit, [ConeSide::OPEN; 2], [0.0, 1.0]);
        } else {
            let (near, sides) =
                if place < 0.0 { (exit.a, [ConeSide::OPEN, ends[1]]) } else { (exit.b, [ends[0], ConeSide::OPEN]) };
            if let Some(root) = self.bend(ground, &near, root) {
                self.push(ground, (index, root), exit, sides, [0.0, 1.0]);
            }
        }
    }

    /// Opens a node behind an exit, unless everything visible of it is reached by a shorter path around one of its
    /// ends.
    #[inline]
    fn push(
        &mut self,
        ground: &SearchTile<'m>,
        (parent, root): (u32, u32),
        exit: &Exit,
        [left, right]: [ConeSide; 2],
        [low, high]: [f64; 2],
    ) {
        let from = &self.memory.roots[root as usize];
        let bounds = [left.bound, right.bound];
        let total = from.length
            + if bounds.contains(&Bound::Open) {
                distance(from.at, self.goal.at)
            } else {
                let interval = Interval { a: exit.a.at, b: exit.b.at, low, high };
                if self.is_dominated(ground, root, [&exit.a, &exit.b], &interval, bounds) {
                    return;
                }
                estimate(self.memory.roots[root as usize].at, &interval, self.goal.at)
            };
        let node = Node {
            left: left.at,
            right: right.at,
            parent,
            root,
            entry: exit.entry,
            page: exit.page,
            bounds,
            via: exit.via,
        };
        self.keep(node, total);
    }

    /// Records the distances to the ends of an exit, if they are visible, and returns whether a path via one of the
    /// ends and along the edge is shorter for the whole interval. Farther along the edge such a path gains nothing on
    /// the straight one, so comparing at the far end of the interval decides.
    #[inline]
    fn is_dominated(
        &mut self,
        ground: &SearchTile<'m>,
        root: u32,
        ends: [&Bend; 2],
        interval: &Interval,
        bounds: [Bound; 2],
    ) -> bool {
        let Root { at, length, .. } = self.memory.roots[root as usize];
        // By how much the paths to the ends are longer than the shortest known.
        let mut may_be = [true; 2];
        for (k, bend) in [LEFT, RIGHT].into_iter().zip(ends) {
            may_be[k] = if bounds[k] == Bound::End {
                let own = length + distance(at, bend.at);
                self.memory.reach_by(bend.key, own) < own * NOT_WORSE
            } else {
                self.memory.reach(bend.key) < f64::INFINITY
            };
        }
        may_be.contains(&true) && self.is_reached_over_ends(ground, (at, length), ends, interval, may_be)
    }

    fn is_reached_over_ends(
        &mut self,
        ground: &SearchTile<'m>,
        (at, length): (Vec2, f64),
        [a, b]: [&Bend; 2],
        interval: &Interval,
        may_be: [bool; 2],
    ) -> bool {
        let along = distance(interval.a, interval.b);
        let [to_low, to_high] = interval.distances(at).map(|distance| length + distance);
        let [over_a, over_b] = [(a, interval.high), (b, 1.0 - interval.low)]
            .map(|(bend, share)| self.memory.reach(bend.key) + along * share);
        may_be[LEFT] && over_a < to_high * NOT_WORSE && !self.is_parted(ground, a)
            || may_be[RIGHT] && over_b < to_low * NOT_WORSE && !self.is_parted(ground, b)
    }

    fn open_inside(&mut self, parent: u32, root: u32, (page, poly): (u32, u32), via: Via) {
        let from = &self.memory.roots[root as usize];
        let total = from.length + distance(from.at, self.goal.at);
        let left = Vec2::ZERO;
        let right = Vec2::ZERO;
        let bounds = [Bound::Open; 2];
        self.keep(Node { left, right, parent, root, entry: poly, page, bounds, via }, total);
    }

    /// Keeps a new node, unless there are too many, or it is too expensive.
    #[inline]
    fn keep(&mut self, node: Node, total: f64) {
        if self.course.is_full(self.memory.nodes.len()) {
            return;
        }
        if total * self.least > f64::from(self.course.limits.max_cost) {
            self.course.limit = self.course.limit.or(Some(LimitHit::Distance));
            return;
        }
        let number = self.memory.nodes.push(node);
        self.open.push(total as f32, number);
        if self.observer.is_watching() {
            self.show_opened(number, total as f32);
        }
    }

    /// Enters the off-mesh connections of a polygon.
    fn take_connections(&mut self, ground: &SearchTile<'m>, poly: u32, at: (u32, &Node, &Root), is_inside: bool) {
        let (index, node, root) = at;
        for link in ground.tile.links().connections_of(poly) {
            let Ok(connection) = self.mesh.connection(link.to) else { continue };
            let Some([entrance, exit]) = connection.passage(link.end) else { continue };
            let from = entrance.point;
            let to = exit.point;
            let jump = Crossing::over(self.mesh, link.to, connection.state(), [from, to]);
            let before = ground.tile.reference(poly);
            let cost = self.barrier.filter.cost(&jump.between(Some(before), Some(exit.poly)));
            if !self.barrier.filter.passes(link.to, connection.state()) || !cost.is_finite() {
                continue;
            }
            let Ok((beyond, exit_poly)) = self.mesh.locate(exit.poly) else { continue };
            // In metres, so that least cost times length stays a lower bound of the cost.
            let crossing = (f64::from(cost) / self.least).max(f64::from(from.distance(to)));
            let crossing = if crossing.is_finite() { crossing } else { f64::from(from.distance(to)) };
            let there = if is_inside { distance(root.at, xz(from)) } else { self.within(ground, node, root, xz(from)) };
            let length = root.length + there + crossing;
            let key = self.memory.connection(self.mesh, link.to.poly().get(), link.end);
            let known = self.memory.known(key);
            if known.is_some_and(|other| self.memory.roots[other as usize].length <= length) {
                continue;
            }
            let exit_at = xz(to);
            let parent = node.root;
            let root = self.memory.add_root(Root { at: exit_at, before: exit_at, length, key, parent });
            self.memory.set_known(key, root);
            let (page, _) = self.enter(beyond);
            let via = Via::Connection(2 * link.to.poly().get() + link.end);
            self.open_inside(index, root, (page, exit_poly), via);
        }
    }

    /// Length of the path from a node's root through its interval to a place in the polygon.
    fn within(&self, ground: &SearchTile<'_>, node: &Node, root: &Root, to: Vec2) -> f64 {
        let range = ground.tile.data().corner_range(ground.sight.poly_of(node.entry));
        let entry = node.entry as usize;
        let next = if entry + 1 == range.end { range.start } else { entry + 1 };
        let [b, a] = if let Via::Link(number) = node.via {
            self.link_ends(ground, (entry, next), number).map(|end| end.at)
        } else {
            [entry, next].map(|corner| ground.corners[corner].at())
        };
        let [left, right] =
            [(LEFT, node.left), (RIGHT, node.right)].map(|(k, at)| ConeSide { bound: node.bounds[k], at });
        let cone = Cone::new(root.at, root.before, left, right);
        if cone.is_open() {
            return distance(root.at, to);
        }
        estimate(root.at, &cone.interval(a, b), to)
    }
}
