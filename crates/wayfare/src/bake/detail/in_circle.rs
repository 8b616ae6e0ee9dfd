//! Decides exactly whether a point lies in the circle through three others.
//!
//! Sources: the determinant is in any textbook; Jonathan Shewchuk, "Adaptive Precision Floating-Point Arithmetic and
//! Fast Robust Geometric Predicates", 1997 (floating point first, with a bound on its rounding).

use crate::bake::cell_point::Point;

/// Whether d lies strictly inside the circle through a, b, c, whose normal points up.
pub(super) fn in_circle([a, b, c, d]: [Point; 4]) -> bool {
    let [a, b, c] = [a, b, c].map(|p| [p[0] - d[0], p[1] - d[1]]);
    // In floating point first, with a bound on its error far above the sum of its roundings.
    let [ax, az, bx, bz, cx, cz] = [a[0], a[1], b[0], b[1], c[0], c[1]].map(f64::from);
    let a2 = ax * ax + az * az;
    let b2 = bx * bx + bz * bz;
    let c2 = cx * cx + cz * cz;
    let bc1 = bz * cx;
    let bc2 = cz * bx;
    let ca1 = cz * ax;
    let ca2 = az * cx;
    let ab1 = az * bx;
    let ab2 = bz * ax;
    let det = a2 * (bc1 - bc2) + b2 * (ca1 - ca2) + c2 * (ab1 - ab2);
    let size = a2 * (bc1.abs() + bc2.abs()) + b2 * (ca1.abs() + ca2.abs()) + c2 * (ab1.abs() + ab2.abs());
    if det.abs() > size * 4e-15 {
        return det > 0.0;
    }
    in_circle_exact([a, b, c])
}

#[cold]
fn in_circle_exact([a, b, c]: [Point; 3]) -> bool {
    let square = |p: Point| i128::from(p[0]) * i128::from(p[0]) + i128::from(p[1]) * i128::from(p[1]);
    let cross = |p: Point, q: Point| i128::from(p[1]) * i128::from(q[0]) - i128::from(q[1]) * i128::from(p[0]);
    square(a) * cross(b, c) + square(b) * cross(c, a) + square(c) * cross(a, b) > 0
}
