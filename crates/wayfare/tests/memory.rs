//! What tiles, agents and searches take of memory: the table in the chapter on performance, held to what it says.
//! `cargo test -p wayfare --test memory -- --nocapture` prints it.

// What other threads allocate is not counted.
#![cfg(all(feature = "bake", not(feature = "rayon")))]

use allocation_counter::measure;
use std::fs;
use std::path::Path;
use wayfare::Vec3;
use wayfare::bake::bake_tiles;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd};
use wayfare::input::{AgentSettings, BakeSettings, Level, MarkedVolume, TriMesh, Volume};
use wayfare::mesh::{NavMesh, PreparedTile};
use wayfare::plan::AStarPlanner;
use wayfare::query::{
    DefaultFilter, PathRequest, PolyPath, SearchScratch, find_nearest, find_optimal_path, find_path_into,
};
use wayfare::tile::TileData;

/// How far a figure may be from the one in the table before the table is out of date.
const SLACK: f64 = 0.1;
const AGENTS: usize = 1000;

/// Sixty by sixty metres with a pillar every six, in tiles of 64 cells.
fn bake() -> (NavMesh, Vec<TileData>) {
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 60.0], [60.0, 0.0, 60.0], [60.0, 0.0, 0.0]].map(Vec3::from);
    let floor = TriMesh::new(floor.to_vec(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let places = (0..9).flat_map(|x| (0..9).map(move |z| Vec3::new(6.0 + 6.0 * x as f32, -1.0, 6.0 + 6.0 * z as f32)));
    let pillar = |base| MarkedVolume::block(Volume::Cylinder { base, radius: 1.0, height: 4.0 });
    let pillars: Vec<MarkedVolume> = places.map(pillar).collect();
    let level = Level { mesh: &floor, terrain: None, volumes: &pillars };
    let settings = BakeSettings { tile_size: 64, ..BakeSettings::for_agent(AgentSettings::default()) };
    let (baked, _) = bake_tiles(level, &settings, &Context::default()).unwrap();
    let tiles = baked.tiles.clone();
    (NavMesh::from_tiles(baked.layout, baked.tiles).unwrap(), tiles)
}

/// The bytes that are still held when `work` has ended.
fn held<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let mut out = None;
    let used = measure(|| out = Some(work()));
    (used.bytes_current as f64, out.unwrap())
}

/// Bytes a polygon: of the data of tiles, and of tiles of which all has been derived that queries read.
fn tiles(tiles: &[TileData]) -> [f64; 2] {
    let polys: usize = tiles.iter().map(|tile| tile.polys().len()).sum();
    let blocks: Vec<_> = tiles.iter().map(TileData::block).collect();
    let (data, copies) = held(|| blocks.iter().map(|block| TileData::from_block(block).unwrap()).collect::<Vec<_>>());
    let (derived, _warm) =
        held(|| copies.into_iter().map(PreparedTile::new).inspect(PreparedTile::warm).collect::<Vec<_>>());
    [data, data + derived].map(|bytes| bytes / polys as f64)
}

/// Bytes that a crowd holds for each more agent, while all are on their way. (What it searches paths with is the same
/// for any number that stands on the same field.)
fn agents(mesh: &NavMesh) -> f64 {
    (crowd_of(mesh, AGENTS) - crowd_of(mesh, AGENTS / 2)) / (AGENTS / 2) as f64
}

/// Bytes that a crowd holds.
fn crowd_of(mesh: &NavMesh, agents: usize) -> f64 {
    let (bytes, _crowd) = held(|| {
        let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
        let spread = |k: usize| k * AGENTS / agents;
        for k in (0..agents).map(spread) {
            let place = |k: usize| Vec3::new(3.0 + (k % 30) as f32 * 1.8, 0.0, 3.0 + (k / 30) as f32 * 1.6);
            let agent = crowd.add(mesh, place(k), AgentParams::default()).unwrap();
            crowd.go_to(mesh, agent, place(AGENTS - 1 - k)).unwrap();
        }
        for _ in 0..100 {
            crowd.step(mesh, 0.05, &mut planner, &Context::default());
        }
        (crowd, planner)
    });
    bytes
}

/// Bytes that the memory of a search across the mesh holds, for each polygon of the mesh: of a search over polygons,
/// and of an optimal one.
fn searches(mesh: &NavMesh) -> [f64; 2] {
    let filter = DefaultFilter::default();
    let place = |x| find_nearest(mesh, Vec3::new(x, 0.0, x), Vec3::splat(2.0), &filter).unwrap().place();
    let request = PathRequest::new(place(2.0), place(58.0));
    let (mut path, polys) = (PolyPath::default(), mesh.tiles().map(|tile| tile.poly_count()).sum::<u32>());
    let (plain, _kept) = held(|| {
        let mut scratch = SearchScratch::new();
        find_path_into(mesh, &request, &filter, &mut scratch, &mut path).unwrap();
        scratch
    });
    let (optimal, _kept) = held(|| {
        let mut scratch = SearchScratch::new();
        drop(find_optimal_path(mesh, &request, &filter, &mut scratch).unwrap());
        scratch
    });
    [plain, optimal].map(|bytes| bytes / f64::from(polys))
}

