//! Places on a mesh, for questions to it.

use crate::Rng;
use wayfare::Vec3;
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::query::PolyPoint;

/// All polygons of a mesh.
#[must_use]
pub fn polys(nav: &NavMesh) -> Vec<PolyRef> {
    nav.tiles().flat_map(|tile| (0..tile.poly_count()).map(|poly| tile.reference(poly))).collect()
}

/// A point of a random one of these polygons: within, on an edge, or a corner itself, which uniform sampling would never hit.
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
