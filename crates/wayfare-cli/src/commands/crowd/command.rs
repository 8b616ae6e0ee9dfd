//! The command: runs a crowd on a mesh, the trials, or the pedestrian experiments, and reports and draws the result.

use super::pedestrians::{Pedestrians, Walkers};
use super::play::Play;
use super::run::{Ground as _, walk_on};
use super::{Cast, Plan, Preset, Watch, draw_trails, trials, walk};
use crate::commands::obstacles::LevelOptions;
use crate::dash::is_dash;
use crate::failure::{Answer, Failure, Result};
use crate::input::mesh_file;
use crate::options::{Drawing, Point};
use crate::output::atomic_file::{self, Unfinished};
use crate::output::numbers::counted;
use crate::output::{Kind, caption_of, targets};
use crate::terminal::Terminal;
use crate::threads;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use wayfare::avoid::{Adaptive, Avoidance};
use wayfare::crowd::AgentParams;
use wayfare::mesh::NavMesh;

/// Simulate a crowd and report how it went
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  wayfare crowd level.way --agents 200 --ticks 1200 --draw crowd.svg
  wayfare crowd flat.way --agents 24 --ticks 600 --starts circle --circle 15 --avoidance orca --json
  wayfare crowd level.way --agents 2 --ticks 400 --goals errands.jsonl --trace trace.jsonl
  wayfare crowd streets.way --agents 300 --preset pedestrian
  wayfare crowd layers.way --agents 50 --play play.jsonl --json
  wayfare crowd --trials circle --threads 0 --draw pictures")]
#[command(mut_arg("level", |a| a.requires("play")))]
#[command(mut_arg("draw", |a| a.help("Draw the mesh, the trails, and who has not arrived: .svg or .png")))]
pub(crate) struct WalkCrowd {
    /// A .way file or another tool's mesh; none with --trials and --measured
    mesh: Option<PathBuf>,
    /// How many agents [default: 100; with --goals as many as it has lines]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    agents: Option<u32>,
    /// How many ticks of 0.05 s
    #[arg(long, value_name = "T", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    ticks: u32,
    /// Seed of random starts and goals [default: 1]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// A preset of size, speed and behaviour for all agents; other options override it. Speeds are random, by --seed
    #[arg(long, value_name = "NAME", conflicts_with = "trials")]
    preset: Option<Preset>,
    /// How agents avoid each other [default: adaptive, or the preset's]
    #[arg(long, value_name = "METHOD")]
    avoidance: Option<Method>,
    /// Quality of adaptive sampling, 0 to 3 [default: 3]
    #[arg(long, value_name = "0-3", value_parser = clap::value_parser!(u32).range(0..=3))]
    quality: Option<u32>,
    /// Threads; 0: as many as the machine has. The result is the same
    #[arg(long, value_name = "N", value_parser = threads::parse, default_value_t = 1)]
    threads: u32,
    /// The fraction of its radius, 0 to 1, to which an agent stuck in a jam narrows; 1: bodies never overlap on
    /// purpose [default: 0, or the preset's]
    #[arg(long, value_name = "0-1")]
    squeeze: Option<f32>,
    /// Where agents start
    #[arg(long, value_name = "WHERE", default_value = "random")]
    starts: Starts,
    /// Radius of the circle for --starts circle, metres [default: two fifths of the mesh's shorter side]
    #[arg(long, value_name = "R")]
    circle: Option<f32>,
    /// Starts and goals, a line {"start": P, "goal": P} for each agent; {"start": P, "follow": N} follows the agent of
    /// line N, counted from 0
    #[arg(long, value_name = "FILE.jsonl", conflicts_with_all = ["starts", "circle"])]
    goals: Option<PathBuf>,
    /// Plan all paths to the same goal at once, with flow fields
    #[arg(long)]
    flow: bool,
    /// Operations on obstacles that happen while the crowd walks, and queries: lines as for `wayfare obstacles`, each
    /// with its "at_tick", counted from 0, which it precedes [default: 0]. The mesh must have been baked with --layers
    #[arg(long, value_name = "FILE.jsonl")]
    play: Option<PathBuf>,
    #[command(flatten)]
    level: LevelOptions,
    /// Run the built-in trials, or those whose names contain NAME, with all methods and print a table; --draw then
    /// names a folder
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "",
        conflicts_with_all = ["mesh", "agents", "ticks", "seed", "avoidance", "quality", "squeeze", "starts", "circle", "goals", "flow", "play", "level", "trace"])]
    trials: Option<String>,
    /// Simulate the experiments of a file of measured pedestrian flows and print a table; --draw then names a chart,
    /// .svg or .png
    #[arg(long, value_name = "FILE.json",
        conflicts_with_all = ["mesh", "agents", "ticks", "seed", "avoidance", "quality", "squeeze", "starts", "circle", "goals", "flow", "play", "level", "trace",
            "trials"])]
    measured: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    drawing: Drawing,
    /// Write every agent's position after every tick, a line [tick, agent, x, y, z] each; - for standard output, the
    /// figures then go to standard error
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
    /// The method's name on the command line and in reports.
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
    /// On a circle around the centre of the mesh, with goals opposite
    Circle,
}

