//! Tests of numbers that are NaN or infinite: they harm only the agent that they were given to.

use super::tests::{DT, at, field, small, walk};
use super::*;
use crate::avoid::{Adaptive, Avoidance, ClearPath, Hrvo, Orca, SampleWeights, Sampled};
use crate::context::Context;
use crate::plan::AStarPlanner;
use glam::Vec3;

const BAD: [Vec3; 3] = [Vec3::NAN, Vec3::new(1.0, f32::INFINITY, 1.0), Vec3::new(f32::NEG_INFINITY, 0.0, f32::NAN)];

#[test]
fn a_place_or_velocity_that_is_no_number_moves_nobody_and_harms_no_neighbour() {
    let mesh = field(8);
    for bad in BAD {
        for where_given in 0..6 {
            let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
            let driver = if where_given == 0 { Driver::Game } else { Driver::Crowd };
            let agent = crowd.add(&mesh, at(3.0, 3.0), AgentParams { driver, ..small() }).unwrap();
            for k in 0..4 {
                let other = crowd.add(&mesh, at(3.3 + 0.3 * k as f32, 3.0), small()).unwrap();
                crowd.go_to(&mesh, other, at(1.0, 3.0)).unwrap();
            }
            walk(&mut crowd, &mesh, 3, |_| false);
            let before = crowd.position(agent).unwrap();
            match where_given {
                0 => crowd.set_position(agent, bad).unwrap(),
                1 => crowd.set_velocity(agent, bad).unwrap(),
                2 => crowd.set_target(agent, Target::Velocity(bad)).unwrap(),
                _ => {}
            }
            crowd.begin(DT);
            for phase in Phase::ALL {
                crowd.run(phase, &mesh, DT, &mut planner, &Context::default());
                match (phase, where_given) {
                    (Phase::Steer, 3) => crowd.desired_mut()[agent.index()] = bad,
                    (Phase::Avoid, 4) => crowd.avoiding_mut()[agent.index()] = bad,
                    (Phase::Integrate, 5) => crowd.next_mut()[agent.index()] = bad,
                    _ => {}
                }
            }
            crowd.finish();
            let finite = |crowd: &Crowd| crowd.positions().iter().chain(crowd.velocities()).all(|v| v.is_finite());
            assert!(finite(&crowd), "{bad} given at {where_given}: {:?}", crowd.positions());
            if where_given == 0 || where_given == 5 {
                assert_eq!(crowd.position(agent).unwrap(), before, "{bad} given at {where_given}");
            }
            for _ in 0..5 {
                crowd.step(&mesh, DT, &mut planner, &Context::default());
            }
            assert!(finite(&crowd), "{bad} given at {where_given}, later");
        }
    }
}

#[test]
fn every_number_of_the_parameters_is_checked() {
    let style = |swing, period| AgentParams { style: Style::Drunken { swing, period }, ..small() };
    let recovery = |patience, squeeze| {
        let recovery = Recovery { patience, squeeze, ..Recovery::default() };
        AgentParams { recovery, ..small() }
    };
    let method = |avoidance| AgentParams { avoidance, ..small() };
    let weights = SampleWeights { impact: f32::NAN, ..SampleWeights::default() };
    let nan = f32::NAN;
    let bad = [
        ("style.swing", style(nan, 1.0)),
        ("style.period", style(0.5, 0.0)),
        ("recovery.patience", recovery(nan, 0.0)),
        ("recovery.squeeze", recovery(0.3, nan)),
        ("recovery.squeeze", recovery(0.3, 1.5)),
        ("avoidance.weights.impact", method(Avoidance::Sampled(Sampled { weights, ..Sampled::default() }))),
        (
            "avoidance.velocity_bias",
            method(Avoidance::Adaptive(Adaptive { velocity_bias: nan, ..Adaptive::default() })),
        ),
        ("avoidance.side_bias", method(Avoidance::Orca(Orca { side_bias: nan, ..Orca::default() }))),
        ("avoidance.spike", method(Avoidance::ClearPath(ClearPath { spike: nan, ..ClearPath::default() }))),
        ("avoidance.horizon", method(Avoidance::Hrvo(Hrvo { horizon: -1.0, ..Hrvo::default() }))),
    ];
    let (mesh, mut crowd) = (field(4), Crowd::default());
    let agent = crowd.add(&mesh, at(2.0, 2.0), small()).unwrap();
    for (wrong, params) in bad {
        let told = |result| matches!(result, Err(CrowdError::Params(ParamsError { name, .. })) if name == wrong);
        assert!(told(crowd.set_params(agent, params.clone())), "{wrong}");
        assert!(told(crowd.add(&mesh, at(1.0, 1.0), params).map(|_| ())), "{wrong}");
    }
    assert_eq!((crowd.set_params(agent, recovery(f32::INFINITY, 1.0)), crowd.len()), (Ok(()), 1));
    let error = style(2.0, 1.0).check().unwrap_err();
    assert_eq!(error.to_string(), "style.swing is 2: give a number from 0.0 to 1.5707964");
}
