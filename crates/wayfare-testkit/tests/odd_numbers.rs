//! Questions with numbers that are none, endless, huge or tiny: each ends, and what it answers about a place that is
//! finite is finite.

use wayfare::area::{LimitHit, PathStatus};
use wayfare::blocks::{
    BlockAgent, BlockBox, BlockCorridor, BlockCosts, BlockNav, BlockPathRequest, BlockSettings, BlockSource, Cell,
    HeightMapBlocks, plain_grid_path,
};
use wayfare::context::Budget;
use wayfare::corridor::{CorridorScratch, PathCorridor};
use wayfare::grid::{GridSearch, LocalGrid, NearbyAgent, Obstacle, Shape, blockers};
use wayfare::input::Partition;
use wayfare::math::Aabb;
use wayfare::mesh::{NavMesh, Tile};
use wayfare::query::{
    AroundRequest, BoxGoalRequest, ClearanceMesh, CostMap, CostMapRequest, DefaultFilter, NearestGoalRequest,
    NeighbourhoodRequest, OptimalSearch, PathRequest, PolyPath, PolyPoint, SearchLimits, SearchScratch,
    closest_point_on_boundary, closest_point_on_poly, extra_radius, find_distance_to_wall, find_nearest,
    find_nearest_in, find_optimal_path, find_path, find_path_to_box, find_path_to_nearest, local_neighbourhood,
    move_along_surface, poly_height, polys_around, polys_in_box, random_point_in_circle, raycast_with_cost,
    string_pull,
};
use wayfare::{Vec3, math};
use wayfare_scenes::{Rng, scene};
use wayfare_testkit::levels::{bake, connect};
use wayfare_testkit::{polys, property};

const ODD: [f32; 14] = [
    f32::NAN,
    -f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    1e30,
    -1e30,
    f32::MAX,
    f32::MIN,
    1e-40,
    -0.0,
    0.0,
    1.0,
    2.5,
    5.0,
];

/// Limits and counts.
const LIMITS: [u32; 6] = [0, 1, 2, 40, u32::MAX - 1, u32::MAX];

fn pick<T: Copy>(from: &[T], rng: &mut Rng) -> T {
    from[rng.whole(0, from.len() as i32 - 1) as usize]
}

fn odd_place(rng: &mut Rng) -> Vec3 {
    Vec3::new(pick(&ODD, rng), pick(&ODD, rng), pick(&ODD, rng))
}

fn two_floors() -> NavMesh {
    connect(bake(&scene("two_floors").unwrap(), Partition::Watershed, 48).0)
}