/// One block, which is copied once: reading a tile is one allocation, cloning it none.
#[test]
fn a_tile_is_read_with_one_allocation() {
    let (_, tiles) = bake();
    let block = tiles[0].block();
    let mut read = None;
    let used = measure(|| read = Some(TileData::from_block(&block).unwrap()));
    assert_eq!((used.count_total, read.as_ref()), (1, Some(&tiles[0])));
    let mut copy = None;
    assert_eq!(measure(|| copy = read.clone()).count_total, 0);
}

/// What was derived can be dropped and is derived again, and answers stay the same.
#[test]
fn an_index_is_dropped_and_comes_back() {
    let (mut mesh, _) = bake();
    let nearest =
        |mesh: &NavMesh| find_nearest(mesh, Vec3::new(9.0, 0.0, 9.0), Vec3::splat(2.0), &DefaultFilter::default());
    let cold = mesh.bytes();
    assert_eq!(cold.index, 0);
    let (before, warm) = (nearest(&mesh), mesh.bytes());
    assert!(warm.index > 0 && warm.data == cold.data, "{warm:?}");
    let tiles: Vec<_> = mesh.tiles().map(|tile| tile.tile_ref()).collect();
    tiles.iter().for_each(|&tile| mesh.drop_index(tile).unwrap());
    assert_eq!(mesh.bytes(), cold);
    assert_eq!((nearest(&mesh), mesh.bytes()), (before, warm));
    mesh.remove_tile(tiles[0]).unwrap();
    assert!(mesh.drop_index(tiles[0]).is_err());
}

/// What is derived is derived part by part: whether one place can be reached from another is asked of all tiles of a
/// world, and a path crosses many tiles but looks for places in two. Neither should fill memory with what only other
/// questions read.
#[test]
fn a_question_derives_no_more_than_it_reads() {
    let (mesh, _) = bake();
    let polys: u32 = mesh.tiles().map(|tile| tile.poly_count()).sum();
    let filter = DefaultFilter::default();
    let derived = |ask: &dyn Fn(&NavMesh)| {
        let mut mesh = mesh.clone();
        let tiles: Vec<_> = mesh.tiles().map(|tile| tile.tile_ref()).collect();
        tiles.iter().for_each(|&tile| mesh.drop_index(tile).unwrap());
        ask(&mesh);
        mesh.bytes().index as f64 / f64::from(polys)
    };
    let place = |x: f32| find_nearest(&mesh, Vec3::new(x, 0.0, x), Vec3::splat(2.0), &filter).unwrap().place();
    let [from, to] = [2.0, 58.0].map(place);
    let reachable = derived(&|mesh| assert!(mesh.components().may_reach(from.poly, to.poly)));
    let path = derived(&|mesh| {
        let request = PathRequest::new(from, to);
        find_path_into(mesh, &request, &filter, &mut SearchScratch::new(), &mut PolyPath::default()).unwrap();
    });
    let all = derived(&|mesh| mesh.tiles().for_each(wayfare::mesh::Tile::warm));
    println!("derived, bytes a polygon: reachability {reachable:.0}, a path {path:.0}, everything {all:.0}");
    assert!(reachable < 6.0 && path < 0.8 * all, "{reachable} {path} {all}");
}

#[test]
fn the_table_of_memory_says_what_is_so() {
    let (mesh, data) = bake();
    mesh.tiles().for_each(wayfare::mesh::Tile::warm);
    let ([file, warm], [plain, optimal]) = (tiles(&data), searches(&mesh));
    let measured = [
        ("a polygon of a tile, its data", file),
        ("the same, with all that queries derive", warm),
        ("an agent of a crowd", agents(&mesh)),
        ("a search over polygons, for each polygon of the mesh", plain),
        ("an optimal search, for each polygon of the mesh", optimal),
    ];
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/performance.md");
    let text = fs::read_to_string(chapter).unwrap();
    for (what, bytes) in measured {
        println!("| {what} | {bytes:.0} |");
    }
    for (what, bytes) in measured {
        let row = text.lines().find_map(|line| line.strip_prefix(&format!("| {what} | ")));
        let stated: f64 = row.unwrap_or_else(|| panic!("no row for {what}")).trim_end_matches(" |").parse().unwrap();
        assert!((bytes / stated - 1.0).abs() < SLACK, "{what}: {bytes:.0} bytes, the table says {stated}");
    }
}
