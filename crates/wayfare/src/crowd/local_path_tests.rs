//! Tests of agents among obstacles that are not in the mesh.

use super::tests::{DT, at, field, has, small, walk};
use super::*;
use crate::avoid::Avoidance;
use crate::context::{Budget, Context};
use crate::corridor::test_ground::world;
use crate::grid::{Obstacle, Shape};
use crate::math::{Rng, plane};
use crate::mesh::NavMesh;
use crate::plan::{AStarPlanner, Planned, Planner, SharedFilter};
use crate::query::{PathRequest, PolyPath, PolyPoint};
use glam::Vec3;

fn cart(x: f32, z: f32, half: [f32; 2], yaw: f32, id: u32) -> Obstacle {
    Obstacle { shape: Shape::Box { center: at(x, z), half, yaw }, id }
}

fn wall(a: Vec3, b: Vec3, id: u32) -> Obstacle {
    Obstacle { shape: Shape::Segment { a, b }, id }
}

/// How far a position is from the obstacle's core, metres.
fn distance(obstacle: &Obstacle, position: Vec3) -> f32 {
    crate::grid::distance_to_core(&obstacle.shape, position)
}

#[test]
fn around_a_cart_with_every_method_and_never_into_it() {
    let mesh = field(16);
    for name in Avoidance::NAMES {
        for (obstacle, yaw) in [(cart(8.0, 8.2, [0.4, 2.5], 0.0, 7), 0.0), (cart(8.0, 7.7, [0.5, 2.0], 0.7, 7), 0.7)] {
            let mut crowd = Crowd::default();
            let params = AgentParams { avoidance: Avoidance::by_name(name).unwrap(), ..small() };
            let agent = crowd.add(&mesh, at(2.0, 8.0), params).unwrap();
            crowd.go_to(&mesh, agent, at(14.0, 8.0)).unwrap();
            crowd.set_obstacles([obstacle]);
            let mut nearest = f32::INFINITY;
            let mut is_led = false;
            let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
                nearest = nearest.min(distance(&obstacle, crowd.position(agent).unwrap()));
                is_led |= crowd.local_bend_of(agent).unwrap().is_some();
                let at = (crowd.position(agent), crowd.local_bend_of(agent), crowd.target_status(agent));
                assert_eq!(crowd.obstructed_by(agent).unwrap(), [0_u32; 0], "{name}, turned by {yaw}: {at:?}");
                crowd.target_status(agent) == Ok(TargetStatus::Arrived)
            });
            assert!(ticks < 250 && is_led, "{name}, turned by {yaw}: {ticks} ticks");
            assert!(nearest > 0.2 * 0.9, "{name}, turned by {yaw}: {nearest} m");
        }
    }
}

#[test]
fn a_closed_passage_is_reported_once_and_left_when_it_opens() {
    // Two rooms, joined by one corridor.
    let mesh = world("aaa...aaa\naaa...aaa\naaaaaaaaa\naaa...aaa\naaa...aaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 2.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(8.5, 2.5)).unwrap();
    let bars = [wall(at(5.0, 1.9), at(5.0, 3.1), 4), wall(at(5.5, 1.9), at(5.5, 3.1), 9)];
    crowd.set_obstacles(bars);
    let mut reports = 0;
    walk(&mut crowd, &mesh, 200, |crowd| {
        reports += u32::from(has(crowd, agent, EventKind::Obstructed { by: 4 }));
        false
    });
    assert_eq!(reports, 1);
    assert_eq!(crowd.obstructed_by(agent).unwrap(), [4, 9], "nearest first");
    let stands = crowd.position(agent).unwrap();
    assert!(stands.x > 3.5 && stands.x < 5.0, "as near as it can: {stands}");
    crowd.set_obstacles([]);
    let ticks = walk(&mut crowd, &mesh, 200, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
    assert!(ticks < 120, "{ticks} ticks");
    assert!(crowd.obstructed_by(agent).unwrap().is_empty());
}

/// A planner that writes down what it is told of obstacles.
#[derive(Default)]
struct Listener {
    searches: AStarPlanner,
    told: Vec<(Vec3, Vec<u32>)>,
}

impl Planner for Listener {
    fn plan(
        &mut self,
        mesh: &NavMesh,
        request: &PathRequest,
        filter: &SharedFilter,
        budget: &mut Budget,
        path: &mut PolyPath,
    ) -> Planned {
        self.searches.plan(mesh, request, filter, budget, path)
    }

    fn obstructed(&mut self, mesh: &NavMesh, at: PolyPoint, by: &[u32]) {
        assert!(mesh.is_valid(at.poly));
        self.told.push((at.point, by.to_vec()));
    }
}

#[test]
fn the_planner_is_told_of_a_closed_passage_until_it_opens() {
    let mesh = world("aaa...aaa\naaaaaaaaa\naaa...aaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 1.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(8.5, 1.5)).unwrap();
    crowd.set_obstacles([wall(at(5.0, 0.9), at(5.0, 2.1), 4)]);
    let mut planner = Listener::default();
    let mut step = |crowd: &mut Crowd, ticks: u32| {
        planner.told.clear();
        (0..ticks).for_each(|_| crowd.step(&mesh, DT, &mut planner, &Context::default()));
        core::mem::take(&mut planner.told)
    };
    step(&mut crowd, 200);
    let stands = crowd.position(agent).unwrap();
    assert_eq!(step(&mut crowd, 1), [(stands, vec![4])], "in every tick");
    crowd.set_obstacles([]);
    step(&mut crowd, 1);
    assert_eq!(step(&mut crowd, 20), []);
}

#[test]
fn an_obstacle_on_top_of_an_agent_lets_it_out() {
    let mesh = field(16);
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(8.0, 8.0), small()).unwrap();
    crowd.go_to(&mesh, agent, at(14.0, 8.0)).unwrap();
    crowd.set_obstacles([cart(8.2, 8.0, [1.0, 1.0], 0.3, 1)]);
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
    assert!(ticks < 200, "{ticks} ticks");
}

#[test]
fn obstacles_on_other_floors_and_those_that_are_no_numbers_are_ignored() {
    let mesh = field(16);
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(2.0, 8.0), small()).unwrap();
    crowd.go_to(&mesh, agent, at(14.0, 8.0)).unwrap();
    let above = Shape::Box { center: Vec3::new(8.0, 4.0, 8.0), half: [1.0, 3.0], yaw: 0.0 };
    let nowhere = [f32::NAN, f32::INFINITY].map(|x| cart(x, 8.0, [1.0, 3.0], 0.0, 2));
    let turned = cart(8.0, 8.0, [1.0, 3.0], f32::NAN, 3);
    crowd.set_obstacles([Obstacle { shape: above, id: 1 }, nowhere[0], nowhere[1], turned]);
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| {
        assert_eq!(crowd.local_bend_of(agent).unwrap(), None);
        crowd.target_status(agent) == Ok(TargetStatus::Arrived)
    });
    assert!(ticks < 150, "{ticks} ticks");
}

