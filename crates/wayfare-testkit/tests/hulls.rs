//! The hulls of the built-in clouds have the faces that are known of them, and every point inside.

use wayfare::math::{Hull3, convex_hull3};
use wayfare_scenes::clouds;

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
