//! Edits: what a change discards, and that an edited world gives the same results as one built anew.

use super::*;

#[test]
fn only_what_is_near_the_search_is_built_and_only_what_is_near_an_edit_is_lost() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(199, 3, 199));
    let mut floor = DenseBlocks::from_fn(bounds, |_, y, _| if y == 0 { Block::Solid } else { Block::Air }).unwrap();
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
    // After everything is discarded, nothing is in memory.
    nav.invalidate(BlockBox::new(Cell::new(i32::MIN, i32::MIN, i32::MIN), Cell::new(i32::MAX, i32::MAX, i32::MAX)));
    assert_eq!((nav.stats().built, nav.nodes().count()), (0, 0));
}

#[test]
fn an_edit_beside_a_tile_leaves_its_nodes_and_mends_its_links() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(39, 6, 9));
    let mut floor = DenseBlocks::from_fn(bounds, |_, y, _| if y == 0 { Block::Solid } else { Block::Air }).unwrap();
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
    // A wall, and a hole in it where there was no standing point before.
    let wall = BlockBox::new(Cell::new(10, 1, 0), Cell::new(10, 3, 9));
    let mut build = |block, z: core::ops::RangeInclusive<i32>| {
        z.for_each(|z| (1..=3).for_each(|y| _ = floor.set(Cell::new(10, y, z), block)));
        nav.invalidate(wall);
        nav.find_path(&floor, &request).status
    };
    assert_eq!(build(Block::Solid, 0..=9), PathStatus::Partial);
    assert_eq!(build(Block::Air, 5..=5), PathStatus::Complete);
}

