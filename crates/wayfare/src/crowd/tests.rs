//! Tests of whole ticks.

use super::*;
use crate::area::{AreaId, PolyFlags};
use crate::avoid::Avoidance;
use crate::context::Context;
use crate::corridor::test_ground::{is_on, place, random_tile, random_world, world};
use crate::math::index::TileSlot;
use crate::math::{Rng, plane};
use crate::mesh::{NavMesh, OffMeshConnection};
use crate::query::{DefaultFilter, PointSampler};
use glam::{Vec2, Vec3};

pub(super) const DT: f32 = 0.05;

pub(super) fn small() -> AgentParams {
    AgentParams { max_speed: 2.0, ..AgentParams::of_size(0.2, 1.8) }
}

pub(super) fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

/// An open field of `size` × `size` metres.
pub(super) fn field(size: usize) -> NavMesh {
    world(&vec!["a".repeat(size); size].join("\n"))
}

/// Ticks until `done` or so many; how many there were.
pub(super) fn walk(crowd: &mut Crowd, mesh: &NavMesh, most: u32, mut done: impl FnMut(&Crowd) -> bool) -> u32 {
    let mut planner = AStarPlanner::new();
    for tick in 0..most {
        crowd.step(mesh, DT, &mut planner, &Context::default());
        if done(crowd) {
            return tick + 1;
        }
    }
    most
}

pub(super) fn has(crowd: &Crowd, agent: AgentId, kind: EventKind) -> bool {
    crowd.events().contains(&CrowdEvent { agent, kind })
}

#[test]
fn around_a_wall_to_the_goal() {
    let mesh = world("aaaaa\na...a\naaaaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(4.5, 2.5)).unwrap();
    let (mut found, mut arrived) = (false, false);
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| {
        found |= has(crowd, agent, EventKind::PathFound { complete: true });
        arrived |= has(crowd, agent, EventKind::Arrived);
        assert!(is_on(&mesh, crowd.position(agent).unwrap()));
        arrived
    });
    assert!(found && arrived && ticks < 90, "{ticks} ticks for about six metres at 2 m/s");
    assert_eq!(crowd.way(agent).unwrap(), Way::Arrived);
    assert!(crowd.position(agent).unwrap().distance(at(4.5, 2.5)) <= 0.2);
}

#[test]
fn two_who_meet_pass_each_other_with_every_method() {
    let mesh = field(12);
    for name in Avoidance::NAMES.into_iter().filter(|name| *name != "none") {
        let mut crowd = Crowd::default();
        let params = AgentParams { avoidance: Avoidance::by_name(name).unwrap(), ..small() };
        let ends = [at(1.0, 6.0), at(11.0, 6.0)];
        let agents = ends.map(|end| crowd.add(&mesh, end, params.clone()).unwrap());
        crowd.go_to(&mesh, agents[0], ends[1]).unwrap();
        crowd.go_to(&mesh, agents[1], ends[0]).unwrap();
        let mut nearest = f32::INFINITY;
        let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
            let places = agents.map(|agent| crowd.position(agent).unwrap());
            nearest = nearest.min(plane::distance(places[0], places[1]));
            agents.iter().all(|&agent| crowd.way(agent) == Ok(Way::Arrived))
        });
        assert!(ticks < 200 && nearest > 0.36, "{name}: {ticks} ticks, {nearest} m");
    }
}

#[test]
fn all_phases_by_hand_are_a_step() {
    let mesh = field(10);
    let (mut whole, mut planner) = (Crowd::default(), AStarPlanner::new());
    for i in 0..12 {
        let agent = whole.add(&mesh, at(1.0 + 0.6 * i as f32, 1.0), small()).unwrap();
        whole.go_to(&mesh, agent, at(8.0 - 0.6 * i as f32, 9.0)).unwrap();
    }
    let (mut by_hand, mut other) = (whole.clone(), AStarPlanner::new());
    for _ in 0..60 {
        whole.step(&mesh, DT, &mut planner, &Context::default());
        by_hand.begin(DT);
        by_hand.validate(&mesh, &mut other);
        by_hand.plan(&mesh, &mut other, DT);
        by_hand.neighbours();
        by_hand.corners(&mesh);
        by_hand.links(&mesh, DT);
        by_hand.steer();
        by_hand.avoid();
        by_hand.integrate(DT);
        by_hand.resolve();
        by_hand.constrain(&mesh, DT);
        by_hand.finish();
        assert_eq!(whole.positions(), by_hand.positions());
        assert_eq!(whole.events(), by_hand.events());
    }
}

