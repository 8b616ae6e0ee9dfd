//! Worlds drawn as maps, and random worlds against plain A*.

use super::*;
use crate::area::{LimitHit, PathStatus};
use crate::math::Rng;

const SIDE: i32 = 24;
const HEIGHT: i32 = 9;

/// A map on the level y = 1: `#` a pillar, `.` floor, space a pit, `L` a ladder three high, `W` water over a floor one
/// lower, `D` a door.
fn world(map: &str) -> DenseBlocks {
    let rows: Vec<Vec<u8>> = map.lines().map(|l| l.as_bytes().to_vec()).collect();
    let (w, d) = (rows[0].len() as i32, rows.len() as i32);
    DenseBlocks::from_fn(BlockBox::new(Cell::new(0, -2, 0), Cell::new(w - 1, 6, d - 1)), |x, y, z| {
        match (rows[z as usize][x as usize], y) {
            (b' ', _) => Block::Air,
            (b'#', ..=3) | (b'W', ..=-1) | (_, -2) => Block::Solid,
            (b'W', 0) => Block::Water,
            (b'L', 1..=3) => Block::Ladder,
            (b'D', 1..=2) => Block::Door,
            (_, ..=0) => Block::Solid,
            _ => Block::Air,
        }
    })
}

fn nav(agent: BlockAgent) -> BlockNav {
    BlockNav::new(BlockSettings { agent, mini: 10 }).unwrap()
}

fn at(x: i32, z: i32) -> Cell {
    Cell::new(x, 1, z)
}

fn path(map: &str, a: Cell, b: Cell) -> BlockPath {
    nav(BlockAgent::default()).find_path(&world(map), &BlockPathRequest::to(a, b))
}

#[test]
fn corners_are_passed_by_the_middles_of_blocks() {
    let map = "........\n........\n....##..\n....##..\n....##..\n........";
    let found = path(map, at(2, 4), at(7, 3));
    let corners: Vec<[f32; 3]> = found.points.iter().map(|p| p.to_array()).collect();
    assert_eq!(corners, [[2.5, 1., 4.5], [3.5, 1., 5.5], [6.5, 1., 5.5], [7.5, 1., 3.5]]);
    // Two pillars that touch at a corner leave no gap.
    let shut = "...#...\n..#....\n.#.....\n#......";
    assert_eq!(path(shut, at(0, 0), at(6, 0)).status, PathStatus::Partial);
}

#[test]
fn ladders_doors_and_water_are_areas() {
    // A ladder up to the top of a pillar row.
    let map = "......\n..L##.\n......";
    let up = path(map, at(0, 0), Cell::new(4, 4, 1));
    assert_eq!((up.status, up.points.last().unwrap().y), (PathStatus::Complete, 4.0));
    let map = "..#..\n..D..\n..#..";
    assert_eq!(path(map, at(0, 0), at(4, 0)).status, PathStatus::Complete);
    let shut = BlockCosts::default().with(Block::DOOR_AREA, f32::INFINITY);
    let request = BlockPathRequest { costs: shut.clone(), ..BlockPathRequest::to(at(0, 0), at(4, 0)) };
    let mut locked = nav(BlockAgent::default());
    assert_eq!(locked.find_path(&world(map), &request).status, PathStatus::Partial);
    assert_eq!(locked.path_exists(&world(map), at(0, 0), at(4, 0), &shut, u32::MAX), Ok(false));
    // Swimming is shorter; if it is dear, the way leads around.
    let map = "..WWWW..\n..WWWW..\n........";
    let dear = BlockCosts::default().with(Block::WATER_AREA, 9.0);
    let across = path(map, at(0, 0), at(7, 0));
    let request = BlockPathRequest { costs: dear, ..BlockPathRequest::to(at(0, 0), at(7, 0)) };
    let around = nav(BlockAgent::default()).find_path(&world(map), &request);
    assert!(across.points.iter().any(|p| p.y == 0.0) && around.points.iter().all(|p| p.y == 1.0));
}

