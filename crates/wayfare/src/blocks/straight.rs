//! Turns a corridor of nodes into points: on one level by string pulling through rows of cell centres, over hills by
//! the shortest path in a tube.
//!
//! ```text
//!      . . . . c . .         Corners are centres of cells. Between two corners the path is straight in the plane; its height
//!     . . . . / . . .        follows the surface: where it crosses a line of centres, it is interpolated between the standing
//!     . . . s . . . .        points on either side. On one level no extra points are needed, and none on even stairs.
//! ```
//!
//! The surface defined this way contains the standing points themselves; a step between two of them is as long as in
//! the grid. On level surfaces the straight path is the shortest in the corridor. Over hills it is not: `tube.rs`
//! replaces it there.
//!
//! Cost: linear in the cells crossed.
//!
//! Sources: Harri Hätinen, "Pathfinding in Supernauts", GDC China 2014; Mikko Mononen, "Simple Stupid Funnel
//! Algorithm", 2010.

use super::costs::BlockCosts;
use super::crossing::{cell_of, row_of, rung_of};
use super::marks::Marks;
use super::node::UP;
use super::search::Leg;
use super::sight::{LevelSight, shorten};
use super::store::Store;
use super::touched::Touched;
use super::tube::{Tube, TubeSource};
use super::world_view::WorldView;
use super::{BlockSource, Cell};
use crate::math::funnel::{Corner, Portal, string_pull_into};
use glam::Vec3;

/// Memory of string pulling.
#[derive(Clone, Debug, Default)]
pub(super) struct Straightener {
    portals: Vec<Portal>,
    corners: Vec<Corner>,
    /// The corners as cells, and for each the best path to it along other corners.
    way: Vec<Cell>,
    best: Vec<(f32, u32)>,
    tube: Tube,
    pub(super) points: Vec<Vec3>,
    /// The nodes beside the corridor that the path touches.
    pub(super) touched: Touched,
}

/// Results of the search that found a corridor.
pub(super) struct Known<'a> {
    pub(super) costs: &'a BlockCosts,
    /// The patches whose links may be followed.
    pub(super) connected: &'a Marks,
}

impl Straightener {
    /// The path through a corridor from one standing point to another, in cell coordinates.
    pub(super) fn pull<S: BlockSource + ?Sized>(
        &mut self,
        view: &mut WorldView<'_, S>,
        known: &Known<'_>,
        corridor: &[Leg],
        [start, end]: [Cell; 2],
    ) {
        self.touched.begin(corridor);
        self.points.clear();
        self.points.push(position(start));
        let mut from = start;
        let mut first = 0;
        for (i, leg) in corridor.iter().enumerate() {
            let ladder = leg.out.filter(|link| link.side >= UP);
            let to = match ladder {
                Some(link) => cell_of(view.store, leg.node, rung_of(view.store, leg.node, link)),
                None if i + 1 == corridor.len() => end,
                None => continue,
            };
            self.pull_piece(view, known, &corridor[first..=i], [from, to]);
            from = to;
            if let Some(next) = corridor.get(i + 1) {
                add(&mut self.points, position(next.entry));
                from = next.entry;
            }
            first = i + 1;
        }
    }

    /// A section of the corridor without ladders.
    fn pull_piece<S: BlockSource + ?Sized>(
        &mut self,
        view: &mut WorldView<'_, S>,
        known: &Known<'_>,
        legs: &[Leg],
        ends: [Cell; 2],
    ) {
        let Self { portals, corners, way, best, tube, points, touched } = self;
        let &Known { costs, connected } = known;
        if !is_level(view.store, legs) {
            let source = TubeSource { store: view.store, ground: &view.ground, costs, connected };
            return tube.lay(&source, legs, ends, touched, |p| add(points, p));
        }
        portals.clear();
        for leg in legs {
            let Some(link) = leg.out.filter(|link| link.side < UP) else { continue };
            let row = row_of(view.store, leg.node, link);
            portals.extend([row, row.next()].map(|row| {
                let [left, right] = row.ends().map(|[x, z]| Vec3::new(x as f32, 0.0, z as f32));
                Portal { left, right }
            }));
        }
        let [from, to] = ends.map(position);
        string_pull_into(flat(from), flat(to), portals, corners);
        way.clear();
        way.push(ends[0]);
        let inner = corners.get(1..corners.len() - 1).unwrap_or_default();
        way.extend(inner.iter().map(|c| Cell::new(c.point.x as i32, ends[0].y, c.point.z as i32)));
        way.push(ends[1]);
        let cost = |leg: &Leg| costs.of(view.store.nodes[leg.node as usize].area).unwrap_or(1.0);
        let dearest = legs.iter().map(cost).fold(f32::INFINITY, f32::min);
        shorten(&mut LevelSight { view, costs, dearest }, way, best, |node| touched.add(node));
        way[1..].iter().for_each(|&c| add(points, position(c)));
    }
}

/// Whether all nodes of a section are on one level.
fn is_level(store: &Store, legs: &[Leg]) -> bool {
    let node = |leg: &Leg| &store.nodes[leg.node as usize];
    legs.iter().all(|leg| node(leg).flat && node(leg).low == node(&legs[0]).low)
}

fn flat(p: Vec3) -> Vec3 {
    Vec3::new(p.x, 0.0, p.z)
}

/// Adds a point. The last point is dropped if it lies on the straight line to the new one.
fn add(points: &mut Vec<Vec3>, p: Vec3) {
    if let [.., a, b] = points[..] {
        let u = b - a;
        let v = p - b;
        let straight = u.cross(v).length_squared() <= 1e-7 * u.length_squared() * v.length_squared();
        if straight && u.dot(v) >= 0.0 {
            points.pop();
        }
    }
    if points.last() != Some(&p) {
        points.push(p);
    }
}

fn position(c: Cell) -> Vec3 {
    Vec3::new(c.x as f32, c.y as f32, c.z as f32)
}