#[test]
fn every_question_ends_and_answers_with_numbers() {
    let nav = two_floors();
    let (all, filter) = (polys(&nav), DefaultFilter::default());
    let limits = SearchLimits::default();
    property("every_question_ends_and_answers_with_numbers", 1000, |rng| {
        let scratch = &mut SearchScratch::new();
        let mut number = || ODD[rng.whole(0, ODD.len() as i32 - 1) as usize];
        let [a, b, c, d] = [(); 4].map(|()| Vec3::new(number(), number(), number()));
        let mut poly = || all[rng.whole(0, all.len() as i32 - 1) as usize];
        let (start, goal) = (PolyPoint { poly: poly(), point: a }, PolyPoint { poly: poly(), point: b });
        let bounds = Aabb { min: b, max: c };
        assert!(find_nearest(&nav, a, c, &filter).is_none_or(|near| near.point.is_finite()), "{a} {c}");
        assert!(find_nearest_in(&nav, a, &bounds, &filter).is_none_or(|near| near.point.is_finite()));
        let _ = (polys_in_box(&nav, &bounds, &filter), poly_height(&nav, start.poly, a));
        let (on, border) = (closest_point_on_poly(&nav, start.poly, a), closest_point_on_boundary(&nav, start.poly, a));
        assert!(on.is_ok() && border.is_ok_and(|p| p.is_finite() || !a.is_finite()), "{a}");
        let request = PathRequest::new(start, goal);
        let found = find_path(&nav, &request, &filter, scratch).unwrap();
        let pulled = string_pull(&found, scratch);
        let optimal = find_optimal_path(&nav, &request, &filter, scratch).unwrap();
        for (path, straight) in [(&found, &pulled), (&optimal.path, &optimal.straight)] {
            let is_nowhere = path.status == PathStatus::None && path.polys.is_empty() && straight.points.is_empty();
            assert_eq!(is_nowhere, !a.is_finite(), "{a} {b} {path:?}");
            assert!(!(path.cost.is_nan() || straight.length.is_nan()), "{a} {b} {path:?} {straight:?}");
        }
        assert!(a.is_finite() || (optimal.bound, optimal.straight.length) == (f32::INFINITY, 0.0), "{a} {b}");
        let ray = raycast_with_cost(&nav, start, b, &filter, scratch).unwrap();
        assert!((0.0..=1.0).contains(&ray.t), "{ray:?}");
        let moved = move_along_surface(&nav, start, b, &filter, scratch).unwrap();
        assert!(moved.place.point.is_finite() || !a.is_finite(), "{a} {b} {moved:?}");
        find_distance_to_wall(&nav, start, d.x, &filter, scratch).unwrap();
        polys_around(&nav, &AroundRequest::circle(start, d.x), &filter, scratch).unwrap();
        polys_around(&nav, &AroundRequest::convex(start, &[b, c, d]), &filter, scratch).unwrap();
        local_neighbourhood(&nav, &NeighbourhoodRequest::new(start, d.x), &filter, scratch).unwrap();
        random_point_in_circle(&nav, start, d.x, &filter, scratch, &mut math::Rng::new(1)).unwrap();
        find_path_to_box(&nav, &BoxGoalRequest::new(start, bounds), &filter, scratch).unwrap();
        let (path, which) =
            find_path_to_nearest(&nav, &NearestGoalRequest::new(start, &[goal, start]), &filter, scratch).unwrap();
        assert_eq!(which.is_some(), path.status == PathStatus::Complete, "{path:?}");
        let costs =
            CostMap::new(&nav, &CostMapRequest::new(start).within(SearchLimits { max_cost: d.x, ..limits }), &filter)
                .unwrap();
        assert!(costs.path_to(&nav, goal, &filter, &mut PolyPath::default()).is_none());
    });
}

#[test]
fn searches_keep_to_odd_limits() {
    let (nav, filter, scratch) = (two_floors(), DefaultFilter::default(), &mut SearchScratch::new());
    let all = polys(&nav);
    let center = |poly| PolyPoint { poly, point: closest_point_on_poly(&nav, poly, Vec3::ZERO).unwrap().point };
    let mut rng = Rng::new(1);
    for (max_nodes, max_cost) in LIMITS.iter().flat_map(|nodes| ODD.iter().map(move |cost| (*nodes, *cost))) {
        let limits = SearchLimits { max_nodes, max_cost };
        let [start, goal] = [(); 2].map(|()| center(pick(&all, &mut rng)));
        let request = PathRequest { limits, ..PathRequest::new(start, goal) };
        let told = format!("{start:?} to {goal:?}, {limits:?}");
        let found = find_path(&nav, &request, &filter, scratch).unwrap();
        let optimal = find_optimal_path(&nav, &request, &filter, scratch).unwrap();
        let whole = PathRequest::new(start, goal);
        let [free, best] = [
            find_path(&nav, &whole, &filter, scratch),
            find_optimal_path(&nav, &whole, &filter, scratch).map(|o| o.path),
        ]
        .map(Result::unwrap);
        for (path, free) in [(&found, &free), (&optimal.path, &best)] {
            assert!(path.nodes <= max_nodes.max(1), "{told}: {} nodes", path.nodes);
            assert!(!path.cost.is_nan() && path.status != PathStatus::None, "{told}: {path:?}");
            if path.status == PathStatus::Complete {
                let is_within = max_cost.is_nan() || path.cost <= max_cost * 1.001 + 1e-3;
                assert!(is_within, "{told}: it costs {}", path.cost);
            }
            if path.limit.is_none() {
                assert_eq!(path.status, free.status, "{told}: no limit was hit");
            }
        }
        // In slices of nothing, of one node, and of all that is left, it comes to the same.
        let mut sliced = OptimalSearch::new(&nav, &request, &filter).unwrap();
        for slice in [0, 1, u64::MAX] {
            sliced.step(&filter, &mut Budget::new(slice));
        }
        let mut out = optimal.clone();
        assert!(sliced.is_finished() && sliced.path_into(&nav, &mut out).is_none(), "{told}");
        assert_eq!(out, optimal, "{told}");
    }
}

