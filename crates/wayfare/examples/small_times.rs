//! Times of the small systems: the local grid and the hull in space.
//!
//! `cargo run --release -p wayfare --example small_times`. The posts' figures, on a 2.8 GHz Core Duo of 2010: grid update 26 µs, path
//! 12 µs, 1.5 kB a query; a hull of a couple of hundred points in under 2 ms.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;
use wayfare::Vec3;
use wayfare::grid::{GridSearch, LocalGrid, Obstacle, Shape};
use wayfare::math::{Rng, convex_hull3};

/// The least time of many runs, in microseconds.
fn least(runs: u32, mut work: impl FnMut()) -> f64 {
    (0..runs)
        .map(|_| {
            let began = Instant::now();
            work();
            began.elapsed().as_secs_f64() * 1e6
        })
        .fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = Rng::new(1);
    let mut point = |reach: f32| Vec3::new((rng.unit() - 0.5) * reach, 0.0, (rng.unit() - 0.5) * reach);
    let mut obstacles = Vec::new();
    for id in 0..6 {
        let a = point(12.0);
        obstacles.push(Obstacle { shape: Shape::Segment { a, b: a + point(6.0) }, id });
        obstacles.push(Obstacle { shape: Shape::Disc { center: point(12.0), radius: 0.4 }, id: id + 6 });
    }
    let mut grid = LocalGrid::new(64, 0.25)?;
    let update = least(2000, || {
        grid.recenter(Vec3::ZERO);
        obstacles.iter().for_each(|obstacle| grid.block(obstacle, 0.4));
        black_box(&grid);
    });
    let mut search = GridSearch::default();
    let (start, goal) = (Vec3::new(-7.0, 0.0, -6.5), Vec3::new(7.0, 0.0, 7.0));
    let path = least(2000, || {
        black_box(search.find_path(&grid, start, goal));
    });
    println!(
        "grid 64 x 64: update with 6 segments and 6 agents {update:.2} us, path {path:.2} us, {} bytes",
        search.bytes_used()
    );
    let cloud: Vec<Vec3> = (0..300).map(|_| Vec3::new(rng.unit(), rng.unit(), rng.unit())).collect();
    let sphere: Vec<Vec3> = cloud.iter().map(|p| (*p - 0.5).normalize_or_zero()).collect();
    let lattice: Vec<Vec3> = (0..64).map(|i| Vec3::from([i % 4, i / 4 % 4, i / 16].map(|v| v as f32))).collect();
    for (name, points) in
        [("300 points in a box", &cloud), ("300 points on a sphere", &sphere), ("4 x 4 x 4 grid", &lattice)]
    {
        println!("hull of {name}: {:.1} us", least(300, || drop(black_box(convex_hull3(points)))));
    }
    Ok(())
}
