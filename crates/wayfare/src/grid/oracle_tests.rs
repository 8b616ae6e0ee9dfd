//! The search against A* over single cells with eight neighbours.

use super::{GridSearch, LocalGrid, Obstacle, Shape};
use crate::area::PathStatus;
use crate::math::Rng;
use glam::{Vec2, Vec3};

fn random_world(seed: u64, size: u32) -> (LocalGrid, Rng) {
    let mut rng = Rng::new(seed);
    let mut grid = LocalGrid::new(size, 0.5).unwrap();
    let reach = size as f32 * 0.25;
    for id in 0..rng.below(24) {
        let mut point = || Vec3::new((rng.unit() * 2.0 - 1.0) * reach, 0.0, (rng.unit() * 2.0 - 1.0) * reach);
        let (a, b) = (point(), point());
        let shape = match id % 3 {
            0 => Shape::Segment { a, b: a + (b - a) * 0.5 },
            1 => Shape::Disc { center: a, radius: b.x.abs() * 0.15 },
            _ => Shape::Box { center: a, half: [b.x.abs() * 0.2, b.z.abs() * 0.2], yaw: b.z },
        };
        grid.block(&Obstacle { shape, id }, 0.2);
    }
    (grid, rng)
}

/// Length in cells of the shortest 8-connected path between two cells without cutting corners; `None` if there is none.
fn astar(grid: &LocalGrid, start: (u32, u32), goal: (u32, u32)) -> Option<f32> {
    let size = grid.size() as i32;
    let free = |x: i32, z: i32| x >= 0 && z >= 0 && !grid.is_blocked(x as u32, z as u32);
    let mut cost = vec![f32::INFINITY; (size * size) as usize];
    let mut open = vec![(0.0f32, start.0 as i32, start.1 as i32)];
    cost[(start.1 as i32 * size + start.0 as i32) as usize] = 0.0;
    while let Some(i) = (0..open.len()).min_by(|&a, &b| open[a].0.total_cmp(&open[b].0)) {
        let (so_far, x, z) = open.swap_remove(i);
        if (x as u32, z as u32) == goal {
            return Some(so_far);
        }
        for (dx, dz) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dz| (dx, dz))) {
            if !(free(x + dx, z + dz) && free(x + dx, z) && free(x, z + dz)) {
                continue;
            }
            let there = so_far + ((dx * dx + dz * dz) as f32).sqrt();
            let known = &mut cost[((z + dz) * size + x + dx) as usize];
            if there < *known {
                *known = there;
                open.push((there, x + dx, z + dz));
            }
        }
    }
    None
}

/// The least distance, in cells, from the middle of `goal` to any cell that can be reached from `start` by straight
/// steps.
fn nearest_of_reached(grid: &LocalGrid, start: (u32, u32), goal: (u32, u32)) -> f32 {
    let (mut reached, mut at) = (vec![start], 0);
    while let Some(&(x, z)) = reached.get(at) {
        at += 1;
        for next in [(x + 1, z), (x.wrapping_sub(1), z), (x, z + 1), (x, z.wrapping_sub(1))] {
            if !grid.is_blocked(next.0, next.1) && !reached.contains(&next) {
                reached.push(next);
            }
        }
    }
    let goal = Vec2::new(goal.0 as f32, goal.1 as f32) + 0.5;
    let distance = |&(x, z): &(u32, u32)| {
        let low = Vec2::new(x as f32, z as f32);
        goal.distance(goal.clamp(low, low + 1.0))
    };
    reached.iter().map(distance).fold(f32::INFINITY, f32::min)
}

fn length(points: &[Vec3]) -> f32 {
    points.windows(2).map(|w| w[0].distance(w[1])).sum()
}

