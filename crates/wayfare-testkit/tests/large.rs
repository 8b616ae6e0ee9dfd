//! Large, tall and far worlds: each bakes within bounded memory, or fails with an error that names its limit.

use allocation_counter::{AllocationInfo, measure};
use wayfare::bake::{BakeError, BakeReport, TilePlan, bake_planned, bake_tiles};
use wayfare::context::Context;
use wayfare::input::{AgentSettings, BakeSettings, Filters, HeightMap, HeightScale, Level, TriMesh};
use wayfare::math::ops;
use wayfare::mesh::NavMesh;
use wayfare::voxel::GridError;
use wayfare::{Vec2, Vec3};
use wayfare_scenes::scene;
use wayfare_testkit::levels::{bake, connect};

/// Mountains: two kilometres from the deepest valley to the highest peak, over `side` kilometres.
fn mountains(side: f64) -> HeightMap {
    let points = (side * 100.0) as u32 + 1;
    let height = |x: u32, z: u32| {
        let (x, z) = (x as f32 * 10.0, z as f32 * 10.0);
        let valleys = ops::sin(x / 1450.0) * ops::cos(z / 1750.0);
        let hills = ops::sin(x / 65.0 + 1.0) * ops::sin(z / 70.0);
        (10_000.0 + 9_850.0 * valleys + 150.0 * hills) as u16
    };
    let samples = (0..points).flat_map(|z| (0..points).map(move |x| (x, z))).map(|(x, z)| height(x, z)).collect();
    let scale = HeightScale { origin: Vec3::new(0.0, -500.0, 0.0), spacing: 10.0, step: 0.1 };
    HeightMap::new(points, points, samples, scale).unwrap()
}

/// Bakes tile by tile, keeping none; bytes of all tiles' vertices, the report, and what it took in memory.
fn stream(level: Level<'_>, settings: &BakeSettings) -> (BakeReport, AllocationInfo) {
    let plan = TilePlan::new(level, settings).unwrap();
    let mut report = plan.report(&level, settings);
    // The counter counts one thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let used = pool.install(|| {
        measure(|| {
            let take = &mut |tile| drop(tile);
            bake_planned(level, &plan, &Context::default(), &mut report, take).unwrap();
        })
    });
    (report, used)
}

fn mountain_settings() -> BakeSettings {
    let agent = AgentSettings { radius: 2.0, height: 3.0, max_climb: 2.0, ..AgentSettings::default() };
    BakeSettings { agent, cell_size: 2.0, cell_height: 0.25, tile_size: 64, ..BakeSettings::default() }
}

/// Four times the ground takes no more memory: a tile's at a time, and the tiles that wait to be handed over.
#[test]
fn memory_does_not_grow_with_the_world() {
    // So small that there are more than the thousand that are held at a time.
    let settings = BakeSettings { tile_size: 16, ..mountain_settings() };
    let of = |side: f64| {
        let map = mountains(side);
        let (report, used) = stream(Level::from(&map), &settings);
        assert!(report.stats.polys > 100, "{:?}", report.stats);
        (report.stats.tiles, used.bytes_max)
    };
    let (small, large) = (of(1.2), of(2.4));
    assert!(small.0 > 1024 && large.0 > small.0 * 3);
    assert!(large.1 * 2 < small.1 * 3 && large.1 < 8 << 20, "{small:?} {large:?}");
}

#[test]
#[ignore = "ten kilometres: seconds in a release build, minutes without (cargo xtask ci --slow)"]
fn ten_kilometres_with_two_of_height() {
    let map = mountains(10.0);
    assert!(map.bounds().size().y > 1900.0);
    let (report, used) = stream(Level::from(&map), &mountain_settings());
    let stats = report.stats;
    println!(
        "{} triangles, {} tiles, at most {} bytes, {} polygons, {:.1} km²",
        (map.columns() - 1) * (map.rows() - 1) * 2,
        stats.tiles,
        used.bytes_max,
        stats.polys,
        stats.poly_area / 1e6
    );
    assert!(stats.tiles > 6000 && stats.poly_area > 50e6);
    assert!(used.bytes_max < 100 << 20);
}

#[test]
#[ignore = "a million triangles: seconds in a release build (cargo xtask ci --slow)"]
fn a_million_triangles_in_one_tile() {
    let scene = scene("terrain?size=708&spacing=0.25&height=3").unwrap();
    let mesh = scene.mesh().unwrap();
    assert!(mesh.tris().len() > 1_000_000);
    let used = measure(|| {
        let (baked, report) = bake_tiles(&mesh, &scene.settings, &Context::default()).unwrap();
        assert_eq!((baked.tiles.len(), report.stats.tiles), (1, 1));
        assert!(report.stats.polys > 0 && connect(baked).check().is_empty());
    });
    println!("at most {} bytes", used.bytes_max);
    assert!(used.bytes_max < 300 << 20, "{} bytes", used.bytes_max);
}

