//! Everybody who was sent to one point, or after one who stood, ended in a ball with its centers in one place: who
//! could not come near enough, since others stood there, made itself narrow and pushed on.

use wayfare::avoid::Avoidance;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, Recovery, Target, TargetStatus};
use wayfare::math::Rng;
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::query::{DefaultFilter, PolyPoint, find_nearest};
use wayfare::tile::build_outline_tile;
use wayfare::{Vec2, Vec3};

const RADIUS: f32 = 0.6;

/// Open ground of 30 × 30 m.
fn floor() -> NavMesh {
    let corners = [[0.0, 0.0], [30.0, 0.0], [30.0, 30.0], [0.0, 30.0]].map(Vec2::from);
    NavMesh::from_tile(build_outline_tile(&[corners.to_vec()], 0.0).unwrap()).unwrap()
}

fn place(mesh: &NavMesh, x: f32, z: f32) -> PolyPoint {
    find_nearest(mesh, Vec3::new(x, 0.0, z), Vec3::ONE, &DefaultFilter::default()).unwrap().place()
}

/// All methods that avoid, but for the one that takes a thousand samples where many walk.
fn methods(agents: usize) -> impl Iterator<Item = AgentParams> {
    let names = Avoidance::NAMES.into_iter().filter(move |name| *name != "none" && (agents < 10 || *name != "sampled"));
    names.map(|name| AgentParams { avoidance: Avoidance::by_name(name).unwrap(), ..AgentParams::of_size(RADIUS, 2.0) })
}

fn walk(crowd: &mut Crowd, mesh: &NavMesh, ticks: u32, mut look: impl FnMut(&Crowd)) {
    let mut planner = AStarPlanner::new();
    for _ in 0..ticks {
        crowd.step(mesh, 0.05, &mut planner, &Context::default());
        look(crowd);
    }
}

/// Pairs nearer than nine tenths of the sum of their radii.
fn overlaps(crowd: &Crowd) -> usize {
    let places = crowd.positions();
    let near = |a: Vec3, b: &&Vec3| a.distance(**b) < 0.9 * 2.0 * RADIUS;
    (0..places.len()).map(|i| places[..i].iter().filter(|b| near(places[i], b)).count()).sum()
}

/// Adds so many anywhere, with a target.
fn add(crowd: &mut Crowd, mesh: &NavMesh, params: &AgentParams, (count, target): (usize, Target)) {
    let mut rng = Rng::new(7);
    for _ in 0..count {
        let at = Vec3::new(1.0 + 28.0 * rng.unit(), 0.0, 1.0 + 28.0 * rng.unit());
        let agent = crowd.add(mesh, at, params.clone()).unwrap();
        crowd.set_target(agent, target).unwrap();
    }
}

/// All of them have arrived, stand apart, rest, and stand as near to `center` as a disc of bodies is wide.
fn assert_gathered(crowd: &mut Crowd, mesh: &NavMesh, center: Vec3, what: &str) {
    let before = crowd.positions().to_vec();
    let mut pairs = 0;
    walk(crowd, mesh, 40, |crowd| pairs += overlaps(crowd));
    assert!(pairs <= 40, "{what}: {pairs} overlapping pairs in two seconds");
    let count = before.len() as f32;
    let arrived = crowd.ids().filter(|&agent| crowd.target_status(agent) == Ok(TargetStatus::Arrived)).count();
    let rest = crowd.ids().filter(|&agent| crowd.is_at_rest(agent) == Ok(true)).count();
    let still = before.iter().zip(crowd.positions()).filter(|(a, b)| a.distance(**b) < 0.1).count();
    assert!(arrived as f32 >= count - 1.0, "{what}: {arrived} have arrived");
    assert!(rest as f32 >= 0.97 * count && still as f32 >= 0.97 * count, "{what}: {rest} rest, {still} stand still");
    let mut distances: Vec<f32> = crowd.positions().iter().map(|at| at.distance(center)).collect();
    distances.sort_by(f32::total_cmp);
    let disc = RADIUS * ((count + 1.0) / 0.75).sqrt();
    let most = distances[(0.95 * count) as usize];
    assert!(most < (1.35 * disc).max(2.6 * RADIUS), "{what}: {most} m, a disc has {disc}");
}

#[test]
fn many_sent_to_one_point_settle_as_a_disc_of_solid_bodies() {
    let mesh = floor();
    let center = place(&mesh, 15.0, 15.0);
    for squeeze in [0.0, 1.0] {
        for mut params in methods(40) {
            params.recovery = Recovery { squeeze, ..Recovery::default() };
            let mut crowd = Crowd::default();
            add(&mut crowd, &mesh, &params, (40, Target::Point(center)));
            let mut pairs = 0;
            walk(&mut crowd, &mesh, 800, |crowd| pairs += overlaps(crowd));
            let what = format!("{}, squeeze {squeeze}", params.avoidance.name());
            assert!(pairs <= 2 * 800, "{what}: {pairs} overlapping pairs on the way");
            assert_gathered(&mut crowd, &mesh, center.point, &what);
        }
    }
}

#[test]
fn who_follows_one_that_stands_comes_to_touch_it_or_those_who_do() {
    let mesh = floor();
    for count in [1, 20] {
        for params in methods(count) {
            let mut crowd = Crowd::default();
            let prey = crowd.add(&mesh, Vec3::new(15.0, 0.0, 15.0), params.clone()).unwrap();
            crowd.set_target(prey, Target::Point(place(&mesh, 15.0, 15.0))).unwrap();
            add(&mut crowd, &mesh, &params, (count, Target::Agent(prey)));
            walk(&mut crowd, &mesh, 600, |_| ());
            let center = crowd.position(prey).unwrap();
            assert_gathered(&mut crowd, &mesh, center, &format!("{} after one, {}", count, params.avoidance.name()));
        }
    }
}

/// It stood in the ring of those who had caught it and could not get out.
#[test]
fn who_is_surrounded_in_a_corner_gets_out() {
    let mesh = floor();
    for params in methods(10) {
        let mut crowd = Crowd::default();
        let prey = crowd.add(&mesh, Vec3::new(0.1, 0.0, 0.1), params.clone()).unwrap();
        add(&mut crowd, &mesh, &params, (20, Target::Agent(prey)));
        walk(&mut crowd, &mesh, 400, |_| ());
        crowd.set_target(prey, Target::Point(place(&mesh, 28.0, 28.0))).unwrap();
        let mut is_there = false;
        walk(&mut crowd, &mesh, 600, |crowd| is_there |= crowd.target_status(prey) == Ok(TargetStatus::Arrived));
        let name = params.avoidance.name();
        assert!(is_there, "{name}: it stands at {}", crowd.position(prey).unwrap());
    }
}
