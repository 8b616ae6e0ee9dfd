//! The shortest path through a sequence of portals: string pulling with a funnel.
//!
//! ```text
//!          l1      l2                 A funnel opens from the apex to the ends of the next portal. Each further portal
//!          |\    ..|      l3          narrows it. Where a left end comes to lie right of the right side (or the other
//!     apex *  > ...|.......|          way round), the path bends: the crossed side's end is a corner, and the scan
//!          |/      r2     /           starts again there, with the corner as the apex.
//!          r1          r3
//! ```
//!
//! It needs only the portals, so it works for any navigation format: polygons, grids, quadtrees, waypoints with widths.
//! It is robust in four cases that the short version of the algorithm leaves to luck:
//!
//! * left and right are decided exactly, so the funnel never inverts;
//! * a portal on which the apex lies is already crossed and constrains nothing (a start on an edge, a corner that
//!   several portals share);
//! * a portal in line with the apex is passed at its nearer end, also where rounding makes it appear from behind (three
//!   corners that should be in line: a polygon bent inwards by the last bit). This is done at once, since the funnel
//!   has no width left and what comes next may lie behind the apex;
//! * corners that coincide, or that lie on the straight line between their neighbours up to the rounding of their
//!   coordinates, are dropped: where four tiles meet, each tile's copy of the vertex may differ in the last bit.
//!
//! Cost: linear in the portals in practice (each is visited again for every corner between it and the apex of its
//! funnel). The `_into` form allocates only for its output.
//!
//! Sources: Mikko Mononen, "Simple Stupid Funnel Algorithm", Digesting Duck, March 2010; D. T. Lee and F. P. Preparata,
//! "Euclidean shortest paths in the presence of rectilinear barriers", 1984; Douglas Demyen, "Efficient
//! Triangulation-Based Pathfinding", 2006.

use crate::math::index::NONE;
use crate::math::plane::distance_squared;
use crate::math::predicates::{LineXz, coincident_xz, rounding_at};
use crate::math::segment::point_distance_squared;
use glam::{Vec3, Vec3Swizzles};

/// A segment that a path crosses, with its ends as seen when crossing. Both ends may be the same point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// The left end.
    pub left: Vec3,
    /// The right end.
    pub right: Vec3,
}

impl Portal {
    /// A portal with both ends at the same point: an end of an off-mesh connection.
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

/// A point where a straight path starts, bends or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Its position.
    pub point: Vec3,
    /// The portal that it is an end of: the last one that the path crosses or touches there. [`NONE`] at the start; the
    /// number of portals at the end.
    pub portal: u32,
    /// Which end.
    pub kind: CornerKind,
}

/// The shortest path in the xz-plane from `start` to `end` that crosses the portals in order. The first corner is the
/// start and the last is the end, even if both are the same point.
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

/// [`string_pull`] into a list whose memory is reused.
pub fn string_pull_into(start: Vec3, end: Vec3, portals: &[Portal], corners: &mut Vec<Corner>) {
    string_pull_by(start, end, portals.len(), |i| portals[i], corners);
}

/// [`string_pull_into`] for portals that are computed rather than stored: `portal_at` returns portal number 0…`count` −
/// 1, and may be called several times for the same one.
pub fn string_pull_by(
    start: Vec3,
    end: Vec3,
    count: usize,
    portal_at: impl Fn(usize) -> Portal,
    corners: &mut Vec<Corner>,
) {
    pull_first(start, end, count, portal_at, usize::MAX, corners);
}

/// The first corners of [`string_pull_by`]: the start, then up to `bends` corners or the end. An agent that steers by
/// its next corners does not pay for the rest of a long path. At least one corner follows the start, even for a `bends`
/// of 0.
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
        // One bend more than requested shows whether the last one is a real corner.
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

/// The portals in order, followed by the end.
struct Sleeve<F> {
    portal_at: F,
    count: usize,
    end: Vec3,
}

impl<F: Fn(usize) -> Portal> Sleeve<F> {
    fn at(&self, i: usize) -> Portal {
        if i < self.count { (self.portal_at)(i) } else { Portal::point(self.end) }
    }

    /// The next corner of the path from `apex`, which lies before portal `first`; `None` if the path runs straight to
    /// the end.
    fn next_bend(&self, apex: Vec3, first: usize) -> Option<Corner> {
        // Portals on which the apex lies are behind it.
        let mut i = first;
        while i < self.count && lies_on(apex, self.at(i)) {
            i += 1;
        }
        let ray = |to: Vec3, portal: usize| Ray { line: LineXz::new(apex, to), portal };
        let Portal { left, right } = self.at(i);
        let mut left = ray(left, i);
        let mut right = ray(right, i);
        // (An apex that has just crossed the portal lies between its ends, and the path continues from there.)
        if i < self.count && left.line.turn(right.line.to()) >= 0.0 && are_ahead(left, right) {
            return Some(nearer(left, right));
        }
        while i < self.count {
            i += 1;
            let portal = self.at(i);
            let right_before = right.portal;
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

    /// The corner at a portal whose left end is to the right of its right end. If the portal is seen from behind, the
    /// path bends around the funnel's previous right end, where the polygon in between turns back; else the apex is in
    /// line with it.
    #[cold]
    fn turned(&self, left: Ray, right: Ray, right_before: usize) -> Corner {
        let before = Ray { line: LineXz::new(left.line.from(), self.at(right_before).right), portal: right_before };
        if before.line.turn(left.line.to()) < 0.0 { bend(before, CornerKind::Right) } else { nearer(left, right) }
    }
}

/// Whether two ends in line with the apex lie on the same side of it.
fn are_ahead(left: Ray, right: Ray) -> bool {
    let apex = left.line.from();
    (left.line.to() - apex).xz().dot((right.line.to() - apex).xz()) > 0.0
}

fn bend(side: Ray, kind: CornerKind) -> Corner {
    Corner { point: side.line.to(), portal: side.portal as u32, kind }
}

/// The corner at a portal in line with the apex up to rounding (a straight path would cross it from its front). The
/// nearer end is the one to go around.
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

/// Removes corners that are not real: those that coincide with the one before, and runs of corners that lie, within the
/// rounding of their coordinates, on the straight line from the corner before to the corner after.
fn drop_false_corners(corners: &mut Vec<Corner>) {
    if corners.len() < 3 {
        return;
    }
    let last = corners.len() - 1;
    let mut kept = 1;
    // `run`: the first corner since the last kept one that may still turn out not to be real.
    let mut run = 1;
    for next in 2..=last {
        let from = corners[kept - 1].point;
        let to = corners[next].point;
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
