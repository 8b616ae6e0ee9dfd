//! Exact tests of the side of a line on which a point lies.
//!
//! Deciding left or right from rounded numbers makes a funnel turn at corners that are not real, lets a ray slip
//! between two polygons that share an edge, and makes two polygons both claim (or both disclaim) a point on their
//! border. So the sign is exact. A filter in f64 settles nearly every call. What it cannot settle is expanded into six
//! products of f32s, each of which an f64 holds exactly (24 + 24 ≤ 53 bits), and summed without loss as a
//! non-overlapping expansion.
//!
//! (Differences of f32s are *not* always exact in f64: 1e30 − 1e-30 needs 200 bits. The expansion uses none.)
//!
//! Cost: about a nanosecond when the filter settles it, some twenty otherwise.
//!
//! Sources: Jonathan Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
//! 1997.

use glam::{Vec2, Vec3};

/// Shewchuk's bound for the first filter of orient2d, in f64: (3 + 16ε)ε with ε = 2⁻⁵³.
const FILTER: f64 = 3.330_669_073_875_471_6e-16;

/// The same bound in f32, with ε = 2⁻²⁴, and a term to add for products too small for it.
pub(crate) const FILTER_F32: (f32, f32) = (1.788_140_6e-7, 1e-30);

/// The side of the directed line a→b on which `c` lies: positive to the left, negative to the right, zero exactly on
/// it, the sign of the cross product `(b - a) × (c - a)`. The sign is exact for all finite input; the magnitude is
/// about twice the area of the triangle.
#[must_use]
#[inline]
pub fn orient2d(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let [ax, ay] = [f64::from(a.x), f64::from(a.y)];
    let left = (f64::from(b.x) - ax) * (f64::from(c.y) - ay);
    let right = (f64::from(b.y) - ay) * (f64::from(c.x) - ax);
    let det = left - right;
    if det.abs() > FILTER * (left.abs() + right.abs()) { det } else { orient2d_exact(a, b, c) }
}

/// [`orient2d`] of three points in the xz-plane, with the sign of [`cross`](crate::math::plane::cross).
#[must_use]
#[inline]
pub fn orient_xz(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    orient2d(Vec2::new(a.x, a.z), Vec2::new(b.x, b.z), Vec2::new(c.x, c.z))
}

/// The exact sign of [`orient_xz`] only, for tests made by the million. Settled in f32 where that suffices.
#[must_use]
#[inline(always)]
pub fn turn_xz(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    let left = (b.x - a.x) * (c.z - a.z);
    let right = (b.z - a.z) * (c.x - a.x);
    turn_of(left, right, [a, b, c])
}

/// The sign of `left - right`, the two products of the predicate in f32, if it is certain; else the exact sign.
#[inline(always)]
fn turn_of(left: f32, right: f32, [a, b, c]: [Vec3; 3]) -> f32 {
    // Passed by value: points behind a pointer would have to stay in memory all the time.
    #[cold]
    #[inline(never)]
    fn settle(a: Vec2, b: Vec2, c: Vec2) -> f32 {
        let side = orient2d(a, b, c);
        f32::from(i8::from(side > 0.0) - i8::from(side < 0.0))
    }
    let det = left - right;
    let slack = (left.abs() + right.abs()) * FILTER_F32.0 + FILTER_F32.1;
    let xz = |p: Vec3| Vec2::new(p.x, p.z);
    if det.abs() > slack { det } else { settle(xz(a), xz(b), xz(c)) }
}

/// A directed line in the plane that many points are tested against: [`orient2d`] with the terms that depend only on
/// the line computed once.
#[derive(Clone, Copy, Debug)]
pub struct Line2 {
    from: Vec2,
    to: Vec2,
    start: [f64; 2],
    direction: [f64; 2],
}

impl Line2 {
    /// The line from one point to another.
    #[must_use]
    #[inline]
    pub fn new(from: Vec2, to: Vec2) -> Self {
        let start = [f64::from(from.x), f64::from(from.y)];
        let direction = [f64::from(to.x) - start[0], f64::from(to.y) - start[1]];
        Self { from, to, start, direction }
    }

