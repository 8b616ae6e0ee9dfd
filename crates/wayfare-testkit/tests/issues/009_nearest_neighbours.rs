//! In a dense crowd agents ran into the very ones that stood nearest: the grid handed out the first 32 it met, and the
//! nearest were often not among them.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd};
use wayfare::input::BakeSettings;
use wayfare::plan::AStarPlanner;

#[test]
fn the_nearest_are_seen_however_many_stand_around() {
    let (mesh, _) = bake(&floors(&[([0.0, 20.0], [0.0, 20.0], 0.0)]), &BakeSettings::default());
    let mut crowd = Crowd::default();
    // 400 in 36 square metres.
    let agents: Vec<_> = (0..400u16)
        .map(|i| {
            let at = Vec3::new(7.0 + 0.3 * f32::from(i % 20), 0.0, 7.0 + 0.3 * f32::from(i / 20));
            crowd.add(&mesh, at, AgentParams::of_size(0.2, 2.0)).unwrap()
        })
        .collect();
    // Two ticks: the second one looks no farther than the first had to.
    let mut planner = AStarPlanner::new();
    for _ in 0..2 {
        let places = crowd.positions().to_vec();
        crowd.step(&mesh, 0.05, &mut planner, &Context::default());
        for &agent in &agents {
            let own = places[agent.index()];
            let flat = |j: usize| (places[j].x - own.x).powi(2) + (places[j].z - own.z).powi(2);
            let mut nearest: Vec<(f32, usize)> =
                (0..places.len()).filter(|&j| j != agent.index()).map(|j| (flat(j), j)).collect();
            // Who rests looks a third as far: 0.8 m.
            nearest.retain(|(squared, _)| *squared <= 0.8 * 0.8);
            nearest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            // Of those equally far any will do.
            let expected: Vec<f32> = nearest.iter().take(10).map(|(squared, _)| *squared).collect();
            let seen = crowd.neighbours_of(agent).unwrap();
            let seen: Vec<f32> = seen.iter().map(|&j| flat(j as usize)).collect();
            let same = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
            assert!(seen.len() == expected.len() && seen.iter().zip(&expected).all(same), "{seen:?}, {expected:?}");
        }
    }
}
