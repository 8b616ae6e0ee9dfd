//! A height map is baked as its triangles are, in a fraction of the memory.

use allocation_counter::measure;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::input::{AgentSettings, BakeSettings, HeightMap, HeightScale, Level, TriMesh};
use wayfare::math::ops;
use wayfare_testkit::{Rng, property};

/// Hills of random heights.
fn hills(rng: &mut Rng, columns: u32, rows: u32) -> HeightMap {
    let origin = Vec3::new(rng.real(-50.0, 50.0), rng.real(-9.0, 9.0), rng.real(-50.0, 50.0));
    let scale = HeightScale { origin, spacing: f64::from(rng.real(0.2, 2.0)), step: 0.013 };
    let [long, wide] = [rng.real(0.05, 0.3), rng.real(0.05, 0.3)];
    let height = |x: u32, z: u32| (120.0 + 60.0 * (ops::sin(x as f32 * long) + ops::cos(z as f32 * wide))) as u16;
    let samples =
        (0..rows).flat_map(|z| (0..columns).map(move |x| (x, z))).map(|(x, z)| height(x, z) + rng.whole(0, 9) as u16);
    HeightMap::new(columns, rows, samples.collect(), scale).unwrap()
}

/// The same ground as triangles.
fn triangles(map: &HeightMap) -> TriMesh {
    let (columns, rows) = (map.columns(), map.rows());
    let verts = (0..rows).flat_map(|z| (0..columns).map(move |x| map.point(x, z))).collect();
    let at = |x: u32, z: u32| z * columns + x;
    let cells = (0..rows - 1).flat_map(|z| (0..columns - 1).map(move |x| (x, z)));
    let pair = |(x, z)| [[at(x, z), at(x, z + 1), at(x + 1, z)], [at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)]];
    TriMesh::new(verts, cells.flat_map(pair).collect()).unwrap()
}

#[test]
fn the_bytes_are_those_of_the_triangles() {
    property("the_bytes_are_those_of_the_triangles", 12, |rng| {
        let (columns, rows) = (rng.whole(2, 90) as u32, rng.whole(2, 90) as u32);
        let map = hills(rng, columns, rows);
        let mesh = triangles(&map);
        assert_eq!(map.bounds(), mesh.bounds());
        let agent = AgentSettings { max_slope: 0.5, ..AgentSettings::default() };
        for tile_size in [0, rng.whole(8, 60) as u32] {
            let settings = BakeSettings { agent, tile_size, ..BakeSettings::default() };
            let (straight, _) = bake_tiles(&map, &settings, &Context::default()).unwrap();
            let (triangulated, _) = bake_tiles(&mesh, &settings, &Context::default()).unwrap();
            assert!(straight == triangulated, "{columns} x {rows} points, tiles of {tile_size}");
        }
    });
}

#[test]
fn terrain_and_triangles_are_one_level() {
    let map = hills(&mut Rng::new(3), 60, 60);
    let mesh = triangles(&map);
    let tower = {
        let c = map.point(30, 30);
        let verts = vec![c - Vec3::Y, c + Vec3::new(0.0, 5.0, 3.0), c + Vec3::new(3.0, 5.0, 0.0)];
        TriMesh::new(verts, vec![[0, 1, 2]]).unwrap()
    };
    let all = {
        let base = mesh.verts().len() as u32;
        let verts = mesh.verts().iter().chain(tower.verts()).copied().collect();
        let tris = mesh.tris().iter().copied().chain(tower.tris().iter().map(|t| t.map(|v| v + base))).collect();
        TriMesh::new(verts, tris).unwrap()
    };
    let settings = BakeSettings { tile_size: 32, ..BakeSettings::default() };
    let level = Level { terrain: Some(&map), ..Level::from(&tower) };
    let (together, _) = bake_tiles(level, &settings, &Context::default()).unwrap();
    assert!(together == bake_tiles(&all, &settings, &Context::default()).unwrap().0);
    assert!(together != bake_tiles(&map, &settings, &Context::default()).unwrap().0);
}

/// Two bytes a point, where the triangles take 12 for the vertex and 2 × 13 for the triangles.
#[test]
fn a_height_map_takes_a_fraction_of_the_memory() {
    let samples = || (0..512u32 * 512).map(|i| (i % 512 / 4 + i / 2048) as u16);
    let scale = HeightScale { origin: Vec3::ZERO, spacing: 1.0, step: 0.05 };
    let settings = BakeSettings { cell_size: 0.5, tile_size: 64, ..BakeSettings::default() };
    let mut baked = Vec::new();
    let straight = measure(|| {
        let map = HeightMap::new(512, 512, samples().collect(), scale).unwrap();
        baked.push(bake_tiles(&map, &settings, &Context::default()).unwrap().0);
    });
    let by_triangles = measure(|| {
        let map = HeightMap::new(512, 512, samples().collect(), scale).unwrap();
        let mesh = triangles(&map);
        drop(map);
        baked.push(bake_tiles(&mesh, &settings, &Context::default()).unwrap().0);
    });
    assert!(baked[0] == baked[1]);
    println!("at most {} bytes straight, {} by triangles", straight.bytes_max, by_triangles.bytes_max);
    assert!(straight.bytes_max * 2 < by_triangles.bytes_max, "{} {}", straight.bytes_max, by_triangles.bytes_max);
}