#[test]
fn a_way_is_found_exactly_where_there_is_one() {
    let mut search = GridSearch::default();
    let (mut found, mut excess, mut closed_off) = (0, 0.0, 0);
    for seed in 0..900 {
        let size = 20 + (seed % 45) as u32;
        let (grid, mut rng) = random_world(seed, size);
        let mut cell = || (rng.below(size), rng.below(size));
        let (a, b) = (cell(), cell());
        if grid.is_blocked(a.0, a.1) || grid.is_blocked(b.0, b.1) {
            continue;
        }
        let center = |(x, z): (u32, u32)| grid.to_world(Vec2::new(x as f32 + 0.5, z as f32 + 0.5), 1.0);
        let path = search.find_path(&grid, center(a), center(b));
        let oracle = astar(&grid, a, b);
        assert_eq!(path.status == PathStatus::Complete, oracle.is_some(), "seed {seed}");
        assert!(path.visited <= 2 * size * 3, "seed {seed}: {} runs visited", path.visited);
        assert_eq!(path.points[0], center(a), "seed {seed}");
        for pair in path.points.windows(2) {
            for i in 0..=64 {
                let p = pair[0].lerp(pair[1], i as f32 / 64.0);
                // A path may touch corners of blocked cells: at least one of the cells around must be free.
                let around = [(-1e-3, -1e-3), (-1e-3, 1e-3), (1e-3, -1e-3), (1e-3, 1e-3)];
                let near = around.map(|(dx, dz)| grid.to_cells(p + Vec3::new(dx, 0.0, dz)));
                let free = near.iter().any(|c| !grid.is_blocked(c.x as u32, c.y as u32));
                assert!(free, "seed {seed}: {p} is blocked");
            }
        }
        if let Some(cells) = oracle.filter(|&cells| cells > 0.0) {
            assert_eq!(*path.points.last().unwrap(), center(b));
            let straight = center(a).distance(center(b));
            assert!(length(path.points) >= straight - 1e-3);
            found += 1;
            excess += length(path.points) / (cells * grid.cell_size());
        } else if oracle.is_none() {
            let nearest = nearest_of_reached(&grid, a, b) * grid.cell_size();
            let end = path.points.last().unwrap().distance(center(b));
            assert!((end - nearest).abs() < 1e-3, "seed {seed}: ends {end} m from its goal, not {nearest} m");
            closed_off += 1;
        }
    }
    assert!(found > 150 && closed_off > 12, "{found} found, {closed_off} closed off");
    assert!(excess / (found as f32) < 1.12, "mean length {:.3} of eight-neighbour A*'s", excess / found as f32);
}

#[test]
fn an_empty_grid_gives_the_straight_line_and_a_full_one_none() {
    let mut grid = LocalGrid::new(32, 0.5).unwrap();
    let mut search = GridSearch::default();
    let (a, b) = (Vec3::new(-3.2, 1.0, -5.0), Vec3::new(5.0, 3.0, 2.1));
    let path = search.find_path(&grid, a, b);
    assert_eq!((path.status, path.points.len()), (PathStatus::Complete, 2));
    assert!(path.points[1].distance(b) < 1e-5);
    grid.block(&Obstacle { shape: Shape::Disc { center: a, radius: 99.0 }, id: 0 }, 0.0);
    let path = search.find_path(&grid, a, b);
    assert_eq!((path.status, path.points.len()), (PathStatus::None, 0));
}

#[test]
fn a_goal_outside_is_left_towards_and_bad_numbers_are_survived() {
    let grid = LocalGrid::new(20, 1.0).unwrap();
    let mut search = GridSearch::default();
    let path = search.find_path(&grid, Vec3::ZERO, Vec3::new(100.0, 0.0, 50.0));
    assert_eq!(path.status, PathStatus::Complete);
    let end = *path.points.last().unwrap();
    assert!((end.z / end.x - 0.5).abs() < 1e-3 && end.x == 10.0, "{end}");
    for bad in [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e38)] {
        assert!(!search.find_path(&grid, bad, Vec3::ONE).points.is_empty());
        assert!(!search.find_path(&grid, Vec3::ONE, bad).points.is_empty());
    }
    // However far the goal is, the path leads in its direction. A goal that is not a number has no direction.
    let fine = LocalGrid::new(20, 0.25).unwrap();
    for far in [1e12, f32::MAX, f32::INFINITY] {
        let path = search.find_path(&fine, Vec3::ZERO, Vec3::new(far, 0.0, 0.0));
        assert_eq!((path.status, path.points.last()), (PathStatus::Complete, Some(&Vec3::new(2.5, 0.0, 0.0))), "{far}");
    }
    let path = search.find_path(&fine, Vec3::ZERO, Vec3::new(f32::NAN, 0.0, 2.0));
    assert!(path.status == PathStatus::Partial && path.points.iter().all(|&p| p == Vec3::ZERO), "{path:?}");
    // A start beyond the edge counts as at the edge.
    let path = search.find_path(&fine, Vec3::new(-99.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0));
    assert_eq!((path.status, path.points[0]), (PathStatus::Complete, Vec3::new(-2.5, 0.0, 0.0)));
}

