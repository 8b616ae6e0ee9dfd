//! Meshes cut for wider agents in small tiles or far from the origin had links that led one way only: edges of thin
//! pieces beside a tile's border were taken for the border though they faced inwards or hardly ran along it. And one
//! polygon of a hundred and twenty had no area, or details that missed it: pieces lost their width when their corners
//! were rounded, and details were judged by the endless lines along their edges.

use super::bake;
use wayfare::Vec3;
use wayfare::input::{AgentSettings, BakeSettings, Partition, TriMesh};
use wayfare::query::{ClearanceMesh, DefaultFilter};
use wayfare_testkit::levels::random_level;
use wayfare_testkit::property;

#[test]
fn cut_meshes_have_no_faults_in_small_tiles_and_far_from_the_origin() {
    property("cut_meshes_have_no_faults_in_small_tiles_and_far_from_the_origin", 20, |rng| {
        let origin = [0.0, 1e3, 1e4, 1e5][rng.whole(0, 3) as usize];
        let offset = Vec3::new(rng.real(-1.0, 1.0), 0.0, rng.real(-1.0, 1.0)) * origin;
        let near = random_level(rng);
        let verts = near.verts().iter().map(|&v| v + offset).collect();
        let level = TriMesh::new(verts, near.tris().to_vec()).unwrap();
        let agent = AgentSettings { radius: [0.0, 0.2, 0.6][rng.whole(0, 2) as usize], ..AgentSettings::default() };
        let partition = [Partition::Watershed, Partition::Monotone, Partition::Layers][rng.whole(0, 2) as usize];
        for tile_size in [8, 12, 16, 24, 48] {
            let settings = BakeSettings { tile_size, partition, ..BakeSettings::for_agent(agent) };
            let (mesh, _) = bake(&level, &settings);
            assert_eq!(mesh.check(), []);
            for radius in [1e-4, 1e-3, 0.005, 0.02, 0.1, 0.3, 0.8] {
                let cut = ClearanceMesh::new(&mesh, radius, &DefaultFilter::default()).unwrap();
                let found = cut.mesh().check();
                assert_eq!(found, [], "{offset}, {partition:?}, tiles of {tile_size}, radius {radius}");
            }
        }
    });
}