#[test]
fn a_crowd_among_moving_carts_goes_on_equally_when_restored() {
    let mesh = field(20);
    let mut rng = Rng::new(5);
    let mut crowd = Crowd::default();
    let mut agents = Vec::new();
    for _ in 0..20 {
        let mut place = || at(1.0 + 18.0 * rng.unit(), 1.0 + 18.0 * rng.unit());
        agents.push(crowd.add(&mesh, place(), small()).unwrap());
        crowd.go_to(&mesh, agents[agents.len() - 1], place()).unwrap();
    }
    let mut planner = AStarPlanner::new();
    let carts = |tick: u32| {
        let along = crate::math::ops::sin(tick as f32 * 0.03) * 6.0 + 10.0;
        [cart(along, 6.0, [0.8, 0.4], 0.2, 1), cart(20.0 - along, 13.0, [0.4, 1.5], 1.0, 2)]
    };
    let mut restored: Option<Crowd> = None;
    let mut other = AStarPlanner::new();
    for tick in 0..300 {
        if tick == 120 {
            let bytes = crowd.to_bytes(&mesh, &planner);
            restored = Some(Crowd::from_bytes(&bytes, &mesh, &[]).unwrap());
        }
        crowd.set_obstacles(carts(tick));
        crowd.step(&mesh, DT, &mut planner, &Context::default());
        if let Some(restored) = &mut restored {
            restored.set_obstacles(carts(tick));
            restored.step(&mesh, DT, &mut other, &Context::default());
            for &agent in &agents {
                assert_eq!(restored.position(agent), crowd.position(agent), "tick {tick}");
            }
            assert_eq!(restored.events(), crowd.events());
        }
    }
    let arrived = agents.iter().filter(|&&agent| crowd.target_status(agent) == Ok(TargetStatus::Arrived)).count();
    assert!(arrived >= 19, "{arrived} of 20");
    let inside =
        |agent: &&AgentId| carts(299).iter().any(|cart| distance(cart, crowd.position(**agent).unwrap()) < 0.1);
    assert!(agents.iter().filter(inside).count() <= 1);
    assert!(plane::distance(crowd.position(agents[0]).unwrap(), at(10.0, 10.0)) < 20.0);
}

#[test]
fn who_stands_on_a_closed_polygon_walks_out_past_an_obstacle() {
    let mut mesh = field(16);
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(8.5, 8.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(14.5, 8.5)).unwrap();
    walk(&mut crowd, &mesh, 2, |_| false);
    let under = crate::query::test_maps::at(&mesh, (8.5, 8.5)).unwrap().poly;
    mesh.set_flags(under, crate::area::PolyFlags::NONE).unwrap();
    crowd.set_obstacles([cart(10.0, 8.5, [0.3, 0.8], 0.0, 7)]);
    let ticks = walk(&mut crowd, &mesh, 400, |crowd| crowd.target_status(agent) == Ok(TargetStatus::Arrived));
    assert!(ticks < 400, "{:?} {:?}", crowd.position(agent), crowd.obstructed_by(agent));
}

#[test]
fn an_obstacle_on_the_next_corner_is_reported() {
    let mesh = world("...a\n...a\n...a\naaaa");
    let mut crowd = Crowd::default();
    let agent = crowd.add(&mesh, at(0.5, 0.5), small()).unwrap();
    crowd.go_to(&mesh, agent, at(3.5, 3.5)).unwrap();
    crowd.set_obstacles([Obstacle { shape: Shape::Disc { center: at(3.4, 0.6), radius: 0.5 }, id: 7 }]);
    let mut events = Vec::new();
    walk(&mut crowd, &mesh, 200, |crowd| {
        events.extend(crowd.events().iter().map(|event| event.kind));
        false
    });
    assert!(events.iter().any(|kind| matches!(kind, EventKind::Obstructed { by: 7 })), "{events:?}");
    assert_eq!(crowd.obstructed_by(agent).unwrap(), [7]);
}
