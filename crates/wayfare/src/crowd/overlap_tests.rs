//! Tests of agents that stand in one another.

use super::resolve::share;
use super::tests::{at, field, small, walk};
use super::*;
use crate::math::plane;
use glam::Vec3;

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
fn a_thousand_in_one_place_part_all_at_once() {
    let mesh = field(40);
    let mut crowd = Crowd::default();
    let middle = at(20.0, 20.0);
    for _ in 0..1000 {
        crowd.add(&mesh, middle, small()).unwrap();
    }
    walk(&mut crowd, &mesh, 1, |_| false);
    let mut places: Vec<[u32; 2]> = crowd.positions().iter().map(|p| [p.x.to_bits(), p.z.to_bits()]).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 1000, "no two go the same way");
    walk(&mut crowd, &mesh, 300, |_| false);
    let mean = crowd.positions().iter().sum::<Vec3>() / 1000.0;
    let farthest = crowd.positions().iter().map(|p| plane::distance(*p, mean)).fold(0.0, f32::max);
    // A thousand discs of 0.2 m fill a circle of 6.3 m, as close as they may stand one of 6.6 m.
    assert!(plane::distance(mean, middle) < 0.5 && farthest > 5.0 && farthest < 10.0, "{mean}, {farthest} m");
}

#[test]
fn in_a_crush_everybody_sees_the_nearest() {
    let mesh = field(20);
    let mut crowd = Crowd::default();
    for i in 0..600 {
        crowd.add(&mesh, at(10.0 + 0.01 * (i % 25) as f32, 10.0 + 0.01 * (i / 25) as f32), small()).unwrap();
    }
    let one_by_one = crowd.add(&mesh, at(1.0, 1.0), small()).unwrap();
    for _ in 0..8 {
        walk(&mut crowd, &mesh, 1, |_| false);
        crowd.neighbours();
        let places = crowd.positions();
        for agent in crowd.ids().filter(|&agent| agent != one_by_one) {
            let distance = |other: usize| plane::distance_squared(places[agent.index()], places[other]);
            let seen: Vec<f32> =
                crowd.neighbours_of(agent).unwrap().iter().map(|&other| distance(other as usize)).collect();
            let mut all: Vec<f32> = (0..places.len()).filter(|&other| other != agent.index()).map(distance).collect();
            all.sort_by(f32::total_cmp);
            assert_eq!(seen, all[..seen.len()]);
            assert_eq!(seen.len(), small().max_neighbours as usize);
        }
    }
}

#[test]
fn both_parts_of_the_giving_way_are_the_whole_of_it_for_all_priorities() {
    let priorities = [0.0, 1e-40, 1e-20, 0.2, 1.0, 9.0, 1e30, f32::MAX];
    for a in priorities {
        for b in priorities {
            assert!((share(a, b) + share(b, a) - 1.0).abs() < 1e-6, "{a} and {b}: {} {}", share(a, b), share(b, a));
            assert!(a <= b || share(a, b) <= share(b, a), "the stronger gives way less");
        }
    }
}