#[test]
fn drops_lead_one_way_and_heads_need_room() {
    let step = |x: i32, y: i32, _: i32| if y < if x < 5 { 4 } else { 1 } { Block::Solid } else { Block::Air };
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(9, 9, 3));
    let cliff = DenseBlocks::from_fn(bounds, step);
    let (top, bottom) = (Cell::new(1, 4, 1), Cell::new(8, 1, 1));
    let mut jumper = nav(BlockAgent { drop: 3, ..BlockAgent::default() });
    assert_eq!(jumper.find_path(&cliff, &BlockPathRequest::to(top, bottom)).status, PathStatus::Complete);
    assert_eq!(jumper.find_path(&cliff, &BlockPathRequest::to(bottom, top)).status, PathStatus::Partial);
    assert_eq!(jumper.path_exists(&cliff, top, bottom, &BlockCosts::default(), u32::MAX), Ok(true));
    assert_eq!(jumper.path_exists(&cliff, bottom, top, &BlockCosts::default(), u32::MAX), Ok(false));
    // A ceiling three above the lower floor: room to walk, none to climb.
    let low = DenseBlocks::from_fn(bounds, |x, y, _| match y {
        0 => Block::Solid,
        1 if x >= 5 => Block::Solid,
        3 if x < 5 => Block::Solid,
        _ => Block::Air,
    });
    let request = BlockPathRequest::to(Cell::new(1, 1, 1), Cell::new(8, 2, 1));
    assert_eq!(nav(BlockAgent::default()).find_path(&low, &request).status, PathStatus::Partial);
    let small = BlockAgent { height: 1, ..BlockAgent::default() };
    assert_eq!(nav(small).find_path(&low, &request).status, PathStatus::Complete);
}

#[test]
fn stairs_are_one_node_and_floors_over_each_other_are_told_apart() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(9, 14, 3));
    let stairs = DenseBlocks::from_fn(bounds, |x, y, _| if y <= x || y == 13 { Block::Solid } else { Block::Air });
    let mut nav = nav(BlockAgent::default());
    let up = nav.find_path(&stairs, &BlockPathRequest::to(Cell::new(0, 1, 1), Cell::new(9, 10, 1)));
    assert_eq!((up.nodes.len(), up.points.len()), (1, 2), "{up:?}");
    assert!((up.length - 9.0 * 2.0f32.sqrt()).abs() < 1e-4);
    let node = nav.node(up.nodes[0]).unwrap();
    assert_eq!(node.heights.len(), 40);
    assert_eq!(nav.node_of(Cell::new(4, 14, 1)), None);
    nav.find_path(&stairs, &BlockPathRequest::to(Cell::new(0, 14, 1), Cell::new(9, 14, 1)));
    assert_ne!(nav.node_of(Cell::new(4, 14, 1)), nav.node_of(Cell::new(4, 5, 1)));
}

#[test]
fn only_what_is_near_the_search_is_built_and_only_what_is_near_an_edit_is_lost() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(199, 3, 199));
    let mut floor = DenseBlocks::from_fn(bounds, |_, y, _| if y == 0 { Block::Solid } else { Block::Air });
    let mut nav = nav(BlockAgent::default());
    assert_eq!(nav.mini_mesh_state(at(5, 5)), MiniMeshState::Empty);
    let request = BlockPathRequest::to(at(5, 5), at(195, 5));
    let first = nav.find_path(&floor, &request);
    assert_eq!(first.length, 190.0);
    assert_eq!(nav.mini_mesh_count(&floor), Some(20 * 20 * 5));
    let stats = nav.stats();
    assert!(stats.built <= 60 && stats.connected >= 19 && stats.connected < stats.built, "{stats:?}");
    assert_eq!(nav.mini_mesh_state(at(5, 195)), MiniMeshState::Empty);
    assert!(nav.is_current(&first));
    floor.set(at(100, 100), Block::Solid);
    nav.invalidate(BlockBox::of(at(100, 100)));
    assert!(nav.is_current(&first), "far from the path");
    floor.set(at(105, 5), Block::Solid);
    nav.invalidate(BlockBox::of(at(105, 5)));
    assert!(!nav.is_current(&first));
    assert_eq!(nav.stats().built, stats.built - 1);
    let second = nav.find_path(&floor, &request);
    assert!(second.length > 190.0 && second.length < 190.1, "{} {:?}", second.length, second.points);
    // Everything thrown away, nothing is held.
    nav.invalidate(BlockBox::new(Cell::new(i32::MIN, i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX, i32::MAX)));
    assert_eq!((nav.stats().built, nav.nodes().count()), (0, 0));
}