impl WalkCrowd {
    pub(crate) fn run(self) -> Result<Answer> {
        let threads = threads::count(self.threads)?;
        if let Some(squeeze) = self.squeeze.filter(|squeeze| !(0.0..=1.0).contains(squeeze)) {
            return Err(Failure::new(format_args!("--squeeze is {squeeze}, but must be between 0 and 1")));
        }
        if self.circle.is_some() && self.starts != Starts::Circle {
            return Err(Failure::new("--circle is the circle of --starts circle: give that too"));
        }
        match (&self.trials, &self.measured, &self.mesh) {
            (Some(name), ..) => self.run_trials(name, threads),
            (_, Some(file), _) => self.run_measured(file, threads),
            (_, _, Some(mesh)) => self.run_on(mesh, threads),
            _ => Err(Failure::new("give a mesh to walk on, or --trials, or --measured with a file")),
        }
    }

    fn run_measured(&self, file: &Path, threads: usize) -> Result<Answer> {
        targets::check(self.drawing.output()?.as_slice(), [file])?;
        if self.json && self.preset.is_none() {
            return Err(Failure::new(
                "--measured with --json tells of one kind of agents: give --preset pedestrian too",
            ));
        }
        let walkers = self.preset.map_or_else(Walkers::all, |preset| vec![Walkers::Preset(preset)]);
        let pedestrians = Pedestrians::walk(file, &walkers, threads)?;
        if let Some(target) = &self.drawing.draw {
            pedestrians.draw(target)?;
        }
        let text = if self.json { format!("{:#}\n", pedestrians.json()) } else { pedestrians.table() };
        atomic_file::print(text.as_bytes())?;
        Ok(Answer::Yes)
    }

    fn run_trials(&self, name: &str, threads: usize) -> Result<Answer> {
        let chosen = trials::named(name)?;
        if let Some(folder) = &self.drawing.draw {
            atomic_file::make_folder(folder)?;
        }
        let pictures = self.drawing.draw.as_deref().map(|folder| (folder, self.drawing.size));
        let runs = trials::run(&chosen, threads, pictures)?;
        trials::print(&runs, self.json)?;
        Ok(Answer::Yes)
    }