/// Applies random edits to one navigation and compares it with one built from nothing every time.
fn edit_and_compare(edits: u32, every: u32, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut world = random_world(&mut rng, true);
    let agent = random_agent(&mut rng);
    let settings = BlockSettings { agent, mini: 1 + rng.below(16) };
    let mut nav = BlockNav::new(settings).unwrap();
    let kinds = [Block::Air, Block::Air, Block::Solid, Block::Solid, Block::Ladder, Block::Water, Block::Door];
    let mut kept: Vec<BlockPath> = Vec::new();
    for i in 0..edits {
        let anywhere = random_cell(&mut rng, world.bounds().unwrap());
        // Half of the edits are on a path found before.
        let aim: Option<&BlockPath> = kept.get(rng.below(2 * kept.len() as u32 + 1) as usize);
        let on_way = aim.map(|path| places(&nav, path)).filter(|places| !places.is_empty());
        let place = on_way.map_or(anywhere, |places| places[rng.below(places.len() as u32) as usize]);
        // Above the surface more often than in it.
        let block = kinds[rng.below(kinds.len() as u32) as usize];
        world.set(place, block);
        nav.invalidate(BlockBox::of(place));
        if i % 7 == 0 {
            // Reporting a change twice, or too large a box, or no change at all, does no harm.
            let far = random_cell(&mut rng, world.bounds().unwrap());
            nav.invalidate(BlockBox::new(place, far));
            nav.invalidate(BlockBox { min: far, max: place });
        }
        // A path reported as current can still be walked.
        kept.retain(|path| nav.is_current(path));
        for path in &kept {
            let fault = legality::fault(&world, agent, &path.points);
            assert_eq!(fault, None, "seed {seed}, edit {i}: still on the way {:?}, {agent:?}", path.points);
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

/// A patch just built is connected from the results of building; later the world is read. Both give the same links.
#[test]
fn links_do_not_depend_on_when_they_are_found() {
    let mut seen = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        // Half of the worlds have one area and no ladders, and most agents climb as far as they drop.
        let world = random_world(&mut rng, seed % 2 == 0);
        let mut agent = random_agent(&mut rng);
        if seed % 4 < 3 {
            agent.drop = agent.climb;
        }
        let mut nav = BlockNav::new(BlockSettings { agent, mini: 1 + rng.below(16) }).unwrap();
        let bounds = world.bounds().unwrap();
        for _ in 0..20 {
            let (Some(a), Some(b)) =
                (nav.random_in_box(&world, bounds, &mut rng), nav.random_in_box(&world, bounds, &mut rng))
            else {
                break;
            };
            nav.find_path(&world, &BlockPathRequest::to(a, b));
        }
        // A change far away: the results of the last build are no longer available.
        nav.invalidate(BlockBox::of(Cell::new(1 << 20, 0, 0)));
        let connected = (0..nav.store.patches.len()).filter(|&patch| nav.store.patches[patch].connected);
        for patch in connected.collect::<Vec<_>>() {
            let nodes = nav.store.patches[patch].nodes.clone();
            let links = |nav: &BlockNav| nodes.iter().map(|&n| nav.store.links(n).to_vec()).collect::<Vec<_>>();
            let before = links(&nav);
            nav.store.patches[patch].connected = false;
            nodes.iter().for_each(|&n| nav.store.nodes[n as usize].stale = node::ALL_STALE);
            nav.view(&world).connect_patch(patch as u32);
            assert_eq!(before, links(&nav), "seed {seed}, {agent:?}, {nodes:?}");
            seen += before.iter().map(Vec::len).sum::<usize>();
        }
    }
    assert!(seen > 10_000, "{seen}");
}

/// What was read of edited tiles is kept for a limited number of them, on floors any distance apart.
#[test]
fn edits_in_more_tiles_than_are_kept_are_noticed() {
    let bounds = BlockBox::new(Cell::new(0, 0, 0), Cell::new(399, 303, 9));
    let is_floor = |y: i32| y == 0 || y == 300;
    let mut world =
        DenseBlocks::from_fn(bounds, |_, y, _| if is_floor(y) { Block::Solid } else { Block::Air }).unwrap();
    let mut nav = nav(BlockAgent::default());
    // In every tile: a cell is built on, one beside it, and both are cleared again; then all of it once more.
    let changes = [(4, Block::Solid), (5, Block::Solid), (4, Block::Air), (5, Block::Air)];
    for tile in (0..40).chain(0..40) {
        for floor in [0, 300, 0] {
            for (z, block) in changes {
                let place = Cell::new(10 * tile + 5, floor + 1, z);
                world.set(place, block);
                nav.invalidate(BlockBox::of(place));
                let [a, b] = [-6, 6].map(|x| Cell::new((place.x + x).clamp(0, 399), place.y, 4));
                let request = BlockPathRequest::to(a, b);
                let mut fresh = BlockNav::new(BlockSettings::default()).unwrap();
                let [kept, anew] = [&mut nav, &mut fresh].map(|nav| nav.find_path(&world, &request).points);
                assert_eq!(kept, anew, "tile {tile}, floor {floor}, {z} {block:?}");
            }
        }
    }
}

/// A ladder leads to the surface of water when the water above it is removed, even for agents that climb nothing.
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
    let mut world = DenseBlocks::from_fn(bounds, |x, y, _| block(x, y)).unwrap();
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

/// An agent whose goal is closed off does not search every frame, but as soon as something changed.
#[test]
fn a_corridor_to_a_closed_goal_waits_for_a_change() {
    let mut world = world("...#...\n...#...");
    let mut nav = nav(BlockAgent::default());
    let request = BlockPathRequest::to(at(0, 0), at(6, 0));
    let mut walker = BlockCorridor::new(&mut nav, &world, nav_position(0, 0), &request).unwrap();
    assert_eq!(walker.path().status, PathStatus::Partial);
    for _ in 0..20 {
        walker.walk(&nav, &world, walker.target());
        assert!(!walker.refresh(&mut nav, &world), "nothing changed");
    }
    assert_eq!(walker.cell(), at(2, 0));
    nav.invalidate(BlockBox { min: at(1, 1), max: at(0, 0) });
    assert!(!walker.refresh(&mut nav, &world), "an empty box is no change");
    (1..=3).for_each(|y| _ = world.set(Cell::new(3, y, 1), Block::Air));
    nav.invalidate(BlockBox::new(at(3, 1), Cell::new(3, 3, 1)));
    assert!(walker.refresh(&mut nav, &world) && walker.path().status == PathStatus::Complete);
    // A path that a limit cut short is searched again at its end.
    let request = BlockPathRequest { max_nodes: 1, ..request };
    let mut nav = BlockNav::new(BlockSettings { mini: 3, ..BlockSettings::default() }).unwrap();
    let mut walker = BlockCorridor::new(&mut nav, &world, nav_position(0, 0), &request).unwrap();
    assert!(walker.path().limit.is_some());
    while walker.cell() != at(2, 0) {
        assert!(!walker.refresh(&mut nav, &world));
        walker.walk(&nav, &world, walker.target());
    }
    assert!(walker.refresh(&mut nav, &world));
}

/// Agents whose paths come from the queue, some frames late, walk on meanwhile and arrive.
#[test]
fn a_corridor_follows_paths_from_the_queue() {
    let mut world = world(&["...................."; 6].join("\n"));
    let mut nav = nav(BlockAgent::default());
    let goal = BlockPathRequest::to(at(0, 0), at(19, 3));
    let mut walker = BlockCorridor::without_path(&nav, &world, nav_position(0, 3), &goal).unwrap();
    assert_eq!((walker.path().status, walker.target()), (PathStatus::None, walker.position()), "no search yet");
    let (mut requests, mut waiting, mut asked) = (BlockRequests::new(), None, 0);
    for frame in 0..200 {
        if frame == 30 {
            // A wall in front of the agent.
            let wall = BlockBox::new(at(12, 1), Cell::new(12, 2, 5));
            (1..=5).for_each(|z| (1..=2).for_each(|y| _ = world.set(Cell::new(12, y, z), Block::Solid)));
            requests.changed(wall);
        }
        if waiting.is_none() {
            waiting = walker.needs_path(&nav, &world).map(|request| (requests.ask(request), frame));
            asked += u32::from(waiting.is_some());
        }
        // It takes four frames until the queue has time for it.
        let is_idle = waiting.is_none_or(|(_, since)| frame >= since + 4);
        requests.update(&mut nav, &world, crate::context::Budget::new(if is_idle { 1 } else { 0 }));
        while let Some((id, path)) = requests.take_answer() {
            assert_eq!(waiting.take().map(|(id, _)| id), Some(id));
            walker.follow(path);
        }
        let target = walker.target();
        let step = (target - walker.position()).clamp_length_max(0.25);
        walker.walk(&nav, &world, walker.position() + step);
    }
    assert!(walker.has_arrived() && walker.cell() == at(19, 3), "{:?}", walker.cell());
    assert_eq!(asked, 2, "at first, and because of the wall: not again because it walked on");
}

fn nav_position(x: i32, z: i32) -> crate::Vec3 {
    crate::Vec3::new(x as f32 + 0.5, 1.0, z as f32 + 0.5)
}
