//! The path of an agent through a block world, maintained while the agent walks, is pushed aside, and the world
//! changes.
//!
//! ```text
//!     . . . # . .        The agent may be anywhere on the edges and faces between standing points. If it is pushed beyond them,
//!     . a--+# . .        it is moved back to the nearest edge (+). It aims at the next corner of its path, and finds a new
//!     . . . . c .        path only if blocks along the old one changed, or if it was pushed off the path.
//! ```
//!
//! The caller computes velocities: take the desired one from [`BlockCorridor::target`], let a method of
//! [`avoid`](crate::avoid) change it, and walk to where it leads.
//!
//! The corridor says when it [needs a path](BlockCorridor::needs_path), and [follows](BlockCorridor::follow) the one it
//! is given, so that the path can come from a queue with a budget ([`BlockRequests`](super::BlockRequests)). With
//! [`BlockCorridor::refresh`] it searches at once.
//!
//! Cost: a walk: about 30 block look-ups per quarter of a metre; a refresh: nothing, or a path.
//!
//! Sources: own work; the idea of a path corridor is that of Mikko Mononen's `dtPathCorridor`, Detour, 2010.

use super::ground::Ground;
use super::nav::{BlockNav, BlockPath, BlockPathRequest};
use super::{BlockSource, Cell};
use crate::area::PathStatus;
use crate::math::segment::closest_point;
use glam::{Vec2, Vec3};

/// Walks are split into steps of this length, metres.
const STEP: f32 = 0.25;
/// Greatest number of steps in a walk.
const MOST_STEPS: u32 = 64;
/// A corner counts as passed within this distance, metres.
const NEAR: f32 = 0.3;
/// An agent farther from its path than this was pushed off it, metres.
const STRAYED: f32 = 1.0;
/// How far to look for a standing point when there is nothing to stand on under the agent, blocks.
const REACH: u32 = 3;

/// The position of an agent, and its path from there.
#[derive(Clone, Debug)]
pub struct BlockCorridor {
    request: BlockPathRequest,
    path: BlockPath,
    /// Index of the next corner of the path.
    next: usize,
    /// The standing point nearest to the position.
    cell: Cell,
    position: Vec3,
    /// The change count of the navigation when the path was asked for; `None` before the first time.
    changes: Option<u64>,
}

impl BlockCorridor {
    /// An agent at a standing point, with its path to the goal of a request; the request's start is ignored. `None` if
    /// there is no standing point within three blocks of `position`. Cost: a path.
    pub fn new<S: BlockSource + ?Sized>(
        nav: &mut BlockNav,
        world: &S,
        position: impl Into<Vec3>,
        request: &BlockPathRequest,
    ) -> Option<Self> {
        let mut corridor = Self::without_path(nav, world, position, request)?;
        corridor.refresh(nav, world);
        Some(corridor)
    }

    /// Like [`new`](Self::new), without a search: the agent stays where it is until it [follows](Self::follow) a path.
    pub fn without_path<S: BlockSource + ?Sized>(
        nav: &BlockNav,
        world: &S,
        position: impl Into<Vec3>,
        request: &BlockPathRequest,
    ) -> Option<Self> {
        let cell = nav.nearest(world, position, REACH)?;
        let request = BlockPathRequest { start: cell, ..request.clone() };
        let path = BlockPath::none();
        Some(Self { position: nav.position(cell), request, path, next: 1, cell, changes: None })
    }

    /// The position of the agent.
    #[must_use]
    pub fn position(&self) -> Vec3 {
        self.position
    }

    /// The standing point nearest to the agent.
    #[must_use]
    pub fn cell(&self) -> Cell {
        self.cell
    }

    /// The current path.
    #[must_use]
    pub fn path(&self) -> &BlockPath {
        &self.path
    }

    /// The next corner of the path, to walk to.
    #[must_use]
    pub fn target(&self) -> Vec3 {
        self.path.points.get(self.next).or(self.path.points.last()).copied().unwrap_or(self.position)
    }

    /// Whether the agent has reached the end of a path that leads to the goal.
    #[must_use]
    pub fn has_arrived(&self) -> bool {
        self.path.status == PathStatus::Complete && self.next >= self.path.points.len()
    }

    /// Finds a new path and follows it if the agent [needs](Self::needs_path) one; returns whether it did. Searches at
    /// once, outside of any budget.
    pub fn refresh<S: BlockSource + ?Sized>(&mut self, nav: &mut BlockNav, world: &S) -> bool {
        let Some(request) = self.needs_path(nav, world) else { return false };
        let path = nav.find_path(world, &request);
        self.follow(path);
        true
    }

