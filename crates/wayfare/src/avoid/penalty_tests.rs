//! Penalties against the formula that is told of them, part by part, with times until a collision that are walked out.

use super::*;
use glam::Vec2;

const AGENT: AgentState = AgentState {
    position: Vec2::ZERO,
    velocity: Vec2::new(0.5, -0.3),
    desired: Vec2::new(1.5, 0.2),
    radius: 0.5,
    max_speed: 2.0,
    wall_distance: 0.0,
};

/// Nothing counts.
const NOTHING: SampleWeights = SampleWeights {
    desired: 0.0,
    current: 0.0,
    side: 0.0,
    impact: 0.0,
    horizon: 3.0,
    wall_horizon: 1.5,
    keep_right: 0.0,
};

/// Somebody who does not give way.
fn stubborn(position: Vec2, velocity: Vec2) -> Neighbour {
    Neighbour { position, velocity, desired: velocity, radius: 0.4, share: 1.0 }
}

/// Velocities of a grid and the penalty of each.
fn penalties(weights: SampleWeights, neighbours: &[Neighbour], walls: &[Wall]) -> Vec<(Vec2, f32)> {
    let (mut scratch, mut found) = (AvoidScratch::default(), Vec::new());
    let method = Sampled { grid: 41, velocity_bias: 0.0, weights };
    method.penalties(&Surroundings { agent: AGENT, neighbours, walls }, &mut scratch, &mut found);
    assert!(found.len() > 1000);
    found
}

/// When `hits` first holds of somebody who walks with this velocity, in steps of a thousandth of a second; the horizon
/// if it does not by then.
fn walked_until(horizon: f32, hits: impl Fn(f32) -> bool) -> f32 {
    let steps = (horizon * 1000.0) as u32;
    (0..steps).map(|step| step as f32 * 0.001).find(|&time| hits(time)).unwrap_or(horizon)
}

#[test]
fn what_is_wanted_and_what_is_abrupt_count_by_distance() {
    for (v, penalty) in penalties(SampleWeights { desired: 3.0, ..NOTHING }, &[], &[]) {
        assert!((penalty - 3.0 * v.distance(AGENT.desired) / 2.0).abs() < 1e-4, "{v}: {penalty}");
    }
    for (v, penalty) in penalties(SampleWeights { current: 0.5, ..NOTHING }, &[], &[]) {
        assert!((penalty - 0.5 * v.distance(AGENT.velocity) / 2.0).abs() < 1e-4, "{v}: {penalty}");
    }
}

#[test]
fn neighbours_and_walls_count_by_the_time_until_a_collision_each_within_its_horizon() {
    let weights = SampleWeights { impact: 2.0, ..NOTHING };
    let expected = |time: f32, horizon: f32| 2.0 / (0.1 + time / horizon);
    let other = stubborn(Vec2::new(2.5, 0.4), Vec2::new(-0.4, 0.1));
    let (mut soon, mut never) = (0, 0);
    for (v, penalty) in penalties(weights, &[other], &[]) {
        let near = |by: f32| move |t: f32| (other.position + (other.velocity - v) * t).length() <= 0.9 * by;
        let [earliest, latest] = [1.01, 0.99].map(|by| expected(walked_until(3.0, near(by)), 3.0));
        assert!(penalty <= earliest + 1e-3 && penalty >= latest - 1e-3, "{v}: {penalty}, not {latest} to {earliest}");
        soon += u32::from(penalty > 2.0 * expected(3.0, 3.0));
        never += u32::from(penalty == expected(3.0, 3.0));
    }
    assert!(soon > 100 && never > 300, "{soon} {never}");

    // A wall two metres ahead, seen from its own horizon on.
    let wall = Wall { a: Vec2::new(2.0, -50.0), b: Vec2::new(2.0, 50.0) };
    let mut seen = 0;
    for (v, penalty) in penalties(weights, &[], &[wall]) {
        let time = walked_until(1.5, |t| v.x * t >= 2.0);
        assert!((penalty - expected(time, 1.5)).abs() < 0.02, "{v}: {penalty}, not {}", expected(time, 1.5));
        seen += u32::from(time < 1.5);
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn a_neighbour_that_gives_way_counts_as_if_half_of_the_change_were_all() {
    let weights = SampleWeights { impact: 2.0, ..NOTHING };
    let other = Neighbour { share: 0.5, ..stubborn(Vec2::new(2.5, 0.4), Vec2::new(-0.4, 0.1)) };
    for (v, penalty) in penalties(weights, &[other], &[]) {
        let change = AGENT.velocity + (v - AGENT.velocity) / 0.5;
        let near = |by: f32| move |t: f32| (other.position + (other.velocity - change) * t).length() <= 0.9 * by;
        let [earliest, latest] = [1.01, 0.99].map(|by| 2.0 / (0.1 + walked_until(3.0, near(by)) / 3.0));
        assert!(penalty <= earliest + 1e-3 && penalty >= latest - 1e-3, "{v}: {penalty}, not {latest} to {earliest}");
    }
}

#[test]
fn passing_on_the_unusual_side_counts_up_to_its_weight() {
    let other = stubborn(Vec2::new(4.0, 0.0), Vec2::new(-1.0, 0.0));
    let (mut right, mut left) = (0.0, 0.0);
    for (v, penalty) in penalties(SampleWeights { side: 0.8, ..NOTHING }, &[other], &[]) {
        assert!((0.0..=0.8001).contains(&penalty), "{v}: {penalty}");
        if v.x > 0.5 {
            // Towards x, the right hand is at z.
            *if v.y > 0.0 { &mut right } else { &mut left } += penalty;
        }
    }
    assert!(left > 3.0 * right, "{left} to the left, {right} to the right");
}
