//! A few hundred agents were sent where nobody can get, and a minute later those with good goals still waited in the
//! queue behind them: each hopeless search covered the whole level.

use super::{bake, floors};
use wayfare::Vec3;
use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, EventKind, TargetStatus};
use wayfare::input::BakeSettings;
use wayfare::plan::AStarPlanner;

#[test]
fn hopeless_goals_are_answered_in_the_same_tick() {
    let islands = [([0.0, 30.0], [0.0, 30.0], 0.0), ([40.0, 60.0], [0.0, 30.0], 0.0)];
    let (mesh, _) = bake(&floors(&islands), &BakeSettings::default());
    let mut crowd = Crowd::default();
    let mut add = |i: u16, goal: Vec3| {
        let at = Vec3::new(2.0 + f32::from(i % 20), 0.0, 2.0 + f32::from(i / 20));
        let agent = crowd.add(&mesh, at, AgentParams::of_size(0.3, 2.0)).unwrap();
        crowd.go_to(&mesh, agent, goal).unwrap();
        agent
    };
    let hopeless: Vec<_> = (0..300).map(|i| add(i, Vec3::new(50.0, 0.0, 15.0))).collect();
    let good = add(300, Vec3::new(25.0, 0.0, 25.0));
    crowd.step(&mesh, 0.05, &mut AStarPlanner::new(), &Context::default());
    assert!(hopeless.iter().all(|&agent| crowd.target_status(agent) == Ok(TargetStatus::Unreachable)));
    assert_eq!(crowd.target_status(good), Ok(TargetStatus::Complete));
    let told = crowd.events().iter().filter(|event| event.kind == EventKind::Unreachable).count();
    assert_eq!((told, crowd.profile().paths), (300, 1));
}
