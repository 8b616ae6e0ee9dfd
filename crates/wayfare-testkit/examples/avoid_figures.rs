//! Prints what each avoidance method makes of the circles: `cargo run --release -p wayfare-testkit --example avoid_figures [METHOD…]`.

use std::time::Instant;
use wayfare::avoid::Avoidance;
use wayfare_testkit::walkers::{Walker, Walkers};

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    println!("method      scene       arrived  seconds  overlaps/tick  nearest  jitter°  excess  µs/agent");
    for name in Avoidance::NAMES.iter().skip(1).filter(|n| asked.is_empty() || asked.iter().any(|a| a == *n)) {
        let Some(method) = Avoidance::by_name(name) else { continue };
        for (n, radius) in [(2, 10.0), (4, 10.0), (24, 15.0), (100, 24.0)] {
            let mut world = Walkers::circle(Walker::default(), method, n, radius);
            let began = Instant::now();
            let run = world.run(2400, |_| {});
            let cost = began.elapsed().as_secs_f64() * 1e6 / (run.ticks * n) as f64;
            println!(
                "{name:<11} circle {n:<4} {:>8}  {:>7.1}  {:>13.3}  {:>7.2}  {:>7.2}  {:>6.2}  {cost:>8.2}",
                run.arrived,
                run.ticks as f32 * world.kind.dt,
                run.overlaps_per_tick(),
                run.nearest,
                run.jitter,
                run.excess
            );
        }
    }
}