/// A floor for each of so many by so many places, each an island of its own.
fn islands(side: u32) -> TriMesh {
    let corner = |x: u32, z: u32, dx: f32, dz: f32| Vec3::new(x as f32 * 4.0 + dx, 0.0, z as f32 * 4.0 + dz);
    let (mut verts, mut tris) = (Vec::new(), Vec::new());
    for (x, z) in (0..side).flat_map(|z| (0..side).map(move |x| (x, z))) {
        let first = verts.len() as u32;
        verts.extend([(0.1, 0.1), (0.1, 1.9), (1.9, 1.9), (1.9, 0.1)].map(|(dx, dz)| corner(x, z, dx, dz)));
        tris.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    TriMesh::new(verts, tris).unwrap()
}

#[test]
#[ignore = "a million islands: seconds in a release build (cargo xtask ci --slow)"]
fn more_polygons_than_a_reference_can_count_are_an_error_and_tiles_help() {
    let level = islands(1030);
    let agent = AgentSettings { radius: 0.0, ..AgentSettings::default() };
    let filters = Filters { ledges: false, ..Filters::default() };
    let base = BakeSettings {
        agent,
        filters,
        cell_size: 1.0,
        region_min_size: 0,
        edge_max_len: 0.0,
        ..BakeSettings::default()
    };
    let outcome = bake_tiles(&level, &base, &Context::default());
    let Err(BakeError::TooManyPolygons { count, .. }) = outcome else { panic!("{:?}", outcome.map(|b| b.1.stats)) };
    assert_eq!(count, 1030 * 1030);
    let (_, report) = bake_tiles(&level, &BakeSettings { tile_size: 512, ..base }, &Context::default()).unwrap();
    assert!(report.stats.polys >= 1030 * 1030);
}

#[test]
fn a_world_that_does_not_fit_names_the_limit() {
    let slope = |size: Vec3, at: Vec3| {
        let verts = [Vec3::ZERO, Vec3::new(0.0, 0.0, size.z), size].map(|v| v + at);
        TriMesh::new(verts.to_vec(), vec![[0, 1, 2]]).unwrap()
    };
    let refused = |mesh: &TriMesh, settings: BakeSettings| match bake_tiles(mesh, &settings, &Context::default()) {
        Err(BakeError::Grid(error)) => error,
        other => panic!("{other:?}"),
    };
    let tiled = BakeSettings { tile_size: 64, ..BakeSettings::default() };
    let tall = slope(Vec3::new(10.0, 14_000.0, 10.0), Vec3::ZERO);
    let GridError::HeightRange { needed, .. } = refused(&tall, tiled) else { panic!() };
    assert_eq!(needed, 70_000.0);
    let wide = slope(Vec3::new(6000.0, 1.0, 6000.0), Vec3::ZERO);
    assert!(matches!(refused(&wide, BakeSettings::default()), GridError::TooManyCells { .. }));
    let endless = slope(Vec3::new(1e7, 1.0, 10.0), Vec3::ZERO);
    assert!(matches!(refused(&endless, tiled), GridError::TooLong { .. }));
    let far = slope(Vec3::new(10.0, 1.0, 10.0), Vec3::new(1e7, 0.0, 0.0));
    let error = refused(&far, tiled);
    assert!(matches!(error, GridError::TooFar { step: 1.0, .. }), "{error}");
    assert!(error.to_string().contains("move the level towards the origin"));
}

/// A hundred kilometres out, coordinates lie 8 mm apart: cells of a decimetre still do.
#[test]
fn a_hundred_kilometres_from_the_origin_it_is_the_same_mesh() {
    let (near, far) = (scene("far?distance=0").unwrap(), scene("far").unwrap());
    for tile_size in [0, 32] {
        let mesh = |scene: &wayfare_scenes::Scene| -> (NavMesh, f64) {
            let (baked, report) = bake(scene, scene.settings.partition, tile_size);
            (connect(baked), report.stats.poly_area)
        };
        let ((here, area_here), (there, area_there)) = (mesh(&near), mesh(&far));
        assert!(there.check().is_empty());
        assert!((area_here / area_there - 1.0).abs() < 0.01, "{area_here} {area_there}");
        assert_eq!(here.tile_count(), there.tile_count());
        let offset = Vec2::splat(1e5);
        let (a, b) = (here.bounds(), there.bounds());
        assert!((b.min.x - a.min.x - offset.x).abs() < 0.4 && (b.max.z - a.max.z - offset.y).abs() < 0.4);
    }
}
