//! Guarantees of all methods for any input.

use super::*;
use crate::math::Rng;
use glam::Vec2;

/// Every method, and both solvers of ORCA.
fn methods() -> Vec<Avoidance> {
    let named = Avoidance::NAMES.iter().filter_map(|name| Avoidance::by_name(name));
    named.chain([Avoidance::Orca(Orca { solver: OrcaSolver::Clipping, ..Orca::default() })]).collect()
}

/// Numbers near `0`, on a lattice fine enough for agents and coarse enough to be moved far away without rounding.
fn number(rng: &mut Rng, size: f32) -> f32 {
    ((rng.unit() - 0.5) * size * 64.0).round() / 64.0
}

fn agent(mut number: impl FnMut(f32) -> f32) -> AgentState {
    AgentState {
        position: Vec2::new(number(8.0), number(8.0)),
        velocity: Vec2::new(number(4.0), number(4.0)),
        desired: Vec2::new(number(4.0), number(4.0)),
        radius: number(1.0) + 0.5,
        max_speed: number(2.0) + 2.0,
        wall_distance: number(0.5).max(0.0),
    }
}

fn neighbour(mut number: impl FnMut(f32) -> f32) -> Neighbour {
    Neighbour {
        position: Vec2::new(number(8.0), number(8.0)),
        velocity: Vec2::new(number(4.0), number(4.0)),
        desired: Vec2::new(number(4.0), number(4.0)),
        radius: number(1.0) + 0.5,
        share: number(1.0) + 0.5,
    }
}

fn wall(mut number: impl FnMut(f32) -> f32) -> Wall {
    Wall { a: Vec2::new(number(9.0), number(9.0)), b: Vec2::new(number(9.0), number(9.0)) }
}

/// Computes an agent's velocity alone and among others: both have the same bits, are finite, and not too fast.
fn ask(method: &Avoidance, around: &Surroundings<'_>, scratch: &mut AvoidScratch) -> Vec2 {
    let alone = method.velocity(around, scratch);
    let mut many = [Vec2::NAN; 3];
    method.velocities(&[*around; 3], &mut many, scratch);
    for v in many {
        assert_eq!(alone.to_array().map(f32::to_bits), v.to_array().map(f32::to_bits), "{method:?} {around:?}");
    }
    let most = f64::from(around.agent.max_speed.max(0.0));
    assert!(alone.is_finite() && alone.as_dvec2().length() <= most * 1.0001, "{method:?} {around:?}: {alone}");
    alone
}

#[test]
fn whatever_is_given_the_answer_is_a_velocity() {
    const ODD: [f32; 12] =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1e-30, -3.0, 1e5, -1e12, 1e18, 3e38, f32::MIN_POSITIVE];
    let (mut rng, mut scratch) = (Rng::new(77), AvoidScratch::default());
    let mut moving = 0;
    for round in 0..600_u32 {
        // From all valid to every fourth number invalid.
        let odd = [0, 1, 4, 25][round as usize % 4];
        let mut any = |size: f32| {
            if rng.below(100) < odd { ODD[rng.below(ODD.len() as u32) as usize] } else { number(&mut rng, size) }
        };
        let agent = agent(&mut any);
        let mut neighbours: Vec<Neighbour> = (0..round % 13).map(|_| neighbour(&mut any)).collect();
        if let Some(first) = neighbours.first_mut().filter(|_| round % 3 == 0) {
            first.position = agent.position;
        }
        let walls: Vec<Wall> = (0..round % 5).map(|_| wall(&mut any)).collect();
        let around = Surroundings { agent, neighbours: &neighbours, walls: &walls };
        for method in methods() {
            moving += u32::from(ask(&method, &around, &mut scratch) != Vec2::ZERO);
        }
    }
    assert!(moving > 1000, "most agents move: {moving}");
}

#[test]
fn far_from_the_origin_the_answers_are_the_same() {
    let (mut rng, mut scratch) = (Rng::new(78), AvoidScratch::default());
    let far = Vec2::new(98_304.0, -65_536.0);
    for round in 0..200_u32 {
        let mut any = |size: f32| number(&mut rng, size);
        let near = agent(&mut any);
        let neighbours: Vec<Neighbour> = (0..round % 9).map(|_| neighbour(&mut any)).collect();
        let walls: Vec<Wall> = (0..round % 4).map(|_| wall(&mut any)).collect();
        let moved: Vec<Neighbour> = neighbours.iter().map(|n| Neighbour { position: n.position + far, ..*n }).collect();
        let moved_walls: Vec<Wall> = walls.iter().map(|w| Wall { a: w.a + far, b: w.b + far }).collect();
        let there = AgentState { position: near.position + far, ..near };
        for method in methods() {
            let here = Surroundings { agent: near, neighbours: &neighbours, walls: &walls };
            let there = Surroundings { agent: there, neighbours: &moved, walls: &moved_walls };
            assert_eq!(ask(&method, &here, &mut scratch), ask(&method, &there, &mut scratch), "{method:?}");
        }
    }
}

