//! Worlds drawn as maps: bodies, steps, areas, boxes.

use super::*;

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
    // A ladder to the top of a row of pillars.
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
    // Swimming is shorter; if it is expensive, the path goes around.
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
    let cliff = DenseBlocks::from_fn(bounds, step).unwrap();
    let (top, bottom) = (Cell::new(1, 4, 1), Cell::new(8, 1, 1));
    let mut jumper = nav(BlockAgent { drop: 3, ..BlockAgent::default() });
    assert_eq!(jumper.find_path(&cliff, &BlockPathRequest::to(top, bottom)).status, PathStatus::Complete);
    assert_eq!(jumper.find_path(&cliff, &BlockPathRequest::to(bottom, top)).status, PathStatus::Partial);
    assert_eq!(jumper.path_exists(&cliff, top, bottom, &BlockCosts::default(), u32::MAX), Ok(true));
    assert_eq!(jumper.path_exists(&cliff, bottom, top, &BlockCosts::default(), u32::MAX), Ok(false));
    // A ceiling three above the lower floor: room to walk, but not to climb.
    let low = DenseBlocks::from_fn(bounds, |x, y, _| match y {
        0 => Block::Solid,
        1 if x >= 5 => Block::Solid,
        3 if x < 5 => Block::Solid,
        _ => Block::Air,
    })
    .unwrap();
    let request = BlockPathRequest::to(Cell::new(1, 1, 1), Cell::new(8, 2, 1));
    assert_eq!(nav(BlockAgent::default()).find_path(&low, &request).status, PathStatus::Partial);
    let small = BlockAgent { height: 1, ..BlockAgent::default() };
    assert_eq!(nav(small).find_path(&low, &request).status, PathStatus::Complete);
}

#[test]
fn stairs_are_one_node_and_floors_over_each_other_are_told_apart() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(9, 14, 3));
    let stairs =
        DenseBlocks::from_fn(bounds, |x, y, _| if y <= x || y == 13 { Block::Solid } else { Block::Air }).unwrap();
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
fn stairs_round_a_tower_are_climbed_however_high_it_is() {
    // Twelve cells around a pillar of four; every twelfth level of each is a stair.
    let ring = [[0, 0], [1, 0], [2, 0], [3, 0], [3, 1], [3, 2], [3, 3], [2, 3], [1, 3], [0, 3], [0, 2], [0, 1]];
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(3, 299, 3));
    let tower = DenseBlocks::from_fn(bounds, |x, y, z| match ring.iter().position(|&place| place == [x, z]) {
        Some(stair) if stair as i32 == y % 12 => Block::Solid,
        _ => Block::Air,
    })
    .unwrap();
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
