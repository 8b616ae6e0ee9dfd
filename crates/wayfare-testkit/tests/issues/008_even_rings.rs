//! Adaptive sampling with an even number of points on its rings chose velocities at random: the turn of every other
//! ring was read before it was set. 32 points on 4 rings wrote beyond the array that held them.

use wayfare::Vec2;
use wayfare::avoid::{Adaptive, AgentState, AvoidScratch, Avoider, Neighbour, Surroundings};

#[test]
fn every_number_of_points_and_rings_gives_a_velocity_that_depends_on_nothing_else() {
    let agent = AgentState {
        position: Vec2::ZERO,
        velocity: Vec2::new(1.0, 0.0),
        desired: Vec2::new(1.5, 0.0),
        radius: 0.5,
        max_speed: 2.0,
        wall_distance: 0.0,
    };
    let toward = Vec2::new(-1.0, 0.0);
    let other = Neighbour { position: Vec2::new(3.0, 0.1), velocity: toward, desired: toward, radius: 0.5, share: 0.5 };
    let alone = Surroundings { agent, neighbours: &[], walls: &[] };
    let met = Surroundings { neighbours: &[other], ..alone };
    let mut used = AvoidScratch::default();
    let mut turned = 0;
    for divisions in 1..=64 {
        for rings in [1, 2, 3, 4, 7, 16] {
            let method = Adaptive { divisions, rings, ..Adaptive::default() };
            let free = method.velocity(&alone, &mut AvoidScratch::default());
            assert_eq!(free, agent.desired, "{divisions} × {rings}: nobody is near");
            let fresh = method.velocity(&met, &mut AvoidScratch::default());
            assert!(fresh.is_finite() && fresh.length() <= agent.max_speed * 1.0001, "{divisions} × {rings}: {fresh}");
            // The scratch held another pattern before.
            assert_eq!(method.velocity(&met, &mut used), fresh, "{divisions} × {rings}");
            turned += usize::from(fresh != agent.desired);
        }
    }
    assert!(turned > 300, "in {turned} of 384 patterns the agent gives way");
}