#[test]
fn thousands_of_neighbours_are_no_trouble() {
    let (mut rng, mut scratch) = (Rng::new(79), AvoidScratch::default());
    let mut neighbours: Vec<Neighbour> =
        (0..3000).map(|_| neighbour(|size| number(&mut rng, size * 8.0).abs())).collect();
    neighbours.sort_by(|a, b| a.position.length_squared().total_cmp(&b.position.length_squared()));
    let agent = AgentState {
        position: Vec2::ZERO,
        velocity: Vec2::X,
        desired: Vec2::X,
        radius: 0.5,
        max_speed: 2.0,
        wall_distance: 0.5,
    };
    for method in methods() {
        ask(&method, &Surroundings { agent, neighbours: &neighbours, walls: &[] }, &mut scratch);
    }
}

/// Detour reads uninitialised memory for even divisions, and beyond its array for many.
#[test]
fn every_number_of_divisions_rings_and_rounds_is_right() {
    let mut scratch = AvoidScratch::default();
    let agent = AgentState {
        position: Vec2::ZERO,
        velocity: Vec2::new(1.0, 0.2),
        desired: Vec2::new(2.0, 0.5),
        radius: 0.6,
        max_speed: 3.5,
        wall_distance: 0.6,
    };
    let ahead =
        Neighbour { position: Vec2::new(2.0, 0.1), velocity: -Vec2::X, desired: -Vec2::X, radius: 0.6, share: 0.5 };
    let wall = Wall { a: Vec2::new(-5.0, 1.5), b: Vec2::new(5.0, 1.5) };
    let around = Surroundings { agent, neighbours: &[ahead], walls: &[wall] };
    let finest = Sampled { grid: 129, velocity_bias: 0.0, ..Sampled::default() };
    let mut all = Vec::new();
    finest.penalties(&around, &mut scratch, &mut all);
    let least = all.iter().map(|(_, penalty)| *penalty).fold(f32::INFINITY, f32::min);
    // The first two are the desired velocity and zero, which every pattern tries.
    let simplest = all[0].1.min(all[1].1);
    let mut best_of_large = f32::INFINITY;
    for divisions in (1..=64).chain([0, 65, u32::MAX]) {
        for rings in (1..=16).chain([0, u32::MAX]) {
            let deep = divisions % 9 == 0 && rings % 5 == 0;
            for depth in if deep { vec![0, 1, 2, 7, 16, u32::MAX] } else { vec![1] } {
                let method = Adaptive { divisions, rings, depth, ..Adaptive::default() };
                let v = method.velocity(&around, &mut scratch);
                assert!(v.is_finite() && v.length() <= agent.max_speed * 1.0001);
                let sane = Adaptive {
                    divisions: divisions.clamp(1, 64),
                    rings: rings.clamp(1, 16),
                    depth: depth.clamp(1, 16),
                    ..method
                };
                assert_eq!(v, sane.velocity(&around, &mut scratch), "beyond its limits a number is that limit");
                let penalty = method.least_penalty(&around, &mut scratch);
                assert!(penalty <= simplest, "{divisions} × {rings} × {depth}: {penalty}, but {simplest} was there");
                if divisions >= 32 && rings >= 8 {
                    best_of_large = best_of_large.min(penalty);
                }
            }
        }
    }
    assert!(
        (best_of_large - least).abs() < 0.02 * least,
        "fine rings find what the grid finds: {best_of_large}, {least}"
    );
}

