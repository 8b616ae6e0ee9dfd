//! Point clouds for testing convex hulls: random ones, and those on which simple algorithms fail.
//!
//! Sources: the grid is that of Mikko Mononen's "Computational Geometry Sucks!", Digesting Duck, December 10, 2010.

use wayfare::Vec3;
use wayfare::math::Rng;

/// Points in space, and what is known about their hull.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// A short description.
    pub name: &'static str,
    /// The points, not all of them corners.
    pub points: Vec<Vec3>,
    /// The number of faces of the hull, if many points lie on each of them; otherwise every face is a triangle.
    pub faces: Option<usize>,
}

/// The points of a 4 × 4 × 4 grid.
fn grid() -> impl Iterator<Item = Vec3> {
    (0..64).map(|i| Vec3::from([i % 4, i / 4 % 4, i / 16].map(|v| v as f32)))
}

/// All clouds.
#[must_use]
pub fn clouds() -> Vec<Cloud> {
    let mut rng = Rng::new(1);
    let mut random = |n: u32| (0..n).map(|_| Vec3::new(rng.unit(), rng.unit(), rng.unit())).collect::<Vec<_>>();
    let sphere = random(300).iter().map(|p| (*p - 0.5).normalize_or_zero()).collect();
    let cloud = |name, points, faces| Cloud { name, points, faces };
    vec![
        cloud("300 points in a box", random(300), None),
        cloud("300 points on a sphere", sphere, None),
        cloud("5000 points in a box", random(5000), None),
        cloud("4 x 4 x 4 grid", grid().collect(), Some(6)),
        // Cutting off a corner leaves a triangle, and half of three sides.
        cloud("4 x 4 x 4 grid without a corner", grid().filter(|p| p.x + p.y + p.z < 6.5).collect(), Some(7)),
    ]
}
