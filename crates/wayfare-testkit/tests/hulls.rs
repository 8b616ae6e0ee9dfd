//! Hulls of random and of degenerate points, against their definition in whole numbers; those of the built-in clouds
//! have the faces that are known of them.

use wayfare::Vec3;
use wayfare::math::{Hull3, Rng, convex_hull3};
use wayfare_scenes::clouds;
use wayfare_testkit::oracle::check_hull3;

/// The hull of whole numbers, checked.
fn hull_of(points: &[[i64; 3]]) -> Hull3 {
    let floats: Vec<Vec3> = points.iter().map(|p| Vec3::from(p.map(|v| v as f32))).collect();
    let hull = convex_hull3(&floats);
    check_hull3(&points.iter().copied().map(Some).collect::<Vec<_>>(), &hull);
    hull
}

#[test]
fn clouds_have_the_hulls_that_are_known() {
    for cloud in clouds() {
        let Hull3::Solid(hull) = convex_hull3(&cloud.points) else { panic!("{} fills space", cloud.name) };
        assert_eq!(hull.faces.len(), cloud.faces.unwrap_or(hull.triangles.len()), "{}", cloud.name);
        for face in &hull.faces {
            let [a, b, c] = [face[0], face[1], face[2]].map(|i| cloud.points[i as usize].as_dvec3());
            let normal = (b - a).cross(c - a).normalize();
            let highest = cloud.points.iter().map(|p| normal.dot(p.as_dvec3() - a)).fold(0.0, f64::max);
            assert!(highest < 1e-6, "{}: a point {highest} above {face:?}", cloud.name);
        }
        if cloud.faces.is_some() {
            let of = |count| hull.faces.iter().filter(|face| face.len() == count).count();
            let cut = hull.faces.len() - 6;
            assert_eq!([of(3), of(4)], [4 * cut, 6 - 3 * cut], "{}", cloud.name);
        }
    }
}

#[test]
fn the_grid_that_breaks_hulls() {
    let grid: Vec<[i64; 3]> = (0..64).map(|i| [i % 4, i / 4 % 4, i / 16]).collect();
    let Hull3::Solid(hull) = hull_of(&grid) else { panic!("solid") };
    assert_eq!(hull.faces.len(), 6);
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
        match hull_of(&points) {
            Hull3::Solid(_) | Hull3::Flat(_) => {}
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
    assert_eq!(hull_of(&[3, 1, 2, 1, 0].map(|v| [v; 3])), Hull3::Line([4, 0]));
    let square: Vec<[i64; 3]> = (0..9).map(|i| [i % 3, i / 3, i % 3]).collect();
    let Hull3::Flat(corners) = hull_of(&square) else { panic!("flat") };
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
    assert!(matches!(hull_of(&round), Hull3::Solid(_)));
    let flat: Vec<[i64; 3]> = round.iter().map(|p| [p[0], p[1] / 29_000, p[2]]).collect();
    assert!(matches!(hull_of(&flat), Hull3::Solid(_)));
}
