//! A tiled mesh connects what the eroded ground connects, and so does an untiled one.
//!
//! Exempt are islands smaller than the least region: the bake drops them on purpose, and a tile that holds only a
//! corner of one cannot know how large it is.

use std::cell::Cell;
use std::collections::BTreeMap;
use wayfare::Vec3;
use wayfare::bake::{BakeReport, TileBaker, TilePlan};
use wayfare::context::Context;
use wayfare::input::{AgentSettings, BakeSettings, Erosion, Partition, TriMesh};
use wayfare::mesh::NavMesh;
use wayfare::voxel::{CompactHeightfield, RasterInput, compact, erode, erode_euclidean, filter, rasterize};
use wayfare_scenes::{Rng, scene};
use wayfare_testkit::data;
use wayfare_testkit::levels::{GROUNDS, bake, connect, ground, seeded};
use wayfare_testkit::oracle::{Flood, MeshFlood};
use wayfare_testkit::property;

/// A floor with holes, boxes, ramps and slabs with room beneath, all at random.
fn random_level(rng: &mut Rng) -> TriMesh {
    let side = rng.real(20.0, 44.0);
    let mut quads: Vec<[[f32; 3]; 4]> = Vec::new();
    let sheet = |x: [f32; 2], z: [f32; 2], y: [f32; 2]| {
        [[x[0], y[0], z[0]], [x[0], y[0], z[1]], [x[1], y[1], z[1]], [x[1], y[1], z[0]]]
    };
    let strips = rng.whole(1, 5);
    for k in 0..strips {
        // Strips of floor, some of them a little higher, lower or missing.
        let (from, to) = (side * k as f32 / strips as f32, side * (k + 1) as f32 / strips as f32);
        if rng.whole(0, 5) > 0 {
            let y = [0.0, 0.0, 0.4, 0.8, 1.2][rng.whole(0, 4) as usize];
            quads.push(sheet([0.0, side], [from, to], [y, y]));
        }
    }
    for _ in 0..rng.whole(8, 30) {
        let (w, d) = (rng.real(1.5, 12.0), rng.real(1.5, 12.0));
        let (x, z) = (rng.real(0.0, side - 1.0), rng.real(0.0, side - 1.0));
        let (x, z) = ([x, (x + w).min(side)], [z, (z + d).min(side)]);
        let (low, high) = (rng.real(0.0, 3.0), rng.real(0.0, 5.0));
        match rng.whole(0, 2) {
            0 => quads.push(sheet(x, z, [low, high])),
            1 => quads.push(sheet(x, z, [high, high])),
            // A block: its sides are upright sheets.
            _ => {
                quads.push(sheet(x, z, [low, low]));
                for (a, b) in [
                    ([x[0], z[0]], [x[1], z[0]]),
                    ([x[1], z[0]], [x[1], z[1]]),
                    ([x[1], z[1]], [x[0], z[1]]),
                    ([x[0], z[1]], [x[0], z[0]]),
                ] {
                    quads.push([
                        [a[0], 0.0, a[1]],
                        [b[0], 0.0, b[1]],
                        [b[0], low + 0.1, b[1]],
                        [a[0], low + 0.1, a[1]],
                    ]);
                }
            }
        }
    }
    let corners = (0..quads.len() as u32).flat_map(|k| [[0, 1, 2], [0, 2, 3]].map(|tri| tri.map(|c| 4 * k + c)));
    let tris = corners.collect();
    TriMesh::new(quads.into_iter().flatten().map(Vec3::from).collect(), tris).unwrap().0
}

/// The mesh of tiles that are baked in any order and added in any other.
fn bake_in_any_order(rng: &mut Rng, level: &TriMesh, settings: &BakeSettings) -> NavMesh {
    let plan = TilePlan::new(level, settings).unwrap();
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let mut shuffled = |count: usize| {
        let mut order: Vec<usize> = (0..count).collect();
        (1..count).rev().for_each(|i| order.swap(i, rng.whole(0, i as i32) as usize));
        order
    };
    let order = shuffled(plan.tile_count() as usize);
    let mut report = BakeReport::new(level.bounds());
    let bake = |index: &usize| {
        let tile = plan.tile(*index as u64);
        baker.bake(level, None, &tile, &Context::default(), &mut report).unwrap()
    };
    let mut tiles: Vec<_> = order.iter().map(bake).collect();
    let mut mesh = NavMesh::new(plan.layout());
    for index in shuffled(tiles.len()) {
        if let Some(tile) = tiles[index].take() {
            mesh.add_tile(tile).unwrap();
        }
    }
    assert_eq!(mesh.check(), []);
    mesh
}

