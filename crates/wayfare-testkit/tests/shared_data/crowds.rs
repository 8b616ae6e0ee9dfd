//! What others' crowds do in scenes of which only the geometry matters: one agent's way, and the examples of RVO2. Ours
//! must arrive where theirs do and no later; across the circle solid bodies keep at least as far apart.

use super::{document, number, vec3};
use wayfare::area::{AreaId, PolyFlags};
use wayfare::avoid::{Avoidance, Orca};
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, CrowdSettings, Recovery, TargetStatus};
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::tile::{SourcePoly, TileSource, build_tile};
use wayfare::{Vec2, Vec3};
use wayfare_testkit::data;

#[test]
fn one_agent_walks_the_way_of_the_other_ports() {
    let Some(facts) = document("crowd_1_agent.json") else { return };
    let Some(mesh) = data::detour_mesh("reference/mesh/navmesh_dungeon_solo.bin") else { return };
    let mut judged = 0;
    for case in facts["cases"].as_array().unwrap() {
        let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
        let agent = crowd.add(&mesh, vec3(&case["start_pos"]), AgentParams::default()).unwrap();
        let target = vec3(&case["target_pos"]);
        crowd.go_to(&mesh, agent, target).unwrap();
        let theirs: Vec<Vec3> = case["expected"].as_array().unwrap().iter().map(vec3).collect();
        let mut arrived = None;
        let mut farthest: f32 = 0.0;
        for tick in 0..theirs.len() {
            crowd.step(&mesh, 0.2, &mut planner, &Context::default());
            let at = crowd.position(agent).unwrap();
            // Theirs is a row of places seven tenths of a metre apart.
            farthest = farthest.max(theirs.iter().map(|p| p.distance(at)).fold(f32::INFINITY, f32::min));
            if arrived.is_none() && at.distance(target) <= 0.6 {
                arrived = Some(tick);
            }
        }
        let name = &case["name"];
        assert!(arrived.is_some(), "{name}: not there after {} ticks", theirs.len());
        assert!(farthest < 1.5, "{name}: {farthest} m beside their way");
        judged += 1;
    }
    assert_eq!(judged, 8);
}

/// What became of a run.
struct Outcome {
    seconds: f32,
    nearest: f32,
}

/// Agents of one size that walk at 1 m/s and avoid each other by half-planes.
fn kind(radius: f32, horizon: f32, recovery: Recovery) -> AgentParams {
    let avoidance = Avoidance::Orca(Orca { horizon, ..Orca::default() });
    AgentParams { avoidance, recovery, max_speed: 1.0, ..AgentParams::of_size(radius, 2.0) }
}

/// Until all are within `reach` of their goals, or have arrived: in touch with others who rest at the same goal.
fn run(mesh: &NavMesh, errands: &[(Vec3, Vec3)], kind: &AgentParams, reach: f32, most: f32) -> Outcome {
    let mut crowd = Crowd::new(CrowdSettings::default());
    let mut agents = Vec::new();
    for &(start, goal) in errands {
        let agent = crowd.add(mesh, start, kind.clone()).unwrap();
        crowd.go_to(mesh, agent, goal).unwrap();
        agents.push(agent);
    }
    let mut planner = AStarPlanner::new();
    let mut outcome = Outcome { seconds: 0.0, nearest: f32::INFINITY };
    let mut there = vec![false; errands.len()];
    while outcome.seconds < most && there.contains(&false) {
        crowd.step(mesh, 0.25, &mut planner, &Context::default());
        outcome.seconds += 0.25;
        let places = crowd.positions();
        for (i, (there, (_, goal))) in there.iter_mut().zip(errands).enumerate() {
            *there |= places[i].distance(*goal) <= reach || crowd.target_status(agents[i]) == Ok(TargetStatus::Arrived);
            let others = places[..i].iter().map(|p| p.distance(places[i]));
            outcome.nearest = others.fold(outcome.nearest, f32::min);
        }
    }
    assert!(!there.contains(&false), "{} are not there", there.iter().filter(|there| !**there).count());
    outcome
}

/// Ground between these lines in both directions, but for cells of which `is_open` says no.
fn cells(lines: &[f32], is_open: impl Fn(Vec2) -> bool) -> NavMesh {
    let n = lines.len();
    let verts: Vec<Vec3> = (0..n * n).map(|i| Vec3::new(lines[i % n], 0.0, lines[i / n])).collect();
    let (mut corners, mut polys) = (Vec::new(), Vec::new());
    for (x, z) in (0..(n - 1) * (n - 1)).map(|i| (i % (n - 1), i / (n - 1))) {
        let middle = Vec2::new(lines[x] + lines[x + 1], lines[z] + lines[z + 1]) * 0.5;
        if is_open(middle) {
            let at = (z * n + x) as u32;
            let n = n as u32;
            corners.extend([at, at + n, at + n + 1, at + 1]);
            polys.push(SourcePoly { count: 4, flags: PolyFlags::WALK, area: AreaId::WALKABLE });
        }
    }
    let tile = build_tile(&TileSource {
        agent_height: 2.0,
        verts: &verts,
        corners: &corners,
        polys: &polys,
        ..TileSource::default()
    });
    NavMesh::from_tile(tile.unwrap()).unwrap()
}

#[test]
fn a_circle_of_250_swaps_places_as_soon_and_as_far_apart_as_with_rvo2() {
    let Some(facts) = data::json("crowd/scenarios.json") else { return };
    let theirs = &facts["circle"]["outcome"];
    let on = |i: usize| {
        let angle = core::f32::consts::TAU * i as f32 / 250.0;
        Vec3::new(wayfare::math::ops::cos(angle), 0.0, wayfare::math::ops::sin(angle)) * 200.0
    };
    let errands: Vec<_> = (0..250).map(|i| (on(i), -on(i))).collect();
    let mesh = cells(&[-260.0, 260.0], |_| true);
    let kind = kind(1.5, 10.0, Recovery { squeeze: 1.0, ..Recovery::default() });
    let ours = run(&mesh, &errands, &kind, 1.5, number(&theirs["last_arrival"]));
    println!("{} s, {} m apart", ours.seconds, ours.nearest);
    assert!(ours.nearest >= number(&theirs["min_center_distance"]), "{} m", ours.nearest);
}

#[test]
fn four_groups_cross_between_blocks_sooner_than_with_rvo2() {
    let Some(facts) = data::json("crowd/scenarios.json") else { return };
    let radius = 2.0;
    let mut errands = Vec::new();
    for (s, t) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        for (i, j) in (0..25).map(|k| ((k % 5) as f32, (k / 5) as f32)) {
            let start = Vec3::new(s * (55.0 + 10.0 * i), 0.0, t * (55.0 + 10.0 * j));
            errands.push((start, Vec3::new(-75.0 * s, 0.0, -75.0 * t)));
        }
    }
    // The blocks stand from 10 to 40 m in each quarter; centers keep a radius away.
    let lines = [-140.0, -40.0 - radius, -10.0 + radius, 10.0 - radius, 40.0 + radius, 140.0];
    let in_block = |v: f32| (10.0..40.0).contains(&v.abs());
    let mesh = cells(&lines, |middle| !(in_block(middle.x) && in_block(middle.y)));
    let times = facts["blocks"]["outcome"]["time"].as_array().unwrap().iter().map(number);
    let ours = run(&mesh, &errands, &kind(radius, 5.0, Recovery::default()), 20.0, times.fold(f32::INFINITY, f32::min));
    println!("{} s", ours.seconds);
}
