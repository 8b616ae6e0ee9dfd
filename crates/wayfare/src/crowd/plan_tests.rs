//! Tests of where ways come from: the queue, goals that move, flow fields.

use super::tests::{DT, at, has, small, walk};
use super::*;
use crate::area::{AreaId, AreaInfo, AreaTable, PolyFlags};
use crate::avoid::Avoidance;
use crate::context::{Budget, Context};
use crate::corridor::test_ground::{place, random_world, world};
use crate::math::{Rng, plane};
use crate::mesh::NavMesh;
use crate::plan::{AStarPlanner, Planned, Planner, SharedFilter};
use crate::query::{DefaultFilter, PathRequest, PointSampler, PolyPath};

#[test]
fn unreachable_goals_are_answered_at_once_and_do_not_stand_in_the_way() {
    let mesh = world("aaaa.aaaa");
    let mut crowd = Crowd::default();
    crowd.settings_mut().path_nodes = 1;
    let agents: Vec<AgentId> =
        (0..50).map(|i| crowd.add(&mesh, at(0.5 + 0.05 * i as f32, 0.5), small()).unwrap()).collect();
    for agent in &agents[..49] {
        crowd.go_to(&mesh, *agent, at(8.0, 0.5)).unwrap();
    }
    crowd.go_to(&mesh, agents[49], at(0.2, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(agents[..49].iter().all(|&agent| has(&crowd, agent, EventKind::Unreachable)));
    assert_eq!((crowd.profile().waiting, crowd.target_status(agents[0])), (1, Ok(TargetStatus::Unreachable)));
    // An agent that is told to go near all the same, goes.
    crowd.set_params(agents[0], AgentParams { when_unreachable: WhenUnreachable::GoNear, ..small() }).unwrap();
    crowd.go_to(&mesh, agents[0], at(8.0, 0.5)).unwrap();
    crowd.settings_mut().path_nodes = 1000;
    walk(&mut crowd, &mesh, 2, |_| false);
    assert_eq!(crowd.target_status(agents[0]), Ok(TargetStatus::Partial));
}

#[test]
fn who_is_chased_is_caught_without_a_search_each_tick() {
    let mesh = world("aaaaaaaa\na......a\na......a\naaaaaaaa");
    let mut crowd = Crowd::default();
    let prey = crowd.add(&mesh, at(4.0, 0.5), AgentParams { max_speed: 1.0, ..small() }).unwrap();
    let hunter = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, prey, at(4.0, 3.5)).unwrap();
    crowd.set_target(hunter, Target::Agent(prey)).unwrap();
    let mut searches = 0;
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
        searches += crowd
            .events()
            .iter()
            .filter(|e| e.agent == hunter && e.kind == EventKind::PathFound { complete: true })
            .count();
        plane::distance(crowd.position(prey).unwrap(), crowd.position(hunter).unwrap()) < 0.5
    });
    assert!(ticks < 300 && searches <= 4, "{ticks} ticks, {searches} searches");
    crowd.remove(prey).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(has(&crowd, hunter, EventKind::GaveUp));
}

#[test]
fn one_field_leads_everybody_to_one_goal() {
    let mesh = random_world(&mut Rng::new(5), 3, 8);
    let goal = place(&mesh, (0.5, 0.5));
    let filter = DefaultFilter::default();
    let (sampler, mut rng) = (PointSampler::on_mesh(&mesh, &filter), Rng::new(1));
    let (mut crowd, mut planner) = (Crowd::default(), FlowPlanner::new());
    // Ways alone are looked at: nobody stands in another's.
    crowd.settings_mut().resolve_rounds = 0;
    let params = AgentParams { arrival: 3.0, avoidance: Avoidance::None, ..small() };
    let agents: Vec<AgentId> = (0..40)
        .map(|_| {
            let start = sampler.sample(&mesh, &mut rng).unwrap().unwrap();
            let agent = crowd.add(&mesh, start.point, params.clone()).unwrap();
            crowd.set_target(agent, Target::Point(goal)).unwrap();
            agent
        })
        .collect();
    let mut nodes = 0;
    for _ in 0..2400 {
        crowd.step(&mesh, DT, &mut planner, &Context::default());
        nodes += crowd.profile().nodes;
    }
    let ways: Vec<TargetStatus> = agents.iter().map(|&agent| crowd.target_status(agent).unwrap()).collect();
    assert!(ways.iter().all(|way| matches!(way, TargetStatus::Arrived | TargetStatus::Unreachable)), "{ways:?}");
    assert!(ways.iter().filter(|way| **way == TargetStatus::Arrived).count() > 20, "{ways:?}");
    assert_eq!(planner.field_count(), 1);
    assert!(nodes < 4000, "{nodes}");
}