#[test]
fn an_edit_beside_a_tile_leaves_its_nodes_and_mends_its_links() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(39, 6, 9));
    let mut floor = DenseBlocks::from_fn(bounds, |_, y, _| if y == 0 { Block::Solid } else { Block::Air });
    let mut nav = nav(BlockAgent::default());
    let request = BlockPathRequest::to(at(5, 5), at(15, 5));
    assert_eq!(nav.find_path(&floor, &request).length, 10.0);
    let beside = nav.node_of(at(9, 5));
    floor.set(at(10, 5), Block::Solid);
    nav.invalidate(BlockBox::of(at(10, 5)));
    assert_eq!((nav.node_of(at(9, 5)), nav.node_of(at(10, 4))), (beside, None));
    // One more on top, too high to climb.
    floor.set(Cell::new(10, 2, 5), Block::Solid);
    nav.invalidate(BlockBox::of(Cell::new(10, 2, 5)));
    let around = nav.find_path(&floor, &request);
    assert!(around.length > 10.0 && around.length < 10.5, "{around:?}");
    // A wall, and a hole in it where nobody could stand before.
    let wall = BlockBox::new(Cell::new(10, 1, 0), Cell::new(10, 3, 9));
    let mut build = |block, z: core::ops::RangeInclusive<i32>| {
        z.for_each(|z| (1..=3).for_each(|y| _ = floor.set(Cell::new(10, y, z), block)));
        nav.invalidate(wall);
        nav.find_path(&floor, &request).status
    };
    assert_eq!(build(Block::Solid, 0..=9), PathStatus::Partial);
    assert_eq!(build(Block::Air, 5..=5), PathStatus::Complete);
}

#[test]
fn stairs_round_a_tower_are_climbed_however_high_it_is() {
    // Twelve places round a pillar of four; every twelfth level of each is a stair.
    let ring = [[0, 0], [1, 0], [2, 0], [3, 0], [3, 1], [3, 2], [3, 3], [2, 3], [1, 3], [0, 3], [0, 2], [0, 1]];
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(3, 299, 3));
    let tower = DenseBlocks::from_fn(bounds, |x, y, z| match ring.iter().position(|&place| place == [x, z]) {
        Some(stair) if stair as i32 == y % 12 => Block::Solid,
        _ => Block::Air,
    });
    let [foot, top] = [Cell::new(0, 1, 0), Cell::new(0, 300, 1)];
    for [from, to] in [[foot, top], [top, foot]] {
        let found = nav(BlockAgent::default()).find_path(&tower, &BlockPathRequest::to(from, to));
        let grid = plain_grid_path(&tower, BlockAgent::default(), from, BlockBox::of(to));
        assert_eq!((found.status, grid.cells.len()), (PathStatus::Complete, 300));
        assert!((found.length / grid.length - 1.0).abs() < 1e-3, "{} for {}", found.length, grid.length);
    }
}

#[test]
fn boxes_are_entered_and_starts_in_the_air_are_told() {
    let map = "..........\n..........";
    let world = world(map);
    let mut nav = nav(BlockAgent::default());
    let goal = BlockBox::new(at(6, 0), at(9, 1));
    let found = nav.find_path(&world, &BlockPathRequest::to_box(at(0, 0), goal));
    assert_eq!((found.status, found.length), (PathStatus::Complete, 6.0));
    let none = nav.find_path(&world, &BlockPathRequest::to(Cell::new(0, 3, 0), at(1, 1)));
    assert_eq!((none.status, none.points.len()), (PathStatus::None, 0));
    assert_eq!(nav.nearest(&world, crate::Vec3::new(3.2, 1.4, 0.9), 2), Some(at(3, 0)));
    assert_eq!(nav.nearest(&world, crate::Vec3::new(3.2, 2.8, 0.9), 2), Some(at(3, 0)));
    assert_eq!(nav.nearest(&world, crate::Vec3::NAN, 2), None);
    let limited = BlockPathRequest { max_nodes: 1, ..BlockPathRequest::to(at(0, 0), Cell::new(99, 1, 0)) };
    assert_eq!(nav.find_path(&world, &limited).status, PathStatus::Partial);
}