#[cfg(feature = "rayon")]
#[test]
fn the_same_bits_on_any_number_of_threads() {
    let mesh = field(40);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut crowd, mut rng, mut planner) = (Crowd::default(), Rng::new(3), AStarPlanner::new());
            let mut spot = || at(rng.unit() * 40.0, rng.unit() * 40.0);
            for i in 0..600 {
                let name = Avoidance::NAMES[i % Avoidance::NAMES.len()];
                let params = AgentParams { avoidance: Avoidance::by_name(name).unwrap(), separation: 0.5, ..small() };
                let agent = crowd.add(&mesh, spot(), params).unwrap();
                crowd.go_to(&mesh, agent, spot()).unwrap();
            }
            for _ in 0..20 {
                crowd.step(&mesh, DT, &mut planner, &Context::default());
            }
            (crowd.positions().to_vec(), crowd.velocities().to_vec())
        })
    };
    let one = run(1);
    for threads in [2, 4, 7] {
        assert_eq!(one, run(threads), "{threads} threads");
    }
}

#[test]
fn on_the_mesh_and_no_faster_than_it_can_while_tiles_come_and_go() {
    let filter = DefaultFilter::default();
    let (mut lost, mut arrived) = (0, 0);
    for seed in 0..6 {
        let (mut rng, mut crowd, mut planner) = (Rng::new(seed), Crowd::default(), AStarPlanner::new());
        crowd.settings_mut().reach = Vec3::splat(30.0);
        crowd.settings_mut().path_nodes = 60;
        let mut mesh = random_world(&mut rng, 3, 7);
        for tick in 0..400 {
            let sampler = PointSampler::on_mesh(&mesh, &filter);
            let spot = |rng: &mut Rng| sampler.sample(&mesh, rng).unwrap().unwrap().point;
            if crowd.len() < 40 {
                let name = Avoidance::NAMES[rng.below(Avoidance::NAMES.len() as u32) as usize];
                let params = AgentParams { avoidance: Avoidance::by_name(name).unwrap(), ..small() };
                let agent = crowd.add(&mesh, spot(&mut rng), params).unwrap();
                let goal = spot(&mut rng);
                crowd.go_to(&mesh, agent, goal).unwrap();
            }
            let ids: Vec<AgentId> = crowd.ids().collect();
            let chosen = ids[rng.below(ids.len() as u32) as usize];
            match rng.below(12) {
                0 => crowd.remove(chosen).unwrap(),
                1 => crowd.teleport(&mesh, chosen, spot(&mut rng)).unwrap(),
                2 => crowd.pause(chosen, rng.below(2) == 0).unwrap(),
                3 => {
                    let target = ids[rng.below(ids.len() as u32) as usize];
                    crowd.set_target(chosen, Target::Agent(target)).unwrap();
                }
                4 => crowd.set_target(chosen, Target::Velocity(at(1.0, 1.0))).unwrap(),
                5 | 6 => {
                    let goal = spot(&mut rng);
                    crowd.go_to(&mesh, chosen, goal).unwrap();
                }
                7 => {
                    let place = (rng.below(3) as i32, rng.below(3) as i32);
                    let slot = TileSlot::new((place.0 + place.1 * 3) as u32);
                    mesh.replace_tile(slot, random_tile(&mut rng, place, 7)).unwrap();
                }
                _ => {}
            }
            crowd.begin(DT);
            crowd.validate(&mesh, &mut planner);
            let fresh: Vec<bool> = crowd.agents.iter().map(|agent| agent.is_fresh).collect();
            let before: Vec<Vec3> = crowd.positions().to_vec();
            for phase in &Phase::ALL[1..] {
                crowd.run(*phase, &mesh, DT, &mut planner, &Context::default());
            }
            crowd.finish();
            for agent in crowd.ids().collect::<Vec<_>>() {
                let now = crowd.position(agent).unwrap();
                assert!(is_on(&mesh, now), "seed {seed}, tick {tick}: {now} is off the mesh");
                let step = plane::distance(now, before[agent.index()]);
                // Who was just put here may stand on top of others and is parted from them at once.
                let most = 2.0 * DT * 1.002 + if fresh[agent.index()] { 0.4 } else { 0.0 };
                assert!(step <= most, "seed {seed}, tick {tick}: a step of {step} m");
                let corridor = crowd.corridor(agent).unwrap();
                assert!(corridor.is_valid(&mesh, u32::MAX, &filter), "seed {seed}, tick {tick}");
            }
            let count = |kind: fn(&EventKind) -> bool| crowd.events().iter().filter(|e| kind(&e.kind)).count();
            lost += count(|kind| matches!(kind, EventKind::PathLost(_)));
            arrived += count(|kind| *kind == EventKind::Arrived);
        }
    }
    assert!(lost > 20 && arrived > 20, "{lost} ways lost, {arrived} arrivals");
}

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
    assert_eq!((crowd.profile().waiting, crowd.way(agents[0])), (1, Ok(Way::Unreachable)));
    // An agent that is told to go near all the same, goes.
    crowd.set_params(agents[0], AgentParams { when_unreachable: WhenUnreachable::GoNear, ..small() }).unwrap();
    crowd.go_to(&mesh, agents[0], at(8.0, 0.5)).unwrap();
    crowd.settings_mut().path_nodes = 1000;
    walk(&mut crowd, &mesh, 2, |_| false);
    assert_eq!(crowd.way(agents[0]), Ok(Way::Partial));
}

