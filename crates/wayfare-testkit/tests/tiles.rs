//! A tiled mesh connects what the eroded ground connects, and so does an untiled one.
//!
//! Exempt are islands smaller than the least region: the bake drops them on purpose, and a tile that holds only a
//! corner of one cannot know how large it is.

use wayfare::input::Partition;
use wayfare::mesh::NavMesh;
use wayfare::voxel::CompactHeightfield;
use wayfare_scenes::{Rng, scene};
use wayfare_testkit::levels::{bake, connect, ground};
use wayfare_testkit::oracle::{Flood, MeshFlood};
use wayfare_testkit::property;

/// Random pairs of places on eroded ground; both must be on the mesh, and connected in it as they are on the ground.
fn compare(what: &str, rng: &mut Rng, field: &CompactHeightfield, nav: &NavMesh, least: u32) {
    let flood = Flood::new(field);
    let mesh = MeshFlood::new(nav);
    let spans: Vec<_> = flood.spans().filter(|(_, c)| flood.sizes()[*c as usize] >= least).collect();
    if spans.is_empty() {
        return;
    }
    let mut off = 0;
    let mut first: std::collections::BTreeMap<u32, (u32, wayfare::Vec3)> = std::collections::BTreeMap::new();
    let samples = 300;
    for _ in 0..samples {
        let (p, component) = spans[rng.whole(0, spans.len() as i32 - 1) as usize];
        // Simplified outlines leave out some cells along walls.
        let Some(found) = mesh.component_at(p, 1.0) else {
            off += 1;
            continue;
        };
        let (other, q) = *first.entry(component).or_insert((found, p));
        assert_eq!(found, other, "{what}: the ground connects {p} with {q}, the mesh does not");
    }
    let mut meshes: Vec<u32> = first.values().map(|f| f.0).collect();
    meshes.sort_unstable();
    assert!(meshes.windows(2).all(|w| w[0] != w[1]), "{what}: the mesh connects what the ground does not: {first:?}");
    assert!(off * 8 < samples, "{what}: {off} of {samples} places of the ground are not on the mesh");
}

const SCENES: [&str; 9] = [
    "stairs",
    "two_floors",
    "bridge",
    "holes_and_pillars",
    "spiral_ramp",
    "offices?rooms=3",
    "city?blocks=1",
    "terrain?size=48",
    "dungeon?size=120",
];

#[test]
fn tiles_connect_as_the_ground_does() {
    property("tiles_connect_as_the_ground_does", 24, |rng| {
        let name = SCENES[rng.whole(0, SCENES.len() as i32 - 1) as usize];
        let spec = format!("{name}{}seed={}", if name.contains('?') { '&' } else { '?' }, rng.whole(0, 1000));
        let scene = scene(&spec).unwrap();
        let field = ground(&scene, &scene.settings);
        let least = scene.settings.region_min_size * scene.settings.region_min_size * 2;
        let partition = [Partition::Watershed, Partition::Monotone, Partition::Layers][rng.whole(0, 2) as usize];
        for tile_size in [0, rng.whole(16, 128) as u32] {
            let what = format!("{spec}, {partition:?}, tiles of {tile_size}");
            compare(&what, rng, &field, &connect(bake(&scene, partition, tile_size).0), least);
        }
    });
}
