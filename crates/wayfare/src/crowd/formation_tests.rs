//! Tests of formations.

use super::tests::{DT, at, field, small};
use super::*;
use crate::context::Context;
use crate::corridor::test_ground::is_on;
use crate::math::plane;
use crate::plan::AStarPlanner;
use glam::Vec2;

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
fn a_leader_among_its_members_is_not_led_and_slots_that_are_no_place_harm_nobody() {
    let mesh = field(12);
    for odd in [Vec2::NAN, Vec2::new(f32::INFINITY, 1e30)] {
        let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
        let leader = crowd.add(&mesh, at(6.0, 6.0), small()).unwrap();
        let mut members = vec![leader];
        members.extend((0..3).map(|i| crowd.add(&mesh, at(2.0, 2.0 + i as f32), small()).unwrap()));
        let mut slots = Formation::wedge(3, 1.0);
        slots[1] = odd;
        let mut formation = Formation::new(leader, slots, members.clone());
        crowd.go_to(&mesh, leader, at(10.0, 10.0)).unwrap();
        for _ in 0..250 {
            formation.lead(&mut crowd, &mesh).unwrap();
            crowd.step(&mesh, DT, &mut planner, &Context::default());
        }
        assert_eq!(crowd.target_status(leader), Ok(TargetStatus::Arrived));
        let led: Vec<AgentId> = formation.slots().map(|slot| slot.agent).collect();
        assert_eq!(led, members[1..]);
        for slot in formation.slots() {
            assert!(is_on(&mesh, slot.place.point), "{slot:?}");
            assert!(crowd.position(slot.agent).unwrap().distance(at(6.0, 6.0)) < 8.0, "{slot:?}");
        }
    }
}

#[test]
fn a_formation_turns_as_fast_with_short_ticks_as_with_long_ones() {
    let mesh = field(30);
    let places = |ticks: u32| {
        let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
        let leader = crowd.add(&mesh, at(15.0, 15.0), small()).unwrap();
        let member = crowd.add(&mesh, at(15.0, 14.0), small()).unwrap();
        let mut formation = Formation::new(leader, vec![Vec2::new(0.0, -2.0)], vec![member]);
        let mut lead = |crowd: &mut Crowd, towards, seconds: f32| {
            crowd.set_target(leader, Target::Velocity(towards)).unwrap();
            for _ in 0..(seconds * ticks as f32) as u32 {
                formation.lead(crowd, &mesh).unwrap();
                crowd.step(&mesh, 1.0 / ticks as f32, &mut planner, &Context::default());
            }
            let behind = formation.slots().next().unwrap().place.point - crowd.position(leader).unwrap();
            plane::xz(behind).normalize()
        };
        lead(&mut crowd, at(0.0, 1.0), 1.0);
        lead(&mut crowd, at(1.0, 0.0), 0.5)
    };
    let (short, long) = (places(100), places(20));
    assert!(short.angle_to(long).abs() < 0.25, "{short} {long}");
    assert!(short.x < -0.5 && short.y < -0.1, "it is still turning: {short}");
}