#[test]
fn corridors_stay_on_the_mesh_whatever_they_are_told() {
    let (nav, filter) = (two_floors(), DefaultFilter::default());
    let all = polys(&nav);
    property("corridors_stay_on_the_mesh_whatever_they_are_told", 300, |rng| {
        let (search, scratch) = (&mut SearchScratch::new(), &mut CorridorScratch::new());
        let mut place = || {
            let poly = pick(&all, rng);
            PolyPoint { poly, point: closest_point_on_poly(&nav, poly, Vec3::ZERO).unwrap().point }
        };
        let (start, goal) = (place(), place());
        let mut path = find_path(&nav, &PathRequest::new(start, goal), &filter, search).unwrap();
        let mut corridor = PathCorridor::new(start);
        // Portals too many, or too few.
        let more = path.portals.first().copied().into_iter().cycle().take(rng.whole(0, 3) as usize);
        path.portals.extend(more.collect::<Vec<_>>());
        let short = PolyPath { portals: path.portals[..(path.polys.len() - 1) / 2].to_vec(), ..path.clone() };
        assert_eq!(corridor.follow(&short).is_ok(), short.portals.len() + 1 >= short.polys.len());
        corridor.follow(&path).unwrap();
        corridor.follow(&PolyPath::default()).unwrap_err();
        for _ in 0..12 {
            let to = odd_place(rng);
            match rng.whole(0, 7) {
                0..=2 => _ = corridor.move_start(&nav, to, &filter, scratch).unwrap(),
                3 => _ = corridor.move_end(&nav, to, &filter, scratch).unwrap(),
                4 => _ = corridor.optimise_visibility(&nav, to, pick(&ODD, rng), &filter, scratch).unwrap(),
                5 => _ = corridor.optimise_topology(&nav, pick(&LIMITS[..4], rng), &filter, scratch).unwrap(),
                6 => _ = corridor.repair(&nav, pick(&LIMITS, rng), to, &filter),
                _ => _ = corridor.follow(&path),
            }
            let (start, end) = (corridor.start().unwrap(), corridor.end().unwrap());
            assert!(start.point.is_finite() && end.point.is_finite(), "{to}: {start:?} {end:?}");
            assert_eq!(corridor.portals().len() + 1, corridor.polys().len());
            for limit in [0, 1, 3, usize::MAX] {
                let corners = corridor.corners(limit, scratch);
                assert!(!corners.is_empty() && corners.len() <= limit.max(1), "{corners:?} of {limit}");
                assert!(corners.iter().all(|corner| corner.point.is_finite()), "{corners:?}");
            }
            assert!(corridor.length(scratch).is_finite());
            assert_eq!(corridor.check(&nav, pick(&LIMITS, rng), &filter), None);
        }
    });
    // Nowhere at all.
    let (mut nowhere, scratch) = (PathCorridor::default(), &mut CorridorScratch::new());
    assert!(nowhere.move_start(&nav, Vec3::NAN, &filter, scratch).is_ok() && nowhere.corners(9, scratch).is_empty());
    assert!(!nowhere.is_valid(&nav, u32::MAX, &filter) && nowhere.length(scratch) == 0.0);
}

