//! Tests of who heeds whom.

use super::tests::{at, field, small, walk};
use super::*;
use crate::avoid::Avoidance;
use crate::math::plane;

/// Two who meet head-on in a field, with these layers and masks: how far each was ever beside the line between them,
/// and how near they came to each other.
fn meet(method: Avoidance, layers: [(u32, u32); 2]) -> ([f32; 2], f32) {
    let mesh = field(20);
    let mut crowd = Crowd::default();
    let agents = [0, 1].map(|i| {
        let (layers, layer_mask) = layers[i];
        let params = AgentParams { avoidance: method, layers, layer_mask, ..small() };
        let [from, to] = if i == 0 { [2.0, 18.0] } else { [18.0, 2.0] };
        let agent = crowd.add(&mesh, at(from, 10.0), params).unwrap();
        crowd.go_to(&mesh, agent, at(to, 10.0)).unwrap();
        agent
    });
    let (mut aside, mut nearest) = ([0.0_f32; 2], f32::INFINITY);
    walk(&mut crowd, &mesh, 200, |crowd| {
        let places = agents.map(|agent| crowd.position(agent).unwrap());
        aside = [0, 1].map(|i| aside[i].max((places[i].z - 10.0).abs()));
        nearest = nearest.min(plane::distance(places[0], places[1]));
        false
    });
    assert!(agents.iter().all(|&agent| crowd.target_status(agent) == Ok(TargetStatus::Arrived)), "{}", method.name());
    (aside, nearest)
}

#[test]
fn who_does_not_heed_another_walks_on_and_the_other_goes_around() {
    for name in &Avoidance::NAMES[1..] {
        let method = Avoidance::by_name(name).unwrap();
        let (both, apart) = meet(method, [(1, u32::MAX), (1, u32::MAX)]);
        assert!(both.iter().all(|&aside| aside > 0.05) && apart > 0.36, "{name}: {both:?}, {apart}");
        let ([cart, walker], apart) = meet(method, [(2, 0), (1, u32::MAX)]);
        assert!(cart < 1e-3 && walker > 0.3 && apart > 0.36, "{name}: {cart} and {walker}, {apart} apart");
        let (ghosts, apart) = meet(method, [(2, 2), (4, 4)]);
        assert!(ghosts.iter().all(|&aside| aside < 1e-3) && apart < 0.1, "{name}: {ghosts:?}, {apart}");
    }
}

#[test]
fn the_nearest_are_taken_from_those_who_matter() {
    let mesh = field(20);
    for crowded in [3, 60] {
        let mut crowd = Crowd::default();
        let picky = AgentParams { max_neighbours: 2, layer_mask: 6, neighbour_range: 10.0, ..small() };
        let agent = crowd.add(&mesh, at(10.0, 10.0), picky).unwrap();
        let mut put = |x: f32, layers| crowd.add(&mesh, at(x, 10.0), AgentParams { layers, ..small() }).unwrap();
        for i in 0..crowded {
            put(10.5 + 0.01 * i as f32, 1);
        }
        let wanted = [put(11.6, 4), put(8.2, 3)];
        let nobody = put(10.1, 0);
        crowd.neighbours();
        let seen = crowd.neighbours_of(agent).unwrap();
        assert_eq!(seen, wanted.map(|agent| agent.index() as u32), "of {crowded} more");
        let ids: Vec<_> = seen.iter().map(|&index| crowd.id_at(index as usize)).collect();
        assert_eq!(ids, wanted.map(Some));
        assert!(!crowd.ids().any(|id| crowd.neighbours_of(id).unwrap().contains(&(nobody.index() as u32))));
        crowd.remove(nobody).unwrap();
        assert_eq!([nobody.index(), crowd.positions().len()].map(|index| crowd.id_at(index)), [None, None]);
    }
}

#[test]
fn of_an_overlap_who_heeds_takes_all() {
    let mesh = field(20);
    let mut crowd = Crowd::default();
    let mut put = |x, layer_mask| crowd.add(&mesh, at(x, 10.0), AgentParams { layer_mask, ..small() }).unwrap();
    let (cart, walker) = (put(10.0, 0), put(10.1, u32::MAX));
    walk(&mut crowd, &mesh, 60, |_| false);
    assert_eq!(crowd.position(cart).unwrap(), at(10.0, 10.0).with_y(crowd.position(cart).unwrap().y));
    let apart = plane::distance(crowd.position(cart).unwrap(), crowd.position(walker).unwrap());
    assert!(apart > 0.39, "{apart}");
}

#[test]
fn who_heeds_layers_that_nobody_is_in_looks_at_nobody() {
    let mesh = field(12);
    for (layer_mask, is_alone) in [(4, true), (1, false)] {
        let mut crowd = Crowd::default();
        for i in 0..100 {
            let params = AgentParams { layer_mask, neighbour_range: 10.0, ..small() };
            crowd.add(&mesh, at(1.0 + (i % 10) as f32, 1.0 + (i / 10) as f32), params).unwrap();
        }
        crowd.neighbours();
        assert!((0..100).all(|i| crowd.neighbours.of(i).is_empty() == is_alone));
        // How far they looked: not at all, and nobody else looks farther because of them.
        assert!(crowd.neighbours.lists.iter().all(|list| (list.reach == 0.0) == is_alone));
    }
}