    /// The request for a new path if blocks along the old one changed (see [`BlockNav::invalidate`]), if the agent was
    /// pushed off it, or if it has none yet. If the old path does not reach the goal, it is searched again as soon as
    /// any block changed, and at its end if a limit cut it short. If there is nothing to stand on under the agent, it
    /// is moved to the nearest standing point.
    ///
    /// Put the request in a queue and have the agent [follow](Self::follow) the answer; until then do not ask again.
    /// Meanwhile it may walk on along the old path.
    pub fn needs_path<S: BlockSource + ?Sized>(&mut self, nav: &BlockNav, world: &S) -> Option<BlockPathRequest> {
        let stands = nav.stands(world, self.cell);
        if stands && !self.has_strayed() && self.is_current(nav) {
            return None;
        }
        if !stands && let Some(cell) = nav.nearest(world, self.position, REACH) {
            (self.cell, self.position) = (cell, nav.position(cell));
        }
        self.request.start = self.cell;
        self.changes = Some(nav.changes);
        Some(self.request.clone())
    }

    /// Follows a path that was found for the request from [`needs_path`](Self::needs_path). An agent that has walked on
    /// since then joins it at the nearest place that it can have come to.
    pub fn follow(&mut self, path: BlockPath) {
        self.path = path;
        self.next = 1;
        let Some(&start) = self.path.points.first() else { return };
        if self.cell == self.request.start {
            return;
        }
        // No farther along the path, lest it takes a short cut through a wall between two parts of it.
        let mut reach = start.distance(self.position) + STRAYED;
        let mut least = f32::INFINITY;
        for (end, part) in (1..).zip(self.path.points.windows(2)) {
            if reach <= 0.0 {
                break;
            }
            let apart = closest_point(self.position, part[0], part[1]).distance_squared(self.position);
            if apart < least {
                (least, self.next) = (apart, end);
            }
            reach -= part[0].distance(part[1]);
        }
    }

    /// Whether a new search is not expected to find a better path.
    fn is_current(&self, nav: &BlockNav) -> bool {
        if self.changes.is_none() {
            return false;
        }
        match self.path.status {
            PathStatus::Complete => nav.is_current(&self.path),
            // A change that opens a path may be anywhere.
            _ => {
                let is_at_end = self.next >= self.path.points.len();
                let has_moved = self.cell != self.request.start;
                let goes_on = self.path.limit.is_some() && is_at_end && has_moved;
                self.changes == Some(nav.changes) && !goes_on
            }
        }
    }

    /// Moves the agent towards a point as far as surfaces allow, at most 16 m, and returns its new position. One-way
    /// steps, down a drop that cannot be climbed, are taken as a whole. On a ladder the agent moves up or down by the
    /// distance to the point.
    pub fn walk<S: BlockSource + ?Sized>(&mut self, nav: &BlockNav, world: &S, to: impl Into<Vec3>) -> Vec3 {
        let to = to.into();
        if !to.is_finite() {
            return self.position;
        }
        let ground = Ground::new(world, nav.settings().agent);
        let run = Vec2::new(to.x - self.position.x, to.z - self.position.z);
        if !self.climb(nav, &ground, to.distance(self.position)) {
            let count = ((run.length() / STEP).ceil() as u32).clamp(1, MOST_STEPS);
            // Squares of the longest walks overflow f32.
            let by = run.as_dvec2().clamp_length_max(f64::from(STEP) * f64::from(MOST_STEPS)).as_vec2() / count as f32;
            (0..count).for_each(|_| self.advance(nav, &ground, by));
        }
        self.pass_corners();
        self.position
    }

    /// Climbs a ladder up or down if the path leads there.
    fn climb<S: BlockSource + ?Sized>(&mut self, nav: &BlockNav, ground: &Ground<'_, S>, length: f32) -> bool {
        let target = self.target();
        let aside = Vec2::new(target.x - self.position.x, target.z - self.position.z);
        let rise = target.y - self.position.y;
        if aside.length() > NEAR || rise.abs() < 1e-3 {
            return false;
        }
        let at = nav.position(self.cell);
        let rung = if rise > 0.0 { ground.rung_above(self.cell) } else { ground.rung_below(self.cell) };
        let between = (self.position.y - at.y) * rise < 0.0;
        if rung.is_none() && !between {
            return false;
        }
        let y = self.position.y + rise.signum() * length.min(rise.abs()).min(1.0);
        self.position = Vec3::new(at.x, y, at.z);
        if let Some(rung) = rung.filter(|rung| (y - rung.y as f32).abs() < (y - at.y).abs()) {
            self.cell = rung;
        }
        true
    }

