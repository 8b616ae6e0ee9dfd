//! Obstacles: segments, discs and boxes, each a convex core grown by a radius.
//!
//! All shapes are rasterised by the same method. The core is a point, a segment or a rectangle. Grown by a radius, its
//! outline consists of discs around the core's corners and of the core's edges moved outwards. So in a row of cells the
//! outline's extent is the maximum of a few closed forms, and the cells in between are blocked:
//!
//! ```text
//!      ____________
//!    /              \        row of cells  ->  |    [#########]    |
//!   |  *----------*  |  <--  extent of discs and moved edges in the row
//!    \ ____________ /
//! ```
//!
//! Cost: O(rows × corners) per shape.
//!
//! Sources: own work; growing obstacles by the agent's radius is Lozano-Pérez, "Spatial Planning: A Configuration Space
//! Approach", 1983.

use crate::math::ops;
use glam::{Vec2, Vec3};

/// The outline of an obstacle on the xz-plane; heights are ignored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A thin wall.
    Segment {
        /// One end.
        a: Vec3,
        /// The other end.
        b: Vec3,
    },
    /// Something round: an agent, a barrel.
    Disc {
        /// Its center.
        center: Vec3,
        /// Its radius in metres, 0 or more.
        radius: f32,
    },
    /// A rectangle.
    Box {
        /// Its center.
        center: Vec3,
        /// Half its size along its own x and z, metres.
        half: [f32; 2],
        /// Rotation about the vertical axis in radians, from +x towards +z.
        yaw: f32,
    },
}

/// An obstacle: its outline, and the caller's number for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Its outline.
    pub shape: Shape,
    /// The caller's number, returned by [`blockers`](super::blockers).
    pub id: u32,
}

/// The bounds of a shape on the xz-plane, its lowest and its highest corner; `None` if a number in its plan is not
/// finite.
pub(crate) fn bounds(shape: &Shape) -> Option<[Vec2; 2]> {
    let grown = Grown::new(shape, 0.0)?;
    let corners = || grown.corners().iter().copied();
    Some([corners().reduce(Vec2::min)? - grown.radius, corners().reduce(Vec2::max)? + grown.radius])
}

/// A convex polygon of one, two or four corners, grown by a radius.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grown {
    corners: [Vec2; 4],
    count: usize,
    radius: f32,
    /// The edges moved outwards by the radius.
    edges: [[Vec2; 2]; 4],
    edge_count: usize,
}

impl Grown {
    /// The shape grown by `margin`; `None` if any number in it is not finite.
    pub(super) fn new(shape: &Shape, margin: f32) -> Option<Self> {
        let flat = |p: Vec3| Vec2::new(p.x, p.z);
        let mut corners = [Vec2::ZERO; 4];
        let (count, radius) = match *shape {
            Shape::Disc { center, radius } => {
                corners[0] = flat(center);
                // Not `max`, which would turn NaN into 0.
                (1, if radius < 0.0 { 0.0 } else { radius } + margin)
            }
            Shape::Segment { a, b } => {
                corners[..2].copy_from_slice(&[flat(a), flat(b)]);
                (if a.x == b.x && a.z == b.z { 1 } else { 2 }, margin)
            }
            Shape::Box { center, half, yaw } => {
                // Angles in radians give quarter turns only up to rounding. A thin box between two rows of cells would
                // lie half in one and half in the other.
                let square = |c: f32| if c.abs() < 1e-6 { 0.0 } else { c };
                let along = Vec2::new(square(ops::cos(yaw)), square(ops::sin(yaw)));
                let u = along * half[0].abs();
                let v = Vec2::new(-along.y, along.x) * half[1].abs();
                let c = flat(center);
                corners = [c - u - v, c + u - v, c + u + v, c - u + v];
                (4, margin)
            }
        };
        if !(radius.is_finite() && corners.iter().all(|c| c.is_finite())) {
            return None;
        }
        let mut grown = Self { corners, count, radius, edges: [[Vec2::ZERO; 2]; 4], edge_count: 0 };
        if count > 1 {
            for i in 0..count {
                let a = corners[i];
                let b = corners[(i + 1) % count];
                let along = (b - a).normalize_or_zero();
                let outwards = Vec2::new(along.y, -along.x) * radius;
                grown.edges[i] = [a + outwards, b + outwards];
            }
            grown.edge_count = count;
        }
        Some(grown)
    }

    pub(super) fn corners(&self) -> &[Vec2] {
        &self.corners[..self.count]
    }

    pub(super) fn radius(&self) -> f32 {
        self.radius
    }

    /// The edges moved outwards by the radius, corner by corner; none for a disc.
    pub(super) fn edges(&self) -> &[[Vec2; 2]] {
        &self.edges[..self.edge_count]
    }

    /// The least and greatest z.
    pub(super) fn z_range(&self) -> (f32, f32) {
        let z = |f: fn(f32, f32) -> f32| self.corners().iter().map(|c| c.y).reduce(f).unwrap_or(0.0);
        (z(f32::min) - self.radius, z(f32::max) + self.radius)
    }

    /// The least and greatest x within a range of z; empty (first above second) if the shape does not overlap it.
    pub(super) fn x_range_between(&self, z0: f32, z1: f32) -> (f32, f32) {
        let mut low = f32::INFINITY;
        let mut high = f32::NEG_INFINITY;
        for c in self.corners() {
            let off = (z0 - c.y).max(c.y - z1).max(0.0);
            if off <= self.radius {
                // Squares of the largest radii overflow f32.
                let radius = f64::from(self.radius);
                let off = f64::from(off);
                let half = ((radius - off) * (radius + off)).max(0.0).sqrt() as f32;
                low = low.min(c.x - half);
                high = high.max(c.x + half);
            }
        }
        for &[a, b] in self.edges() {
            let (a, b) = if a.y <= b.y { (a, b) } else { (b, a) };
            if b.y < z0 || a.y > z1 {
                continue;
            }
            let slope = (b.x - a.x) / (b.y - a.y);
            let at = |z: f32| if slope.is_finite() { a.x + (z - a.y) * slope } else { a.x };
            let from = if a.y < z0 { at(z0) } else { a.x };
            let to = if b.y > z1 { at(z1) } else { b.x };
            low = low.min(from).min(to);
            high = high.max(from).max(to);
        }
        (low, high)
    }
}
