//! Hulls of random and of degenerate points, against their definition in integers.

use super::hull3::{Hull3, SolidHull, convex_hull3};
use crate::math::Rng;
use glam::Vec3;

/// Six times the volume of the tetrahedron, on integers: positive if `p` lies above a, b, c.
fn above(a: [i64; 3], b: [i64; 3], c: [i64; 3], p: [i64; 3]) -> i128 {
    let d = |u: [i64; 3]| [0, 1, 2].map(|k| i128::from(u[k] - a[k]));
    let [u, v, w] = [d(b), d(c), d(p)];
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    n[0] * w[0] + n[1] * w[1] + n[2] * w[2]
}

fn as_floats(points: &[[i64; 3]]) -> Vec<Vec3> {
    points.iter().map(|p| Vec3::from(p.map(|v| v as f32))).collect()
}

/// Checks a solid hull against what a hull is: closed, outwards, with no point above any face.
fn check(points: &[[i64; 3]], hull: &SolidHull, what: &str) {
    let at = |i: u32| points[i as usize];
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for t in &hull.triangles {
        for p in points {
            assert!(above(at(t[0]), at(t[1]), at(t[2]), *p) <= 0, "{what}: {p:?} lies above {t:?}");
        }
        let flat = points.iter().all(|p| above(at(t[0]), at(t[1]), at(t[2]), *p) == 0);
        assert!(!flat, "{what}: {t:?} has no area");
        edges.extend((0..3).map(|k| [t[k], t[(k + 1) % 3]]));
    }
    edges.sort_unstable();
    assert!(edges.windows(2).all(|w| w[0] != w[1]), "{what}: an edge twice");
    assert!(edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok()), "{what}: not closed");
    // Euler: corners − edges + faces = 2, for triangles and for merged faces.
    let mut corners: Vec<u32> = hull.triangles.iter().flatten().copied().collect();
    corners.sort_unstable();
    corners.dedup();
    assert_eq!(corners.len() + hull.triangles.len(), edges.len() / 2 + 2, "{what}");
    let mut extreme: Vec<u32> = hull.faces.iter().flatten().copied().collect();
    let face_edges = extreme.len() / 2;
    extreme.sort_unstable();
    extreme.dedup();
    assert_eq!(extreme.len() + hull.faces.len(), face_edges + 2, "{what}: merged faces");
    for face in &hull.faces {
        assert!(face.len() >= 3, "{what}: {face:?}");
        let (a, b, c) = (at(face[0]), at(face[1]), at(face[2]));
        assert!(face.iter().all(|&v| above(a, b, c, at(v)) == 0), "{what}: {face:?} is not flat");
        let on_plane = hull.faces.iter().filter(|f| f.iter().all(|&v| above(a, b, c, at(v)) == 0)).count();
        assert_eq!(on_plane, 1, "{what}: two faces on one plane");
    }
}

#[test]
fn the_grid_that_breaks_hulls() {
    let grid: Vec<[i64; 3]> = (0..64).map(|i| [i % 4, i / 4 % 4, i / 16]).collect();
    let Hull3::Solid(hull) = convex_hull3(&as_floats(&grid)) else { panic!("solid") };
    check(&grid, &hull, "grid");
    assert_eq!((hull.faces.len(), hull.triangles.len()), (6, hull.triangles.len()));
    assert!(hull.faces.iter().all(|f| f.len() == 4));
}

#[test]
fn random_points_coarse_and_fine() {
    let mut rng = Rng::new(11);
    for round in 0..600 {
        // 2…5 steps a side: mostly coplanar, collinear and equal points. 2^20: nothing is.
        let steps = [2, 3, 4, 5, 40, 1 << 20][round % 6];
        let offset = [0, 1 << 22][round / 6 % 2].min((1 << 23) - i64::from(steps));
        let count = 4 + rng.below(80);
        let squash = [1, 1, 50][round % 3];
        // Stretched, coordinates have too many digits for plain arithmetic, and still most points are level with
        // others.
        let stretch = if steps < 1 << 20 && offset == 0 { [1, 100_003][round / 12 % 2] } else { 1 };
        let points: Vec<[i64; 3]> = (0..count)
            .map(|_| {
                [
                    offset + i64::from(rng.below(steps)) * stretch,
                    i64::from(rng.below(steps)) / squash,
                    i64::from(rng.below(steps)),
                ]
            })
            .collect();
        match convex_hull3(&as_floats(&points)) {
            Hull3::Solid(hull) => check(&points, &hull, &format!("round {round}")),
            Hull3::Flat(corners) => {
                assert!(corners.len() >= 3, "round {round}");
                let [a, b, c] = [0, 1, 2].map(|k| points[corners[k] as usize]);
                assert!(points.iter().all(|p| above(a, b, c, *p) == 0), "round {round}: not flat");
            }
            other => assert!(steps == 2 || squash > 1 || count < 6, "round {round}: {other:?}"),
        }
    }
}

/// Whether coordinates are rounded or not, the same points have the same hull.
#[test]
fn fine_and_coarse_grids_have_the_hull_of_the_grid() {
    for scale in [1.0, 0.25, 1024.0, 1e-30, 0.1, 3e8] {
        let grid: Vec<Vec3> =
            (0..64).map(|i| Vec3::from([i % 4, i / 4 % 4, i / 16].map(|v| v as f32 * scale))).collect();
        let Hull3::Solid(hull) = convex_hull3(&grid) else { panic!("solid") };
        assert_eq!(hull.faces.len(), 6, "{scale}");
        assert!(hull.faces.iter().all(|f| f.len() == 4), "{scale}");
    }
}

#[test]
fn points_that_span_less_than_space() {
    assert_eq!(convex_hull3(&[]), Hull3::Empty);
    assert_eq!(convex_hull3(&[Vec3::NAN]), Hull3::Empty);
    assert_eq!(convex_hull3(&[Vec3::ONE, Vec3::ONE]), Hull3::Point(0));
    let line: Vec<Vec3> = [3.0, 1.0, 2.0, 1.0, 0.0].map(Vec3::splat).to_vec();
    assert_eq!(convex_hull3(&line), Hull3::Line([4, 0]));
    let square: Vec<Vec3> = (0..9).map(|i| Vec3::new((i % 3) as f32, (i / 3) as f32, (i % 3) as f32)).collect();
    let Hull3::Flat(corners) = convex_hull3(&square) else { panic!("flat") };
    assert_eq!(corners.len(), 4);
}

#[test]
fn points_on_a_sphere_are_all_corners_and_nearly_flat_ones_hold_together() {
    let mut rng = Rng::new(4);
    let mut sphere = || {
        let v = Vec3::new(rng.unit() - 0.5, rng.unit() - 0.5, rng.unit() - 0.5);
        (v.normalize_or_zero() * 30_000.0).round()
    };
    let round: Vec<[i64; 3]> = (0..300).map(|_| sphere().to_array().map(|v| v as i64)).collect();
    let Hull3::Solid(hull) = convex_hull3(&as_floats(&round)) else { panic!("solid") };
    check(&round, &hull, "sphere");
    let flat: Vec<[i64; 3]> = round.iter().map(|p| [p[0], p[1] / 29_000, p[2]]).collect();
    let Hull3::Solid(hull) = convex_hull3(&as_floats(&flat)) else { panic!("solid") };
    check(&flat, &hull, "nearly flat");
}
