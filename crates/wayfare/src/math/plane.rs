//! The xz-plane. All planar predicates of the library take x as the first and z as the second axis and share one sign:
//!
//! ```text
//!   ^ z            c
//!   |             .
//!   +---> x   a ------> b      cross(a, b, c) > 0: c lies to the left of a→b with z drawn upwards
//! ```
//!
//! The polygons of a navigation mesh are wound so that their normal points up (+Y). With x to the right and z upwards
//! on the page they run clockwise, so a point inside has `cross(a, b, p) <= 0` for every edge a→b. Recast and Detour
//! use the same winding.

use glam::{Vec2, Vec3};

/// The point projected to the plane: (x, z).
#[must_use]
#[inline]
pub fn xz(p: Vec3) -> Vec2 {
    Vec2::new(p.x, p.z)
}

/// Twice the signed area of the triangle a, b, c in the plane: `(b - a) × (c - a)` with x and z as the two axes.
/// Positive if c lies to the left of a→b where x points right and z points *up* the page.
#[must_use]
#[inline]
pub fn cross(a: Vec3, b: Vec3, c: Vec3) -> f32 {
    (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x)
}

/// Squared distance in the plane.
#[must_use]
#[inline]
pub fn distance_squared(a: Vec3, b: Vec3) -> f32 {
    let dx = b.x - a.x;
    let dz = b.z - a.z;
    dx * dx + dz * dz
}

/// Distance in the plane.
#[must_use]
#[inline]
pub fn distance(a: Vec3, b: Vec3) -> f32 {
    distance_squared(a, b).sqrt()
}

/// The height of a triangle at (x, z), if that point lies within it; `None` for a vertical triangle.
#[must_use]
pub fn height_on_triangle([a, b, c]: [Vec3; 3], x: f32, z: f32) -> Option<f32> {
    let at = Vec3::new(x, 0.0, z);
    let parts @ [ab, bc, ca] = [cross(a, b, at), cross(b, c, at), cross(c, a, at)];
    let sum = ab + bc + ca;
    let is_inside = parts.iter().all(|&part| part >= 0.0) || parts.iter().all(|&part| part <= 0.0);
    (is_inside && sum != 0.0).then(|| (a.y * bc + b.y * ca + c.y * ab) / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_those_of_the_plane_within_the_triangle_alone() {
        let triangle = [Vec3::ZERO, Vec3::new(0.0, 2.0, 4.0), Vec3::new(4.0, 0.0, 0.0)];
        let [a, b, c] = triangle;
        for wound in [triangle, [c, b, a]] {
            let at = |x, z| height_on_triangle(wound, x, z);
            assert_eq!((at(1.0, 2.0), at(0.0, 4.0)), (Some(1.0), Some(2.0)));
            assert_eq!((at(3.0, 3.0), at(-1.0, 1.0)), (None, None));
        }
        assert_eq!(height_on_triangle([a, b, b], 0.0, 2.0), None);
    }

    #[test]
    fn turns_have_a_side() {
        let [a, b, c] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]].map(|[x, z]| Vec3::new(x, 5.0, z));
        assert_eq!((cross(a, b, c), cross(a, c, b)), (4.0, -4.0));
    }
}