    /// Makes one short step over the surface.
    fn advance<S: BlockSource + ?Sized>(&mut self, nav: &BlockNav, ground: &Ground<'_, S>, by: Vec2) {
        let here = nav.position(self.cell);
        let at = |p: Vec3| Vec2::new(p.x, p.z);
        let mut off = at(self.position) + by - at(here);
        // Beyond the middle between two cells the other one is nearer.
        let x = (off.x.abs() > 0.5).then_some(usize::from(off.x > 0.0));
        let z = (off.y.abs() > 0.5).then_some(2 + usize::from(off.y > 0.0));
        let across = x.zip(z).and_then(|(x, z)| {
            let around = [[x, z], [z, x]].map(|[first, then]| step(ground, step(ground, self.cell, first)?, then));
            around[0].filter(|_| around[0] == around[1])
        });
        let beside = || [x, z].into_iter().flatten().find_map(|side| step(ground, self.cell, side));
        if let Some(next) = across.or_else(beside) {
            off -= Vec2::new((next.x - self.cell.x) as f32, (next.z - self.cell.z) as f32);
            self.cell = next;
        }
        off = off.clamp(Vec2::splat(-0.5), Vec2::splat(0.5));
        self.settle(nav, ground, off);
    }

    /// Places the agent relative to its cell, within the edges and faces.
    fn settle<S: BlockSource + ?Sized>(&mut self, nav: &BlockNav, ground: &Ground<'_, S>, mut off: Vec2) {
        let n = self.cell;
        let x = usize::from(off.x > 0.0);
        let z = 2 + usize::from(off.y > 0.0);
        let b = step(ground, n, x);
        let c = step(ground, n, z);
        let leaves = off.x != 0.0 && b.is_none() || off.y != 0.0 && c.is_none();
        if leaves && let Some(down) = self.drop_from(ground, off, [x, z]) {
            (self.cell, self.position) = (down, nav.position(down));
            return;
        }
        if b.is_none() {
            off.x = 0.0;
        }
        if c.is_none() {
            off.y = 0.0;
        }
        let face = b.zip(c).and_then(|(b, c)| {
            let d = step(ground, b, z)?;
            let opens = step(ground, c, x) == Some(d) && ground.square_opens([n, b], [c, d]) == (true, true);
            opens.then_some(d)
        });
        if face.is_none() {
            // Not on a face: move it to the nearer edge.
            off = if off.x.abs() > off.y.abs() { Vec2::new(off.x, 0.0) } else { Vec2::new(0.0, off.y) };
        }
        let rise = |to: Option<Cell>| to.map_or(0.0, |to| (to.y - n.y) as f32);
        let u = off.x.abs();
        let v = off.y.abs();
        let twist = face.map_or(0.0, |d| (d.y - n.y) as f32 - rise(b) - rise(c));
        let at = nav.position(n);
        self.position = at + Vec3::new(off.x, u * rise(b) + v * rise(c) + u * v * twist, off.y);
    }

    /// The cell below a drop that cannot be climbed, if the path leads there.
    fn drop_from<S: BlockSource + ?Sized>(
        &self,
        ground: &Ground<'_, S>,
        off: Vec2,
        [x, z]: [usize; 2],
    ) -> Option<Cell> {
        let side = if off.x.abs() > off.y.abs() { x } else { z };
        let mut found = None;
        ground.steps(self.cell, side, |step| {
            if step.forth && !step.back && self.target().y < self.position.y {
                found = Some(step.to);
            }
        });
        found
    }

    /// Advances to the next corners of the path.
    fn pass_corners(&mut self) {
        while let Some(&corner) = self.path.points.get(self.next) {
            let aside = Vec2::new(corner.x - self.position.x, corner.z - self.position.z).length();
            if aside > NEAR || (corner.y - self.position.y).abs() > 0.5 {
                break;
            }
            self.next += 1;
        }
    }

    fn has_strayed(&self) -> bool {
        let Some(&to) = self.path.points.get(self.next) else { return false };
        let from = self.path.points[self.next - 1];
        let flat = |p: Vec3| Vec2::new(p.x, p.z);
        let a = flat(from);
        let b = flat(to);
        let p = flat(self.position);
        let along = (b - a).length_squared();
        let t = if along > 0.0 { ((p - a).dot(b - a) / along).clamp(0.0, 1.0) } else { 0.0 };
        p.distance(a.lerp(b, t)) > STRAYED
    }
}

/// The cell that a straight step leads to and back from; of several, the one with the least rise or fall.
fn step<S: BlockSource + ?Sized>(ground: &Ground<'_, S>, from: Cell, side: usize) -> Option<Cell> {
    let mut best: Option<Cell> = None;
    ground.steps(from, side, |step| {
        let least = best.is_none_or(|b| (step.to.y - from.y).abs() < (b.y - from.y).abs());
        if step.forth && step.back && least {
            best = Some(step.to);
        }
    });
    best
}
