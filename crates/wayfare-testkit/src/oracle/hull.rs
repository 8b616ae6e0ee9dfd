//! What convex hulls are, in whole numbers: nothing rounds, so that no point is above a face by mistake.
//!
//! Coordinates to 2³⁹: products of three differences then fit into `i128`. Points that are no numbers are `None`.

use wayfare::math::{Hull3, SolidHull};

/// A corner, or its difference to another.
type Whole<const N: usize> = [i64; N];

/// Twice the area of a triangle: positive if `p` lies to the left of the way from `a` to `b`.
fn left(a: Whole<2>, b: Whole<2>, p: Whole<2>) -> i128 {
    let [u, v] = [b, p].map(|q| [0, 1].map(|k| i128::from(q[k] - a[k])));
    u[0] * v[1] - u[1] * v[0]
}

/// The normal of a triangle, twice its area long.
fn normal(a: Whole<3>, b: Whole<3>, c: Whole<3>) -> [i128; 3] {
    let [u, v] = [b, c].map(|q| [0, 1, 2].map(|k| i128::from(q[k] - a[k])));
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

/// Six times the volume of a tetrahedron: positive if `p` lies above a, b, c.
fn above(a: Whole<3>, b: Whole<3>, c: Whole<3>, p: Whole<3>) -> i128 {
    let (n, w) = (normal(a, b, c), [0, 1, 2].map(|k| i128::from(p[k] - a[k])));
    n[0] * w[0] + n[1] * w[1] + n[2] * w[2]
}

/// Whether `p` lies between two points, these included, on whose line it is.
fn is_between<const N: usize>(a: Whole<N>, b: Whole<N>, p: Whole<N>) -> bool {
    (0..N).all(|k| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]))
}

/// The points that are numbers.
fn usable<const N: usize>(points: &[Option<Whole<N>>]) -> Vec<Whole<N>> {
    points.iter().flatten().copied().collect()
}

/// The points of indices, all of which must be numbers.
fn corners_of<const N: usize>(points: &[Option<Whole<N>>], indices: &[u32]) -> Vec<Whole<N>> {
    let corner = |i: &u32| points[*i as usize].unwrap_or_else(|| panic!("corner {i} is no number"));
    indices.iter().map(corner).collect()
}

/// Checks the hull of points on the plane: it begins at the least point, turns clockwise at every corner, and no point
/// lies outside of it.
///
/// # Panics
/// If it is no hull.
pub fn check_hull2(points: &[Option<Whole<2>>], hull: &[u32]) {
    let (all, corners) = (usable(points), corners_of(points, hull));
    assert_eq!(corners.first(), all.iter().min(), "it begins elsewhere");
    if let [a, b] = corners[..] {
        let holds = |p: &Whole<2>| left(a, b, *p) == 0 && is_between(a, b, *p);
        assert!(a != b && all.iter().all(holds), "not the line from {a:?} to {b:?}: {all:?}");
    }
    if let [a] = corners[..] {
        assert!(all.iter().all(|p| *p == a), "not all of {all:?} are {a:?}");
    }
    for i in 0..if corners.len() > 2 { corners.len() } else { 0 } {
        let [a, b, c] = [0, 1, 2].map(|k| corners[(i + k) % corners.len()]);
        assert!(left(a, b, c) < 0, "it turns wrongly at {b:?}");
        for p in &all {
            assert!(left(a, b, *p) <= 0, "{p:?} lies outside of {a:?}, {b:?}");
        }
    }
}

