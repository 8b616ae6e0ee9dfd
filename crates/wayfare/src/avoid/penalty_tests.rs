//! Penalties compared with their formula: term by term, with times to collision found by simulation, and as a whole
//! among many.

use super::candidates::Candidates;
use super::obstacles::PreparedObstacles;
use super::penalty::Judge;
use super::*;
use crate::math::Rng;
use crate::math::lanes::{Level, dispatch};
use glam::{DVec2, Vec2};

const AGENT: AgentState = AgentState {
    position: Vec2::ZERO,
    velocity: Vec2::new(0.5, -0.3),
    desired: Vec2::new(1.5, 0.2),
    radius: 0.5,
    max_speed: 2.0,
    wall_distance: 0.0,
};

/// All weights zero.
const NOTHING: SampleWeights = SampleWeights {
    desired: 0.0,
    current: 0.0,
    side: 0.0,
    impact: 0.0,
    horizon: 3.0,
    wall_horizon: 1.5,
    keep_right: 0.0,
};

/// A neighbour that does not give way.
fn stubborn(position: Vec2, velocity: Vec2) -> Neighbour {
    Neighbour { position, velocity, desired: velocity, radius: 0.4, share: 1.0 }
}

/// Velocities of a grid, each with its penalty.
fn penalties(weights: SampleWeights, neighbours: &[Neighbour], walls: &[Wall]) -> Vec<(Vec2, f32)> {
    let (mut scratch, mut found) = (AvoidScratch::default(), Vec::new());
    let method = Sampled { grid: 41, velocity_bias: 0.0, weights };
    method.penalties(&Surroundings { agent: AGENT, neighbours, walls }, &mut scratch, &mut found);
    assert!(found.len() > 1000);
    found
}

/// The time at which `hits` first holds, in steps of a thousandth of a second; the horizon if it does not by then.
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
    // An agent that does all of the avoidance counts a collision twice, relative to none.
    let twice = |time: f32| 2.0 * expected(time, 3.0) - expected(3.0, 3.0);
    let (mut soon, mut never) = (0, 0);
    for (v, penalty) in penalties(weights, &[other], &[]) {
        let near = |by: f32| move |t: f32| (other.position + (other.velocity - v) * t).length() <= 0.9 * by;
        let [earliest, latest] = [1.01, 0.99].map(|by| twice(walked_until(3.0, near(by))));
        assert!(penalty <= earliest + 1e-3 && penalty >= latest - 1e-3, "{v}: {penalty}, not {latest} to {earliest}");
        soon += u32::from(penalty > 2.0 * expected(3.0, 3.0));
        never += u32::from((penalty - expected(3.0, 3.0)).abs() < 1e-5);
    }
    assert!(soon > 100 && never > 300, "{soon} {never}");

    // A wall two metres ahead, within its own horizon.
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
        // Four times as much for an agent that does all of the avoidance.
        assert!((0.0..=3.2001).contains(&penalty), "{v}: {penalty}");
        if v.x > 0.5 {
            // Facing x, the right is towards z.
            *if v.y > 0.0 { &mut right } else { &mut left } += penalty;
        }
    }
    assert!(left > 3.0 * right, "{left} to the left, {right} to the right");
}

/// Time at which a disc of this radius is met, seconds.
fn time_to(center: DVec2, radius: f64, relative: DVec2) -> f64 {
    let (a, b) = (relative.length_squared(), relative.dot(center));
    let root = b * b - a * (center.length_squared() - radius * radius);
    if root > 0.0 && b > 0.0 { (b - root.sqrt()) / a } else { f64::INFINITY }
}

/// The fraction of a horizon after which a neighbour is met, and how far it is passed on the wrong side, 0…1.
fn met_and_passed(v: DVec2, agent: &AgentState, other: &Neighbour, horizon: f64) -> (f64, f64) {
    let [at, now, wish] = [agent.position, agent.velocity, agent.desired].map(|v| v.as_dvec2());
    let (center, radius) = (other.position.as_dvec2() - at, f64::from(agent.radius + other.radius));
    let (distance, max_speed) = (center.length(), f64::from(agent.max_speed));
    let relative = now + (v - now) / f64::from(other.bounded_share()) - other.velocity.as_dvec2();
    let towards = relative.dot(center / distance);
    let met = if distance < radius {
        let parting = -towards / ((radius - distance) / 0.3).clamp(0.05 * max_speed, max_speed);
        let approaching = (1.0 - towards / (4.0 * max_speed)).max(0.0) * 0.2;
        if parting > 0.0 { parting * 0.8 + 0.2 } else { approaching }
    } else {
        let is_nearing = towards > 0.01;
        if is_nearing { time_to(center, radius, relative) / horizon } else { f64::INFINITY }
    };
    let hand = if center.perp_dot(other.desired.as_dvec2() - wish) / distance < 0.01 { -1.0 } else { 1.0 };
    let aside = 2.0 * hand * (center / distance).perp_dot(relative);
    (met, (0.5 * towards + 0.5).min(aside).clamp(0.0, 1.0))
}