#[test]
fn empty_boxes_hold_nothing_and_lead_nowhere() {
    let world = world("....\n....");
    let mut nav = nav(BlockAgent::default());
    let inverted = BlockBox { min: at(3, 1), max: at(2, 0) };
    assert!(inverted.is_empty() && !inverted.contains(at(2, 0)) && !BlockBox::of(at(0, 0)).is_empty());
    assert_eq!(inverted.size(), [0; 3]);
    let found = nav.find_path(&world, &BlockPathRequest::to_box(at(0, 0), inverted));
    assert_eq!((found.status, found.points.len()), (PathStatus::None, 0));
    assert_eq!(plain_grid_path(&world, BlockAgent::default(), at(0, 0), inverted), GridPath::default());
    let mut rng = Rng::new(1);
    assert_eq!(nav.random_in_box(&world, inverted, &mut rng), None);
    let nothing = BlockBox { min: Cell::new(0, 0, 0), max: Cell::new(-1, 4, 4) };
    assert_eq!(nav.random_in_box(&world, nothing, &mut rng), None);
    let path = nav.find_path(&world, &BlockPathRequest::to(at(0, 0), at(3, 0)));
    nav.invalidate(inverted);
    assert!(nav.is_current(&path));
    let void = DenseBlocks::new(nothing);
    assert_eq!((void.block(0, 0, 0), nav.mini_mesh_count(&void)), (Block::Air, Some(0)));
}

/// Ground without end, as far as numbers go.
struct Everywhere;

impl BlockSource for Everywhere {
    fn is_solid(&self, _: i32, y: i32, _: i32) -> bool {
        y <= 0
    }
}

#[test]
fn extreme_cells_are_answered() {
    let small = world("....\n....");
    let mut nav = nav(BlockAgent { width: 2, ..BlockAgent::default() });
    let mut rng = Rng::new(1);
    let costs = BlockCosts::default();
    for far in [i32::MIN, i32::MIN + 1, -(1 << 30), 1 << 30, i32::MAX - 1, i32::MAX] {
        for c in [Cell::new(far, 1, 0), Cell::new(0, far, 0), Cell::new(0, 1, far), Cell::new(far, far, far)] {
            let found = nav.find_path(&small, &BlockPathRequest::to(at(0, 0), c));
            assert_eq!(found.status, PathStatus::Partial, "{c:?}");
            assert_eq!(nav.find_path(&small, &BlockPathRequest::to(c, at(0, 0))).status, PathStatus::None);
            assert!(!nav.stands(&small, c) && nav.node_of(c).is_none());
            assert_eq!(nav.random_in_box(&Everywhere, BlockBox::of(c), &mut rng).is_some(), nav.stands(&Everywhere, c));
            nav.random_reachable(&small, c, u32::MAX, &costs, &mut rng);
            let limited = BlockPathRequest { max_nodes: 20, ..BlockPathRequest::to(at(0, 0), c) };
            nav.find_path(&Everywhere, &limited);
            let _ = plain_grid_path(&small, nav.settings().agent, at(0, 0), BlockBox::of(c));
            nav.invalidate(BlockBox::of(c));
            nav.invalidate(BlockBox::new(c, at(0, 0)));
        }
    }
    let (low, high) = (Cell::new(i32::MIN, i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX, i32::MAX));
    let all = BlockBox::new(low, high);
    assert_eq!(nav.find_path(&small, &BlockPathRequest::to_box(at(0, 0), all)).length, 0.0);
}

/// Two floors without end over each other: floods on them would never meet.
#[test]
fn limits_end_searches_in_worlds_without_end() {
    struct Floors;
    impl BlockSource for Floors {
        fn is_solid(&self, _: i32, y: i32, _: i32) -> bool {
            y == 0 || y == 9
        }
    }
    let mut nav = nav(BlockAgent::default());
    let (low, high, costs) = (at(0, 0), Cell::new(400, 10, 0), BlockCosts::default());
    assert_eq!(nav.path_exists(&Floors, low, high, &costs, 300), Err(LimitHit::Nodes));
    assert_eq!(nav.path_exists(&Floors, low, at(400, 0), &costs, 300), Ok(true));
    for max_nodes in [0, 1, 2, 7, 40, 60, 300] {
        for goal in [high, at(400, 0)] {
            let found = nav.find_path(&Floors, &BlockPathRequest { max_nodes, ..BlockPathRequest::to(low, goal) });
            assert!(found.visited <= max_nodes.max(2), "{} of {max_nodes}", found.visited);
            let cut = found.status == PathStatus::Partial;
            assert_eq!((cut, found.limit), (found.limit.is_some(), cut.then_some(LimitHit::Nodes)), "{max_nodes}");
            assert_eq!(cut, goal == high || max_nodes < 80, "{max_nodes}");
        }
    }
}

