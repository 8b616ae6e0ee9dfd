//! Points in the plane in whole cells, with exact predicates.
//!
//! Sources: the orientation test as in J. O'Rourke, "Computational Geometry in C", 1998, in integers that cannot
//! overflow.

/// A point of the plane in whole cells: (x, z).
pub(super) type Point = [i32; 2];

/// Positive if a→b→c turns like the outlines of walkable surfaces (clockwise with z drawn upwards), 0 if straight.
/// Twice the area of the triangle.
#[inline]
pub(super) fn turn(a: Point, b: Point, c: Point) -> i64 {
    let abx = i64::from(b[0]) - i64::from(a[0]);
    let abz = i64::from(b[1]) - i64::from(a[1]);
    let acx = i64::from(c[0]) - i64::from(a[0]);
    let acz = i64::from(c[1]) - i64::from(a[1]);
    abz * acx - abx * acz
}

/// Whether two edges cross in a point that is not an end of either.
#[inline]
pub(super) fn cross_properly(a: Point, b: Point, c: Point, d: Point) -> bool {
    let opposite = |p: i64, q: i64| (p < 0 && q > 0) || (p > 0 && q < 0);
    opposite(turn(a, b, c), turn(a, b, d)) && opposite(turn(c, d, a), turn(c, d, b))
}

/// The scalar product of b-a and c-b: positive if a→b→c continues rather than turning back.
#[inline]
pub(super) fn onward(a: Point, b: Point, c: Point) -> i64 {
    (i64::from(b[0]) - i64::from(a[0])) * (i64::from(c[0]) - i64::from(b[0]))
        + (i64::from(b[1]) - i64::from(a[1])) * (i64::from(c[1]) - i64::from(b[1]))
}

/// Squared distance.
#[inline]
pub(super) fn distance_squared(a: Point, b: Point) -> u64 {
    let dx = i64::from(b[0]) - i64::from(a[0]);
    let dz = i64::from(b[1]) - i64::from(a[1]);
    (dx * dx + dz * dz) as u64
}
