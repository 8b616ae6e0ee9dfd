//! Turns corners into a direction: small functions on plain values, each usable separately or replaceable.
//!
//! ```text
//!                 corner 2
//!   agent ●- -.     /          straight: to corner 1
//!              `- 1            smooth:   beside corner 1, on the outside, so that the path becomes a curve
//! ```
//!
//! All work in the horizontal plane: the height of a direction is zero.
//!
//! Sources: Mikko Mononen, "Some More Movement Progress" (smooth and drunken steering), Digesting Duck, August 2010;
//! Craig Reynolds, "Steering Behaviors For Autonomous Characters", 1999 (arrival, separation).

use crate::math::{ops, plane};
use glam::Vec3;

fn flat(v: Vec3) -> Vec3 {
    Vec3::new(v.x, 0.0, v.z)
}

/// The direction straight to the first corner: a unit vector, or zero without corners or at the corner itself.
#[must_use]
pub fn straight(position: Vec3, corners: &[Vec3]) -> Vec3 {
    corners.first().map_or(Vec3::ZERO, |corner| flat(*corner - position).normalize_or_zero())
}

/// The direction that turns around the first corner in a curve towards the second: a unit vector, or zero without
/// corners.
#[must_use]
pub fn smooth(position: Vec3, corners: &[Vec3]) -> Vec3 {
    let Some(first) = corners.first() else { return Vec3::ZERO };
    let second = corners.get(1).unwrap_or(first);
    let to_first = flat(*first - position);
    let to_second = flat(*second - position);
    let reach = to_first.length();
    // Leans away from the second corner by half the distance to the first: the nearer the corner, the less.
    (to_first - to_second.normalize_or_zero() * (reach * 0.5)).normalize_or_zero()
}

/// The speed at `distance` metres from the end of the path: `max_speed`, reduced proportionally within `slow_down`
/// metres.
#[must_use]
pub fn arrival_speed(distance: f32, max_speed: f32, slow_down: f32) -> f32 {
    if distance >= slow_down { max_speed } else { max_speed * (distance / slow_down).max(0.0) }
}

/// A velocity away from others that are nearer than `range`: the mean of their contributions, where one that touches
/// contributes `strength` m/s and one at the edge of the range nothing.
#[must_use]
pub fn separation(position: Vec3, others: impl IntoIterator<Item = Vec3>, range: f32, strength: f32) -> Vec3 {
    let mut sum = Vec3::ZERO;
    let mut count = 0.0_f32;
    for other in others {
        let away = flat(position - other);
        let distance = away.length();
        if distance < range && distance > 1e-5 {
            let nearness = distance / range;
            sum += away * (strength * (1.0 - nearness * nearness) / distance);
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { Vec3::ZERO }
}

/// A swaying direction: `swing` radians to either side, with `turns` full oscillations since the beginning (a whole
/// number is straight ahead). Two oscillations of unrelated frequency make it look less mechanical.
#[must_use]
pub fn drunken(direction: Vec3, swing: f32, turns: f32) -> Vec3 {
    let phase = (turns - turns.floor()) * core::f32::consts::TAU;
    let slow = (turns * 0.37 - (turns * 0.37).floor()) * core::f32::consts::TAU;
    let angle = swing * (0.7 * ops::sin(phase) + 0.3 * ops::sin(slow));
    let sin = ops::sin(angle);
    let cos = ops::cos(angle);
    Vec3::new(direction.x * cos - direction.z * sin, 0.0, direction.x * sin + direction.z * cos)
}

/// A velocity changed towards another by at most `change` m/s.
#[must_use]
pub fn accelerate(velocity: Vec3, wanted: Vec3, change: f32) -> Vec3 {
    let difference = wanted - velocity;
    let length = plane::distance(wanted, velocity);
    if length > change { velocity + difference * (change / length) } else { wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 3.0, z)
    }

    #[test]
    fn straight_and_smooth() {
        let corners = [p(4.0, 0.0), p(4.0, 4.0)];
        assert_eq!(straight(p(0.0, 0.0), &corners), Vec3::X);
        assert_eq!(straight(p(0.0, 0.0), &[]), Vec3::ZERO);
        // It swings out to the side away from the second corner.
        let far = smooth(p(0.0, 0.0), &corners);
        assert!(far.z < -0.3 && far.x > 0.5 && (far.length() - 1.0).abs() < 1e-6, "{far}");
        assert_eq!(smooth(p(0.0, 0.0), &corners[..1]), Vec3::X);
        assert_eq!(smooth(corners[0], &corners[..1]), Vec3::ZERO);
    }

    #[test]
    fn slower_near_the_end() {
        assert_eq!([3.0, 1.0, 0.5, 0.0].map(|d| arrival_speed(d, 2.0, 1.0)), [2.0, 2.0, 1.0, 0.0]);
        assert_eq!(arrival_speed(0.0, 2.0, 0.0), 2.0, "no slowing down was asked for");
    }

    #[test]
    fn away_from_who_is_near() {
        let away = separation(p(0.0, 0.0), [p(1.0, 0.0), p(9.0, 0.0)], 2.0, 4.0);
        assert_eq!(away, Vec3::new(-3.0, 0.0, 0.0));
        assert_eq!(separation(p(0.0, 0.0), [p(1.0, 0.0), p(-1.0, 0.0)], 2.0, 4.0), Vec3::ZERO);
        assert_eq!(separation(p(0.0, 0.0), [p(0.0, 0.0)], 2.0, 4.0), Vec3::ZERO);
    }

    #[test]
    fn swaying_stays_within_its_swing_and_keeps_its_length() {
        let mut left = 0.0_f32;
        let mut right = 0.0_f32;
        for step in 0..1000 {
            let d = drunken(Vec3::X, 0.5, step as f32 * 0.013);
            assert!((d.length() - 1.0).abs() < 1e-5);
            let angle = ops::atan2(d.z, d.x);
            (left, right) = (left.max(angle), right.min(angle));
        }
        assert!(left > 0.35 && right < -0.35 && left <= 0.5 && right >= -0.5, "{left} {right}");
        assert_eq!(drunken(Vec3::X, 0.5, 0.0), Vec3::X);
    }

    #[test]
    fn velocities_change_by_no_more_than_the_acceleration() {
        assert_eq!(accelerate(Vec3::ZERO, Vec3::X * 4.0, 1.0), Vec3::X);
        assert_eq!(accelerate(Vec3::X * 3.5, Vec3::X * 4.0, 1.0), Vec3::X * 4.0);
    }
}