/// Searches that open a few nodes and no more.
#[derive(Default)]
struct ShortSighted(AStarPlanner);

impl Planner for ShortSighted {
    fn plan(
        &mut self,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        budget: &mut Budget,
        path: &mut PolyPath,
    ) -> Planned {
        let mut request = *request;
        request.limits.max_nodes = 6;
        self.0.plan(mesh, &request, filter, budget, path)
    }
}

/// What one agent that goes near is told on its way to (15.5, 0.5): how often that it is blocked, how many paths are
/// found, and how its way stands at last.
fn go_near(map: &str, recovery: Recovery, planner: &mut dyn Planner) -> (usize, usize, TargetStatus) {
    go(map, AgentParams { when_unreachable: WhenUnreachable::GoNear, recovery, ..small() }, planner)
}

fn go(map: &str, params: AgentParams, planner: &mut dyn Planner) -> (usize, usize, TargetStatus) {
    let (mesh, mut crowd) = (world(map), Crowd::default());
    let agent = crowd.add(&mesh, at(0.5, 0.5), params).unwrap();
    crowd.go_to(&mesh, agent, at(15.5, 0.5)).unwrap();
    let (mut blocked, mut found) = (0, 0);
    for _ in 0..800 {
        crowd.step(&mesh, DT, planner, &Context::default());
        let count = |is: fn(&EventKind) -> bool| crowd.events().iter().filter(|event| is(&event.kind)).count();
        blocked += count(|kind| matches!(kind, EventKind::Blocked { .. }));
        found += count(|kind| matches!(kind, EventKind::PathFound { .. }));
    }
    (blocked, found, crowd.target_status(agent).unwrap())
}

#[test]
fn who_stands_where_a_limited_search_ended_searches_on_and_is_blocked_once_where_nothing_leads_nearer() {
    let patient = Recovery { patience: 0.02, ..Recovery::default() };
    let (open, apart) = ("a".repeat(16), format!("{}.{}", "a".repeat(9), "a".repeat(6)));
    let (blocked, found, way) = go_near(&open, patient, &mut ShortSighted::default());
    assert!(blocked == 0 && found > 2 && way == TargetStatus::Arrived, "{blocked} {found} {way:?}");
    let (blocked, found, way) = go_near(&apart, patient, &mut ShortSighted::default());
    assert!(blocked == 1 && (2..9).contains(&found) && way == TargetStatus::Partial, "{blocked} {found} {way:?}");
    // No limit: there is nothing to search for from the end.
    assert_eq!(go_near(&apart, patient, &mut AStarPlanner::new()), (1, 1, TargetStatus::Partial));
    let impatient = Recovery { give_up_after: 3, ..patient };
    assert_eq!(go_near(&apart, impatient, &mut AStarPlanner::new()), (1, 1, TargetStatus::None));
}

#[test]
fn a_search_that_was_cut_short_does_not_say_that_a_goal_is_out_of_reach() {
    let (open, apart) = ("a".repeat(16), format!("{}.{}", "a".repeat(9), "a".repeat(6)));
    let (_, found, way) = go(&open, small(), &mut ShortSighted::default());
    assert!(found > 2 && way == TargetStatus::Arrived, "{found} {way:?}");
    assert_eq!(go(&apart, small(), &mut ShortSighted::default()), (0, 0, TargetStatus::Unreachable));
}

