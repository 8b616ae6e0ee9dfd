//! Agents of a preset: on meshes, and beside what was measured.

use super::{Baked, baked, error_of, good, json, write_in};
use serde_json::Value;

/// An experiment of a few.
const MEASURED: &str = r#"{"hermes_unidirectional_corridor_2009": [{"experiment": "small", "entrance_width": 1.0,
    "exit_width": 1.2, "participants": 12, "flow_per_s": 2.0, "mean_density_per_m2": 1.0, "mean_speed_m_s": 1.2}]}"#;

#[test]
fn experiments_are_walked_by_the_agents_of_a_preset() {
    let Baked { folder, .. } = baked(&[]);
    let file = write_in(&folder, "measured.json", MEASURED);
    let told = json(&["crowd", "--measured", &file, "--preset", "pedestrian", "--json"]);
    let row = &told["experiments"][0];
    assert_eq!((&row["experiment"], &row["measured"]["flow_per_s"]), (&Value::from("small"), &Value::from(2.0)));
    for name in ["flow_per_s", "mean_density_per_m2", "mean_speed_m_s"] {
        let walked = row["walked"][name].as_f64().unwrap();
        assert!((0.2..4.0).contains(&walked), "{name}: {walked}");
    }
    assert!(good(&["crowd", "--measured", &file, "--preset", "pedestrian"]).contains("| 1 m, 1.2 m |"));
    assert!(error_of(&["crowd", "--measured", &file, "--json"]).contains("give --preset pedestrian too"));
    let wide = write_in(&folder, "wide.json", &MEASURED.replace("1.2,", "2.2,"));
    assert!(error_of(&["crowd", "--measured", &wide, "--preset", "pedestrian"]).contains("small: a corridor"));
}

#[test]
fn a_preset_sets_parameters_and_options_beside_it_win() {
    let Baked { mesh, folder: _kept } = baked(&[]);
    let crowd = ["crowd", &mesh, "--agents", "3", "--ticks", "40", "--json", "--preset"];
    let run = |more: &[&str]| json(&[&crowd[..], more].concat());
    let (people, others) = (run(&["pedestrian"]), run(&["pedestrian", "--seed", "2"]));
    assert_eq!(people["avoidance"], "pedestrian");
    assert_ne!(people["digest"], others["digest"]);
    assert_eq!(run(&["pedestrian", "--avoidance", "orca"])["avoidance"], "orca");
    assert!(error_of(&[&crowd[..], &["runner"]].concat()).contains("pedestrian"), "names what there is");
}