/// The search over nodes is limited, too: a patch can have many.
#[test]
fn a_limit_reached_among_nodes_leads_as_near_as_it_came() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(199, 3, 199));
    let speckled = DenseBlocks::from_fn(bounds, |x, y, z| match y {
        0 => Block::Solid,
        1 if (x * 7 + z * 3) % 11 == 0 => Block::Solid,
        _ => Block::Air,
    });
    let agent = BlockAgent { climb: 0, drop: 0, ..BlockAgent::default() };
    let mut nav = BlockNav::new(BlockSettings { agent, mini: 255 }).unwrap();
    let whole = BlockPathRequest::to(at(1, 1), at(197, 197));
    let free = nav.find_path(&speckled, &whole);
    assert_eq!((free.status, free.limit), (PathStatus::Complete, None));
    let limited = nav.find_path(&speckled, &BlockPathRequest { max_nodes: 20, ..whole });
    assert!(free.visited > 20 && limited.visited <= 20, "{} {}", free.visited, limited.visited);
    assert_eq!((limited.status, limited.limit), (PathStatus::Partial, Some(LimitHit::Nodes)));
    assert!(limited.length > 5.0, "{:?}", limited.points);
}

#[test]
fn requests_are_answered_in_order_after_the_changes() {
    let mut world = world("..........\n..........");
    let mut nav = nav(BlockAgent::default());
    let mut requests = BlockRequests::new();
    let ids: Vec<_> = (1..4).map(|x| requests.ask(BlockPathRequest::to(at(0, 0), at(x, 0)))).collect();
    requests.update(&mut nav, &world, crate::context::Budget::new(2));
    assert_eq!(requests.waiting(), 2);
    world.set(at(1, 0), Block::Solid);
    requests.changed(BlockBox::of(at(1, 0)));
    assert!(requests.withdraw(ids[1]) && !requests.withdraw(ids[0]));
    requests.update(&mut nav, &world, crate::context::Budget::unlimited());
    let answers: Vec<_> = std::iter::from_fn(|| requests.take_answer()).collect();
    assert_eq!(answers.iter().map(|a| a.0).collect::<Vec<_>>(), [ids[0], ids[2]]);
    assert!(answers[1].1.length > 3.0, "around the new block");
}

/// Hills, caves, bridges; with a few ladders, doors and ponds if `kinds`.
fn random_world(rng: &mut Rng, kinds: bool) -> DenseBlocks {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(SIDE - 1, HEIGHT - 1, SIDE - 1));
    let mut heights = vec![0; (SIDE * SIDE) as usize];
    for _ in 0..rng.below(60) {
        let [x, z, w, d] = [0; 4].map(|_: i32| rng.below(SIDE as u32) as i32);
        let up = rng.below(3) as i32 - 1;
        for i in 0..w.min(9) {
            for k in 0..d.min(9) {
                if x + i < SIDE && z + k < SIDE {
                    let h: &mut i32 = &mut heights[((z + k) * SIDE + x + i) as usize];
                    *h = (*h + up).clamp(0, HEIGHT - 3);
                }
            }
        }
    }
    let mut world =
        DenseBlocks::from_fn(
            bounds,
            |x, y, z| {
                if y <= heights[(z * SIDE + x) as usize] { Block::Solid } else { Block::Air }
            },
        );
    for _ in 0..rng.below(150) {
        let [x, y, z] = [SIDE, HEIGHT, SIDE].map(|n| rng.below(n as u32) as i32);
        let block = match rng.below(if kinds { 12 } else { 8 }) {
            0..=4 => Block::Solid,
            5..=7 => Block::Air,
            8 => Block::Water,
            9 => Block::Ladder,
            10 => Block::Door,
            _ => Block::Hazard,
        };
        for i in 0..rng.below(4) as i32 {
            world.set(if block == Block::Ladder { Cell::new(x, y + i, z) } else { Cell::new(x + i, y, z) }, block);
        }
    }
    world
}

fn random_agent(rng: &mut Rng) -> BlockAgent {
    let mut pick = |low: u32, high: u32| low + rng.below(high - low + 1);
    BlockAgent { climb: pick(0, 2), drop: pick(0, 3), height: pick(1, 3), width: pick(1, 2) }
}

