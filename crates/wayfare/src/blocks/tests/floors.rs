//! Level floors: straight paths where there are no obstacles, and about as short as plain A* where there are.

use super::*;

/// A floor with this many walls of one to six blocks on it.
fn floor(side: i32, walls: u32, rng: &mut Rng) -> DenseBlocks {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(side - 1, 3, side - 1));
    let mut world = DenseBlocks::from_fn(bounds, |_, y, _| if y == 0 { Block::Solid } else { Block::Air }).unwrap();
    for _ in 0..walls {
        let Cell { x, z, .. } = random_cell(rng, bounds);
        let (length, along_x) = (1 + rng.below(6) as i32, rng.below(2) as i32);
        for (i, y) in (0..length).flat_map(|i| (1..4).map(move |y| (i, y))) {
            world.set(Cell::new(x + i * along_x, y, z + i * (1 - along_x)), Block::Solid);
        }
    }
    world
}

fn nav_of(mini: u32) -> BlockNav {
    BlockNav::new(BlockSettings { agent: BlockAgent::default(), mini }).unwrap()
}

/// A random cell of a floor.
fn random_place(side: i32, rng: &mut Rng) -> Cell {
    let [x, z] = [0; 2].map(|_: i32| rng.below(side as u32) as i32);
    at(x, z)
}

#[test]
fn ways_over_an_open_floor_are_straight_however_it_was_cut() {
    for (side, mini) in [13, 20, 40].into_iter().flat_map(|side| [1, 3, 10, 16].map(|mini| (side, mini))) {
        let mut rng = Rng::new(71);
        let mut world = floor(side, 0, &mut rng);
        let mut nav = nav_of(mini);
        for _ in 0..40 {
            let (a, b) = (random_place(side, &mut rng), random_place(side, &mut rng));
            let path = nav.find_path(&world, &BlockPathRequest::to(a, b));
            let ends = [a, b].map(|c| nav.position(c));
            let straight = ends[0].distance(ends[1]);
            assert!((path.length - straight).abs() < 1e-4, "side {side}, mini {mini}: {:?}", path.points);
            // A path refers to every node that it crosses, including those outside its corridor.
            let p = ends[0].lerp(ends[1], rng.unit());
            let block = at(p.x as i32, p.z as i32);
            world.set(block, Block::Solid);
            nav.invalidate(BlockBox::of(block));
            assert!(!nav.is_current(&path), "side {side}, mini {mini}: {:?} with {block:?} on it", path.points);
            world.set(block, Block::Air);
            nav.invalidate(BlockBox::of(block));
        }
    }
}

#[test]
fn ways_between_walls_are_about_as_short_as_those_of_plain_search() {
    let agent = BlockAgent::default();
    for (walls, mini) in [2, 20, 80].into_iter().flat_map(|walls| [1, 3, 10, 255].map(|mini| (walls, mini))) {
        let (mut rng, side) = (Rng::new(72), 40);
        let (mut ours, mut grid) = (0.0, 0.0);
        for _ in 0..5 {
            let world = floor(side, walls, &mut rng);
            let mut nav = nav_of(mini);
            for _ in 0..30 {
                let (a, b) = (random_place(side, &mut rng), random_place(side, &mut rng));
                let plain = plain_grid_path(&world, agent, a, BlockBox::of(b));
                let path = nav.find_path(&world, &BlockPathRequest::to(a, b));
                assert_eq!(path.status == PathStatus::Complete, !plain.cells.is_empty());
                if path.status != PathStatus::Complete {
                    continue;
                }
                let said = format!("{walls} walls, mini {mini}: {:?}", path.points);
                assert_eq!(legality::fault(&world, agent, &path.points), None, "{said}");
                let anew = nav_of(mini).find_path(&world, &BlockPathRequest::to(a, b));
                assert_eq!(path.points, anew.points, "{said}: what was built before matters");
                (ours, grid) = (ours + path.length, grid + plain.length);
            }
        }
        assert!(grid > 1000.0 && ours <= grid * 1.05, "{walls} walls, mini {mini}: {ours} against {grid}");
    }
}

/// The straight line is shorter, but not cheaper.
#[test]
fn lines_lead_over_no_ground_that_is_dearer_than_the_way() {
    let row = "............\n";
    let pond = "....DDDDD...\n";
    let world = world(&[row.repeat(6), pond.repeat(2), row.repeat(4)].concat());
    let (from, to) = (at(0, 6), at(11, 7));
    for mini in [1, 3, 4, 10] {
        let mut nav = nav_of(mini);
        let mut length = |cost| {
            let costs = BlockCosts::default().with(Block::DOOR_AREA, cost);
            nav.find_path(&world, &BlockPathRequest { costs, ..BlockPathRequest::to(from, to) }).length
        };
        let straight = nav_of(mini).position(from).distance(nav_of(mini).position(to));
        assert!((length(1.0) - straight).abs() < 1e-4 && length(8.0) > straight + 0.2, "mini {mini}");
        assert_eq!(length(8.0), length(f32::INFINITY), "mini {mini}");
    }
}