    /// `orient2d(from, to, p)`, bit for bit.
    #[must_use]
    #[inline]
    pub fn side(&self, p: Vec2) -> f64 {
        let left = self.direction[0] * (f64::from(p.y) - self.start[1]);
        let right = self.direction[1] * (f64::from(p.x) - self.start[0]);
        let det = left - right;
        if det.abs() > FILTER * (left.abs() + right.abs()) { det } else { orient2d_exact(self.from, self.to, p) }
    }

    /// The start of the line.
    #[must_use]
    #[inline]
    pub fn from(&self) -> Vec2 {
        self.from
    }

    /// The end of the line.
    #[must_use]
    #[inline]
    pub fn to(&self) -> Vec2 {
        self.to
    }
}

/// A directed line in the xz-plane that corners of polygons are tested against.
#[derive(Clone, Copy, Debug)]
pub struct LineXz {
    from: Vec3,
    to: Vec3,
    /// Its direction: the factors of the differences of a point's z and x.
    along: Vec2,
}

impl LineXz {
    /// The line from one point to another.
    #[must_use]
    #[inline]
    pub fn new(from: Vec3, to: Vec3) -> Self {
        Self { from, to, along: Vec2::new(to.x - from.x, to.z - from.z) }
    }

    /// `orient_xz(from, to, p)`.
    #[must_use]
    #[inline]
    pub fn side(self, p: Vec3) -> f64 {
        orient_xz(self.from, self.to, p)
    }

    /// `turn_xz(from, to, p)`.
    #[must_use]
    #[inline(always)]
    pub fn turn(self, p: Vec3) -> f32 {
        let left = self.along.x * (p.z - self.from.z);
        let right = self.along.y * (p.x - self.from.x);
        turn_of(left, right, [self.from, self.to, p])
    }

    /// The start of the line.
    #[must_use]
    #[inline]
    pub fn from(self) -> Vec3 {
        self.from
    }

    /// The end of the line.
    #[must_use]
    #[inline]
    pub fn to(self) -> Vec3 {
        self.to
    }
}

#[cold]
fn orient2d_exact(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    // Searches often test the ends of a line against the line itself.
    if c == a || c == b {
        return 0.0;
    }
    if let Some(det) = orient2d_short(a, b, c) {
        return det;
    }
    let product = |x: f32, y: f32| f64::from(x) * f64::from(y);
    let terms = [
        product(a.x, b.y),
        -product(a.x, c.y),
        product(b.x, c.y),
        -product(b.x, a.y),
        product(c.x, a.y),
        -product(c.x, b.y),
    ];
    // Grow a non-overlapping expansion term by term; its components stay sorted by magnitude, smallest first.
    let mut expansion = [0.0_f64; 6];
    for (n, &term) in terms.iter().enumerate() {
        let mut carry = term;
        for component in &mut expansion[..n] {
            let sum = *component + carry;
            let virtual_carry = sum - *component;
            *component = (*component - (sum - virtual_carry)) + (carry - virtual_carry);
            carry = sum;
        }
        expansion[n] = carry;
    }
    // The greatest non-zero component has the sign of the sum.
    expansion.iter().rev().copied().find(|&x| x != 0.0).unwrap_or(0.0)
}

/// The determinant of points on a common grid, as collinear points of levels mostly are: if the differences are exact
/// and have at most 26 bits, their products are exact as well.
fn orient2d_short(a: Vec2, b: Vec2, c: Vec2) -> Option<f64> {
    let exact = |from: f32, to: f32| {
        let (from, to) = (f64::from(from), f64::from(to));
        let difference = to - from;
        let is_short = difference.to_bits() & ((1 << 27) - 1) == 0;
        (is_short && from + difference == to && to - difference == from).then_some(difference)
    };
    let bx = exact(a.x, b.x)?;
    let by = exact(a.y, b.y)?;
    let cx = exact(a.x, c.x)?;
    let cy = exact(a.y, c.y)?;
    Some(bx * cy - by * cx)
}

