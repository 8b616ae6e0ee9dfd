//! Memory that is kept is enough: the second tile allocates nothing but the tile, the second query nothing at all. And
//! a file takes no more of it than a small multiple of its size, whatever it promises.

use allocation_counter::measure;
use wayfare::Vec3;
use wayfare::avoid::Avoidance;
use wayfare::bake::{BakeReport, TileBaker, TilePlan, bake_tiles};
use wayfare::context::{Budget, Context};
use wayfare::crowd::{AgentParams, Crowd};
use wayfare::format::RefBits;
use wayfare::input::BakeSettings;
use wayfare::math::{Aabb, Rng};
use wayfare::mesh::{NavMesh, PolyRef};
use wayfare::plan::{AStarPlanner, PathQueue, SharedFilter};
use wayfare::query::{
    AroundRequest, BoxGoalRequest, ClearanceMesh, DefaultFilter, NavQuery, NearestGoalRequest, NeighbourhoodRequest,
    OptimalPath, PathRequest, PointSampler, PolyPath, PolyPoint, Raycast, ReachedPoly, SearchScratch, SlicedSearch,
    StraightPath, WallSegment, find_distance_to_wall, find_nearest, find_optimal_path_into, find_path_into,
    find_path_to_box_into, find_path_to_nearest_into, is_reachable, local_neighbourhood_into, move_along_surface_into,
    poly_height, polys_around_into, polys_in_box_into, random_point_in_circle, raycast_into, raycast_with_cost_into,
    string_pull_into, wall_segments_into,
};
use wayfare_scenes::scene;

/// The lists of a finished tile: bounds of what it may allocate, each once.
const LISTS_OF_A_TILE: u64 = 10;