/// What agents of a mesh in which the straight way costs `cost` a metre tread on: whether it is dear ground.
fn treads_on_dear_ground(mesh: &NavMesh, crowd: &mut Crowd, planner: &mut dyn Planner) -> bool {
    let agent = crowd.add(mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(mesh, agent, at(8.5, 0.5)).unwrap();
    let mut is_dear = false;
    for _ in 0..300 {
        crowd.step(mesh, DT, planner, &Context::default());
        let here = crowd.corridor(agent).unwrap().start().unwrap().poly;
        is_dear |= mesh.poly(here).unwrap().area() == DEAR;
        if crowd.target_status(agent) == Ok(TargetStatus::Arrived) {
            return is_dear;
        }
    }
    panic!("stands at {}", crowd.position(agent).unwrap());
}

const DEAR: AreaId = AreaId::from_low_bits(5);

#[test]
fn agents_walk_at_the_costs_of_the_mesh() {
    let mut mesh = world("aaaaaaaaa\naaaaaaaaa\naaaaaaaaa");
    for x in 2..7 {
        for z in 0..2 {
            mesh.set_area(place(&mesh, (x as f32 + 0.5, z as f32 + 0.5)).poly, DEAR).unwrap();
        }
    }
    for (cost, is_crossed) in [(1.0, true), (50.0, false), (f32::INFINITY, false)] {
        let table = AreaTable::new(vec![AreaInfo { area: DEAR, name: String::new(), cost }]).unwrap();
        mesh.set_areas(table);
        let route = mesh.find_path(at(0.5, 0.5), at(8.5, 0.5));
        assert_eq!(route.length < 8.1, is_crossed, "{cost}: the route of {} m", route.length);
        for planner in [&mut AStarPlanner::new() as &mut dyn Planner, &mut FlowPlanner::new()] {
            assert_eq!(treads_on_dear_ground(&mesh, &mut Crowd::default(), planner), is_crossed, "{cost}");
            // A filter of its own holds instead.
            let mut crowd = Crowd::default();
            crowd.set_filter(0, DefaultFilter::default()).unwrap();
            assert!(treads_on_dear_ground(&mesh, &mut crowd, planner));
        }
    }
}

#[test]
fn costs_that_change_under_way_change_the_way() {
    let mut mesh = world("aaaaaaaaa\na.......a\naaaaaaaaa");
    mesh.set_area(place(&mesh, (4.5, 0.5)).poly, DEAR).unwrap();
    let mut crowd = Crowd::default();
    crowd.settings_mut().topology_searches = 0;
    let agent = crowd.add(&mesh, at(0.5, 0.2), small()).unwrap();
    crowd.go_to(&mesh, agent, at(8.5, 0.5)).unwrap();
    walk(&mut crowd, &mesh, 5, |_| false);
    let table = AreaTable::new(vec![AreaInfo { area: DEAR, name: String::new(), cost: 50.0 }]).unwrap();
    mesh.set_areas(table);
    let mut far = 0.0_f32;
    let ticks = walk(&mut crowd, &mesh, 300, |crowd| {
        far = far.max(crowd.position(agent).unwrap().z);
        crowd.target_status(agent) == Ok(TargetStatus::Arrived)
    });
    assert!(ticks < 300 && far > 1.9, "{ticks} ticks, {far} m aside");
}

#[test]
fn nobody_is_led_into_a_goal_that_is_closed() {
    let mut mesh = world("aaaaaaaaa");
    let goal = place(&mesh, (8.5, 0.5));
    mesh.set_flags(goal.poly, PolyFlags::NONE).unwrap();
    for planner in [&mut AStarPlanner::new() as &mut dyn Planner, &mut FlowPlanner::new()] {
        let mut crowd = Crowd::default();
        let agents = [0.5, 1.5, 2.5].map(|x| crowd.add(&mesh, at(x, 0.5), small()).unwrap());
        agents.iter().for_each(|&agent| crowd.set_target(agent, Target::Point(goal)).unwrap());
        for _ in 0..20 {
            crowd.step(&mesh, DT, planner, &Context::default());
        }
        let ways = agents.map(|agent| crowd.target_status(agent).unwrap());
        assert_eq!(ways, [TargetStatus::Unreachable; 3]);
    }
}

#[test]
fn nodes_are_counted_without_a_limit_as_well() {
    let mesh = world(&["aaaaaaaaa"; 9].join("\n"));
    let nodes = |path_nodes| {
        let mut crowd = Crowd::new(CrowdSettings { path_nodes, ..CrowdSettings::default() });
        let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
        crowd.go_to(&mesh, agent, at(8.5, 8.5)).unwrap();
        walk(&mut crowd, &mesh, 1, |_| false);
        crowd.profile().nodes
    };
    assert!(nodes(100_000) > 8);
    assert_eq!(nodes(u64::MAX), nodes(100_000));
}