fn jump(two_way: bool) -> OffMeshConnection {
    OffMeshConnection {
        start: at(1.75, 0.5),
        end: at(5.25, 0.5),
        radius: 0.3,
        two_way,
        area: AreaId::WALKABLE,
        flags: PolyFlags::WALK,
        user_id: 0,
    }
}

#[test]
fn a_connection_is_walked_by_the_crowd_or_by_the_game() {
    let mut mesh = world("aa...aaa");
    let connection = mesh.add_connection(jump(false)).unwrap();
    for driver in [Driver::Crowd, Driver::Game] {
        let mut crowd = Crowd::default();
        let agent = crowd.add(&mesh, at(0.5, 0.5), AgentParams { link_driver: driver, ..small() }).unwrap();
        crowd.go_to(&mesh, agent, at(7.0, 0.5)).unwrap();
        walk(&mut crowd, &mesh, 100, |crowd| crowd.link(agent).unwrap().is_some());
        let link = crowd.link(agent).unwrap().unwrap();
        assert_eq!((link.crossing.connection, link.crossing.to), (connection, at(5.25, 0.5)));
        assert!(has(&crowd, agent, EventKind::LinkEntered(link.crossing)));
        if driver == Driver::Game {
            walk(&mut crowd, &mesh, 30, |_| false);
            assert_eq!(crowd.link(agent).unwrap().unwrap().progress, 0.0, "the game lets it wait");
            crowd.set_link_progress(agent, 0.5).unwrap();
            crowd.set_position(agent, Vec3::new(3.5, 2.0, 0.5)).unwrap();
            walk(&mut crowd, &mesh, 1, |_| false);
            assert_eq!(crowd.position(agent).unwrap(), Vec3::new(3.5, 2.0, 0.5), "in the air");
            crowd.set_link_progress(agent, 1.0).unwrap();
        }
        let mut left = false;
        walk(&mut crowd, &mesh, 100, |crowd| {
            left |= has(crowd, agent, EventKind::LinkLeft(link.crossing));
            crowd.way(agent) == Ok(Way::Arrived)
        });
        assert!(left && crowd.position(agent).unwrap().x > 6.5, "{driver:?}");
    }
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
fn removed_paused_and_carried_away() {
    let mesh = field(10);
    let mut crowd = Crowd::default();
    let gone = crowd.add(&mesh, at(1.0, 1.0), small()).unwrap();
    crowd.remove(gone).unwrap();
    let agent = crowd.add(&mesh, at(2.0, 2.0), small()).unwrap();
    assert_eq!((agent.index(), crowd.contains(gone), crowd.len()), (gone.index(), false, 1));
    assert_eq!(crowd.position(gone), Err(CrowdError::NoAgent { agent: gone }));
    crowd.go_to(&mesh, agent, at(8.0, 2.0)).unwrap();
    crowd.pause(agent, true).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    assert_eq!(crowd.position(agent).unwrap(), at(2.0, 2.0));
    crowd.pause(agent, false).unwrap();
    walk(&mut crowd, &mesh, 20, |_| false);
    assert!(crowd.position(agent).unwrap().x > 2.5);
    crowd.teleport(&mesh, agent, at(2.0, 8.0)).unwrap();
    let ticks = walk(&mut crowd, &mesh, 300, |crowd| crowd.way(agent) == Ok(Way::Arrived));
    assert!(ticks < 150, "it goes on to its goal from there: {ticks}");
    assert!(matches!(crowd.add(&mesh, at(99.0, 0.0), small()), Err(CrowdError::NoGround { .. })));
    let wrong = AgentParams { radius: f32::NAN, ..small() };
    assert!(matches!(
        crowd.add(&mesh, at(1.0, 1.0), wrong),
        Err(CrowdError::Params(ParamsError { name: "radius", .. }))
    ));
    let unknown = AgentParams { filter: 3, ..small() };
    assert_eq!(crowd.set_params(agent, unknown), Err(CrowdError::NoFilter { filter: 3, count: 1 }));
}

#[test]
fn who_is_stuck_says_so_and_gives_up_when_told_to() {
    // The only way leads through a door in which somebody stands who never moves.
    let mesh = world("aaa.aaa\naaaaaaa\naaa.aaa");
    let mut crowd = Crowd::default();
    let post = crowd.add(&mesh, at(3.5, 1.5), AgentParams { radius: 0.5, ..small() }).unwrap();
    crowd.pause(post, true).unwrap();
    let recovery = Recovery { patience: 0.02, squeeze: 1.0, replan_after: 2, give_up_after: 3 };
    let params = AgentParams { radius: 0.4, recovery, ..small() };
    let agent = crowd.add(&mesh, at(0.5, 1.5), params).unwrap();
    crowd.go_to(&mesh, agent, at(6.5, 1.5)).unwrap();
    let mut blocked = 0;
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
        blocked += crowd.events().iter().filter(|e| matches!(e.kind, EventKind::Blocked { .. })).count();
        has(crowd, agent, EventKind::GaveUp)
    });
    assert!(ticks < 400 && blocked == 3, "{ticks} {blocked}");
    assert_eq!((crowd.way(agent), crowd.target(agent)), (Ok(Way::None), Ok(Target::None)));
    assert!(crowd.position(agent).unwrap().x < 3.2);
}

