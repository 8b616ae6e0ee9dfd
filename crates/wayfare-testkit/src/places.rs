//! Places on a mesh, for questions to it.

use crate::Rng;
use wayfare::Vec3;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::{PointKind, PolyPath, PolyPoint, StraightPath};

/// All polygons of a mesh.
#[must_use]
pub fn polys(nav: &NavMesh) -> Vec<PolyRef> {
    nav.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly))).collect()
}

/// A point of a random one of these polygons: within, on an edge, or a corner itself, which uniform sampling would
/// never hit.
///
/// # Panics
/// If there are none, or they are not in the mesh.
pub fn random_place(nav: &NavMesh, polys: &[PolyRef], rng: &mut Rng) -> PolyPoint {
    let poly = polys[rng.whole(0, polys.len() as i32 - 1) as usize];
    let points: Vec<Vec3> = nav.poly(poly).unwrap_or_else(|e| panic!("{e}")).points().collect();
    let pick = |rng: &mut Rng| points[rng.whole(0, points.len() as i32 - 1) as usize];
    let (a, b, c) = (pick(rng), pick(rng), pick(rng));
    let point = match rng.whole(0, 4) {
        0 => a,
        1 => (a + b) * 0.5,
        _ => {
            let (u, v) = (rng.unit(), rng.unit());
            a + ((b - a) * u + (c - b) * u * v)
        }
    };
    PolyPoint { poly, point }
}

/// Places along the pulled string of a path, nine a segment: each with the polygon of the path that lies under it, or
/// the nearest on the plane, and how far that is. Off-mesh connections are left out.
#[must_use]
pub fn along(nav: &NavMesh, path: &PolyPath, straight: &StraightPath) -> Vec<(PolyPoint, f32)> {
    let mut found = Vec::new();
    for pair in straight.points.windows(2).filter(|pair| pair[0].kind != PointKind::Enter) {
        let under = &path.polys[pair[0].step as usize..=(pair[1].step as usize).min(path.polys.len() - 1)];
        for step in 0..=8 {
            let point = pair[0].point.lerp(pair[1].point, step as f32 / 8.0);
            let places = under.iter().filter(|poly| !poly.is_off_mesh()).filter_map(|&poly| {
                let ground = nav.poly(poly).ok()?.tile().data().closest_point(poly.poly().get(), point).point;
                Some((PolyPoint { poly, point: ground }, (ground - point).with_y(0.0).length()))
            });
            found.extend(places.min_by(|a, b| a.1.total_cmp(&b.1)));
        }
    }
    found
}
