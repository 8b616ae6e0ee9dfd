//! A triangle seen from above.

use wayfare::Vec3;

/// The height of a triangle at a place, if it lies above or below it; `None` for one that stands upright.
pub(crate) fn height_at([a, b, c]: [Vec3; 3], x: f32, z: f32) -> Option<f32> {
    let side = |p: Vec3, q: Vec3| (q.x - p.x) * (z - p.z) - (q.z - p.z) * (x - p.x);
    let (ab, bc, ca) = (side(a, b), side(b, c), side(c, a));
    let sum = ab + bc + ca;
    let parts = [ab, bc, ca];
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
            assert_eq!((height_at(wound, 1.0, 2.0), height_at(wound, 0.0, 4.0)), (Some(1.0), Some(2.0)));
            assert_eq!((height_at(wound, 3.0, 3.0), height_at(wound, -1.0, 1.0)), (None, None));
        }
        assert_eq!(height_at([a, b, b], 0.0, 2.0), None);
    }
}