#[test]
fn places_that_the_game_gives_are_brought_onto_the_mesh() {
    let mesh = world("aaaaa\na...a\naaaaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), AgentParams { driver: Driver::Game, ..small() }).unwrap();
    crowd.go_to(&mesh, agent, at(4.5, 2.5)).unwrap();
    walk(&mut crowd, &mesh, 3, |_| false);
    assert_eq!(crowd.position(agent).unwrap(), at(0.5, 0.5), "the crowd does not move it");
    assert!(crowd.avoiding_mut()[agent.index()].x > 1.0, "but says how it should move");
    crowd.set_position(agent, at(2.5, 1.05)).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert_eq!(crowd.position(agent).unwrap(), at(2.5, 1.0));
    crowd.set_position(agent, at(4.5, 2.25)).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    assert_eq!(crowd.position(agent).unwrap(), at(4.5, 2.25));
}

#[test]
fn a_formation_keeps_its_slots_and_changes_places() {
    let mesh = field(30);
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    let leader = crowd.add(&mesh, at(4.0, 15.0), AgentParams { max_speed: 1.2, ..small() }).unwrap();
    let members: Vec<AgentId> = (0..6).map(|i| crowd.add(&mesh, at(2.0, 12.0 + i as f32), small()).unwrap()).collect();
    let mut formation = Formation::new(leader, Formation::wedge(6, 1.0), members.clone());
    // No two would come to their slots sooner by exchanging them, to begin with the first time.
    let taken_by = |formation: &Formation| formation.slots().map(|slot| slot.slot).collect::<Vec<_>>();
    let no_exchange_pays = |crowd: &Crowd, formation: &Formation| {
        let slots: Vec<Slot> = formation.slots().collect();
        let way = |a: &Slot, b: &Slot| plane::distance_squared(crowd.position(a.agent).unwrap(), b.place.point);
        slots
            .iter()
            .enumerate()
            .all(|(i, a)| slots[i + 1..].iter().all(|b| way(a, a) + way(b, b) <= way(a, b) + way(b, a) + 0.25))
    };
    formation.lead(&mut crowd, &mesh).unwrap();
    assert_ne!(taken_by(&formation), [0, 1, 2, 3, 4, 5], "exchanged at once");
    crowd.go_to(&mesh, leader, at(26.0, 15.0)).unwrap();
    for _ in 0..250 {
        formation.lead(&mut crowd, &mesh).unwrap();
        crowd.step(&mesh, DT, &mut planner, &Context::default());
    }
    let slots: Vec<Slot> = formation.slots().collect();
    let mut taken: Vec<usize> = slots.iter().map(|slot| slot.slot).collect();
    for slot in &slots {
        let away = plane::distance(crowd.position(slot.agent).unwrap(), slot.place.point);
        assert!(away < 1.0, "{slot:?} is {away} m away");
    }
    taken.sort_unstable();
    assert_eq!(taken, [0, 1, 2, 3, 4, 5]);
    // The leader walks east: its right is towards higher z.
    let right_of = |slot: &&Slot| slot.place.point.z > crowd.position(leader).unwrap().z;
    assert!(slots.iter().filter(right_of).all(|slot| slot.slot % 2 == 1));
    // The leader turns back.
    crowd.go_to(&mesh, leader, at(4.0, 15.0)).unwrap();
    for _ in 0..250 {
        formation.lead(&mut crowd, &mesh).unwrap();
        crowd.step(&mesh, DT, &mut planner, &Context::default());
    }
    assert!(no_exchange_pays(&crowd, &formation), "{:?}", formation.slots().collect::<Vec<_>>());
    crowd.remove(members[2]).unwrap();
    formation.lead(&mut crowd, &mesh).unwrap();
    let mut left: Vec<usize> = formation.slots().map(|slot| slot.slot).collect();
    left.sort_unstable();
    assert_eq!(left, [0, 1, 2, 3, 4], "the last slot is left empty");
    crowd.remove(leader).unwrap();
    assert_eq!(formation.lead(&mut crowd, &mesh), Err(CrowdError::NoAgent { agent: leader }));
    assert_eq!(Formation::block(5, 2, 2.0)[..3], [Vec2::new(-1.0, -2.0), Vec2::new(1.0, -2.0), Vec2::new(-1.0, -4.0)]);
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
    let ways: Vec<Way> = agents.iter().map(|&agent| crowd.way(agent).unwrap()).collect();
    assert!(ways.iter().all(|way| matches!(way, Way::Arrived | Way::Unreachable)), "{ways:?}");
    assert!(ways.iter().filter(|way| **way == Way::Arrived).count() > 20, "{ways:?}");
    assert_eq!(planner.field_count(), 1);
    assert!(nodes < 4000, "{nodes}");
}

#[test]
fn a_mesh_that_stays_costs_no_checks_and_a_closed_door_is_noticed() {
    let mut mesh = world("aaaaaaa\n..a.a..\naaaaaaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(0.5, 2.5)).unwrap();
    walk(&mut crowd, &mesh, 5, |_| false);
    let door = place(&mesh, (2.5, 1.5)).poly;
    assert!(crowd.corridor(agent).unwrap().polys().contains(&door));
    mesh.set_flags(door, PolyFlags::NONE).unwrap();
    walk(&mut crowd, &mesh, 1, |_| false);
    assert!(crowd.events().iter().any(|e| matches!(e.kind, EventKind::PathLost(broken) if broken.poly == door)));
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| crowd.way(agent) == Ok(Way::Arrived));
    assert!(ticks < 300, "through the other door: {ticks}");
}

#[test]
fn who_is_put_on_top_of_others_is_parted_from_them_at_once() {
    let mesh = field(10);
    let mut crowd = Crowd::default();
    let agents = [0.0, 0.1, 0.0].map(|x| crowd.add(&mesh, at(5.0 + x, 5.0), small()).unwrap());
    walk(&mut crowd, &mesh, 2, |_| false);
    let [a, b, c] = agents.map(|agent| crowd.position(agent).unwrap());
    let nearest = plane::distance(a, b).min(plane::distance(b, c)).min(plane::distance(c, a));
    assert!(nearest > 0.9 * 0.4, "{nearest} m");
}

#[test]
fn who_stands_before_others_at_rest_goes_near_and_is_let_through() {
    // A passage as wide as two agents, in which two stand that have arrived; all methods, and agents of two sizes and
    // speeds.
    let mesh = world(&["aaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaa"].join("\n"));
    for name in Avoidance::NAMES.into_iter().filter(|name| *name != "none") {
        for (radius, speed) in [(0.5, 3.5), (0.45, 0.8)] {
            let mut crowd = Crowd::default();
            let avoidance = Avoidance::by_name(name).unwrap();
            let params = AgentParams { avoidance, max_speed: speed, ..AgentParams::of_size(radius, 1.8) };
            for z in [0.4, 1.6] {
                let resting = crowd.add(&mesh, at(10.0, z), params.clone()).unwrap();
                crowd.go_to(&mesh, resting, at(10.0, z)).unwrap();
            }
            let agent = crowd.add(&mesh, at(1.0, 1.0), params).unwrap();
            crowd.go_to(&mesh, agent, at(19.0, 1.0)).unwrap();
            let most = (40.0 / (speed * DT)) as u32 + 100;
            let ticks = walk(&mut crowd, &mesh, most, |crowd| crowd.way(agent) == Ok(Way::Arrived));
            assert!(ticks < most, "{name}, {radius} m: stands at {}", crowd.position(agent).unwrap());
        }
    }
}

#[test]
fn a_slow_agent_is_not_blocked_by_being_slow() {
    // Nine walk side by side at a tenth of a metre a second: many stand close, and nobody gets on quickly.
    let mesh = field(6);
    let mut crowd = Crowd::default();
    for i in 0..9 {
        let params = AgentParams { max_speed: 0.1, ..small() };
        let (x, z) = (1.0 + 0.5 * (i % 3) as f32, 2.0 + 0.5 * (i / 3) as f32);
        let agent = crowd.add(&mesh, at(x, z), params).unwrap();
        crowd.go_to(&mesh, agent, at(x + 3.0, z)).unwrap();
    }
    let mut blocked = 0;
    walk(&mut crowd, &mesh, 400, |crowd| {
        blocked += crowd.events().iter().filter(|e| matches!(e.kind, EventKind::Blocked { .. })).count();
        false
    });
    assert_eq!(blocked, 0);
    assert!(crowd.positions().iter().all(|p| p.x > 2.0));
}
