//! Who keeps memory is asked to keep it: the second tile allocates nothing but the tile, the second query nothing at all.

use allocation_counter::measure;
use wayfare::Vec3;
use wayfare::bake::{BakeReport, TileBaker, TilePlan, bake_tiles};
use wayfare::context::Context;
use wayfare::input::BakeSettings;
use wayfare::mesh::NavMesh;
use wayfare::query::{
    DefaultFilter, PathRequest, PolyPath, SearchScratch, StraightPath, find_nearest, find_path_into, string_pull_into,
};
use wayfare_scenes::scene;

/// The lists of a finished tile: bounds of what it may allocate, each once.
const LISTS_OF_A_TILE: u64 = 10;

#[test]
fn the_second_tile_allocates_only_the_tile() {
    let scene = scene("dungeon").unwrap();
    let (mesh, _) = scene.mesh().unwrap();
    let plan = TilePlan::new(&mesh, &BakeSettings { tile_size: 64, ..scene.settings }).unwrap();
    let mut baker = TileBaker::new(plan.level, plan.settings);
    let mut report = BakeReport::new(mesh.bounds());
    let mut bake = |index: u64| baker.bake(&mesh, None, &plan.tile(index), &Context::default(), &mut report).unwrap();
    // The first round grows the memory to what the largest tile needs.
    (0..plan.tile_count()).for_each(|index| drop(bake(index)));
    let mut baked = 0;
    for index in 0..plan.tile_count() {
        let mut tile = None;
        let used = measure(|| tile = bake(index));
        baked += u32::from(tile.is_some());
        let allowed = if tile.is_some() { LISTS_OF_A_TILE } else { 0 };
        assert!(
            used.count_total <= allowed,
            "tile {index}: {} allocations, {} bytes",
            used.count_total,
            used.bytes_total
        );
    }
    assert!(baked > 10);
}

#[test]
fn the_second_query_allocates_nothing() {
    let scene = scene("dungeon").unwrap();
    let (mesh, _) = scene.mesh().unwrap();
    let (baked, _) = bake_tiles(&mesh, &BakeSettings { tile_size: 64, ..scene.settings }, &Context::default()).unwrap();
    let nav = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::new());
    let (mut path, mut straight) = (PolyPath::default(), StraightPath::default());
    let reach = Vec3::new(2.0, 4.0, 2.0);
    let mut ask = || {
        let mut length = 0.0;
        for errand in &scene.errands {
            let place = |p| find_nearest(&nav, p, reach, &filter).map(|found| found.place());
            let (Some(start), Some(goal)) = (place(errand.from), place(errand.to)) else { continue };
            find_path_into(&nav, &PathRequest::new(start, goal), &filter, &mut scratch, &mut path).unwrap();
            string_pull_into(&path, &mut scratch, &mut straight);
            length += straight.length;
        }
        length
    };
    let first = ask();
    let mut second = 0.0;
    let used = measure(|| second = ask());
    assert!(first > 100.0 && first == second);
    assert_eq!(used.count_total, 0, "{} bytes", used.bytes_total);
}
