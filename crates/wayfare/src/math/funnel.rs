//! The shortest path through a row of portals: string pulling with a funnel.
//!
//! ```text
//!          l1      l2                 A funnel opens from the apex to the ends of the next portal. Each further portal
//!          |\    ..|      l3          narrows it. Where a left end comes to lie right of the right side (or the other
//!     apex *  > ...|.......|          way round), the string bends: the crossed side's end is a corner, and the scan
//!          |/      r2     /           starts again there, with the corner as the apex.
//!          r1          r3
//! ```
//!
//! It needs nothing but the portals, so it serves any navigation format: polygons, grids, quad trees, way-points with
//! widths. Four things are made robust here that the short version of the algorithm leaves to luck:
//!
//! * left and right are decided exactly, so the funnel never inverts;
//! * a portal that the apex lies on is behind us and constrains nothing (a start on an edge, a corner that several
//!   portals share);
//! * a portal that the apex stands in line with is gone around at its nearer end, also where rounding shows it from
//!   behind (corners in one line that are none exactly: a polygon bent inwards by the last bit). At once, for the
//!   funnel has no width any more, and what comes next may lie behind the apex;
//! * corners that coincide, or that lie on the straight line between their neighbours up to the rounding of their
//!   coordinates, are no corners: where four tiles meet, each tile's copy of the vertex may differ in the last bit.
//!
//! Cost: linear in the portals in practice (each is looked at again for every corner between it and its funnel's apex),
//! no allocation in the `_into` form beyond the output.
//!
//! Sources: Mikko Mononen, "Simple Stupid Funnel Algorithm", Digesting Duck, March 2010; D. T. Lee and F. P. Preparata,
//! "Euclidean shortest paths in the presence of rectilinear barriers", 1984; Douglas Demyen, "Efficient
//! Triangulation-Based Pathfinding", 2006.

use crate::math::index::NONE;
use crate::math::plane::distance_squared;
use crate::math::predicates::{LineXz, coincident_xz, rounding_at};
use crate::math::segment::point_distance_squared;
use glam::{Vec3, Vec3Swizzles};

/// A segment to be crossed: its ends as one sees them who crosses it. Both ends may be the same point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// The left end.
    pub left: Vec3,
    /// The right end.
    pub right: Vec3,
}

impl Portal {
    /// One whose ends are the same point: an end of an off-mesh connection.
    #[must_use]
    pub fn point(at: Vec3) -> Self {
        Self { left: at, right: at }
    }

    /// The point between its ends.
    #[must_use]
    pub fn middle(&self) -> Vec3 {
        (self.left + self.right) * 0.5
    }
}

/// Which end of its portal a corner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CornerKind {
    /// The start of the path.
    Start,
    /// The left end of a portal: the path bends to the left there.
    Left,
    /// The right end of a portal: the path bends to the right there.
    Right,
    /// The end of the path.
    End,
}

/// A point where the pulled string starts, bends or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Where.
    pub point: Vec3,
    /// The portal it is an end of: the last one that the path crosses or touches there. [`NONE`] at the start; the
    /// number of portals at the end.
    pub portal: u32,
    /// Which end.
    pub kind: CornerKind,
}

/// The shortest path on the plane from `start` to `end` that crosses the portals in order. The first corner is the
/// start, the last the end, also if both are one point.
///
/// ```
/// use wayfare::math::funnel::{Portal, string_pull};
/// // Eastwards through a door whose left end is at z = 1, past which the goal lies to the north.
/// let door = Portal { left: [2.0, 0.0, 1.0].into(), right: [2.0, 0.0, 0.0].into() };
/// let path = string_pull([0.0; 3].into(), [3.0, 0.0, 5.0].into(), &[door]);
/// assert_eq!(path.len(), 3);
/// assert_eq!(path[1].point, door.left);
/// ```
#[must_use]
pub fn string_pull(start: Vec3, end: Vec3, portals: &[Portal]) -> Vec<Corner> {
    let mut corners = Vec::new();
    string_pull_into(start, end, portals, &mut corners);
    corners
}

/// [`string_pull`] into a list that keeps its memory.
pub fn string_pull_into(start: Vec3, end: Vec3, portals: &[Portal], corners: &mut Vec<Corner>) {
    string_pull_by(start, end, portals.len(), |i| portals[i], corners);
}

/// [`string_pull_into`] for portals that are not stored but worked out: `portal_at` gives portal number 0…`count` − 1,
/// and may be asked for the same one several times.
pub fn string_pull_by(
    start: Vec3,
    end: Vec3,
    count: usize,
    portal_at: impl Fn(usize) -> Portal,
    corners: &mut Vec<Corner>,
) {
    pull_first(start, end, count, portal_at, usize::MAX, corners);
}