/// What each island of the ground is in the mesh: found wherever it is wide enough, in one piece, and apart from the
/// others.
fn hold(what: &str, rng: &mut Rng, ground: &CompactHeightfield, nav: &NavMesh, least: u32) -> usize {
    let (flood, mesh) = (Flood::new(ground), MeshFlood::new(nav));
    let inner: Vec<(Vec3, u32)> = flood.inner_spans(2).collect();
    let mut islands: BTreeMap<u32, (u32, Vec3)> = BTreeMap::new();
    for _ in 0..400.min(inner.len()) {
        let (p, island) = inner[rng.whole(0, inner.len() as i32 - 1) as usize];
        // On an edge between two triangles rounding may put a place in neither.
        let beside = p + Vec3::new(0.013, 0.0, 0.007);
        let Some(found) = mesh.component_at(p, 0.95).or_else(|| mesh.component_at(beside, 0.95)) else {
            assert!(flood.sizes()[island as usize] < least, "{what}: the ground at {p} is not in the mesh");
            continue;
        };
        let (other, q) = *islands.entry(island).or_insert((found, p));
        assert!(
            found == other || flood.sizes()[island as usize] < least,
            "{what}: {p} and {q} are joined on the ground"
        );
    }
    let mut meshes: Vec<u32> = islands.values().map(|(component, _)| *component).collect();
    meshes.sort_unstable();
    assert!(meshes.windows(2).all(|w| w[0] != w[1]), "{what}: the mesh joins what the ground does not: {islands:?}");
    islands.len()
}

#[test]
fn random_levels_connect_as_their_ground_in_tiles_of_any_size_and_order() {
    let islands = Cell::new(0);
    property("random_levels_connect_as_their_ground_in_tiles_of_any_size_and_order", 40, |rng| {
        let level = random_level(rng);
        let partition = [Partition::Watershed, Partition::Monotone, Partition::Layers][rng.whole(0, 2) as usize];
        let erosion = [Erosion::Chamfer, Erosion::Euclidean][rng.whole(0, 1) as usize];
        let agent = AgentSettings { radius: [0.0, 0.3, 0.6][rng.whole(0, 2) as usize], ..AgentSettings::default() };
        let region_min_size = rng.whole(0, 6) as u32;
        // Heights are sampled in every cell, so that a step between two samples does not look like another floor.
        let own = BakeSettings {
            agent,
            partition,
            erosion,
            region_min_size,
            detail_sample_dist: 1.0,
            ..BakeSettings::default()
        };
        let ground = ground_of(&level, &own);
        for tile_size in [0, rng.whole(16, 48) as u32, rng.whole(48, 128) as u32] {
            let settings = BakeSettings { tile_size, ..own };
            let nav = bake_in_any_order(rng, &level, &settings);
            let what = format!("{partition:?}, {erosion:?}, radius {}, tiles of {tile_size}", agent.radius);
            // Islands smaller than the least are taken away, unless they touch the border of a tile.
            islands.set(islands.get() + hold(&what, rng, &ground, &nav, region_min_size * region_min_size));
        }
    });
    assert!(islands.get() > 0);
}

/// The eroded ground of a level as one piece.
fn ground_of(level: &TriMesh, settings: &BakeSettings) -> CompactHeightfield {
    let plan = TilePlan::new(level, settings).unwrap();
    let mut field = rasterize(&RasterInput::whole(level, &plan.level, &plan.settings));
    filter(&mut field, &plan.level, &plan.settings);
    let mut ground = compact(&field, 0, &plan.settings);
    match settings.erosion {
        Erosion::Chamfer => erode(&mut ground, plan.settings.agent_radius_vx),
        Erosion::Euclidean => erode_euclidean(&mut ground, settings.agent.radius / settings.cell_size),
    }
    ground
}

#[test]
fn levels_of_others_connect_as_their_ground_in_tiles_of_any_size() {
    for name in ["nav_test", "dungeon"] {
        let Some(level) = data::level(&format!("levels/{name}.obj"), 1.0) else { continue };
        let own = BakeSettings::default();
        let (ground, least) = (ground_of(&level, &own), own.region_min_size * own.region_min_size);
        for tile_size in [0, 32, 48, 64, 100] {
            let nav = bake_in_any_order(&mut Rng::new(1), &level, &BakeSettings { tile_size, ..own });
            let what = format!("{name}, tiles of {tile_size}");
            assert!(hold(&what, &mut Rng::new(2), &ground, &nav, least) > 0, "{what}");
        }
    }
}

#[test]
fn tiles_connect_as_the_ground_does() {
    property("tiles_connect_as_the_ground_does", 24, |rng| {
        let spec = seeded(&GROUNDS, rng);
        let scene = scene(&spec).unwrap();
        let field = ground(&scene, &scene.settings);
        let least = scene.settings.region_min_size * scene.settings.region_min_size * 2;
        let partition = [Partition::Watershed, Partition::Monotone, Partition::Layers][rng.whole(0, 2) as usize];
        for tile_size in [0, rng.whole(16, 128) as u32] {
            let what = format!("{spec}, {partition:?}, tiles of {tile_size}");
            hold(&what, rng, &field, &connect(bake(&scene, partition, tile_size).0), least);
        }
    });
}
