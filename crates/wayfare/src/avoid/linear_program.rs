//! The admissible velocity nearest to the desired one: a linear program in two dimensions, solved one half-plane at a
//! time.
//!
//! ```text
//!   ________________            As long as the best velocity so far satisfies the next half-plane, there is nothing to do. If
//!  |       \ \ \    |           not, the new best lies on that half-plane's border: a problem in one dimension, where each
//!  |  *-----x\ \ \  |           earlier half-plane cuts the border's line from one side.
//!  |  want   \ \ \ \|
//! ```
//!
//! If no velocity satisfies all, the greatest violation among the soft half-planes is minimised. That is a program in
//! three dimensions, solved by the same method: a half-plane that is violated by more than the bound so far determines
//! the new bound, and each earlier one becomes a half-plane between the two (`relaxed`). The hard ones (walls) are
//! kept.
//!
//! Cost: O(planes) if few are violated, O(planes²) at worst; with the relaxation O(planes³) at worst.
//!
//! Sources: Mark de Berg et al., "Computational Geometry", chapter 4, 2008; Jur van den Berg et al., "Reciprocal n-body
//! collision avoidance", 2011, and the authors' RVO2 Library, whose three programs in one, two and three dimensions
//! these follow.

use super::half_plane::HalfPlane;
use glam::Vec2;

/// Borders count as parallel below this.
pub(super) const PARALLEL: f32 = 1e-5;

/// The objective inside the half-planes and the circle of the greatest speed.
#[derive(Clone, Copy, Debug)]
enum Aim {
    /// Nearest to this velocity.
    Point(Vec2),
    /// Farthest in this direction.
    Direction(Vec2),
}

/// The velocity within `max_speed` that satisfies all `planes` and is nearest to `desired`, which is within `max_speed`
/// itself. The first `hard` planes are never given up. If the others cannot all be satisfied, their greatest violation
/// is minimised.
pub(super) fn solve(
    planes: &[HalfPlane],
    hard: usize,
    max_speed: f32,
    desired: Vec2,
    relaxed: &mut Vec<HalfPlane>,
) -> Vec2 {
    match incremental(planes, max_speed, Aim::Point(desired), desired) {
        Ok(v) => v,
        Err((failed, v)) => least_violation(planes, hard.min(planes.len()), failed, (max_speed, v), relaxed),
    }
}

/// The program in two dimensions. `Err` holds the plane at which nothing was left, and the best velocity before it.
fn incremental(planes: &[HalfPlane], max_speed: f32, aim: Aim, start: Vec2) -> Result<Vec2, (usize, Vec2)> {
    let mut v = start;
    for (i, plane) in planes.iter().enumerate() {
        if plane.violation(v) > 0.0 {
            v = on_border(&planes[..i], plane, max_speed, aim).ok_or((i, v))?;
        }
    }
    Ok(v)
}

/// The program in one dimension: the best velocity on the border of `plane` within `before` and the greatest speed.
fn on_border(before: &[HalfPlane], plane: &HalfPlane, max_speed: f32, aim: Aim) -> Option<Vec2> {
    // Half-planes between two others have normals of any length, and few become the border.
    let relaxed = matches!(aim, Aim::Direction(_));
    let plane = if relaxed { unit(plane) } else { *plane };
    let half_chord2 = max_speed * max_speed - plane.offset * plane.offset;
    // Written so that a half-plane with a NaN is rejected as well.
    if !matches!(half_chord2.partial_cmp(&0.0), Some(core::cmp::Ordering::Greater | core::cmp::Ordering::Equal)) {
        return None;
    }
    let foot = plane.normal * plane.offset;
    let along = Vec2::new(plane.normal.y, -plane.normal.x);
    let half_chord = half_chord2.sqrt();
    let mut low = -half_chord;
    let mut high = half_chord;
    for other in before {
        let turn = other.normal.dot(along);
        let need = other.offset - other.normal.dot(foot);
        let parallel = if relaxed {
            turn * turn <= other.normal.dot(other.normal) * (PARALLEL * PARALLEL)
        } else {
            turn.abs() <= PARALLEL
        };
        if parallel {
            if need > 0.0 {
                return None;
            }
            continue;
        }
        let t = need / turn;
        if turn > 0.0 {
            low = if t > low { t } else { low };
        } else {
            high = if t < high { t } else { high };
        }
        if low > high {
            return None;
        }
    }
    let t = match aim {
        Aim::Point(p) => {
            let t = along.dot(p);
            let t = if t > low { t } else { low };
            if t < high { t } else { high }
        }
        Aim::Direction(d) => {
            if along.dot(d) > 0.0 {
                high
            } else {
                low
            }
        }
    };
    Some(foot + along * t)
}

/// The same half-plane with a normal of length 1.
fn unit(plane: &HalfPlane) -> HalfPlane {
    let length = plane.normal.dot(plane.normal).sqrt();
    HalfPlane { normal: plane.normal / length, offset: plane.offset / length }
}

/// The program in three dimensions: minimises the greatest violation, starting with the plane that failed.
fn least_violation(
    planes: &[HalfPlane],
    hard: usize,
    failed: usize,
    (max_speed, start): (f32, Vec2),
    relaxed: &mut Vec<HalfPlane>,
) -> Vec2 {
    let mut v = start;
    let mut bound = 0.0;
    for i in failed.max(hard)..planes.len() {
        let plane = planes[i];
        // False for a half-plane with a NaN.
        let violated = plane.violation(v) > bound;
        if !violated {
            continue;
        }
        relaxed.clear();
        relaxed.extend_from_slice(&planes[..hard]);
        // No earlier plane may be violated by more than this one.
        for other in &planes[hard..i] {
            let normal = other.normal - plane.normal;
            if normal.dot(normal) > PARALLEL * PARALLEL {
                relaxed.push(HalfPlane { normal, offset: other.offset - plane.offset });
            }
        }
        let start = plane.normal * max_speed;
        // Only rounding can make this fail; the previous result is kept then.
        if let Ok(better) = incremental(relaxed, max_speed, Aim::Direction(plane.normal), start) {
            v = better;
        }
        bound = plane.violation(v);
    }
    v
}
