//! Which obstacles block the straight line to the next point of a global path.
//!
//! A global path assumes that the straight line to its next point is open, or that an agent can go around, push or wait
//! for whatever is on it. Where the grid finds that this is not so, the global planner needs to know, and it needs to
//! know *which* obstacle is to blame: a parked cart is waited for, a closed door is planned around, a crate is kicked.
//!
//! Cost: O(obstacles).
//!
//! Sources: Mikko Mononen, "Local Navigation Grids", Digesting Duck, March 19, 2010 ("interface of assumptions").

use super::shape::{Grown, Obstacle};
use glam::{DVec2, Vec3};

/// The obstacles that an agent of `radius` metres (below 0 counts as 0) would touch on the straight line from `start`
/// to `goal`, sorted by where along the line it comes nearest to them. Obstacles with a number that is not finite are
/// left out; the list is empty if a number in the other arguments is not finite.
#[must_use]
pub fn blockers(obstacles: &[Obstacle], start: Vec3, goal: Vec3, radius: f32) -> Vec<u32> {
    let mut found = Vec::new();
    blockers_into(obstacles, start, goal, radius, &mut found);
    found
}

/// [`blockers`] into a list whose memory is reused.
pub fn blockers_into(obstacles: &[Obstacle], start: Vec3, goal: Vec3, radius: f32, found: &mut Vec<u32>) {
    found.clear();
    if !radius.is_finite() {
        return;
    }
    let flat = |p: Vec3| DVec2::new(p.x.into(), p.z.into());
    let touched = |obstacle: &Obstacle| {
        let grown = Grown::new(&obstacle.shape, radius.max(0.0))?;
        let (distance, along) = distance_between(flat(start), flat(goal), &grown);
        (distance <= grown.radius().into()).then_some(along)
    };
    found.extend((0..).zip(obstacles).filter(|(_, obstacle)| touched(obstacle).is_some()).map(|(i, _)| i));
    // There are only a few: computing the position again is cheaper than storing it.
    let place = |i: &u32| {
        let obstacle = &obstacles[*i as usize];
        (touched(obstacle).unwrap_or(1.0), obstacle.id)
    };
    found.sort_unstable_by(|x, y| {
        let x = place(x);
        let y = place(y);
        x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))
    });
    found.iter_mut().for_each(|i| *i = obstacles[*i as usize].id);
}

/// Distance from the segment a–b to the core of a shape, and how far along the segment it is nearest. In f64, since
/// squares of the longest distances overflow f32.
fn distance_between(a: DVec2, b: DVec2, grown: &Grown) -> (f64, f64) {
    let mut corners = [DVec2::ZERO; 4];
    let count = grown.corners().len();
    corners.iter_mut().zip(grown.corners()).for_each(|(corner, c)| *corner = c.as_dvec2());
    let core = &corners[..count];
    let mut best = (f64::INFINITY, 0.0);
    let mut offer = |distance: f64, along: f64| {
        if distance < best.0 {
            best = (distance, along);
        }
    };
    for (i, &c) in core.iter().enumerate() {
        let d = core[(i + 1) % core.len()];
        let t = nearest_on(a, b, c);
        offer(c.distance(a + (b - a) * t), t);
        for (end, t) in [(a, 0.0), (b, 1.0)] {
            offer(end.distance(c + (d - c) * nearest_on(c, d, end)), t);
        }
        if let Some(t) = crossing(a, b, c, d) {
            offer(0.0, t);
        }
    }
    // A box without width is just its edges, which were tested above; the inside test would accept its whole line.
    let has_inside = core.len() == 4 && (core[1] - core[0]).perp_dot(core[3] - core[0]) > 0.0;
    if has_inside && core.iter().enumerate().all(|(i, &c)| (core[(i + 1) % 4] - c).perp_dot(a - c) >= 0.0) {
        offer(0.0, 0.0);
    }
    best
}

