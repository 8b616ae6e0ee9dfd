//! `wayfare crowd --measured FILE`: simulates pedestrians in a corridor, for comparison with measurements.
//!
//! In the experiments a crowd waits before a corridor, enters it through one opening and leaves it through another.
//! Each is simulated with as many agents and the same widths. Flow is counted in the middle of the corridor, density
//! and speed in the four metres around it, while the middle three fifths of the crowd pass: before and after that they
//! are not stationary.

use super::trials::{METHODS, ground, plan};
use super::{Method, Plan, Preset, Watch, walk};
use crate::failure::{Failure, Result};
use crate::options::plainly;
use crate::output::numbers::number;
use crate::output::write_picture;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;
use wayfare_draw::{Panel, Series, draw_chart};
use wayfare_scenes::CrowdTrial;

/// One experiment; other fields are ignored.
#[derive(Clone, Debug, Deserialize)]
struct Experiment {
    experiment: String,
    entrance_width: f32,
    #[serde(default = "usual_width")]
    corridor_width: f32,
    exit_width: f32,
    participants: usize,
    flow_per_s: f32,
    mean_density_per_m2: f32,
    mean_speed_m_s: f32,
}

/// The width of a corridor if the file does not contain it, metres.
fn usual_width() -> f32 {
    1.8
}

#[derive(Deserialize)]
struct Measured {
    hermes_unidirectional_corridor_2009: Vec<Experiment>,
}

/// Flow in agents per second, density in agents per square metre, speed in m/s.
type Flow = [f32; 3];

/// The agents of an experiment: those of a method with its defaults, all alike, or those of a preset.
#[derive(Clone, Copy, Debug)]
pub(super) enum Walkers {
    Method(Method),
    Preset(Preset),
}

/// The radius of agents that are defined only by their method, metres.
const RADIUS: f32 = 0.2;
/// Presets have varying agents, so this many crowds are simulated, each with its own seed. The mean is reported: a
/// single crowd deviates from it by about a twentieth, as a single experiment does.
const CROWDS: u64 = 3;

impl Walkers {
    /// All kinds of agents that the manual compares. The full grid takes minutes.
    pub(super) fn all() -> Vec<Self> {
        let methods = METHODS.into_iter().filter(|method| *method != Method::Sampled).map(Self::Method);
        methods.chain([Self::Preset(Preset::Pedestrian)]).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Method(method) => method.name(),
            Self::Preset(preset) => preset.name(),
        }
    }

    fn walk(self, e: &Experiment, threads: usize) -> Result<Flow> {
        let trial = |radius| {
            let widths = [e.entrance_width, e.corridor_width, e.exit_width];
            CrowdTrial::corridor(widths, e.participants, radius)
        };
        let (trial, avoidance, preset) = match self {
            Self::Method(method) => (trial(RADIUS), method.avoidance(3)?, None),
            Self::Preset(preset) => {
                let agent = preset.agent();
                (trial(agent.radius), agent.avoidance, Some(preset))
            }
        };
        let mesh = ground(&trial)?;
        let (mut sum, crowds) = ([0.0; 3], if preset.is_some() { CROWDS } else { 1 });
        for seed in 1..=crowds {
            let preset = preset.map(|preset| (preset, seed));
            let plan = Plan { threads, preset, ..plan(&trial, avoidance) };
            let flow = walk(&mesh, &plan, &mut Watch::new(false, None))?.walk.steady_flow();
            sum.iter_mut().zip(flow).for_each(|(sum, figure)| *sum += figure);
        }
        Ok(sum.map(|sum| sum / crowds as f32))
    }
}

/// All simulated experiments of a file.
pub(super) struct Pedestrians {
    experiments: Vec<Experiment>,
    /// By kind of agent, then by experiment.
    walked: Vec<(Walkers, Vec<Flow>)>,
}

impl Pedestrians {
    /// Reads a file and simulates its experiments.
    pub(super) fn walk(file: &Path, walkers: &[Walkers], threads: usize) -> Result<Self> {
        let text = std::fs::read_to_string(file).map_err(|e| Failure::io(file.display(), &e))?;
        let measured: Measured =
            serde_json::from_str(&text).map_err(|e| Failure::about(file.display(), plainly(&e.to_string())))?;
        let experiments = measured.hermes_unidirectional_corridor_2009;
        let sane = |e: &Experiment| {
            let widths = 0.45..=e.corridor_width;
            let openings = widths.contains(&e.entrance_width) && widths.contains(&e.exit_width);
            openings && e.corridor_width <= 6.0 && (5..=5000).contains(&e.participants)
        };
        if let Some(odd) = experiments.iter().find(|e| !sane(e)) {
            let wants = "a corridor must be no wider than 6 m, its entrance and exit 0.45 m wide to as wide as it is, \
                         participants 5 to 5000";
            return Err(Failure::about(file.display(), format_args!("{}: {wants}", odd.experiment)));
        }
        let walk = |who: &Walkers| {
            let flows = experiments.iter().map(|e| who.walk(e, threads)).collect::<Result<Vec<Flow>>>()?;
            Ok((*who, flows))
        };
        let walked = walkers.iter().map(walk).collect::<Result<_>>()?;
        Ok(Self { experiments, walked })
    }

    /// In the format of the manual: the measurements, and the first kind of agent.
    pub(super) fn json(&self) -> Value {
        let figures = |[flow, density, speed]: Flow| {
            json!({
                "flow_per_s": number(flow),
                "mean_density_per_m2": number(density),
                "mean_speed_m_s": number(speed),
            })
        };
        let flows = self.walked.iter().take(1).flat_map(|(_, flows)| flows);
        let row = |(e, walked): (&Experiment, &Flow)| json!({ "experiment": e.experiment, "measured": figures(e.measured()), "walked": figures(*walked) });
        json!({ "experiments": self.experiments.iter().zip(flows).map(row).collect::<Vec<_>>() })
    }

    /// The table, as Markdown: flow / density / speed.
    pub(super) fn table(&self) -> String {
        let row = |cells: &mut dyn Iterator<Item = String>| cells.map(|cell| format!(" {cell} |")).collect::<String>();
        let names = || ["measured"].into_iter().chain(self.walked.iter().map(|(who, _)| who.name()));
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
        write_picture(&draw_chart(&panels), target)
    }
}

impl Experiment {
    fn measured(&self) -> Flow {
        [self.flow_per_s, self.mean_density_per_m2, self.mean_speed_m_s]
    }
}