/// The fraction of a horizon after which a wall is met.
fn wall_met(v: DVec2, wall: [DVec2; 2], keep: f64, horizon: f64) -> f64 {
    let [a, b] = wall;
    let along = (b - a).normalize();
    let nearest = a + along * (-a).dot(along).clamp(0.0, (b - a).length());
    if keep > 0.0 && nearest.length() <= keep + 0.01 {
        // Up to a tenth of a millimetre is left.
        let closing = nearest.normalize().dot(v);
        return if closing > 0.0 { 1e-4 / closing } else { f64::INFINITY };
    }
    let away = along.perp() * along.perp().dot(a).signum();
    let time = (away.dot(a) - keep) / v.dot(away);
    let at = (v * time - a).dot(along);
    let line = if time > 0.0 && at >= 0.0 && at <= (b - a).length() { time } else { f64::INFINITY };
    let ends = wall.map(|end| if keep > 0.0 { time_to(end, keep, v) } else { f64::INFINITY });
    line.min(ends[0]).min(ends[1]) / horizon
}

#[test]
fn in_lanes_of_any_width_penalties_are_the_same_bits_and_what_the_formula_says() {
    let mut rng = Rng::new(21);
    let (mut judged, mut wrong, mut met, mut inside) = (0, 0, 0, 0);
    for round in 0..300_u32 {
        let size = [2.0, 6.0, 20.0][round as usize % 3];
        let place = |rng: &mut Rng| Vec2::new(rng.unit() - 0.5, rng.unit() - 0.5) * size;
        let wall_distance = if round % 2 == 0 { 0.0 } else { 0.6 };
        let agent = AgentState {
            position: place(&mut rng),
            velocity: place(&mut rng),
            desired: place(&mut rng),
            radius: 0.6,
            max_speed: 1.0 + 3.0 * rng.unit(),
            wall_distance,
        };
        let mut other = || Neighbour {
            position: place(&mut rng),
            velocity: place(&mut rng),
            desired: place(&mut rng),
            radius: rng.unit(),
            share: rng.unit(),
        };
        let neighbours: Vec<Neighbour> = (0..round % 19).map(|_| other()).collect();
        let walls: Vec<Wall> = (0..round % 11).map(|_| Wall { a: place(&mut rng), b: place(&mut rng) }).collect();
        let tried: Vec<Vec2> =
            (0..1 + rng.below(60)).map(|_| place(&mut rng) * (1.4 * agent.max_speed / size)).collect();
        let around = Surroundings { agent, neighbours: &neighbours, walls: &walls };
        let weights = SampleWeights::default();
        let (mut obstacles, mut candidates) = (PreparedObstacles::default(), Candidates::default());
        let judge = |level: Level, obstacles: &mut PreparedObstacles, candidates: &mut Candidates| {
            candidates.clear();
            tried.iter().for_each(|v| candidates.push(*v));
            let best = dispatch!(level, simd => {
                obstacles.see_all(simd, &around, &weights, around.burden());
                Judge::new(obstacles, &agent, &weights).best(simd, candidates)
            });
            (best, candidates.all().collect::<Vec<_>>())
        };
        let (best, all) = judge(Level::new(), &mut obstacles, &mut candidates);
        let narrow = judge(Level::baseline(), &mut obstacles, &mut candidates);
        assert_eq!(format!("{:?}", (best, &all)), format!("{narrow:?}"), "to the bit");
        assert_eq!(Some(best), all.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)), "of equal ones the first");
        assert_eq!(all.len(), tried.len());
        assert_eq!(obstacles.count, neighbours.len());

        for (v, penalty) in all {
            let (wide, desired, current) = (v.as_dvec2(), agent.goal_velocity(), agent.velocity);
            let seen = neighbours.iter().map(|other| met_and_passed(wide, &agent, other, weights.horizon.into()));
            let (times, sides): (Vec<f64>, Vec<f64>) = seen.unzip();
            let walls = walls.iter().map(|wall| {
                let ends = [wall.a, wall.b].map(|end| (end - agent.position).as_dvec2());
                wall_met(wide, ends, wall_distance.into(), weights.wall_horizon.into())
            });
            let price = |first: f64| f64::from(weights.impact) / (0.1 + first);
            let [first, wall] = [times.iter().copied().fold(1.0, f64::min), walls.fold(1.0, f64::min)];
            let shares: f64 = neighbours.iter().map(|other| f64::from(other.bounded_share())).sum();
            let burden = if neighbours.is_empty() { 1.0 } else { 2.0 * shares / neighbours.len() as f64 };
            let impact = (burden * price(first) + (1.0 - burden) * price(1.0)).max(price(wall));
            let first = first.min(wall);
            let side = burden * burden * sides.iter().sum::<f64>() / neighbours.len().max(1) as f64;
            let away = f64::from(weights.desired * v.distance(desired) + weights.current * v.distance(current));
            let expected = away / f64::from(agent.max_speed) + side + impact;
            judged += 1;
            // An agent that grazes a neighbour or the end of a wall may as well miss it.
            wrong += u32::from((expected - f64::from(penalty)).abs() > 2e-3 * expected);
            met += u32::from(first < 1.0);
        }
        inside += neighbours.iter().filter(|n| n.position.distance(agent.position) < n.radius + agent.radius).count();
    }
    assert!(wrong * 300 < judged, "{wrong} of {judged} differ");
    assert!(met * 4 > judged && judged > 5000 && inside > 100, "all cases are met: {met} of {judged}, {inside}");
}
