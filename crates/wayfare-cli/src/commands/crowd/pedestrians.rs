//! `wayfare crowd --measured FILE`: pedestrians in a corridor, beside what was measured of real ones.
//!
//! In the experiments a crowd waits before a corridor 1.8 m wide, enters it through one opening and leaves it through
//! another. Each is walked here with as many agents and the same widths. Flow is counted at the exit, density and speed
//! in four metres of the corridor, while the middle three fifths of the crowd pass the exit.

use super::Method;
use super::trials::{METHODS, ground, run_one};
use crate::failure::{Failure, Result};
use crate::options::plainly;
use crate::output::chart::{Panel, Series, draw_chart};
use serde::Deserialize;
use std::path::Path;
use wayfare_scenes::CrowdTrial;

/// One experiment; other fields are ignored.
#[derive(Clone, Debug, Deserialize)]
struct Experiment {
    experiment: String,
    entrance_width: f32,
    exit_width: f32,
    participants: usize,
    flow_per_s: f32,
    mean_density_per_m2: f32,
    mean_speed_m_s: f32,
}

#[derive(Deserialize)]
struct Measured {
    hermes_unidirectional_corridor_2009: Vec<Experiment>,
}

/// Flow in agents a second, density in agents a square metre, speed in m/s.
type Flow = [f32; 3];

/// All experiments of a file, walked with all methods.
pub(super) struct Pedestrians {
    experiments: Vec<Experiment>,
    /// By method, then by experiment.
    walked: Vec<(Method, Vec<Flow>)>,
}

impl Pedestrians {
    /// Reads a file and walks its experiments.
    pub(super) fn walk(file: &Path, threads: usize) -> Result<Self> {
        let text = std::fs::read_to_string(file).map_err(|e| Failure::io(file.display(), &e))?;
        let measured: Measured =
            serde_json::from_str(&text).map_err(|e| Failure::about(file.display(), plainly(&e.to_string())))?;
        let experiments = measured.hermes_unidirectional_corridor_2009;
        let sane = |e: &Experiment| {
            let widths = 0.45..=1.8;
            widths.contains(&e.entrance_width) && widths.contains(&e.exit_width) && (5..=5000).contains(&e.participants)
        };
        if let Some(odd) = experiments.iter().find(|e| !sane(e)) {
            let wants = "widths must be 0.45 to 1.8 m, participants 5 to 5000";
            return Err(Failure::about(file.display(), format_args!("{}: {wants}", odd.experiment)));
        }
        let mut walked = Vec::new();
        // The full grid takes minutes.
        for method in METHODS.into_iter().filter(|method| *method != Method::Sampled) {
            let walk = |e: &Experiment| {
                let trial = CrowdTrial::corridor(e.entrance_width, e.exit_width, e.participants);
                Ok(run_one(&trial, &ground(&trial)?, method, threads, None)?.figures.walk.steady_flow())
            };
            walked.push((method, experiments.iter().map(walk).collect::<Result<Vec<Flow>>>()?));
        }
        Ok(Self { experiments, walked })
    }

    /// The table, as Markdown: flow / density / speed.
    pub(super) fn table(&self) -> String {
        let row = |cells: &mut dyn Iterator<Item = String>| cells.map(|cell| format!(" {cell} |")).collect::<String>();
        let names = || ["measured"].into_iter().chain(self.walked.iter().map(|(method, _)| method.name()));
        let mut out = format!("| entrance, exit |{}\n", row(&mut names().map(str::to_owned)));
        out.push_str(&format!("|---|{}\n", "---|".repeat(names().count())));
        for (i, e) in self.experiments.iter().enumerate() {
            let flows = [e.measured()].into_iter().chain(self.walked.iter().map(|(_, flows)| flows[i]));
            let cells = row(&mut flows.map(|[flow, density, speed]| format!("{flow:.2} / {density:.2} / {speed:.2}")));
            out.push_str(&format!("| {} m, {} m |{cells}\n", e.entrance_width, e.exit_width));
        }
        out
    }

    /// Flow over the narrower width, and speed over density.
    pub(super) fn draw(&self, target: &Path) -> Result<()> {
        let panel = |title: &str, x: &str, y: &str, point: &dyn Fn(&Experiment, Flow) -> [f32; 2]| {
            let of = |name: &str, flows: &mut dyn Iterator<Item = Flow>| Series {
                name: name.to_owned(),
                points: self.experiments.iter().zip(flows).map(|(e, flow)| point(e, flow)).collect(),
            };
            let mut series = vec![of("measured", &mut self.experiments.iter().map(Experiment::measured))];
            series.extend(self.walked.iter().map(|(m, flows)| of(m.name(), &mut flows.iter().copied())));
            Panel { title: title.into(), x: x.into(), y: y.into(), series }
        };
        let panels = [
            panel("Flow", "narrowest width, m", "agents a second", &|e, flow| {
                [e.entrance_width.min(e.exit_width), flow[0]]
            }),
            panel("Speed", "agents a square metre", "m/s", &|_, flow| [flow[1], flow[2]]),
        ];
        draw_chart(&panels, target)
    }
}

impl Experiment {
    fn measured(&self) -> Flow {
        [self.flow_per_s, self.mean_density_per_m2, self.mean_speed_m_s]
    }
}
