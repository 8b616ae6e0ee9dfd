//! Fixed workloads whose instructions `bench/peers/instructions` counts: times here swing by 40 %, instructions do not.
//! `counts list` names them; `counts NAME` runs one once. Only what happens inside [`counted`] is counted.

use std::hint::black_box;
use std::process::ExitCode;
use wayfare::avoid::Avoidance;
use wayfare::bake::{BakedTiles, bake_tiles};
use wayfare::context::{Budget, Context};
use wayfare::crowd::{AgentParams, Crowd, CrowdSettings};
use wayfare::dynamic::{LevelCheckpoints, ObstacleRef, Obstacles};
use wayfare::input::{BakeSettings, MarkedVolume, TriMesh, Volume};
use wayfare::math::Rng;
use wayfare::mesh::{NavMesh, PreparedTile};
use wayfare::plan::AStarPlanner;
use wayfare::query::{
    AroundRequest, DefaultFilter, NeighbourhoodRequest, OptimalPath, PathRequest, PointSampler, PolyPath, Raycast,
    SearchScratch, StraightPath, find_distance_to_wall, find_nearest, find_optimal_path_into, find_path,
    find_path_into, local_neighbourhood_into, move_along_surface_into, polys_around_into, raycast_into,
    string_pull_into,
};
use wayfare::tile::{Poly, SourcePoly, TileData, TileSource, build_tile};

/// Level and side of its tiles in cells, 0 for one tile.
const BAKES: [(&str, &str, u32); 7] = [
    ("bake dungeon", "dungeon", 0),
    ("bake dungeon tiled", "dungeon", 32),
    ("bake terrain", "terrain", 0),
    ("bake terrain tiled", "terrain", 32),
    ("bake garage", "garage", 0),
    ("bake tower", "tower?storeys=16", 0),
    ("bake clutter", "clutter?boulders=40", 0),
];

/// Questions by the thousand, each on a mesh of one tile and on one of many.
const QUESTIONS: [&str; 9] =
    ["nearest", "paths", "optimal paths", "string pulls", "raycasts", "moves", "walls", "around", "neighbourhoods"];
/// Two hundred agents in the dungeon for two seconds, by method of avoidance; five hundred on a field for two seconds,
/// on which ten obstacles move and are cut out of the mesh.
const CROWDS: [&str; 4] = ["adaptive", "orca", "hrvo", "among moving obstacles"];
const MESHES: [(&str, &str, u32); 2] = [("dungeon", "dungeon", 0), ("terrain tiled", "terrain?size=100&height=12", 32)];

/// What happens to the tiles of a mesh while a game runs, all of them once.
const TILES: [&str; 6] = ["build", "prepare", "add", "replace", "load", "warm"];

/// A hundred cylinders on tiles of 48 cells: added one after the other, then removed; the same by ground that is
/// unpacked each time; all moved at once, for twenty frames.
const OBSTACLES: [&str; 3] = ["one by one", "unpacked anew", "moving"];
const CHANGING: [(&str, &str); 2] = [("dungeon", "dungeon"), ("flat", "flat?size=100")];