#[test]
fn ground_is_cut_for_any_radius_or_the_radius_is_refused() {
    let (nav, filter) = (two_floors(), DefaultFilter::default());
    for radius in ODD.into_iter().chain([-1.0, 0.3, 1e4]) {
        let cut = ClearanceMesh::new(&nav, radius, &filter);
        assert_eq!(cut.is_ok(), radius.is_finite() && radius >= 0.0, "{radius}");
        if let Ok(mut cut) = cut {
            let is_sound = |tile: &Tile| tile.poly_count() == 0 || tile.data().extent().size().is_finite();
            assert!(cut.mesh().tiles().all(is_sound), "{radius}");
            assert_eq!(cut.follow(&nav, &filter), Ok(0), "{radius}: nothing has changed");
            let left = cut.mesh().tiles().map(|tile| tile.poly_count()).sum::<u32>();
            assert!(radius < 1e4 || left == 0, "{radius}: {left} polygons are left");
        }
        let more = extra_radius(&nav, radius);
        assert!(more >= 0.0 && (more.is_finite() || !radius.is_finite()), "{radius}: {more}");
    }
    let nothing = ClearanceMesh::new(&NavMesh::new(nav.layout()), f32::MAX, &filter).unwrap();
    assert_eq!(nothing.mesh().tile_count(), 0);
}

#[test]
fn local_grids_take_any_number() {
    for (size, cell) in [0, 1, 20, 64, 65, u32::MAX].into_iter().flat_map(|size| ODD.map(|cell| (size, cell))) {
        let fits = (1..=64).contains(&size) && (1e-6..=1e6).contains(&cell);
        assert_eq!(LocalGrid::new(size, cell).is_ok(), fits, "{size} {cell}");
    }
    property("local_grids_take_any_number", 2000, |rng| {
        let mut grid = LocalGrid::new(rng.whole(1, 64) as u32, pick(&[0.25, 1e-6, 1e6], rng)).unwrap();
        let (mut search, mut near) = (GridSearch::default(), Vec::new());
        let shapes = [
            Shape::Segment { a: odd_place(rng), b: odd_place(rng) },
            Shape::Disc { center: odd_place(rng), radius: pick(&ODD, rng) },
            Shape::Box { center: odd_place(rng), half: [pick(&ODD, rng), pick(&ODD, rng)], yaw: pick(&ODD, rng) },
        ];
        let obstacles = [0, 1, 2].map(|id| Obstacle { shape: shapes[id], id: id as u32 });
        let others = [0, 1].map(|id| NearbyAgent { at: odd_place(rng), radius: pick(&ODD, rng), id });
        let walls = [[odd_place(rng), odd_place(rng)]];
        grid.surround(odd_place(rng), pick(&ODD, rng), &walls, pick(&ODD, rng), &others, &mut near);
        obstacles.iter().for_each(|obstacle| grid.block(obstacle, pick(&ODD, rng)));
        assert!(grid.origin().is_finite() && near.len() <= 2);
        assert!(grid.is_blocked(u32::MAX, 0) && grid.is_blocked(0, u32::MAX));
        let (from, to) = (odd_place(rng), odd_place(rng));
        let free = (0..64 * 64).any(|i| !grid.is_blocked(i % 64, i / 64));
        let found = search.find_path(&grid, from, to);
        assert_eq!((found.status == PathStatus::None, found.points.is_empty()), (!free, !free), "{from} {to}");
        assert!(found.points.iter().all(|p| p.x.is_finite() && p.z.is_finite()), "{from} {to}: {found:?}");
        let mut named = blockers(&obstacles, from, to, pick(&ODD, rng));
        named.dedup();
        assert!(named.len() <= 3 && named.iter().all(|id| *id < 3), "{named:?}");
    });
}

