//! `wayfare crowd --trials`: runs the built-in trials with all methods and prints one table, so that methods are
//! compared on the same scenes.

use super::{Cast, Errand, Figures, Method, Plan, Watch, walk};
use crate::failure::{Failure, Result};
use crate::output::atomic_file;
use crate::output::numbers::number;
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::path::Path;
use wayfare::avoid::Avoidance;
use wayfare::mesh::NavMesh;
use wayfare::tile::build_outline_tile;
use wayfare_scenes::{CrowdTrial, crowd_trials};

/// The methods to compare.
pub(super) const METHODS: [Method; 5] =
    [Method::Sampled, Method::Adaptive, Method::Orca, Method::Clearpath, Method::Hrvo];

/// The height of all agents, metres.
const HEIGHT: f32 = 2.0;

/// One trial with one method.
pub(super) struct Run {
    trial: CrowdTrial,
    method: Method,
    pub(super) figures: Figures,
}

/// The trials whose names contain `name`.
pub(super) fn named(name: &str) -> Result<Vec<CrowdTrial>> {
    let all = crowd_trials();
    let names: Vec<&str> = all.iter().map(|trial| trial.name).collect();
    let none = Failure::new(format_args!("no trial is called {name}; there are {}", names.join(", ")));
    let chosen: Vec<CrowdTrial> = all.into_iter().filter(|trial| trial.name.contains(name)).collect();
    if chosen.is_empty() { Err(none) } else { Ok(chosen) }
}

/// Runs trials with all methods; writes pictures of the trails to a folder.
pub(super) fn run(trials: &[CrowdTrial], threads: usize, pictures: Option<(&Path, u32)>) -> Result<Vec<Run>> {
    let mut runs = Vec::new();
    let all = (trials.len() * METHODS.len()) as u64;
    let bar = Terminal::new(false).bar("walking", all);
    for trial in trials {
        let mesh = ground(trial)?;
        for method in METHODS {
            runs.push(run_one(trial, &mesh, method, threads, pictures)?);
            bar.set(runs.len() as u64, all);
        }
    }
    Ok(runs)
}

pub(super) fn ground(trial: &CrowdTrial) -> Result<NavMesh> {
    let tile = build_outline_tile(&trial.outlines, 0.0).map_err(Failure::new)?;
    NavMesh::from_tile(tile).map_err(Failure::new)
}

pub(super) fn run_one(
    trial: &CrowdTrial,
    mesh: &NavMesh,
    method: Method,
    threads: usize,
    pictures: Option<(&Path, u32)>,
) -> Result<Run> {
    let plan = Plan { threads, ..plan(trial, method.avoidance(3)?) };
    let mut watch = Watch::new(pictures.is_some(), None);
    let figures = walk(mesh, &plan, &mut watch)?;
    if let Some((folder, size)) = pictures {
        let title = format!("{}, {}: {} of {}", trial.name, method.name(), figures.walk.arrived(), trial.agents.len());
        let target = folder.join(format!("crowd-{}-{}.png", trial.name, method.name()));
        super::draw_trails(mesh, (&watch, &figures), title, size, &target)?;
    }
    Ok(Run { trial: trial.clone(), method, figures })
}

/// A trial as a run on one thread.
pub(super) fn plan(trial: &CrowdTrial, avoidance: Avoidance) -> Plan {
    let is_prey = |i: usize| trial.agents.iter().any(|agent| agent.chases == Some(i));
    let errand = |(i, agent): (usize, &wayfare_scenes::TrialAgent)| Errand {
        start: agent.start,
        goal: agent.goal,
        chases: agent.chases,
        speed: if is_prey(i) { trial.prey_speed } else { trial.speed },
    };
    let errands = trial.agents.iter().enumerate().map(errand).collect();
    let cast = Cast { errands, radius: trial.radius, height: HEIGHT };
    Plan {
        squeeze: trial.squeeze,
        gate: trial.gate,
        probe: trial.probe,
        ends_early: true,
        ..Plan::new(cast, avoidance, trial.ticks)
    }
}