/// The function that callgrind is told to collect in.
#[inline(never)]
#[unsafe(no_mangle)]
extern "C" fn counted(work: &mut Work) {
    match work {
        Work::Bake(mesh, settings) => {
            black_box(bake(mesh, settings));
        }
        Work::Questions(question, mesh, requests) => ask(question, mesh, requests),
        Work::Tiles(work) => handle(work),
        Work::Obstacles(work) => change(work),
        Work::Crowd(work) => {
            let CrowdWork { meshes, dt, crowd } = &mut **work;
            let mut planner = AStarPlanner::new();
            meshes.iter().for_each(|mesh| crowd.step(mesh, *dt, &mut planner, &Context::default()));
            black_box(crowd);
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
    Questions(&'static str, NavMesh, Vec<PathRequest>),
    Pulls(Vec<PolyPath>),
    Crowd(Box<CrowdWork>),
    Tiles(TileWork),
    Obstacles(Box<ObstacleWork>),
}

/// A crowd that walks, and the mesh of each of its ticks.
struct CrowdWork {
    meshes: Vec<NavMesh>,
    dt: f32,
    crowd: Crowd,
}

/// Obstacles that come and go, or move.
struct ObstacleWork {
    mesh: NavMesh,
    obstacles: Obstacles,
    places: Vec<wayfare::Vec3>,
    /// Those that are there already, and move.
    moving: Vec<ObstacleRef>,
}

impl ObstacleWork {
    fn update(&mut self) {
        black_box(self.obstacles.step(&mut self.mesh, Budget::unlimited(), &Context::default()).is_ok());
    }

    fn add(&mut self, base: wayfare::Vec3) -> Option<ObstacleRef> {
        let cylinder = Volume::Cylinder { base, radius: 1.0, height: 2.0 };
        self.obstacles.add(MarkedVolume::block(cylinder)).ok().map(|added| added.0)
    }

    fn one_by_one(&mut self) {
        let mut all = Vec::new();
        for at in self.places.clone() {
            all.extend(self.add(at));
            self.update();
        }
        for obstacle in all {
            black_box(self.obstacles.remove(obstacle).is_ok());
            self.update();
        }
    }

    fn frame(&mut self, frame: u32) {
        for (&obstacle, &at) in self.moving.iter().zip(&self.places) {
            let by = wayfare::Vec3::new(0.05 * frame as f32, 0.0, 0.0);
            black_box(self.obstacles.move_to(obstacle, at + by).is_ok());
        }
        self.update();
    }
}

fn change(work: &mut ObstacleWork) {
    if work.moving.is_empty() {
        work.one_by_one();
    } else {
        (2..22).for_each(|frame| work.frame(frame));
    }
}

/// With memory that is warm.
fn obstacle_work(what: &str, spec: &str) -> Option<ObstacleWork> {
    let (soup, settings) = scene(spec, 48)?;
    let mesh = bake(&soup, &settings)?;
    let mut obstacles = Obstacles::new(LevelCheckpoints::bake(&soup, &settings, &Context::default()).ok()?);
    let mut rng = Rng::new(7);
    let sampler = PointSampler::on_mesh(&mesh, &DefaultFilter::of(&mesh));
    let places = (0..100).filter_map(|_| Some(sampler.sample(&mesh, &mut rng).ok()??.point)).collect();
    if what == "unpacked anew" {
        obstacles.set_unpacked_bytes(0);
    }
    let mut work = ObstacleWork { mesh, obstacles, places, moving: Vec::new() };
    work.one_by_one();
    if what == "moving" {
        work.moving = work.places.clone().into_iter().filter_map(|at| work.add(at)).collect();
        work.update();
        work.frame(1);
    }
    Some(work)
}

/// What is done to tiles.
enum TileWork {
    /// From polygons to checked tiles.
    Build(Vec<TileData>, Vec<Vec<SourcePoly>>),
    /// From data to tiles that can be added.
    Prepare(Vec<TileData>, Vec<PreparedTile>),
    /// Into an empty mesh.
    Add(NavMesh, Vec<PreparedTile>),
    /// One after the other against the same again, with all that is read of the data.
    Replace(NavMesh, Vec<TileData>),
    /// From the bytes of a file.
    Load(Vec<u8>, Option<NavMesh>),
    /// What queries read is derived.
    Warm(Vec<PreparedTile>),
}

fn handle(work: &mut TileWork) {
    match work {
        TileWork::Build(tiles, polys) => {
            for (tile, polys) in tiles.iter().zip(polys) {
                black_box(build_tile(&source(tile, polys)).map(PreparedTile::new).is_ok());
            }
        }
        TileWork::Prepare(tiles, out) => out.extend(tiles.drain(..).map(PreparedTile::new)),
        TileWork::Add(mesh, tiles) => tiles.drain(..).for_each(|tile| _ = black_box(mesh.add_prepared(tile))),
        TileWork::Replace(mesh, tiles) => {
            for tile in tiles.drain(..) {
                let old = mesh.tile_at(tile.coord()).map(|tile| tile.tile_ref());
                black_box(old.map(|old| mesh.remove_tile(old).is_ok()));
                black_box(mesh.add_tile(tile).is_ok());
            }
        }
        TileWork::Load(bytes, mesh) => *mesh = NavMesh::from_bytes(bytes).ok(),
        TileWork::Warm(tiles) => tiles.iter().for_each(PreparedTile::warm),
    }
}

fn source<'a>(tile: &'a TileData, polys: &'a [SourcePoly]) -> TileSource<'a> {
    TileSource {
        coord: tile.coord(),
        agent_height: tile.baked_for().height,
        agent_radius: tile.baked_for().radius,
        agent_climb: tile.baked_for().climb,
        verts: tile.verts(),
        corners: tile.corners(),
        polys,
        neighbours: tile.neighbours(),
        details: tile.details(),
        detail_verts: tile.detail_verts(),
        detail_tris: tile.detail_tris(),
        ..TileSource::default()
    }
}

fn tile_work(what: &str, mesh: NavMesh) -> Option<TileWork> {
    let tiles: Vec<TileData> = mesh.tiles().map(|tile| tile.data().clone()).collect();
    let prepare = |tiles: &[TileData]| tiles.iter().cloned().map(PreparedTile::new).collect();
    Some(match what {
        "build" => {
            let source = |p: &Poly| SourcePoly { count: p.count, flags: p.flags, area: p.area };
            let polys = tiles.iter().map(|tile| tile.polys().iter().map(source).collect()).collect();
            TileWork::Build(tiles, polys)
        }
        "prepare" => TileWork::Prepare(tiles, Vec::new()),
        "add" => TileWork::Add(NavMesh::new(mesh.layout()), prepare(&tiles)),
        "replace" => TileWork::Replace(mesh, tiles),
        "load" => TileWork::Load(mesh.to_bytes(), None),
        _ => TileWork::Warm(prepare(&tiles)),
    })
}

/// Asks one kind of question for each errand: at its start, from there to its goal, or a step in that direction.
fn ask(question: &str, mesh: &NavMesh, requests: &[PathRequest]) {
    let (filter, mut scratch) = (DefaultFilter::default(), SearchScratch::default());
    let (mut path, mut optimal, mut ray) = (PolyPath::default(), OptimalPath::default(), Raycast::default());
    let (mut polys, mut reached) = (Vec::new(), Vec::new());
    for request in requests {
        let (start, goal) = (request.start, request.goal.point);
        let step = (goal - start.point).normalize_or_zero() * 1.5;
        let asked = match question {
            "nearest" => {
                let beside = start.point + step * 0.5;
                Ok(_ = black_box(find_nearest(mesh, beside, [2.0, 4.0, 2.0], &filter)))
            }
            "paths" => find_path_into(mesh, request, &filter, &mut scratch, &mut path),
            "optimal paths" => find_optimal_path_into(mesh, request, &filter, &mut scratch, &mut optimal),
            "raycasts" => raycast_into(mesh, start, goal, &filter, &mut scratch, &mut ray),
            "moves" => {
                let end = start.point + step;
                move_along_surface_into(mesh, start, end, &filter, &mut scratch, &mut polys).map(|at| _ = black_box(at))
            }
            "walls" => find_distance_to_wall(mesh, start, 10.0, &filter, &mut scratch).map(|wall| _ = black_box(wall)),
            "around" => {
                polys_around_into(mesh, &AroundRequest::circle(start, 10.0), &filter, &mut scratch, &mut reached)
            }
            _ => local_neighbourhood_into(
                mesh,
                &NeighbourhoodRequest::new(start, 4.0),
                &filter,
                &mut scratch,
                &mut polys,
            ),
        };
        let _ = black_box((&path, &optimal, &ray, &polys, &reached, asked));
    }
}

fn bake(mesh: &TriMesh, settings: &BakeSettings) -> Option<NavMesh> {
    let (BakedTiles { layout, tiles, .. }, _) = bake_tiles(mesh, settings, &Context::default()).ok()?;
    NavMesh::from_tiles(layout, tiles).ok()
}

/// A scene with its own settings, solo or in tiles of 32 cells.
fn scene(spec: &str, tile_size: u32) -> Option<(TriMesh, BakeSettings)> {
    let scene = wayfare_scenes::scene(spec).ok()?;
    let mesh = scene.mesh().ok()?;
    Some((mesh, BakeSettings { tile_size, ..scene.settings }))
}

/// A thousand ways between the middles of polygons of the dungeon, far apart in the list of polygons.
fn requests(mesh: &NavMesh) -> Vec<PathRequest> {
    let middles: Vec<_> = mesh
        .tiles()
        .flat_map(|t| (0..t.poly_count()).filter_map(|p| mesh.poly(t.reference(p)).ok()))
        .map(|p| p.center())
        .collect();
    let place = |i: usize| find_nearest(mesh, middles[i % middles.len()], [2.0, 4.0, 2.0], &DefaultFilter::default());
    (0..1000)
        .filter_map(|i| Some(PathRequest::new(place(i * 7919)?.place(), place(i * 104_729 + 13)?.place())))
        .collect()
}

fn work(name: &str) -> Option<Work> {
    if let Some((_, spec, tile_size)) = BAKES.into_iter().find(|(bake, ..)| *bake == name) {
        return scene(spec, tile_size).map(|(mesh, settings)| Work::Bake(mesh, settings));
    }
    if let Some(method) = name.strip_prefix("crowd ") {
        return crowd(method).map(Box::new).map(Work::Crowd);
    }
    if let Some((what, mesh)) = name.strip_prefix("tiles ").and_then(|rest| rest.split_once(" of ")) {
        let (_, spec, tile_size) = MESHES.into_iter().find(|(name, ..)| *name == mesh)?;
        let (soup, settings) = scene(spec, tile_size)?;
        return tile_work(what, bake(&soup, &settings)?).map(Work::Tiles);
    }
    if let Some((what, level)) = name.strip_prefix("obstacles ").and_then(|rest| rest.split_once(" on ")) {
        let (_, spec) = CHANGING.into_iter().find(|(name, _)| *name == level)?;
        return obstacle_work(what, spec).map(Box::new).map(Work::Obstacles);
    }
    let (question, mesh) = name.strip_prefix("1000 ")?.split_once(" on ")?;
    let question = QUESTIONS.into_iter().find(|q| *q == question)?;
    let (_, spec, tile_size) = MESHES.into_iter().find(|(name, ..)| *name == mesh)?;
    let (soup, settings) = scene(spec, tile_size)?;
    let mesh = bake(&soup, &settings)?;
    let requests = requests(&mesh);
    if question != "string pulls" {
        return Some(Work::Questions(question, mesh, requests));
    }
    let (mut scratch, filter) = (SearchScratch::default(), DefaultFilter::default());
    let found = |r: &PathRequest| find_path(&mesh, r, &filter, &mut scratch).ok();
    Some(Work::Pulls(requests.iter().filter_map(found).collect()))
}

fn crowd(what: &str) -> Option<CrowdWork> {
    if what == "among moving obstacles" {
        return among_moving_obstacles();
    }
    let (soup, settings) = scene("dungeon", 0)?;
    let mesh = bake(&soup, &settings)?;
    let mut crowd = Crowd::new(CrowdSettings::default());
    for request in requests(&mesh).iter().take(200) {
        let params = AgentParams { avoidance: Avoidance::by_name(what)?, ..AgentParams::of_size(0.6, 2.0) };
        let agent = crowd.add(&mesh, request.start.point, params).ok()?;
        crowd.go_to(&mesh, agent, request.goal.point).ok()?;
    }
    Some(CrowdWork { meshes: vec![mesh; 40], dt: 0.05, crowd })
}

fn among_moving_obstacles() -> Option<CrowdWork> {
    let (soup, settings) = scene("flat?size=100", 32)?;
    let mut mesh = bake(&soup, &settings)?;
    let mut obstacles = Obstacles::new(LevelCheckpoints::bake(&soup, &settings, &Context::default()).ok()?);
    let mut crowd = Crowd::new(CrowdSettings::default());
    for i in 0..500u16 {
        let at = wayfare::Vec3::new(f32::from(i % 25) * 3.0 - 36.0, 0.0, f32::from(i / 25) * 2.0 - 45.0);
        let agent = crowd.add(&mesh, at, AgentParams::of_size(0.5, 2.0)).ok()?;
        crowd.go_to(&mesh, agent, at.with_z(-at.z)).ok()?;
    }
    let at = |i: usize, tick: u16| {
        let x = i as f32 * 9.0 - 40.5;
        wayfare::Vec3::new(x, 0.0, 20.0 * (f32::from(tick) / 300.0 + x).sin())
    };
    let cylinder = |i| MarkedVolume::block(Volume::Cylinder { base: at(i, 0), radius: 1.5, height: 2.0 });
    let moving: Vec<_> = (0..10).map(|i| Some(obstacles.add(cylinder(i)).ok()?.0)).collect::<Option<_>>()?;
    let mut meshes = Vec::new();
    for tick in 0..120 {
        for (i, &obstacle) in moving.iter().enumerate() {
            obstacles.move_to(obstacle, at(i, tick)).ok()?;
        }
        obstacles.step(&mut mesh, Budget::unlimited(), &Context::default()).ok()?;
        meshes.push(mesh.clone());
    }
    Some(CrowdWork { meshes, dt: 1.0 / 60.0, crowd })
}

fn list() {
    BAKES.iter().for_each(|(name, ..)| println!("{name}"));
    CROWDS.iter().for_each(|method| println!("crowd {method}"));
    for what in TILES {
        MESHES.iter().for_each(|(mesh, ..)| println!("tiles {what} of {mesh}"));
    }
    for what in OBSTACLES {
        CHANGING.iter().for_each(|(level, _)| println!("obstacles {what} on {level}"));
    }
    for question in QUESTIONS {
        MESHES.iter().for_each(|(mesh, ..)| println!("1000 {question} on {mesh}"));
    }
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "list" {
        list();
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
