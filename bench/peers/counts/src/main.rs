//! Fixed workloads whose instructions `bench/peers/instructions` counts: times here swing by 40 %, instructions do not.
//! `counts list` names them; `counts NAME` runs one once. Only what happens inside [`counted`] is counted.

use std::hint::black_box;
use std::process::ExitCode;
use wayfare::bake::{BakedTiles, bake_tiles};
use wayfare::context::Context;
use wayfare::input::{BakeSettings, TriMesh};
use wayfare::mesh::NavMesh;
use wayfare::query::{
    DefaultFilter, PathRequest, PolyPath, SearchScratch, StraightPath, find_nearest, find_path, find_path_into,
    string_pull_into,
};

const WORKLOADS: [&str; 6] =
    ["bake dungeon", "bake dungeon tiled", "bake terrain", "bake terrain tiled", "1000 paths", "1000 string pulls"];

/// The function that callgrind is told to collect in.
#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn counted(work: &mut Work) {
    match work {
        Work::Bake(mesh, settings) => {
            black_box(bake(mesh, settings));
        }
        Work::Paths(mesh, requests) => {
            let (mut scratch, mut path) = (SearchScratch::default(), PolyPath::default());
            for request in requests {
                let found = find_path_into(mesh, request, &DefaultFilter::default(), &mut scratch, &mut path);
                black_box((&path, found.is_ok()));
            }
        }
        Work::Pulls(paths) => {
            let (mut scratch, mut straight) = (SearchScratch::default(), StraightPath::default());
            for path in paths {
                string_pull_into(path, &mut scratch, &mut straight);
                black_box(&straight);
            }
        }
    }
}

enum Work {
    Bake(TriMesh, BakeSettings),
    Paths(NavMesh, Vec<PathRequest>),
    Pulls(Vec<PolyPath>),
}

fn bake(mesh: &TriMesh, settings: &BakeSettings) -> Option<NavMesh> {
    let (BakedTiles { layout, tiles, .. }, _) = bake_tiles(mesh, settings, &Context::default()).ok()?;
    NavMesh::from_tiles(layout, tiles).ok()
}

/// A scene with its own settings, solo or in tiles of 32 cells.
fn scene(spec: &str, tile_size: u32) -> Option<(TriMesh, BakeSettings)> {
    let scene = wayfare_scenes::scene(spec).ok()?;
    let (mesh, _) = scene.mesh().ok()?;
    Some((mesh, BakeSettings { tile_size, ..scene.settings }))
}

/// A thousand ways between the middles of polygons of the dungeon, far apart in the list of polygons.
fn requests(mesh: &NavMesh) -> Vec<PathRequest> {
    let middles: Vec<_> = mesh
        .tiles()
        .flat_map(|t| (0..t.poly_count()).filter_map(|p| mesh.poly(t.reference(p)).ok()))
        .map(|p| p.center())
        .collect();
    let place =
        |i: usize| find_nearest(mesh, middles[i % middles.len()], [2.0, 4.0, 2.0].into(), &DefaultFilter::default());
    (0..1000)
        .filter_map(|i| Some(PathRequest::new(place(i * 7919)?.place(), place(i * 104_729 + 13)?.place())))
        .collect()
}

fn work(name: &str) -> Option<Work> {
    let bake_of = |spec, tile_size| scene(spec, tile_size).map(|(mesh, settings)| Work::Bake(mesh, settings));
    let dungeon = || scene("dungeon", 0).and_then(|(mesh, settings)| bake(&mesh, &settings));
    match name {
        "bake dungeon" => bake_of("dungeon", 0),
        "bake dungeon tiled" => bake_of("dungeon", 32),
        "bake terrain" => bake_of("terrain", 0),
        "bake terrain tiled" => bake_of("terrain", 32),
        "1000 paths" => dungeon().map(|mesh| {
            let requests = requests(&mesh);
            Work::Paths(mesh, requests)
        }),
        "1000 string pulls" => dungeon().map(|mesh| {
            let (mut scratch, filter) = (SearchScratch::default(), DefaultFilter::default());
            let found = |r: &PathRequest| find_path(&mesh, r, &filter, &mut scratch).ok();
            Work::Pulls(requests(&mesh).iter().filter_map(found).collect())
        }),
        _ => None,
    }
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "list" {
        WORKLOADS.iter().for_each(|name| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    match work(&name) {
        Some(mut work) => {
            counted(&mut work);
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("counts: no workload `{name}`, or it cannot be set up; `counts list` names them");
            ExitCode::from(2)
        }
    }
}