/// Every sample of a path lies over a place where one can stand, or over the edge between two.
fn check_on_ground(nav: &BlockNav, world: &DenseBlocks, path: &BlockPath) {
    let width = nav.settings().agent.width as f32;
    for pair in path.points.windows(2) {
        for i in 0..=16 {
            let p = pair[0].lerp(pair[1], i as f32 / 16.0);
            let (x, z) = (p.x - width * 0.5, p.z - width * 0.5);
            // All places that the body touches must have a standing point within a step's reach.
            for (x, z) in [(x.floor(), z.floor()), (x.ceil(), z.floor()), (x.floor(), z.ceil()), (x.ceil(), z.ceil())] {
                let near = (p.y.floor() as i32 - 3..=p.y.ceil() as i32 + 3)
                    .any(|y| nav.stands(world, Cell::new(x as i32, y, z as i32)));
                assert!(near || on_lattice(p, width), "{p} is not over ground: {:?} {:?}", path.points, nav.settings());
            }
        }
    }
}

/// Within rounding of a line of middles, where `ceil` and `floor` name a place that is not touched.
fn on_lattice(p: crate::Vec3, width: f32) -> bool {
    [p.x, p.z].iter().any(|v| ((v - width * 0.5) - (v - width * 0.5).round()).abs() < 1e-3)
}

#[test]
fn what_plain_search_reaches_is_reached_at_about_its_length() {
    let (mut ours, mut grid, mut reached) = (0.0, 0.0, 0);
    for round in 0..150 {
        let mut rng = Rng::new(round);
        let world = random_world(&mut rng, round % 3 == 2);
        let agent = if round % 2 == 0 { BlockAgent::default() } else { random_agent(&mut rng) };
        let mini = [10, 4, 1, 17, 255][round as usize % 5];
        let mut nav = BlockNav::new(BlockSettings { agent, mini }).unwrap();
        for _ in 0..12 {
            let mut draw = || nav.random_in_box(&world, world.bounds().unwrap(), &mut rng);
            let (Some(a), Some(b)) = (draw(), draw()) else { continue };
            let plain = plain_grid_path(&world, agent, a, BlockBox::of(b));
            let found = nav.find_path(&world, &BlockPathRequest::to(a, b));
            let reaches = !plain.cells.is_empty();
            assert_eq!(found.status == PathStatus::Complete, reaches, "round {round}: {a:?} to {b:?}, {agent:?}");
            assert_eq!(nav.path_exists(&world, a, b, &BlockCosts::default(), u32::MAX), Ok(reaches), "round {round}");
            if reaches {
                assert_eq!(found.points.last(), Some(&nav.position(b)), "round {round}");
                let straight = nav.position(a).distance(nav.position(b));
                assert!(found.length >= straight - 1e-3, "round {round}: shorter than the straight line");
                check_on_ground(&nav, &world, &found);
                let beyond = places(&nav, &found).into_iter().find(|&c| {
                    !nav.node_of(c).is_some_and(|node| found.nodes.contains(&node) || found.beside.contains(&node))
                });
                assert_eq!(beyond, None, "round {round}: no listed node holds it, {:?}", found.points);
                (ours, grid, reached) = (ours + found.length, grid + plain.length, reached + 1);
            }
        }
    }
    assert!(reached > 300, "{reached}");
    assert!(ours <= grid * 1.05, "{ours} against {grid}");
}

/// The standing points that a path leads through exactly.
fn places(nav: &BlockNav, path: &BlockPath) -> Vec<Cell> {
    let half = nav.settings().agent.width as f32 * 0.5;
    let mut found = Vec::new();
    for pair in path.points.windows(2) {
        let run = (pair[1] - pair[0]).abs();
        let steps = run.x.max(run.z).round() as u32;
        for i in 0..=steps {
            let p = pair[0].lerp(pair[1], i as f32 / steps.max(1) as f32) - crate::Vec3::new(half, 0.0, half);
            if (p - p.round()).abs().max_element() < 1e-3 {
                let c = p.round().as_ivec3();
                found.push(Cell::new(c.x, c.y, c.z));
            }
        }
    }
    found
}

