//! Through doors and corridors up to three times as many agents passed as people do, since agents walked at full speed
//! wherever there was a gap, and no parameter changed that.

use wayfare::context::Context;
use wayfare::crowd::{AgentParams, Crowd, Pedestrians};
use wayfare::mesh::NavMesh;
use wayfare::plan::AStarPlanner;
use wayfare::tile::build_outline_tile;
use wayfare_scenes::{CrowdTrial, Trip, Walk, WalkFigures};
use wayfare_testkit::data;

const DT: f32 = 0.05;

/// People who pass a corridor, drawn by a seed: agents a second, agents a square metre, m/s.
fn flow(widths: [f32; 3], people: usize, seed: u64) -> [f32; 3] {
    let person = AgentParams::pedestrian();
    let trial = CrowdTrial::corridor(widths, people, person.radius);
    let mesh = NavMesh::from_tile(build_outline_tile(&trial.outlines, 0.0).unwrap()).unwrap();
    let (mut crowd, mut planner) = (Crowd::default(), AStarPlanner::new());
    for (errand, person) in trial.agents.iter().zip(Pedestrians::new(seed)) {
        let agent = crowd.add(&mesh, errand.start, person).unwrap();
        crowd.go_to(&mesh, agent, errand.goal).unwrap();
    }
    let walk = Walk { dt: DT, radius: person.radius, height: person.height, gate: trial.gate, probe: trial.probe };
    let ways = trial.agents.iter().map(|a| Trip { start: a.start, goal: a.goal, chases: None, shortest: 0.0 });
    let mut figures = WalkFigures::begin(walk, ways);
    while figures.passed.len() < people && figures.ticks < trial.ticks {
        crowd.step(&mesh, DT, &mut planner, &Context::default());
        figures.look(crowd.positions());
    }
    assert_eq!(figures.passed.len(), people, "{widths:?}: all pass");
    assert!(figures.overlaps_per_tick() < 1.0, "{widths:?}: {} overlaps a tick", figures.overlaps_per_tick());
    figures.steady_flow()
}

/// Zhang and others, 2011, and Seyfried and others, 2009, found 1.6 to 2.6 people a second and metre of width;
/// ours are within a tenth of that.
#[test]
fn as_many_pass_an_exit_as_was_measured_and_more_the_wider_it_is() {
    let mean = |exit| [1, 2, 3].map(|seed| flow([1.8, 1.8, exit], 100, seed)[0]).iter().sum::<f32>() / 3.0;
    let flows = [0.7, 1.0].map(mean);
    println!("{flows:?}");
    for (flow, width) in flows.iter().zip([0.7, 1.0]) {
        assert!((1.44..2.86).contains(&(flow / width)), "{} a second and metre at {width} m", flow / width);
    }
    assert!(flows[1] > 1.2 * flows[0], "{flows:?}");
}

/// Weidmann, 1993: 1.3 m/s where there is room, 1.0 m/s at one and a half people a square metre.
#[test]
fn people_are_slower_where_it_is_denser() {
    let [[_, sparse, fast], [_, dense, slow]] = [0.6, 1.8].map(|entrance| flow([entrance, 1.8, 1.8], 100, 3));
    assert!((0.3..0.8).contains(&sparse) && (1.1..1.6).contains(&fast), "{fast} m/s at {sparse}");
    assert!((1.1..2.2).contains(&dense) && (0.75..1.2).contains(&slow), "{slow} m/s at {dense}");
}

#[test]
fn flow_density_and_speed_are_those_of_the_experiments() {
    let Some(facts) = data::json("crowd/flow_reference.json") else { return };
    for e in facts["hermes_unidirectional_corridor_2009"].as_array().unwrap() {
        let number = |name: &str| e[name].as_f64().unwrap() as f32;
        let widths = ["entrance_width", "corridor_width", "exit_width"].map(number);
        let crowds = [1, 2, 3].map(|seed| flow(widths, number("participants") as usize, seed));
        let walked = [0, 1, 2].map(|figure| crowds.iter().map(|flow| flow[figure]).sum::<f32>() / 3.0);
        for (name, walked) in ["flow_per_s", "mean_density_per_m2", "mean_speed_m_s"].into_iter().zip(walked) {
            let measured = number(name);
            let off = walked / measured - 1.0;
            assert!(off.abs() <= 0.15, "{} {name}: {walked}, measured {measured}", e["experiment"]);
        }
    }
}
