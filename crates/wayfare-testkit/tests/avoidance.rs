//! The avoidance methods in a world without a mesh: what is symmetric must resolve, and nobody may be walked over.

use glam::Vec2;
use wayfare::avoid::{Avoidance, Orca, OrcaSolver, Wall};
use wayfare_testkit::walkers::{Run, Walker, Walkers};

/// Every method, and both solvers of ORCA.
fn methods() -> Vec<(String, Avoidance)> {
    let named = Avoidance::NAMES.iter().skip(1).map(|&name| (name.to_owned(), Avoidance::by_name(name).unwrap()));
    let clipping = Avoidance::Orca(Orca { solver: OrcaSolver::Clipping, ..Orca::default() });
    named.chain([("orca by clipping".to_owned(), clipping)]).collect()
}

fn arrived(run: &Run, n: usize, most_overlaps: f32, what: &str) {
    println!("{what}: {} overlaps a tick, {run:?}", run.overlaps_per_tick());
    assert_eq!(run.arrived, n, "{what}: {run:?}");
    assert!(run.overlaps_per_tick() <= most_overlaps, "{what}: {} overlaps a tick", run.overlaps_per_tick());
}

#[test]
fn agents_who_swap_places_on_a_circle_all_arrive() {
    for (name, method) in methods() {
        for (n, radius) in [(2, 10.0), (4, 10.0), (24, 15.0)] {
            let mut world = Walkers::circle(Walker::default(), method, n, radius);
            arrived(&world.run(1200, |_| {}), n, 0.0, &format!("{name}, circle of {n}"));
        }
        // A hundred meet in the middle with nothing that pushes them apart but the method. (Sampling needs minutes for
        // it unoptimised.)
        if !matches!(name.as_str(), "orca" | "clearpath" | "hrvo") {
            continue;
        }
        let mut world = Walkers::circle(Walker::default(), method, 100, 24.0);
        arrived(&world.run(2400, |_| {}), 100, 2.0, &format!("{name}, circle of 100"));
    }
}

#[test]
fn streams_cross_and_pass_through_each_other() {
    let line = |i: usize| i as f32 * 2.0 - 6.0;
    for (name, method) in methods() {
        let mut crossing = Vec::new();
        let mut counter = Vec::new();
        for i in 0..7 {
            for row in 0..3 {
                let far = 10.0 + 2.0 * row as f32;
                crossing.push((Vec2::new(-far, line(i)), Vec2::new(26.0 - far, line(i))));
                crossing.push((Vec2::new(line(i), -far), Vec2::new(line(i), 26.0 - far)));
                counter.push((Vec2::new(-far, line(i)), Vec2::new(26.0 - far, line(i))));
                counter.push((Vec2::new(far, line(i)), Vec2::new(far - 26.0, line(i))));
            }
        }
        for (what, errands) in [("crossing", crossing), ("counter-flow", counter)] {
            let mut world = Walkers::new(Walker::default(), method, &errands);
            arrived(&world.run(1600, |_| {}), errands.len(), 0.02 * errands.len() as f32, &format!("{name}, {what}"));
        }
    }
}

#[test]
fn walls_are_kept_from() {
    let p = Vec2::new;
    for (name, method) in methods() {
        // Two meet in a corridor, three metres wide.
        let mut world =
            Walkers::new(Walker::default(), method, &[(p(-10.0, 0.0), p(10.0, 0.0)), (p(10.0, 0.0), p(-10.0, 0.0))]);
        world.walls = vec![Wall { a: p(-20.0, 1.5), b: p(20.0, 1.5) }, Wall { a: p(20.0, -1.5), b: p(-20.0, -1.5) }];
        let run = world.run(1200, |_| {});
        assert_eq!((run.arrived, run.overlaps, run.wall_touches), (2, 0, 0), "{name}: {run:?}");
    }
}

#[test]
fn who_does_not_give_way_is_avoided_by_the_others() {
    for (name, method) in methods() {
        let mut world = Walkers::circle(Walker::default(), method, 2, 10.0);
        world.methods[1] = Avoidance::None;
        world.gives_way[1] = false;
        let run = world.run(600, |_| {});
        assert_eq!((run.arrived, run.overlaps), (2, 0), "{name}: {run:?}");
    }
}

#[test]
fn from_the_same_place_agents_part_and_far_from_the_origin_too() {
    let p = Vec2::new;
    for (name, method) in methods() {
        for origin in [Vec2::ZERO, p(98_304.0, -98_304.0)] {
            let opposite = [p(8.0, 0.0), p(-8.0, 0.0)].map(|goal| (origin, origin + goal));
            let apart = [p(8.0, 0.0), p(0.0, 8.0), p(-8.0, -8.0)].map(|goal| (origin, origin + goal));
            for errands in [&opposite[..], &apart] {
                let run = Walkers::new(Walker::default(), method, errands).run(600, |_| {});
                assert_eq!(run.arrived, errands.len(), "{name}: {run:?}");
                assert!(run.overlaps <= 15 * errands.len(), "{name}: no longer in one another than it takes: {run:?}");
            }
            // Points have nothing to avoid.
            let points = Walker { radius: 0.0, ..Walker::default() };
            let mut world = Walkers::new(points, method, &[(origin - Vec2::X, origin + Vec2::X), opposite[1]]);
            world.goals[1] = origin - Vec2::X * 3.0;
            world.run(60, |_| {});
            let near = |i: usize| world.positions[i].distance(world.goals[i]) < 0.5;
            assert!(near(0) && near(1), "{name}: {:?}", world.positions);
        }
    }
}
