//! Convex polygons on the xz-plane, wound like those of a navigation mesh.
//!
//! All queries share one definition of *inside*: a point is in a polygon if it is exactly on or to the right of each
//! edge (see [`plane`](crate::math::plane)). The test is exact, so polygons that share an edge (equal bits) leave no
//! gap between them: every point near the edge is in at least one of them.
//!
//! ```text
//!        b .------. c          x →, z ↑: corners run clockwise,
//!         /   p   |            the inside is to the right of every edge
//!      a '--------' d
//! ```
//!
//! Cost: each function is linear in the corners.
//!
//! Sources: Christer Ericson, "Real-Time Collision Detection", 2005; clipping after M. Cyrus and J. Beck, "Generalized
//! two- and three-dimensional clipping", 1978; Ivan Sutherland and Gary Hodgman, "Reentrant Polygon Clipping", 1974;
//! Greg Turk, "Generating random points in triangles", Graphics Gems, 1990.

use crate::math::plane::{cross, distance_squared};
use crate::math::predicates::orient_xz;
use crate::math::segment;
use glam::{Vec2, Vec3};

/// The edges of a polygon, each from one corner to the next.
#[inline]
pub fn edges(verts: &[Vec3]) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
    (0..verts.len()).map(|i| (verts[i], verts[if i + 1 == verts.len() { 0 } else { i + 1 }]))
}

/// Whether a point is inside an outline that need not be convex: a ray from it crosses an odd number of edges.
pub(crate) fn is_inside_outline(outline: &[Vec2], p: Vec2) -> bool {
    let Some(&last) = outline.last() else { return false };
    let mut before = last;
    let mut is_inside = false;
    for &corner in outline {
        if (corner.y > p.y) != (before.y > p.y) {
            let crossing = corner.x + (before.x - corner.x) * ((p.y - corner.y) / (before.y - corner.y));
            is_inside ^= p.x < crossing;
        }
        before = corner;
    }
    is_inside
}

/// Whether `p` lies in the polygon or exactly on its border.
#[must_use]
#[inline]
pub fn contains(verts: &[Vec3], p: Vec3) -> bool {
    !verts.is_empty() && edges(verts).all(|(a, b)| orient_xz(a, b, p) <= 0.0)
}

/// The point on a polygon's border that is nearest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnBorder {
    /// The edge, by its first corner.
    pub edge: u32,
    /// How far along the edge, 0…1.
    pub t: f32,
    /// Squared distance in the plane.
    pub distance_squared: f32,
    /// The point, with its height interpolated along the edge.
    pub point: Vec3,
}

/// The point on the polygon's border nearest to `p` in the plane; of several equally near, the one on the first edge.
/// `None` for a polygon without corners.
#[must_use]
pub fn closest_on_border(verts: &[Vec3], p: Vec3) -> Option<OnBorder> {
    let mut best: Option<OnBorder> = None;
    for (edge, (a, b)) in edges(verts).enumerate() {
        let t = segment::closest_t(p, a, b);
        let point = segment::at(a, b, t);
        let d = distance_squared(p, point);
        if best.is_none_or(|x| d < x.distance_squared) {
            best = Some(OnBorder { edge: edge as u32, t, distance_squared: d, point });
        }
    }
    best
}

/// The part of a segment that lies within a convex polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clip {
    /// Where the segment enters, as a parameter 0…1; 0 if it begins inside.
    pub enter: f32,
    /// Where it leaves, as a parameter 0…1; 1 if it ends inside.
    pub leave: f32,
    /// The edge it enters by, if it begins outside.
    pub enter_edge: Option<u32>,
    /// The edge it leaves by, if it ends outside.
    pub leave_edge: Option<u32>,
}

/// The part of the segment a→b within the polygon; `None` if they share no point.
#[must_use]
pub fn clip_segment(verts: &[Vec3], a: Vec3, b: Vec3) -> Option<Clip> {
    let mut clip = Clip { enter: 0.0, leave: 1.0, enter_edge: None, leave_edge: None };
    if verts.is_empty() {
        return None;
    }
    for (i, (v, w)) in edges(verts).enumerate() {
        // Positive: outside this edge.
        let from = orient_xz(v, w, a);
        let to = orient_xz(v, w, b);
        if from > 0.0 && to > 0.0 {
            return None;
        }
        if from > 0.0 || to > 0.0 {
            let t = (from / (from - to)) as f32;
            if to > 0.0 && (t < clip.leave || clip.leave_edge.is_none()) {
                (clip.leave, clip.leave_edge) = (t.min(clip.leave), Some(i as u32));
            } else if from > 0.0 && (t > clip.enter || clip.enter_edge.is_none()) {
                (clip.enter, clip.enter_edge) = (t.max(clip.enter), Some(i as u32));
            }
        }
    }
    (clip.enter <= clip.leave).then_some(clip)
}

