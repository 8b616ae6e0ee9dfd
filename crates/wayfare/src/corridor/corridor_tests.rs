//! What other implementations' tests say of corridors.
//!
//! Sources: recastnavigation, `Tests_DetourPathCorridor.cpp`; DotRecast, `DtPathCorridorTest.cs` (zlib licence).

use super::{fuse_start, test_ground::world};
use crate::corridor::{CornerAt, CorridorScratch, PathCorridor};
use crate::math::funnel::Portal;
use crate::mesh::PolyRef;
use crate::query::PolyPath;
use glam::Vec3;

fn row(polys: &[u32]) -> Vec<PolyRef> {
    polys.iter().map(|&poly| PolyRef::new(1, 0, poly).unwrap()).collect()
}

#[test]
fn a_start_that_moved_is_fused() {
    // There, a path that does not fit its array is cut: the path, what was visited, what comes of it, and how much
    // fits.
    let cases: [([&[u32]; 3], usize); 9] = [
        ([&[], &[], &[]], 0),
        ([&[1], &[], &[1]], 1),
        ([&[], &[1], &[]], 0),
        ([&[1, 2], &[1, 2], &[2]], 2),
        ([&[1, 2], &[1, 2, 3, 4], &[4, 3, 2]], 3),
        ([&[1, 2], &[1, 2, 3, 4, 5], &[5, 4, 3]], 3),
        ([&[1, 2], &[3, 4], &[1, 2]], 2),
        ([&[1, 2], &[1, 3], &[3, 1, 2]], 3),
        ([&[1, 2], &[1, 3], &[3, 1]], 2),
    ];
    for ([path, visited, expected], most) in cases {
        let mut fused = row(path);
        fuse_start(&mut fused, &row(visited));
        fused.truncate(most);
        assert_eq!(fused, row(expected), "{path:?} {visited:?}");
    }
}

#[test]
fn corners_behind_the_agent_are_left_out_and_the_row_ends_at_a_connection() {
    // Their test prunes a string that was made up. Here the rule is held on the same start with portals that give such
    // a string.
    let start = Vec3::new(10.0, 20.0, 30.0);
    let near = Vec3::new(10.0, 20.0, 30.00001);
    let mesh = world("aaaa");
    let tile = mesh.tiles().next().unwrap();
    let bend = Vec3::new(11.0, 21.0, 32.0);
    let gate = Vec3::new(12.0, 22.0, 33.0);
    let connection = PolyRef::new(1, PolyRef::OFF_MESH_SLOT, 0).unwrap();
    let mut polys: Vec<PolyRef> = (0..3).map(|poly| tile.reference(poly)).collect();
    polys.extend([connection, tile.reference(3)]);
    let beyond = Portal::point(bend);
    let portals = vec![Portal::point(near), beyond, Portal::point(gate), beyond];
    let mut corridor = PathCorridor::new(crate::query::PolyPoint { poly: polys[0], point: start });
    corridor.follow(&PolyPath { polys, portals, start, end: bend, ..PolyPath::default() }).unwrap();
    let corners = corridor.corners(8, &mut CorridorScratch::new());
    let seen: Vec<(Vec3, CornerAt)> = corners.iter().map(|c| (c.point, c.at)).collect();
    assert!(matches!(seen[..], [(a, _), (b, CornerAt::Connection)] if a == bend && b == gate), "{seen:?}");
}