#[test]
fn the_second_tile_allocates_only_the_tile() {
    let scene = scene("dungeon").unwrap();
    let mesh = scene.mesh().unwrap();
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

/// Everything that answers go into.
#[derive(Default)]
struct Kept {
    scratch: SearchScratch,
    path: PolyPath,
    straight: StraightPath,
    optimal: OptimalPath,
    ray: Raycast,
    polys: Vec<PolyRef>,
    reached: Vec<ReachedPoly>,
    walls: Vec<WallSegment>,
    session: Option<NavQuery<NavMesh>>,
}

/// A question about the way between two places; the answer as a number, which is the same whenever it is asked.
type Ask = fn(&NavMesh, &DefaultFilter, [PolyPoint; 2], &mut Kept) -> f32;

/// Every question that keeps its memory.
const QUESTIONS: [(&str, Ask); 21] = [
    ("nearest", |mesh, filter, [a, _], _| {
        find_nearest(mesh, a.point + Vec3::ONE, Vec3::splat(4.0), filter).map_or(0.0, |n| n.point.x)
    }),
    ("polygons in a box", |mesh, filter, [a, _], kept| {
        polys_in_box_into(mesh, &Aabb::from_center(a.point, Vec3::splat(9.0)), filter, &mut kept.polys);
        kept.polys.len() as f32
    }),
    ("path", |mesh, filter, [a, b], kept| {
        find_path_into(mesh, &PathRequest::new(a, b), filter, &mut kept.scratch, &mut kept.path).unwrap();
        kept.path.cost
    }),
    ("path in slices", |mesh, filter, [a, b], kept| {
        let scratch = core::mem::take(&mut kept.scratch);
        let mut search = SlicedSearch::with_scratch(mesh, &PathRequest::new(a, b), filter, scratch).unwrap();
        while !search.step(filter, &mut Budget::new(7)) {}
        search.path_into(mesh, &mut kept.path);
        kept.scratch = search.into_scratch();
        kept.path.cost
    }),
    ("path to a box", |mesh, filter, [a, b], kept| {
        let request = BoxGoalRequest::new(a, Aabb::from_center(b.point, Vec3::ONE));
        find_path_to_box_into(mesh, &request, filter, &mut kept.scratch, &mut kept.path).unwrap();
        kept.path.cost
    }),
    ("path to the nearest of many", |mesh, filter, [a, b], kept| {
        let goals = [b, a, b];
        let request = NearestGoalRequest::new(a, &goals);
        let found = find_path_to_nearest_into(mesh, &request, filter, &mut kept.scratch, &mut kept.path);
        found.unwrap().map_or(-1.0, |found| found as f32)
    }),
    ("reachable", |mesh, filter, [a, b], kept| {
        let reachable = is_reachable(mesh, &PathRequest::new(a, b), filter, &mut kept.scratch).unwrap();
        f32::from(u8::from(reachable == Some(true)))
    }),
    ("string pull", |mesh, filter, [a, b], kept| {
        find_path_into(mesh, &PathRequest::new(a, b), filter, &mut kept.scratch, &mut kept.path).unwrap();
        string_pull_into(&kept.path, &mut kept.scratch, &mut kept.straight);
        kept.straight.length
    }),
    ("shortest path", |mesh, filter, [a, b], kept| {
        let request = PathRequest::new(a, b);
        find_optimal_path_into(mesh, &request, filter, &mut kept.scratch, &mut kept.optimal).unwrap();
        kept.optimal.straight.length
    }),
    ("ray", |mesh, filter, [a, b], kept| {
        raycast_into(mesh, a, b.point, filter, &mut kept.scratch, &mut kept.ray).unwrap();
        kept.ray.t
    }),
    ("ray with cost", |mesh, filter, [a, b], kept| {
        raycast_with_cost_into(mesh, a, b.point, filter, &mut kept.scratch, &mut kept.ray).unwrap();
        kept.ray.cost
    }),
    ("move", |mesh, filter, [a, b], kept| {
        let step = a.point + (b.point - a.point).clamp_length_max(3.0);
        move_along_surface_into(mesh, a, step, filter, &mut kept.scratch, &mut kept.polys).unwrap().point.x
    }),
    ("distance to a wall", |mesh, filter, [a, _], kept| {
        let wall = find_distance_to_wall(mesh, a, 9.0, filter, &mut kept.scratch).unwrap();
        wall.map_or(9.0, |wall| wall.distance)
    }),
    ("walls", |mesh, filter, [a, _], kept| {
        wall_segments_into(mesh, a.poly, filter, &mut kept.walls).unwrap();
        kept.walls.len() as f32
    }),
    ("polygons around a circle", |mesh, filter, [a, _], kept| {
        polys_around_into(mesh, &AroundRequest::circle(a, 9.0), filter, &mut kept.scratch, &mut kept.reached).unwrap();
        kept.reached.len() as f32
    }),
    ("polygons around a shape", |mesh, filter, [a, _], kept| {
        let shape = [[-4.0, -4.0], [-4.0, 4.0], [4.0, 4.0], [4.0, -4.0]].map(|[x, z]| a.point + Vec3::new(x, 0.0, z));
        polys_around_into(mesh, &AroundRequest::convex(a, &shape), filter, &mut kept.scratch, &mut kept.reached)
            .unwrap();
        kept.reached.len() as f32
    }),
    ("neighbourhood", |mesh, filter, [a, _], kept| {
        local_neighbourhood_into(mesh, &NeighbourhoodRequest::new(a, 4.0), filter, &mut kept.scratch, &mut kept.polys)
            .unwrap();
        kept.polys.len() as f32
    }),
    ("neighbourhood by distance", |mesh, filter, [a, _], kept| {
        let request = NeighbourhoodRequest::new(a, 4.0).by_distance();
        local_neighbourhood_into(mesh, &request, filter, &mut kept.scratch, &mut kept.polys).unwrap();
        kept.polys.len() as f32
    }),
    ("a session", |mesh, _, [a, b], kept| {
        let query = kept.session.get_or_insert_with(|| NavQuery::of(mesh.clone()));
        let mut sum = query.straight_path(a.point, b).unwrap().straight.length;
        sum += query.optimal_path(a, b.point).unwrap().path.cost + query.ray(a, b.point).unwrap().t;
        sum += query.around(a, 4.0).unwrap().len() as f32 + query.neighbourhood(a, 4.0).unwrap().len() as f32;
        let moved = query.move_along(a, b.point).unwrap().map_or(0.0, |place| place.point.x);
        sum + moved + query.walls(b).unwrap().len() as f32
    }),
    ("random point in a circle", |mesh, filter, [a, _], kept| {
        let drawn = random_point_in_circle(mesh, a, 3.0, filter, &mut kept.scratch, &mut Rng::new(4)).unwrap();
        drawn.map_or(0.0, |place| place.point.x)
    }),
    ("height", |mesh, _, [a, _], _| poly_height(mesh, a.poly, a.point).unwrap().unwrap_or(0.0)),
];

#[test]
fn no_question_allocates_once_its_memory_has_grown() {
    let scene = scene("dungeon").unwrap();
    let soup = scene.mesh().unwrap();
    for tile_size in [0, 64] {
        let settings = BakeSettings { tile_size, ..scene.settings };
        let (baked, _) = bake_tiles(&soup, &settings, &Context::default()).unwrap();
        let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
        let filter = DefaultFilter::default();
        // The same of the ground that a larger agent has: a mesh like any other.
        let cut = ClearanceMesh::new(&mesh, 0.1, &filter).unwrap();
        for (whose, mesh) in [("the mesh", &mesh), ("a clearance mesh", cut.mesh())] {
            let sampler = PointSampler::on_mesh(mesh, &filter);
            let mut rng = Rng::new(1);
            let mut draw = || sampler.sample(mesh, &mut rng).unwrap().unwrap();
            let places: Vec<PolyPoint> = (0..40).map(|_| draw()).collect();
            assert_eq!(measure(|| _ = draw()).count_total, 0, "a random point on {whose}");
            for (name, ask) in QUESTIONS {
                let mut kept = Kept::default();
                let mut all = || places.windows(2).map(|w| ask(mesh, &filter, [w[0], w[1]], &mut kept)).sum::<f32>();
                let (first, mut second) = (all(), 0.0);
                let used = measure(|| second = all());
                assert_eq!(first, second, "{name} on {whose}");
                assert_eq!(used.count_total, 0, "{name} on {whose}: {} bytes", used.bytes_total);
            }
        }
    }
}

/// On a thread of a pool, since handing work to one from outside allocates now and then.
#[test]
fn a_queue_of_path_requests_allocates_nothing_once_its_memory_has_grown() {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(ask_for_many_paths_twice);
}

fn ask_for_many_paths_twice() {
    let scene = scene("dungeon").unwrap();
    let soup = scene.mesh().unwrap();
    let (baked, _) = bake_tiles(&soup, &BakeSettings { tile_size: 64, ..scene.settings }, &Context::default()).unwrap();
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    let filter: SharedFilter = std::sync::Arc::new(DefaultFilter::default());
    let (sampler, mut rng) = (PointSampler::on_mesh(&mesh, filter.as_ref()), Rng::new(4));
    let places: Vec<PolyPoint> = (0..100).map(|_| sampler.sample(&mesh, &mut rng).unwrap().unwrap()).collect();
    let (mut queue, mut planner) = (PathQueue::new(), AStarPlanner::new());
    let mut all = || {
        let mut cost = 0.0;
        for pair in places.windows(2) {
            queue.request(PathRequest::new(pair[0], pair[1]), filter.clone());
        }
        while queue.pending() > 0 {
            queue.step(&mesh, &mut planner, &mut Budget::new(3000));
            while let Some((_, answer)) = queue.take_next() {
                cost += answer.path.cost;
            }
        }
        cost
    };
    let first = all();
    let mut second = 0.0;
    let used = measure(|| second = all());
    assert_eq!(first, second);
    assert_eq!(used.count_total, 0, "{} bytes", used.bytes_total);
}

#[test]
fn a_crowd_on_its_way_allocates_nothing() {
    let scene = scene("dungeon").unwrap();
    let mesh = scene.mesh().unwrap();
    let (baked, _) = bake_tiles(&mesh, &BakeSettings { tile_size: 64, ..scene.settings }, &Context::default()).unwrap();
    let nav = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    let (filter, mut rng) = (DefaultFilter::default(), Rng::new(4));
    let sampler = PointSampler::on_mesh(&nav, &filter);
    let mut spot = || sampler.sample(&nav, &mut rng).unwrap().unwrap().point;
    for name in Avoidance::NAMES {
        let avoidance = Avoidance::by_name(name).unwrap();
        let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
        let goals: Vec<Vec3> = (0..60).map(|_| spot()).collect();
        for _ in &goals {
            crowd.add(&nav, spot(), AgentParams { avoidance, ..AgentParams::default() }).unwrap();
        }
        let agents: Vec<_> = crowd.ids().collect();
        // The same ways again and again, after all have been set back: the first grow the memory. Looks for better ways
        // go by the clock, so that walks differ a little and may find a larger row to keep once more.
        let starts = crowd.positions().to_vec();
        let mut walk = |crowd: &mut Crowd| {
            for ((&agent, &start), &goal) in agents.iter().zip(&starts).zip(&goals) {
                crowd.teleport(&nav, agent, start).unwrap();
                crowd.go_to(&nav, agent, goal).unwrap();
            }
            for _ in 0..150 {
                crowd.step(&nav, 0.05, &mut planner, &Context::default());
            }
        };
        let walks = (0..6).map(|_| measure(|| walk(&mut crowd)).count_total);
        assert!(walks.into_iter().any(|allocated| allocated == 0), "{name}");
        let moved = crowd.positions().iter().zip(&starts).filter(|(a, b)| a.distance(**b) > 3.0).count();
        assert!(moved > 40, "{name}: {moved} moved");
    }
}

/// How many times its own size reading a file may take.
const TIMES_ITS_SIZE: u64 = 6;

/// Every word of a file in turn becomes a count that is far too large. Those of Detour's have no checksum that would
/// tell.
#[test]
fn a_file_takes_no_more_memory_than_its_size_allows() {
    let scene = scene("bridge").unwrap();
    let soup = scene.mesh().unwrap();
    let settings = BakeSettings { tile_size: 48, ..scene.settings };
    let (baked, _) = bake_tiles(&soup, &settings, &Context::default()).unwrap();
    let mesh = NavMesh::from_tiles(baked.layout, baked.tiles).unwrap();
    let taken = |bytes: &[u8], read: fn(&[u8]) -> bool| {
        let mut is_read = false;
        let used = measure(|| is_read = read(bytes));
        (is_read, used.bytes_max)
    };
    let detour: fn(&[u8]) -> bool = |bytes| NavMesh::from_detour(bytes).is_ok();
    let way: fn(&[u8]) -> bool = |bytes| NavMesh::from_bytes(bytes).is_ok();
    for (name, file, read) in [
        ("set of 32 bits", mesh.to_detour(RefBits::Bits32).unwrap(), detour),
        ("set of 64 bits", mesh.to_detour(RefBits::Bits64).unwrap(), detour),
        (".way", mesh.to_bytes(), way),
    ] {
        let most = file.len() as u64 * TIMES_ITS_SIZE;
        let (is_read, whole) = taken(&file, read);
        assert!(is_read && whole <= most, "{name}: {whole} bytes for {}", file.len());
        let (mut bytes, mut refused) = (file.clone(), 0);
        for at in (0..file.len() / 4 * 4).step_by(4) {
            for count in [u32::MAX, i32::MAX as u32, 1 << 27, 1 << 20] {
                bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
                let (is_read, used) = taken(&bytes, read);
                assert!(used <= most, "{name}: {count} at {at} takes {used} bytes, {} long", file.len());
                refused += u32::from(!is_read);
            }
            bytes[at..at + 4].copy_from_slice(&file[at..at + 4]);
        }
        println!("{name}: {} bytes take {whole}, {refused} altered ones refused", file.len());
        assert!(refused > 40, "{name}: {refused}");
    }
}