/// The part of a polygon on one side of the plane at `limit` across `axis` (0: x, 1: y, 2 or more: z): at or above
/// `limit` if `above`, else at or below it. Empty if there is none.
#[must_use]
pub fn clip_half_space(verts: &[Vec3], axis: usize, limit: f32, above: bool) -> Vec<Vec3> {
    let mut kept = Vec::new();
    clip_half_space_into(verts, axis, limit, above, &mut kept);
    kept
}

/// [`clip_half_space`] into a list whose memory is reused.
pub fn clip_half_space_into(verts: &[Vec3], axis: usize, limit: f32, above: bool, kept: &mut Vec<Vec3>) {
    kept.clear();
    let axis = axis.min(2);
    let inside = |p: Vec3| if above { p[axis] - limit } else { limit - p[axis] };
    for (a, b) in edges(verts) {
        let from = inside(a);
        let to = inside(b);
        if from >= 0.0 {
            kept.push(a);
        }
        if (from < 0.0) != (to < 0.0) {
            let mut cut = a + (b - a) * (from / (from - to));
            cut[axis] = limit;
            kept.push(cut);
        }
    }
}

/// Whether the polygon and the disc around `center` share a point in the plane.
#[must_use]
pub fn overlaps_circle(verts: &[Vec3], center: Vec3, radius: f32) -> bool {
    contains(verts, center)
        || edges(verts).any(|(a, b)| segment::point_distance_squared(center, a, b) <= radius * radius)
}

/// Whether two convex polygons share more than their border, by the separating axis theorem. Overlaps thinner than
/// `slack` metres do not count.
#[must_use]
pub fn overlap(a: &[Vec3], b: &[Vec3], slack: f32) -> bool {
    // Most pairs are apart along an axis, which is tested without normals.
    extents_overlap(extent(a), extent(b)) && !is_separated(a, b, slack) && !is_separated(b, a, slack)
}

/// Whether the rectangles around two polygons, of these [extents](extent), share more than their border.
#[inline]
pub(crate) fn extents_overlap([a_low, a_high]: [Vec3; 2], [b_low, b_high]: [Vec3; 2]) -> bool {
    a_low.x < b_high.x && b_low.x < a_high.x && a_low.z < b_high.z && b_low.z < a_high.z
}

/// The least and the greatest coordinates. Without corners they are infinite and inverted.
pub(crate) fn extent(verts: &[Vec3]) -> [Vec3; 2] {
    let unbounded = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    verts.iter().fold(unbounded, |[low, high], &p| [low.min(p), high.max(p)])
}

/// Whether some edge of `a` has all of `b` outside.
fn is_separated(a: &[Vec3], b: &[Vec3], slack: f32) -> bool {
    edges(a).any(|(v, w)| {
        let inward = segment::inward_normal(v, w);
        inward != Vec3::ZERO && b.iter().all(|&p| (p.x - v.x) * inward.x + (p.z - v.z) * inward.z <= slack)
    })
}

/// The polygon's area in the plane; not negative for our winding.
#[must_use]
pub fn area(verts: &[Vec3]) -> f32 {
    let Some((&first, rest)) = verts.split_first() else { return 0.0 };
    -0.5 * rest.windows(2).map(|w| cross(first, w[0], w[1])).sum::<f32>()
}

/// The mean of the corners; zero for none.
#[must_use]
pub fn center(verts: &[Vec3]) -> Vec3 {
    if verts.is_empty() { Vec3::ZERO } else { verts.iter().copied().sum::<Vec3>() / verts.len() as f32 }
}

/// A uniformly distributed random point of the polygon, from two numbers `random` that are uniform in 0…1. A polygon
/// without area gives a point on it. `None` without corners.
#[must_use]
pub fn random_point(verts: &[Vec3], random: [f32; 2]) -> Option<Vec3> {
    random_point_of(verts.iter().copied(), random)
}