/// Random edits to one navigation, held against one that is made from nothing every time.
fn edit_and_compare(edits: u32, every: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut world = random_world(&mut rng, true);
    let agent = random_agent(&mut rng);
    let settings = BlockSettings { agent, mini: 6 };
    let mut nav = BlockNav::new(settings).unwrap();
    let kinds = [Block::Air, Block::Air, Block::Solid, Block::Solid, Block::Ladder, Block::Water, Block::Door];
    let mut kept: Vec<BlockPath> = Vec::new();
    for i in 0..edits {
        let [x, y, z] = [SIDE, HEIGHT, SIDE].map(|n| rng.below(n as u32) as i32);
        // Half of the edits fall on a way that was found before.
        let aim: Option<&BlockPath> = kept.get(rng.below(2 * kept.len() as u32 + 1) as usize);
        let on_way = aim.map(|path| places(&nav, path)).filter(|places| !places.is_empty());
        let [x, y, z] = on_way.map_or([x, y, z], |places| {
            let c = places[rng.below(places.len() as u32) as usize];
            [c.x, c.y, c.z]
        });
        // Over the ground more often than in it.
        let block = kinds[rng.below(kinds.len() as u32) as usize];
        world.set(Cell::new(x, y, z), block);
        nav.invalidate(BlockBox::of(Cell::new(x, y, z)));
        // What is said to be current can still be walked.
        kept.retain(|path| nav.is_current(path));
        for path in &kept {
            let gone = places(&nav, path).into_iter().find(|&c| !nav.stands(&world, c));
            assert_eq!(gone, None, "seed {seed}, edit {i}: still on the way {:?}, {agent:?}", path.points);
        }
        if i % every != 0 {
            continue;
        }
        let mut draw = || nav.random_in_box(&world, world.bounds().unwrap(), &mut rng);
        let (Some(a), Some(b)) = (draw(), draw()) else { continue };
        let mut fresh = BlockNav::new(settings).unwrap();
        let request = BlockPathRequest::to(a, b);
        let (old, new) = (nav.find_path(&world, &request), fresh.find_path(&world, &request));
        let answer = |p: &BlockPath| (p.status, p.points.clone(), p.length, p.visited);
        assert_eq!(answer(&old), answer(&new), "seed {seed}, edit {i}: {a:?} to {b:?}, {agent:?}");
        let exists = [&mut nav, &mut fresh].map(|n| n.path_exists(&world, a, b, &request.costs, u32::MAX));
        assert_eq!(exists, [Ok(old.status == PathStatus::Complete); 2], "seed {seed}, edit {i}");
        assert_eq!(nav.node(old.nodes[0]), fresh.node(new.nodes[0]));
        kept.push(old);
    }
}

#[test]
fn edited_worlds_answer_as_if_built_anew() {
    (0..12).for_each(|seed| edit_and_compare(600, 3, seed));
}

/// A ladder leads to the surface of water when the water above it goes, also for who climbs nothing.
#[test]
fn a_ladder_notices_what_happens_above_its_next_rung() {
    let block = |x: i32, y: i32| match (x, y) {
        (_, 0) | (0, 1..=2) => Block::Solid,
        (1, 1) => Block::Ladder,
        (1, 2..=3) | (2, 2..=3) => Block::Water,
        (2, 1) => Block::Solid,
        _ => Block::Air,
    };
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(2, 5, 0));
    let mut world = DenseBlocks::from_fn(bounds, |x, y, _| block(x, y));
    let mut nav = nav(BlockAgent { climb: 0, drop: 0, height: 1, width: 1 });
    let request = BlockPathRequest::to(Cell::new(1, 1, 0), Cell::new(1, 2, 0));
    assert_eq!(nav.find_path(&world, &request).status, PathStatus::Partial);
    world.set(Cell::new(1, 3, 0), Block::Air);
    nav.invalidate(BlockBox::of(Cell::new(1, 3, 0)));
    assert_eq!(nav.find_path(&world, &request).status, PathStatus::Complete);
}

/// A million edits. `cargo test --release -p wayfare --lib blocks -- --ignored`, some minutes.
#[test]
#[ignore = "a million edits take minutes (cargo xtask ci --slow)"]
fn a_million_edits_answer_as_if_built_anew() {
    (100..200).for_each(|seed| edit_and_compare(10_000, 10, seed));
}

