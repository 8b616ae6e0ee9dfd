//! The admissible velocity nearest to the desired one, by clipping a polygon of velocities.
//!
//! ```text
//!     .---.          Start with a polygon around all allowed speeds and clip it by each half-plane: walls first, then
//!    /     \__       neighbours, nearest first. Stop at the one that would leave nothing: it and those farther away are
//!   |  *      |      given up. The result is the point of the remaining polygon nearest to the desired velocity.
//!    \___.---'
//! ```
//!
//! Simpler to follow and to draw than the linear program, and as good if some velocity is admissible. If none is, it
//! differs: far neighbours are ignored, instead of all being violated by the same small amount.
//!
//! Cost: O(planes × corners); a half-plane adds at most one corner.
//!
//! Sources: Mikko Mononen, "Experimenting with ORCA", Digesting Duck, September 2010; Ivan Sutherland, Gary Hodgman,
//! "Reentrant polygon clipping", 1974.

use super::half_plane::HalfPlane;
use crate::math::ops;
use glam::Vec2;

/// Corners of the polygon around the circle of the greatest speed: at most half a percent too wide.
const CORNERS: u32 = 32;

/// Two polygons, clipped alternately.
#[derive(Clone, Debug, Default)]
pub(super) struct ClipPolygons {
    /// The polygon of admissible velocities.
    pub(super) corners: Vec<Vec2>,
    next: Vec<Vec2>,
}

/// The velocity that satisfies as many of the first `planes` as possible, and of these the nearest to `desired`. Leaves
/// the polygon of admissible velocities in `polygons`.
pub(super) fn solve(planes: &[HalfPlane], max_speed: f32, desired: Vec2, polygons: &mut ClipPolygons) -> Vec2 {
    cut_all(planes, max_speed, polygons, |_| ());
    nearest_in(&polygons.corners, desired)
}

/// Shows the polygon before the first cut and after each that leaves something.
pub(super) fn steps(planes: &[HalfPlane], max_speed: f32, visit: impl FnMut(&[Vec2])) {
    cut_all(planes, max_speed, &mut ClipPolygons::default(), visit);
}

/// Cuts until nothing would be left.
#[inline]
fn cut_all(planes: &[HalfPlane], max_speed: f32, polygons: &mut ClipPolygons, mut visit: impl FnMut(&[Vec2])) {
    let ClipPolygons { corners, next } = polygons;
    corners.clear();
    let step = core::f32::consts::TAU / CORNERS as f32;
    let outside = max_speed / ops::cos(step * 0.5);
    corners.extend((0..CORNERS).map(|i| {
        let angle = (i as f32 + 0.5) * step;
        Vec2::new(ops::cos(angle), ops::sin(angle)) * outside
    }));
    visit(corners);
    for plane in planes {
        clip(corners, plane, next);
        if next.is_empty() {
            break;
        }
        core::mem::swap(corners, next);
        visit(corners);
    }
}

/// The part of a convex polygon inside a half-plane.
fn clip(corners: &[Vec2], plane: &HalfPlane, out: &mut Vec<Vec2>) {
    out.clear();
    let Some(&last) = corners.last() else { return };
    let mut from = last;
    let mut from_height = -plane.violation(last);
    for &to in corners {
        let height = -plane.violation(to);
        if (from_height >= 0.0) != (height >= 0.0) {
            out.push(from + (to - from) * (from_height / (from_height - height)));
        }
        if height >= 0.0 {
            out.push(to);
        }
        (from, from_height) = (to, height);
    }
}

/// The point of a convex polygon (counter-clockwise) nearest to `p`.
fn nearest_in(corners: &[Vec2], p: Vec2) -> Vec2 {
    let mut inside = true;
    let mut best = (f32::INFINITY, p);
    let mut from = corners.last().copied().unwrap_or(Vec2::ZERO);
    for &to in corners {
        let along = to - from;
        let length2 = along.length_squared();
        inside &= along.perp_dot(p - from) >= 0.0;
        let t = if length2 > 0.0 { ((p - from).dot(along) / length2).clamp(0.0, 1.0) } else { 0.0 };
        let point = from + along * t;
        let distance = point.distance_squared(p);
        if distance < best.0 {
            best = (distance, point);
        }
        from = to;
    }
    if inside { p } else { best.1 }
}
