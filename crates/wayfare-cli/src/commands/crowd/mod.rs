//! `wayfare crowd MESH`: a crowd run with figures.

mod cast;
mod figures;
mod run;

pub(super) use cast::Cast;
pub(super) use figures::Figures;
pub(super) use run::{Plan, Watch, walk};

use crate::failure::{Answer, Failure, Result};
use crate::input::mesh_file;
use crate::options::MAX_THREADS;
use crate::output::{Caption, atomic_file, draw_picture, targets};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use wayfare::avoid::{Adaptive, Avoidance};
use wayfare::debug::{ShapeList, draw_mesh, draw_trail};
use wayfare::mesh::NavMesh;

/// The time of a tick, seconds.
const DT: f32 = 0.05;
/// Trails beyond this many make a picture too large to be looked at.
const MOST_TRAILS: usize = 400;

/// Walk a crowd and tell how it went
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wayfare crowd level.way --agents 200 --ticks 1200 --draw crowd.svg
  wayfare crowd flat.way --agents 24 --ticks 600 --starts circle --circle 15 --avoidance orca --json
  wayfare crowd level.way --agents 2 --ticks 400 --goals errands.jsonl --trace trace.jsonl")]
pub(crate) struct WalkCrowd {
    /// A .way file or another tool's mesh
    mesh: PathBuf,
    /// How many agents
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    agents: u32,
    /// How many ticks of 0.05 s
    #[arg(long, value_name = "T", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    ticks: u32,
    /// Seed of random starts and goals
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How agents avoid each other
    #[arg(long, value_name = "METHOD", default_value = "adaptive")]
    avoidance: Method,
    /// Quality of adaptive sampling, 0 to 3
    #[arg(long, value_name = "0-3", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=3))]
    quality: u32,
    /// Threads; 0: as many as the machine has. The result is the same
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// Where agents start
    #[arg(long, value_name = "WHERE", default_value = "random")]
    starts: Starts,
    /// Radius of the circle for --starts circle, metres [default: two fifths of the mesh's shorter side]
    #[arg(long, value_name = "R")]
    circle: Option<f32>,
    /// Starts and goals, a line {"start": P, "goal": P} for each agent
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["starts", "circle"])]
    goals: Option<PathBuf>,
    /// Plan all paths to the same goal at once, with flow fields
    #[arg(long)]
    flow: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Draw the mesh and the trails: .svg or .png
    #[arg(long, value_name = "FILE")]
    draw: Option<PathBuf>,
    /// Longer side of the drawing, pixels
    #[arg(long, value_name = "PX", default_value_t = 1400)]
    size: u32,
    /// Write every agent's place after every tick, a line [tick, agent, x, y, z] each
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

/// How agents avoid each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Method {
    /// A grid of 33 x 33 velocities
    Sampled,
    /// Rings of velocities that close in on the best
    Adaptive,
    /// Half-planes, by linear programming
    Orca,
    /// The border of the union of velocity obstacles
    Clearpath,
    /// Hybrid reciprocal velocity obstacles
    Hrvo,
    /// Not at all
    None,
}

impl Method {
    /// Its name, as it is given and reported.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Sampled => "sampled",
            Self::Adaptive => "adaptive",
            Self::Orca => "orca",
            Self::Clearpath => "clearpath",
            Self::Hrvo => "hrvo",
            Self::None => "none",
        }
    }

    /// The library's method of this name.
    pub(crate) fn avoidance(self, quality: u32) -> Result<Avoidance> {
        match self {
            Self::Adaptive => Ok(Avoidance::Adaptive(Adaptive::quality(quality))),
            _ => Avoidance::by_name(self.name())
                .ok_or_else(|| Failure::new(format_args!("this build has no method {}", self.name()))),
        }
    }
}

/// Where agents start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Starts {
    /// Anywhere, with goals anywhere that can be reached
    Random,
    /// On a circle about the middle of the mesh, with goals opposite
    Circle,
}

impl WalkCrowd {
    pub(crate) fn run(self) -> Result<Answer> {
        let mesh = mesh_file::read(&self.mesh)?;
        let outputs: Vec<&Path> = [&self.draw, &self.trace].into_iter().flatten().map(PathBuf::as_path).collect();
        let inputs: Vec<&Path> =
            [Some(&self.mesh), self.goals.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        targets::check(&outputs, inputs)?;
        if self.threads > MAX_THREADS {
            return Err(Failure::new(format_args!(
                "--threads is {}, but must be between 0 and {MAX_THREADS}",
                self.threads
            )));
        }
        let plan = Plan {
            cast: self.cast(&mesh)?,
            avoidance: self.avoidance.avoidance(self.quality)?,
            ticks: self.ticks,
            dt: DT,
            threads: self.threads as usize,
            flow: self.flow,
        };
        let mut watch = Watch::new(self.draw.is_some(), self.trace.is_some());
        let figures = walk(&mesh, &plan, &mut watch)?;
        if let Some(target) = &self.trace {
            atomic_file::write(target, &watch.trace)?;
        }
        if let Some(target) = &self.draw {
            self.picture(&mesh, &watch, &figures, target)?;
        }
        let text = if self.json {
            format!("{:#}\n", figures.json(&plan, self.avoidance.name()))
        } else {
            figures.text(&plan, self.avoidance.name())
        };
        atomic_file::print(text.as_bytes())?;
        Ok(Answer::Yes)
    }

    fn cast(&self, mesh: &NavMesh) -> Result<Cast> {
        if let Some(file) = &self.goals {
            return Cast::from_file(mesh, file, self.agents);
        }
        match self.starts {
            Starts::Random => Cast::random(mesh, self.agents, self.seed),
            Starts::Circle => Cast::circle(mesh, self.agents, self.circle),
        }
    }

    fn picture(&self, mesh: &NavMesh, watch: &Watch, figures: &Figures, target: &Path) -> Result<()> {
        let mut shapes = ShapeList::new();
        draw_mesh(mesh, &mut shapes);
        for (number, trail) in (0u32..).zip(watch.trails.iter().take(MOST_TRAILS)) {
            draw_trail(trail, number, &mut shapes);
        }
        let title = format!(
            "{}, {} agents, {}: {} arrived",
            super::draw::title(&self.mesh, mesh),
            self.agents,
            self.avoidance.name(),
            figures.arrived
        );
        draw_picture(&shapes, &Caption { title, ..Caption::default() }, self.size, target)
    }
}
