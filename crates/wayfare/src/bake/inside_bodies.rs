//! Finds which points lie inside closed bodies: crates, buildings and rocks modelled as shells.
//!
//! From each point five rays are cast: up, and to the four sides. A ray that leaves a body passes a triangle from
//! behind, one that enters passes it from the front. Inside a body, every ray leaves more often than it enters:
//!
//! ```text
//!        ____________            sum of leaving (+1) and entering (-1)
//!       |     ^      |
//!       |     |      |           in a shell               up +1, sides +1        inside
//!       |  <--o-->   |           under a single roof      up +1, sides  0        outside
//!     __|____________|__         in a room of thick walls up  0, sides  0        outside
//!                                in a shell with a door   the sides decide, by where the point lies
//! ```
//!
//! No ray is cast downwards: a body that stands on a floor need not have a bottom. A shell with inverted winding, or
//! whose walls face both sides, contains nothing.
//!
//! The rays run along the axes, so a triangle is crossed if its outline, seen along the axis, winds around the point.
//! This is decided exactly, and a point under an edge belongs to exactly one of the two triangles. The points are
//! sorted, and each triangle looks up those in its range: bakes ask about few points and have many triangles.
//!
//! Cost: for each of up to three axes, a binary search per triangle and a look at the points in its range; a point is
//! dropped at the first axis that rules it out. Sources: crossing rules by Dan Sunday, "Inclusion of a Point in a
//! Polygon", 2001.

use crate::input::TriMesh;
use crate::math::predicates::orient2d;
use glam::{DVec3, Vec2, Vec3};

/// Whether each point lies inside a closed body of a mesh, or inside several nested ones. Points that are not finite
/// lie in none.
#[must_use]
pub fn inside_bodies(mesh: &TriMesh, points: &[Vec3]) -> Vec<bool> {
    let mut rays: Vec<Rays> = (0u32..).zip(points).map(|(point, at)| Rays { from: *at, point, sums: [0; 2] }).collect();
    rays.retain(|rays| rays.from.is_finite());
    for (axis, is_both_ways) in [(1, false), (0, true), (2, true)] {
        cast(mesh, &mut rays, axis);
        rays.retain(|rays| rays.sums[0] > 0 && (!is_both_ways || rays.sums[1] > 0));
    }
    let mut inside = vec![false; points.len()];
    rays.iter().for_each(|rays| inside[rays.point as usize] = true);
    inside
}

/// The two rays from a point along an axis.
#[derive(Clone, Copy, Debug)]
struct Rays {
    from: Vec3,
    /// Which point.
    point: u32,
    /// How often bodies are left minus how often they are entered: up and down the axis.
    sums: [i64; 2],
}

/// Sums the crossings of rays along an axis, and leaves the rays sorted.
fn cast(mesh: &TriMesh, rays: &mut [Rays], axis: usize) {
    // In this order, outlines of triangles whose normals point up the axis turn to the left.
    let across = (axis + 1) % 3;
    let beside = (axis + 2) % 3;
    rays.sort_unstable_by(|a, b| a.from[across].total_cmp(&b.from[across]).then(a.point.cmp(&b.point)));
    rays.iter_mut().for_each(|rays| rays.sums = [0; 2]);
    let seen = |point: Vec3| Vec2::new(point[across], point[beside]);
    let [Some(first), Some(last)] = [rays.first(), rays.last()].map(|rays| rays.map(|r| r.from[across])) else {
        return;
    };
    for tri in 0..mesh.tris().len() {
        let corners = mesh.corners(tri);
        let [a, b, c] = corners.map(|corner| corner[across]);
        let low = a.min(b).min(c);
        let high = a.max(b).max(c);
        if high < first || low > last {
            continue;
        }
        let outline = corners.map(seen);
        let start = rays.partition_point(|rays| rays.from[across] < low);
        for rays in rays[start..].iter_mut().take_while(|rays| rays.from[across] <= high) {
            let turns = turns_around(outline, seen(rays.from));
            if turns != 0 {
                let distance = distance_along(corners, rays.from, axis);
                rays.sums[0] += if distance > 0.0 { turns } else { 0 };
                rays.sums[1] -= if distance < 0.0 { turns } else { 0 };
            }
        }
    }
}