/// The beginning of [`string_pull_by`]: the start and at most `bends` places after it where the string bends, or its
/// end. An agent that only steers by its next corners does not pay for the rest of a long path. At least one place
/// comes after the start, also for a `bends` of 0.
pub fn pull_first(
    start: Vec3,
    end: Vec3,
    count: usize,
    portal_at: impl Fn(usize) -> Portal,
    bends: usize,
    corners: &mut Vec<Corner>,
) {
    corners.clear();
    let sleeve = Sleeve { portal_at, count, end };
    let mut apex = Corner { point: start, portal: NONE, kind: CornerKind::Start };
    let mut next = 0;
    corners.push(apex);
    loop {
        let bend = sleeve.next_bend(apex.point, next);
        apex = bend.unwrap_or(Corner { point: end, portal: count as u32, kind: CornerKind::End });
        next = apex.portal as usize + 1;
        corners.push(apex);
        // One bend more than asked for shows whether the last of them is a corner at all.
        let wanted = bends.max(1).saturating_add(1);
        if bend.is_none() || corners.len() > wanted {
            drop_false_corners(corners);
            if bend.is_none() || corners.len() > wanted {
                corners.truncate(wanted);
                break;
            }
        }
    }
}

/// One side of the funnel: the line from the apex to a portal's end.
#[derive(Clone, Copy)]
struct Ray {
    line: LineXz,
    portal: usize,
}

/// The portals in order, and after them the end.
struct Sleeve<F> {
    portal_at: F,
    count: usize,
    end: Vec3,
}

impl<F: Fn(usize) -> Portal> Sleeve<F> {
    fn at(&self, i: usize) -> Portal {
        if i < self.count { (self.portal_at)(i) } else { Portal::point(self.end) }
    }

    /// The next place where the string from `apex`, which stands before portal `first`, bends; `None` if it runs
    /// straight to the end.
    fn next_bend(&self, apex: Vec3, first: usize) -> Option<Corner> {
        // Portals that the apex stands on are behind it.
        let mut i = first;
        while i < self.count && lies_on(apex, self.at(i)) {
            i += 1;
        }
        let ray = |to: Vec3, portal: usize| Ray { line: LineXz::new(apex, to), portal };
        let Portal { left, right } = self.at(i);
        let (mut left, mut right) = (ray(left, i), ray(right, i));
        // (An apex that has just crossed the portal has its ends on both sides, and the string goes on from there.)
        if i < self.count && left.line.turn(right.line.to()) >= 0.0 && are_ahead(left, right) {
            return Some(nearer(left, right));
        }
        while i < self.count {
            i += 1;
            let (portal, right_before) = (self.at(i), right.portal);
            if right.line.turn(portal.right) >= 0.0 {
                if left.line.turn(portal.right) > 0.0 {
                    return Some(bend(left, CornerKind::Left));
                }
                right = ray(portal.right, i);
            }
            if left.line.turn(portal.left) <= 0.0 {
                let turn = right.line.turn(portal.left);
                left = ray(portal.left, i);
                if turn < 0.0 {
                    return Some(match right.portal == i {
                        true => self.turned(left, right, right_before),
                        false => bend(right, CornerKind::Right),
                    });
                }
                if turn == 0.0 && right.portal == i && i < self.count && are_ahead(left, right) {
                    return Some(nearer(left, right));
                }
            }
        }
        None
    }

    /// Where the string bends before a portal whose left end is right of its right one. From behind it is seen around
    /// the right side of the funnel before, where the polygon between turns back; else the apex stands in line with it.
    #[cold]
    fn turned(&self, left: Ray, right: Ray, right_before: usize) -> Corner {
        let before = Ray { line: LineXz::new(left.line.from(), self.at(right_before).right), portal: right_before };
        if before.line.turn(left.line.to()) < 0.0 { bend(before, CornerKind::Right) } else { nearer(left, right) }
    }
}

/// Whether two ends that are in line with the apex lie on the same side of it.
fn are_ahead(left: Ray, right: Ray) -> bool {
    let apex = left.line.from();
    (left.line.to() - apex).xz().dot((right.line.to() - apex).xz()) > 0.0
}

fn bend(side: Ray, kind: CornerKind) -> Corner {
    Corner { point: side.line.to(), portal: side.portal as u32, kind }
}

/// Where the string bends at a portal that the apex stands in line with, but for rounding: straight ways lead over a
/// portal from its front. The end nearer to the apex is in the way.
#[cold]
fn nearer(left: Ray, right: Ray) -> Corner {
    let apex = left.line.from();
    if distance_squared(apex, left.line.to()) < distance_squared(apex, right.line.to()) {
        bend(left, CornerKind::Left)
    } else {
        bend(right, CornerKind::Right)
    }
}

/// Whether `p` lies on the portal, up to rounding.
fn lies_on(p: Vec3, portal: Portal) -> bool {
    let tolerance = rounding_at(p);
    point_distance_squared(p, portal.left, portal.right) <= tolerance * tolerance
}

/// Takes out corners that are none: those that coincide with their predecessor, and runs of them that the straight line
/// from the corner before to the corner after passes within the rounding of their coordinates.
fn drop_false_corners(corners: &mut Vec<Corner>) {
    if corners.len() < 3 {
        return;
    }
    let last = corners.len() - 1;
    let mut kept = 1;
    // `run`: since the last kept corner, the first that may yet turn out false.
    let mut run = 1;
    for next in 2..=last {
        let (from, to) = (corners[kept - 1].point, corners[next].point);
        let straight = (run..next).all(|k| {
            let p = corners[k].point;
            let tolerance = rounding_at(p);
            coincident_xz(p, from) || point_distance_squared(p, from, to) <= tolerance * tolerance
        });
        if !straight {
            corners[kept] = corners[next - 1];
            kept += 1;
            run = next;
        }
    }
    corners[kept] = corners[last];
    corners.truncate(kept + 1);
}
