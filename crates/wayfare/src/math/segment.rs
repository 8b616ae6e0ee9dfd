//! Points and segments in the xz-plane.
//!
//! Sources: Christer Ericson, "Real-Time Collision Detection", chapters 5.1 and 5.3, 2005.

use crate::math::plane::distance_squared;
use glam::{Vec2, Vec3};

/// The parameter, 0…1, of the point on the segment a→b nearest to `p` in the plane. 0 for a segment without length.
#[must_use]
#[inline]
pub fn closest_t(p: Vec3, a: Vec3, b: Vec3) -> f32 {
    let dx = b.x - a.x;
    let dz = b.z - a.z;
    let length_squared = dx * dx + dz * dz;
    if length_squared > 0.0 { (((p.x - a.x) * dx + (p.z - a.z) * dz) / length_squared).clamp(0.0, 1.0) } else { 0.0 }
}

/// The point on the segment a→b nearest to `p` in the plane, with its height interpolated.
#[must_use]
#[inline]
pub fn closest_point(p: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    at(a, b, closest_t(p, a, b))
}

/// The point at parameter `t` between `a` and `b`; exactly `a` at 0 and `b` at 1.
#[must_use]
#[inline]
pub fn at(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    if t >= 1.0 { b } else { a + (b - a) * t }
}

/// Squared distance in the plane from `p` to the segment a→b.
#[must_use]
#[inline]
pub fn point_distance_squared(p: Vec3, a: Vec3, b: Vec3) -> f32 {
    distance_squared(p, closest_point(p, a, b))
}

/// Whether `p` is within the root of `distance_squared` of the segment a→b in the plane. Uses the formula of
/// [`point_distance_squared`] without its division, so the two may differ by rounding near that distance.
#[must_use]
#[inline]
pub fn is_within(p: Vec3, a: Vec3, b: Vec3, distance_squared: f32) -> bool {
    let dx = b.x - a.x;
    let dz = b.z - a.z;
    let px = p.x - a.x;
    let pz = p.z - a.z;
    let along = px * dx + pz * dz;
    let length_squared = dx * dx + dz * dz;
    let across = px * dz - pz * dx;
    let beside = across * across <= distance_squared * length_squared;
    let (qx, qz) = if along > 0.0 { (p.x - b.x, p.z - b.z) } else { (px, pz) };
    let off_the_end = qx * qx + qz * qz <= distance_squared;
    // Compute all and select one: the branch would be unpredictable.
    let is_beside = (along > 0.0) & (along < length_squared);
    (is_beside & beside) | (!is_beside & off_the_end)
}

/// Where the *lines* a→b and c→d cross in the plane, as parameters along each; `None` if they are parallel. Computed in
/// f64.
#[must_use]
pub fn line_crossing(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Option<(f64, f64)> {
    let f = |p: Vec3| [f64::from(p.x), f64::from(p.z)];
    let [a, b, c, d] = [f(a), f(b), f(c), f(d)];
    let u = [b[0] - a[0], b[1] - a[1]];
    let v = [d[0] - c[0], d[1] - c[1]];
    let w = [c[0] - a[0], c[1] - a[1]];
    let denominator = u[0] * v[1] - u[1] * v[0];
    if denominator == 0.0 {
        return None;
    }
    Some(((w[0] * v[1] - w[1] * v[0]) / denominator, (w[0] * u[1] - w[1] * u[0]) / denominator))
}

/// Where the segments a→b and c→d meet in the plane, as parameters 0…1 along each. `None` if they do not meet or are
/// parallel.
#[must_use]
pub fn intersect(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> Option<(f32, f32)> {
    let (s, t) = line_crossing(a, b, c, d)?;
    ((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t)).then_some((s as f32, t as f32))
}

/// The unit normal in the plane that points to the right of the edge a→b (into a polygon with our winding); zero for an
/// edge without length.
#[must_use]
#[inline]
pub fn inward_normal(a: Vec3, b: Vec3) -> Vec3 {
    let n = Vec2::new(b.z - a.z, a.x - b.x).normalize_or_zero();
    Vec3::new(n.x, 0.0, n.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 0.0, z)
    }

    #[test]
    fn nearest_points_stop_at_the_ends() {
        let a = p(0., 0.);
        let b = p(4., 0.);
        assert_eq!(closest_point(p(1., 3.), a, b), p(1., 0.));
        assert_eq!(closest_point(p(-1., 3.), a, b), a);
        assert_eq!(closest_point(p(9., 3.), a, b), b);
        assert_eq!(point_distance_squared(p(7., 4.), a, b), 25.0);
        assert_eq!(closest_point(p(7., 4.), a, a), a);
    }

    #[test]
    fn within_is_what_the_distance_says() {
        let mut rng = crate::math::Rng::new(2);
        let mut q = || p(rng.below(9) as f32, rng.below(9) as f32);
        for _ in 0..4_000 {
            let at = q();
            let a = q();
            let b = q();
            let distance = point_distance_squared(at, a, b);
            assert!(is_within(at, a, b, distance * 1.0001 + 1e-6), "{at} {a} {b}");
            assert!(distance < 1e-6 || !is_within(at, a, b, distance * 0.9999), "{at} {a} {b}");
        }
    }

    #[test]
    fn segments_meet_where_they_do() {
        assert_eq!(intersect(p(0., 0.), p(4., 4.), p(0., 4.), p(4., 0.)), Some((0.5, 0.5)));
        assert_eq!(intersect(p(0., 0.), p(1., 1.), p(0., 4.), p(4., 0.)), None);
        assert_eq!(intersect(p(0., 0.), p(1., 0.), p(0., 1.), p(1., 1.)), None);
    }

    #[test]
    fn the_inward_normal_points_right_of_the_edge() {
        assert_eq!(inward_normal(p(0., 0.), p(2., 0.)), p(0., -1.));
        assert_eq!(inward_normal(p(1., 1.), p(1., 1.)), Vec3::ZERO);
    }
}
