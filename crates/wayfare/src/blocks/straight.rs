//! From a corridor of nodes to points: the string pulled through rows of middles, laid over the ground.
//!
//! ```text
//!      . . . . c . .         Corners are middles of places. Between two corners the way is straight on the plane; its height
//!     . . . . / . . .        follows the ground: it is that of the standing points at either side of where a line of middles is
//!     . . . s . . . .        crossed, in proportion. On one level no points are needed, and none on even stairs.
//! ```
//!
//! The surface so defined goes through the standing points themselves; a step between two of them is as long as the grid's. On level
//! ground the pulled string is the shortest way through the corridor. Over hills it is not: there it is only a proposal to `relax.rs`.
//!
//! Cost: linear in the places crossed.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014; Mikko Mononen, "Simple Stupid Funnel Algorithm", 2010.

use super::Cell;
use super::relax::Relaxer;
use super::row::Row;
use super::search::{Leg, row_of, rung_of};
use super::store::{Store, UP};
use crate::math::funnel::{Corner, Portal, string_pull_into};
use crate::math::index::NONE;
use glam::Vec3;

/// A place on the way: the middle of a place, and the number of the row that it lies on; −1 for the start, the number of rows for the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    pub(super) at: [i32; 2],
    pub(super) row: i32,
}

impl Stop {
    /// The node of the piece that it lies in: row 2k leaves node k, row 2k + 1 arrives at node k + 1.
    pub(super) fn node(self, last: usize) -> usize {
        (((self.row + 1) / 2) as usize).min(last)
    }
}

/// A corridor between two ladders: its nodes, and for each link the row that it leaves by and the one that it arrives at.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) nodes: Vec<u32>,
    pub(super) rows: Vec<Row>,
}

/// Memory of string pulling.
#[derive(Clone, Debug, Default)]
pub(super) struct Straightener {
    piece: Piece,
    portals: Vec<Portal>,
    corners: Vec<Corner>,
    stops: Vec<Stop>,
    relaxer: Relaxer,
    pub(super) points: Vec<Vec3>,
}

impl Straightener {
    /// The way through a corridor from one standing point to another, in coordinates of places.
    pub(super) fn pull(&mut self, store: &Store, corridor: &[Leg], start: Cell, end: Cell) {
        self.points.clear();
        self.points.push(place([start.x, start.z], start.y as f32));
        let mut from = [start.x, start.z];
        let mut first = 0;
        for (i, &Leg { node, out: link, .. }) in corridor.iter().enumerate() {
            let ladder = link.filter(|link| link.side >= UP);
            let to = match ladder {
                Some(link) => rung_of(store, node, link),
                None if i + 1 == corridor.len() => [end.x, end.z],
                None => continue,
            };
            self.pull_piece(store, &corridor[first..=i], [from, to]);
            if let Some(link) = ladder {
                add(&mut self.points, place(to, store.height(link.to, to[0], to[1]) as f32));
            }
            (from, first) = (to, i + 1);
        }
    }

    /// A piece of the corridor without ladders.
    fn pull_piece(&mut self, store: &Store, corridor: &[Leg], [from, to]: [[i32; 2]; 2]) {
        let Self { piece, portals, corners, stops, relaxer, points } = self;
        piece.nodes.clear();
        piece.rows.clear();
        piece.nodes.extend(corridor.iter().map(|leg| leg.node));
        for &Leg { node, out: link, .. } in &corridor[..corridor.len() - 1] {
            if let Some(link) = link {
                let row = row_of(store, node, link);
                piece.rows.extend([row, row.next()]);
            }
        }
        portals.clear();
        portals.extend(piece.rows.iter().map(|row| {
            let [left, right] = row.ends().map(|p| place(p, 0.0));
            Portal { left, right }
        }));
        string_pull_into(place(from, 0.0), place(to, 0.0), portals, corners);
        stops.clear();
        stops.extend(corners.iter().map(|c| Stop {
            at: [c.point.x as i32, c.point.z as i32],
            row: if c.portal == NONE { -1 } else { c.portal as i32 },
        }));
        if !piece.is_level(store, 0, piece.nodes.len() - 1) {
            relaxer.relax(store, piece, stops);
        }
        for pair in stops.windows(2) {
            piece.lay(store, pair[0], pair[1], |p| add(points, p));
        }
    }
}

impl Piece {
    /// Whether nodes `first` to `last` all lie on one level.
    pub(super) fn is_level(&self, store: &Store, first: usize, last: usize) -> bool {
        let low = store.nodes[self.nodes[first] as usize].low;
        self.nodes[first..=last].iter().all(|&n| {
            let node = &store.nodes[n as usize];
            node.flat && node.low == low
        })
    }

