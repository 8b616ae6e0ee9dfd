//! Random worlds compared with plain A*.

use super::*;

#[test]
fn what_plain_search_reaches_is_reached_at_about_its_length() {
    let (mut ours, mut grid, mut reached) = (0.0, 0.0, 0);
    for round in 0..150 {
        let mut rng = Rng::new(round);
        let world = random_world(&mut rng, round % 3 == 2);
        let agent = if round % 2 == 0 { BlockAgent::default() } else { random_agent(&mut rng) };
        let mini = [10, 4, 1, 17, 255, 2, 3, 13][round as usize % 8];
        let mut nav = BlockNav::new(BlockSettings { agent, mini }).unwrap();
        for _ in 0..12 {
            let mut draw = || nav.random_in_box(&world, world.bounds().unwrap(), &mut rng);
            let (Some(a), Some(b)) = (draw(), draw()) else { continue };
            let plain = plain_grid_path(&world, agent, a, BlockBox::of(b));
            let found = nav.find_path(&world, &BlockPathRequest::to(a, b));
            let reaches = !plain.cells.is_empty();
            assert_eq!(found.status == PathStatus::Complete, reaches, "round {round}: {a:?} to {b:?}, {agent:?}");
            assert_eq!(nav.path_exists(&world, a, b, &BlockCosts::default(), u32::MAX), Ok(reaches), "round {round}");
            let corner = random_cell(&mut rng, world.bounds().unwrap());
            let goal = BlockBox::new(b, Cell::new((b.x + corner.x) / 2, (b.y + corner.y) / 2, (b.z + corner.z) / 2));
            let entered = plain_grid_path(&world, agent, a, goal);
            let into = nav.find_path(&world, &BlockPathRequest::to_box(a, goal));
            let enters = !entered.cells.is_empty();
            assert_eq!(into.status == PathStatus::Complete, enters, "round {round}: {a:?} into {goal:?}, {agent:?}");
            if enters {
                let end = nav.nearest(&world, *into.points.last().unwrap(), 0);
                assert!(end.is_some_and(|end| goal.contains(end)), "round {round}: {end:?} is not in {goal:?}");
                assert_eq!(goal.contains(a), into.length == 0.0, "round {round}");
                assert_eq!(legality::fault(&world, agent, &into.points), None, "round {round}: into {goal:?}");
            }
            if reaches {
                assert_eq!(found.points.last(), Some(&nav.position(b)), "round {round}");
                let straight = nav.position(a).distance(nav.position(b));
                assert!(found.length >= straight - 1e-3, "round {round}: shorter than the straight line");
                let fault = legality::fault(&world, agent, &found.points);
                assert_eq!(fault, None, "round {round}: {a:?} to {b:?}, {agent:?}, {:?}", found.points);
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

/// Deciding whether a path exists visits only a small part of what finding it does.
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

/// Both patches have the links between them.
#[test]
fn links_are_seen_from_both_sides() {
    for seed in 100..120 {
        let mut rng = Rng::new(seed);
        let world = random_world(&mut rng, true);
        let mut nav = BlockNav::new(BlockSettings { agent: random_agent(&mut rng), mini: 10 }).unwrap();
        // Wide bodies can also stand half outside the world.
        let wide = SIDE + 2;
        let low = world.bounds().unwrap().min;
        for i in 0..wide * wide * (HEIGHT + 1) {
            let mut view = nav.view(&world);
            let [x, y, z] = [i % wide - 2, i / (wide * wide), i / wide % wide - 2];
            let node = view.node_at(Cell::new(low.x + x, low.y + y, low.z + z));
            if node != crate::math::index::NONE {
                view.connect(node);
            }
        }
        // From, to, and the directions in which it can be walked.
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

/// Closed areas are not entered, and an agent that starts in one leaves it, whatever the cost beyond.
#[test]
fn areas_that_are_not_entered_are_left() {
    let areas = [Block::WATER_AREA, Block::DOOR_AREA, Block::LADDER_AREA, crate::area::AreaId::WALKABLE];
    let (mut left, mut kept_out) = (0, 0);
    for round in 0..150 {
        let mut rng = Rng::new(5000 + round);
        let mut world = random_world(&mut rng, true);
        let bounds = world.bounds().unwrap();
        for _ in 0..rng.below(4) {
            // Ponds and halls of doors, in the terrain and above it.
            let block = [Block::Water, Block::Door, Block::Air][rng.below(3) as usize];
            let (low, [w, d]) = (random_cell(&mut rng, bounds), [0; 2].map(|_: i32| 3 + rng.below(12) as i32));
            for (x, z) in (0..w).flat_map(|x| (0..d).map(move |z| (x, z))) {
                world.set(Cell::new(low.x + x, low.y, low.z + z), block);
            }
        }
        let agent = if round % 2 == 0 { BlockAgent::default() } else { random_agent(&mut rng) };
        let mut nav = BlockNav::new(BlockSettings { agent, mini: 1 + rng.below(16) }).unwrap();
        let dear = |rng: &mut Rng| [1.0, 3.5, f32::INFINITY, f32::NAN][rng.below(4) as usize];
        let costs = areas.iter().fold(BlockCosts::default(), |costs, &area| costs.with(area, dear(&mut rng)));
        for _ in 0..8 {
            let mut draw = || nav.random_in_box(&world, bounds, &mut rng);
            let (Some(a), Some(b)) = (draw(), draw()) else { continue };
            let reached = flood(&world, agent, &costs, a);
            let said = format!("round {round}: {a:?} to {b:?}, {agent:?}, {:?}", areas.map(|area| costs.of(area)));
            let found = nav.find_path(&world, &BlockPathRequest { costs: costs.clone(), ..BlockPathRequest::to(a, b) });
            assert_eq!(found.status == PathStatus::Complete, reached.contains(&b), "{said}");
            assert_eq!(found.limit, None, "{said}");
            assert_eq!(nav.path_exists(&world, a, b, &costs, u32::MAX), Ok(reached.contains(&b)), "{said}");
            let fault = legality::fault(&world, agent, &found.points);
            assert_eq!(fault, None, "{said}: {:?}", found.points);
            let ground = ground::Ground::new(&world, agent);
            let mut is_in = true;
            for c in places(&nav, &found) {
                let barred = costs.of(ground.area(c)).is_none();
                assert!(is_in || !barred, "{said}: {c:?} is entered, {:?}", found.points);
                is_in &= barred;
            }
            let c = nav.random_reachable(&world, a, 99, &costs, &mut rng).unwrap();
            assert!(reached.contains(&c), "{said}: {c:?}");
            left += u32::from(costs.of(ground.area(a)).is_none() && found.points.len() > 2);
            kept_out += u32::from(found.status == PathStatus::Partial);
        }
    }
    assert!(left > 20 && kept_out > 100, "{left} left, {kept_out} kept out");
}
