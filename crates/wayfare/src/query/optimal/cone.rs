//! The cone between two rays that is visible from a root through a portal.
//!
//! ```text
//!              l ____|____ r          A ray is stored as two points that it passes through: the root and a corner that it
//!             /      |    \           grazes, or the previous root and this one, if the path bends here. Both are points
//!            /   cone |    \          given by the caller or the mesh, never computed, so the side of any corner is
//!        root         |               decided exactly, and no sliver of the surface is lost to rounding.
//! ```
//!
//! Cost: one determinant for each side of a corner.
//!
//! Sources: Michael Cui, Daniel Harabor, Alban Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017;
//! storing rays by their corners instead of by computed ends of intervals is our own.

use super::estimate::Interval;
use crate::math::predicates::Line2;
use glam::Vec2;

/// How a cone is bounded on one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    /// By the end of the portal itself, at which the path may bend.
    End,
    /// By the ray over a corner that was passed before.
    Corner,
    /// By the ray on which the path came to the root: farther out it would bend to the wrong side.
    Tangent,
    /// By nothing: the root stands on the portal.
    Open,
}

/// One side of a cone.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConeSide {
    pub(super) bound: Bound,
    /// The corner on the ray, for [`Bound::End`] and [`Bound::Corner`].
    pub(super) at: Vec2,
}

impl ConeSide {
    pub(super) const OPEN: Self = Self { bound: Bound::Open, at: Vec2::ZERO };
    pub(super) const TANGENT: Self = Self { bound: Bound::Tangent, at: Vec2::ZERO };

    #[inline]
    pub(super) fn end(at: Vec2) -> Self {
        Self { bound: Bound::End, at }
    }

    /// As seen from behind the portal that the ray cuts.
    #[inline]
    pub(super) fn cut(self) -> Self {
        Self { bound: if self.bound == Bound::Tangent { Bound::Tangent } else { Bound::Corner }, at: self.at }
    }

    /// The ray, for a root and the root before it.
    #[inline]
    fn ray(&self, root: Vec2, before: Vec2) -> Line2 {
        if self.bound == Bound::Tangent { Line2::new(before, root) } else { Line2::new(root, self.at) }
    }
}

/// Root and the two sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub(super) root: Vec2,
    left_ray: Line2,
    right_ray: Line2,
    pub(super) left: ConeSide,
    pub(super) right: ConeSide,
}

/// On which side of both rays of a cone a point lies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Above zero left of the left ray (outside), below zero right of it.
    pub(super) left: f64,
    /// Above zero left of the right ray (inside), below zero right of it.
    pub(super) right: f64,
}

impl Cone {
    #[inline]
    pub(super) fn new(root: Vec2, before: Vec2, left: ConeSide, right: ConeSide) -> Self {
        Self { root, left_ray: left.ray(root, before), right_ray: right.ray(root, before), left, right }
    }

    /// Looks at a point. An open side has everything inside, and so has the root itself.
    #[inline]
    pub(super) fn look(&self, p: Vec2) -> Seen {
        if self.left.bound == Bound::Open || self.right.bound == Bound::Open {
            return self.look_open(p);
        }
        Seen { left: self.left_ray.side(p), right: self.right_ray.side(p) }
    }

    /// Half the plane lies within an open cone, and its ray is an edge of the polygon: what is behind the root is
    /// inside, even if rounding has bent the polygon's outline there by a hair.
    #[cold]
    fn look_open(&self, p: Vec2) -> Seen {
        let side = |side: &ConeSide, ray: &Line2, inside: f64| {
            if side.bound == Bound::Open || p == self.root {
                return inside;
            }
            let is_behind = (ray.to() - ray.from()).as_dvec2().dot((p - self.root).as_dvec2()) < 0.0;
            if is_behind { inside } else { ray.side(p) }
        };
        Seen { left: side(&self.left, &self.left_ray, -1.0), right: side(&self.right, &self.right_ray, 1.0) }
    }

    /// The part of a portal that lies within.
    #[inline]
    pub(super) fn interval(&self, a: Vec2, b: Vec2) -> Interval {
        let seen_a = self.look(a);
        let seen_b = self.look(b);
        let low = if seen_a.left > 0.0 { seen_a.left / (seen_a.left - seen_b.left) } else { 0.0 };
        let high = if seen_b.right < 0.0 { seen_a.right / (seen_a.right - seen_b.right) } else { 1.0 };
        Interval { a, b, low, high }
    }

    /// Whether the root stands on the portal, so that edges in line with it may be met.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.left.bound == Bound::Open || self.right.bound == Bound::Open
    }
}
