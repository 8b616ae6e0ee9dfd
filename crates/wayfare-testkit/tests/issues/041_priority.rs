//! Of two agents with the priorities 9 and 1 the one that others were to give way to swerved farther: both kept to the
//! right by as much, and the sampling methods let it swerve first, since it had less to change.

use wayfare::avoid::Avoidance;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, CrowdSettings};
use wayfare::math::{Rng, ops, plane};
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::tile::build_outline_tile;
use wayfare::{Vec2, Vec3};

/// Encounters of two are on a square field, each in a place of its own where it sees no other.
const PLACES_A_SIDE: usize = 10;
const PLACE: f32 = 60.0;
/// Alone, both would be at the middle after so many seconds, and at their goals after twice that.
const MEETING: f32 = 4.0;
const TICKS: usize = 240;
const DT: f32 = 0.05;

/// One of two who meet: from where, to where, how fast.
#[derive(Clone, Copy)]
struct Errand {
    start: Vec3,
    goal: Vec3,
    speed: f32,
}

/// Two whose straight ways cross in the middle of a place, at every angle, and who are there at the same time.
fn encounter(number: usize, of: usize, rng: &mut Rng) -> [Errand; 2] {
    let (row, column) = (number / PLACES_A_SIDE, number % PLACES_A_SIDE);
    let middle = Vec3::new((column as f32 + 0.5) * PLACE, 0.0, (row as f32 + 0.5) * PLACE);
    loop {
        let first = rng.unit() * core::f32::consts::TAU;
        let between = (number as f32 + rng.unit()) / of as f32 * core::f32::consts::TAU;
        let errands = [first, first + between].map(|angle| {
            let (ahead, speed) = (Vec3::new(ops::cos(angle), 0.0, ops::sin(angle)), 1.0 + 2.5 * rng.unit());
            let aside = Vec3::new(-ahead.z, 0.0, ahead.x) * (0.8 * (rng.unit() - 0.5));
            let way = ahead * (speed * MEETING);
            Errand { start: middle + aside - way, goal: middle + aside + way, speed }
        });
        if errands[0].start.distance(errands[1].start) > 4.0 {
            return errands;
        }
    }
}

/// Where those who come of each pair are at every tick. `priorities` of both, [`None`] for one who stays away.
fn walk(pairs: &[[Errand; 2]], method: Avoidance, priorities: [Option<f32>; 2]) -> Vec<[Vec<Vec3>; 2]> {
    let side = PLACE * PLACES_A_SIDE as f32;
    let field = [[0.0, 0.0], [0.0, side], [side, side], [side, 0.0]].map(|[x, z]| Vec2::new(x, z));
    let mesh = NavMesh::from_tile(build_outline_tile(&[field.to_vec()], 0.0).unwrap()).unwrap();
    let (mut crowd, mut planner) = (Crowd::new(CrowdSettings::default()), AStarPlanner::new());
    let mut come = |errand: &Errand, priority: Option<f32>| {
        let params =
            AgentParams { avoidance: method, max_speed: errand.speed, priority: priority?, ..AgentParams::default() };
        let agent = crowd.add(&mesh, errand.start, params).unwrap();
        crowd.go_to(&mesh, agent, errand.goal).unwrap();
        Some(agent)
    };
    let agents: Vec<_> = pairs.iter().map(|pair| [0, 1].map(|i| come(&pair[i], priorities[i]))).collect();
    let mut walked = vec![[Vec::new(), Vec::new()]; pairs.len()];
    for _ in 0..TICKS {
        crowd.step(&mesh, DT, &mut planner, &Context::default());
        for (walked, agents) in walked.iter_mut().zip(&agents) {
            for (walked, agent) in walked.iter_mut().zip(agents) {
                walked.extend(agent.map(|agent| crowd.position(agent).unwrap()));
            }
        }
    }
    walked
}

/// What avoiding the other cost one of two, in metres.
#[derive(Clone, Copy, Debug, Default)]
struct Swerve {
    /// The farthest that it ever was from where it would have been alone, aside or behind.
    whole: f32,
    /// The farthest that it was beside its straight line.
    aside: f32,
}

fn swerve(errand: &Errand, walked: &[Vec3], alone: &[Vec3]) -> Swerve {
    let ahead = plane::xz(errand.goal - errand.start).normalize();
    let aside = |p: &Vec3| ahead.perp_dot(plane::xz(*p - errand.start)).abs();
    Swerve {
        whole: walked.iter().zip(alone).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max),
        aside: walked.iter().map(aside).fold(0.0, f32::max),
    }
}

/// The mean swerve of those who have the first and of those who have the second of two priorities.
fn mean_swerves(method: Avoidance, priorities: [f32; 2], encounters: usize) -> [Swerve; 2] {
    let mut rng = Rng::new(41);
    let pairs: Vec<_> = (0..encounters).map(|number| encounter(number, encounters, &mut rng)).collect();
    let alone = [walk(&pairs, method, [Some(1.0), None]), walk(&pairs, method, [None, Some(1.0)])];
    let mut sums = [Swerve::default(); 2];
    // Each encounter twice, so that it is the same errands that have the one and the other.
    for order in [[0, 1], [1, 0]] {
        let walked = walk(&pairs, method, order.map(|who| Some(priorities[who])));
        for (number, pair) in pairs.iter().enumerate() {
            for place in 0..2 {
                let one = swerve(&pair[place], &walked[number][place], &alone[place][number][place]);
                let sum = &mut sums[order[place]];
                (sum.whole, sum.aside) = (sum.whole + one.whole, sum.aside + one.aside);
            }
        }
    }
    let count = (2 * encounters) as f32;
    sums.map(|sum| Swerve { whole: sum.whole / count, aside: sum.aside / count })
}

/// Shares of the swerving are within this of what the priorities promise.
const BAND: f32 = 0.1;

fn holds(name: &str, encounters: usize, priorities: &[f32]) {
    let method = Avoidance::by_name(name).unwrap();
    let mut last = [1.0, 1.0];
    for &first in priorities {
        let [a, b] = mean_swerves(method, [first, 1.0], encounters);
        let promised = 1.0 / (first + 1.0);
        let shares = [a.whole / (a.whole + b.whole), a.aside / (a.aside + b.aside)];
        println!("{name} {first}:1, promised {promised:.2}: {shares:.2?} of {a:.2?} and {b:.2?}");
        assert!(b.whole > 0.2, "{name}: nobody swerves");
        for (share, last) in shares.into_iter().zip(&mut last) {
            assert!((share - promised).abs() < BAND, "{name} {first}:1: {share} of the swerving, not {promised}");
            assert!(share < *last, "{name} {first}:1: more than with less priority");
            *last = share;
        }
    }
}

#[test]
fn sampled_velocities_give_way_by_priority() {
    // A thousand samples for each velocity: in a test build a few encounters must do.
    holds("sampled", 30, &[1.0, 9.0]);
}

#[test]
fn adaptive_samples_give_way_by_priority() {
    holds("adaptive", 100, &[1.0, 2.0, 4.0, 9.0]);
}

#[test]
fn half_planes_give_way_by_priority() {
    holds("orca", 100, &[1.0, 2.0, 4.0, 9.0]);
}

#[test]
fn free_borders_give_way_by_priority() {
    holds("clearpath", 100, &[1.0, 2.0, 4.0, 9.0]);
}

#[test]
fn hybrid_obstacles_give_way_by_priority() {
    holds("hrvo", 100, &[1.0, 2.0, 4.0, 9.0]);
}
