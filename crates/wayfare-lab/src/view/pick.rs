//! What a ray hits: triangles in chunks, each with the box around it.
//!
//! Cost: a test for every chunk of 32 triangles, and for the triangles of those that the ray goes through.
//! Sources: T. Möller and B. Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.

use crate::input::Ray;
use wayfare::Vec3;
use wayfare::input::TriMesh;
use wayfare::math::Aabb;

/// Where a ray has hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The point, metres.
    pub at: Vec3,
    /// Distance from the ray's beginning, metres.
    pub distance: f32,
}

const CHUNK: usize = 32;

/// Triangles that can be hit.
#[derive(Clone, Debug, Default)]
pub struct Pickable {
    triangles: Vec<[Vec3; 3]>,
    boxes: Vec<Aabb>,
}

impl Pickable {
    /// Those of a level.
    #[must_use]
    pub fn of_level(mesh: &TriMesh) -> Self {
        Self::new((0..mesh.tris().len()).map(|i| mesh.corners(i)))
    }

    /// Those given.
    #[must_use]
    pub fn new(triangles: impl IntoIterator<Item = [Vec3; 3]>) -> Self {
        let triangles: Vec<[Vec3; 3]> = triangles.into_iter().collect();
        let boxes = triangles.chunks(CHUNK).map(|chunk| Aabb::around(chunk.iter().flatten().copied())).collect();
        Self { triangles, boxes }
    }

    /// The first hit along a ray.
    #[must_use]
    pub fn hit(&self, ray: &Ray) -> Option<Hit> {
        let mut nearest = f32::INFINITY;
        for (chunk, bounds) in self.triangles.chunks(CHUNK).zip(&self.boxes) {
            if enters(ray, bounds).is_some_and(|enters| enters < nearest) {
                for triangle in chunk {
                    if let Some(distance) = ray.on_triangle(*triangle) {
                        nearest = nearest.min(distance);
                    }
                }
            }
        }
        nearest.is_finite().then(|| Hit { at: ray.from + ray.along * nearest, distance: nearest })
    }
}

/// The distance at which a ray enters a box.
fn enters(ray: &Ray, bounds: &Aabb) -> Option<f32> {
    let mut near: f32 = 0.0;
    let mut far = f32::INFINITY;
    for axis in 0..3 {
        let inverse = 1.0 / ray.along[axis];
        let one = (bounds.min[axis] - ray.from[axis]) * inverse;
        let other = (bounds.max[axis] - ray.from[axis]) * inverse;
        // A ray within a side of the box gives 0 · ∞: it neither enters nor leaves by it.
        if !one.is_nan() && !other.is_nan() {
            near = near.max(one.min(other));
            far = far.min(one.max(other));
        }
    }
    (near <= far).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_floors_is_hit() {
        let floor = |y: f32| [Vec3::new(-9.0, y, -9.0), Vec3::new(0.0, y, 9.0), Vec3::new(9.0, y, -9.0)];
        let floors = Pickable::new([floor(0.0), floor(3.0)]);
        let down = Ray { from: Vec3::Y * 10.0, along: -Vec3::Y };
        assert_eq!(floors.hit(&down).unwrap().at, Vec3::Y * 3.0);
        assert_eq!(floors.hit(&Ray { from: Vec3::splat(50.0), ..down }), None);
    }
}
