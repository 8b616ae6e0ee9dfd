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
use wayfare_testkit::levels::{GROUNDS, bake, connect, ground, random_level, seeded};
use wayfare_testkit::oracle::{Flood, MeshFlood};
use wayfare_testkit::property;

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