    fn run_on(&self, file: &Path, threads: usize) -> Result<Answer> {
        let trace = self.trace.as_deref().map(|trace| (trace, Kind::Trace));
        let outputs: Vec<(&Path, Kind)> = self.drawing.output()?.into_iter().chain(trace).collect();
        let inputs: Vec<&Path> =
            [Some(file), self.goals.as_deref(), self.play.as_deref()].into_iter().flatten().collect();
        targets::check(&outputs, inputs)?;
        if is_dash(file) && self.play.as_deref().is_some_and(is_dash) {
            return Err(Failure::new("the mesh and the play cannot both be standard input: give one of them a file"));
        }
        let read = mesh_file::read_file(file)?;
        let mesh = read.mesh.clone();
        let play = self.play.as_deref().map(|play| Play::read((read, file), play, &self.level, self.ticks));
        let mut play = play.transpose()?;
        self.warn_of_unused();
        let mut cast = self.cast(&mesh)?;
        let agent = self.preset.map(Preset::agent);
        if let Some(agent) = &agent {
            (cast.radius, cast.height) = (agent.radius, agent.height);
        }
        let stranded = cast.stranded(&mesh);
        if let Some(&first) = stranded.first() {
            let (all, errand) = (counted(cast.errands.len() as u64, "agent"), cast.errands[first]);
            Terminal::new(false).warn(format_args!(
                "{} of {all} cannot reach their goals, and walk to what lies nearest: the first is agent {first}, from {} \
                 to {}",
                stranded.len(),
                Point(errand.start),
                Point(errand.goal)
            ));
        }
        let method = self.method(agent.as_ref())?;
        let usual = agent.as_ref().map_or(0.0, |agent| agent.recovery.squeeze);
        let plan = Plan {
            preset: self.preset.map(|preset| (preset, self.seed.unwrap_or(1))),
            squeeze: self.squeeze.unwrap_or(usual),
            threads,
            flow: self.flow,
            ..Plan::new(cast, method, self.ticks)
        };
        let trace = self.trace.as_deref().map(Unfinished::begin).transpose()?;
        let mut watch = Watch::new(self.drawing.draw.is_some(), trace);
        watch.bar = Terminal::new(false).bar("walking", u64::from(self.ticks));
        let figures = match &mut play {
            Some(play) => walk_on(play, &plan, &mut watch)?,
            None => walk(&mesh, &plan, &mut watch)?,
        };
        let mesh = play.as_ref().map_or(&mesh, |play| play.mesh());
        if let Some(trace) = watch.trace.take() {
            trace.finish()?;
        }
        if let Some(target) = &self.drawing.draw {
            let (agents, method) = (plan.cast.errands.len(), method.name());
            let title = caption_of(file, mesh).title;
            let title = format!("{title}, {agents} agents, {method}: {} arrived", figures.walk.arrived());
            draw_trails(mesh, (&watch, &figures), title, self.drawing.size, target)?;
        }
        let text = if self.json {
            let mut json = figures.json(&plan, method.name());
            json["unreachable"] = stranded.len().into();
            if let Some(play) = &play {
                (json["rebuilds"], json["answers"]) = (play.rebuilds().into(), play.answers().into());
            }
            format!("{json:#}\n")
        } else {
            let answers = play.iter().flat_map(Play::answers).map(|answer| format!("{answer}\n"));
            answers.collect::<String>() + &figures.text(&plan, method.name())
        };
        // If the positions go to standard output, the report does not.
        if self.trace.as_deref().is_some_and(is_dash) {
            Terminal::new(false).say(text.trim_end());
        } else {
            atomic_file::print(text.as_bytes())?;
        }
        play.as_ref().map_or(Ok(()), Play::check)?;
        Ok(Answer::Yes)
    }

    /// The requested method, or that of the preset's agents.
    fn method(&self, agent: Option<&AgentParams>) -> Result<Avoidance> {
        match (self.avoidance, agent) {
            (None, Some(agent)) => Ok(agent.avoidance),
            (asked, _) => asked.unwrap_or(Method::Adaptive).avoidance(self.quality.unwrap_or(3)),
        }
    }

    /// Warns about options that have no effect together with the others.
    fn warn_of_unused(&self) {
        let terminal = Terminal::new(false);
        let other = match (self.avoidance, self.preset) {
            (Some(Method::Adaptive), _) | (None, None) => None,
            (Some(method), _) => Some(method.name()),
            (None, Some(preset)) => Some(preset.name()),
        };
        if let Some(other) = other.filter(|_| self.quality.is_some()) {
            terminal.warn(format_args!("--quality is that of --avoidance adaptive: {other} has none"));
        }
        if self.seed.is_some() && self.preset.is_none() && (self.goals.is_some() || self.starts == Starts::Circle) {
            terminal.warn("--seed is that of random starts and goals: there are none");
        }
    }

    fn cast(&self, mesh: &NavMesh) -> Result<Cast> {
        if let Some(file) = &self.goals {
            return Cast::from_file(mesh, file, self.agents, Terminal::new(false));
        }
        let agents = self.agents.unwrap_or(100);
        match self.starts {
            Starts::Random => Cast::random(mesh, agents, self.seed.unwrap_or(1)),
            Starts::Circle => Cast::circle(mesh, agents, self.circle),
        }
    }
}