#[test]
fn block_worlds_take_any_number() {
    const CELLS: [i32; 9] = [i32::MIN, -(1 << 30), -1, 0, 2, 5, 9, 1 << 30, i32::MAX];
    let heights = HeightMapBlocks::new(10, (0..100).map(|i| i % 3).collect());
    property("block_worlds_take_any_number", 400, |rng| {
        let agent = BlockAgent {
            climb: pick(&[0, 1, 3, 1 << 16], rng),
            drop: pick(&[0, 1, 3, 1 << 16], rng),
            height: pick(&[1, 2, 256], rng),
            width: pick(&[1, 2, 16], rng),
        };
        let (mini, costs) = (pick(&[1, 10, 255], rng), BlockCosts::default());
        let mut nav = BlockNav::new(BlockSettings { agent, mini }).unwrap();
        let mut cell = || Cell::new(pick(&CELLS, rng), pick(&CELLS, rng), pick(&CELLS, rng));
        let (start, goal, other) = (cell(), cell(), cell());
        for goal in [BlockBox::of(goal), BlockBox::new(goal, other), BlockBox { min: goal, max: other }] {
            let max_nodes = pick(&LIMITS, rng);
            let request = BlockPathRequest { max_nodes, ..BlockPathRequest::to_box(start, goal) };
            let found = nav.find_path(&heights, &request);
            let plain = plain_grid_path(&heights, agent, start, goal);
            let reaches = found.status == PathStatus::Complete;
            assert!(
                reaches != plain.cells.is_empty() || found.limit == Some(LimitHit::Nodes),
                "{request:?}: {found:?}"
            );
            assert!(found.points.iter().all(|p| p.is_finite()) && found.visited <= max_nodes.max(2), "{found:?}");
            nav.invalidate(goal);
        }
        let exists = nav.path_exists(&heights, start, goal, &costs, u32::MAX);
        assert_eq!(exists, Ok(!plain_grid_path(&heights, agent, start, BlockBox::of(goal)).cells.is_empty()));
        let seed = &mut math::Rng::new(1);
        let drawn = nav.random_reachable(&heights, start, pick(&LIMITS, rng), &costs, seed);
        assert_eq!(drawn.is_some(), nav.stands(&heights, start), "{start:?}");
        let within = BlockBox::new(start, goal);
        let drawn = nav.random_in_box(&heights, within, seed);
        assert!(drawn.is_none_or(|c| within.contains(c) && nav.stands(&heights, c)), "{drawn:?}");
        let (at, reach) = (odd_place(rng), pick(&LIMITS, rng));
        let near = nav.nearest(&heights, at, reach);
        assert!(near.is_none_or(|c| nav.stands(&heights, c)), "{at}: {near:?}");
        assert!(near.is_none() || at.is_finite(), "{at}");
        if let Some(mut walker) = BlockCorridor::new(&mut nav, &heights, at, &BlockPathRequest::to(start, goal)) {
            for _ in 0..4 {
                let after = walker.walk(&nav, &heights, odd_place(rng));
                assert!(after.is_finite() && nav.stands(&heights, walker.cell()), "{walker:?}");
                walker.refresh(&mut nav, &heights);
            }
        }
        assert_eq!(heights.height(pick(&[-1, i32::MIN, 10, i32::MAX], rng), 0), None);
        assert_eq!(heights.height(0, pick(&[-1, i32::MIN, 10, i32::MAX], rng)), None);
    });
    assert_eq!(BlockSource::bounds(&HeightMapBlocks::new(u32::MAX, vec![7])), None);
}

/// Of polygons that there are not, a tile knows nothing.
#[test]
fn tiles_are_asked_for_polygons_that_there_are_not() {
    let nav = two_floors();
    for tile in nav.tiles() {
        for poly in [tile.poly_count(), u32::MAX - 1, u32::MAX] {
            let data = tile.data();
            assert!(data.corner_range(poly).is_empty() && data.corners_of(poly).is_empty());
            assert!(data.neighbours_of(poly).is_empty() && data.points_of(poly).len() == 0);
            assert!(data.center_of(poly).is_nan() && data.triangles_of(poly).count() == 0);
            assert!(!data.is_over(poly, Vec3::ZERO) && data.height_at(poly, Vec3::ZERO).is_none());
            assert_eq!(tile.portals(poly).count(), 0);
        }
    }
}
