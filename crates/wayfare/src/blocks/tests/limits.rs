//! Limits, extreme cells, unbounded worlds, invalid settings.

use super::*;

#[test]
fn empty_boxes_hold_nothing_and_lead_nowhere() {
    let world = world("....\n....");
    let mut nav = nav(BlockAgent::default());
    let inverted = BlockBox { min: at(3, 1), max: at(2, 0) };
    assert!(inverted.is_empty() && !inverted.contains(at(2, 0)) && !BlockBox::of(at(0, 0)).is_empty());
    assert_eq!(inverted.size(), [0; 3]);
    let found = nav.find_path(&world, &BlockPathRequest::to_box(at(0, 0), inverted));
    assert_eq!((found.status, found.points.len()), (PathStatus::None, 0));
    assert_eq!(plain_grid_path(&world, BlockAgent::default(), at(0, 0), inverted), BlockGridPath::default());
    let mut rng = Rng::new(1);
    assert_eq!(nav.random_in_box(&world, inverted, &mut rng), None);
    let nothing = BlockBox { min: Cell::new(0, 0, 0), max: Cell::new(-1, 4, 4) };
    assert_eq!(nav.random_in_box(&world, nothing, &mut rng), None);
    let path = nav.find_path(&world, &BlockPathRequest::to(at(0, 0), at(3, 0)));
    nav.invalidate(inverted);
    assert!(nav.is_current(&path));
    let void = DenseBlocks::new(nothing).unwrap();
    assert_eq!((void.block(0, 0, 0), nav.mini_mesh_count(&void)), (Block::Air, Some(0)));
}

/// Solid blocks as far as the coordinates go.
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

/// Where surfaces end because the coordinates do, there is an edge like any other.
#[test]
fn the_end_of_the_numbers_is_an_edge() {
    let (costs, mut rng) = (BlockCosts::default(), Rng::new(4));
    for axis in [0, 1] {
        for (end, back) in [(1 << 30, -1), (-(1 << 30), 1)] {
            let cell = |d: i32| {
                let far = end + back * d;
                if axis == 0 { Cell::new(far, 1, 1) } else { Cell::new(1, 1, far) }
            };
            for near in [0, 1, 3, 9, 12, 25] {
                let mut nav = nav(BlockAgent::default());
                let found = nav.find_path(&Everywhere, &BlockPathRequest::to(cell(near + 6), cell(near)));
                assert_eq!(found.status, PathStatus::Complete, "{:?}", cell(near));
                let limited = BlockPathRequest { max_nodes: 200, ..BlockPathRequest::to(cell(near), cell(-1)) };
                assert_eq!(nav.find_path(&Everywhere, &limited).status, PathStatus::Partial);
                let drawn = nav.random_reachable(&Everywhere, cell(near), 10, &costs, &mut rng).unwrap();
                assert!(nav.stands(&Everywhere, drawn), "{drawn:?}");
            }
        }
    }
    let nav = nav(BlockAgent::default());
    let high = |y: i32| Cell::new(0, y, 0);
    assert!(!nav.stands(&Everywhere, high(1 << 30)) && nav.stands(&Everywhere, high(1)));
}

/// Two unbounded floors above each other: floods on them would never meet.
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

/// Nobody has to know that the world is endless.
#[test]
fn in_an_endless_world_a_search_ends_by_default() {
    struct Ground;
    impl BlockSource for Ground {
        fn is_solid(&self, _: i32, y: i32, _: i32) -> bool {
            y < 1
        }
    }
    let mut nav = BlockNav::new(BlockSettings { mini: 1, ..BlockSettings::default() }).unwrap();
    // In the air, and too many blocks for a flood from there.
    let sky = BlockBox::new(Cell::new(40, 50, 0), Cell::new(59, 79, 19));
    let found = nav.find_path(&Ground, &BlockPathRequest::to_box(at(0, 0), sky));
    assert_eq!((found.status, found.limit), (PathStatus::Partial, Some(LimitHit::Nodes)));
    assert!(found.visited <= BlockPathRequest::DEFAULT_MAX_NODES);
}

/// The search over nodes is limited too: a patch can have many.
#[test]
fn a_limit_reached_among_nodes_leads_as_near_as_it_came() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(199, 3, 199));
    let speckled = DenseBlocks::from_fn(bounds, |x, y, z| match y {
        0 => Block::Solid,
        1 if (x * 7 + z * 3) % 11 == 0 => Block::Solid,
        _ => Block::Air,
    })
    .unwrap();
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
fn settings_out_of_range_are_refused() {
    let with = |agent| BlockNav::new(BlockSettings { agent, mini: 10 }).err();
    let flat = BlockAgent { height: 0, ..BlockAgent::default() };
    assert!(with(flat).unwrap().to_string().contains("height is 0"));
    let wide = |width| with(BlockAgent { width, ..BlockAgent::default() }).map(|e| e.to_string());
    assert_eq!((wide(16), wide(17)), (None, Some("width is 17 blocks, but must be 1 to 16".to_owned())));
    let tall = |height| with(BlockAgent { height, ..BlockAgent::default() });
    assert!(tall(256).is_none() && tall(257).is_some());
    assert!(BlockNav::new(BlockSettings { mini: 0, ..BlockSettings::default() }).is_err());
    assert!(BlockNav::new(BlockSettings { mini: 256, ..BlockSettings::default() }).is_err());
}

/// A path of the greatest cost is still a path: it has points, and is taken if there is no other.
#[test]
fn ground_that_costs_all_there_is_can_be_walked() {
    let world = world("WWWWWWWW\n#..#####\nWWWWWWWW");
    for cost in [1e20, 1e30, f32::MAX] {
        let costs = BlockCosts::default().with(Block::WATER_AREA, cost);
        let mut nav = BlockNav::new(BlockSettings { mini: 1, ..BlockSettings::default() }).unwrap();
        let [from, to] = [at(0, 0), at(7, 2)].map(|c| nav.nearest(&world, nav.position(c), 2).unwrap());
        let found = nav.find_path(&world, &BlockPathRequest { costs, ..BlockPathRequest::to(from, to) });
        assert_eq!((found.status, found.points.last()), (PathStatus::Complete, Some(&nav.position(to))), "{cost}");
    }
}