/// That there is a path is found out without looking at most of what finding one takes.
#[test]
fn whether_a_path_exists_costs_less_than_the_path() {
    let (mut rng, mut nodes, mut built) = (Rng::new(4), [0, 0], [0, 0]);
    for _ in 0..20 {
        let world = random_world(&mut rng, false);
        let settings = BlockSettings { agent: BlockAgent::default(), mini: 4 };
        let fresh = || BlockNav::new(settings).unwrap();
        let mut draw = || fresh().random_in_box(&world, world.bounds().unwrap(), &mut rng);
        let (Some(a), Some(b)) = (draw(), draw()) else { continue };
        let (mut asked, mut found) = (fresh(), fresh());
        let path = found.find_path(&world, &BlockPathRequest::to(a, b));
        let enough = |most| asked.clone().path_exists(&world, a, b, &BlockCosts::default(), most).is_ok();
        nodes[0] += (0..).find(|&most| enough(most)).unwrap();
        nodes[1] += path.visited;
        asked.path_exists(&world, a, b, &BlockCosts::default(), u32::MAX).unwrap();
        built = [built[0] + asked.stats().built, built[1] + found.stats().built];
    }
    assert!(2 * nodes[0] < nodes[1] && built[0] <= built[1], "{nodes:?} looked at, {built:?} built");
}

#[test]
fn random_points_can_be_stood_on_and_reached() {
    let world = world("....#....\n....#....\n....#....");
    let mut nav = nav(BlockAgent::default());
    let mut rng = Rng::new(8);
    let mut seen = [0u32; 12];
    for _ in 0..1200 {
        let c = nav.random_reachable(&world, at(0, 0), 50, &BlockCosts::default(), &mut rng).unwrap();
        assert!(c.x < 4 && nav.stands(&world, c), "{c:?}");
        seen[(c.z * 4 + c.x) as usize] += 1;
    }
    assert!(seen.iter().all(|&n| (60..150).contains(&n)), "{seen:?}");
    // In a box over the whole of it, every standing point as often as any other: the pillars' tops among them.
    let (mut drawn, most) = (std::collections::BTreeMap::new(), 2700);
    for _ in 0..most {
        let c = nav.random_in_box(&world, world.bounds().unwrap(), &mut rng).unwrap();
        assert!(nav.stands(&world, c), "{c:?}");
        *drawn.entry((c.x, c.y, c.z)).or_insert(0) += 1;
    }
    assert_eq!((drawn.len(), drawn.values().sum::<i32>()), (27, most));
    assert!(drawn.values().all(|n| (60..150).contains(n)), "{drawn:?}");
    let one = BlockBox::new(at(6, 1), at(6, 1));
    assert_eq!(nav.random_in_box(&world, one, &mut rng), Some(at(6, 1)));
    let nothing = BlockBox::new(Cell::new(0, 3, 0), Cell::new(3, 5, 2));
    assert_eq!(nav.random_in_box(&world, nothing, &mut rng), None);
    assert_eq!(nav.random_reachable(&world, Cell::new(0, 5, 0), 5, &BlockCosts::default(), &mut rng), None);
}

#[test]
fn settings_out_of_range_are_refused() {
    let with = |agent| BlockNav::new(BlockSettings { agent, mini: 10 }).err();
    let flat = BlockAgent { height: 0, ..BlockAgent::default() };
    assert!(with(flat).unwrap().to_string().contains("height is 0"));
    assert!(BlockNav::new(BlockSettings { mini: 0, ..BlockSettings::default() }).is_err());
    assert!(BlockNav::new(BlockSettings { mini: 256, ..BlockSettings::default() }).is_err());
}

/// What leads from one patch to another is known to both.
#[test]
fn links_are_seen_from_both_sides() {
    for seed in 100..120 {
        let mut rng = Rng::new(seed);
        let world = random_world(&mut rng, true);
        let mut nav = BlockNav::new(BlockSettings { agent: random_agent(&mut rng), mini: 10 }).unwrap();
        // Wide bodies stand half outside of the world, too.
        let wide = SIDE + 1;
        for i in 0..wide * wide * (HEIGHT + 1) {
            let mut view = nav.view(&world);
            let node = view.node_at(Cell::new(i % wide - 1, i / (wide * wide), i / wide % wide - 1));
            if node != crate::math::index::NONE {
                view.connect(node);
            }
        }
        // From, to, and whether it is walked that way.
        let mut ways = Vec::new();
        for (from, patch) in nav.store.patches.iter().enumerate() {
            for link in &patch.links {
                let to = nav.store.nodes[link.to as usize].patch as usize;
                if link.ways & node::FORTH != 0 {
                    ways.push((from, to, true));
                }
                if link.ways & node::BACK != 0 {
                    ways.push((to, from, false));
                }
            }
        }
        let both = |&(from, to, known): &(usize, usize, bool)| ways.contains(&(from, to, !known));
        assert!(ways.iter().all(both), "seed {seed}");
    }
}
