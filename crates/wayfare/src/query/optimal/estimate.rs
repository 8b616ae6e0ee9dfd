//! The length of the shortest path from a root through an interval of a portal to the goal, ignoring walls.
//!
//! If root and goal lie on the same side of the portal, the goal is mirrored: a path that touches the portal and comes
//! back is as long as one that goes through. Then the straight line either crosses the interval, or passes beside it
//! and the path bends around the nearer end.
//!
//! ```text
//!   root .                 . root
//!         \                 \
//!   --[====x=====]--    -----[====]--      x: where the straight line crosses the portal
//!           \                 \
//!            . goal      goal  `-.
//! ```
//!
//! The crossing follows from the distances of both points from the portal, without a division until the length itself
//! is needed. A mirrored goal has the same distance, so nothing is actually mirrored.
//!
//! Cost: about twenty multiplications, and a square root or two.
//!
//! Sources: Cui, Harabor, Grastien, 2017, section 3.2.

use glam::{DVec2, Vec2};

/// A portal, and the part of it that is seen: from `low` to `high`, as fractions of the line from `a` to `b`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) a: Vec2,
    pub(super) b: Vec2,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Interval {
    /// How far its ends are from a place: of `low` and of `high`.
    #[inline]
    pub(super) fn distances(&self, from: Vec2) -> [f64; 2] {
        let a = wide(self.a);
        let from = wide(from);
        let along = wide(self.b) - a;
        [self.low, self.high].map(|share| {
            let d = a + along * share - from;
            (d.x * d.x + d.y * d.y).sqrt()
        })
    }
}

#[inline]
fn wide(p: Vec2) -> DVec2 {
    DVec2::new(f64::from(p.x), f64::from(p.y))
}

/// Distance on the plane.
#[inline]
pub(super) fn distance(a: Vec2, b: Vec2) -> f64 {
    let d = wide(b) - wide(a);
    (d.x * d.x + d.y * d.y).sqrt()
}

/// The length of the shortest path from `root` through the interval to `goal`.
#[inline]
pub(super) fn estimate(root: Vec2, interval: &Interval, goal: Vec2) -> f64 {
    let a = wide(interval.a);
    let r = wide(root);
    let g = wide(goal);
    let along = wide(interval.b) - a;
    let to_root = r - a;
    let to_goal = g - a;
    // Places along the portal and distances from it, all times its length.
    let root_along = to_root.dot(along);
    let goal_along = to_goal.dot(along);
    let root_off = along.perp_dot(to_root).abs();
    let goal_off = along.perp_dot(to_goal).abs();
    let off = root_off + goal_off;
    let squared = along.dot(along);
    let crossing = root_along * goal_off + goal_along * root_off;
    let scale = off * squared;
    let end = if crossing < interval.low * scale {
        interval.low
    } else if crossing > interval.high * scale {
        interval.high
    } else {
        let gap = root_along - goal_along;
        return ((gap * gap + off * off) / squared).sqrt();
    };
    let bend = a + along * end;
    let first = bend - r;
    let second = bend - g;
    (first.x * first.x + first.y * first.y).sqrt() + (second.x * second.x + second.y * second.y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    /// Compared with a thousand points of the interval.
    #[test]
    fn as_short_as_the_best_of_many_places() {
        let mut rng = Rng::new(21);
        for round in 0..2000 {
            let mut point = || Vec2::new(rng.unit() * 10.0 - 5.0, rng.unit() * 10.0 - 5.0);
            let root = point();
            let goal = point();
            let a = point();
            let b = point();
            let u = f64::from(rng.unit());
            let v = f64::from(rng.unit());
            let interval = Interval { a, b, low: u.min(v), high: u.max(v) };
            let length = |t: f64| {
                let p = wide(a) + (wide(b) - wide(a)) * t;
                p.distance(wide(root)) + p.distance(wide(goal))
            };
            let place = |k: i32| interval.low + (interval.high - interval.low) * f64::from(k) / 1000.0;
            let best = (0..=1000).map(|k| length(place(k))).fold(f64::MAX, f64::min);
            let found = estimate(root, &interval, goal);
            assert!(found <= best + 1e-9 && found >= best - 1e-3, "round {round}: {found} {best} {interval:?}");
        }
    }
}