/// How often an outline winds around a point, to the left: 1, 0 or -1. If triangles share an edge or a corner on which
/// the point lies, exactly one of them counts.
fn turns_around(outline: [Vec2; 3], point: Vec2) -> i64 {
    let [a, b, c] = outline;
    let edge = |from: Vec2, to: Vec2| match (from.y <= point.y, to.y <= point.y) {
        (true, false) => i64::from(orient2d(from, to, point) > 0.0),
        (false, true) => -i64::from(orient2d(from, to, point) < 0.0),
        _ => 0,
    };
    edge(a, b) + edge(b, c) + edge(c, a)
}

/// The distance along an axis from a point to the plane of a triangle.
fn distance_along([a, b, c]: [Vec3; 3], from: Vec3, axis: usize) -> f64 {
    let [a, b, c, from] = [a, b, c, from].map(Vec3::as_dvec3);
    let normal: DVec3 = (b - a).cross(c - a);
    normal.dot(a - from) / normal[axis]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box whose faces point outwards; `turned`: inwards.
    fn shell(low: [f32; 3], high: [f32; 3], turned: bool) -> Vec<[Vec3; 3]> {
        let corner = |i: usize| Vec3::from(core::array::from_fn(|axis| [low, high][i >> axis & 1][axis]));
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        triangles.map(|[a, b, c]| if turned { [a, c, b] } else { [a, b, c] }.map(corner)).collect()
    }

    fn mesh_of(triangles: &[[Vec3; 3]]) -> TriMesh {
        let tris = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        TriMesh::new(triangles.concat(), tris).unwrap()
    }

    fn inside(triangles: &[[Vec3; 3]], points: &[[f32; 3]]) -> Vec<bool> {
        inside_bodies(&mesh_of(triangles), &points.iter().copied().map(Vec3::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_shell_holds_what_is_inside_it() {
        let crate_ = shell([0.0; 3], [4.0; 3], false);
        let points = // The middle lies beneath the diagonals of all faces.
            [
                [2.0, 2.0, 2.0],
                [1.0, 0.5, 3.0],
                [5.0, 2.0, 2.0],
                [2.0, 5.0, 2.0],
                [2.0, -1.0, 2.0],
                [f32::NAN, 1.0, 1.0],
            ];
        assert_eq!(inside(&crate_, &points), [true, true, false, false, false, false]);
        assert_eq!(inside(&shell([0.0; 3], [4.0; 3], true), &points), [false; 6]);
        let thick = [shell([-1.0; 3], [5.0; 3], false), shell([0.0; 3], [4.0; 3], true)].concat();
        assert_eq!(inside(&thick, &points[..2]), [false; 2]);
        let nested = [shell([-1.0; 3], [5.0; 3], false), crate_.clone()].concat();
        assert_eq!(inside(&nested, &points[..3]), [true, true, false]);
        // Without a bottom; and without the side towards x, as at an open door.
        let without = |axis: usize, at: f32| {
            let lies_in = |tri: &[Vec3; 3]| tri.iter().all(|corner| corner[axis] == at);
            crate_.iter().copied().filter(|tri| !lies_in(tri)).collect::<Vec<_>>()
        };
        assert_eq!(inside(&without(1, 0.0), &points[..2]), [true; 2]);
        assert_eq!(inside(&without(0, 4.0), &points[..2]), [false; 2]);
    }

    #[test]
    fn edges_and_corners_belong_to_one_triangle() {
        // A roof of eight triangles that meet over the point asked about, and walls around.
        let mut tent: Vec<_> = shell([-1.0; 3], [1.0; 3], false);
        tent.retain(|tri| !tri.iter().all(|corner| corner.y == 1.0));
        let rim = [[-1, -1], [-1, 0], [-1, 1], [0, 1], [1, 1], [1, 0], [1, -1], [0, -1]];
        let at = |[x, z]: [i32; 2]| Vec3::new(x as f32, 1.0, z as f32);
        tent.extend((0..8).map(|i| [Vec3::Y * 2.0, at(rim[i]), at(rim[(i + 1) % 8])]));
        let points = [[0.0; 3], [0.5, 0.0, 0.5], [0.0, 1.5, 0.0], [0.0, 2.5, 0.0]];
        assert_eq!(inside(&tent, &points), [true, true, true, false], "the last lies above the tip");
    }
}
