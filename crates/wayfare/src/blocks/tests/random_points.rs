//! Random standing points.

use super::*;

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
    // In a box around the whole world every standing point is equally frequent, the tops of pillars among them.
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
    // Cells beyond the world's bounds are not read, however large the box.
    let bounds = world.bounds().unwrap();
    let top = BlockBox::new(Cell::new(i32::MIN, bounds.max.y + 1, i32::MIN), Cell::new(i32::MAX, i32::MAX, i32::MAX));
    let stands = nav.random_in_box(&world, top, &mut rng).is_some();
    assert_eq!(stands, drawn.keys().any(|(_, y, _)| *y > bounds.max.y));
    let nothing = BlockBox::new(Cell::new(0, 3, 0), Cell::new(3, 5, 2));
    assert_eq!(nav.random_in_box(&world, nothing, &mut rng), None);
    assert_eq!(nav.random_reachable(&world, Cell::new(0, 5, 0), 5, &BlockCosts::default(), &mut rng), None);
}

#[test]
fn all_standing_points_of_a_box_are_listed_once() {
    let mut total = 0;
    for round in 0..40 {
        let mut rng = Rng::new(round);
        let mut world = random_world(&mut rng, true);
        let bounds = world.bounds().unwrap();
        // Mostly air, so that draws find no standing point.
        let keep = random_cell(&mut rng, bounds);
        for c in cells(bounds).filter(|c| c.x < keep.x || c.y > keep.y) {
            world.set(c, Block::Air);
        }
        let agent = random_agent(&mut rng);
        let ground = ground::Ground::new(&world, agent);
        let room = bounds.standing_room(agent.width);
        let mut listed = Vec::new();
        random::each_place(&ground, room, |c| listed.push(c));
        listed.sort_unstable();
        let mut stood: Vec<Cell> = cells(room).filter(|&c| ground.stands(c)).collect();
        stood.sort_unstable();
        assert_eq!(listed, stood, "round {round}, {agent:?}");
        total += listed.len();
    }
    assert!(total > 1000, "{total}");
    // A tower higher than what is read at a time, and the ends of the coordinate range.
    let tower = HeightMapBlocks::new(1, vec![700]);
    let ground = ground::Ground::new(&tower, BlockAgent::default());
    let mut listed = Vec::new();
    let ends = [-1000, 1000].map(|y| Cell::new(0, y, 0));
    random::each_place(&ground, BlockBox::new(ends[0], ends[1]), |c| listed.push(c.y));
    assert_eq!(listed, [700]);
    let corner = BlockBox::new(Cell::new(i32::MAX - 1, i32::MIN, 0), Cell::new(i32::MAX, i32::MIN + 1, 0));
    random::each_place(&ground, corner, |c| panic!("{c:?}"));
}

fn cells(b: BlockBox) -> impl Iterator<Item = Cell> {
    let column = move |x, z| (b.min.y..=b.max.y).map(move |y| Cell::new(x, y, z));
    (b.min.x..=b.max.x).flat_map(move |x| (b.min.z..=b.max.z).flat_map(move |z| column(x, z)))
}