/// A wall may be touched, and an agent passes its end by crossing its line beyond the end. When "near and towards"
/// counted as a collision, agents stood still for ever.
#[test]
fn nobody_who_may_touch_walls_is_held_by_the_end_of_one() {
    let (mut rng, mut scratch) = (Rng::new(5), AvoidScratch::default());
    let free = |at: Vec2, to: Vec2, wall: &Wall| {
        let side = |p: Vec2, a: Vec2, b: Vec2| (b - a).perp_dot(p - a);
        let aside = side(at, wall.a, wall.b) * side(to, wall.a, wall.b) > 0.0;
        aside || side(wall.a, at, to) * side(wall.b, at, to) > 0.0
    };
    let mut tried = 0;
    for round in 0..4000 {
        // A corner of something solid, from far to very near; some agents are on it.
        let turned = Vec2::from_angle(round as f32);
        let wall = |x: f32, y: f32| Wall { a: Vec2::ZERO, b: turned.rotate(Vec2::new(x, y)) };
        let walls = [wall(3.0, 0.0), wall(0.0, -3.0)];
        let near = if round % 8 == 0 { 0.0 } else { 0.001 * f32::exp2((round % 7) as f32) };
        let place = |rng: &mut Rng| Vec2::new(number(rng, 1.0), number(rng, 1.0));
        let (position, heading) =
            (turned.rotate(Vec2::new(place(&mut rng).x, place(&mut rng).y.abs()) * near), place(&mut rng));
        let Some(heading) = heading.try_normalize() else { continue };
        let desired = heading * 2.0;
        // Past both walls with a little room, however long the path.
        let clear = |w: &Wall| {
            let aside = heading.perp() * 1e-3;
            free(position + aside, position + desired * 9.0, w) && free(position - aside, position + desired * 9.0, w)
        };
        let inside = heading.dot(walls[0].b) > 0.0 && heading.dot(walls[1].b) > 0.0;
        if inside || !walls.iter().all(clear) {
            continue;
        }
        tried += 1;
        let agent =
            AgentState { position, velocity: Vec2::ZERO, desired, radius: 0.6, max_speed: 2.0, wall_distance: 0.0 };
        for method in [Avoidance::Sampled(Sampled::default()), Avoidance::Adaptive(Adaptive::default())] {
            let v = method.velocity(&Surroundings { agent, neighbours: &[], walls: &walls }, &mut scratch);
            assert!(v.dot(heading) > 1.0, "{method:?} goes {v} for {desired} from {position} beside {walls:?}");
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn what_can_be_drawn_is_what_the_answers_are_taken_from() {
    let p = Vec2::new;
    let agent = AgentState {
        position: p(3.0, 4.0),
        velocity: p(2.4, 0.0),
        desired: p(2.8, 0.0),
        radius: 0.5,
        max_speed: 3.5,
        wall_distance: 0.5,
    };
    let other = |place: Vec2, velocity| Neighbour {
        position: agent.position + place,
        velocity,
        desired: velocity,
        radius: 0.5,
        share: 0.5,
    };
    let neighbours =
        [other(p(2.4, 1.1), p(0.6, 0.0)), other(p(0.6, -3.2), p(0.2, 1.2)), other(p(5.6, 0.2), p(-1.6, 0.0))];
    let walls = [Wall { a: agent.position + p(-2.0, 1.6), b: agent.position + p(6.5, 1.4) }];
    let around = Surroundings { agent, neighbours: &neighbours, walls: &walls };
    let mut scratch = AvoidScratch::default();

    let (rings, mut rounds) = (Adaptive::default(), Vec::new());
    rings.penalties(&around, &mut scratch, &mut rounds);
    assert_eq!(rounds.len(), 3);
    let best = rounds.iter().flatten().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert_eq!(best.0, rings.velocity(&around, &mut scratch));

    let (orca, mut planes) = (Orca::default(), Vec::new());
    orca.half_planes(&around, &mut planes);
    assert_eq!(planes.len(), 4);
    let v = orca.velocity(&around, &mut scratch);
    let most = planes.iter().map(|plane| plane.violation(v)).fold(f32::NEG_INFINITY, f32::max);
    assert!(most.abs() < 1e-4, "admissible, and on a border: {most}");

    // The least height over the sides of an outline, which run counter-clockwise around the region: above 0 inside.
    let depth = |region: &[Vec2; 5], v: Vec2| {
        let side = |pair: &[Vec2]| (pair[1] - pair[0]).normalize_or_zero().perp_dot(v - pair[1]);
        let sides = region.windows(2).filter(|pair| pair[0] != pair[1]);
        sides.map(side).fold(f32::INFINITY, f32::min)
    };
    let mut regions = Vec::new();
    for (method, name) in
        [(Avoidance::ClearPath(ClearPath::default()), "clearpath"), (Avoidance::Hrvo(Hrvo::default()), "hrvo")]
    {
        match method {
            Avoidance::ClearPath(method) => method.regions(&around, 20.0, &mut regions),
            Avoidance::Hrvo(method) => method.regions(&around, 20.0, &mut regions),
            _ => unreachable!(),
        }
        assert_eq!(regions.len(), 4, "{name}");
        let wanted = around.keeping_right(agent::Turn::right(0.1, 1.0));
        assert!(regions.iter().any(|region| depth(region, wanted) > 0.01), "{name}: what is wanted is forbidden");
        let v = method.velocity(&around, &mut scratch);
        let deepest = regions.iter().map(|region| depth(region, v)).fold(f32::NEG_INFINITY, f32::max);
        assert!(deepest.abs() < 2e-3, "{name}: on a border, inside nothing: {deepest}");
    }
}