/// Checks the hull of points in space, whatever it is: see [`check_solid`]. Corners are the first of equal points.
///
/// # Panics
/// If it is no hull.
pub fn check_hull3(points: &[Option<Whole<3>>], hull: &Hull3) {
    let all = usable(points);
    let indices: Vec<u32> = match hull {
        Hull3::Empty => Vec::new(),
        Hull3::Point(a) => vec![*a],
        Hull3::Line(ends) => ends.to_vec(),
        Hull3::Flat(corners) => corners.clone(),
        Hull3::Solid(solid) => solid.triangles.iter().flatten().chain(solid.faces.iter().flatten()).copied().collect(),
    };
    let corners = corners_of(points, &indices);
    for (i, corner) in indices.iter().zip(&corners) {
        assert_eq!(points.iter().position(|p| *p == Some(*corner)), Some(*i as usize), "not the first {corner:?}");
    }
    match hull {
        Hull3::Empty => assert!(all.is_empty(), "{all:?} have a hull"),
        Hull3::Point(_) => assert!(all.iter().all(|p| *p == corners[0]), "not one point: {all:?}"),
        Hull3::Line(_) => {
            let [a, b] = [corners[0], corners[1]];
            let holds = |p: &Whole<3>| normal(a, b, *p) == [0; 3] && is_between(a, b, *p);
            assert!(a != b && all.iter().all(holds), "not the line from {a:?} to {b:?}: {all:?}");
        }
        Hull3::Flat(_) => check_flat(&all, &corners),
        Hull3::Solid(solid) => check_solid(points, solid),
    }
}

/// A polygon on one plane with all points: seen along the axis that its normal is nearest to, it turns one way at every
/// corner, and no point lies outside of it.
fn check_flat(all: &[Whole<3>], corners: &[Whole<3>]) {
    let [a, b, c] = [0, 1, 2].map(|k| corners[k]);
    assert!(all.iter().all(|p| above(a, b, c, *p) == 0), "not flat: {all:?}");
    let n = normal(a, b, c);
    let axis = (0..3).max_by_key(|k| n[*k].abs()).unwrap_or(0);
    let along = |p: &Whole<3>| [p[(axis + 1) % 3], p[(axis + 2) % 3]];
    for i in 0..corners.len() {
        let [a, b, c] = [0, 1, 2].map(|k| along(&corners[(i + k) % corners.len()]));
        let way = n[axis].signum();
        assert!(left(a, b, c) * way > 0, "it turns wrongly at {b:?}");
        assert!(all.iter().all(|p| left(a, b, along(p)) * way >= 0), "a point lies outside of {a:?}, {b:?}");
    }
}

/// Checks a body: closed, outwards, with no point above any face; and the faces: flat, one to a plane, without corners
/// on straight edges.
///
/// # Panics
/// If it is no hull.
pub fn check_solid(points: &[Option<Whole<3>>], hull: &SolidHull) {
    let all = usable(points);
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for t in &hull.triangles {
        let [a, b, c] = [0, 1, 2].map(|k| corners_of(points, t)[k]);
        assert!(normal(a, b, c) != [0; 3], "{t:?} has no area");
        for p in &all {
            assert!(above(a, b, c, *p) <= 0, "{p:?} lies above {t:?}");
        }
        edges.extend((0..3).map(|k| [t[k], t[(k + 1) % 3]]));
    }
    edges.sort_unstable();
    assert!(edges.windows(2).all(|w| w[0] != w[1]), "an edge twice");
    assert!(edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok()), "not closed");
    // Euler: corners − edges + faces = 2, for triangles and for merged faces.
    let distinct = |mut corners: Vec<u32>| {
        corners.sort_unstable();
        corners.dedup();
        corners.len()
    };
    assert_eq!(distinct(hull.triangles.concat()) + hull.triangles.len(), edges.len() / 2 + 2);
    let face_edges = hull.faces.concat().len() / 2;
    assert_eq!(distinct(hull.faces.concat()) + hull.faces.len(), face_edges + 2, "merged faces");
    for face in &hull.faces {
        let corners = corners_of(points, face);
        assert!(corners.len() >= 3, "{face:?}");
        let [a, b, c] = [0, 1, 2].map(|k| corners[k]);
        check_flat(&corners, &corners);
        assert!(all.iter().all(|p| above(a, b, c, *p) <= 0), "a point lies above {face:?}");
        let is_on_plane = |other: &&Vec<u32>| corners_of(points, other).iter().all(|p| above(a, b, c, *p) == 0);
        assert_eq!(hull.faces.iter().filter(is_on_plane).count(), 1, "two faces on one plane");
    }
}