/// Whether two points coincide in the xz-plane up to the rounding of their coordinates: they are apart by no more than
/// about eight units in the last place (but at least half a micrometre is allowed). Meshes of other tools compute the
/// vertices of a shared tile border once per tile, and differ by that much.
#[must_use]
#[inline]
pub fn coincident_xz(a: Vec3, b: Vec3) -> bool {
    let tolerance = rounding_at(a);
    (a.x - b.x).abs() <= tolerance && (a.z - b.z).abs() <= tolerance
}

/// How far apart two points near `p` may be and still coincide: the tolerance of [`coincident_xz`], in metres.
#[must_use]
#[inline]
pub fn rounding_at(p: Vec3) -> f32 {
    const RELATIVE: f32 = 1.0 / (1 << 21) as f32;
    RELATIVE * p.x.abs().max(p.z.abs()).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Rng;

    /// The sign by integer arithmetic, for points on a grid of 2⁻¹⁰.
    fn oracle(p: [[i32; 2]; 3]) -> i128 {
        let q = p.map(|[x, y]| [i128::from(x), i128::from(y)]);
        (q[1][0] - q[0][0]) * (q[2][1] - q[0][1]) - (q[1][1] - q[0][1]) * (q[2][0] - q[0][0])
    }

    #[test]
    fn the_sign_agrees_with_integers_also_far_from_the_origin_and_nearly_on_the_line() {
        let mut rng = Rng::new(7);
        let mut zeros = 0;
        for round in 0..20_000 {
            let far = if round % 2 == 0 { 0 } else { 8_000_000 };
            let mut coordinate = || far + rng.below(16) as i32;
            let points = [[coordinate(), coordinate()], [coordinate(), coordinate()], [coordinate(), coordinate()]];
            let [a, b, c] = points.map(|[x, y]| Vec2::new(x as f32, y as f32) / 1024.0);
            let expected = oracle(points);
            zeros += u32::from(expected == 0);
            assert_eq!(orient2d(a, b, c).partial_cmp(&0.0), expected.partial_cmp(&0), "{points:?}");
            let [p, q, r] = [a, b, c].map(|v| Vec3::new(v.x, 0.0, v.y));
            for turn in [turn_xz(p, q, r), LineXz::new(p, q).turn(r)] {
                assert_eq!(turn.partial_cmp(&0.0), orient2d(a, b, c).partial_cmp(&0.0), "{points:?}");
            }
        }
        assert!(zeros > 100, "the test met no collinear points");
    }

    #[test]
    fn products_that_no_f64_difference_holds_keep_their_sign() {
        // On the line y = x except for the last bit of an f32 at 2^20; a at a scale of 2^-60.
        let a = Vec2::splat(2.0_f32.powi(-60));
        let b = Vec2::splat(1_048_576.0);
        let c = Vec2::new(2_097_152.0, 2_097_152.0_f32.next_up());
        assert!(orient2d(a, b, c) > 0.0 && orient2d(b, a, c) < 0.0 && orient2d(c, a, b) > 0.0);
        assert_eq!(orient2d(a, b, b), 0.0);
        // Exact although the difference to a is lost in f64: b→c has slope one, a lies a hair below it.
        let below = Vec2::new(2.0_f32.powi(-60), 0.0);
        assert!(orient2d(below, b, b * 2.0) < 0.0);
    }

    #[test]
    fn swapping_two_points_flips_the_sign_exactly() {
        let mut rng = Rng::new(11);
        for _ in 0..5_000 {
            let mut point = || Vec2::new(rng.unit() * 1e4, rng.unit() * 1e-4);
            let a = point();
            let b = point();
            let c = point();
            let sign = |x: f64| x.partial_cmp(&0.0);
            let [p, q, r] = [a, b, c].map(|v| Vec3::new(v.x, 7.0, v.y));
            assert_eq!(LineXz::new(p, q).side(r), orient2d(a, b, c));
            let turns = [LineXz::new(p, q).turn(r), turn_xz(p, q, r)].map(|turn| turn.partial_cmp(&0.0));
            assert_eq!(turns, [sign(orient2d(a, b, c)); 2]);
            assert_eq!(sign(orient2d(a, b, c)), sign(-orient2d(b, a, c)));
            assert_eq!(sign(orient2d(a, b, c)), sign(orient2d(b, c, a)));
        }
    }
}