/// [`random_point`] of a polygon whose corners come from an iterator.
pub(crate) fn random_point_of(verts: impl Iterator<Item = Vec3> + Clone, random: [f32; 2]) -> Option<Vec3> {
    let first = verts.clone().next()?;
    let second = verts.clone().skip(1);
    let third = verts.skip(2);
    let fan = || second.clone().zip(third.clone()).map(|(b, c)| (b, c, (-cross(first, b, c)).max(0.0)));
    let total: f32 = fan().map(|(.., area)| area).sum();
    let mut left = random[0].clamp(0.0, 1.0) * total;
    let mut chosen = (first, first, 0.0);
    for (b, c, area) in fan() {
        if area > 0.0 {
            chosen = (b, c, (left / area).min(1.0));
            if left <= area {
                break;
            }
            left -= area;
        }
    }
    // `u` is the remainder of the first number after choosing the triangle: uniform again.
    let (b, c, u) = chosen;
    let root = u.sqrt();
    let v = random[1].clamp(0.0, 1.0);
    Some(first * (1.0 - root) + b * (root * (1.0 - v)) + c * (root * v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    fn p(x: f32, z: f32) -> Vec3 {
        Vec3::new(x, 0.0, z)
    }

    /// A 4 × 4 square, wound like a navigation polygon.
    fn square() -> [Vec3; 4] {
        [p(0., 0.), p(0., 4.), p(4., 4.), p(4., 0.)]
    }

    #[test]
    fn inside_includes_the_border() {
        let s = square();
        assert!(contains(&s, p(2., 2.)) && contains(&s, p(0., 0.)) && contains(&s, p(4., 2.)));
        assert!(!contains(&s, p(4.0001, 2.)) && !contains(&s, p(2., -1e-9)) && !contains(&[], p(0., 0.)));
        assert_eq!(area(&s), 16.0);
        assert_eq!(center(&s), p(2., 2.));
    }

    #[test]
    fn triangles_that_share_an_edge_leave_no_gap() {
        let mut rng = Rng::new(2);
        for _ in 0..3_000 {
            let mut v = || p(rng.unit() * 100.0, rng.unit() * 100.0);
            let a = v();
            let b = v();
            // A point as near to the edge as rounding allows.
            let q = segment::at(a, b, rng.unit());
            let left = p(a.z - b.z, b.x - a.x);
            let right = p(b.z - a.z, a.x - b.x);
            let on_left = [b, a, a + left];
            let on_right = [a, b, b + right];
            assert!(contains(&on_left, q) || contains(&on_right, q), "{q} fell between");
        }
    }

    #[test]
    fn the_nearest_border_point() {
        let s = square();
        let hit = closest_on_border(&s, p(5., 2.)).unwrap();
        assert_eq!((hit.edge, hit.t, hit.distance_squared, hit.point), (2, 0.5, 1.0, p(4., 2.)));
        assert_eq!(closest_on_border(&s, p(-3., -4.)).unwrap().distance_squared, 25.0);
        assert_eq!(closest_on_border(&[], p(0., 0.)), None);
    }

    #[test]
    fn clipping_a_segment() {
        let s = square();
        let through = clip_segment(&s, p(-4., 2.), p(12., 2.)).unwrap();
        assert_eq!((through.enter, through.leave), (0.25, 0.5));
        assert_eq!((through.enter_edge, through.leave_edge), (Some(0), Some(2)));
        let within = clip_segment(&s, p(1., 1.), p(2., 2.)).unwrap();
        assert_eq!(within, Clip { enter: 0.0, leave: 1.0, enter_edge: None, leave_edge: None });
        assert_eq!(clip_segment(&s, p(-1., 0.), p(-1., 4.)), None);
        assert_eq!(clip_segment(&s, p(-2., 3.), p(1., 6.)), None);
        let along = clip_segment(&s, p(0., -4.), p(0., 4.)).unwrap();
        assert_eq!((along.enter, along.leave, along.leave_edge), (0.5, 1.0, None));
    }

    #[test]
    fn clipping_a_polygon() {
        assert_eq!(area(&clip_half_space(&square(), 0, 1.0, true)), 12.0);
        assert_eq!(area(&clip_half_space(&square(), 2, 1.0, false)), 4.0);
        assert!(clip_half_space(&square(), 1, 1.0, true).is_empty());
        assert_eq!(clip_half_space(&square(), 1, 0.0, true), square());
        assert_eq!(clip_half_space(&square(), usize::MAX, 1.0, false), clip_half_space(&square(), 2, 1.0, false));
        assert!(clip_half_space(&square(), 0, f32::NAN, true).is_empty());
    }

    #[test]
    fn discs_and_polygons() {
        let s = square();
        assert!(overlaps_circle(&s, p(2., 2.), 0.1) && overlaps_circle(&s, p(5., 2.), 1.0));
        assert!(!overlaps_circle(&s, p(5., 5.), 1.4) && overlaps_circle(&s, p(5., 5.), 1.5));
        let beside = square().map(|v| v + p(4., 0.));
        let over = square().map(|v| v + p(3., 3.));
        assert!(!overlap(&s, &beside, 1e-4) && overlap(&s, &over, 1e-4) && overlap(&s, &s, 1e-4));
        assert!(!overlap(&s, &over.map(|v| v + p(0.9999, 0.)), 1e-3));
    }

    #[test]
    fn random_points_are_inside_and_fill_it_evenly() {
        let mut rng = Rng::new(9);
        let s = square();
        let mut quarters = [0; 4];
        for _ in 0..8_000 {
            let q = random_point(&s, [rng.unit(), rng.unit()]).unwrap();
            assert!(contains(&square().map(|v| v * 1.0001 - p(0.0001, 0.0001)), q), "{q}");
            quarters[usize::from(q.x > 2.0) + 2 * usize::from(q.z > 2.0)] += 1;
        }
        assert!(quarters.iter().all(|n| (1_850..2_150).contains(n)), "{quarters:?}");
        assert_eq!(random_point(&[p(1., 1.); 3], [0.5, 0.5]), Some(p(1., 1.)));
        assert_eq!(random_point(&[], [0.5, 0.5]), None);
    }
}