/// The table, as Markdown.
pub(super) fn table(runs: &[Run]) -> String {
    let mut out = String::from(
        "| trial | method | arrived | time | last | excess | jitter | collisions | overlaps | frozen | flow |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for run in runs {
        let f = &run.figures.walk;
        let flow = if run.trial.gate.is_some() { format!("{:.2}", f.flow()) } else { "–".to_owned() };
        out.push_str(&format!(
            "| {} | {} | {}/{} | {:.1} | {:.1} | {:.2} | {:.1} | {} | {:.2} | {:.1} | {flow} |\n",
            run.trial.name,
            run.method.name(),
            f.arrived(),
            run.trial.agents.len(),
            f.mean_time(),
            f.last_time(),
            f.excess(),
            f.jitter(),
            f.collisions,
            f.overlaps_per_tick(),
            f.frozen_seconds(),
        ));
    }
    out
}

/// The same as JSON.
pub(super) fn json(runs: &[Run]) -> Value {
    let row = |run: &Run| {
        let f = &run.figures.walk;
        json!({
            "trial": run.trial.name,
            "summary": run.trial.summary,
            "avoidance": run.method.name(),
            "agents": run.trial.agents.len(),
            "arrived": f.arrived(),
            "time_to_goal_mean": number(f.mean_time()),
            "time_to_goal_last": number(f.last_time()),
            "path_excess_mean": number(f.excess()),
            "jitter_mean": number(f.jitter()),
            "collisions": f.collisions,
            "overlaps_per_tick": number(f.overlaps_per_tick()),
            "frozen_seconds": number(f.frozen_seconds()),
            "flow": run.trial.gate.map(|_| number(f.flow())),
            "off_mesh": run.figures.off_mesh,
        })
    };
    json!({ "trials": runs.iter().map(row).collect::<Vec<_>>() })
}

/// Prints the table or the JSON.
pub(super) fn print(runs: &[Run], as_json: bool) -> Result<()> {
    let text = if as_json { format!("{:#}\n", json(runs)) } else { table(runs) };
    atomic_file::print(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetric_meetings_resolve_without_freezing_with_every_method() {
        for name in ["two", "four", "crossing"] {
            for trial in named(name).unwrap() {
                let mesh = ground(&trial).unwrap();
                for method in METHODS {
                    // The full grid is a thousand samples: too slow for many agents in a test build.
                    if method == Method::Sampled && trial.agents.len() > 10 {
                        continue;
                    }
                    let run = run_one(&trial, &mesh, method, 1, None).unwrap();
                    let figures = &run.figures;
                    let what = format!("{}, {}", trial.name, method.name());
                    assert!(figures.walk.all_arrived(), "{what}: {} of {}", figures.walk.arrived(), trial.agents.len());
                    assert_eq!(figures.off_mesh, 0, "{what}");
                    // Where two streams of forty cross, one of them may wait a moment longer than others.
                    let frozen = figures.walk.frozen_seconds();
                    let allowed = if trial.agents.len() > 10 { 0.05 } else { 0.0 };
                    assert!(frozen <= allowed, "{what}: frozen for {frozen} s in the mean");
                }
            }
        }
    }

    #[test]
    fn the_flow_through_a_door_is_counted() {
        let trial = CrowdTrial::doorway("door", 3.0, 12, 0.3, 1.5);
        let run = run_one(&trial, &ground(&trial).unwrap(), Method::Orca, 1, None).unwrap();
        assert!(run.figures.walk.all_arrived() && run.figures.walk.flow() > 0.5, "{}", table(&[run]));
    }

    #[test]
    fn trials_are_found_by_part_of_their_names() {
        assert!(named("circle").unwrap().len() > 1 && named("").unwrap().len() > 8);
        assert!(named("square").is_err());
    }
}