/// The parameter, 0…1, of the point on a–b nearest to `p`.
fn nearest_on(a: DVec2, b: DVec2, p: DVec2) -> f64 {
    let along = b - a;
    let length = along.length_squared();
    if length > 0.0 { ((p - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 }
}

/// The parameter, 0…1, along a–b at which it crosses c–d.
fn crossing(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> Option<f64> {
    let u = b - a;
    let v = d - c;
    let turn = u.perp_dot(v);
    let t = (c - a).perp_dot(v) / turn;
    let s = (c - a).perp_dot(u) / turn;
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&s)).then_some(t)
}

/// Distance from a point to the core of a shape: the oracle of the rasteriser's test.
#[cfg(test)]
pub(crate) fn distance_to_core(shape: &super::Shape, p: Vec3) -> f32 {
    let p = DVec2::new(p.x.into(), p.z.into());
    Grown::new(shape, 0.0).map_or(f32::INFINITY, |grown| distance_between(p, p, &grown).0 as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Shape;

    #[test]
    fn what_stands_in_the_way_is_named_in_order() {
        let disc =
            |x: f32, z: f32, id| Obstacle { shape: Shape::Disc { center: Vec3::new(x, 0.0, z), radius: 0.5 }, id };
        let wall = Shape::Segment { a: Vec3::new(3.0, 0.0, -1.0), b: Vec3::new(3.0, 0.0, 1.0) };
        let crate_ = Shape::Box { center: Vec3::new(8.0, 0.0, 0.0), half: [1.0, 0.3], yaw: 0.0 };
        let all =
            [disc(6.0, 0.8, 1), Obstacle { shape: wall, id: 2 }, disc(5.0, 3.0, 3), Obstacle { shape: crate_, id: 4 }];
        assert_eq!(blockers(&all, Vec3::ZERO, Vec3::new(10.0, 0.0, 0.0), 0.4), [2, 1, 4]);
        assert_eq!(blockers(&all, Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0), 0.4), [0; 0]);
        assert_eq!(blockers(&all, Vec3::new(8.0, 0.0, 0.1), Vec3::new(8.0, 0.0, 0.1), 0.0), [4], "inside a box");
    }

    #[test]
    fn however_far_the_goal_what_stands_before_it_is_named() {
        let disc = |x: f32, id| Obstacle { shape: Shape::Disc { center: Vec3::new(x, 0.0, 0.0), radius: 0.5 }, id };
        let all = [disc(-3.0, 1), disc(9.0, 2), disc(4.0, 3), disc(f32::NAN, 4)];
        let mut found = vec![7];
        for far in [20.0, 1e12, 1e30, f32::MAX] {
            blockers_into(&all, Vec3::ZERO, Vec3::new(far, 0.0, 0.0), 0.4, &mut found);
            assert_eq!(found, [3, 2], "{far}");
        }
        for bad in [f32::NAN, f32::INFINITY] {
            assert_eq!(blockers(&all, Vec3::ZERO, Vec3::X * 20.0, bad), [0; 0], "{bad}");
            assert_eq!(blockers(&all, Vec3::ZERO, Vec3::splat(bad), 0.4), [0; 0], "{bad}");
        }
    }

    #[test]
    fn boxes_without_width_stand_where_they_are() {
        let at = |x: f32, half, yaw| Shape::Box { center: Vec3::new(x, 0.0, 0.0), half, yaw };
        for (half, yaw) in [([0.3, 0.0], 0.0), ([0.0, 0.3], 0.0), ([0.0, 0.3], 0.6), ([0.0, 0.0], 0.0)] {
            let all = [Obstacle { shape: at(4.0, half, yaw), id: 1 }, Obstacle { shape: at(-2.0, half, yaw), id: 2 }];
            assert_eq!(blockers(&all, Vec3::ZERO, Vec3::new(-4.0, 0.0, 0.0), 0.4), [2], "{half:?}");
            assert!((distance_to_core(&all[0].shape, Vec3::ZERO) - 4.0).abs() <= 0.3, "{half:?}");
        }
    }
}