    /// Lays one straight line over the ground: gives every point of it but the first.
    pub(super) fn lay(&self, store: &Store, a: Stop, b: Stop, mut each: impl FnMut(Vec3)) {
        let last = b.node(self.nodes.len() - 1);
        let mut k = a.node(last);
        if !self.is_level(store, k, last) {
            let (from, run) = (a.at.map(|v| v as f32), [(b.at[0] - a.at[0]) as f32, (b.at[1] - a.at[1]) as f32]);
            crossings(a.at, b.at, |t, axis, line| {
                let mut p = [from[0] + run[0] * t, from[1] + run[1] * t];
                p[axis] = line as f32;
                while k < last && progress(&self.rows[2 * k + 1], p) >= 0.0 {
                    k += 1;
                }
                each(Vec3::new(p[0], self.height_on_line(store, k, p, axis), p[1]));
            });
        }
        each(place(b.at, self.height(store, last, b.at) as f32));
    }

    /// The ground's height where the way, in node `k` or between it and the next one, crosses a line of middles.
    fn height_on_line(&self, store: &Store, k: usize, p: [f32; 2], axis: usize) -> f32 {
        let across = p[1 - axis];
        let at = |v: f32| {
            let mut place = p.map(|v| v as i32);
            place[1 - axis] = v as i32;
            // Between the two rows of a link, what lies on the far row is the next node's.
            let beyond = self
                .rows
                .get(2 * k + 1)
                .is_some_and(|far| progress(&self.rows[2 * k], p) > 0.0 && place[far.axis()] == far.line);
            self.height(store, if beyond { k + 1 } else { k }, place) as f32
        };
        let near = across.round();
        if (across - near).abs() < 1e-3 {
            return at(near);
        }
        let (low, high) = (across.floor(), across.ceil());
        let (y0, y1) = (at(low), at(high));
        y0 + (y1 - y0) * (across - low)
    }

    /// The height of a node of the piece at a place, or at its place nearest to that.
    pub(super) fn height(&self, store: &Store, k: usize, [x, z]: [i32; 2]) -> i32 {
        let slot = self.nodes[k];
        let node = &store.nodes[slot as usize];
        store.height(slot, x.clamp(node.x, node.last_x()), z.clamp(node.z, node.last_z()))
    }
}

/// The length of a straight line between two places of a node, over the ground.
pub(super) fn length_inside(store: &Store, slot: u32, from: [i32; 2], to: [i32; 2]) -> f32 {
    let height = |x: i32, z: i32| store.height(slot, x, z) as f32;
    let run = [(to[0] - from[0]) as f32, (to[1] - from[1]) as f32];
    let flat = (run[0] * run[0] + run[1] * run[1]).sqrt();
    if store.nodes[slot as usize].flat {
        return flat;
    }
    let (mut sum, mut last, mut y0) = (0.0, 0.0, height(from[0], from[1]));
    let mut go = |t: f32, y: f32| {
        let (along, rise) = (flat * (t - last), y - y0);
        sum += (along * along + rise * rise).sqrt();
        (last, y0) = (t, y);
    };
    crossings(from, to, |t, axis, line| {
        let across = from[1 - axis] as f32 + run[1 - axis] * t;
        let low = across.floor();
        let at = |v: i32| if axis == 0 { height(line, v) } else { height(v, line) };
        let y = at(low as i32);
        let share = across - low;
        go(t, if share > 1e-3 { y + (at(low as i32 + 1) - y) * share } else { y });
    });
    go(1.0, height(to[0], to[1]));
    sum
}

/// Calls `each` for every line of middles between two places, in order: how far along (0…1), the axis it crosses, and which line it is.
fn crossings(from: [i32; 2], to: [i32; 2], mut each: impl FnMut(f32, usize, i32)) {
    let step = [(to[0] - from[0]).signum(), (to[1] - from[1]).signum()];
    let total = [(to[0] - from[0]).abs(), (to[1] - from[1]).abs()];
    let mut done = [1, 1];
    loop {
        // The next line of either kind: compare done[0] / total[0] with done[1] / total[1].
        let left = [total[0] - done[0], total[1] - done[1]];
        let axis = match (left[0] > 0, left[1] > 0) {
            (false, false) => return,
            (true, false) => 0,
            (false, true) => 1,
            (true, true) => {
                usize::from(i64::from(done[1]) * i64::from(total[0]) < i64::from(done[0]) * i64::from(total[1]))
            }
        };
        each(done[axis] as f32 / total[axis] as f32, axis, from[axis] + step[axis] * done[axis]);
        done[axis] += 1;
    }
}

/// Adds a point; one that lies on the straight line to it is left out.
fn add(points: &mut Vec<Vec3>, p: Vec3) {
    if let [.., a, b] = points[..] {
        let (u, v) = (b - a, p - b);
        let straight = u.cross(v).length_squared() <= 1e-7 * u.length_squared() * v.length_squared();
        if straight && u.dot(v) >= 0.0 {
            points.pop();
        }
    }
    if points.last() != Some(&p) {
        points.push(p);
    }
}

fn place([x, z]: [i32; 2], y: f32) -> Vec3 {
    Vec3::new(x as f32, y, z as f32)
}

/// How far a point is past a row, in the direction in which the row is crossed.
fn progress(row: &Row, p: [f32; 2]) -> f32 {
    let along = p[row.axis()] - row.line as f32;
    if row.side.is_multiple_of(2) { -along } else { along }
}
