//! The geometric methods compared with brute force: the best of very many velocities, tested one by one.

use super::free_boundary::regions;
use super::velocity_obstacle::{ObstacleShape, VelocityObstacle, Widen, of_neighbour};
use super::*;
use crate::math::Rng;
use glam::Vec2;

fn p(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

fn walker(velocity: Vec2, desired: Vec2) -> AgentState {
    AgentState { position: Vec2::ZERO, velocity, desired, radius: 0.5, max_speed: 2.0, wall_distance: 0.0 }
}

/// A neighbour with this position and velocity that does half of the avoidance.
fn other(position: Vec2, velocity: Vec2) -> Neighbour {
    Neighbour { position, velocity, desired: velocity, radius: 0.5, share: 0.5 }
}

/// Random neighbours, up to this far away along x and y, nearest first, none of them overlapping the agent.
fn random_others(rng: &mut Rng, count: u32, far: f32) -> Vec<Neighbour> {
    let mut unit = || rng.unit() * 2.0 - 1.0;
    let mut others: Vec<Neighbour> =
        (0..count).map(|_| other(p(unit(), unit()) * far, p(unit(), unit()) * 1.5)).collect();
    others.retain(|n| n.position.length() > 1.05);
    others.sort_by(|a, b| a.position.length().total_cmp(&b.position.length()));
    others
}

/// Very many velocities no faster than 2 m/s.
fn velocities() -> Vec<Vec2> {
    const FINE: i32 = 160;
    let grid = (-FINE..=FINE).flat_map(|y| (-FINE..=FINE).map(move |x| p(x as f32, y as f32) * (2.0 / FINE as f32)));
    grid.filter(|v| v.length() <= 2.0).collect()
}

/// Distance from any velocity to the nearest one on that grid, at most, m/s.
const GRAIN: f32 = 2.0 / 160.0;

#[test]
fn orca_takes_the_admissible_velocity_nearest_to_the_wanted_one_or_the_least_violation() {
    let (mut rng, mut scratch, all) = (Rng::new(21), AvoidScratch::default(), velocities());
    let program = Orca { side_bias: 0.0, ..Orca::default() };
    let clipping = Orca { solver: OrcaSolver::Clipping, ..program };
    let (mut planes, mut free, mut full) = (Vec::new(), 0, 0);
    for round in 0..90 {
        let neighbours = random_others(&mut rng, 2 + round % 24, [5.0, 2.5][round as usize % 2]);
        let mut unit = || rng.unit() * 2.0 - 1.0;
        let agent = walker(p(unit(), unit()), p(unit(), unit()) * 1.4);
        let around = Surroundings { agent, neighbours: &neighbours, walls: &[] };
        program.half_planes(&around, &mut planes);
        let violation = |v: Vec2| planes.iter().map(|plane| plane.violation(v)).fold(f32::NEG_INFINITY, f32::max);
        let [ours, clipped] = [program, clipping].map(|method| method.velocity(&around, &mut scratch));
        let admissible = all.iter().filter(|v| violation(**v) <= 0.0);
        let nearest = admissible.map(|v| v.distance(agent.desired)).fold(f32::INFINITY, f32::min);
        if nearest.is_finite() {
            for v in [ours, clipped] {
                assert!(violation(v) < 1e-3, "round {round}: {v} violates {}", violation(v));
                let away = v.distance(agent.desired);
                assert!(away <= nearest + 0.011, "round {round}: {away} m/s off, but {nearest} is to be had");
            }
            assert!(ours.distance(clipped) < 0.05, "round {round}: {ours} and {clipped}");
            free += 1;
        } else if violation(ours) > GRAIN {
            let least = all.iter().map(|v| violation(*v)).fold(f32::INFINITY, f32::min);
            assert!(violation(ours) <= least + 1e-3, "round {round}: violates {}, not {least}", violation(ours));
            full += 1;
        }
    }
    assert!(free > 20 && full > 5, "{free} {full}");
}

#[test]
fn where_nothing_is_admissible_the_farthest_are_given_up_first() {
    let (mut rng, mut scratch, all) = (Rng::new(22), AvoidScratch::default(), velocities());
    let clipping = Orca { solver: OrcaSolver::Clipping, side_bias: 0.0, ..Orca::default() };
    let (mut planes, mut given_up) = (Vec::new(), 0);
    for round in 0..80 {
        let neighbours = random_others(&mut rng, 6 + round % 20, 2.5);
        let mut unit = || rng.unit() * 2.0 - 1.0;
        let agent = walker(p(unit(), unit()), p(unit(), unit()) * 1.4);
        let around = Surroundings { agent, neighbours: &neighbours, walls: &[] };
        clipping.half_planes(&around, &mut planes);
        let leaves = |count: usize| all.iter().any(|v| planes[..count].iter().all(|plane| plane.violation(*v) <= 0.0));
        if leaves(planes.len()) {
            continue;
        }
        let kept = (0..planes.len()).rev().find(|&count| leaves(count)).unwrap();
        // The clipping may keep one plane more than the grid shows, if it leaves less than a grain.
        let v = clipping.velocity(&around, &mut scratch);
        let with = |count: usize| {
            let nearest = &neighbours[..count];
            clipping.velocity(&Surroundings { neighbours: nearest, ..around }, &mut scratch)
        };
        assert!((kept..neighbours.len()).map(with).any(|nearest| nearest == v), "round {round}: {v}");
        let ignored = planes[kept..].iter().any(|plane| plane.violation(v) > 0.1);
        let respected = planes[..kept].iter().all(|plane| plane.violation(v) < 1e-2);
        assert!(respected, "round {round}: a near one is run into");
        given_up += u32::from(ignored);
    }
    assert!(given_up > 10, "{given_up}");

    // Four neighbours close in from all sides and leave nothing: each method behaves as if the last were not there.
    let squeezed: Vec<Neighbour> = [1.01, 1.02, 1.03, 1.04, 1.05, 1.06]
        .iter()
        .enumerate()
        .map(|(i, far)| {
            let from = Vec2::from_angle(i as f32 * 2.4);
            other(from * *far, from * -2.0)
        })
        .collect();
    let agent = walker(Vec2::ZERO, p(1.0, 0.3));
    let methods =
        [Avoidance::ClearPath(ClearPath::default()), Avoidance::Hrvo(Hrvo::default()), Avoidance::Orca(clipping)];
    for method in methods {
        let mut answer = |count: usize| {
            let around = Surroundings { agent, neighbours: &squeezed[..count], walls: &[] };
            method.velocity(&around, &mut scratch)
        };
        let whole = answer(squeezed.len());
        let kept = (1..squeezed.len()).rev().find(|&count| answer(count) == whole);
        assert!(kept.is_some() && whole != Vec2::ZERO, "{method:?}: {whole} is the answer to no row of the nearest");
    }
}

/// ClearPath without its other weights: the nearest point.
fn plain(widen: Widen) -> (Avoidance, ObstacleShape) {
    let clear = ClearPath { steadiness: 0.0, keep_right: 0.0, ..ClearPath::default() };
    let hybrid = Hrvo { keep_right: 0.0, ..Hrvo::default() };
    let (method, horizon, overlap_time, spike) = match widen {
        Widen::Angle(_) => (Avoidance::ClearPath(clear), clear.horizon, clear.overlap_time, clear.spike),
        Widen::Hybrid => (Avoidance::Hrvo(hybrid), hybrid.horizon, hybrid.overlap_time, hybrid.spike),
    };
    (method, ObstacleShape { horizon, wall_horizon: 0.5, overlap_time, spike, widen })
}

#[test]
fn clear_path_and_hrvo_take_the_free_velocity_nearest_to_the_wanted_one() {
    let (mut rng, mut scratch, all) = (Rng::new(23), AvoidScratch::default(), velocities());
    for widen in [Widen::Angle(ClearPath::default().side_bias), Widen::Hybrid] {
        let ((method, shape), mut found, mut compared) = (plain(widen), Vec::new(), 0);
        for round in 0..40 {
            let neighbours = random_others(&mut rng, 2 + round % 8, 5.0);
            let mut unit = || rng.unit() * 2.0 - 1.0;
            let agent = walker(p(unit(), unit()), p(unit(), unit()) * 1.4);
            let walls = [Wall { a: p(-4.0, 0.7), b: p(4.0, 0.6) }];
            let around = Surroundings { agent, neighbours: &neighbours, walls: &walls[..round as usize % 2] };
            regions(&around, &shape, &mut found);
            let is_free =
                |v: Vec2, margin: f32| !found.iter().any(|region: &VelocityObstacle| region.contains(v, margin));
            let free = all.iter().filter(|v| is_free(**v, 0.0));
            let nearest = free.map(|v| v.distance(agent.desired)).fold(f32::INFINITY, f32::min);
            if nearest.is_finite() {
                let v = method.velocity(&around, &mut scratch);
                assert!(is_free(v, 3e-3), "{method:?}, round {round}: {v} runs into somebody");
                let away = v.distance(agent.desired);
                assert!(away <= nearest + 2e-3, "{method:?}, round {round}: {away}, but {nearest} is to be had");
                compared += 1;
            }
        }
        assert!(compared > 25, "{compared}");
    }
}

#[test]
fn a_spike_is_met_early_and_leads_to_the_side_that_is_not_widened() {
    // A neighbour comes head-on, from so far away that the blunt end does not reach the desired velocity.
    let desired = p(1.2, 0.0);
    let agent = walker(desired, desired);
    let oncoming = [other(p(7.0, 0.0), -desired)];
    let around = Surroundings { agent, neighbours: &oncoming, walls: &[] };
    let mut scratch = AvoidScratch::default();
    let mut answer = |spike, side_bias| {
        let method = ClearPath { spike, side_bias, steadiness: 0.0, keep_right: 0.0, ..ClearPath::default() };
        method.velocity(&around, &mut scratch)
    };
    assert_eq!(answer(0.0, 0.3), desired, "not yet");
    let early = answer(0.5, 0.3);
    assert!(early != desired && early.y.abs() > 0.01, "already, to a side: {early}");
    assert!(answer(1.0, 0.3).y.abs() > early.y.abs(), "the longer the spike, the earlier");

    // The tip lies between the disc and the apex, as the spike says; both its sides lead to the shoulders.
    let tip = |spike: f32| {
        let shape =
            ObstacleShape { horizon: 2.0, wall_horizon: 0.5, overlap_time: 0.2, spike, widen: Widen::Angle(0.3) };
        let region = of_neighbour(&agent, &oncoming[0], &shape).outline(10.0);
        assert!(region[1].y > 0.0 && region[3].y < 0.0, "shoulders to both sides: {region:?}");
        region[2].x
    };
    // Half of the avoidance: the apex is at 0, and the disc of 1 m at 7 m is 6 / 2 s, half of which counts.
    assert!((tip(0.0) - 1.5).abs() < 1e-5 && (tip(0.5) - 0.75).abs() < 1e-5 && tip(1.0).abs() < 1e-5);

    // The widened leg is on the side on which nobody should pass: a neighbour from there is passed on the other.
    let shape = |widen| ObstacleShape { horizon: 2.0, wall_horizon: 0.5, overlap_time: 0.2, spike: 0.5, widen };
    let legs = |widen| of_neighbour(&agent, &oncoming[0], &shape(widen)).outline(10.0);
    let (even, wide) = (legs(Widen::Angle(0.0)), legs(Widen::Angle(0.3)));
    assert_eq!(even[0], wide[0], "one leg stays");
    assert!(wide[4].y < even[4].y - 1.0, "the other is turned outwards: {} {}", wide[4], even[4]);
}

#[test]
fn hybrid_regions_are_reciprocal_on_one_side_and_plain_on_the_other() {
    let agent = walker(p(1.0, 0.0), p(1.0, 0.0));
    let oncoming = other(p(6.0, 0.0), p(-1.0, 0.0));
    let shape = ObstacleShape { horizon: 2.0, wall_horizon: 0.5, overlap_time: 0.2, spike: 0.0, widen: Widen::Hybrid };
    let region = of_neighbour(&agent, &oncoming, &shape);
    let on_leg = |apex: Vec2, side: f32, far: f32| {
        // A point on the tangent through this apex to the disc of 1 m at 6 m.
        let along = Vec2::from_angle(side * (1.0_f32 / 6.0).asin());
        apex + along * far
    };
    let reciprocal = p(0.0, 0.0);
    let plain = p(-1.0, 0.0);
    let inside = |v: Vec2, outwards: f32| [1e-2, -1e-2].map(|by| region.contains(v + p(0.0, outwards * by), 0.0));
    // On the left, where both pass: half of the avoidance each. On the right: as if the other did nothing.
    assert_eq!(inside(on_leg(reciprocal, 1.0, 6.0), 1.0), [false, true]);
    assert_eq!(inside(on_leg(plain, -1.0, 7.0), -1.0), [false, true]);
}

#[test]
fn what_is_shown_of_a_method_holds_its_answer() {
    let (mut rng, mut scratch) = (Rng::new(37), AvoidScratch::default());
    let clipping = Orca { solver: OrcaSolver::Clipping, side_bias: 0.0, ..Orca::default() };
    let border = ClearPath { steadiness: 0.0, keep_right: 0.0, ..ClearPath::default() };
    let (mut steps, mut planes, mut free) = (Vec::new(), Vec::new(), Vec::new());
    let mut on_border = 0;
    for round in 0..60 {
        let neighbours = random_others(&mut rng, 1 + round % 9, 4.0);
        let mut unit = || rng.unit() * 2.0 - 1.0;
        let agent = walker(p(unit(), unit()), p(unit(), unit()) * 1.4);
        let around = Surroundings { agent, neighbours: &neighbours, walls: &[] };
        clipping.clipping_steps(&around, &mut steps);
        clipping.half_planes(&around, &mut planes);
        let v = clipping.velocity(&around, &mut scratch);
        let last = steps.last().unwrap();
        assert!(steps.len() <= planes.len() + 1);
        for (plane, step) in planes.iter().zip(&steps[1..]) {
            assert!(step.iter().all(|&corner| plane.violation(corner) < 1e-4), "round {round}: cut off");
        }
        let from = |corner: &Vec2| corner.distance(agent.desired);
        assert!(last.iter().map(from).fold(f32::INFINITY, f32::min) >= v.distance(agent.desired) - 1e-3);
        border.free_border(&around, &mut free);
        let v = border.velocity(&around, &mut scratch);
        if !free.is_empty() && v != agent.desired {
            let wall = |[a, b]: &[Vec2; 2]| Wall { a: *a, b: *b }.nearest(v).distance(v);
            assert!(free.iter().map(wall).fold(f32::INFINITY, f32::min) < 1e-3, "round {round}: {v} is off the border");
            on_border += 1;
        }
    }
    assert!(on_border > 10);
}