#[test]
fn a_height_that_is_no_number_is_that_of_the_other_end() {
    let (grid, mut search) = (LocalGrid::new(20, 1.0).unwrap(), GridSearch::default());
    let mut heights = |from: f32, to: f32| {
        let path = search.find_path(&grid, Vec3::new(1.0, from, 1.0), Vec3::new(6.0, to, 6.0));
        path.points.iter().map(|p| p.y).collect::<Vec<_>>()
    };
    assert_eq!(heights(1.0, 2.0), [1.0, 2.0]);
    assert_eq!(heights(f32::NAN, 2.0), [2.0, 2.0]);
    assert_eq!(heights(1.0, f32::INFINITY), [1.0, 1.0]);
    assert_eq!(heights(f32::NAN, f32::NEG_INFINITY), [0.0, 0.0]);
}

#[test]
fn a_blocked_start_is_moved_out() {
    let mut grid = LocalGrid::new(20, 1.0).unwrap();
    grid.block(&Obstacle { shape: Shape::Disc { center: Vec3::ZERO, radius: 1.2 }, id: 0 }, 0.0);
    let mut search = GridSearch::default();
    let path = search.find_path(&grid, Vec3::new(0.1, 0.0, 0.0), Vec3::new(6.0, 0.0, 0.5));
    assert_eq!(path.status, PathStatus::Complete);
    assert!(path.points[0].length() >= 1.2);
}

#[test]
fn a_query_fits_in_a_kilobyte_and_a_half() {
    // Six walls of about ten metres and six agents, a typical neighbourhood. The bytes depend on the number of runs the
    // rows are cut into; the longest walls take the most.
    let mut bytes = Vec::new();
    for seed in 0..200 {
        let (mut grid, mut rng) = (LocalGrid::new(64, 0.5).unwrap(), Rng::new(seed));
        let mut place = || Vec3::new(rng.unit() * 32.0 - 16.0, 0.0, rng.unit() * 32.0 - 16.0);
        for id in 0..6 {
            let (a, b) = (place(), place());
            grid.block(&Obstacle { shape: Shape::Segment { a, b: a + (b - a) * 0.5 }, id }, 0.4);
            grid.block(&Obstacle { shape: Shape::Disc { center: place(), radius: 0.5 }, id }, 0.4);
        }
        let mut search = GridSearch::default();
        search.find_path(&grid, place(), place());
        bytes.push(search.bytes_used());
    }
    let mean = bytes.iter().sum::<usize>() / bytes.len();
    assert!(mean <= 1200 && bytes.iter().all(|&bytes| bytes <= 1600), "{mean} {bytes:?}");
    // If no cell is free, the path of an earlier search must not be counted.
    let (mut grid, mut search) = (LocalGrid::new(64, 0.5).unwrap(), GridSearch::default());
    search.find_path(&grid, Vec3::ZERO, Vec3::ONE);
    grid.block(&Obstacle { shape: Shape::Disc { center: Vec3::ZERO, radius: 99.0 }, id: 0 }, 0.0);
    assert_eq!(search.find_path(&grid, Vec3::ZERO, Vec3::ONE).status, PathStatus::None);
    assert_eq!(search.bytes_used(), 65 * 2 + 64);
}
