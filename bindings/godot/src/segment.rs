//! The position on a mesh that is nearest to a segment, or where the segment meets it first.
//!
//! Cost: all triangles of the mesh; where the segment meets none, about a hundred searches for the nearest position.
//!
//! Sources: Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997.

use wayfare::Vec3;
use wayfare::mesh::NavMesh;

/// Steps in which the nearest position to a segment beside the mesh is narrowed down.
const STEPS: usize = 32;

/// The position; `None` on a mesh without surface, or if a number is none.
pub fn closest(mesh: &NavMesh, [a, b]: [Vec3; 2], must_meet: bool) -> Option<Vec3> {
    if !a.is_finite() || !b.is_finite() {
        return None;
    }
    let met = triangles(mesh).filter_map(|triangle| meet(triangle, a, b)).min_by(f32::total_cmp);
    if let Some(share) = met {
        return Some(a.lerp(b, share));
    }
    if must_meet {
        return None;
    }
    // The distance of a point of the segment to the mesh has few minima: the best of samples, then halves around it.
    let near = |share: f32| {
        let point = a.lerp(b, share);
        let found = crate::ask::nearest(mesh, point, &crate::core::filter_for(mesh, u32::MAX))?;
        Some((found.point.distance(point), found.point))
    };
    let samples = (0..=STEPS).map(|i| i as f32 / STEPS as f32);
    let (mut best, mut at) = samples.filter_map(|s| Some((near(s)?, s))).min_by(|x, y| x.0.0.total_cmp(&y.0.0))?;
    let mut step = 0.5 / STEPS as f32;
    for _ in 0..STEPS {
        for share in [at - step, at + step] {
            if let Some(found) = near(share.clamp(0.0, 1.0)).filter(|found| found.0 < best.0) {
                (best, at) = (found, share.clamp(0.0, 1.0));
            }
        }
        step /= 2.0;
    }
    Some(best.1)
}

fn triangles(mesh: &NavMesh) -> impl Iterator<Item = [Vec3; 3]> + '_ {
    mesh.tiles().flat_map(|tile| {
        (0..tile.poly_count()).flat_map(|poly| tile.data().triangles_of(poly).map(|triangle| triangle.0))
    })
}

/// The share of the segment at which it crosses a triangle.
fn meet([p, q, r]: [Vec3; 3], a: Vec3, b: Vec3) -> Option<f32> {
    let (along, e1, e2) = (b - a, q - p, r - p);
    let across = along.cross(e2);
    let volume = e1.dot(across);
    if volume == 0.0 {
        return None;
    }
    let from = a - p;
    let u = from.dot(across) / volume;
    let turned = from.cross(e1);
    let v = along.dot(turned) / volume;
    let share = e2.dot(turned) / volume;
    let is_inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..=1.0).contains(&share);
    is_inside.then_some(share)
}
