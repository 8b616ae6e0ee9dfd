//! The avoidance methods in a world without a mesh: what is symmetric must resolve, and nobody may be walked over.

use wayfare::avoid::Avoidance;
use wayfare_testkit::walkers::{Walker, Walkers};

#[test]
fn agents_who_swap_places_on_a_circle_all_arrive() {
    for name in Avoidance::NAMES.iter().skip(1) {
        let method = Avoidance::by_name(name).unwrap();
        for (n, radius) in [(2, 10.0), (4, 10.0)] {
            let mut world = Walkers::circle(Walker::default(), method, n, radius);
            let run = world.run(2400, |_| {});
            assert!(run.arrived == n && run.overlaps == 0, "{name} circle of {n}: {run:?}");
            println!("{name} circle of {n}: {run:?}, overlaps/tick {}", run.overlaps_per_tick());
        }
    }
}
