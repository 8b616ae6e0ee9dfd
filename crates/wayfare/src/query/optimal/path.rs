//! The result of an optimal search: polygons, points, and a bound on how good it is.
//!
//! The nodes give the polygons; pulling the string through them gives the bends that the search found, with the
//! polygons after each. The cost is the sum over the pieces of the straight lines that lie on each polygon.
//!
//! ```text
//!   S────────┊──┊─────────.       ┊ portals: the line is cut there, each piece has the cost of its polygon
//!                          `──G
//! ```
//!
//! Cost: linear in the polygons of the path.
//!
//! Sources: none needed.

use super::memory::{Node, OptimalMemory, Via};
use crate::area::{LimitHit, PathStatus};
use crate::math::funnel::Portal;
use crate::math::index::TileSlot;
use crate::math::plane::xz;
use crate::math::segment;
use crate::mesh::{NavMesh, PolyRef, Tile};
use crate::query::{Crossing, PointKind, PolyPath, QueryFilter, StraightPath};
use glam::Vec3;

/// Which search found a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OptimalSource {
    /// The search in any direction.
    #[default]
    AnyAngle,
    /// The search over polygons: its path is shorter in space, or cheaper, or it is the only one.
    Corridor,
}

/// A path that is as short as can be, and how short that is.
#[derive(Debug, PartialEq)]
pub struct OptimalPath {
    /// The polygons and portals. Its cost is that of the pulled string; its nodes are those of the search in any
    /// direction.
    pub path: PolyPath,
    /// The bends.
    pub straight: StraightPath,
    /// How many times the cheapest possible cost it may cost at most: 1 where it is the shortest (on level ground at
    /// one cost a metre); above where ground slopes or areas differ in cost; infinite if nothing is known, as for a
    /// path that does not reach its goal.
    pub bound: f32,
    /// Which search found it.
    pub source: OptimalSource,
}

impl Clone for OptimalPath {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Keeps the memory of the lists.
    fn clone_from(&mut self, other: &Self) {
        let Self { path, straight, bound, source } = other;
        self.path.clone_from(path);
        self.straight.clone_from(straight);
        (self.bound, self.source) = (*bound, *source);
    }
}

impl Default for OptimalPath {
    fn default() -> Self {
        Self {
            path: PolyPath::default(),
            straight: StraightPath::default(),
            bound: f32::INFINITY,
            source: OptimalSource::default(),
        }
    }
}

impl OptimalPath {
    /// Empties it and keeps its memory.
    pub fn clear(&mut self) {
        self.path.clear();
        self.straight.points.clear();
        (self.straight.length, self.bound, self.source) = (0.0, f32::INFINITY, OptimalSource::default());
    }
}

/// Writes down the polygons and portals up to a node.
pub(super) fn trace_polys(mesh: &NavMesh, memory: &OptimalMemory, last: u32, path: &mut PolyPath) {
    for node in memory.nodes.trail(last) {
        let slot = TileSlot::new(memory.pages[node.page as usize].slot);
        let Some(tile) = mesh.tile_in(slot) else { break };
        match node.via {
            Via::Inside => path.polys.push(tile.reference(node.entry)),
            Via::Connection(number) => {
                path.polys.push(tile.reference(node.entry));
                let Some(connection) = mesh.connection_by_index(number / 2) else { break };
                path.polys.push(connection.reference());
                let Some([entrance, exit]) = connection.passage(number % 2) else { break };
                path.portals.extend([exit.point, entrance.point].map(Portal::point));
            }
            Via::Edge | Via::Link(_) => {
                path.polys.push(tile.reference(tile.sight().poly_of(node.entry)));
                path.portals.push(portal_of(tile, node));
            }
        }
    }
    path.polys.reverse();
    path.portals.reverse();
    path.status = PathStatus::Complete;
}

/// The portal by which a node's polygon is entered: its own edge, seen from the other side.
pub(super) fn portal_of(tile: &Tile, node: &Node) -> Portal {
    let [right, left] = if let Via::Link(number) = node.via {
        let back = &tile.links().all()[number as usize];
        [back.a, back.b]
    } else {
        tile.data().edge(tile.sight().poly_of(node.entry), node.entry)
    };
    Portal { left, right }
}

/// Takes the last polygon off a path that costs more than it may, and a connection before it; in the first polygon the
/// path ends where it begins. Whether there was anything to take off.
pub(super) fn shorten(path: &mut PolyPath) -> bool {
    if path.polys.is_empty() {
        return false;
    }
    (path.status, path.limit) = (PathStatus::Partial, Some(LimitHit::Distance));
    while let Some(portal) = path.portals.pop() {
        path.polys.pop();
        path.end = portal.middle();
        if !path.polys.last().is_some_and(|poly| poly.is_off_mesh()) {
            return true;
        }
    }
    core::mem::replace(&mut path.end, path.start) != path.start
}

/// What a pulled string costs by the filter: each straight piece by the polygon under it.
pub(super) fn cost_of<F: QueryFilter + ?Sized>(
    mesh: &NavMesh,
    path: &PolyPath,
    straight: &StraightPath,
    filter: &F,
) -> f64 {
    let least = filter.least_cost();
    if least == filter.most_cost() && !path.polys.iter().any(|poly| poly.is_off_mesh()) {
        return f64::from(straight.length) * f64::from(least);
    }
    let mut sum = 0.0;
    for pair in straight.points.windows(2) {
        let from = pair[0].point;
        let to = pair[1].point;
        let pay = |step: usize, poly: PolyRef, ends: [Vec3; 2]| {
            let before = step.checked_sub(1).and_then(|before| path.polys.get(before)).copied();
            let next = path.polys.get(step + 1).copied();
            mesh.state(poly).map_or(0.0, |state| {
                let crossing = Crossing::over(mesh, poly, state, ends).between(before, next);
                f64::from(filter.cost(&crossing).max(0.0))
            })
        };
        if pair[0].kind == PointKind::Enter {
            sum += pay(pair[0].step as usize, pair[0].poly, [from, to]);
            continue;
        }
        let mut at = from;
        let mut done = 0.0_f64;
        let steps = pair[0].step as usize..pair[1].step as usize;
        for step in steps.clone() {
            let Some(portal) = path.portals.get(step) else { continue };
            let crossing = segment::line_crossing(from, to, portal.left, portal.right);
            // A portal in line with the string is passed where the string comes to its nearer end.
            let share = crossing.map_or_else(|| share_at(from, to, portal), |(t, _)| t).clamp(done, 1.0);
            let next = segment::at(from, to, share as f32);
            sum += pay(step, path.polys[step], [at, next]);
            (at, done) = (next, share);
        }
        let last = path.polys.get(steps.end).copied().unwrap_or(pair[0].poly);
        sum += pay(steps.end, last, [at, to]);
    }
    sum
}

/// How far along a straight piece in line with a portal the nearer end of it lies, as a fraction.
fn share_at(from: Vec3, to: Vec3, portal: &Portal) -> f64 {
    let along = (xz(to) - xz(from)).as_dvec2();
    let [left, right] = [portal.left, portal.right].map(|end| along.dot((xz(end) - xz(from)).as_dvec2()));
    if along.length_squared() > 0.0 { left.min(right) / along.length_squared() } else { 0.0 }
}
