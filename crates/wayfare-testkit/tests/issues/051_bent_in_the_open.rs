//! A user asked for a path across an open floor and got one with a bend in the middle of it. The floor was one large
//! polygon beside a row of small ones; start and goal were in sight of each other. The one-call path searched over the
//! middles of portals, and pulled the string through the portals it had chosen.

use wayfare::Vec3;
use wayfare::area::{AreaId, PolyFlags};
use wayfare::mesh::NavMesh;
use wayfare::tile::{SourcePoly, TileSource, build_tile};

/// Eight unit squares in a row, and a hall of 8 × 8 metres beside all of them.
fn floor() -> NavMesh {
    let verts: Vec<Vec3> = (0..9)
        .flat_map(|x| [Vec3::new(x as f32, 0.0, 0.0), Vec3::new(x as f32, 0.0, 1.0)])
        .chain([Vec3::new(0.0, 0.0, 9.0), Vec3::new(8.0, 0.0, 9.0)])
        .collect();
    let mut corners: Vec<u32> = (0..8).flat_map(|x| [2 * x, 2 * x + 1, 2 * x + 3, 2 * x + 2]).collect();
    let mut polys = vec![SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE }; 8];
    corners.extend([1, 18, 19]);
    corners.extend((1..9).rev().map(|x| 2 * x + 1));
    polys.push(SourcePoly { count: 11, ..polys[0] });
    let source = TileSource { verts: &verts, corners: &corners, polys: &polys, ..TileSource::default() };
    NavMesh::from_tile(build_tile(&source).unwrap()).unwrap()
}

#[test]
fn what_is_in_sight_is_reached_straight() {
    let mesh = floor();
    for (from, to) in [([0.1, 0.9], [7.9, 1.1]), ([0.5, 0.5], [7.5, 8.5]), ([7.5, 0.1], [0.2, 3.0])] {
        let [from, to] = [from, to].map(|[x, z]: [f32; 2]| Vec3::new(x, 0.0, z));
        let route = mesh.find_path(from, to);
        assert!(route.is_complete());
        assert_eq!(route.points, [from, to]);
        assert!((route.length - from.distance(to)).abs() < 1e-4);
    }
}
